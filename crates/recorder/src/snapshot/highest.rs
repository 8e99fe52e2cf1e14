//! The snapshot of the highest moment: one file, which a higher moment replaces.

use std::io;
use std::ptr;
use std::sync::atomic::{
    AtomicBool, AtomicI32, AtomicPtr, AtomicU32, AtomicU64, AtomicUsize,
    Ordering::{AcqRel, Acquire, Relaxed, Release},
};

use super::facts::Resident;
use super::{PENDING, Reason, clock, shared_page, start, wait};
use crate::curve::{CURVE, Moment};
use crate::thread::current;
use crate::{counts, files, memory, peak, process, record, settings};

/// What stands on disk: a page that the program shares with the clones that write.
pub struct Standing {
    /// The file's number, 0 when there is none.
    number: AtomicU32,
    /// Live bytes it shows, and when that was, in milliseconds.
    live: AtomicU64,
    ms: AtomicU64,
    /// What the last clone took to write it.
    write_ns: AtomicU64,
    /// What the clone that was made last does: see the phases below.
    phase: AtomicU32,
    /// Until when it waits, by [`clock`].
    until: AtomicU64,
}

/// The clone waits for the time that writing may take, or for something higher that makes it needless.
const HELD: u32 = 0;
/// The clone writes; the program sets this to let it.
const WRITING: u32 = 1;
/// The clone gives its file a name. It may no longer be killed: the program would not know of the file.
const PUBLISHING: u32 = 2;
/// The program kills the clone.
const GIVEN_UP: u32 = 3;
const LONGEST_PAUSE_MS: u32 = 5_000;
/// How often a clone that waits looks whether the program still lives.
const LOOK_NS: i64 = 50_000_000;

impl Standing {
    pub fn number(&self) -> u32 {
        self.number.load(Acquire)
    }

    /// A file of that number shows what was held then.
    pub fn written(&self, number: u32, captured: Moment, write_ns: u64) {
        self.write_ns.store(write_ns, Relaxed);
        self.live.store(captured.bytes, Relaxed);
        self.ms.store(captured.ms, Relaxed);
        self.number.store(number, Release);
    }

    /// In the clone: waits until it may write. The program's end, and its death, are such moments.
    pub fn hold(&self, process: i32) {
        let turn = libc::timespec {
            tv_sec: 0,
            tv_nsec: LOOK_NS,
        };
        // SAFETY: no arguments; the place is valid and shared with the program.
        unsafe {
            while self.phase.load(Acquire) == HELD
                && clock() < self.until.load(Relaxed)
                && libc::getppid() == process
            {
                libc::syscall(
                    libc::SYS_futex,
                    self.phase.as_ptr(),
                    libc::FUTEX_WAIT,
                    HELD,
                    &raw const turn,
                    0,
                    0,
                );
            }
        }
        self.step(HELD, WRITING);
    }

    /// In the clone: the file is whole, and gets its name next. An error when the program kills the clone.
    pub fn publish(&self) -> io::Result<()> {
        if self.step(WRITING, PUBLISHING) {
            Ok(())
        } else {
            Err(io::Error::other("given up"))
        }
    }

    /// A clone that is made now writes at once.
    pub fn write_at_once(&self) {
        self.phase.store(WRITING, Release);
    }

    /// Whether the clone may be killed. It publishes nothing from then on.
    fn give_up(&self) -> bool {
        self.step(HELD, GIVEN_UP) || self.step(WRITING, GIVEN_UP)
    }

    fn step(&self, from: u32, to: u32) -> bool {
        self.phase.compare_exchange(from, to, AcqRel, Relaxed).is_ok()
    }

    /// Lets the clone write.
    fn go(&self) {
        self.step(HELD, WRITING);
        // SAFETY: the place is valid.
        unsafe {
            libc::syscall(
                libc::SYS_futex,
                self.phase.as_ptr(),
                libc::FUTEX_WAKE,
                i32::MAX,
                0,
                0,
                0,
            )
        };
    }
}

