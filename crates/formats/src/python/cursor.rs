//! Numbers of a dump, the lowest byte first, each looked for where it should stand.

use std::ops::Range;

use crate::error::Malformed;

/// Bits of a byte of a varint that are part of the number.
const BITS: u32 = 7;

/// The bit that says that another byte of the number follows.
const MORE: u8 = 0x80;

/// That bit of eight bytes.
const ALL_MORE: u64 = 0x8080_8080_8080_8080;

/// A place in the file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cursor<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) at: usize,
}

impl<'a> Cursor<'a> {
    /// Reads `bytes` from `at` on; what stands behind them is not there.
    pub(super) const fn new(bytes: &'a [u8], at: usize) -> Self {
        Self { bytes, at }
    }

    #[cold]
    fn missing(&self, expected: &str) -> Malformed {
        Malformed::at(self.bytes, self.bytes.len().max(self.at), expected)
    }

    pub(super) fn u8(&mut self) -> Result<u8, Malformed> {
        let Some(&byte) = self.bytes.get(self.at) else {
            return Err(self.missing("one byte more"));
        };
        self.at += 1;
        Ok(byte)
    }

    fn fixed<const N: usize>(&mut self) -> Result<[u8; N], Malformed> {
        let found = self.bytes.get(self.at..).and_then(|rest| rest.first_chunk());
        let Some(&found) = found else {
            return Err(self.missing("a number of fixed width"));
        };
        self.at += N;
        Ok(found)
    }

    pub(super) fn u32(&mut self) -> Result<u32, Malformed> {
        self.fixed().map(u32::from_le_bytes)
    }

    pub(super) fn u64(&mut self) -> Result<u64, Malformed> {
        self.fixed().map(u64::from_le_bytes)
    }

    #[inline]
    pub(super) fn varint(&mut self) -> Result<u64, Malformed> {
        if let Some(&byte) = self.bytes.get(self.at)
            && byte < MORE
        {
            self.at += 1;
            return Ok(u64::from(byte));
        }
        self.long_varint()
    }

    fn long_varint(&mut self) -> Result<u64, Malformed> {
        // Nearly all numbers end within the next eight bytes: their bits are brought together without a loop.
        let word = self.word().unwrap_or(ALL_MORE);
        let ends = !word & ALL_MORE;
        if ends != 0 {
            self.at += ends.trailing_zeros() as usize / 8 + 1;
            return Ok(number_of(word & (ends ^ (ends - 1))));
        }
        let start = self.at;
        let mut number = 0_u64;
        for shift in (0..u64::BITS).step_by(BITS as usize) {
            let byte = self.u8()?;
            let part = u64::from(byte & !MORE);
            if part << shift >> shift != part {
                break;
            }
            number |= part << shift;
            if byte < MORE {
                return Ok(number);
            }
        }
        Err(Malformed::at(self.bytes, start, "a number of at most 64 bits"))
    }

    /// A number below `below`, as an index of what is called `what`.
    #[inline]
    pub(super) fn index(&mut self, below: u32, what: &str) -> Result<u32, Malformed> {
        let start = self.at;
        let number = self.varint()?;
        match u32::try_from(number).ok().filter(|&index| index < below) {
            Some(index) => Ok(index),
            None => Err(not_below(start, number, below, what)),
        }
    }

    /// The same where one more than the index stands there, and 0 stands for none.
    #[inline]
    pub(super) fn optional(&mut self, below: u32, what: &str) -> Result<Option<u32>, Malformed> {
        let index = self.index(below.saturating_add(1), what)?;
        Ok(index.checked_sub(1))
    }

    /// One of a few forms, by its number in a byte.
    pub(super) fn one_of<T: Copy, const N: usize>(
        &mut self,
        forms: [T; N],
        what: &str,
    ) -> Result<T, Malformed> {
        let start = self.at;
        let number = self.u8()?;
        let form = forms.get(usize::from(number)).copied();
        form.ok_or_else(|| Malformed::new(start, format!("{what}, below {N}"), number.to_string()))
    }

    /// Skips this many bytes, and returns their place.
    pub(super) fn skip(&mut self, bytes: u64) -> Result<Range<usize>, Malformed> {
        let end = usize::try_from(bytes)
            .ok()
            .and_then(|bytes| self.at.checked_add(bytes))
            .filter(|&end| end <= self.bytes.len());
        let Some(end) = end else {
            let expected = format!("{bytes} bytes");
            let left = self.bytes.len().saturating_sub(self.at);
            return Err(Malformed::new(self.at, expected, format!("{left} bytes")));
        };
        let passed = self.at..end;
        self.at = end;
        Ok(passed)
    }

