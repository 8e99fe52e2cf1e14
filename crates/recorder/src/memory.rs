//! The recorder's own memory: straight from the kernel, counted, and bounded by a limit of its own.
//!
//! Nothing here ever calls the program's allocator, so recording cannot disturb what it records.

use std::alloc::{GlobalAlloc, Layout};
use std::ptr::{self, NonNull};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

const PAGE: usize = 4096;
/// Blocks of this size and more are asked to lie in huge pages.
const LARGE: usize = 4 << 20;

/// Bytes of one [`piece`].
pub const PIECE: usize = 64 << 10;
/// What pieces are cut from: as large as a huge page.
const AREA: usize = 2 << 20;
/// A recorder that holds less maps each piece by itself.
const SMALL: usize = 4 << 20;

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

/// Where the next piece begins; a multiple of [`AREA`] when the area is used up, as it is before the first one.
static NEXT_PIECE: AtomicUsize = AtomicUsize::new(0);

/// Fresh zeroed memory of [`PIECE`] bytes, which is never given back.
///
/// Pieces are cut from areas that may lie in one huge page: tables that grow with the program then cost a fault for
/// every 2 MiB, and their look-ups miss fewer translations. The first area is mapped piece by piece, so that a small
/// program does not pay for it.
pub fn piece() -> Option<NonNull<u8>> {
    loop {
        let next = NEXT_PIECE.load(Relaxed);
        if !next.is_multiple_of(AREA) {
            // Areas are never unmapped, so an address that is still the next one is still free.
            if NEXT_PIECE
                .compare_exchange_weak(next, next + PIECE, Relaxed, Relaxed)
                .is_ok()
            {
                return NonNull::new(next as *mut u8);
            }
            continue;
        }
        if HELD.load(Relaxed) < SMALL {
            return map(PIECE);
        }
        let area = huge_area()?;
        let first = area.as_ptr() as usize;
        if NEXT_PIECE
            .compare_exchange(next, first + PIECE, Relaxed, Relaxed)
            .is_ok()
        {
            return Some(area);
        }
        // Another thread was first.
        // SAFETY: nobody has seen this area.
        unsafe { unmap(area, AREA) };
    }
}

/// An aligned mapping of [`AREA`] bytes that the kernel is asked to back by a huge page.
fn huge_area() -> Option<NonNull<u8>> {
    let wide = map(2 * AREA)?;
    let start = wide.as_ptr() as usize;
    let area = start.next_multiple_of(AREA);
    let (before, after) = (area - start, start + AREA - area);
    // SAFETY: both ends lie in the mapping just made, outside of the area; the advice changes no byte of it.
    unsafe {
        for (end, bytes) in [(start, before), (area + AREA, after)] {
            if let Some(end) = NonNull::new(end as *mut u8).filter(|_| bytes > 0) {
                unmap(end, bytes);
            }
        }
        keeping_errno(|| libc::madvise(area as *mut _, AREA, libc::MADV_HUGEPAGE));
    }
    NonNull::new(area as *mut u8)
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
            crate::snapshot::room::give_up();
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
            crate::snapshot::room::give_up();
            return ptr::null_mut();
        }
        HELD.fetch_add(after, Relaxed);
        HELD.fetch_sub(before, Relaxed);
        moved.cast()
    }
}
