//! The allocator: large pieces from the file, once there is one, or else from pages of their own, and all others from the
//! system.

use std::alloc::{GlobalAlloc, Layout, System};

#[cfg(target_os = "linux")]
use crate::{pages, region};

/// The system's allocator, which gives large pieces pages of their own, or from a file once [`crate::keep_to`] was called.
#[derive(Clone, Copy, Debug, Default)]
pub struct Spilling;

// SAFETY: a piece comes from the region, from pages of its own or from the system, and goes back to where its address and
// its size say it came from. Pieces of the region overlap no others, as each has addresses that none had before it.
#[cfg(target_os = "linux")]
unsafe impl GlobalAlloc for Spilling {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        match region::take(layout) {
            Some(piece) => piece,
            None if pages::is_for(layout) => pages::take(layout),
            // SAFETY: the caller's promise.
            None => unsafe { System.alloc(layout) },
        }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // What was never written of a file is zero.
        match region::take(layout) {
            Some(piece) => piece,
            None if pages::is_for(layout) => pages::take_zeroed(layout),
            // SAFETY: the caller's promise.
            None => unsafe { System.alloc_zeroed(layout) },
        }
    }

    unsafe fn dealloc(&self, piece: *mut u8, layout: Layout) {
        if region::give(piece, layout.size()) {
            return;
        }
        // SAFETY: the caller's promise, and it is not of the region.
        unsafe {
            if pages::is_for(layout) {
                pages::give(piece, layout.size());
            } else {
                System.dealloc(piece, layout);
            }
        }
    }

    unsafe fn realloc(&self, piece: *mut u8, layout: Layout, bytes: usize) -> *mut u8 {
        // SAFETY: the caller's promise that the new size is possible with this alignment.
        let wanted = unsafe { Layout::from_size_align_unchecked(bytes, layout.align()) };
        let of_region = region::has(piece);
        if of_region && region::fits(piece, layout.size(), bytes) {
            return piece;
        }
        if !of_region && !region::is_for(wanted) {
            match (pages::is_for(layout), pages::is_for(wanted)) {
                // SAFETY: the caller's promise, and it has pages of its own.
                (true, true) => return unsafe { pages::resize(piece, layout.size(), bytes) },
                // SAFETY: the caller's promise, and it is the system's.
                (false, false) => return unsafe { System.realloc(piece, layout, bytes) },
                _ => {}
            }
        }
        // SAFETY: both pieces have as many bytes as are copied, and the new one is no other's.
        unsafe {
            let moved = self.alloc(wanted);
            if !moved.is_null() {
                moved.copy_from_nonoverlapping(piece, layout.size().min(bytes));
                self.dealloc(piece, layout);
            }
            moved
        }
    }
}

// SAFETY: each call goes to the system's allocator as it came.
#[cfg(not(target_os = "linux"))]
unsafe impl GlobalAlloc for Spilling {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, piece: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(piece, layout) }
    }
}
