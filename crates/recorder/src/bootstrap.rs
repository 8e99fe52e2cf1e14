//! Memory for the few requests made while the real allocator is being looked up: the lookup itself may allocate.

use std::cell::UnsafeCell;
use std::ffi::c_void;
use std::ptr;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

const BYTES: usize = 64 << 10;
/// In front of each block, its size, so that it can be reallocated.
const HEAD: usize = 16;

#[repr(align(4096))]
struct Arena(UnsafeCell<[u8; BYTES]>);

// SAFETY: each byte is given out once.
unsafe impl Sync for Arena {}

static ARENA: Arena = Arena(UnsafeCell::new([0; BYTES]));
static USED: AtomicUsize = AtomicUsize::new(0);

/// Zeroed memory that is never given back; null when there is no more.
pub fn allocate(size: usize, alignment: usize) -> *mut c_void {
    let alignment = alignment.clamp(HEAD, 4096);
    let Some(bytes) = size.checked_add(alignment + HEAD).filter(|bytes| *bytes <= BYTES) else {
        return ptr::null_mut();
    };
    let start = USED.fetch_add(bytes.next_multiple_of(HEAD), Relaxed);
    if start + bytes > BYTES {
        return ptr::null_mut();
    }
    let block = (ARENA.0.get() as usize + start + HEAD).next_multiple_of(alignment);
    // SAFETY: head and block lie within the bytes just taken.
    unsafe { *((block - HEAD) as *mut usize) = size };
    block as *mut c_void
}

/// Whether a block came from here.
#[inline]
pub fn owns(block: *const c_void) -> bool {
    (block as usize).wrapping_sub(ARENA.0.get() as usize) < BYTES
}

/// The size of a block from here.
pub fn size(block: *const c_void) -> usize {
    // SAFETY: every block from here has its size in front.
    unsafe { *block.cast::<u8>().sub(HEAD).cast::<usize>() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_aligned_and_know_their_size() {
        for (size, alignment) in [(1, 1), (100, 16), (33, 64), (0, 4096)] {
            let block = allocate(size, alignment);
            assert!(owns(block));
            assert!((block as usize).is_multiple_of(alignment));
            assert_eq!(super::size(block), size);
        }
        assert!(allocate(BYTES, 16).is_null());
        assert!(!owns((&raw const USED).cast()));
    }
}
