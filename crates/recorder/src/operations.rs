//! What a program calls to mark its operations, so that bytes an operation are known: `testing/cpp` and
//! `testing/crystal` look these functions up by name, and do nothing where no recorder is loaded.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

static MARKED: AtomicU64 = AtomicU64::new(0);

/// One operation is done.
#[cfg_attr(not(test), unsafe(export_name = "deadweight_operation"))]
extern "C" fn deadweight_operation() {
    deadweight_operations(1);
}

/// So many operations are done.
#[cfg_attr(not(test), unsafe(export_name = "deadweight_operations"))]
extern "C" fn deadweight_operations(count: u64) {
    MARKED.fetch_add(count, Relaxed);
}

/// Operations that the program marked so far; where it marked none, as many as it was said to do.
pub fn count() -> u64 {
    let marked = MARKED.load(Relaxed);
    if marked > 0 {
        return marked;
    }
    let said = std::env::var("DEADWEIGHT_OPERATIONS").ok();
    said.and_then(|text| text.parse().ok()).unwrap_or(0)
}
