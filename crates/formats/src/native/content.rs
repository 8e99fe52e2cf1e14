//! What stands in blocks.

const HOLE: usize = 24;

/// A stretch of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece<'a> {
    /// Bytes as they were.
    Bytes(&'a [u8]),
    /// So many bytes that were never touched: zeros.
    Untouched(u64),
}

impl Piece<'_> {
    /// Bytes of the stretch.
    pub fn len(&self) -> u64 {
        match self {
            Self::Bytes(bytes) => bytes.len() as u64,
            Self::Untouched(len) => *len,
        }
    }

    /// Whether it has no bytes.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// A stretch that was never touched.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hole {
    pub block: u64,
    pub offset: u64,
    pub len: u64,
}

pub(super) fn hole(section: &[u8], index: usize) -> Option<Hole> {
    let at = index.checked_mul(HOLE)?;
    let bytes = section.get(at..at + HOLE)?;
    let long = |at: usize| u64::from_le_bytes(std::array::from_fn(|index| bytes[at + index]));
    Some(Hole {
        block: long(0),
        offset: long(8),
        len: long(16),
    })
}

pub(super) fn holes(section: &[u8]) -> usize {
    section.len() / HOLE
}

/// The first hole of a block or of a later one.
pub(super) fn first_hole(section: &[u8], block: u64) -> usize {
    let (mut low, mut high) = (0, holes(section));
    while low < high {
        let middle = usize::midpoint(low, high);
        if hole(section, middle).is_some_and(|hole| hole.block < block) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}
