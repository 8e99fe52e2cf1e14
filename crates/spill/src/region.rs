//! The file and its mapping: one stretch of addresses, of which each is given out once. What is given back leaves a hole
//! in the file, so that only what is in use takes room on the disk.

use std::alloc::Layout;
use std::io;
use std::os::fd::{AsRawFd, IntoRawFd};
use std::path::Path;
use std::ptr;
use std::sync::atomic::{
    AtomicBool, AtomicI32, AtomicUsize,
    Ordering::{AcqRel, Acquire, Relaxed, Release},
};

/// Smaller pieces stay in memory: there are too many of them for a page each.
const LARGE: usize = 128 << 10;
const PAGE: usize = 4096;

/// Addresses that are set aside at most; the file has as many bytes, nearly all of them holes.
const MOST: usize = 1 << 40;
/// File systems that cannot have such a file get smaller ones, down to this.
const LEAST: usize = 1 << 34;

static IS_OPEN: AtomicBool = AtomicBool::new(false);
static BASE: AtomicUsize = AtomicUsize::new(0);
static BYTES: AtomicUsize = AtomicUsize::new(0);
static FILE: AtomicI32 = AtomicI32::new(-1);
/// Whether the disk had no room when some was asked for.
static IS_FULL: AtomicBool = AtomicBool::new(false);
/// Bytes of the stretch that were given out.
static NEXT: AtomicUsize = AtomicUsize::new(0);

/// Makes the file. Later calls do nothing.
pub fn begin(directory: &Path) -> io::Result<()> {
    if FILE.load(Acquire) >= 0 {
        return Ok(());
    }
    let file = tempfile::tempfile_in(directory)?;
    let mut bytes = MOST;
    while let Err(error) = file.set_len(bytes as u64) {
        bytes /= 2;
        if bytes < LEAST {
            return Err(error);
        }
    }
    // SAFETY: a fresh mapping of a file that nobody else can open.
    let base = unsafe {
        libc::mmap(
            ptr::null_mut(),
            bytes,
            libc::PROT_READ | libc::PROT_WRITE,
            libc::MAP_SHARED | libc::MAP_NORESERVE,
            file.as_raw_fd(),
            0,
        )
    };
    if base == libc::MAP_FAILED {
        return Err(io::Error::last_os_error());
    }
    BASE.store(base as usize, Relaxed);
    BYTES.store(bytes, Relaxed);
    // It stays open as long as the process, and goes with it.
    FILE.store(file.into_raw_fd(), Relaxed);
    IS_OPEN.store(true, Release);
    Ok(())
}

/// Whether a piece belongs into the file.
pub fn is_for(layout: Layout) -> bool {
    layout.size() >= LARGE && layout.align() <= PAGE && IS_OPEN.load(Acquire)
}

/// A piece of the file, all zero; nothing when it is too small for that, or the disk has no room left.
pub fn take(layout: Layout) -> Option<*mut u8> {
    if !is_for(layout) {
        return None;
    }
    let bytes = layout.size().checked_next_multiple_of(PAGE)?;
    let start = NEXT.fetch_add(bytes, AcqRel);
    if start.checked_add(bytes)? > BYTES.load(Relaxed) {
        return None;
    }
    // Room on the disk is asked for now: a page that finds none when it is written ends the process.
    // SAFETY: the file is open.
    let has_room =
        unsafe { libc::fallocate(FILE.load(Relaxed), 0, start as libc::off_t, bytes as libc::off_t) } == 0;
    if !has_room {
        IS_FULL.store(true, Relaxed);
    }
    has_room.then(|| (BASE.load(Relaxed) + start) as *mut u8)
}

/// Whether pieces stayed in memory because the disk had no room.
pub fn is_full() -> bool {
    IS_FULL.load(Relaxed)
}

/// Whether a piece is of the file.
pub fn has(piece: *mut u8) -> bool {
    let base = BASE.load(Relaxed);
    base != 0 && (base..base + BYTES.load(Relaxed)).contains(&(piece as usize))
}

/// Takes a piece back; false when it is not of the file.
pub fn give(piece: *mut u8, bytes: usize) -> bool {
    if !has(piece) {
        return false;
    }
    hole(piece as usize - BASE.load(Relaxed), bytes.next_multiple_of(PAGE));
    true
}

/// Whether a piece of the file can stay where it is with another size, which is so when it gets no more pages.
pub fn fits(piece: *mut u8, from: usize, to: usize) -> bool {
    let (from, kept) = (from.next_multiple_of(PAGE), to.next_multiple_of(PAGE));
    if kept > from || kept == 0 {
        return false;
    }
    if kept < from {
        hole(piece as usize - BASE.load(Relaxed) + kept, from - kept);
    }
    true
}

fn hole(start: usize, bytes: usize) {
    // A hole that cannot be made only leaves the room taken.
    // SAFETY: the file is open, and nobody has these pages any more.
    unsafe {
        libc::fallocate(
            FILE.load(Relaxed),
            libc::FALLOC_FL_PUNCH_HOLE | libc::FALLOC_FL_KEEP_SIZE,
            start as libc::off_t,
            bytes as libc::off_t,
        )
    };
}

/// Lets go of all pages that are in memory: the file has what stands in them.
pub fn let_go() {
    let bytes = NEXT.load(Acquire).min(BYTES.load(Relaxed));
    // SAFETY: pages of a shared mapping are read again from the file when they are next asked for.
    unsafe {
        libc::madvise(
            BASE.load(Relaxed) as *mut libc::c_void,
            bytes,
            libc::MADV_DONTNEED,
        )
    };
}
