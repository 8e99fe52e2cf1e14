//! Bytes that objects hold: their hash, how many are zeros; not themselves.

use twox_hash::XxHash3_64;

use crate::layout::{library, object};
use crate::maps::Maps;
use crate::raw::{Address, byte, bytes, count, half, word};
use crate::row::Row;

/// A buffer.
#[derive(Clone, Copy, Debug, Default)]
pub struct Buffer {
    pub data: Address,
    pub bytes: usize,
    /// The block it stands in, and the bytes asked for; 0 where it is in the object or another's.
    pub block: (Address, usize),
    pub kind: u8,
    pub item: usize,
    pub room: usize,
}

impl Buffer {
    pub fn of_bytes(at: Address) -> Self {
        // SAFETY: the object is a `bytes`.
        let length = unsafe { count(at) }.unsigned_abs();
        Self {
            data: at + object::BYTES,
            bytes: length,
            room: length,
            ..Self::default()
        }
    }

    pub fn of_bytearray(at: Address) -> Self {
        // SAFETY: the object is a `bytearray`.
        unsafe {
            let (block, room) = (
                word(at + object::BYTEARRAY_BLOCK),
                word(at + object::BYTEARRAY_ROOM),
            );
            Self {
                data: word(at + object::BYTEARRAY_START),
                bytes: count(at).unsigned_abs(),
                block: (block, room),
                room,
                ..Self::default()
            }
        }
    }

    /// An `array.array`.
    pub fn of_array(at: Address) -> Self {
        // SAFETY: the object is one; its sort says its letter and the bytes of an item.
        unsafe {
            let sort = word(at + library::ARRAY_SORT);
            let item = half(sort + 4) as usize;
            let room = word(at + library::ARRAY_ROOM);
            Self {
                data: word(at + library::ARRAY_ITEMS),
                bytes: count(at).unsigned_abs() * item,
                block: (word(at + library::ARRAY_ITEMS), room * item),
                kind: byte(sort),
                item,
                room,
            }
        }
    }

    /// A `numpy.ndarray`: its data, where they lie one behind the other.
    pub fn of_numpy(at: Address) -> Self {
        const IN_ORDER: [usize; 2] = [1, 2];
        const OWNS: usize = 4;
        // SAFETY: the object is an array; its shape and strides have as many words as it has dimensions.
        unsafe {
            let rank = half(at + library::NUMPY_RANK) as usize;
            let (shape, strides) = (word(at + library::NUMPY_SHAPE), word(at + library::NUMPY_STRIDES));
            let flags = half(at + library::NUMPY_FLAGS) as usize;
            let of = |place: Address, dimension: usize| word(place + dimension * 8);
            let step = match rank {
                0 => 0,
                _ if flags & IN_ORDER[0] != 0 => of(strides, rank - 1),
                _ if flags & IN_ORDER[1] != 0 => of(strides, 0),
                _ => 0,
            };
            let items = (0..rank).fold(1_usize, |items, dimension| {
                items.saturating_mul(of(shape, dimension))
            });
            let (data, bytes) = (word(at + library::NUMPY_DATA), items.saturating_mul(step));
            Self {
                data,
                bytes,
                block: if flags & OWNS == 0 { (0, 0) } else { (data, bytes) },
                kind: byte(word(at + library::NUMPY_SORT) + library::NUMPY_KIND),
                item: step,
                room: 0,
            }
        }
    }

    /// Writes what is known of the contents.
    pub fn tell(&self, maps: &Maps, row: &mut Row) {
        row.tell(self.bytes as u64);
        // What lies in a file that is mapped may take long to read, and is not the process's own.
        let is_read = self.bytes == 0 || maps.holds(self.data, self.bytes);
        row.tell_byte(u8::from(is_read));
        if !is_read {
            return;
        }
        // SAFETY: all of it is mapped and readable.
        let data = unsafe { bytes(self.data, self.bytes) };
        let (zeros, words) = count_zeros(data);
        row.tell(zeros);
        row.tell(words);
        row.payload.extend(XxHash3_64::oneshot(data).to_le_bytes());
    }
}

/// Bytes that are zero, and words of eight bytes that are not.
fn count_zeros(data: &[u8]) -> (u64, u64) {
    let (mut zeros, mut words) = (0, 0);
    for word in data.chunks(8) {
        let of_word: u64 = word.iter().map(|&byte| u64::from(byte == 0)).sum();
        zeros += of_word;
        words += u64::from(of_word < word.len() as u64);
    }
    (zeros, words)
}

#[cfg(test)]
mod tests {
    use super::count_zeros;

    #[test]
    fn zeros_and_words_in_use_are_counted() {
        assert_eq!(count_zeros(&[]), (0, 0));
        assert_eq!(count_zeros(&[0; 16]), (16, 0));
        assert_eq!(count_zeros(&[0, 0, 0, 0, 0, 0, 0, 1, 0]), (8, 1));
    }
}
