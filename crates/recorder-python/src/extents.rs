//! Where the items of an array of `numpy` stand, and which columns of a table of `pandas` an array of it has.

use crate::layout::library;
use crate::raw::{Address, byte, half, word};
use crate::sort::Sort;
use crate::walk::Walk;

/// Arrays that are views of views of views: more than any program has.
const DEEPEST: usize = 8;

/// Dimensions that an array may have.
const MOST_DIMENSIONS: usize = 64;

impl Walk {
    /// Tells the length and the stride of each dimension, and how far behind those of the owner the array's bytes begin.
    pub fn tell_extent(&mut self, at: Address) {
        // SAFETY: the object is an array; its shape and strides have as many words as it has dimensions.
        unsafe {
            let rank = (half(at + library::NUMPY_RANK) as usize).min(MOST_DIMENSIONS);
            let (shape, strides) = (word(at + library::NUMPY_SHAPE), word(at + library::NUMPY_STRIDES));
            self.row.tell(rank as u64);
            for dimension in 0..rank {
                self.row.tell(word(shape + dimension * 8) as u64);
                self.row.tell(zigzag(word(strides + dimension * 8)));
            }
            let begins = word(at + library::NUMPY_DATA);
            let owner = word(self.owner(at) + library::NUMPY_DATA);
            self.row.tell(zigzag(begins.wrapping_sub(owner)));
        }
    }

    /// The array whose bytes an array shows.
    fn owner(&mut self, at: Address) -> Address {
        let mut owner = at;
        for _ in 0..DEEPEST {
            // SAFETY: an array's base is an object or nothing.
            let base = unsafe { word(owner + library::NUMPY_BASE) };
            if base == 0 || self.class_of(base).sort != Sort::Numpy {
                break;
            }
            owner = base;
        }
        owner
    }

    /// Tells the numbers in the array that was found in the object, where there is one.
    pub fn tell_places(&mut self) {
        let visited = std::mem::take(&mut self.visited);
        let found = visited
            .iter()
            .find(|&&found| self.class_of(found).sort == Sort::Numpy);
        let places = found.map_or(&[][..], |&found| self.numbers(found));
        self.row.tell(places.len() as u64);
        for place in places {
            self.row.tell(*place);
        }
        self.visited = visited;
    }

    /// What stands in an array of one dimension whose items are whole numbers of eight bytes, one behind the other.
    fn numbers(&self, at: Address) -> &'static [u64] {
        // SAFETY: the object is an array. Its numbers are read where all of them are mapped.
        unsafe {
            let kind = byte(word(at + library::NUMPY_SORT) + library::NUMPY_KIND);
            let is_plain = kind == b'i' && half(at + library::NUMPY_RANK) == 1;
            if !is_plain || word(word(at + library::NUMPY_STRIDES)) != 8 {
                return &[];
            }
            let (data, items) = (
                word(at + library::NUMPY_DATA),
                word(word(at + library::NUMPY_SHAPE)),
            );
            let is_mapped =
                items > 0 && data % 8 == 0 && self.blocks.maps().holds(data, items.saturating_mul(8));
            if is_mapped {
                std::slice::from_raw_parts(data as *const u64, items)
            } else {
                &[]
            }
        }
    }
}

/// A number that may be below zero as one that is not: small where the other is near zero.
const fn zigzag(word: usize) -> u64 {
    let number = word.cast_signed() as i64;
    ((number << 1) ^ (number >> 63)).cast_unsigned()
}

#[cfg(test)]
mod tests {
    use super::zigzag;

    #[test]
    fn numbers_near_zero_are_small() {
        let numbers = [0, -1, 1, -2, 8, isize::MIN].map(|number: isize| zigzag(number.cast_unsigned()));
        assert_eq!(numbers, [0, 1, 2, 3, 16, u64::MAX]);
    }
}
