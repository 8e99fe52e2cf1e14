//! Counts over the life of the process.

use std::sync::atomic::{AtomicI64, AtomicU64, Ordering::Relaxed};

use crate::peak;
use crate::thread::Thread;

/// Sequence numbers a thread takes at once, so that threads do not fight for one counter. Within a thread the order
/// is exact; between threads it is so up to one batch.
const BATCH: u64 = 64;

/// Bytes a thread may allocate or free before it reports to the total.
const TELL_AFTER: i64 = 32 << 10;

static SEQUENCE: AtomicU64 = AtomicU64::new(0);
static LIVE: AtomicI64 = AtomicI64::new(0);
static PEAK: AtomicI64 = AtomicI64::new(0);
/// Stacks that found no room, or were cut.
pub static LOST_STACKS: AtomicU64 = AtomicU64::new(0);

/// Allocations so far, up to one batch per thread.
pub fn allocations() -> u64 {
    SEQUENCE.load(Relaxed)
}

/// Requested bytes alive, up to [`TELL_AFTER`] per thread.
pub fn live_bytes() -> u64 {
    LIVE.load(Relaxed).max(0) as u64
}

/// The most requested bytes that were ever alive, as exact as [`live_bytes`]; 0 where they never were more than that.
pub fn peak_bytes() -> u64 {
    PEAK.load(Relaxed).max(0) as u64
}

/// A forked child begins with what its parent has, and with no history.
pub fn in_child() {
    PEAK.store(LIVE.load(Relaxed), Relaxed);
}

/// The next sequence number.
#[inline]
pub fn next(thread: &mut Thread) -> u64 {
    if thread.next_sequence == thread.end_sequence {
        thread.next_sequence = SEQUENCE.fetch_add(BATCH, Relaxed);
        thread.end_sequence = thread.next_sequence + BATCH;
        peak::look_at_rest();
    }
    let sequence = thread.next_sequence;
    thread.next_sequence += 1;
    sequence
}

/// Adds a change of live bytes; says whether the total was updated, so that thresholds are worth a look.
#[inline]
pub fn add(thread: &mut Thread, bytes: i64) -> bool {
    thread.live_bytes = thread.live_bytes.wrapping_add(bytes);
    if (-TELL_AFTER..=TELL_AFTER).contains(&thread.live_bytes) {
        return false;
    }
    flush(thread);
    true
}

/// Reports to the total what this thread has not reported yet.
pub fn flush(thread: &mut Thread) {
    let change = std::mem::take(&mut thread.live_bytes);
    let live = LIVE.fetch_add(change, Relaxed) + change;
    if live > PEAK.load(Relaxed) {
        PEAK.fetch_max(live, Relaxed);
    }
}