static STANDING: AtomicPtr<Standing> = AtomicPtr::new(ptr::null_mut());
static WRITER: AtomicI32 = AtomicI32::new(0);
static STARTED: AtomicU64 = AtomicU64::new(0);
/// Whether the allocator may be asked: not again after a clone that asked was ended by a signal.
static ASK: AtomicBool = AtomicBool::new(true);
/// The thread that takes one, by the address of its state; 0 when none does.
static TAKING: AtomicUsize = AtomicUsize::new(0);

/// Whether the calling thread is now the one.
fn enter() -> bool {
    TAKING
        .compare_exchange(0, current() as usize, AcqRel, Relaxed)
        .is_ok()
}

/// What stands, if any was ever taken.
pub fn standing() -> Option<&'static Standing> {
    // SAFETY: a page of its own that is never unmapped.
    unsafe { STANDING.load(Acquire).as_ref() }
}

fn live() -> u64 {
    standing().map_or(0, |standing| standing.live.load(Acquire))
}

/// A forked child's page would be its parent's.
pub fn in_child() {
    STANDING.store(ptr::null_mut(), Relaxed);
    WRITER.store(0, Relaxed);
    TAKING.store(0, Relaxed);
}

/// Lets the calling thread take one when it leaves the allocator, unless one is being written.
pub fn ask_for_highest() {
    let is_held = standing().is_some_and(|standing| standing.phase.load(Acquire) == HELD);
    if !is_held && !memory::keeping_errno(|| reap(libc::WNOHANG)) {
        return;
    }
    let _ = PENDING.compare_exchange(0, Reason::Highest.number(), Relaxed, Relaxed);
}

/// Takes one now, from within the recorder: no allocator is at work for this thread. It is written at the time `until`.
pub fn take_highest(until: u64) {
    take_until(Reason::Highest, until);
}

/// Takes one where that is worth it, because the allocator had no memory for the program.
pub fn take_failed() {
    memory::keeping_errno(|| {
        // SAFETY: the calling thread's errno. Arguments that make no sense are another error.
        let is_memory = unsafe { *libc::__errno_location() } == libc::ENOMEM;
        if is_memory && process::is_ours() && peak::is_worth_at_failure() {
            take(Reason::Failure);
        }
    });
}

/// Lets a clone write what is held now in place of what stands.
pub fn take(reason: Reason) {
    take_until(reason, 0);
}

fn take_until(reason: Reason, until: u64) {
    if !record::is_on() || !process::is_ours() || !enter() {
        return;
    }
    memory::keeping_errno(|| {
        // What is being written holds clearly less: else nobody would have asked.
        give_up_writing();
        // SAFETY: the thread's own state.
        unsafe { counts::flush(&mut *current()) };
        let live = counts::live_bytes();
        if let Some(standing) = standing_or_new() {
            Resident::note();
            STARTED.store(clock(), Relaxed);
            standing.until.store(until, Relaxed);
            standing.phase.store(HELD, Release);
            let writer = start(reason, ASK.load(Relaxed), Some(standing));
            peak::stood_still(clock().saturating_sub(STARTED.load(Relaxed)));
            if let Some(writer) = writer {
                WRITER.store(writer, Relaxed);
                peak::begun(live);
                tell(writer);
            }
        }
    });
    TAKING.store(0, Release);
}

/// Says who writes, so that it can be waited for when this process is gone.
fn tell(writer: i32) {
    if let Some(settings) = settings::get() {
        // SAFETY: no arguments.
        let process = unsafe { libc::getpid() };
        files::note(settings, &format!("writing {writer} {process}"));
    }
}

fn standing_or_new() -> Option<&'static Standing> {
    if STANDING.load(Acquire).is_null() {
        STANDING.store(shared_page()?.cast(), Release);
    }
    standing()
}

