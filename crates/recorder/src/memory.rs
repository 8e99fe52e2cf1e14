//! The recorder's own memory: straight from the kernel, counted, and bounded by a limit of its own.
//!
//! Nothing here ever calls the program's allocator, so recording cannot disturb what it records.

use std::alloc::{GlobalAlloc, Layout};
use std::ptr::{self, NonNull};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

const PAGE: usize = 4096;
/// Blocks of this size and more are asked to lie in huge pages.
const LARGE: usize = 4 << 20;

static HELD: AtomicUsize = AtomicUsize::new(0);
static LIMIT: AtomicUsize = AtomicUsize::new(usize::MAX);

/// Bytes the recorder holds now.
pub fn held() -> usize {
    HELD.load(Relaxed)
}

/// Sets the bytes the recorder may hold.
pub fn set_limit(bytes: usize) {
    LIMIT.store(bytes, Relaxed);
}

/// Runs `work` and leaves `errno` as it was, because a successful `malloc` must not be seen to change it.
pub fn keeping_errno<T>(work: impl FnOnce() -> T) -> T {
    // SAFETY: the C library gives each thread a valid place for errno.
    let place = unsafe { libc::__errno_location() };
    // SAFETY: as above.
    let before = unsafe { *place };
    let result = work();
    // SAFETY: as above.
    unsafe { *place = before };
    result
}

/// Fresh zeroed pages for `bytes`, or nothing when the limit or the machine's memory is reached.
pub fn map(bytes: usize) -> Option<NonNull<u8>> {
    let bytes = bytes.max(1).checked_next_multiple_of(PAGE)?;
    if HELD.fetch_add(bytes, Relaxed).saturating_add(bytes) > LIMIT.load(Relaxed) {
        HELD.fetch_sub(bytes, Relaxed);
        return None;
    }
    // SAFETY: a fresh anonymous mapping touches nothing that exists.
    let start = keeping_errno(|| unsafe {
        libc::mmap(
            ptr::null_mut(),
            bytes,
            libc::PROT_READ | libc::PROT_WRITE,
            libc::MAP_PRIVATE | libc::MAP_ANONYMOUS,
            -1,
            0,
        )
    });
    if start == libc::MAP_FAILED {
        HELD.fetch_sub(bytes, Relaxed);
        return None;
    }
    NonNull::new(start.cast())
}

/// Gives pages back.
///
/// # Safety
/// `start` came from [`map`] with the same `bytes`, and nobody uses it any more.
pub unsafe fn unmap(start: NonNull<u8>, bytes: usize) {
    let bytes = bytes.max(1).next_multiple_of(PAGE);
    // SAFETY: the caller vouches for the mapping.
    keeping_errno(|| unsafe { libc::munmap(start.as_ptr().cast(), bytes) });
    HELD.fetch_sub(bytes, Relaxed);
}

/// The allocator of Rust code in this library: pages for every request. It is used only when settings are read and
/// while a snapshot is written, never while recording.
pub struct Pages;

// SAFETY: every block is a mapping of its own, aligned to pages; larger alignments are refused.
unsafe impl GlobalAlloc for Pages {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if layout.align() > PAGE {
            return ptr::null_mut();
        }
        let Some(start) = map(layout.size()) else {
            return ptr::null_mut();
        };
        if layout.size() >= LARGE {
            // SAFETY: a hint for the mapping just made: a snapshot's tables cost a fault for every 2 MiB, not every 4 KiB.
            unsafe { libc::madvise(start.as_ptr().cast(), layout.size(), libc::MADV_HUGEPAGE) };
        }
        start.as_ptr()
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: fresh pages are zero already.
        unsafe { self.alloc(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        if let Some(block) = NonNull::new(block) {
            // SAFETY: it came from `alloc` with the same size.
            unsafe { unmap(block, layout.size()) };
        }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        let (before, after) = (
            layout.size().max(1).next_multiple_of(PAGE),
            size.max(1).next_multiple_of(PAGE),
        );
        if before == after {
            return block;
        }
        // SAFETY: the mapping is `before` bytes long, and the kernel moves its pages.
        let moved = unsafe { libc::mremap(block.cast(), before, after, libc::MREMAP_MAYMOVE) };
        if moved == libc::MAP_FAILED {
            return ptr::null_mut();
        }
        HELD.fetch_add(after, Relaxed);
        HELD.fetch_sub(before, Relaxed);
        moved.cast()
    }
}
