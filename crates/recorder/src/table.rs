//! The live blocks: for each region of 64 KiB of the program's memory a small open-addressing table, 16 bytes an
//! entry, at most three quarters full. A directory leads to the regions' tables.
//!
//! Blocks that the program allocates one after the other lie near each other, and so do their entries: recording
//! stays in the processor's caches, where one large hash table would miss them every time. Threads that allocate from
//! arenas of their own meet different locks.

use std::cell::UnsafeCell;
use std::ptr::{self, NonNull};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use crate::memory;
use crate::spin::SpinLock;

const SHARDS: usize = 64;
const REGION_BITS: u32 = 16;
/// Sizes of the regions' tables: 4, 8, 16, … up to one for a region full of the smallest blocks.
const CLASSES: usize = 13;
/// Tables are cut from pieces of this size; larger ones are mapped by themselves.
const PIECE: usize = memory::PIECE;
const FIRST_DIRECTORY: usize = 4096 / size_of::<Region>();

/// Places of blocks in a region, from 1; rounded up to whole words of a bit map.
const PLACES: usize = (1 << REGION_BITS) / 8 + 64;

const SIZE_BITS: u32 = 48;
const SEQUENCE_BITS: u32 = 38;

/// One live block, packed.
#[derive(Clone, Copy)]
#[repr(C)]
struct Entry {
    /// Low 16 bits: place in the region in units of 8 bytes, plus one; 0 when free. Above: requested bytes.
    size_and_place: u64,
    /// Low 38 bits: sequence. Above: stack.
    stack_and_sequence: u64,
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

fn place(address: u64) -> u64 {
    (address & ((1 << REGION_BITS) - 1)) / 8 + 1
}

impl Entry {
    fn pack(block: Block) -> Self {
        Self {
            size_and_place: block.requested.min((1 << SIZE_BITS) - 1) << 16 | place(block.address),
            stack_and_sequence: u64::from(block.stack) << SEQUENCE_BITS
                | (block.sequence & ((1 << SEQUENCE_BITS) - 1)),
        }
    }

    fn place(self) -> u64 {
        self.size_and_place & 0xFFFF
    }

    fn unpack(self, region: u64) -> Block {
        Block {
            address: (region << REGION_BITS) | ((self.place() - 1) * 8),
            requested: self.size_and_place >> 16,
            stack: (self.stack_and_sequence >> SEQUENCE_BITS) as u32,
            sequence: self.stack_and_sequence & ((1 << SEQUENCE_BITS) - 1),
        }
    }
}

fn capacity(class: u32) -> usize {
    4 << class
}

/// The blocks of one region, as the directory holds it.
#[derive(Clone, Copy)]
#[repr(C)]
struct Region {
    /// Address without its low bits; 0 when the slot is free.
    number: u64,
    entries: *mut Entry,
    used: u32,
    class: u32,
}

impl Region {
    fn home(&self, place: u64) -> usize {
        ((place.wrapping_mul(0x9E37_79B1) & 0xFFFF_FFFF) as usize * capacity(self.class)) >> 32
    }

    /// The slot of a place, or the free one where it belongs. There is always a free one.
    #[inline]
    fn find(&self, place: u64) -> usize {
        let capacity = capacity(self.class);
        let mut slot = self.home(place);
        loop {
            // SAFETY: slots stay below the capacity.
            let at = unsafe { *self.entries.add(slot) }.place();
            if at == place || at == 0 {
                return slot;
            }
            slot += 1;
            if slot == capacity {
                slot = 0;
            }
        }
    }

    /// Frees a slot and closes the gap, so that nothing is left behind.
    unsafe fn clear(&mut self, mut hole: usize) {
        let capacity = capacity(self.class);
        let mut slot = hole;
        // SAFETY: all slots are below the capacity.
        unsafe {
            loop {
                slot = (slot + 1) % capacity;
                let entry = *self.entries.add(slot);
                if entry.place() == 0 {
                    break;
                }
                if may_move(self.home(entry.place()), hole, slot) {
                    *self.entries.add(hole) = entry;
                    hole = slot;
                }
            }
            (*self.entries.add(hole)).size_and_place = 0;
        }
        self.used -= 1;
    }
}

/// Whether what stands in `slot` may move into the hole: not when its home lies behind the hole and up to `slot`.
fn may_move(home: usize, hole: usize, slot: usize) -> bool {
    if hole <= slot {
        home <= hole || home > slot
    } else {
        home <= hole && home > slot
    }
}

/// What one lock guards.
struct State {
    directory: *mut Region,
    slots: usize,
    regions: usize,
    blocks: usize,
    /// Bytes mapped.
    bytes: usize,
    /// Tables given back, by class; each points to the next.
    free: [*mut Entry; CLASSES],
    piece: *mut u8,
    piece_left: usize,
}

#[repr(align(128))]
struct Shard {
    lock: SpinLock,
    state: UnsafeCell<State>,
}

// SAFETY: the state is touched under the lock only.
unsafe impl Sync for Shard {}

/// The table.
pub struct Table {
    shards: [Shard; SHARDS],
    /// No more memory: nothing grows any further.
    full: AtomicBool,
    /// Blocks that found no room.
    pub lost: AtomicU64,
}

#[inline]
fn hash(region: u64) -> u64 {
    let mixed = region.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (mixed ^ mixed >> 32).wrapping_mul(0xD6E8_FEB8_6659_FD93)
}

impl State {
    #[inline]
    fn home(&self, region: u64) -> usize {
        ((u128::from(hash(region)) * self.slots as u128) >> 64) as usize
    }