/// Looks for the clone's end; whether none is left.
fn reap(options: i32) -> bool {
    let writer = WRITER.load(Relaxed);
    if writer == 0 {
        return true;
    }
    let status = wait(writer, options);
    if status.is_none() && options != 0 {
        return false;
    }
    WRITER.store(0, Relaxed);
    if status.is_some_and(|status| libc::WIFSIGNALED(status)) {
        ASK.store(false, Relaxed);
    }
    let cost = match (standing(), status) {
        (Some(standing), Some(0)) => standing.write_ns.load(Relaxed),
        _ => clock().saturating_sub(STARTED.load(Relaxed)),
    };
    peak::ended(live(), cost);
    true
}

/// Ends the clone that waits or writes, if one does, and takes away what it has not finished.
fn give_up_writing() {
    if reap(libc::WNOHANG) {
        return;
    }
    let is_held = standing().is_some_and(|standing| standing.phase.load(Acquire) == HELD);
    // It is as good as done.
    if standing().is_some_and(|standing| !standing.give_up()) && reap(0) {
        return;
    }
    let writer = WRITER.swap(0, Relaxed);
    // SAFETY: a child of this process that has not been waited for, so that the id is still its own.
    unsafe { libc::kill(writer, libc::SIGKILL) };
    wait(writer, 0);
    if let Some(settings) = settings::get() {
        // SAFETY: no arguments.
        files::discard(settings, unsafe { libc::getpid() }, writer);
    }
    let writing = clock().saturating_sub(STARTED.load(Relaxed));
    peak::ended(live(), if is_held { 0 } else { writing });
}

/// Tells the file that stands what came after it.
pub fn tell_the_end() {
    let (Some(standing), Some(settings)) = (standing(), settings::get()) else {
        return;
    };
    let captured = Moment {
        ms: standing.ms.load(Relaxed),
        bytes: standing.live.load(Relaxed),
    };
    if standing.number() != 0 {
        let end = peak::now();
        let text = CURVE.json(captured, end);
        // SAFETY: no arguments.
        let process = unsafe { libc::getpid() };
        let dump = files::name(process, standing.number(), "dwheap");
        let Moment { ms, bytes } = captured;
        files::note(settings, &format!("shown {bytes} {ms} {} {dump}", end.bytes));
        // A file without its curve says what it shows all the same.
        let _ = files::beside(
            settings,
            process,
            standing.number(),
            "curve.json",
            text.as_bytes(),
        );
    }
}

/// Takes no more: the program ends. Waits for a thread that is at it, which takes as long as a clone is made.
pub fn close() {
    for _ in 0..LONGEST_PAUSE_MS {
        // A signal handler may end the program in the midst of it.
        if enter() || TAKING.load(Acquire) == current() as usize {
            return;
        }
        // SAFETY: a plain sleep.
        unsafe { libc::usleep(1000) };
    }
}

/// Whether the end is to be shown, because it holds nearly as much as what was captured. Waits for that if it is not.
pub fn is_end_shown() -> bool {
    let end = counts::live_bytes();
    if peak::is_end_as_high(end, peak::captured()) {
        give_up_writing();
        return true;
    }
    if let Some(standing) = standing() {
        standing.go();
    }
    reap(0);
    peak::is_end_as_high(end, live())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn standing(phase: u32) -> Standing {
        Standing {
            number: AtomicU32::new(0),
            live: AtomicU64::new(0),
            ms: AtomicU64::new(0),
            write_ns: AtomicU64::new(0),
            phase: AtomicU32::new(phase),
            until: AtomicU64::new(0),
        }
    }

    /// Else its file would stay beside the next one: nobody knows its number.
    #[test]
    fn a_clone_that_is_given_up_publishes_nothing_and_one_that_publishes_is_not_given_up() {
        for phase in [HELD, WRITING] {
            let killed = standing(phase);
            assert!(killed.give_up());
            // A clone whose time has come in this moment does not write on.
            killed.hold(0);
            assert!(killed.publish().is_err());
        }
        let done = standing(HELD);
        done.hold(0);
        assert!(done.publish().is_ok());
        assert!(!done.give_up());
    }
}
