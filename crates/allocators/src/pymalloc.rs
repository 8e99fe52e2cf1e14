//! Python's allocator of objects.

use deadweight_heap::{Allocator, Request};

use crate::rounding::up;
use crate::{Glibc, Model, Stepped};

/// The largest request that pools serve.
const LARGEST: u64 = 512;
/// The distance of size classes.
const ALIGNMENT: u64 = 16;

/// Pools of blocks of one size: 32 classes, every 16 bytes.
///
/// Pools of 16 KiB have a header of 48 bytes, and stand in arenas of 1 MiB (pools of 4 KiB in arenas of 256 KiB before
/// 3.10); these, and blocks that are free, belong to no block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PymallocClasses;

impl Allocator for PymallocClasses {
    fn name(&self) -> &'static str {
        "pymalloc pools"
    }
    fn charge(&self, request: Request) -> u64 {
        self.usable(request.bytes)
    }
}

impl Model for PymallocClasses {
    fn usable(&self, bytes: u64) -> u64 {
        up(bytes.max(1), ALIGNMENT)
    }
    fn charged_for_usable(&self, usable: u64) -> u64 {
        usable
    }
}

/// What Python calls pymalloc: pools up to 512 bytes, and the system's malloc above.
///
/// A request for no bytes is served by malloc as one for a single byte; the model has the class of one byte for it.
/// The free-threaded build has mimalloc instead, and `PYTHONMALLOC` may name another one.
///
/// Sources: Python 3.11's `Objects/obmalloc.c` (`SMALL_REQUEST_THRESHOLD`, `ALIGNMENT`); tests compare with the blocks
/// that `sys._debugmallocstats` counts in each class, and with `malloc_usable_size` above.
pub const fn pymalloc() -> Stepped<PymallocClasses, Glibc> {
    Stepped {
        name: "pymalloc",
        up_to: LARGEST,
        small: PymallocClasses,
        large: Glibc::with_mmap_threshold(128 * 1024),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What Python asks for, by the sizes of its objects, and what it is charged.
    #[test]
    fn objects_are_charged_by_class_and_above_by_malloc() {
        for (what, asked, charged) in [
            ("a float", 24, 32),
            ("a small int", 28, 32),
            ("a string of 8", 57, 64),
            ("the largest class", 512, 512),
            ("keys of a dict of 21", 552, 560),
            ("one byte more", 513, 528),
        ] {
            assert_eq!(pymalloc().charged(asked), charged, "{what}");
        }
        assert_eq!(pymalloc().usable(552), 552);
    }
}
