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
    /// What the bytes are, beside what they say: equal bytes of another sort are another value.
    pub meaning: u64,
}

/// The meaning of bytes that may be changed.
const MUTABLE: u64 = 1;

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
                meaning: MUTABLE,
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
                meaning: digest(&[byte(sort).into(), item]),
            }
        }
    }

    /// A `numpy.ndarray`: its data, where they lie one behind the other.
    pub fn of_numpy(at: Address) -> Self {
        const IN_ORDER: [usize; 2] = [1, 2];
        const OWNS: usize = 4;
        /// Times, spans of time and records.
        const HAVE_MORE: &[u8] = b"MmV";
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
            let sort = word(at + library::NUMPY_SORT);
            let kind = byte(sort + library::NUMPY_KIND);
            // Kind, letter and order of bytes. Units of time and fields of records stand in the type's own object.
            let mut meaning: Vec<usize> = (0..3)
                .map(|letter| byte(sort + library::NUMPY_KIND + letter).into())
                .collect();
            meaning.push(if HAVE_MORE.contains(&kind) { sort } else { 0 });
            meaning.extend((0..rank).flat_map(|dimension| [of(shape, dimension), of(strides, dimension)]));
            Self {
                data,
                bytes,
                block: if flags & OWNS == 0 { (0, 0) } else { (data, bytes) },
                kind,
                item: step,
                room: 0,
                meaning: digest(&meaning),
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
        let hash = XxHash3_64::oneshot_with_seed(self.meaning, data);
        row.payload.extend(hash.to_le_bytes());
    }
}

/// Equal for the same words alone; never 0, which stands for plain bytes.
fn digest(words: &[usize]) -> u64 {
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    XxHash3_64::oneshot(&bytes) | 2
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
