//! Who wrote the dump, and what the process said of itself.

/// The runtime a heap belongs to, for showing; rules never look at it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Runtime {
    /// Its name, in lower case.
    pub name: String,
    /// Its version, empty when the dump does not say.
    pub version: String,
    /// Bytes of a reference in a field.
    pub word_bytes: u32,
    /// The allocator under it, in lower case.
    pub allocator: String,
    /// What a person does to get a dump in which everything is measurable.
    pub recapture: String,
}

/// What the process said of itself at capture, in bytes; `None` where it did not say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Live bytes of the runtime's heap.
    pub heap_used: Option<u64>,
    /// Bytes that live objects asked for, where the process counts these and not what its allocator charges.
    pub heap_asked: Option<u64>,
    /// Bytes of the runtime's heap, free room included.
    pub heap_total: Option<u64>,
    /// Bytes the runtime holds outside its heap.
    pub external: Option<u64>,
    /// Resident bytes of the process.
    pub rss: Option<u64>,
    /// Of them, those that are no memory of the program: resident before its first line ran, or mapped from files.
    pub rss_base: Option<u64>,
    /// The most that were ever resident, as the kernel noted it.
    pub rss_peak: Option<u64>,
    /// The most bytes that live objects ever had asked for, where the recorder counts them.
    pub heap_peak: Option<u64>,
    /// Bytes in use as the program came to its end, before garbage was collected for the dump.
    pub in_use_before: Option<u64>,
    /// Threads that were started with a heap of their own, which the dump does not have.
    pub other_heaps: Option<u64>,
}
