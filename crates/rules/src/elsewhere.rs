//! Objects that a second place of the program holds too: a fix at the first does not free them.

use std::sync::atomic::{AtomicU64, Ordering};

use deadweight_heap::{EdgeKind, Flags, Heap, Kind, ObjectId, Via};
use rayon::prelude::*;

/// A set of rows, one bit each.
#[derive(Debug)]
pub(crate) struct Rows(Vec<AtomicU64>);

impl Rows {
    pub(crate) fn none(heap: &Heap) -> Self {
        let words = heap.objects.len().div_ceil(64);
        Self((0..words).map(|_| AtomicU64::new(0)).collect())
    }

    pub(crate) fn add(&self, id: ObjectId) {
        if let Some(word) = self.0.get(id as usize / 64) {
            word.fetch_or(1 << (id % 64), Ordering::Relaxed);
        }
    }

    #[inline]
    pub(crate) fn has(&self, id: ObjectId) -> bool {
        let word = self.0.get(id as usize / 64);
        word.is_some_and(|word| word.load(Ordering::Relaxed) >> (id % 64) & 1 == 1)
    }
}

/// Of `rows`, which fields name, those that a program's object refers to by another field.
pub(crate) fn held_elsewhere(heap: &Heap, rows: impl ParallelIterator<Item = ObjectId>) -> Rows {
    let (asked, held) = (Rows::none(heap), Rows::none(heap));
    let several = rows.filter(|&row| heap.referrers.are_several(row));
    if several.map(|row| asked.add(row)).count() == 0 {
        return held;
    }
    let see = |from: ObjectId, at: usize, to: ObjectId| {
        let flags = heap.objects.flags[from as usize];
        if held.has(to) || flags.has(Flags::ENGINE) || flags.has(Flags::RECORDER) {
            return;
        }
        let via = heap.edges.names(from)[at];
        // Of the runtime's pieces those are the program's that hold the entries of its tables.
        let entries_only = matches!(heap.kind(from), Kind::Runtime | Kind::Shape);
        // A store repeats what its owner's fields and slots already say.
        let repeats = via.kind() == EdgeKind::Internal && flags.has(Flags::PART);
        if repeats || via.kind() == EdgeKind::Weak || (entries_only && !is_entry(via)) {
            return;
        }
        let named = heap.referrers.of(to);
        if !named.is_some_and(|first| same_field(heap, (from, via), first)) {
            held.add(to);
        }
    };
    heap.edges.each_to(|to| asked.has(to), see);
    held
}

fn is_entry(via: Via) -> bool {
    matches!(via.kind(), EdgeKind::Key | EdgeKind::Value)
}

fn same_field(heap: &Heap, a: (ObjectId, Via), b: (ObjectId, Via)) -> bool {
    let label = |id: ObjectId| heap.objects.label[id as usize];
    a.1 == b.1
        && a.1.kind() == EdgeKind::Field
        && heap.kind(a.0) == Kind::Record
        && heap.kind(b.0) == Kind::Record
        && label(a.0) == label(b.0)
}

#[cfg(test)]
mod tests {
    use deadweight_heap::HeapBuilder;

    use super::*;

    #[test]
    fn entries_of_a_table_hold_though_their_store_is_the_runtimes() {
        let mut heap = HeapBuilder::new();
        let (key, value, cache) = (heap.string("key"), heap.string("value"), heap.string("cache"));
        for string in [key, value, cache] {
            heap.record("A", &[("x", string)]);
        }
        let table = heap.object(Kind::Table, "Map", 32);
        let store = heap.object(Kind::Runtime, "", 152);
        heap.part(table, store);
        heap.edge(store, EdgeKind::Key, 0, key)
            .edge(store, EdgeKind::Value, 0, value)
            .edge(store, EdgeKind::Internal, 0, cache);
        let heap = heap.build();
        let held = held_elsewhere(&heap, [key, value, cache].into_par_iter());
        assert!(held.has(key) && held.has(value) && !held.has(cache));
    }

    #[test]
    fn another_field_holds_and_the_same_field_does_not() {
        let mut heap = HeapBuilder::new();
        let same = heap.string("same");
        let other = heap.string("other");
        for _ in 0..2 {
            heap.record("A", &[("x", same)]);
        }
        heap.record("A", &[("x", other)]);
        heap.record("B", &[("x", other)]);
        let heap = heap.build();
        let held = held_elsewhere(&heap, [same, other].into_par_iter());
        assert!(!held.has(same) && held.has(other));
    }
}
