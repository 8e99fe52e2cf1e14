//! A signal after each few milliseconds of a thread's own time, at which a job is left with the interpreter.
//!
//! Each thread has a timer of its own: a signal for the whole process comes to the main thread, which waits for the
//! interpreter's lock while another thread works. A timer goes with the native thread, which Ruby uses for several of its
//! threads one after another.
//!
//! The signal is SIGURG: nothing else of a Ruby program uses it, and a process that knows nothing of it ignores it, which
//! matters for one that replaces this one. A program that idles gets none.

use std::cell::RefCell;
use std::ffi::{c_int, c_void};
use std::mem::MaybeUninit;
use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};
use std::time::Duration;

/// What the interpreter calls once it can: between two instructions of a thread that has its lock.
pub type Job = unsafe extern "C" fn(*mut c_void);

/// Functions of the interpreter that may be called within a signal's handler.
pub struct Jobs {
    /// Whether the thread is one of the interpreter's.
    pub is_ruby: unsafe extern "C" fn() -> c_int,
    /// Whether it has the interpreter's lock, or is about to take it.
    pub has_lock: unsafe extern "C" fn() -> c_int,
    /// Leaves the job with the thread, once.
    pub leave: unsafe extern "C" fn(u32, Job, *mut c_void) -> c_int,
    /// The job.
    pub job: Job,
}

static JOBS: AtomicPtr<Jobs> = AtomicPtr::new(ptr::null_mut());

/// The kernel looks at timers of this sort at each of its own ticks, which are 1 to 10 ms apart.
const EVERY: Duration = Duration::from_millis(1);

/// Begins; false when the system has no such timer or somebody else wants the signal.
///
/// # Safety
/// The functions are the interpreter's.
pub unsafe fn begin(jobs: Jobs) -> bool {
    JOBS.store(Box::into_raw(Box::new(jobs)), Ordering::Release);
    // SAFETY: the structures are filled before they are handed over; zeros are a valid action and mask.
    unsafe {
        let mut before = MaybeUninit::<libc::sigaction>::zeroed();
        if libc::sigaction(libc::SIGURG, ptr::null(), before.as_mut_ptr()) != 0 {
            return false;
        }
        let handler = before.assume_init().sa_sigaction;
        if handler != libc::SIG_DFL && handler != libc::SIG_IGN {
            return false;
        }
        let mut action = MaybeUninit::<libc::sigaction>::zeroed().assume_init();
        action.sa_sigaction = on_signal as *const () as usize;
        action.sa_flags = libc::SA_RESTART | libc::SA_ONSTACK;
        libc::sigaction(libc::SIGURG, &raw const action, ptr::null_mut()) == 0 && arm()
    }
}

/// The timer of the calling thread.
struct Timer(libc::timer_t);

impl Timer {
    fn set() -> Option<Self> {
        // SAFETY: zeros are a valid event, whose fields are set before use.
        unsafe {
            let mut event = MaybeUninit::<libc::sigevent>::zeroed().assume_init();
            event.sigev_notify = libc::SIGEV_THREAD_ID;
            event.sigev_signo = libc::SIGURG;
            event.sigev_notify_thread_id = libc::gettid();
            let mut timer = MaybeUninit::<libc::timer_t>::uninit();
            if libc::timer_create(libc::CLOCK_THREAD_CPUTIME_ID, &raw mut event, timer.as_mut_ptr()) != 0 {
                return None;
            }
            let timer = Self(timer.assume_init());
            let each = libc::timespec {
                tv_sec: 0,
                tv_nsec: EVERY.subsec_nanos().into(),
            };
            let times = libc::itimerspec {
                it_interval: each,
                it_value: each,
            };
            (libc::timer_settime(timer.0, 0, &raw const times, ptr::null_mut()) == 0).then_some(timer)
        }
    }
}

impl Drop for Timer {
    fn drop(&mut self) {
        // SAFETY: the timer is this thread's, and was not deleted before.
        unsafe { libc::timer_delete(self.0) };
    }
}

thread_local! {
    static TIMER: RefCell<Option<Timer>> = const { RefCell::new(None) };
}

/// Sets the timer of the calling thread, unless it has one. False when the system has none left, or the thread ends.
pub fn arm() -> bool {
    TIMER
        .try_with(|timer| {
            let mut timer = timer.borrow_mut();
            if timer.is_none() {
                *timer = Timer::set();
            }
            timer.is_some()
        })
        .unwrap_or(false)
}

/// The same in a forked child, which has no timers; their numbers may be those of others by now.
pub fn arm_in_child() {
    let _ = TIMER.try_with(|timer| std::mem::forget(timer.borrow_mut().take()));
    arm();
}

/// Ends: the interpreter's functions must not be called once it takes itself apart.
pub fn end() {
    // SAFETY: zeros are a valid action, whose handler is set before use.
    unsafe {
        let mut action = MaybeUninit::<libc::sigaction>::zeroed().assume_init();
        action.sa_sigaction = libc::SIG_IGN;
        libc::sigaction(libc::SIGURG, &raw const action, ptr::null_mut());
    }
}

extern "C" fn on_signal(_: c_int) {
    // SAFETY: the pointer is null or came from a box that is never dropped; these functions may be called here, and
    // the last one only by a thread that can run the job.
    unsafe {
        let errno = libc::__errno_location();
        let before = *errno;
        if let Some(jobs) = JOBS.load(Ordering::Acquire).as_ref()
            && (jobs.is_ruby)() != 0
            && (jobs.has_lock)() != 0
        {
            (jobs.leave)(0, jobs.job, ptr::null_mut());
        }
        *errno = before;
    }
}
