//! The Boehm-Demers-Weiser collector, `libgc`.

use deadweight_heap::{Allocator, Request};

use crate::Model;
use crate::rounding::up;

/// The unit of sizes.
const GRANULE: u64 = 16;
/// Blocks of the collector's own heap.
const PAGE: u64 = 4096;
/// Up to here every multiple of a granule is a class.
const EVERY_GRANULE: u64 = 384;
/// The classes above, the last one half a page.
const CLASSES: [u64; 8] = [448, 512, 576, 672, 800, 1024, 1344, 2048];

/// The Boehm collector 8.2 with pointers into objects recognised, as Linux distributions build it and Crystal uses it.
///
/// Each block has one byte more than was asked for, so that a pointer one past its end still holds it: a request for 16
/// bytes takes 32. Up to half a page a block has the smallest class that holds both; beyond that it has whole pages,
/// of which the collector itself counts only what was asked for, rounded up to 16 ([`Model::usable`]).
///
/// Classes above 384 bytes come into being as they are asked for: when a larger size of the same neighbourhood is asked
/// for first, a smaller one may get its class. The model has the classes that a fresh process finds, which are the
/// smallest; records of allocations have what each block was really given.
///
/// Sources: libgc 8.2.2's `misc.c` (`GC_extend_size_map`) for how classes are chosen; tests compare with `GC_size`, with
/// the distance of neighbours, and with the change of free bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Boehm;

impl Allocator for Boehm {
    fn name(&self) -> &'static str {
        "boehm"
    }
    fn charge(&self, request: Request) -> u64 {
        self.charged_for_usable(self.usable(request.bytes))
    }
}

impl Model for Boehm {
    fn usable(&self, bytes: u64) -> u64 {
        let granules = up(bytes.saturating_add(1), GRANULE);
        if granules <= EVERY_GRANULE {
            return granules;
        }
        let class = CLASSES.iter().find(|&&class| class >= granules);
        class.copied().unwrap_or(granules)
    }
    fn charged_for_usable(&self, usable: u64) -> u64 {
        if usable <= PAGE / 2 {
            usable
        } else {
            up(usable, PAGE)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What Crystal asks for, by the sizes of its objects, and what it is charged.
    #[test]
    fn what_crystal_is_charged() {
        for (what, requested, charged) in [
            ("an Array", 24, 32),
            ("the store of an Array(UInt8) of one", 1, 16),
            ("Bytes of no size", 0, 16),
            ("an empty Hash", 56, 64),
        ] {
            assert_eq!(Boehm.charged(requested), charged, "{what}");
        }
        assert_eq!(Boehm.charged(16), 32);
        assert_eq!((Boehm.usable(2047), Boehm.charged(2047)), (2048, 2048));
        assert_eq!((Boehm.usable(2048), Boehm.charged(2048)), (2064, 4096));
    }
}
