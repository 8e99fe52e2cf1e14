//! A lock that neither allocates nor calls the C library on its quick way, and costs next to nothing in a process
//! of one thread.

use std::hint::spin_loop;
use std::ptr;
use std::sync::atomic::{
    AtomicPtr, AtomicU8, AtomicU32,
    Ordering::{Acquire, Relaxed, Release},
};

/// Where the C library says whether the process has one thread only; null where it does not say.
static SINGLE_THREADED: AtomicPtr<AtomicU8> = AtomicPtr::new(ptr::null_mut());

/// Looks for what the C library says of threads: `__libc_single_threaded`, in glibc since 2.32. It turns 0 before the
/// second thread begins, also for threads that the C library makes for itself, and 1 again only in the last thread.
pub fn prepare() {
    // SAFETY: a lookup by name.
    let found = unsafe { libc::dlsym(libc::RTLD_DEFAULT, c"__libc_single_threaded".as_ptr()) };
    SINGLE_THREADED.store(found.cast(), Relaxed);
}

/// Whether no other thread can be in here.
#[inline]
fn alone() -> bool {
    let place = SINGLE_THREADED.load(Relaxed);
    // SAFETY: the C library's variable, a byte that lives as long as the process.
    !place.is_null() && unsafe { &*place }.load(Relaxed) != 0
}

/// Held for a few dozen instructions at a time.
#[derive(Debug)]
pub struct SpinLock(AtomicU32);

impl SpinLock {
    pub const fn new() -> Self {
        Self(AtomicU32::new(0))
    }

    #[inline]
    pub fn lock(&self) {
        // A locked instruction waits for all stores before it; nobody is there to be kept out.
        if alone() && self.0.load(Relaxed) == 0 {
            self.0.store(1, Relaxed);
        } else if self.0.compare_exchange(0, 1, Acquire, Relaxed).is_err() {
            self.wait();
        }
    }

    /// Takes the lock if nobody has it.
    pub fn try_lock(&self) -> bool {
        self.0.compare_exchange(0, 1, Acquire, Relaxed).is_ok()
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
