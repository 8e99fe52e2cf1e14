//! Room for a snapshot where the program may have only so much address space: what it is about to lack, its clone would
//! lack as well.

use std::ffi::{CString, c_char};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicPtr, Ordering::Relaxed};

/// Of a limited address space one part of so many is set aside, and no less or more than that.
const PART: u64 = 16;
const LEAST: u64 = 8 << 20;
const MOST: u64 = 64 << 20;

static ASIDE: AtomicPtr<libc::c_void> = AtomicPtr::new(ptr::null_mut());
/// Whether this is the clone that writes.
static IS_CLONE: AtomicBool = AtomicBool::new(false);
/// What the clone has not finished.
static UNFINISHED: AtomicPtr<c_char> = AtomicPtr::new(ptr::null_mut());

fn limit() -> Option<libc::rlimit> {
    // SAFETY: all zeros are a valid value, and the place is.
    unsafe {
        let mut limit: libc::rlimit = std::mem::zeroed();
        (libc::getrlimit(libc::RLIMIT_AS, &raw mut limit) == 0).then_some(limit)
    }
}

fn bytes(limit: u64) -> usize {
    (limit / PART).clamp(LEAST, MOST) as usize
}

/// Takes addresses, and no memory, where there is a limit that a clone could not raise.
pub fn set_aside() {
    let Some(limit) = limit().filter(|limit| limit.rlim_max != libc::RLIM_INFINITY) else {
        return;
    };
    // SAFETY: a fresh mapping that nobody may touch.
    let aside = unsafe {
        libc::mmap(
            ptr::null_mut(),
            bytes(limit.rlim_max),
            libc::PROT_NONE,
            libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE,
            -1,
            0,
        )
    };
    if aside != libc::MAP_FAILED {
        ASIDE.store(aside, Relaxed);
    }
}

/// In the clone: gives the addresses back, and raises the limit as far as it goes.
pub fn open() {
    IS_CLONE.store(true, Relaxed);
    let Some(mut limit) = limit() else { return };
    let aside = ASIDE.load(Relaxed);
    // SAFETY: mapped by `set_aside` with that length, and used by nobody; the structure is valid.
    unsafe {
        if !aside.is_null() {
            libc::munmap(aside, bytes(limit.rlim_max));
        }
        limit.rlim_cur = limit.rlim_max;
        libc::setrlimit(libc::RLIMIT_AS, &raw const limit);
    }
}

/// In the clone: notes what is to be taken away should memory not be enough.
pub fn give_up_with(unfinished: &Path) {
    if IS_CLONE.load(Relaxed)
        && let Ok(path) = CString::new(unfinished.as_os_str().as_bytes())
    {
        UNFINISHED.store(path.into_raw(), Relaxed);
    }
}

/// In the clone: ends it, because there is no memory to go on with. Elsewhere nothing happens.
pub fn give_up() {
    if !IS_CLONE.load(Relaxed) {
        return;
    }
    let unfinished = UNFINISHED.load(Relaxed);
    // SAFETY: a path that was kept for this; the clone ends without running anything of the program.
    unsafe {
        if !unfinished.is_null() {
            libc::unlink(unfinished);
        }
        libc::syscall(libc::SYS_exit_group, 1);
    }
}
