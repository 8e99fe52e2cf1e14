//! What the recorder keeps for each thread.
//!
//! The thread-local block is reached with the initial-exec model: one load, no call into the dynamic linker, which
//! could allocate. Rust's own thread locals would go through `__tls_get_addr` in a shared library.

use std::arch::{asm, global_asm};
use std::ptr;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use crate::stack::Cache;

/// The thread is inside the recorder or inside the real allocator on behalf of it.
pub const INSIDE: u32 = 1;
/// The thread holds every lock of the recorder, because it is forking.
pub const OWNS_LOCKS: u32 = 2;

/// State of one thread; all zero at its start.
#[repr(C)]
pub struct Thread {
    /// [`INSIDE`] and [`OWNS_LOCKS`]. Signal handlers of the same thread read and write it too.
    pub guard: u32,
    /// Whether `stack_low` and `stack_high` are known.
    pub known: u32,
    /// Lowest address of the thread's stack.
    pub stack_low: usize,
    /// One past the highest address of the thread's stack.
    pub stack_high: usize,
    /// Stacks seen lately.
    pub cache: *mut Cache,
    /// The next sequence number of the batch this thread has taken.
    pub next_sequence: u64,
    /// Where the batch ends.
    pub end_sequence: u64,
    /// Requested bytes allocated less freed, not yet added to the total.
    pub live_bytes: i64,
}

const _: () = assert!(size_of::<Thread>() <= 64);

global_asm!(
    ".pushsection .tbss,\"awT\",%nobits",
    ".globl deadweight_recorder_thread",
    ".hidden deadweight_recorder_thread",
    ".type deadweight_recorder_thread,%object",
    ".size deadweight_recorder_thread,64",
    ".p2align 6",
    "deadweight_recorder_thread:",
    ".zero 64",
    ".popsection",
);

/// This thread's state. It lives as long as the thread, also while other destructors of the thread run.
#[inline(always)]
pub fn current() -> *mut Thread {
    let thread: *mut Thread;
    #[cfg(target_arch = "x86_64")]
    // SAFETY: reads this thread's pointer and the offset that the dynamic linker filled in.
    unsafe {
        asm!(
            "mov {0}, qword ptr [rip + deadweight_recorder_thread@GOTTPOFF]",
            "add {0}, qword ptr fs:[0]",
            out(reg) thread,
            options(nostack, readonly, pure),
        );
    }
    #[cfg(target_arch = "aarch64")]
    // SAFETY: reads this thread's pointer and the offset that the dynamic linker filled in.
    unsafe {
        asm!(
            "adrp {0}, :gottprel:deadweight_recorder_thread",
            "ldr {0}, [{0}, :gottprel_lo12:deadweight_recorder_thread]",
            "mrs {1}, tpidr_el0",
            "add {0}, {0}, {1}",
            out(reg) thread,
            out(reg) _,
            options(nostack, readonly, pure),
        );
    }
    thread
}

static KEY: AtomicU32 = AtomicU32::new(u32::MAX);

/// Makes sure that a thread's cache is given back at its end.
pub fn prepare() {
    let mut key = 0;
    // SAFETY: `key` is a valid place; the destructor has the asked-for signature.
    if unsafe { libc::pthread_key_create(&raw mut key, Some(ended)) } == 0 {
        KEY.store(key, Relaxed);
    }
}

/// Notes that the thread has something to give back.
pub fn watch_end(cache: *mut Cache) {
    let key = KEY.load(Relaxed);
    if key != u32::MAX {
        // SAFETY: the key was created.
        unsafe { libc::pthread_setspecific(key, cache.cast()) };
    }
}

unsafe extern "C" fn ended(_: *mut libc::c_void) {
    let thread = current();
    // SAFETY: the thread's own state; nobody else touches it, and the guard keeps its signal handlers away.
    unsafe {
        let guard = ptr::replace(&raw mut (*thread).guard, INSIDE);
        let cache = ptr::replace(&raw mut (*thread).cache, ptr::null_mut());
        Cache::free(cache);
        crate::counts::flush(&mut *thread);
        (*thread).guard = guard;
    }
}

/// Finds the bounds of the calling thread's stack, once per thread.
#[cold]
pub fn find_stack(thread: &mut Thread) {
    thread.known = 1;
    crate::memory::keeping_errno(|| {
        let stack = crate::stack::bounds();
        (thread.stack_low, thread.stack_high) = (stack.start, stack.end);
    });
}

/// Whether the calling thread holds every lock of the recorder.
pub fn owns_locks() -> bool {
    // SAFETY: the thread's own state.
    unsafe { (*current()).guard & OWNS_LOCKS != 0 }
}
