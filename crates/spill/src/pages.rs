//! Large pieces of memory, mapped one by one: what grows is moved without being copied, and what is given back is
//! [kept](super::kept) for the next, or goes back to the system at once. The system's allocator keeps pieces of up to
//! 32 MiB for later, and never gives pages of several to one.

use std::alloc::Layout;
use std::ptr;

use super::kept::{self, Piece};

/// Smaller pieces are the system allocator's, which has used pages at hand for them.
const LARGE: usize = 1 << 20;
pub const PAGE: usize = 4096;

/// Whether a piece is mapped by itself.
pub fn is_for(layout: Layout) -> bool {
    layout.size() >= LARGE && layout.align() <= PAGE
}

/// A piece; null when there is no memory.
pub fn take(layout: Layout) -> *mut u8 {
    find(layout.size()).0
}

/// A piece, all zero; null when there is no memory.
pub fn take_zeroed(layout: Layout) -> *mut u8 {
    let (piece, used) = find(layout.size());
    if used > 0 {
        // SAFETY: the first bytes of a piece that was found.
        unsafe { piece.write_bytes(0, used) };
    }
    piece
}

/// A piece, and how many of its first bytes were in use before: all others are zero.
fn find(bytes: usize) -> (*mut u8, usize) {
    let bytes = bytes.next_multiple_of(PAGE);
    let mut all = kept::all();
    let again = all.take(bytes);
    all.begin(bytes);
    while let Some(piece) = all.too_much() {
        unmap(piece);
    }
    let mut found = match again {
        Some(piece) if piece.bytes == bytes => return (piece.start as *mut u8, bytes),
        Some(piece) => {
            // SAFETY: pages of a mapping that nobody has.
            let grown = unsafe { remap(piece.start as *mut u8, piece.bytes, bytes) };
            if !grown.is_null() {
                return (grown, piece.bytes);
            }
            unmap(piece);
            map(bytes)
        }
        None => map(bytes),
    };
    if found.is_null() {
        // Perhaps there is memory when nothing is kept.
        while let Some(piece) = all.any() {
            unmap(piece);
        }
        found = map(bytes);
    }
    if found.is_null() {
        all.end(bytes);
    }
    (found, 0)
}

/// Gives a piece back.
///
/// # Safety
/// It came from [`take`] or [`resize`], has this size, and nobody has it any more.
pub unsafe fn give(piece: *mut u8, bytes: usize) {
    let piece = Piece {
        start: piece as usize,
        bytes: bytes.next_multiple_of(PAGE),
    };
    let mut all = kept::all();
    all.end(piece.bytes);
    if !all.put(piece) {
        unmap(piece);
    }
    while let Some(piece) = all.too_much() {
        unmap(piece);
    }
}

/// Makes a piece larger or smaller; null when there is no memory, and the piece then stays as it is.
///
/// # Safety
/// It came from [`take`] or [`resize`], has this size, and nobody but the caller has it.
pub unsafe fn resize(piece: *mut u8, from: usize, to: usize) -> *mut u8 {
    let (from, to) = (from.next_multiple_of(PAGE), to.next_multiple_of(PAGE));
    // SAFETY: the caller's promise.
    let resized = unsafe { remap(piece, from, to) };
    if !resized.is_null() {
        let mut all = kept::all();
        all.end(from);
        all.begin(to);
        while let Some(piece) = all.too_much() {
            unmap(piece);
        }
    }
    resized
}

fn map(bytes: usize) -> *mut u8 {
    // SAFETY: a fresh mapping of memory.
    found(unsafe {
        libc::mmap(
            ptr::null_mut(),
            bytes,
            libc::PROT_READ | libc::PROT_WRITE,
            libc::MAP_PRIVATE | libc::MAP_ANONYMOUS,
            -1,
            0,
        )
    })
}

/// Pages moved to where there is room for more, or cut.
///
/// # Safety
/// They are of one mapping, and nobody but the caller has them.
unsafe fn remap(piece: *mut u8, from: usize, to: usize) -> *mut u8 {
    // SAFETY: the caller's promise.
    found(unsafe { libc::mremap(piece.cast(), from, to, libc::MREMAP_MAYMOVE) })
}

fn unmap(piece: Piece) {
    // SAFETY: what is kept is nobody's.
    unsafe { libc::munmap(piece.start as *mut libc::c_void, piece.bytes) };
}

fn found(piece: *mut libc::c_void) -> *mut u8 {
    if piece == libc::MAP_FAILED {
        ptr::null_mut()
    } else {
        piece.cast()
    }
}
