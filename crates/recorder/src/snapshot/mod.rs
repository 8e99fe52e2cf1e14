//! A snapshot: a clone of the process writes it, so that the program hardly stops.
//!
//! The clone is made by the bare system call with no signal to the parent at its end: the program's own `wait` never
//! sees it, no fork handlers run, and it can be made in a signal handler. In the clone there is one thread, so locks
//! that others held stay held for ever: it calls nothing of the program's allocator but `malloc_usable_size`.

mod allocator;
mod blocks;
mod contents;
mod facts;
mod highest;
pub mod maps;
pub mod room;
mod write;

use std::ptr;
use std::sync::atomic::{
    AtomicBool, AtomicI32, AtomicU32, AtomicU64,
    Ordering::{AcqRel, Acquire, Relaxed, Release},
};

use crate::settings::{self, Settings};
use crate::stack::TREE;
use crate::thread::{INSIDE, OWNS_LOCKS, current};
use crate::{TABLE, counts, files, memory, peak, process, record};
use highest::Standing;
pub use highest::{ask_for_highest, take_failed, take_highest};

/// Why a snapshot is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The program ends.
    Exit,
    /// SIGUSR2.
    Signal,
    /// A threshold was passed.
    Threshold,
    /// The program held more than ever.
    Highest,
    /// The allocator had no memory for the program.
    Failure,
}

impl Reason {
    /// Its name in the dump.
    pub fn name(self) -> &'static str {
        match self {
            Self::Exit => "exit",
            Self::Signal => "SIGUSR2",
            Self::Threshold => "threshold",
            Self::Highest => "highest",
            Self::Failure => "failed allocation",
        }
    }

    /// Its number while it waits.
    fn number(self) -> u32 {
        match self {
            Self::Exit | Self::Signal => 1,
            Self::Threshold => 2,
            Self::Highest | Self::Failure => 3,
        }
    }
}

/// A snapshot waits until its thread leaves the allocator: 0 none, else the reason.
static PENDING: AtomicU32 = AtomicU32::new(0);
static BUSY: AtomicBool = AtomicBool::new(false);
static EXIT_TAKEN: AtomicBool = AtomicBool::new(false);
static THRESHOLD_TAKEN: AtomicBool = AtomicBool::new(false);
/// Clones that may still be writing.
static WRITERS: [AtomicI32; 16] = [const { AtomicI32::new(0) }; 16];

/// A measure is told again when it has grown by one part of so many.
const TELL_AGAIN: u64 = 32;
static HEAP_TOLD: AtomicU64 = AtomicU64::new(0);
static RSS_TOLD: AtomicU64 = AtomicU64::new(0);

static HEAP_ABOVE: AtomicU64 = AtomicU64::new(u64::MAX);
static RSS_ABOVE: AtomicU64 = AtomicU64::new(u64::MAX);

/// Notes what is needed later and cannot be found out in the clone.
pub fn prepare(settings: &Settings) {
    HEAP_ABOVE.store(settings.heap_above.unwrap_or(u64::MAX), Relaxed);
    RSS_ABOVE.store(settings.rss_above.unwrap_or(u64::MAX), Relaxed);
    allocator::identify();
    peak::prepare(settings.peak);
    if settings.peak {
        room::set_aside();
    }
}

/// A forked child starts anew.
pub fn in_child() {
    counts::in_child();
    peak::in_child();
    highest::in_child();
    EXIT_TAKEN.store(false, Relaxed);
    BUSY.store(false, Relaxed);
    PENDING.store(0, Relaxed);
    for writer in &WRITERS {
        writer.store(0, Relaxed);
    }
}

#[inline]
pub fn is_pending() -> bool {
    PENDING.load(Relaxed) != 0
}

#[cold]
pub fn take_pending() {
    match PENDING.swap(0, Relaxed) {
        1 => take(Reason::Signal),
        2 => take(Reason::Threshold),
        3 => take(Reason::Highest),
        _ => {}
    }
}

