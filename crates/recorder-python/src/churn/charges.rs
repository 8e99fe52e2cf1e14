//! What a block is charged, noted beside it when it is made.

use crate::blocks::Usable;
use crate::raw::{Address, word};

/// Requests up to this size come from pools, in steps of this one.
const LARGEST: usize = 512;
const STEP: usize = 16;

/// Beside a block: its site, above how many steps it has, less one, or that it is the C library's.
pub const SHIFT: u32 = 6;
pub const LARGE: u32 = (1 << SHIFT) - 1;

/// How blocks are charged.
#[derive(Clone, Copy)]
pub struct Charges {
    /// Whether small blocks come from pymalloc's pools.
    pub has_pools: bool,
    /// What an allocator other than glibc's says of its blocks.
    pub usable: Option<Usable>,
}

impl Charges {
    /// Whether a new block is the C library's: pymalloc makes none of nothing.
    #[inline]
    pub fn is_large(&self, asked: usize) -> bool {
        !self.has_pools || asked > LARGEST || asked == 0
    }

    /// How a block is charged, as it stands beside it.
    #[inline]
    pub fn size(is_large: bool, asked: usize) -> u32 {
        if is_large {
            LARGE
        } else {
            (asked.clamp(1, LARGEST) as u32 - 1) / STEP as u32
        }
    }

    /// The bytes of a block with that beside it.
    ///
    /// # Safety
    /// It is alive.
    #[inline]
    pub unsafe fn of(&self, block: Address, size: u32) -> u64 {
        if size != LARGE {
            return u64::from(size + 1) * STEP as u64;
        }
        // SAFETY: the caller's promise.
        unsafe {
            match self.usable {
                Some(usable) => usable(block as *mut _) as u64,
                None => chunk(block),
            }
        }
    }
}

/// The bytes of a block of glibc's, its header included.
///
/// # Safety
/// The word before the block can be read; it says nothing where the block is another's.
#[inline]
pub unsafe fn chunk(block: Address) -> u64 {
    const BITS: usize = 7;
    // SAFETY: the caller's promise.
    (unsafe { word(block - 8) } & !BITS) as u64
}