    /// The directory's slot of a region, or the free one where it belongs. There is always a free one.
    #[inline]
    fn find(&self, region: u64) -> usize {
        let mut slot = self.home(region);
        loop {
            // SAFETY: slots stay below their number.
            let at = unsafe { (*self.directory.add(slot)).number };
            if at == region || at == 0 {
                return slot;
            }
            slot += 1;
            if slot == self.slots {
                slot = 0;
            }
        }
    }

    fn map(&mut self, bytes: usize, full: &AtomicBool) -> Option<*mut u8> {
        self.obtain(bytes, full, || memory::map(bytes))
    }

    fn obtain(
        &mut self,
        bytes: usize,
        full: &AtomicBool,
        from: impl FnOnce() -> Option<NonNull<u8>>,
    ) -> Option<*mut u8> {
        if full.load(Relaxed) {
            return None;
        }
        let start = from();
        match start {
            Some(_) => self.bytes += bytes,
            None => full.store(true, Relaxed),
        }
        start.map(NonNull::as_ptr)
    }

    /// Zeroed room for a region's table.
    fn take(&mut self, class: u32, full: &AtomicBool) -> Option<*mut Entry> {
        let bytes = capacity(class) * size_of::<Entry>();
        if bytes >= PIECE {
            return self.map(bytes, full).map(<*mut u8>::cast);
        }
        let free = self.free[class as usize];
        if !free.is_null() {
            // SAFETY: a table given back holds the pointer to the next one in its first bytes.
            unsafe {
                self.free[class as usize] = *free.cast::<*mut Entry>();
                ptr::write_bytes(free.cast::<u8>(), 0, bytes);
            }
            return Some(free);
        }
        if self.piece_left < bytes {
            self.piece = self.obtain(PIECE, full, memory::piece)?;
            self.piece_left = PIECE;
        }
        self.piece_left -= bytes;
        // SAFETY: the piece has that much left.
        Some(unsafe { self.piece.add(self.piece_left) }.cast())
    }

    fn give_back(&mut self, entries: *mut Entry, class: u32) {
        let bytes = capacity(class) * size_of::<Entry>();
        // SAFETY: the table came from `take` with this class and is no longer used.
        unsafe {
            if bytes >= PIECE {
                if let Some(start) = NonNull::new(entries.cast()) {
                    memory::unmap(start, bytes);
                    self.bytes -= bytes;
                }
            } else {
                *entries.cast::<*mut Entry>() = self.free[class as usize];
                self.free[class as usize] = entries;
            }
        }
    }

    /// Makes room in the directory for one more region.
    fn reserve_region(&mut self, full: &AtomicBool) -> bool {
        if (self.regions + 1) * 4 <= self.slots * 3 {
            return true;
        }
        let slots = if self.slots == 0 {
            FIRST_DIRECTORY
        } else {
            self.slots * 3 / 2
        };
        let Some(directory) = self.map(slots * size_of::<Region>(), full) else {
            return self.regions + 1 < self.slots;
        };
        let (old, old_slots) = (self.directory, self.slots);
        (self.directory, self.slots) = (directory.cast(), slots);
        for slot in 0..old_slots {
            // SAFETY: the slot is below the old number, the found one below the new.
            unsafe {
                let region = *old.add(slot);
                if region.number != 0 {
                    *self.directory.add(self.find(region.number)) = region;
                }
            }
        }
        if let Some(old) = NonNull::new(old.cast()) {
            // SAFETY: the old slots are copied and no longer reachable.
            unsafe { memory::unmap(old, old_slots * size_of::<Region>()) };
            self.bytes -= old_slots * size_of::<Region>();
        }
        true
    }

