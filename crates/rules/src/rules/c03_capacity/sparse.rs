//! Tables of references far larger than what is in them: a hash table made for entries that never came, a vector of
//! empty places. Their slots in use stand anywhere, so that nothing can be cut off at an end.

#[cfg(test)]
mod tests;

use deadweight_heap::{Heap, HolderId, Holders, ObjectId, Request};
use deadweight_infer::{ReferenceTables, Table, commonest_site, cut_up, words_beside_slots};
use rayon::prelude::*;

/// Smaller blocks are objects, or tables that just begin.
const SMALLEST: u64 = 256;

/// Tables that use one in so many slots or more are left alone: growth by doubling never leaves less than a quarter, and
/// growth by four an eighth.
const LOAD: u64 = 8;

/// A table that shrinks keeps room for so many slots for each in use: half full, as tables of open addressing are, or a
/// sorted list of indices and references.
const ROOM: u64 = 2;

/// From so many tables at one place on it is a habit…
const SEVERAL: usize = 16;
/// … when three in four are nearly empty…
const SHARE: (usize, usize) = (3, 4);
/// … and it is worth this.
const LEAST: u64 = 4096;
/// A single table counts when so much of it goes.
const LARGE: u64 = 64 << 10;

/// Tables of one place that are nearly empty.
pub(super) struct Sparse {
    /// The field that holds them, or the function that allocates them.
    pub(super) holder: String,
    /// Where most of them are allocated.
    pub(super) site: Option<String>,
    /// How many others with references are at that place.
    pub(super) unaffected: u64,
    pub(super) found: ReferenceTables,
    /// So many words of each may be no slots.
    beside: u64,
}

impl Sparse {
    /// The tables of a place that are nearly empty, if that is a habit there or they are large.
    fn at(heap: &Heap, rows: &[ObjectId]) -> Option<Self> {
        // What is full of references needs no look.
        let words = |row: ObjectId| heap.blocks.requested(row).unwrap_or(0) / 8;
        let open = rows.iter().copied();
        let open: Vec<ObjectId> = open
            .filter(|&row| heap.edges.count(row) as u64 * LOAD < words(row))
            .collect();
        if open.iter().map(|&row| heap.bytes(row)).sum::<u64>() < LEAST {
            return None;
        }
        let mut found = ReferenceTables::among(heap, &open)?;
        found.tables.retain(|table| table.used * LOAD < table.slots);
        let are_several = found.tables.len() >= SEVERAL;
        let mut sparse = Self {
            holder: String::new(),
            site: None,
            unaffected: 0,
            beside: if are_several && found.have_nothing_beside(heap) {
                0
            } else {
                words_beside_slots(heap)
            },
            found,
        };
        let tables = &sparse.found.tables;
        let slack: u64 = tables.iter().map(|table| sparse.slack(heap, table)).sum();
        if !(are_several && tables.len() * SHARE.1 >= rows.len() * SHARE.0 && slack >= LEAST) {
            sparse.retain(|sparse, table| sparse.slack(heap, table) >= LARGE);
        }
        (!sparse.found.tables.is_empty()).then_some(sparse)
    }

    fn retain(&mut self, keep: impl Fn(&Self, &Table) -> bool) {
        let mut tables = std::mem::take(&mut self.found.tables);
        tables.retain(|table| keep(self, table));
        self.found.tables = tables;
    }

    /// What a table made for what is in it is charged.
    pub(super) fn after(&self, heap: &Heap, table: &Table) -> u64 {
        let slots = room(table.slots, table.used, self.beside);
        let references = Request::with(slots * self.found.slot_bytes(), true);
        heap.allocator.charge(references)
    }

    /// Bytes that go when a table is made for what is in it.
    pub(super) fn slack(&self, heap: &Heap, table: &Table) -> u64 {
        heap.bytes(table.row).saturating_sub(self.after(heap, table))
    }
}

/// Looks at all blocks of the program that have references, in the order of their places' first rows.
pub(super) fn sparse_tables(heap: &Heap) -> Vec<Sparse> {
    if !heap.blocks.any() {
        return Vec::new();
    }
    let holders = Holders::new(heap);
    let places = holders.group(|row| {
        let bytes = heap.blocks.requested(row).unwrap_or(0);
        bytes >= SMALLEST && heap.edges.count(row) > 0 && heap.in_program(row)
    });
    let found = places.into_par_iter().filter_map(|(holder, rows)| {
        let sparse = Sparse::at(heap, &rows)?;
        Some((holder, sparse, rows.len()))
    });
    let mut found: Vec<(HolderId, Sparse, usize)> = found.collect();
    let tables = found.iter().flat_map(|(_, sparse, _)| &sparse.found.tables);
    // Nobody keeps the address of a slot: what references lead into is a pool of objects, or a stack.
    let cut = cut_up(heap, tables.map(|table| table.row));
    for (_, sparse, _) in &mut found {
        sparse.retain(|_, table| !cut.has(table.row));
    }
    found.retain(|(_, Sparse { found, .. }, _)| {
        !found.tables.is_empty() && found.are_scattered(heap) && !found.are_nodes(heap)
    });
    let named = found.into_iter().map(|(holder, sparse, all)| Sparse {
        holder: holders.name(holder),
        site: commonest_site(heap, sparse.found.tables.iter().map(|table| table.row)),
        unaffected: (all - sparse.found.tables.len()) as u64,
        ..sparse
    });
    named.collect()
}

/// Slots that a table for those in use has. Tables whose sizes are powers of two keep to that.
fn room(slots: u64, used: u64, beside: u64) -> u64 {
    let power = 1 << slots.ilog2();
    let room = used * ROOM;
    if slots - power <= beside {
        room.next_power_of_two()
    } else {
        room
    }
}
