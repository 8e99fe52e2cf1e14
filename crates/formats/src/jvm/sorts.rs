//! What each row is, in four bytes: most questions about a row need no look at the file.

use rayon::prelude::*;

use super::addresses::Addresses;
use super::classes::Classes;
use super::cursor::word_at;
use super::segments::{class_of_instance, sub};

/// What a row is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sort {
    Class(u32),
    /// An instance that has the bytes which its class declares.
    Instance(u32),
    /// An instance of a class that the file lacks, or has otherwise.
    Odd(u32),
    Objects(u32),
    /// Numbers of a type, in the file or left out.
    Numbers(u8),
    NumbersWithout(u8),
}

const CLASS_BITS: u32 = 28;

impl Sort {
    const fn packed(self) -> u32 {
        let (sort, of) = match self {
            Self::Instance(class) => (0, class),
            Self::Odd(class) => (1, class),
            Self::Objects(class) => (2, class),
            Self::Numbers(ty) => (3, ty as u32),
            Self::NumbersWithout(ty) => (4, ty as u32),
            Self::Class(class) => (5, class),
        };
        sort << CLASS_BITS | of
    }

    #[inline]
    const fn unpacked(packed: u32) -> Self {
        let of = packed & ((1 << CLASS_BITS) - 1);
        match packed >> CLASS_BITS {
            0 => Self::Instance(of),
            1 => Self::Odd(of),
            2 => Self::Objects(of),
            3 => Self::Numbers(of as u8),
            4 => Self::NumbersWithout(of as u8),
            _ => Self::Class(of),
        }
    }
}

/// The sorts of all rows.
pub(super) struct Sorts(Vec<u32>);

impl Sorts {
    pub(super) fn new(bytes: &[u8], id_bytes: usize, addresses: &Addresses, classes: &Classes) -> Self {
        let rows = (0..addresses.len() as u32).into_par_iter().with_min_len(16_384);
        let of_row = |last: &mut (u64, u32), row| {
            let at = addresses.at(row);
            let id = |at: usize| word_at(bytes, at, id_bytes);
            let mut class = |id: u64| {
                // Rows that stand side by side often have one class.
                if last.0 != id {
                    *last = (id, classes.of(id));
                }
                last.1
            };
            let sort = match bytes.get(at) {
                Some(&sub::INSTANCE) => {
                    let class = class(id(class_of_instance(at, id_bytes)));
                    let length = word_at(bytes, at + 5 + 2 * id_bytes, 4);
                    if length == u64::from(classes.all[class as usize].bytes) {
                        Sort::Instance(class)
                    } else {
                        Sort::Odd(class)
                    }
                }
                Some(&sub::OBJECTS) => Sort::Objects(class(id(at + 9 + id_bytes))),
                Some(&sub::CLASS) => Sort::Class(class(id(at + 1))),
                tag => {
                    let ty = bytes.get(at + 9 + id_bytes).copied().unwrap_or_default();
                    if tag == Some(&sub::NUMBERS) {
                        Sort::Numbers(ty)
                    } else {
                        Sort::NumbersWithout(ty)
                    }
                }
            };
            sort.packed()
        };
        Self(
            rows.map_init(|| (u64::MAX, classes.of(u64::MAX)), of_row)
                .collect(),
        )
    }

    #[inline]
    pub(super) fn get(&self, row: u32) -> Sort {
        Sort::unpacked(self.0[row as usize])
    }

    /// The type of each row, by its number; `of_numbers` has those of arrays of numbers.
    pub(super) fn into_types(self, of_numbers: &[u32; 16]) -> Vec<u32> {
        let mut column = self.0;
        column.par_iter_mut().with_min_len(65_536).for_each(|packed| {
            *packed = match Sort::unpacked(*packed) {
                Sort::Class(class) | Sort::Instance(class) | Sort::Odd(class) | Sort::Objects(class) => class,
                Sort::Numbers(ty) | Sort::NumbersWithout(ty) => of_numbers[usize::from(ty & 15)],
            };
        });
        column
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sorts_come_back_as_they_were() {
        let last = (1 << CLASS_BITS) - 1;
        for sort in [
            Sort::Class(0),
            Sort::Class(last),
            Sort::Instance(7),
            Sort::Odd(last),
            Sort::Objects(3),
            Sort::Numbers(11),
            Sort::NumbersWithout(255),
        ] {
            assert_eq!(Sort::unpacked(sort.packed()), sort);
        }
    }
}
