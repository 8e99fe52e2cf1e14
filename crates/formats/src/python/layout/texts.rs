//! Texts, and bytes.

use deadweight_heap::{Allocator, Width};

use super::{COLLECTED, OBJECT, PythonLayout, SIZED, WORD};

impl<A: Allocator> PythonLayout<A> {
    /// A `str`: `PyASCIIObject`, or `PyCompactUnicodeObject` with the length and the address of an UTF-8 form, and the
    /// characters with a zero behind them. Before 3.12 both have a reference to a wide form, and the second its length.
    pub(super) fn text(&self, units: u64, width: Width) -> u64 {
        let before_12 = self.minor < 12;
        let ascii = OBJECT + 8 + 8 + 8 + if before_12 { 8 } else { 0 };
        let header = match width {
            Width::Ascii => ascii,
            _ => ascii + 2 * 8 + if before_12 { 8 } else { 0 },
        };
        let characters = units.saturating_add(1).saturating_mul(width.bytes());
        self.charge(&[header.saturating_add(characters)])
    }

    /// A `bytes` of that length: a hash before, and a zero behind it.
    #[must_use]
    pub fn bytes(&self, length: u64) -> u64 {
        self.charge(&[(SIZED + 8 + 1).saturating_add(length)])
    }

    /// A `bytearray` made of so many bytes, with a zero behind them; an empty one has no block.
    #[must_use]
    pub fn bytearray(&self, length: u64) -> u64 {
        let block = if length == 0 { 0 } else { length.saturating_add(1) };
        self.charge(&[SIZED + 4 * WORD, block])
    }

    /// A `memoryview` of one dimension (`PyMemoryViewObject` with three numbers for it): the object alone.
    pub(super) fn memoryview(&self) -> u64 {
        // A reference to what is shared, a hash, flags, exports, the buffer of ten words, a reference for weak ones.
        self.charge(&[COLLECTED + SIZED + 5 * WORD + 10 * WORD + 3 * WORD])
    }
}
