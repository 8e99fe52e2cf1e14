//! The allocator of Go's runtime.

use deadweight_heap::{Allocator, Request};

use crate::Model;
use crate::rounding::up;

/// Pages of spans for large objects.
const PAGE: u64 = 8192;
/// From here on, objects with pointers have a header; below, a bitmap stands at the end of their span.
const WITHOUT_HEADER: u64 = 512;
/// The address of the object's type.
const HEADER: u64 = 8;
/// Objects without pointers below this share blocks of it.
const TINY: u64 = 16;
/// The size classes.
const CLASSES: [u64; 67] = [
    8, 16, 24, 32, 48, 64, 80, 96, 112, 128, 144, 160, 176, 192, 208, 224, 240, 256, 288, 320, 352, 384, 416,
    448, 480, 512, 576, 640, 704, 768, 896, 1024, 1152, 1280, 1408, 1536, 1792, 2048, 2304, 2688, 3072, 3200,
    3456, 4096, 4864, 5376, 6144, 6528, 6784, 6912, 8192, 9472, 9728, 10240, 10880, 12288, 13568, 14336,
    16384, 18432, 19072, 20480, 21760, 24576, 27264, 28672, 32768,
];

/// Go's runtime since 1.22, on 64-bit machines.
///
/// Sizes up to 32 KiB have 67 classes, each once for objects with pointers and once for those without; larger objects
/// have pages of 8 KiB. An object of more than 512 bytes with pointers in it has a header of 8 bytes, unless it has
/// pages of its own. Objects without pointers below 16 bytes share blocks of 16: as many as fit are charged evenly,
/// rounded up, though a block stays as long as one of them lives.
///
/// Sources: Go 1.26's `internal/runtime/gc/sizeclasses.go` and `runtime/malloc.go`; tests compare with the change of
/// `MemStats.TotalAlloc`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Go;

impl Allocator for Go {
    fn name(&self) -> &'static str {
        "go"
    }
    fn charge(&self, request: Request) -> u64 {
        let bytes = request.bytes;
        let largest = CLASSES[CLASSES.len() - 1];
        match bytes {
            0 => 0,
            1..TINY if !request.pointers => TINY.div_ceil(TINY / up(bytes, alignment(bytes))),
            _ if request.pointers && bytes > WITHOUT_HEADER && bytes <= largest - HEADER => {
                class(bytes + HEADER)
            }
            _ => class(bytes),
        }
    }
}

/// The class of a size, or its pages.
fn class(bytes: u64) -> u64 {
    let class = CLASSES.partition_point(|&class| class < bytes);
    CLASSES.get(class).copied().unwrap_or_else(|| up(bytes, PAGE))
}

/// Where an object of that size may stand in a block of tiny ones.
const fn alignment(bytes: u64) -> u64 {
    match bytes.trailing_zeros() {
        3.. => 8,
        2 => 4,
        1 => 2,
        _ => 1,
    }
}

impl Model for Go {
    /// Of a block without pointers.
    fn usable(&self, bytes: u64) -> u64 {
        self.charged(bytes)
    }
    fn charged_for_usable(&self, usable: u64) -> u64 {
        usable
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pointers_cost_a_header_in_the_middle() {
        let with = |bytes| Go.charge(Request::with(bytes, true));
        for (bytes, without, pointers) in [
            (512, 512, 512),
            (520, 576, 576),
            (1024, 1024, 1152),
            (32_760, 32_768, 32_768),
            (32_768, 32_768, 32_768),
            (32_769, 40_960, 40_960),
        ] {
            assert_eq!((Go.charged(bytes), with(bytes)), (without, pointers), "{bytes}");
        }
        assert_eq!(
            (Go.charged(8), with(8), Go.charged(5), Go.charged(0)),
            (8, 8, 6, 0)
        );
    }
}
