//! The malloc of the GNU C library (ptmalloc).

use deadweight_heap::{Allocator, Request};

use crate::Model;
use crate::rounding::up;

/// The word in front of each block that holds the chunk's size.
const HEADER: u64 = 8;
/// Chunks are multiples of this, and no smaller than twice of it.
const ALIGNMENT: u64 = 16;
const SMALLEST: u64 = 32;
const PAGE: u64 = 4096;
/// The threshold a program starts with.
const MMAP_THRESHOLD: u64 = 128 * 1024;

/// The malloc of the GNU C library (ptmalloc) on 64-bit machines.
///
/// A *chunk* is the block and its header of 8 bytes, rounded up to 16, at least 32 bytes; usable is all of it but
/// the header, for a block may use the first word of the chunk behind it. A chunk that reaches the mmap threshold is
/// mapped on its own: its header takes two words, since no chunk is behind it, and whole pages are charged.
///
/// The threshold starts at 128 KiB. It moves: when a program frees a mapped block, the threshold becomes that
/// block's charge, up to 32 MiB, so later blocks of that size come from the heap. A program may fix it
/// (`M_MMAP_THRESHOLD`). Which threshold held when a block was made is read off the block
/// ([`Model::charged_for_usable`]), not by its request.
///
/// Three things make a real block larger than the model says. A request that reaches the threshold is served from
/// the heap if a free chunk there is large enough, and so are all once 65,536 blocks are mapped: they then have the
/// header of a heap chunk. A free chunk that would leave less than 32 bytes over is used whole.
///
/// Sources: glibc's `malloc/malloc.c` (`request2size`, `MINSIZE`, `DEFAULT_MMAP_THRESHOLD`, `sysmalloc_mmap`,
/// `musable`) at 2.36 and mallopt(3); tests compare usable size with `malloc_usable_size`, and the charge with the
/// change of `uordblks + hblkhd` of `mallinfo2`, for all sizes up to 64 KiB and for samples up to 4 MiB.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Glibc {
    mmap_threshold: u64,
}

impl Default for Glibc {
    /// As a program starts: chunks from 128 KiB on are mapped on their own.
    fn default() -> Self {
        Self::with_mmap_threshold(MMAP_THRESHOLD)
    }
}

impl Glibc {
    /// With chunks of `bytes` and more mapped on their own.
    pub const fn with_mmap_threshold(bytes: u64) -> Self {
        Self {
            mmap_threshold: bytes,
        }
    }

    /// The chunk's bytes, and whether it is mapped on its own.
    fn chunk(self, bytes: u64) -> (u64, bool) {
        let chunk = up(bytes.saturating_add(HEADER), ALIGNMENT).max(SMALLEST);
        if chunk < self.mmap_threshold {
            (chunk, false)
        } else {
            (up(chunk.saturating_add(HEADER), PAGE), true)
        }
    }
}

impl Allocator for Glibc {
    fn name(&self) -> &'static str {
        "glibc"
    }
    fn charge(&self, request: Request) -> u64 {
        self.chunk(request.bytes).0
    }
}

impl Model for Glibc {
    fn usable(&self, bytes: u64) -> u64 {
        let (chunk, mapped) = self.chunk(bytes);
        chunk - if mapped { 2 * HEADER } else { HEADER }
    }

    /// A heap chunk's usable size ends on half of 16, a mapped one's on a whole.
    fn charged_for_usable(&self, usable: u64) -> u64 {
        let mapped = usable.is_multiple_of(ALIGNMENT);
        usable.saturating_add(if mapped { 2 * HEADER } else { HEADER })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chunk_is_header_and_block_rounded_to_sixteen() {
        let glibc = Glibc::default();
        let charged = [(0, 32), (24, 32), (25, 48), (40, 48), (41, 64), (848, 864)];
        for (bytes, chunk) in charged {
            assert_eq!(
                (glibc.charged(bytes), glibc.usable(bytes)),
                (chunk, chunk - 8),
                "{bytes}"
            );
        }
    }

    #[test]
    fn from_the_threshold_on_pages_are_mapped() {
        let glibc = Glibc::default();
        assert_eq!(
            (glibc.charged(131_048), glibc.usable(131_048)),
            (131_056, 131_048)
        );
        assert_eq!(
            (glibc.charged(131_049), glibc.usable(131_049)),
            (135_168, 135_152)
        );
        let moved = Glibc::with_mmap_threshold(1 << 20);
        assert_eq!(
            (moved.charged(131_049), moved.usable(131_049)),
            (131_072, 131_064)
        );
        assert_eq!(moved.charged(1 << 20), (1 << 20) + 4096);
    }

    #[test]
    fn a_block_shows_whether_it_is_mapped() {
        let glibc = Glibc::default();
        for bytes in (0..2_000_000).step_by(13) {
            assert_eq!(
                glibc.charged_for_usable(glibc.usable(bytes)),
                glibc.charged(bytes),
                "{bytes}"
            );
        }
    }
}
