//! The live blocks: an open-addressing table in shards, 24 bytes an entry, at most three quarters full.
//!
//! Linear probing with backward shifting, so that freed entries leave nothing behind. Shards grow by half, which
//! keeps 32 to 48 bytes of table per block. Blocks of one small region of memory start at one slot: blocks allocated
//! one after the other share cache lines here as they do in the program.

use std::cell::UnsafeCell;
use std::ptr::{self, NonNull};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use crate::memory;
use crate::spin::SpinLock;

const SHARDS: usize = 64;
const FIRST_CAPACITY: usize = 4096 / size_of::<Entry>();
/// Blocks whose addresses differ only below this bit share a slot to start at.
const REGION_BITS: u32 = 8;
/// Sizes from here on are recorded as this.
const LARGEST: u64 = (1 << 44) - 1;

/// One live block, packed.
#[derive(Clone, Copy)]
#[repr(C)]
struct Entry {
    /// 0 when free.
    address: u64,
    /// Requested bytes in the upper 44 bits, upper 20 bits of the sequence below.
    size: u64,
    /// Stack in the upper 32 bits, lower 32 bits of the sequence below.
    stack: u64,
}

/// One live block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// Where it begins.
    pub address: u64,
    /// Bytes the program asked for.
    pub requested: u64,
    /// Node of the stack tree, 0 when unknown.
    pub stack: u32,
    /// Its place in the order of allocations.
    pub sequence: u64,
}

impl Entry {
    fn pack(block: Block) -> Self {
        Self {
            address: block.address,
            size: block.requested.min(LARGEST) << 20 | (block.sequence >> 32 & 0xF_FFFF),
            stack: u64::from(block.stack) << 32 | (block.sequence & 0xFFFF_FFFF),
        }
    }

    fn unpack(self) -> Block {
        Block {
            address: self.address,
            requested: self.size >> 20,
            stack: (self.stack >> 32) as u32,
            sequence: (self.size & 0xF_FFFF) << 32 | (self.stack & 0xFFFF_FFFF),
        }
    }
}

struct Slots {
    entries: *mut Entry,
    capacity: usize,
    used: usize,
}

#[repr(align(128))]
struct Shard {
    lock: SpinLock,
    slots: UnsafeCell<Slots>,
}

// SAFETY: the slots are touched under the lock only.
unsafe impl Sync for Shard {}

/// The table.
pub struct Table {
    shards: [Shard; SHARDS],
    /// No more memory: shards do not grow any further.
    full: AtomicBool,
    /// Blocks that found no room.
    pub lost: AtomicU64,
}

#[inline]
fn hash(address: u64) -> u64 {
    let mixed = (address >> REGION_BITS).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (mixed ^ mixed >> 32).wrapping_mul(0xD6E8_FEB8_6659_FD93)
}

#[inline]
fn shard_of(hash: u64) -> usize {
    (hash >> 26) as usize % SHARDS
}

impl Slots {
    #[inline]
    fn home(&self, address: u64) -> usize {
        (u128::from(hash(address)) * self.capacity as u128 >> 64) as usize
    }

    #[inline]
    fn after(&self, slot: usize) -> usize {
        if slot + 1 == self.capacity { 0 } else { slot + 1 }
    }

    /// The slot of `address`, or the free one where it belongs. There is always a free one.
    #[inline]
    fn find(&self, address: u64) -> usize {
        let mut slot = self.home(address);
        loop {
            // SAFETY: slots stay below the capacity.
            let at = unsafe { (*self.entries.add(slot)).address };
            if at == address || at == 0 {
                return slot;
            }
            slot = self.after(slot);
        }
    }

    /// Room for one more, as far as there is memory.
    fn reserve(&mut self, full: &AtomicBool) -> bool {
        if (self.used + 1) * 4 <= self.capacity * 3 {
            return true;
        }
        if !full.load(Relaxed) && self.grow() {
            return true;
        }
        full.store(true, Relaxed);
        (self.used + 1) * 8 <= self.capacity * 7
    }

    fn grow(&mut self) -> bool {
        let capacity = if self.capacity == 0 {
            FIRST_CAPACITY
        } else {
            // Whole pages, so that no part of one is wasted.
            (self.capacity * 3 / 2 * size_of::<Entry>()).next_multiple_of(4096) / size_of::<Entry>()
        };
        let Some(entries) = memory::map(capacity * size_of::<Entry>()) else {
            return false;
        };
        let larger = Self {
            entries: entries.as_ptr().cast(),
            capacity,
            used: self.used,
        };
        for slot in 0..self.capacity {
            // SAFETY: the slot is below the old capacity, the found one below the new.
            unsafe {
                let entry = *self.entries.add(slot);
                if entry.address != 0 {
                    *larger.entries.add(larger.find(entry.address)) = entry;
                }
            }
        }
        if let Some(old) = NonNull::new(self.entries.cast()) {
            // SAFETY: the old slots are copied and no longer reachable.
            unsafe { memory::unmap(old, self.capacity * size_of::<Entry>()) };
        }
        *self = larger;
        true
    }

