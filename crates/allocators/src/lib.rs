//! What the allocators of native programs set aside for a request, on 64-bit Linux with pages of 4 KiB.
//!
//! Three figures belong to a block, all in bytes:
//!
//! - *requested*: what the program asked for;
//! - *usable*: what it may write to, which `malloc_usable_size` returns ([`Model::usable`]);
//! - *charged*: what no other block can have while this one lives: usable, the block's own header, and padding
//!   ([`Allocator::charged`]).
//!
//! | allocator | as in | header | charged besides usable |
//! |---|---|---|---|
//! | [`Glibc`] | 2.26 and later | 8 bytes in front of each block | 8; 16 for a block mapped on its own |
//! | [`Jemalloc`] | 5.3 | none, kept apart | a page for each block above 14,336 bytes |
//! | [`Tcmalloc`] | gperftools 2.10 | none, kept apart | nothing |
//! | [`Mimalloc`] | 2.0.9 | none, kept apart | nothing |
//! | [`pymalloc`] | Python 3.9 to 3.13 | none up to 512 bytes, then as the malloc under it | as the malloc under it |
//! | [`Go`] | 1.22 and later | 8 bytes where pointers are in more than 512 bytes | nothing |
//! | [`Boehm`] | libgc 8.2 | none, kept apart; one byte behind each block | the rest of a page for each block above 2,048 bytes |
//!
//! A charge is room set aside. It differs from resident memory where a program never touched the end of a large
//! block, and it leaves out what belongs to no single block: an allocator's tables, free blocks kept for later, and
//! the end of a run of blocks that is too short for one more.
//!
//! The models hold for the allocators as Linux distributions build them. Debugging, hardening, padding, other page
//! sizes, and environment variables that retune an allocator change its classes.

mod boehm;
mod glibc;
mod go;
mod jemalloc;
mod mimalloc;
mod pymalloc;
mod rounding;
mod stepped;
mod tcmalloc;

use deadweight_heap::Allocator;

pub use boehm::Boehm;
pub use glibc::Glibc;
pub use go::Go;
pub use jemalloc::Jemalloc;
pub use mimalloc::Mimalloc;
pub use pymalloc::{PymallocClasses, pymalloc};
pub use stepped::Stepped;
pub use tcmalloc::Tcmalloc;

/// The names [`by_name`] knows.
pub const NAMES: [&str; 7] = [
    "glibc", "jemalloc", "tcmalloc", "mimalloc", "boehm", "pymalloc", "go",
];

/// An allocator that says, besides the charge, how much of it a program may use.
pub trait Model: Allocator {
    /// Bytes a program may write to in a block it requested with `bytes`; what `malloc_usable_size` returns.
    ///
    /// Like [`Allocator::charged`] it saturates for requests near the end of the address space, which no allocator
    /// serves.
    fn usable(&self, bytes: u64) -> u64;

    /// Bytes charged for a live block with `usable` bytes, whatever was requested.
    ///
    /// For recorded blocks this is surer than the charge of the request: a block may be larger than its request
    /// needs, after `realloc` shrank it or because what it would leave over is too small for a block.
    fn charged_for_usable(&self, usable: u64) -> u64;
}

/// The model with that name, in lower case; `None` for an allocator without one.
///
/// ```
/// let glibc = deadweight_allocators::by_name("glibc").unwrap();
/// assert_eq!((glibc.usable(25), glibc.charged(25)), (40, 48));
/// assert!(deadweight_allocators::by_name("hoard").is_none());
/// ```
pub fn by_name(name: &str) -> Option<Box<dyn Model>> {
    match name {
        "glibc" => Some(Box::new(Glibc::default())),
        "jemalloc" => Some(Box::new(Jemalloc)),
        "tcmalloc" => Some(Box::new(Tcmalloc)),
        "mimalloc" => Some(Box::new(Mimalloc)),
        "boehm" => Some(Box::new(Boehm)),
        "pymalloc" => Some(Box::new(pymalloc())),
        "go" => Some(Box::new(Go)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_has_its_model() {
        for name in NAMES {
            assert_eq!(by_name(name).expect(name).name(), name);
        }
        assert!(by_name("").is_none());
    }

    #[test]
    fn a_model_serves_as_the_allocator_of_a_heap() {
        let allocator: Box<dyn Allocator> = by_name("jemalloc").expect("known");
        assert_eq!(allocator.charged(100), 112);
    }

    #[test]
    fn impossible_requests_saturate() {
        for name in NAMES {
            let model = by_name(name).expect(name);
            for bytes in [u64::MAX, u64::MAX - 1, u64::MAX - 4096, 1 << 63, (1 << 63) + 1] {
                assert!(model.charged(bytes) >= bytes, "{name} {bytes}");
                assert!(model.usable(bytes) >= bytes - 16, "{name} {bytes}");
                assert!(model.charged_for_usable(bytes) >= bytes, "{name} {bytes}");
            }
        }
    }
}