    /// Makes room in a region for one more block.
    fn reserve_block(&mut self, region: &mut Region, full: &AtomicBool) -> bool {
        let now = capacity(region.class);
        if !region.entries.is_null() && (region.used as usize + 1) * 4 <= now * 3 {
            return true;
        }
        let class = if region.entries.is_null() {
            0
        } else {
            // Doubled: a table is copied once for every block it ends up with, not twice.
            region.class + 1
        };
        let Some(entries) = self.take(class, full) else {
            return !region.entries.is_null() && region.used as usize + 1 < now;
        };
        let larger = Region {
            entries,
            class,
            ..*region
        };
        if !region.entries.is_null() {
            for slot in 0..now {
                // SAFETY: the slot is below the old capacity, the found one below the new.
                unsafe {
                    let entry = *region.entries.add(slot);
                    if entry.place() != 0 {
                        *larger.entries.add(larger.find(entry.place())) = entry;
                    }
                }
            }
            self.give_back(region.entries, region.class);
        }
        *region = larger;
        true
    }

    fn insert(&mut self, block: Block, full: &AtomicBool) -> bool {
        let number = block.address >> REGION_BITS;
        // Allocators give nothing finer than 8 bytes and nothing in the lowest region.
        if !block.address.is_multiple_of(8) || number == 0 {
            return false;
        }
        if self.slots == 0 && !self.reserve_region(full) {
            return false;
        }
        let mut slot = self.find(number);
        // SAFETY: the slot is below the number of slots.
        let mut region = unsafe { *self.directory.add(slot) };
        if region.number == 0 {
            if !self.reserve_region(full) {
                return false;
            }
            slot = self.find(number);
            region = Region {
                number,
                entries: ptr::null_mut(),
                used: 0,
                class: 0,
            };
        }
        if !self.reserve_block(&mut region, full) {
            return false;
        }
        let entry = Entry::pack(block);
        // SAFETY: both slots are below their capacities.
        unsafe {
            let at = region.entries.add(region.find(entry.place()));
            let fresh = (*at).place() == 0;
            *at = entry;
            self.blocks += usize::from(fresh);
            self.regions += usize::from(region.used == 0);
            region.used += u32::from(fresh);
            *self.directory.add(slot) = region;
        }
        true
    }

    fn remove(&mut self, address: u64) -> Option<Block> {
        let number = address >> REGION_BITS;
        if self.slots == 0 || number == 0 || !address.is_multiple_of(8) {
            return None;
        }
        let slot = self.find(number);
        // SAFETY: all slots are below their capacities.
        unsafe {
            let region = &mut *self.directory.add(slot);
            if region.number == 0 {
                return None;
            }
            let at = region.find(place(address));
            let entry = *region.entries.add(at);
            if entry.place() == 0 {
                return None;
            }
            region.clear(at);
            self.blocks -= 1;
            if region.used == 0 {
                let (entries, class) = (region.entries, region.class);
                self.give_back(entries, class);
                self.clear(slot);
            }
            Some(entry.unpack(number))
        }
    }

    /// Frees a slot of the directory and closes the gap.
    unsafe fn clear(&mut self, mut hole: usize) {
        let mut slot = hole;
        // SAFETY: all slots are below their number.
        unsafe {
            loop {
                slot = (slot + 1) % self.slots;
                let region = *self.directory.add(slot);
                if region.number == 0 {
                    break;
                }
                if may_move(self.home(region.number), hole, slot) {
                    *self.directory.add(hole) = region;
                    hole = slot;
                }
            }
            (*self.directory.add(hole)).number = 0;
        }
        self.regions -= 1;
    }
}

impl Table {
    pub const fn new() -> Self {
        Self {
            shards: [const {
                Shard {
                    lock: SpinLock::new(),
                    state: UnsafeCell::new(State {
                        directory: ptr::null_mut(),
                        slots: 0,
                        regions: 0,
                        blocks: 0,
                        bytes: 0,
                        free: [ptr::null_mut(); CLASSES],
                        piece: ptr::null_mut(),
                        piece_left: 0,
                    }),
                }
            }; SHARDS],
            full: AtomicBool::new(false),
            lost: AtomicU64::new(0),
        }
    }

    #[inline]
    fn with<T>(&self, address: u64, locked: bool, work: impl FnOnce(&mut State) -> T) -> T {
        let shard = &self.shards[(hash(address >> REGION_BITS) >> 26) as usize % SHARDS];
        if !locked {
            shard.lock.lock();
        }
        // SAFETY: this thread holds the lock.
        let result = work(unsafe { &mut *shard.state.get() });
        if !locked {
            shard.lock.unlock();
        }
        result
    }

    /// Records a block. `locked`: this thread holds every lock already.
    #[inline]
    pub fn insert(&self, block: Block, locked: bool) {
        let kept = self.with(block.address, locked, |state| state.insert(block, &self.full));
        if !kept {
            self.lost.fetch_add(1, Relaxed);
        }
    }

