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
        // SAFETY: no arguments.
        let main = unsafe { libc::syscall(libc::SYS_gettid) == libc::c_long::from(libc::getpid()) };
        let (low, high) = if main { main_stack() } else { other_stack() };
        thread.stack_low = low;
        thread.stack_high = high;
    });
}

/// The C library reads a file for the main thread's bounds, which costs; the dynamic linker has noted the upper end.
fn main_stack() -> (usize, usize) {
    // SAFETY: a lookup by name; when found, the symbol is a pointer that the dynamic linker has set.
    let high = unsafe {
        let symbol: *const usize = libc::dlsym(libc::RTLD_DEFAULT, c"__libc_stack_end".as_ptr()).cast();
        if symbol.is_null() { 0 } else { *symbol }
    };
    let mut limit = libc::rlimit {
        rlim_cur: 0,
        rlim_max: 0,
    };
    // SAFETY: `limit` is a valid place.
    let known = unsafe { libc::getrlimit(libc::RLIMIT_STACK, &raw mut limit) } == 0;
    let largest = if known {
        (limit.rlim_cur as usize).min(1 << 30)
    } else {
        8 << 20
    };
    (high.saturating_sub(largest), high)
}

fn other_stack() -> (usize, usize) {
    // SAFETY: the attributes are initialised by the first call and destroyed by the last.
    unsafe {
        let mut attributes: libc::pthread_attr_t = std::mem::zeroed();
        if libc::pthread_getattr_np(libc::pthread_self(), &raw mut attributes) != 0 {
            return (0, 0);
        }
        let (mut low, mut bytes) = (ptr::null_mut(), 0);
        let told = libc::pthread_attr_getstack(&raw const attributes, &raw mut low, &raw mut bytes) == 0;
        libc::pthread_attr_destroy(&raw mut attributes);
        if told {
            (low as usize, low as usize + bytes)
        } else {
            (0, 0)
        }
    }
}

/// Whether the calling thread holds every lock of the recorder.
pub fn owns_locks() -> bool {
    // SAFETY: the thread's own state.
    unsafe { (*current()).guard & OWNS_LOCKS != 0 }
}
