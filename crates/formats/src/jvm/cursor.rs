//! Numbers of a dump, the highest byte first, each looked for where it should stand.

use std::ops::Range;

/// A place in the file, and the bytes of an id there.
#[derive(Clone, Copy)]
pub(super) struct Cursor<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) at: usize,
    id_bytes: usize,
}

/// Every read gives `None` where the file ends before.
impl<'a> Cursor<'a> {
    pub(super) const fn new(bytes: &'a [u8], at: usize, id_bytes: usize) -> Self {
        Self { bytes, at, id_bytes }
    }

    fn number(&mut self, bytes: usize) -> Option<u64> {
        let end = self.at.checked_add(bytes)?;
        let place = self.bytes.get(self.at..end)?;
        self.at = end;
        Some(word(place))
    }

    pub(super) fn u1(&mut self) -> Option<u8> {
        self.number(1).map(|number| number as u8)
    }

    pub(super) fn u2(&mut self) -> Option<u16> {
        self.number(2).map(|number| number as u16)
    }

    pub(super) fn u4(&mut self) -> Option<u32> {
        self.number(4).map(|number| number as u32)
    }

    pub(super) fn id(&mut self) -> Option<u64> {
        self.number(self.id_bytes)
    }

    /// Passes over so many bytes, and gives where they stand.
    pub(super) fn skip(&mut self, bytes: usize) -> Option<Range<usize>> {
        let end = self
            .at
            .checked_add(bytes)
            .filter(|&end| end <= self.bytes.len())?;
        let passed = self.at..end;
        self.at = end;
        Some(passed)
    }
}

/// The number that up to eight bytes say.
#[inline]
pub(super) fn word(bytes: &[u8]) -> u64 {
    match bytes.len() {
        8 => bytes.try_into().map_or(0, u64::from_be_bytes),
        4 => bytes
            .try_into()
            .map_or(0, |bytes| u64::from(u32::from_be_bytes(bytes))),
        _ => bytes.iter().fold(0, |word, &byte| word << 8 | u64::from(byte)),
    }
}

/// The number that stands in so many bytes at a place; 0 where the file ends before.
#[inline]
pub(super) fn word_at(bytes: &[u8], at: usize, length: usize) -> u64 {
    bytes.get(at..at + length).map_or(0, word)
}

/// Bytes of a value of a type, by its number in the file; `None` for no type.
pub(super) const fn type_bytes(of: u8, id_bytes: usize) -> Option<usize> {
    Some(match of {
        2 => id_bytes,
        4 | 8 => 1,
        5 | 9 => 2,
        6 | 10 => 4,
        7 | 11 => 8,
        _ => return None,
    })
}

/// The number of the type of references.
pub(super) const OBJECT: u8 = 2;