/// Sees whether a threshold was passed. The snapshot is taken when the thread leaves the allocator.
#[cold]
pub fn look_at_thresholds() {
    if THRESHOLD_TAKEN.load(Relaxed) {
        return;
    }
    let passed = is_above(&HEAP_ABOVE, &HEAP_TOLD, "heap", || Some(counts::live_bytes()))
        || is_above(&RSS_ABOVE, &RSS_TOLD, "rss", || {
            memory::keeping_errno(|| facts::resident_bytes("/proc/self/statm"))
        });
    if passed && !THRESHOLD_TAKEN.swap(true, Relaxed) {
        PENDING.store(2, Relaxed);
    }
}

/// Whether a measure lies above its threshold, if it has one. Says from time to time how high it has come, for the case
/// that the threshold is never reached.
fn is_above(above: &AtomicU64, told: &AtomicU64, name: &str, now: impl Fn() -> Option<u64>) -> bool {
    let above = above.load(Relaxed);
    let Some(now) = (above != u64::MAX).then(now).flatten() else {
        return false;
    };
    let before = told.load(Relaxed);
    if now > before + before / TELL_AGAIN && told.fetch_max(now, Relaxed) == before {
        tell(name, now);
    }
    now > above
}

/// Tells who started the program how high a measure has come.
pub fn tell(name: &str, bytes: u64) {
    if let Some(settings) = settings::get() {
        memory::keeping_errno(|| files::note(settings, &format!("{name} {bytes}")));
    }
}

/// Takes a snapshot, now or when this thread leaves the allocator. Does not wait for it to be written.
pub fn take(reason: Reason) {
    if !record::is_on() || !process::is_ours() {
        return;
    }
    // SAFETY: the thread's own state.
    if unsafe { (*current()).guard } & (INSIDE | OWNS_LOCKS) != 0 {
        PENDING.store(reason.number(), Relaxed);
        return;
    }
    if reason == Reason::Highest {
        highest::take(reason);
        return;
    }
    reap(libc::WNOHANG);
    if let Some(writer) = start(reason, true, None) {
        for place in &WRITERS {
            if place.compare_exchange(0, writer, Relaxed, Relaxed).is_ok() {
                return;
            }
        }
    } else if BUSY.load(Relaxed) {
        // Another thread is at it, for a moment that nobody asked for perhaps.
        PENDING.store(reason.number(), Relaxed);
    }
}

/// Takes the last snapshot, once, and waits until all of them are written.
pub fn at_exit() {
    let Some(settings) = settings::get() else { return };
    if !record::is_on() || EXIT_TAKEN.swap(true, AcqRel) {
        return;
    }
    if HEAP_ABOVE.load(Relaxed) != u64::MAX && !THRESHOLD_TAKEN.load(Relaxed) {
        // A small program never reported any of what its thread counts.
        // SAFETY: the thread's own state.
        unsafe { counts::flush(&mut *current()) };
        tell("heap", counts::peak_bytes());
    }
    if settings.journal.is_some()
        && let Some(peak) = memory::keeping_errno(|| facts::peak_resident("/proc/self/status"))
    {
        tell("peak", peak);
    }
    // A program that ends inside its allocator (in a signal handler) cannot be looked at.
    // SAFETY: the thread's own state.
    let inside = unsafe { (*current()).guard } & (INSIDE | OWNS_LOCKS) != 0;
    // SAFETY: as above.
    unsafe { counts::flush(&mut *current()) };
    highest::close();
    let is_shown = highest::is_end_shown();
    if !is_shown {
        highest::tell_the_end();
    }
    if settings.at_exit && !inside && is_shown {
        let standing = highest::standing();
        let write = |ask| {
            standing.inspect(|standing| standing.write_at_once());
            start(Reason::Exit, ask, standing).and_then(|writer| wait(writer, 0))
        };
        // A damaged heap may have been too much for the allocator's own answers: once more without them.
        if write(true).is_some_and(|status| libc::WIFSIGNALED(status)) {
            write(false);
        }
    }
    reap(0);
}

/// Waits for a clone; its status when it has ended.
fn wait(writer: i32, options: i32) -> Option<i32> {
    let mut status = 0;
    loop {
        // SAFETY: `status` is a valid place. Only clones without a signal are waited for, never the program's own.
        let ended = unsafe { libc::waitpid(writer, &raw mut status, options | libc::__WCLONE) };
        if ended == writer {
            return Some(status);
        }
        // SAFETY: the calling thread's errno.
        if ended != -1 || unsafe { *libc::__errno_location() } != libc::EINTR {
            return None;
        }
    }
}

