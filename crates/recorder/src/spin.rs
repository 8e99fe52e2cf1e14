//! A lock that neither allocates nor calls the C library on its quick way.

use std::hint::spin_loop;
use std::sync::atomic::{
    AtomicU32,
    Ordering::{Acquire, Relaxed, Release},
};

/// Held for a few dozen instructions at a time.
#[derive(Debug)]
pub struct SpinLock(AtomicU32);

impl SpinLock {
    pub const fn new() -> Self {
        Self(AtomicU32::new(0))
    }

    #[inline]
    pub fn lock(&self) {
        if self.0.compare_exchange(0, 1, Acquire, Relaxed).is_err() {
            self.wait();
        }
    }

    #[cold]
    fn wait(&self) {
        let mut turns = 0_u32;
        loop {
            while self.0.load(Relaxed) != 0 {
                turns += 1;
                if turns.is_multiple_of(128) {
                    // SAFETY: no arguments; the owner may need this processor.
                    unsafe { libc::sched_yield() };
                }
                spin_loop();
            }
            if self.0.compare_exchange(0, 1, Acquire, Relaxed).is_ok() {
                return;
            }
        }
    }

    #[inline]
    pub fn unlock(&self) {
        self.0.store(0, Release);
    }
}
