//! How far the readers are: bytes they have passed of those they pass in all.
//!
//! One pair of counters for the process, since its dumps are read one after another, and since one that was handed down
//! would be in the signature of every function between a file and its chunks. It is for showing alone.

use std::sync::atomic::{AtomicU64, Ordering};

static PASSED: AtomicU64 = AtomicU64::new(0);
static OF: AtomicU64 = AtomicU64::new(0);

/// Bytes passed, and bytes to pass; some readers look at each byte twice. Both are 0 before anything is read.
#[must_use]
pub fn so_far() -> (u64, u64) {
    let of = OF.load(Ordering::Relaxed);
    (PASSED.load(Ordering::Relaxed).min(of), of)
}

/// A file of so many bytes is about to be read.
pub(crate) fn start(bytes: u64) {
    OF.store(bytes, Ordering::Relaxed);
    PASSED.store(0, Ordering::Relaxed);
}

/// The reader looks at each byte twice: where things end, and what they are.
pub(crate) fn twice() {
    OF.fetch_add(OF.load(Ordering::Relaxed), Ordering::Relaxed);
}

/// A chunk is behind the reader. For chunks of some size: it costs as much as adding a number that all threads share.
pub(crate) fn add(bytes: usize) {
    PASSED.fetch_add(bytes as u64, Ordering::Relaxed);
}
