//! What a block is charged: by the pool it stands in, or by the C library.

use std::ffi::c_void;

use crate::live::each_there;
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

/// A node of pymalloc's map of arenas covers 16 GB of addresses, 2 to the power of this (`MAP_BOT_BITS` and `ARENA_BITS` in
/// `Objects/obmalloc.c` or `pycore_obmalloc.h`, since 3.10).
const MAP_NODE_BITS: u32 = 34;

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
    /// Nodes that the allocator's map of arenas needs for them.
    pub map_nodes: u64,
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

    /// Whether a block of Python's allocator or the C library's has room for so many bytes.
    pub fn can_have(&self, at: Address, bytes: usize) -> bool {
        if self.maps.is_static(at) {
            return true;
        }
        let pool = at & !(self.pool - 1);
        let of_pool = self.has_pools.then(|| self.size_class(pool, at)).flatten();
        of_pool.map_or_else(|| self.chunk(at, bytes).is_some(), |size| bytes <= size)
    }

    fn size_class(&self, pool: Address, at: Address) -> Option<usize> {
        if !self.maps.holds(pool, self.pool) {
            return None;
        }
        // SAFETY: all of it is mapped.
        let size = unsafe { Header::read(pool) }.size_class(self.pool)?;
        let fits = at >= pool + POOL_HEADER && (at - pool - POOL_HEADER).is_multiple_of(size);
        fits.then_some(size)
    }

    fn large(&self, at: Address, asked: usize) -> u64 {
        self.chunk(at, asked).unwrap_or(asked) as u64
    }

    /// What the C library's allocator takes for a block of so many bytes: glibc has the size of its chunk before it. `None`
    /// for what is no block of `malloc` (memory that an extension takes from elsewhere), which has anything there.
    fn chunk(&self, at: Address, asked: usize) -> Option<usize> {
        const BITS: usize = 7;
        if !at.is_multiple_of(STEP) || !self.maps.holds(at - 8, 8) {
            return None;
        }
        let chunk = match self.usable {
            // SAFETY: the word is mapped.
            None => unsafe { word(at - 8) & !BITS },
            // SAFETY: what was asked for as one block is one of that allocator.
            Some(usable) => unsafe { usable(at as *mut c_void) },
        };
        let most = asked.saturating_mul(2).saturating_add(4096);
        (asked..=most).contains(&chunk).then_some(chunk)
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
///
/// The system reads them: what is mapped need not be readable, as the last page of a thread's stack is not since glibc 2.42
/// (`MADV_GUARD_INSTALL`, which `/proc/self/maps` does not show), and other threads may give memory back meanwhile.
pub fn pools_of(maps: &Maps, bytes: usize) -> InPools {
    let mut sum = InPools::default();
    let mut node = None;
    each_there(places(maps, bytes), |at, header| {
        let is_pool = sum.add(Header::of(header), bytes);
        if is_pool && node.replace(at >> MAP_NODE_BITS) != Some(at >> MAP_NODE_BITS) {
            sum.map_nodes += 1;
        }
    });
    sum
}

/// Where a pool may begin.
fn places(maps: &Maps, bytes: usize) -> impl Iterator<Item = Address> {
    maps.own().flat_map(move |(start, end)| {
        let begins = (start.next_multiple_of(bytes)..end).step_by(bytes);
        begins.take_while(move |at| at + bytes <= end)
    })
}

impl InPools {
    /// Counts a pool; gives whether it is one.
    fn add(&mut self, header: Header, bytes: usize) -> bool {
        let Some(size) = header.size_class(bytes) else {
            return false;
        };
        let used = header.used as u64;
        self.pools += 1;
        self.blocks += used;
        self.bytes += used * size as u64;
        self.unused += bytes as u64 - used * size as u64;
        true
    }
}

/// What a pool says of itself, or what stands there in memory that is none.
#[derive(Clone, Copy)]
struct Header {
    used: usize,
    class: usize,
    last: usize,
}

impl Header {
    /// # Safety
    /// The address is that of readable memory.
    unsafe fn read(at: Address) -> Self {
        // SAFETY: the caller's promise.
        let half = |place: usize| unsafe { half(at + place) } as usize;
        Self {
            used: half(0),
            class: half(SIZE_CLASS),
            last: half(LARGEST_OFFSET),
        }
    }

    fn of(bytes: &[u8; POOL_HEADER]) -> Self {
        let half = |place: usize| {
            let bytes = bytes[place..place + 4].first_chunk().copied();
            u32::from_ne_bytes(bytes.unwrap_or_default()) as usize
        };
        Self {
            used: half(0),
            class: half(SIZE_CLASS),
            last: half(LARGEST_OFFSET),
        }
    }

    /// The size of its blocks; `None` for what is no pool with blocks in use.
    fn size_class(self, pool: usize) -> Option<usize> {
        let Self { used, class, last } = self;
        let size = class.checked_add(1)?.checked_mul(STEP)?;
        let is_pool =
            class < LARGEST / STEP && last == pool - size && used > 0 && used <= (pool - POOL_HEADER) / size;
        is_pool.then_some(size)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const POOL: usize = 16 << 10;

    #[test]
    fn pools_are_counted_beside_pages_that_cannot_be_read() {
        let mut memory = vec![0_u8; 3 * POOL];
        let start = (memory.as_ptr() as usize).next_multiple_of(POOL);
        let header = start - memory.as_ptr() as usize;
        // Three blocks of 32 bytes.
        for (place, value) in [(0, 3_u32), (SIZE_CLASS, 1), (LARGEST_OFFSET, (POOL - 32) as u32)] {
            memory[header + place..header + place + 4].copy_from_slice(&value.to_ne_bytes());
        }
        // Nothing is ever mapped at the first.
        let text = format!(
            "4000-8000 rw-p 0 00:0 0 \n{start:x}-{:x} rw-p 0 00:0 0 \n",
            start + POOL
        );
        let found = pools_of(&Maps::of(text.as_bytes(), Vec::new()), POOL);
        assert_eq!(
            (found.pools, found.blocks, found.bytes, found.map_nodes),
            (1, 3, 96, 1)
        );
    }
}
