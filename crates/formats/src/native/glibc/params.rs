//! `mp_`, where glibc counts what it mapped.

use super::arena::Arena;
use crate::native::core_file::Image;

/// `tcache_bins` and `tcache_max_bytes`, which follow `sbrk_base`.
const CACHED_SIZES: u64 = 64;
const CACHED_UP_TO: u64 = 1032;

/// What it says.
#[derive(Clone, Copy, Debug)]
pub struct Params {
    /// Bytes in blocks mapped on their own.
    pub mapped_bytes: u64,
}

/// Looks for it among the data that the main arena stands in.
pub fn find(image: &Image, main: u64) -> Option<Params> {
    let segment = image.segment(main)?;
    let arena = Arena::all(image, main).into_iter().next()?;
    let heap = arena.regions(image).0.first().map(|region| region.start & !0xFFF);
    let words = image.stored(segment).as_chunks::<8>().0;
    let long = |index: usize| u64::from_le_bytes(words[index]);
    // mmapped_mem, max_mmapped_mem, sbrk_base, tcache_bins, tcache_max_bytes.
    let at = (2..words.len().saturating_sub(2)).find(|&index| {
        let base = long(index);
        let is_base = base == 0 || heap.is_none_or(|heap| base & !0xFFF == heap);
        is_base
            && long(index + 1) == CACHED_SIZES
            && long(index + 2) == CACHED_UP_TO
            && long(index - 2) <= long(index - 1)
    })?;
    Some(Params {
        mapped_bytes: long(at - 2),
    })
}
