//! jemalloc.

use deadweight_heap::{Allocator, Request};

use crate::Model;
use crate::rounding::four_per_doubling;

/// The largest class that shares runs of pages with others of its class.
const LARGEST_SMALL: u64 = 14_336;
const PAGE: u64 = 4096;

/// jemalloc 5.3 with pages of 4 KiB, as Linux distributions and Rust's `tikv-jemallocator` build it.
///
/// Classes are 8, 16, then every 16 up to 128, then four to each doubling, without an end: 14,336 is followed by
/// 16,384, 20,480, 24,576, 28,672, 32,768, 40,960 and so on, all of them whole pages. Blocks carry no header, so all
/// of a class is usable. Blocks above 14,336 bytes are runs of pages of their own, and jemalloc adds a page to each
/// of them to start blocks at different places within a page (`opt.cache_oblivious`, on unless turned off): the page
/// is charged, not usable.
///
/// Small blocks lie in runs that their class fills to the last byte. Where the end of a large block is never
/// touched, its last pages are charged but not resident.
///
/// Builds for machines with larger pages, such as 64 KiB on arm64, have the border between small and large, and the
/// added page, elsewhere.
///
/// Sources: jemalloc(3) 5.3.0, "Size classes" in its implementation notes, and `sz_large_pad` in
/// `include/jemalloc/internal/sz.h`; tests compare with `malloc_usable_size`, with the distance between neighbours
/// for small blocks and with the change of `stats.active` for large ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Jemalloc;

impl Allocator for Jemalloc {
    fn name(&self) -> &'static str {
        "jemalloc"
    }
    fn charge(&self, request: Request) -> u64 {
        self.charged_for_usable(self.usable(request.bytes))
    }
}

impl Model for Jemalloc {
    fn usable(&self, bytes: u64) -> u64 {
        four_per_doubling(bytes)
    }
    fn charged_for_usable(&self, usable: u64) -> u64 {
        if usable <= LARGEST_SMALL {
            usable
        } else {
            usable.saturating_add(PAGE)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_large_block_has_a_page_of_padding() {
        assert_eq!(
            (Jemalloc.usable(14_336), Jemalloc.charged(14_336)),
            (14_336, 14_336)
        );
        assert_eq!(
            (Jemalloc.usable(14_337), Jemalloc.charged(14_337)),
            (16_384, 20_480)
        );
        assert_eq!(
            (Jemalloc.usable(16_385), Jemalloc.charged(16_385)),
            (20_480, 24_576)
        );
    }
}
