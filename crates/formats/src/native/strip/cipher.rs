//! Contents of blocks without their text.
//!
//! What rules find in blocks hangs on which bytes and words are zero, which words are addresses, what is equal, also in
//! parts and at any distance, whether the highest bit of a byte is set, and whether all of it is text. So bytes are
//! replaced one by one, by others of the same class, and zeros and addresses stay.
//!
//! In text, one table for all bytes would be soon seen through. There a letter or digit is replaced by what a hash with
//! a key makes of it and of up to seven before it in its word: equal words stay equal, wherever they stand, and equal
//! letters do not. A stretch that two blocks have in common is still common from the next beginning of a word on.

use std::hash::{BuildHasher, Hasher, RandomState};

use siphasher::sip::SipHasher13;

/// Characters from which on it is text.
const SHORTEST: usize = 4;

/// The bytes before a letter that count, as a mask of a word.
const BEFORE: u64 = (1 << 56) - 1;

/// Tries for a word that would become an address.
const TRIES: u8 = 32;

pub(super) struct Cipher<A> {
    key: (u64, u64),
    /// For each byte another of its class.
    table: [u8; 256],
    is_address: A,
}

/// Bytes that may stand for each other. UTF-8 stays UTF-8: what may follow a first byte depends on it.
fn class(byte: u8) -> &'static [u8] {
    const LETTERS: [u8; 62] = *b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    const MARKS: [u8; 32] = *b"!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";
    const fn all<const N: usize>(first: u8) -> [u8; N] {
        let mut bytes = [0; N];
        let mut at = 0;
        while at < N {
            bytes[at] = first + at as u8;
            at += 1;
        }
        bytes
    }
    const LOW_CONTROLS: [u8; 8] = all(1);
    const HIGH_CONTROLS: [u8; 18] = all(0x0E);
    const FOLLOWING: [&[u8]; 3] = [&all::<16>(0x80), &all::<16>(0x90), &all::<32>(0xA0)];
    const TWO: [u8; 30] = all(0xC2);
    const THREE: [u8; 12] = all(0xE1);
    const FOUR: [u8; 3] = all(0xF1);
    const NONE: [u8; 11] = all(0xF5);
    match byte {
        0x01..=0x08 => &LOW_CONTROLS,
        0x0E..=0x1F => &HIGH_CONTROLS,
        b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' => &LETTERS,
        0x21..=0x7E => &MARKS,
        0x80..=0x8F => FOLLOWING[0],
        0x90..=0x9F => FOLLOWING[1],
        0xA0..=0xBF => FOLLOWING[2],
        0xC2..=0xDF => &TWO,
        0xE1..=0xEC => &THREE,
        0xF1..=0xF3 => &FOUR,
        0xF5..=0xFF => &NONE,
        // Zero, white space, and bytes that are alone in what may follow them.
        _ => &[],
    }
}

/// The byte that stands `by` behind another in its class, in a ring.
fn moved(byte: u8, by: usize) -> u8 {
    let class = class(byte);
    let Some(at) = class.iter().position(|&other| other == byte) else {
        return byte;
    };
    class[(at + by) % class.len()]
}

/// Bytes of the character at the beginning if it is one that text has.
fn character(bytes: &[u8]) -> Option<usize> {
    let following = |count: usize| {
        let rest = bytes.get(1..=count)?;
        rest.iter()
            .all(|byte| (0x80..=0xBF).contains(byte))
            .then_some(count + 1)
    };
    match bytes.first()? {
        b'\t' | b'\n' | b'\r' | 0x20..=0x7E => Some(1),
        0xC2..=0xDF => following(1),
        0xE0..=0xEF => following(2),
        0xF0..=0xF4 => following(3),
        _ => None,
    }
}

impl<A: Fn(u64) -> bool> Cipher<A> {
    /// With a key of its own, which is kept nowhere.
    pub fn new(is_address: A) -> Self {
        let random = |seed: u64| RandomState::new().hash_one(seed);
        let key = (random(0), random(1));
        let mut table: [u8; 256] = std::array::from_fn(|byte| byte as u8);
        for byte in 0..=255 {
            let class = class(byte);
            // Of each class once: its bytes in an order of the key's.
            if class.first() == Some(&byte) {
                let mut order = class.to_vec();
                order.sort_by_key(|&other| hash(key, u64::from(other) | 1 << 63));
                for (&from, &to) in class.iter().zip(&order) {
                    table[usize::from(from)] = to;
                }
            }
        }
        Self {
            key,
            table,
            is_address,
        }
    }

