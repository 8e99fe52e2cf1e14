//! What a block is charged: by the pool it stands in, or by the C library.

use std::ffi::c_void;

use crate::maps::Maps;
use crate::raw::{Address, half, word};

/// Requests up to this size come from pools.
const LARGEST: usize = 512;
/// A pool's own bytes at its start: blocks in use (u32 at 0), number of its size class (u32 at 36), its largest offset.
const POOL_HEADER: usize = 48;
const SIZE_CLASS: usize = 36;
const LARGEST_OFFSET: usize = 44;
/// Sizes are multiples of it.
const STEP: usize = 16;

/// `malloc_usable_size`.
pub type Usable = unsafe extern "C" fn(*mut c_void) -> usize;

/// The allocator's blocks.
pub struct Blocks {
    maps: Maps,
    pool: usize,
    has_pools: bool,
    /// What another C library's allocator, or one that was loaded before it, says of its blocks.
    usable: Option<Usable>,
    /// In pools: charged to objects, in blocks and bytes.
    charged: (u64, u64),
}

/// What pools hold.
#[derive(Clone, Copy, Debug, Default)]
pub struct InPools {
    pub pools: u64,
    pub blocks: u64,
    pub bytes: u64,
    pub unused: u64,
    /// Of these, charged to objects.
    pub charged_blocks: u64,
    pub charged_bytes: u64,
}

impl Blocks {
    /// With `has_pools` small requests are pymalloc's; else all are the C library's.
    pub fn new(maps: Maps, pool: usize, has_pools: bool, usable: Option<Usable>) -> Self {
        Self {
            maps,
            pool,
            has_pools,
            usable,
            charged: (0, 0),
        }
    }

    pub fn maps(&self) -> &Maps {
        &self.maps
    }

    /// The bytes charged for a block at an address; `None` where it is none, but memory of a file.
    pub fn charge(&mut self, at: Address, asked: usize) -> Option<u64> {
        if self.maps.is_static(at) {
            return None;
        }
        if self.has_pools && asked <= LARGEST {
            let pool = at & !(self.pool - 1);
            if let Some(size) = self.size_class(pool, at) {
                self.charged.0 += 1;
                self.charged.1 += size as u64;
                return Some(size as u64);
            }
        }
        Some(self.large(at, asked))
    }

    /// The same for what an extension asks of the C library itself.
    pub fn charge_raw(&self, at: Address, asked: usize) -> Option<u64> {
        (!self.maps.is_static(at)).then(|| self.large(at, asked))
    }

    fn size_class(&self, pool: Address, at: Address) -> Option<usize> {
        if !self.maps.holds(pool, self.pool) {
            return None;
        }
        let size = header(pool, self.pool)?;
        let fits = at >= pool + POOL_HEADER && (at - pool - POOL_HEADER).is_multiple_of(size);
        fits.then_some(size)
    }

    /// What the C library's allocator takes for a block: glibc has the size of its chunk before it.
    fn large(&self, at: Address, asked: usize) -> u64 {
        const BITS: usize = 7;
        if !at.is_multiple_of(STEP) || !self.maps.holds(at - 8, 8) {
            return asked as u64;
        }
        let chunk = match self.usable {
            // SAFETY: the word is mapped.
            None => unsafe { word(at - 8) & !BITS },
            // SAFETY: what was asked for as one block is one of that allocator.
            Some(usable) => unsafe { usable(at as *mut c_void) },
        };
        // What is no block of `malloc` (memory that an extension takes from elsewhere) has anything there.
        let is_chunk = chunk >= asked && chunk <= asked * 2 + 4096;
        if is_chunk { chunk as u64 } else { asked as u64 }
    }

    /// What pools hold, and what of it was charged.
    pub fn in_pools(&self) -> InPools {
        let pools = if self.has_pools {
            pools_of(&self.maps, self.pool)
        } else {
            InPools::default()
        };
        InPools {
            charged_blocks: self.charged.0,
            charged_bytes: self.charged.1,
            ..pools
        }
    }
}

/// All pools with blocks in use, of `bytes` each.
pub fn pools_of(maps: &Maps, bytes: usize) -> InPools {
    let mut sum = InPools::default();
    for (start, end) in maps.own() {
        let mut at = start.next_multiple_of(bytes);
        while at + bytes <= end {
            if let Some(size) = header(at, bytes) {
                // SAFETY: the pool is mapped.
                let used = u64::from(unsafe { half(at) });
                sum.pools += 1;
                sum.blocks += used;
                sum.bytes += used * size as u64;
                sum.unused += bytes as u64 - used * size as u64;
            }
            at += bytes;
        }
    }
    sum
}

/// The size class of a pool with blocks in use; `None` for what is no pool.
fn header(pool: Address, bytes: usize) -> Option<usize> {
    // SAFETY: the caller has seen that all of it is mapped.
    let (used, class, last) = unsafe {
        (
            half(pool) as usize,
            half(pool + SIZE_CLASS) as usize,
            half(pool + LARGEST_OFFSET) as usize,
        )
    };
    let size = (class + 1) * STEP;
    let is_pool =
        class < LARGEST / STEP && last == bytes - size && used > 0 && used <= (bytes - POOL_HEADER) / size;
    is_pool.then_some(size)
}
