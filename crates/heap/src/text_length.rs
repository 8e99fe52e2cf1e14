//! The length and the capacity of a text, as the object says that holds it.

/// Where capacity and length stand, in words from the address: as in Rust's `String` and `Vec`, C++'s `std::string`, and
/// the order in which most would write it in C.
const FORMS: [(isize, isize); 4] = [(-1, 1), (2, 1), (1, 2), (-2, -1)];

/// A short text stands so many words behind its address, in so many words, and has so many bytes at most.
const SHORT_AT: u64 = 2;
const SHORT_WORDS: u64 = 2;
const LONGEST_SHORT: u64 = 15;

/// What stands beside the address of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextLength {
    /// Bytes in use.
    pub bytes: u64,
    /// The word with the capacity.
    pub capacity_at: usize,
    /// The word with the length.
    pub length_at: usize,
}

impl TextLength {
    /// The length beside the address in the word `at`, of a block that was made for `requested` bytes. The capacity must be
    /// that, or one less: a C++ string ends in a zero that does not count.
    #[must_use]
    pub fn beside(words: &[[u8; 8]], at: usize, requested: u64) -> Option<Self> {
        Self::all_beside(words, at, requested).next()
    }

    /// All words beside an address that may be such, where another number happens to be the capacity as well.
    pub fn all_beside(words: &[[u8; 8]], at: usize, requested: u64) -> impl Iterator<Item = Self> + '_ {
        FORMS.iter().filter_map(move |&(capacity, length)| {
            let place = |by: isize| at.checked_add_signed(by).filter(|&at| at < words.len());
            let (capacity_at, length_at) = (place(capacity)?, place(length)?);
            let word = |at: usize| u64::from_le_bytes(words[at]);
            let (capacity, bytes) = (word(capacity_at), word(length_at));
            let is_room = capacity == requested || capacity.checked_add(1) == Some(requested);
            (is_room && bytes <= capacity).then_some(Self {
                bytes,
                capacity_at,
                length_at,
            })
        })
    }

    /// Whether the word `at` is the address of a short text that stands in place of a capacity, two words behind it, with
    /// its length between, as in C++'s `std::string`. The words are those of a block at `address`, from its beginning.
    #[must_use]
    pub fn is_short_in_place(words: &[[u8; 8]], at: usize, address: u64) -> bool {
        let word = |at: usize| words.get(at).map_or(0, |word| u64::from_le_bytes(*word));
        let text = address.checked_add((at as u64 + SHORT_AT) * 8);
        at as u64 + SHORT_AT + SHORT_WORDS <= words.len() as u64
            && address > 0
            && Some(word(at)) == text
            && word(at + 1) <= LONGEST_SHORT
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_order_is_known_and_other_numbers_are_not() {
        let address = 0x7f00_1000;
        for words in [
            [64, address, 5],
            [address, 5, 64],
            [address, 64, 5],
            [64, 5, address],
        ] {
            let words = words.map(u64::to_le_bytes);
            let at = words.iter().position(|&word| u64::from_le_bytes(word) == address);
            let found = TextLength::beside(&words, at.unwrap(), 64).unwrap();
            assert_eq!(found.bytes, 5);
            assert_eq!(words[found.capacity_at], 64_u64.to_le_bytes());
            assert_eq!(words[found.length_at], 5_u64.to_le_bytes());
            assert_eq!(TextLength::beside(&words, at.unwrap(), 63), None);
        }
        let twice = [64, address, 5, 64].map(u64::to_le_bytes);
        let all = TextLength::all_beside(&twice, 1, 64).map(|length| length.capacity_at);
        assert_eq!(all.collect::<Vec<_>>(), [0, 3]);
        let longer = [64, address, 65].map(u64::to_le_bytes);
        assert_eq!(TextLength::beside(&longer, 1, 64), None);
        assert_eq!(TextLength::beside(&longer, 1, 66), None);
        assert_eq!(TextLength::beside(&[[255; 8]; 3], 1, 64), None);
    }

    #[test]
    fn a_short_text_in_place_is_known_by_its_own_address() {
        let address = 0x7f00_1000_u64;
        let words = [7, address + 24, 15, 0x6162, 0, 9].map(u64::to_le_bytes);
        let found = |at| TextLength::is_short_in_place(&words, at, address);
        assert_eq!([0, 1, 2, 5].map(found), [false, true, false, false]);
        assert!(!TextLength::is_short_in_place(&words[..4], 1, address));
        assert!(!TextLength::is_short_in_place(&words, 1, address + 8));
        let longer = [address + 16, 16, 0x6162, 0].map(u64::to_le_bytes);
        assert!(!TextLength::is_short_in_place(&longer, 0, address));
    }
}
