//! Arenas: `struct malloc_state`, and the stretches of memory that belong to one.

use rustc_hash::FxHashSet;

use super::{ALIGNMENT, HEAD, chunks};
use crate::native::core_file::{FileMapping, Image};

/// Offsets in `struct malloc_state` since 2.27.
const FAST_BINS: u64 = 0x10;
const TOP: u64 = 0x60;
const BINS: u64 = 0x70;
const NEXT: u64 = 0x870;
const SYSTEM_BYTES: u64 = 0x888;
const STATE_BYTES: u64 = 0x898;
/// Doubly linked lists of free chunks.
const BIN_COUNT: u64 = 127;
/// How many may be out of order, as one is while a thread works on it.
const MOST_WRONG: u64 = 2;
/// Lists of small free chunks.
pub const FAST_BIN_COUNT: u64 = 10;

/// `HEAP_MAX_SIZE`: a heap of a further arena begins at a multiple of it.
const HEAP_BYTES: u64 = 64 << 20;
/// Offsets in `heap_info`.
const HEAP_PREVIOUS: u64 = 8;
const HEAP_SIZE: u64 = 16;

/// One arena.
#[derive(Clone, Copy, Debug)]
pub struct Arena {
    pub address: u64,
    pub is_main: bool,
    /// The chunk behind all others.
    pub top: u64,
    /// Bytes taken from the system.
    pub system_bytes: u64,
    /// A thread is at work in it.
    pub is_locked: bool,
}

/// A stretch of chunks that follow each other.
#[derive(Clone, Copy, Debug)]
pub struct Region {
    /// Its first chunk.
    pub start: u64,
    /// Where its memory ends.
    pub end: u64,
    /// The arena's top, when it is in this region.
    pub top: Option<u64>,
}

/// Looks for the main arena among the data of mapped files: the C library's, or a statically linked program's.
pub fn find_main(image: &Image, files: &[FileMapping]) -> Option<u64> {
    let of_file = |start: u64, end: u64| files.iter().any(|file| file.start < end && start < file.end);
    let data = image
        .segments()
        .iter()
        .filter(|segment| segment.writable && of_file(segment.start, segment.end));
    for segment in data {
        let words = image.stored(segment).as_chunks::<8>().0;
        // An empty list refers to itself: in each arena most do, the last of all nearly always.
        let last = (BIN_COUNT - 1) * 16;
        let found = (0..words.len() as u64)
            .map(|index| segment.start + index * 8)
            .filter(|address| {
                let at = (address - segment.start + BINS + last) / 8;
                words
                    .get(at as usize)
                    .is_some_and(|word| u64::from_le_bytes(*word) == address + TOP + last)
            })
            .filter_map(|address| Some((wrong_lists(image, address)?, address)))
            .min();
        if let Some((_, address)) = found {
            return Some(address);
        }
    }
    None
}

/// How many lists of the arena here are out of order; nothing when there is none. One list off, nearly all are in
/// order, too: the arena is where the fewest are not.
fn wrong_lists(image: &Image, address: u64) -> Option<u64> {
    let in_order = |bin: u64| {
        let own = address.checked_add(TOP + bin * 16)?;
        let (first, last) = (
            image.word(own.checked_add(16)?)?,
            image.word(own.checked_add(24)?)?,
        );
        let is_empty = first == own && last == own;
        let holds = || {
            let back = image.word(first.checked_add(24)?)?;
            let forward = image.word(last.checked_add(16)?)?;
            Some(first != own && back == own && forward == own)
        };
        (is_empty || holds()?).then_some(())
    };
    let wrong = (0..BIN_COUNT).filter(|&bin| in_order(bin).is_none()).count() as u64;
    image.word(address.checked_add(NEXT)?)?;
    (wrong <= MOST_WRONG).then_some(wrong)
}

