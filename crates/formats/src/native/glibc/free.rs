//! Free chunks that look like live ones: those in fast bins, and those that threads keep for themselves (*tcache*).
//!
//! Both are lists through the chunks' first words. Since 2.32 such a word is masked with its own address shifted right
//! by 12 bits; a chunk of a thread has a key in its second word, the same for all.

use rustc_hash::FxHashSet;

use super::arena::Arena;
use super::chunks::{Chunk, SMALLEST};
use super::{ALIGNMENT, HEAD};
use crate::native::core_file::Image;

/// Sizes of chunks that a thread keeps, from 32 bytes on in steps of 16.
const CACHED_SIZES: u64 = 64;

/// A form of `tcache_perthread_struct`: counts of these bytes each, then a pointer for each size.
struct Form {
    chunk_bytes: u64,
    count_bytes: u64,
}

/// Since 2.30, and before.
const FORMS: [Form; 2] = [
    Form {
        chunk_bytes: 0x290,
        count_bytes: 2,
    },
    Form {
        chunk_bytes: 0x250,
        count_bytes: 1,
    },
];

/// What is free though the chunk behind it says that it is in use.
#[derive(Debug, Default)]
pub struct Free {
    /// By the chunks' addresses.
    pub chunks: FxHashSet<u64>,
    /// Chunks in which threads note what they keep.
    pub own: FxHashSet<u64>,
    /// Of fast bins.
    pub fast_bytes: u64,
    /// Of threads.
    pub cached_bytes: u64,
}

/// A list's cells.
struct Lists<'a> {
    image: &'a Image,
    is_masked: bool,
}

impl Lists<'_> {
    /// The word at an address, which refers to the next cell.
    fn follow(&self, at: u64) -> Option<u64> {
        let word = self.image.word(at)?;
        Some(if self.is_masked { word ^ at >> 12 } else { word })
    }

    /// The size of the chunk whose block begins at an address; nothing when there can be none.
    fn size(&self, block: u64) -> Option<u64> {
        if block == 0 || !block.is_multiple_of(ALIGNMENT) {
            return None;
        }
        let size = self.image.word(block.checked_sub(8)?)? & !7;
        (size >= SMALLEST).then_some(size)
    }

    /// The blocks that a thread keeps, if this is where it notes them.
    fn cached(&self, chunk: u64, form: &Form) -> Option<Vec<(u64, u64)>> {
        let counts = chunk + HEAD;
        let entries = counts + CACHED_SIZES * form.count_bytes;
        let mut found = Vec::new();
        let mut key = None;
        let mut is_off = false;
        for index in 0..CACHED_SIZES {
            let at = counts + index * form.count_bytes;
            let count = self.image.word(at & !7)? >> (at % 8 * 8) & ((1 << (form.count_bytes * 8)) - 1);
            let size = SMALLEST + index * ALIGNMENT;
            let mut block = self.image.word(entries + index * 8)?;
            let mut len = 0;
            while block != 0 {
                let own = self.image.word(block.checked_add(8)?)?;
                if self.size(block)? != size || *key.get_or_insert(own) != own || len > count {
                    return None;
                }
                found.push((block - HEAD, size));
                len += 1;
                block = self.follow(block)?;
            }
            if len != count {
                // A thread that was stopped halfway has counted one chunk of one size not yet, or still.
                if is_off || len + 1 != count {
                    return None;
                }
                is_off = true;
            }
        }
        Some(found)
    }

    /// The blocks of a fast bin; nothing when it is none.
    fn fast(&self, first: u64, index: u64) -> Option<Vec<(u64, u64)>> {
        let size = SMALLEST + index * ALIGNMENT;
        let mut seen = FxHashSet::default();
        let mut found = Vec::new();
        let mut chunk = first;
        while chunk != 0 {
            let block = chunk.checked_add(HEAD)?;
            if self.size(block)? != size || !seen.insert(chunk) {
                return None;
            }
            found.push((chunk, size));
            chunk = self.follow(block)?;
        }
        Some(found)
    }
}

/// Finds them all.
pub fn find(image: &Image, arenas: &[Arena], chunks: &[Chunk]) -> Free {
    let notes: Vec<(u64, &Form)> = chunks
        .iter()
        .filter(|chunk| chunk.in_use)
        .filter_map(|chunk| {
            let form = FORMS.iter().find(|form| form.chunk_bytes == chunk.size)?;
            Some((chunk.address, form))
        })
        .collect();
    // All lists of a process are masked or none: whichever makes sense of more.
    let first = chunks.first().map(|chunk| chunk.address);
    let read = |is_masked: bool| look(&Lists { image, is_masked }, arenas, &notes, first);
    let (masked, plain) = (read(true), read(false));
    if plain.chunks.len() > masked.chunks.len() {
        plain
    } else {
        masked
    }
}

fn look(lists: &Lists<'_>, arenas: &[Arena], notes: &[(u64, &Form)], first: Option<u64>) -> Free {
    let mut free = Free::default();
    for &(chunk, form) in notes {
        // The first chunk of the first arena is the main thread's; elsewhere one without any entry is anybody's zeros.
        let Some(cached) = lists.cached(chunk, form) else {
            continue;
        };
        if cached.is_empty() && Some(chunk) != first {
            continue;
        }
        free.own.insert(chunk);
        for (address, size) in cached {
            if free.chunks.insert(address) {
                free.cached_bytes += size;
            }
        }
    }
    for arena in arenas {
        for (index, first) in arena.fast_bins(lists.image).into_iter().enumerate() {
            for (address, size) in lists.fast(first, index as u64).unwrap_or_default() {
                if free.chunks.insert(address) {
                    free.fast_bytes += size;
                }
            }
        }
    }
    free
}