fn reap(options: i32) {
    for place in &WRITERS {
        let writer = place.load(Relaxed);
        if writer != 0 && (wait(writer, options).is_some() || options == 0) {
            place.store(0, Relaxed);
        }
    }
}

/// Nanoseconds since some moment before the process began.
pub fn clock() -> u64 {
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: `time` is a valid place.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &raw mut time) };
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

/// A copy of this process with one thread, that sends no signal when it ends.
fn clone_process() -> i64 {
    // SAFETY: like fork, but without a signal and without handlers; what the copy may do is said above.
    unsafe { libc::syscall(libc::SYS_clone, 0, 0, 0, 0, 0) }
}

/// Bytes of a page.
const PAGE: usize = 4096;

/// A page of zeros that a process shares with its clones; `None` when there is no memory left.
fn shared_page() -> Option<*mut libc::c_void> {
    // SAFETY: a fresh mapping.
    let page = unsafe {
        libc::mmap(
            ptr::null_mut(),
            PAGE,
            libc::PROT_READ | libc::PROT_WRITE,
            libc::MAP_SHARED | libc::MAP_ANONYMOUS,
            -1,
            0,
        )
    };
    (page != libc::MAP_FAILED).then_some(page)
}

/// Lets a clone write; its process id. With `ask`, it asks the allocator what blocks are charged; with `standing`, its
/// file takes the place of the one that stands.
fn start(reason: Reason, ask: bool, standing: Option<&'static Standing>) -> Option<i32> {
    if BUSY.swap(true, Acquire) {
        return None;
    }
    let began = clock();
    // Shared with the clone, so that it can say how long the program stood still.
    let Some(pause) = shared_page() else {
        BUSY.store(false, Release);
        return None;
    };
    // SAFETY: the page stays until the end of this function here, and in the clone for ever.
    let pause_place = unsafe { &*pause.cast::<AtomicU64>() };
    let thread = current();
    // SAFETY: the sets are valid; the thread's own guard. Signals wait: no handler of the program may run in the clone.
    let writer = unsafe {
        let (mut all, mut before) = (std::mem::zeroed(), std::mem::zeroed());
        libc::sigfillset(&raw mut all);
        libc::pthread_sigmask(libc::SIG_SETMASK, &raw const all, &raw mut before);
        let guard = (*thread).guard;
        (*thread).guard |= INSIDE;
        TABLE.lock();
        TREE.lock();
        let writer = clone_process();
        if writer == 0 {
            in_clone(reason, ask, pause_place, standing);
        }
        TREE.unlock();
        TABLE.unlock();
        (*thread).guard = guard;
        libc::pthread_sigmask(libc::SIG_SETMASK, &raw const before, ptr::null_mut());
        writer
    };
    pause_place.store(clock() - began, Release);
    // SAFETY: mapped above, and no longer used here.
    unsafe { libc::munmap(pause, PAGE) };
    BUSY.store(false, Release);
    (writer > 0).then_some(writer as i32)
}

/// In the clone: writes the dump and ends.
fn in_clone(reason: Reason, ask: bool, pause: &AtomicU64, standing: Option<&Standing>) -> ! {
    // SAFETY: plain system calls on the clone itself. Its copies of open files would keep pipes open that the program
    // closes; it is the first to go when the machine runs out of memory; if it fails, it leaves no core.
    unsafe {
        libc::syscall(libc::SYS_close_range, 0, u32::MAX, 0);
        let none = libc::rlimit {
            rlim_cur: 0,
            rlim_max: 0,
        };
        libc::setrlimit(libc::RLIMIT_CORE, &raw const none);
    }
    let host_bytes = memory::held();
    memory::set_limit(usize::MAX);
    room::open();
    let _ = std::fs::write("/proc/self/oom_score_adj", "1000");
    let written = std::panic::catch_unwind(|| write::dump(reason, ask, pause, standing, host_bytes));
    let code = i32::from(!matches!(written, Ok(Ok(()))));
    loop {
        // SAFETY: ends the clone without running anything of the program.
        unsafe { libc::syscall(libc::SYS_exit_group, code) };
    }
}