    /// What stands for a stretch of a block that begins at a word.
    pub fn of(&self, bytes: &[u8]) -> Vec<u8> {
        let mut made: Vec<u8> = bytes.iter().map(|&byte| self.table[usize::from(byte)]).collect();
        let addresses: Vec<bool> = bytes
            .as_chunks::<8>()
            .0
            .iter()
            .map(|word| (self.is_address)(u64::from_le_bytes(*word)))
            .collect();
        // Text ends where an address begins.
        let mut start = 0;
        let words = addresses.chunk_by(|a, b| a == b);
        for run in words {
            let end = start + run.len() * 8;
            if !run[0] {
                // What is behind the last whole word goes with it.
                let end = if end / 8 == addresses.len() {
                    bytes.len()
                } else {
                    end
                };
                self.texts(&bytes[start..end], &mut made[start..end]);
            }
            start = end;
        }
        if addresses.last().is_none_or(|&is_address| is_address) {
            self.texts(&bytes[start..], &mut made[start..]);
        }
        for (word, &is_address) in addresses.iter().enumerate() {
            let place = word * 8..word * 8 + 8;
            if is_address {
                made[place.clone()].copy_from_slice(&bytes[place]);
            } else {
                self.keep_off(&mut made[place]);
            }
        }
        made
    }

    /// A word that is no address does not become one.
    fn keep_off(&self, word: &mut [u8]) {
        let value = |word: &[u8]| u64::from_le_bytes(std::array::from_fn(|at| word[at]));
        for _ in 0..TRIES {
            if value(word) == 0 || !(self.is_address)(value(word)) {
                return;
            }
            for byte in word.iter_mut() {
                *byte = moved(*byte, 1);
            }
        }
    }

    fn texts(&self, bytes: &[u8], made: &mut [u8]) {
        let mut at = 0;
        while at < bytes.len() {
            let (end, stride) = run(bytes, at);
            if end > at {
                self.text(bytes, made, (at..end).step_by(stride));
                at = end;
            } else {
                at += 1;
            }
        }
    }

    fn text(&self, bytes: &[u8], made: &mut [u8], places: impl Iterator<Item = usize>) {
        let mut before = 0_u64;
        for at in places {
            let byte = bytes[at];
            let is_letter = byte.is_ascii_alphanumeric();
            // What a first byte of two or more is, says nothing but the script.
            if is_letter || (0x80..=0xBF).contains(&byte) {
                let by = hash(self.key, before) as usize;
                made[at] = moved(byte, by % class(byte).len());
            }
            before = if is_letter || byte >= 0x80 {
                (before << 8 | u64::from(byte)) & BEFORE
            } else {
                0
            };
        }
    }
}

fn hash((first, second): (u64, u64), value: u64) -> u64 {
    let mut hasher = SipHasher13::new_with_keys(first, second);
    hasher.write_u64(value);
    hasher.finish()
}

