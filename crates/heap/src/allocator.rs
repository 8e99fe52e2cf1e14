//! What a request of n bytes is really charged.

/// The memory allocator under a runtime.
pub trait Allocator: Send + Sync + std::fmt::Debug {
    /// Its name, in lower case.
    fn name(&self) -> &str;
    /// Bytes charged for a request of `bytes` bytes, headers and rounding included.
    fn charged(&self, bytes: u64) -> u64;
}

/// Charges what is asked: for figures that an outer model already rounded.
#[derive(Clone, Copy, Debug)]
pub struct Exact;

impl Allocator for Exact {
    fn name(&self) -> &'static str {
        "exact"
    }
    fn charged(&self, bytes: u64) -> u64 {
        bytes
    }
}

/// Rounds each request up to a multiple: bump allocators of managed heaps.
#[derive(Clone, Copy, Debug)]
pub struct Rounded {
    /// The name to show.
    pub name: &'static str,
    /// The multiple, in bytes; a power of two.
    pub to: u64,
}

impl Allocator for Rounded {
    fn name(&self) -> &str {
        self.name
    }
    fn charged(&self, bytes: u64) -> u64 {
        bytes.next_multiple_of(self.to)
    }
}
