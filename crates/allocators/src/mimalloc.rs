//! mimalloc.

use deadweight_heap::{Allocator, Request};

use crate::Model;
use crate::rounding::{four_per_doubling, up};

const KIB: u64 = 1024;
const MIB: u64 = 1024 * KIB;

/// mimalloc 2.0.9, built for release: without the padding of its debug builds and the guards of its secure ones.
///
/// Up to 128 KiB its classes are jemalloc's: 8, 16, then every 16 up to 128, then four to each doubling. A larger
/// block has slices of a segment to itself: whole slices of 64 KiB up to 512 KiB, then whole 512 KiB up to 8 MiB,
/// whole MiB up to 32 MiB, and whole 4 MiB beyond. Blocks carry no header, so all that is charged is usable.
///
/// The rounding of blocks above 128 KiB is address space: pages of it that a program never touches are charged but
/// not resident. Not charged is the end of a 64 KiB or 512 KiB page of small blocks that is too short for another
/// block, and the first part of each 32 MiB segment, which holds what mimalloc keeps of it.
///
/// Sources: mimalloc 2.0.9's `src/page-queue.c` (bins), `include/mimalloc-types.h` (`MI_MEDIUM_OBJ_SIZE_MAX`,
/// slices), `src/segment.c` and `src/os.c` (large blocks); tests compare with `malloc_usable_size`, and with the
/// distance between neighbours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mimalloc;

impl Allocator for Mimalloc {
    fn name(&self) -> &'static str {
        "mimalloc"
    }
    fn charge(&self, request: Request) -> u64 {
        self.usable(request.bytes)
    }
}

impl Model for Mimalloc {
    fn usable(&self, bytes: u64) -> u64 {
        if bytes <= 128 * KIB {
            return four_per_doubling(bytes);
        }
        let unit = if bytes <= 512 * KIB {
            64 * KIB
        } else if bytes <= 8 * MIB {
            512 * KIB
        } else if bytes <= 32 * MIB {
            MIB
        } else {
            4 * MIB
        };
        up(bytes, unit)
    }
    fn charged_for_usable(&self, usable: u64) -> u64 {
        usable
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_blocks_are_whole_slices() {
        let usable = [
            (128 * KIB, 128 * KIB),
            (128 * KIB + 1, 192 * KIB),
            (512 * KIB, 512 * KIB),
            (512 * KIB + 1, MIB),
            (8 * MIB + 1, 9 * MIB),
            (32 * MIB + 1, 36 * MIB),
        ];
        for (bytes, block) in usable {
            assert_eq!(
                (Mimalloc.usable(bytes), Mimalloc.charged(bytes)),
                (block, block),
                "{bytes}"
            );
        }
    }
}
