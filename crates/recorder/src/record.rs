//! What happens around each call of the real allocator.

use std::ffi::c_void;
use std::sync::atomic::{
    AtomicBool,
    Ordering::{Relaxed, SeqCst},
    compiler_fence,
};

use crate::stack::{Caller, identify};
use crate::table::Block;
use crate::thread::{INSIDE, OWNS_LOCKS, Thread, current};
use crate::{TABLE, counts, peak, snapshot};

/// Whether blocks are recorded. On from the start, so that nothing is missed before the settings are read.
static ON: AtomicBool = AtomicBool::new(true);
/// Whether fresh memory is filled with zeros.
static ZERO_FILL: AtomicBool = AtomicBool::new(false);

/// Stops recording for good.
pub fn stop() {
    ON.store(false, Relaxed);
}

/// Whether blocks are recorded.
pub fn is_on() -> bool {
    ON.load(Relaxed)
}

/// Fills fresh memory with zeros from now on.
pub fn fill_with_zeros() {
    ZERO_FILL.store(true, Relaxed);
}

/// Whether fresh memory is filled with zeros.
#[inline]
pub fn zero_fill() -> bool {
    ZERO_FILL.load(Relaxed)
}

/// The time between taking and leaving the guard: recorder and real allocator at work for this thread.
pub struct Inside {
    thread: *mut Thread,
    before: u32,
}

impl Inside {
    /// Nothing when the thread is inside already (a signal handler, or the allocator calling itself) or recording is
    /// off: then the call goes straight to the real function.
    #[inline(always)]
    pub fn enter() -> Option<Self> {
        let thread = current();
        // SAFETY: the thread's own state; a signal handler restores what it changes.
        let before = unsafe { (*thread).guard };
        if before & INSIDE != 0 || !is_on() {
            return None;
        }
        // SAFETY: as above.
        unsafe { (*thread).guard = before | INSIDE };
        compiler_fence(SeqCst);
        Some(Self { thread, before })
    }

    #[inline(always)]
    fn locked(&self) -> bool {
        self.before & OWNS_LOCKS != 0
    }

    /// Records a block.
    #[inline(always)]
    pub fn add(&self, block: *mut c_void, requested: usize, caller: Caller) {
        // SAFETY: the thread's own state, and the guard keeps its signal handlers out.
        let thread = unsafe { &mut *self.thread };
        let stack = identify(caller, thread);
        let block = Block {
            address: block as u64,
            requested: requested as u64,
            stack,
            sequence: counts::next(thread),
        };
        TABLE.insert(block, self.locked());
        if counts::add(thread, requested as i64) {
            snapshot::look_at_thresholds();
            peak::look_at_climb();
        }
    }

    /// Forgets a block. `remains`: bytes that will stand in its place in a moment.
    #[inline(always)]
    pub fn remove(&self, block: *mut c_void, remains: usize) -> Option<Block> {
        let removed = TABLE.remove(block as u64, self.locked());
        if let Some(block) = removed {
            // SAFETY: as in `add`.
            let told = counts::add(unsafe { &mut *self.thread }, -(block.requested as i64));
            if told && let Some(until) = peak::has_fallen(block.requested, remains) {
                self.remember(block, until);
            }
        }
        removed
    }

    /// The program is about to hold clearly less than ever: the last chance to see what it held, with the block whose
    /// freeing says so. It is written at the time `until`, if nothing higher comes before.
    #[cold]
    fn remember(&self, block: Block, until: u64) {
        if self.locked() {
            return;
        }
        self.put_back(block);
        snapshot::take_highest(until);
        TABLE.remove(block.address, false);
        // SAFETY: as in `add`.
        counts::add(unsafe { &mut *self.thread }, -(block.requested as i64));
    }

    /// The allocator has no memory for the program, which may be about to end.
    #[cold]
    pub fn failed(&self) {
        if !self.locked() {
            snapshot::take_failed();
        }
    }

    /// Puts back a block that was not reallocated after all.
    #[cold]
    pub fn put_back(&self, block: Block) {
        TABLE.insert(block, self.locked());
        // SAFETY: as in `add`.
        counts::add(unsafe { &mut *self.thread }, block.requested as i64);
    }
}

impl Drop for Inside {
    #[inline(always)]
    fn drop(&mut self) {
        compiler_fence(SeqCst);
        // SAFETY: the thread's own state.
        unsafe { (*self.thread).guard = self.before };
        if snapshot::is_pending() {
            snapshot::take_pending();
        }
    }
}