/// Where the text at a place ends, if there is one, and the bytes from one of its characters to the next: wide
/// characters of the first half of ASCII have zeros between them.
fn run(bytes: &[u8], start: usize) -> (usize, usize) {
    let mut at = start;
    let mut characters = 0;
    while let Some(len) = bytes.get(at..).and_then(character) {
        at += len;
        characters += 1;
    }
    if characters >= SHORTEST {
        return (at, 1);
    }
    for stride in [2, 4] {
        let wide = bytes[start..]
            .chunks_exact(stride)
            .take_while(|unit| (0x20..=0x7E).contains(&unit[0]) && unit[1..].iter().all(|&byte| byte == 0));
        let characters = wide.count();
        if characters >= SHORTEST {
            return (start + characters * stride, stride);
        }
    }
    (start, 1)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn never(_: u64) -> bool {
        false
    }

    #[test]
    fn classes_are_rings_and_know_their_bytes() {
        for byte in 0..=255_u8 {
            let class = class(byte);
            assert!(class.is_empty() || class.contains(&byte), "{byte}");
            assert!(class.iter().all(|&other| super::class(other) == class), "{byte}");
            assert!(class.iter().all(|&other| other >= 0x80) == (byte >= 0x80) || class.is_empty());
        }
    }

    #[test]
    fn words_are_equal_wherever_they_stand() {
        let cipher = Cipher::new(never);
        let made = cipher.of(b"{\"name\":\"Johanna\"} Johanna.Johannes");
        assert_eq!(made[9..16], made[19..26]);
        // Up to where they differ.
        assert_eq!(made[9..15], made[27..33]);
        assert!(
            !made
                .windows(4)
                .any(|four| b"Johanna".windows(4).any(|part| part == four))
        );
    }

    #[test]
    fn letters_are_not_equal_wherever_they_stand() {
        let cipher = Cipher::new(never);
        let text: Vec<u8> = (0..26_u8)
            .flat_map(|letter| [b' ', b'a' + letter, b'e', b'e'])
            .collect();
        let made = cipher.of(&text);
        let mut seen: Vec<u8> = made.chunks(4).map(|word| word[2]).collect();
        seen.sort_unstable();
        seen.dedup();
        assert!(seen.len() > 8, "{made:?}");
    }

    #[test]
    fn wide_characters_are_text() {
        let cipher = Cipher::new(never);
        let wide: Vec<u8> = "Johanna".encode_utf16().flat_map(u16::to_le_bytes).collect();
        let made = cipher.of(&wide);
        assert!(
            made.chunks(2)
                .all(|unit| unit[0].is_ascii_alphanumeric() && unit[1] == 0)
        );
        let narrow = cipher.of(b"Johanna");
        assert_eq!(made.iter().step_by(2).copied().collect::<Vec<_>>(), narrow);
    }

    #[test]
    fn addresses_stay_and_nothing_becomes_one() {
        // Half of all letters end an address here.
        let of_heap = |word: u64| word >> 48 == 0 && (0x20..u64::from(b'U')).contains(&(word >> 40));
        let cipher = Cipher::new(of_heap);
        let mut bytes = 0x2255_1234_5678_u64.to_le_bytes().to_vec();
        for letter in b'V'..=b'z' {
            bytes.extend([b'a', b'b', b'c', letter, letter, letter, 0, 0]);
        }
        let made = cipher.of(&bytes);
        assert_eq!(made[..8], bytes[..8]);
        for word in made[8..].as_chunks::<8>().0 {
            assert!(!of_heap(u64::from_le_bytes(*word)), "{word:?}");
        }
    }

    proptest! {
        #[test]
        fn what_rules_look_at_stays(bytes in prop::collection::vec(prop_oneof![Just(0_u8), any::<u8>(), 0x20..0x7F_u8], 0..200)) {
            let made = Cipher::new(never).of(&bytes);
            prop_assert_eq!(made.len(), bytes.len());
            for (was, is) in bytes.iter().zip(&made) {
                prop_assert_eq!((*was == 0, *was >= 0x80, was.is_ascii_control()), (*is == 0, *is >= 0x80, is.is_ascii_control()));
            }
            prop_assert_eq!(str::from_utf8(&bytes).is_ok(), str::from_utf8(&made).is_ok());
        }

        #[test]
        fn text_stays_text(text in "\\PC{0,40}") {
            let made = Cipher::new(never).of(text.as_bytes());
            prop_assert!(str::from_utf8(&made).is_ok());
        }

        #[test]
        fn equal_blocks_stay_equal_and_others_differ(a in prop::collection::vec(any::<u8>(), 0..64), b in prop::collection::vec(any::<u8>(), 0..64)) {
            let cipher = Cipher::new(never);
            prop_assert_eq!(a == b, cipher.of(&a) == cipher.of(&b));
            prop_assert_eq!(cipher.of(&a), cipher.of(&a));
        }

        #[test]
        fn a_common_stretch_of_words_stays_common(words in prop::collection::vec("[a-z]{1,9}", 4..9), before in "[A-Z]{0,9}", after in "[A-Z]{0,9}") {
            let cipher = Cipher::new(never);
            let common = format!(" {} ", words.join(" "));
            let whole = cipher.of(format!("{before}{common}{after}").as_bytes());
            let alone = cipher.of(common.as_bytes());
            prop_assert_eq!(&whole[before.len()..before.len() + common.len()], &alone[..]);
        }
    }
}
