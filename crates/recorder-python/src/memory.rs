//! The allocator of this library: pages of its own.
//!
//! The clone that writes a dump must not call `malloc`, whose locks other threads may have held. Pieces up to 64 KiB are
//! powers of two cut from chunks and kept for reuse; larger ones are mappings, which grow where the kernel moves them.

use std::alloc::{GlobalAlloc, Layout};
use std::ptr;
use std::sync::atomic::{AtomicBool, Ordering};

/// Pieces from 16 bytes to 64 KiB.
const CLASSES: usize = 13;
const SMALLEST: usize = 16;
const LARGEST: usize = SMALLEST << (CLASSES - 1);
const CHUNK: usize = 1 << 20;

struct Pieces {
    free: [*mut u8; CLASSES],
    next: *mut u8,
    left: usize,
}

/// Pages from the kernel.
pub struct Pages;

#[cfg_attr(not(test), global_allocator)]
#[cfg_attr(
    test,
    expect(dead_code, reason = "tests run on many threads of a common allocator")
)]
static PAGES: Pages = Pages;

static LOCK: AtomicBool = AtomicBool::new(false);
static mut PIECES: Pieces = Pieces {
    free: [ptr::null_mut(); CLASSES],
    next: ptr::null_mut(),
    left: 0,
};

fn class(size: usize) -> usize {
    size.max(SMALLEST).next_power_of_two().trailing_zeros() as usize - SMALLEST.trailing_zeros() as usize
}

/// The size of a piece, where it is no mapping. Alignments above a piece's size are a larger piece's.
fn piece(layout: Layout) -> Option<usize> {
    let size = layout.size().max(layout.align());
    (size <= LARGEST).then(|| class(size))
}

/// Runs `work` alone.
fn locked<T>(work: impl FnOnce(&mut Pieces) -> T) -> T {
    while LOCK.swap(true, Ordering::Acquire) {
        std::hint::spin_loop();
    }
    let pieces = &raw mut PIECES;
    // SAFETY: the lock makes this the only reference.
    let result = work(unsafe { &mut *pieces });
    LOCK.store(false, Ordering::Release);
    result
}

fn map(size: usize) -> *mut u8 {
    let (protection, flags) = (
        libc::PROT_READ | libc::PROT_WRITE,
        libc::MAP_PRIVATE | libc::MAP_ANONYMOUS,
    );
    // SAFETY: a new mapping touches no other.
    let mapped = unsafe { libc::mmap(ptr::null_mut(), size, protection, flags, -1, 0) };
    if mapped == libc::MAP_FAILED {
        ptr::null_mut()
    } else {
        mapped.cast()
    }
}

#[expect(
    clippy::cast_ptr_alignment,
    reason = "the smallest piece is as large as two addresses"
)]
// SAFETY: pieces are aligned to their size, mappings to pages; nobody else has either.
unsafe impl GlobalAlloc for Pages {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let Some(class) = piece(layout) else {
            return map(layout.size());
        };
        locked(|pieces| {
            let first = pieces.free[class];
            if !first.is_null() {
                // SAFETY: a free piece begins with the address of the next.
                pieces.free[class] = unsafe { first.cast::<*mut u8>().read() };
                return first;
            }
            let size = SMALLEST << class;
            let skipped = pieces.next.align_offset(size);
            if pieces.next.is_null() || pieces.left < size + skipped {
                pieces.next = map(CHUNK);
                pieces.left = if pieces.next.is_null() { 0 } else { CHUNK };
            } else {
                // SAFETY: within the chunk.
                pieces.next = unsafe { pieces.next.add(skipped) };
                pieces.left -= skipped;
            }
            if pieces.left < size {
                return ptr::null_mut();
            }
            let piece = pieces.next;
            // SAFETY: within the chunk, or its end.
            pieces.next = unsafe { piece.add(size) };
            pieces.left -= size;
            piece
        })
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        match piece(layout) {
            Some(class) => locked(|pieces| {
                // SAFETY: the piece is the caller's to give back, and has room for an address.
                unsafe { at.cast::<*mut u8>().write(pieces.free[class]) };
                pieces.free[class] = at;
            }),
            // SAFETY: a mapping of that size.
            None => unsafe {
                libc::munmap(at.cast(), layout.size());
            },
        }
    }

    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller's promise: `at` is of that layout.
        unsafe {
            let new = Layout::from_size_align_unchecked(size, layout.align());
            match (piece(layout), piece(new)) {
                (None, None) => {
                    let moved = libc::mremap(at.cast(), layout.size(), size, libc::MREMAP_MAYMOVE);
                    if moved == libc::MAP_FAILED {
                        ptr::null_mut()
                    } else {
                        moved.cast()
                    }
                }
                (old, new) if old == new => at,
                _ => {
                    let to = self.alloc(new);
                    if !to.is_null() {
                        ptr::copy_nonoverlapping(at, to, layout.size().min(size));
                        self.dealloc(at, layout);
                    }
                    to
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_apart_aligned_and_used_again() {
        let of = |size, align| Layout::from_size_align(size, align).unwrap();
        // SAFETY: each piece is used within its layout and given back once.
        unsafe {
            let mut given = Vec::new();
            for (size, align) in [
                (1, 1),
                (16, 8),
                (17, 8),
                (100, 64),
                (8, 4096),
                (70_000, 16),
                (1 << 20, 8),
            ] {
                let at = Pages.alloc(of(size, align));
                assert!(!at.is_null() && at.align_offset(align) == 0, "{size} {align}");
                at.write_bytes(size as u8, size);
                given.push((at, size, align));
            }
            for &(at, size, align) in &given {
                assert_eq!((at.read(), at.add(size - 1).read()), (size as u8, size as u8));
                let grown = Pages.realloc(at, of(size, align), size * 3);
                assert_eq!(grown.add(size - 1).read(), size as u8);
                Pages.dealloc(grown, of(size * 3, align));
            }
            let first = Pages.alloc(of(48, 8));
            Pages.dealloc(first, of(48, 8));
            assert_eq!(Pages.alloc(of(40, 8)), first);
        }
    }
}