    fn insert(&mut self, block: Block, full: &AtomicBool) -> bool {
        if !self.reserve(full) {
            return false;
        }
        let slot = self.find(block.address);
        // SAFETY: the slot is below the capacity.
        unsafe {
            let entry = self.entries.add(slot);
            self.used += usize::from((*entry).address == 0);
            *entry = Entry::pack(block);
        }
        true
    }

    fn remove(&mut self, address: u64) -> Option<Block> {
        if self.capacity == 0 {
            return None;
        }
        let mut hole = self.find(address);
        // SAFETY: all slots are below the capacity.
        unsafe {
            let found = *self.entries.add(hole);
            if found.address == 0 {
                return None;
            }
            let mut slot = hole;
            loop {
                slot = self.after(slot);
                let entry = *self.entries.add(slot);
                if entry.address == 0 {
                    break;
                }
                let home = self.home(entry.address);
                // It may move into the hole unless its home lies behind the hole and up to where it stands.
                let stays = if hole <= slot {
                    hole < home && home <= slot
                } else {
                    hole < home || home <= slot
                };
                if !stays {
                    *self.entries.add(hole) = entry;
                    hole = slot;
                }
            }
            (*self.entries.add(hole)).address = 0;
            self.used -= 1;
            Some(found.unpack())
        }
    }
}

impl Table {
    pub const fn new() -> Self {
        Self {
            shards: [const {
                Shard {
                    lock: SpinLock::new(),
                    slots: UnsafeCell::new(Slots {
                        entries: ptr::null_mut(),
                        capacity: 0,
                        used: 0,
                    }),
                }
            }; SHARDS],
            full: AtomicBool::new(false),
            lost: AtomicU64::new(0),
        }
    }

    #[inline]
    fn with<T>(&self, address: u64, locked: bool, work: impl FnOnce(&mut Slots) -> T) -> T {
        let shard = &self.shards[shard_of(hash(address))];
        if !locked {
            shard.lock.lock();
        }
        // SAFETY: this thread holds the lock.
        let result = work(unsafe { &mut *shard.slots.get() });
        if !locked {
            shard.lock.unlock();
        }
        result
    }

    /// Records a block. `locked`: this thread holds every lock already.
    #[inline]
    pub fn insert(&self, block: Block, locked: bool) {
        let kept = self.with(block.address, locked, |slots| slots.insert(block, &self.full));
        if !kept {
            self.lost.fetch_add(1, Relaxed);
        }
    }

    /// Forgets a block.
    #[inline]
    pub fn remove(&self, address: u64, locked: bool) -> Option<Block> {
        self.with(address, locked, |slots| slots.remove(address))
    }

    /// Takes every lock.
    pub fn lock(&self) {
        for shard in &self.shards {
            shard.lock.lock();
        }
    }

    /// Releases every lock.
    pub fn unlock(&self) {
        for shard in &self.shards {
            shard.lock.unlock();
        }
    }

    /// Every block, in no order. The caller holds all locks, or is alone in the process.
    pub fn for_each(&self, mut visit: impl FnMut(Block)) {
        for shard in &self.shards {
            // SAFETY: the caller holds the lock; all slots are below the capacity.
            unsafe {
                let slots = &*shard.slots.get();
                for slot in 0..slots.capacity {
                    let entry = *slots.entries.add(slot);
                    if entry.address != 0 {
                        visit(entry.unpack());
                    }
                }
            }
        }
    }

    /// Blocks recorded now, and the bytes of the table. The caller holds all locks, or is alone in the process.
    pub fn size(&self) -> (usize, usize) {
        self.shards.iter().fold((0, 0), |(used, bytes), shard| {
            // SAFETY: the caller holds the lock.
            let slots = unsafe { &*shard.slots.get() };
            (used + slots.used, bytes + slots.capacity * size_of::<Entry>())
        })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    fn block(address: u64, requested: u64) -> Block {
        Block {
            address,
            requested,
            stack: (address >> 3) as u32,
            sequence: requested << 13 | 5,
        }
    }

    proptest! {
        #[test]
        fn holds_what_a_map_holds(operations in prop::collection::vec((1_u64..4000, 0_u64..1 << 38, prop::bool::weighted(0.6)), 1..6000)) {
            let table = Table::new();
            let mut map = BTreeMap::new();
            for (place, size, add) in operations {
                let address = place * 16;
                if add {
                    table.insert(block(address, size), false);
                    map.insert(address, block(address, size));
                } else {
                    prop_assert_eq!(table.remove(address, false), map.remove(&address));
                }
            }
            let mut found = BTreeMap::new();
            table.for_each(|block| { found.insert(block.address, block); });
            prop_assert_eq!(table.size().0, map.len());
            prop_assert_eq!(found, map);
        }
    }

    #[test]
    fn a_packed_block_keeps_its_largest_values() {
        let largest = Block {
            address: 0x7FFF_FFFF_FFF0,
            requested: LARGEST,
            stack: u32::MAX,
            sequence: (1 << 52) - 1,
        };
        assert_eq!(Entry::pack(largest).unpack(), largest);
    }
}