    /// Forgets a block.
    #[inline]
    pub fn remove(&self, address: u64, locked: bool) -> Option<Block> {
        self.with(address, locked, |state| state.remove(address))
    }

    /// Takes every lock.
    pub fn lock(&self) {
        for shard in &self.shards {
            shard.lock.lock();
        }
    }

    /// Takes every lock, or none when somebody else has one.
    pub fn try_lock(&self) -> bool {
        for (taken, shard) in self.shards.iter().enumerate() {
            if !shard.lock.try_lock() {
                for shard in &self.shards[..taken] {
                    shard.lock.unlock();
                }
                return false;
            }
        }
        true
    }

    /// Releases every lock.
    pub fn unlock(&self) {
        for shard in &self.shards {
            shard.lock.unlock();
        }
    }

    /// Every block, in order of address and region by region, so that what `visit` gets stays in the processor's
    /// caches. Only in a snapshot's clone, alone in the process, or under all
    /// locks: it needs memory.
    pub fn for_each_region<E>(&self, mut visit: impl FnMut(&[Block]) -> Result<(), E>) -> Result<(), E> {
        let mut regions: Vec<Region> = Vec::new();
        for shard in &self.shards {
            // SAFETY: nobody else is there to change it, and the directory has that many slots.
            let slots = unsafe {
                let state = &*shard.state.get();
                if state.slots == 0 {
                    continue;
                }
                std::slice::from_raw_parts(state.directory, state.slots)
            };
            regions.extend(slots.iter().filter(|region| region.number != 0));
        }
        regions.sort_unstable_by_key(|region| region.number);
        // Which places of a region are taken, and by which entry: in order without comparing any two.
        let mut taken = [0_u64; PLACES / 64];
        let mut entry_at = vec![0_u16; PLACES];
        let mut blocks = Vec::with_capacity(PLACES);
        for region in regions {
            // SAFETY: the region's table has that many entries.
            let slots = unsafe { std::slice::from_raw_parts(region.entries, capacity(region.class)) };
            for (index, entry) in slots.iter().enumerate() {
                let place = entry.place() as usize;
                if place != 0 {
                    taken[place / 64] |= 1 << (place % 64);
                    entry_at[place] = index as u16;
                }
            }
            blocks.clear();
            for (word, bits) in taken.iter_mut().enumerate() {
                while *bits != 0 {
                    let place = word * 64 + bits.trailing_zeros() as usize;
                    *bits &= *bits - 1;
                    blocks.push(slots[usize::from(entry_at[place])].unpack(region.number));
                }
            }
            visit(&blocks)?;
        }
        Ok(())
    }

    /// Blocks recorded now, and the bytes of the table. The caller holds all locks, or is alone in the process.
    pub fn size(&self) -> (usize, usize) {
        self.shards.iter().fold((0, 0), |(blocks, bytes), shard| {
            // SAFETY: the caller holds the lock.
            let state = unsafe { &*shard.state.get() };
            (blocks + state.blocks, bytes + state.bytes)
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
            stack: (address >> 3) as u32 & 0x3FF_FFFF,
            sequence: requested & 0xFFFF_FFFF,
        }
    }

    proptest! {
        #[test]
        fn holds_what_a_map_holds(operations in prop::collection::vec((1_u64..4000, 0_u64..1 << 38, prop::bool::weighted(0.6)), 1..6000)) {
            let table = Table::new();
            let mut map = BTreeMap::new();
            for (place, size, add) in operations {
                let address = (1 << 16) + place * 8 + ((place % 5) << 20);
                if add {
                    table.insert(block(address, size), false);
                    map.insert(address, block(address, size));
                } else {
                    prop_assert_eq!(table.remove(address, false), map.remove(&address));
                }
            }
            let mut found = BTreeMap::new();
            let mut last = 0;
            let visited: Result<(), ()> = table.for_each_region(|blocks| {
                for block in blocks {
                    assert!(block.address > last, "in order of address");
                    last = block.address;
                    found.insert(block.address, *block);
                }
                Ok(())
            });
            prop_assert_eq!(visited, Ok(()));
            prop_assert_eq!(table.size().0, map.len());
            prop_assert_eq!(found, map);
        }
    }

    #[test]
    fn a_packed_block_keeps_its_largest_values() {
        let largest = Block {
            address: 0x7FFF_FFFF_FFF0,
            requested: (1 << SIZE_BITS) - 1,
            stack: (1 << (64 - SEQUENCE_BITS)) - 1,
            sequence: (1 << SEQUENCE_BITS) - 1,
        };
        assert_eq!(
            Entry::pack(largest).unpack(largest.address >> REGION_BITS),
            largest
        );
    }
}
