//! What a request of n bytes is really charged.

/// The memory allocator under a runtime.
pub trait Allocator: Send + Sync + std::fmt::Debug {
    /// Its name, in lower case.
    fn name(&self) -> &str;
    /// Bytes charged for a request, headers and rounding included.
    fn charge(&self, request: Request) -> u64;
    /// Bytes charged for a request of `bytes` bytes in which nothing refers to other blocks.
    fn charged(&self, bytes: u64) -> u64 {
        self.charge(Request::of(bytes))
    }
}

/// What a program asks of an allocator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    /// How many bytes.
    pub bytes: u64,
    /// Whether references will stand in them: some collectors keep a description beside those blocks.
    pub pointers: bool,
}

impl Request {
    /// Bytes in which nothing refers to other blocks.
    #[must_use]
    pub const fn of(bytes: u64) -> Self {
        Self {
            bytes,
            pointers: false,
        }
    }

    /// Bytes with references in them, where `pointers` says so.
    #[must_use]
    pub const fn with(bytes: u64, pointers: bool) -> Self {
        Self { bytes, pointers }
    }
}

/// Charges what is asked: for figures that an outer model already rounded.
#[derive(Clone, Copy, Debug)]
pub struct Exact;

impl Allocator for Exact {
    fn name(&self) -> &'static str {
        "exact"
    }
    fn charge(&self, request: Request) -> u64 {
        request.bytes
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
    fn charge(&self, request: Request) -> u64 {
        request.bytes.next_multiple_of(self.to)
    }
}
