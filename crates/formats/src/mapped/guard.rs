//! What happens at SIGBUS: pages of a mapped file that the file no longer has become pages of zeros, and where they
//! begin is written down. Any other SIGBUS goes where it went before.
#![expect(unsafe_code, reason = "a signal's handler, and pages that are mapped anew")]

use std::io;
use std::mem::MaybeUninit;
use std::ptr;
use std::sync::OnceLock;
use std::sync::atomic::{
    AtomicUsize,
    Ordering::{AcqRel, Acquire, Relaxed, Release},
};

use libc::{c_int, c_void, siginfo_t};

/// Mapped files at a time: a dump, what it unpacks to, and the program with its libraries, several times over.
const MOST: usize = 4096;

/// What the handler knows of one mapping. Only atomics: it may run between any two instructions of any thread.
struct Range {
    /// First address; zero while the row is free or being filled.
    start: AtomicUsize,
    /// The address behind the last page; zero when the row is free.
    end: AtomicUsize,
    /// Offset of the first page that was missing.
    missing: AtomicUsize,
}

static RANGES: [Range; MOST] = [const {
    Range {
        start: AtomicUsize::new(0),
        end: AtomicUsize::new(0),
        missing: AtomicUsize::new(usize::MAX),
    }
}; MOST];

/// What was done at SIGBUS before, or why the handler could not be set.
static BEFORE: OnceLock<Result<libc::sigaction, c_int>> = OnceLock::new();
static PAGE: AtomicUsize = AtomicUsize::new(4096);

/// Guards a mapping as long as it lives.
#[derive(Debug)]
pub struct Guard {
    /// The row of [`RANGES`]; nothing for an empty file.
    row: Option<usize>,
}

impl Guard {
    /// Guards a mapping from now on.
    pub fn of(bytes: &[u8]) -> io::Result<Self> {
        if bytes.is_empty() {
            return Ok(Self { row: None });
        }
        if let Err(error) = BEFORE.get_or_init(listen) {
            return Err(io::Error::from_raw_os_error(*error));
        }
        let start = bytes.as_ptr() as usize;
        let end = (start + bytes.len()).next_multiple_of(PAGE.load(Relaxed));
        let is_free = |range: &Range| range.end.compare_exchange(0, end, AcqRel, Relaxed).is_ok();
        let row = RANGES
            .iter()
            .position(is_free)
            .ok_or_else(|| io::Error::other(format!("more than {MOST} files are mapped")))?;
        RANGES[row].missing.store(usize::MAX, Relaxed);
        RANGES[row].start.store(start, Release);
        Ok(Self { row: Some(row) })
    }

    pub fn missing_from(&self) -> Option<u64> {
        let missing = RANGES[self.row?].missing.load(Acquire);
        (missing != usize::MAX).then_some(missing as u64)
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        if let Some(row) = self.row {
            RANGES[row].start.store(0, Release);
            RANGES[row].end.store(0, Release);
        }
    }
}

/// Sets the handler, and gives what was set before.
fn listen() -> Result<libc::sigaction, c_int> {
    let last = || io::Error::last_os_error().raw_os_error().unwrap_or(libc::EINVAL);
    // SAFETY: asks for a number.
    if let Ok(page) = usize::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }) {
        PAGE.store(page, Relaxed);
    }
    let mut before = MaybeUninit::<libc::sigaction>::zeroed();
    // SAFETY: all fields of the action are plain numbers, for which zero is allowed; the handler does only what a
    // handler may. `before` is written when the call succeeds, and all zeros are a valid action too.
    unsafe {
        let mut action = MaybeUninit::<libc::sigaction>::zeroed().assume_init();
        action.sa_sigaction = at_bus_error as *const () as usize;
        action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
        libc::sigemptyset(&raw mut action.sa_mask);
        if libc::sigaction(libc::SIGBUS, &raw const action, before.as_mut_ptr()) != 0 {
            return Err(last());
        }
        Ok(before.assume_init())
    }
}

/// Atomics and two system calls, of which neither takes a lock of the C library.
extern "C" fn at_bus_error(_signal: c_int, info: *mut siginfo_t, _context: *mut c_void) {
    // SAFETY: the system hands over a filled record, since the action asks for one.
    let address = unsafe { (*info).si_addr() } as usize;
    for range in &RANGES {
        let (start, end) = (range.start.load(Acquire), range.end.load(Acquire));
        if start == 0 || !(start..end).contains(&address) {
            continue;
        }
        let page = address - address % PAGE.load(Relaxed);
        // SAFETY: from the page on, these addresses are a mapping of ours, which lives on as its guard does; whoever
        // reads there sees zeros instead of ending.
        let zeros = unsafe {
            libc::mmap(
                page as *mut c_void,
                end - page,
                libc::PROT_READ,
                libc::MAP_PRIVATE | libc::MAP_ANON | libc::MAP_FIXED,
                -1,
                0,
            )
        };
        if zeros != libc::MAP_FAILED {
            range.missing.fetch_min(page - start, AcqRel);
            return;
        }
    }
    // Somebody else's: the instruction runs again under the action there was.
    if let Some(Ok(before)) = BEFORE.get() {
        // SAFETY: an action that was in force before.
        unsafe { libc::sigaction(libc::SIGBUS, before, ptr::null_mut()) };
    }
}
