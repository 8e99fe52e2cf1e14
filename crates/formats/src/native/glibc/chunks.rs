//! Chunks: in front of each block stands its size, so that one leads to the next.

use super::ALIGNMENT;
use crate::native::core_file::Image;

/// Bits of the size's word.
const PREVIOUS_IN_USE: u64 = 1;
const MAPPED: u64 = 2;
const FLAGS: u64 = 7;
/// The smallest chunk.
pub const SMALLEST: u64 = 32;
/// What ends a heap behind which there is another.
const FENCE: u64 = 16;

/// A chunk of an arena.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chunk {
    pub address: u64,
    pub size: u64,
    /// By the chunk behind it: those in caches and fast bins count as in use.
    pub in_use: bool,
}

/// How a walk ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// At the end.
    Whole,
    /// At a chunk that cannot be one.
    Broken(u64),
}

/// The size of the chunk at an address.
pub fn size_at(image: &Image, chunk: u64) -> Option<u64> {
    Some(image.word(chunk.checked_add(8)?)? & !FLAGS)
}

/// Visits the chunks from one on to an end, which must be that of the last.
pub fn walk(image: &Image, start: u64, end: u64, mut visit: impl FnMut(Chunk)) -> Ended {
    let mut at = start;
    while at < end {
        let Some(word) = image.word(at.saturating_add(8)) else {
            return Ended::Broken(at);
        };
        let size = word & !FLAGS;
        if size == FENCE || size == 0 {
            // A heap that another follows ends here; a main arena's memory goes on behind what somebody else took.
            return if at.saturating_add(4 * FENCE) >= end {
                Ended::Whole
            } else {
                Ended::Broken(at)
            };
        }
        let next = at.checked_add(size).filter(|&next| next <= end);
        let is_chunk = size >= SMALLEST && size.is_multiple_of(ALIGNMENT) && word & MAPPED == 0;
        let behind = next.and_then(|next| image.word(next.saturating_add(8)));
        let (Some(next), Some(behind), true) = (next, behind, is_chunk) else {
            return Ended::Broken(at);
        };
        visit(Chunk {
            address: at,
            size,
            in_use: behind & PREVIOUS_IN_USE != 0,
        });
        at = next;
    }
    Ended::Whole
}