    /// Skips a text, and returns the place of its bytes.
    pub(super) fn text(&mut self) -> Result<Range<usize>, Malformed> {
        let bytes = self.varint()?;
        self.skip(bytes)
    }

    /// Skips this many varints.
    pub(super) fn skip_varints(&mut self, mut count: u64) -> Result<(), Malformed> {
        // Eight bytes at once: as many numbers end in them as bytes lack the highest bit.
        while count >= 8
            && let Some(word) = self.word()
        {
            count -= u64::from((!word & ALL_MORE).count_ones());
            self.at += 8;
        }
        // A number that was begun in the last word ends in the next: it is one of those that are left.
        while count > 0 {
            count -= u64::from(self.u8()? < MORE);
        }
        Ok(())
    }

    /// The next eight bytes.
    fn word(&self) -> Option<u64> {
        let word = self.bytes.get(self.at..)?.first_chunk()?;
        Some(u64::from_le_bytes(*word))
    }

    /// Passes over four bytes that are all zero, where such bytes follow.
    #[inline]
    pub(super) fn pass_four_zeros(&mut self) -> bool {
        let next = self.bytes.get(self.at..self.at + 4);
        let are_zero = next == Some(&[0; 4]);
        self.at += 4 * usize::from(are_zero);
        are_zero
    }
}

/// The number of a varint whose bytes stand in a word, the lowest first, with nothing behind them: seven bits of each byte
/// become fourteen of each two, and so on.
const fn number_of(word: u64) -> u64 {
    let pairs = word & 0x007F_007F_007F_007F | (word & 0x7F00_7F00_7F00_7F00) >> 1;
    let fours = pairs & 0x0000_3FFF_0000_3FFF | (pairs & 0x3FFF_0000_3FFF_0000) >> 2;
    fours & 0x0FFF_FFFF | (fours & 0x0FFF_FFFF_0000_0000) >> 4
}

#[cold]
fn not_below(at: usize, number: u64, below: u32, what: &str) -> Malformed {
    Malformed::new(
        at,
        format!("the number of a {what}, below {below}"),
        number.to_string(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn varint(mut number: u64) -> Vec<u8> {
        let mut bytes = Vec::new();
        while number >= u64::from(MORE) {
            bytes.push(number as u8 | MORE);
            number >>= BITS;
        }
        bytes.push(number as u8);
        bytes
    }

    #[test]
    fn numbers_have_64_bits_and_no_more() {
        let powers = (0..u64::BITS).map(|bits| 1_u64 << bits);
        for number in powers.flat_map(|power| [power - 1, power, power + power / 3, !power]) {
            let mut bytes = varint(number);
            assert_eq!(Cursor::new(&bytes, 0).varint().unwrap(), number);
            let length = bytes.len();
            bytes.extend([0xFF; 9]);
            let mut cursor = Cursor::new(&bytes, 0);
            assert_eq!((cursor.varint().unwrap(), cursor.at), (number, length));
            bytes.truncate(length);
            for end in 0..bytes.len() {
                assert!(Cursor::new(&bytes[..end], 0).varint().is_err());
            }
        }
        let too_wide = [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x02];
        let error = Cursor::new(&too_wide, 0).varint().unwrap_err();
        assert_eq!(error.offset, 0);
        assert!(Cursor::new(&[0x80; 11], 0).varint().is_err());
    }

    #[test]
    fn as_many_numbers_are_passed_as_are_asked_for() {
        let numbers: Vec<u64> = (0..200).map(|at| at * at * at * at).collect();
        let bytes: Vec<u8> = numbers.iter().flat_map(|&number| varint(number)).collect();
        for count in 0..=numbers.len() {
            let mut cursor = Cursor::new(&bytes, 0);
            cursor.skip_varints(count as u64).unwrap();
            match numbers.get(count) {
                Some(&next) => assert_eq!(cursor.varint().unwrap(), next, "behind {count}"),
                None => assert_eq!(cursor.at, bytes.len()),
            }
        }
        assert!(Cursor::new(&bytes, 0).skip_varints(201).is_err());
        assert!(Cursor::new(&bytes, 0).skip_varints(u64::MAX).is_err());
    }

    #[test]
    fn an_index_is_one() {
        let row = |bytes: &[u8]| Cursor::new(bytes, 0).index(3, "row");
        assert_eq!(row(&[2]).unwrap(), 2);
        let error = row(&[3]).unwrap_err();
        assert_eq!(
            (error.expected.as_str(), error.found.as_str()),
            ("the number of a row, below 3", "3")
        );
        let optional = |bytes: &[u8]| Cursor::new(bytes, 0).optional(3, "row");
        assert_eq!(
            (optional(&[0]).unwrap(), optional(&[3]).unwrap()),
            (None, Some(2))
        );
        assert!(optional(&[4]).is_err());
    }
}