impl Arena {
    fn read(image: &Image, address: u64, is_main: bool) -> Option<Self> {
        Some(Self {
            address,
            is_main,
            top: image.word(address.checked_add(TOP)?)?,
            system_bytes: image.word(address.checked_add(SYSTEM_BYTES)?)?,
            is_locked: image.half(address)? != 0,
        })
    }

    /// The main arena and those that follow it in the list of all.
    pub fn all(image: &Image, main: u64) -> Vec<Self> {
        let mut found = Vec::new();
        let mut seen = FxHashSet::default();
        let mut next = Some(main);
        while let Some(address) = next.filter(|&address| seen.insert(address)) {
            let is_main = address == main;
            let Some(arena) = (is_main || wrong_lists(image, address).is_some())
                .then(|| Self::read(image, address, is_main))
                .flatten()
            else {
                break;
            };
            found.push(arena);
            next = image.word(address + NEXT);
        }
        found
    }

    /// The first chunks of its lists of small free chunks, by list.
    pub fn fast_bins(&self, image: &Image) -> Vec<u64> {
        (0..FAST_BIN_COUNT)
            .filter_map(|bin| image.word(self.address + FAST_BINS + bin * 8))
            .collect()
    }

    /// Its memory, and how many bytes of it were not found.
    pub fn regions(&self, image: &Image) -> (Vec<Region>, u64) {
        let found = if self.is_main {
            self.main_region(image).into_iter().collect()
        } else {
            self.heaps(image)
        };
        let known: u64 = found.iter().map(|region| region.end - region.start).sum();
        // The heads of heaps are counted as the system's bytes, too.
        let heads = if self.is_main {
            0
        } else {
            STATE_BYTES + found.len() as u64 * 0x48
        };
        (found, self.system_bytes.saturating_sub(known + heads))
    }

    /// The main arena's memory comes from `sbrk`, one stretch that ends with the top. Before the first block, the top
    /// is a list's head inside of the arena.
    fn main_region(&self, image: &Image) -> Option<Region> {
        let end = self.top.checked_add(chunks::size_at(image, self.top)?)?;
        let from = end
            .checked_sub(self.system_bytes)?
            .checked_next_multiple_of(ALIGNMENT)?;
        let is_inside = from <= self.top && self.top < end && image.segment(self.top).is_some();
        // The program, or a library, may have moved the end of the heap itself: then only the memory around the top is
        // known to be its.
        let start = if is_inside && image.word(from + 8).is_some() && self.top != self.address + TOP {
            from
        } else {
            return None;
        };
        Some(Region {
            start,
            end,
            top: Some(self.top),
        })
    }

    /// A further arena's memory: heaps, of which each knows the one before it. The arena itself stands behind the head
    /// of its first heap.
    fn heaps(&self, image: &Image) -> Vec<Region> {
        let head = self.address % HEAP_BYTES;
        let own = self.address - head;
        let mut found = Vec::new();
        let mut seen = FxHashSet::default();
        let mut heap = self.top - self.top % HEAP_BYTES;
        while seen.insert(heap) {
            let (Some(arena), Some(previous), Some(size)) = (
                image.word(heap),
                heap.checked_add(HEAP_PREVIOUS).and_then(|at| image.word(at)),
                heap.checked_add(HEAP_SIZE).and_then(|at| image.word(at)),
            ) else {
                break;
            };
            if arena != self.address || size > HEAP_BYTES {
                break;
            }
            let behind = head + HEAD + if heap == own { STATE_BYTES } else { 0 };
            // Blocks, not chunks, are aligned.
            let Some(block) = heap.saturating_add(behind).checked_next_multiple_of(ALIGNMENT) else {
                break;
            };
            let (start, end) = (block - HEAD, heap.saturating_add(size));
            if start < end {
                let top = (start <= self.top && self.top < end).then_some(self.top);
                found.push(Region { start, end, top });
            }
            if previous == 0 {
                break;
            }
            heap = previous;
        }
        found
    }
}
