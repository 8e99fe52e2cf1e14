//! Entries of tables that have empty containers for values: without the container there is no entry.

use std::collections::BTreeMap;

use deadweight_heap::{EdgeKind, Flags, Heap, Kind, NONE, ObjectId, Table, UNKNOWN, UniqueOwners};
use rustc_hash::FxHashSet;

use crate::Candidate;

/// The tables of a place, with the numbers of the entries that have empty containers.
pub(super) type OfTables = BTreeMap<ObjectId, FxHashSet<u32>>;

/// The entries of which these containers are the values.
pub(super) fn of_values(heap: &Heap, empty: &[(usize, ObjectId)]) -> OfTables {
    let mut tables = OfTables::new();
    for &(_, id) in empty {
        let Some((from, via)) = heap.referrers.of(id) else {
            continue;
        };
        let table = heap.owner(from);
        if via.kind() == EdgeKind::Value && heap.table(table).is_some() && heap.in_program(table) {
            tables.entry(table).or_default().insert(via.name());
        }
    }
    tables
}

/// The keys of such entries, and who holds them.
pub(super) struct Entries<'h> {
    heap: &'h Heap,
    owners: UniqueOwners,
}

impl<'h> Entries<'h> {
    pub(super) fn of<'a>(heap: &'h Heap, places: impl Iterator<Item = &'a OfTables>) -> Self {
        let tables = places.flatten();
        let keys = tables.flat_map(|(&table, entries)| keys(heap, table, entries));
        let keys = heap.row_set(keys.collect::<Vec<_>>());
        Self {
            heap,
            owners: heap.unique_owners(keys),
        }
    }

    /// Claims what the entries of a place take, and the keys that nothing but their table has. Gives their bytes.
    pub(super) fn claim(&self, of: &OfTables, candidate: &mut Candidate) -> u64 {
        let mut bytes = 0;
        for (&table, entries) in of {
            bytes += self.claim_entries(table, entries.len() as u64, candidate);
            for key in keys(self.heap, table, entries) {
                if self.owners.of(key) == Some(table) {
                    bytes += candidate.claim_whole(self.heap, key);
                }
            }
        }
        bytes
    }

    fn claim_entries(&self, id: ObjectId, gone: u64, candidate: &mut Candidate) -> u64 {
        let heap = self.heap;
        let Some(table) = heap.table(id).filter(|table| table.store != NONE) else {
            return 0;
        };
        let mut bytes = 0;
        let each = heap.layout.entry(table.implementation);
        if each > 0 {
            let pieces = heap.parts_of(id);
            let nodes = pieces.iter().filter(|&&piece| heap.bytes(piece) == each);
            for &node in nodes.take(usize::try_from(gone).unwrap_or(usize::MAX)) {
                candidate.claim(node, each);
                bytes += each;
            }
        }
        let left = heap.bytes(table.store);
        let shrinks = shrinks(heap, table, gone, each).min(left);
        if shrinks > 0 {
            candidate.claim(table.store, shrinks);
        }
        bytes + shrinks
    }
}

/// What a table's store shrinks by when it was never filled with so many of its entries. A table that is not as one is
/// that was filled one by one keeps its store.
fn shrinks(heap: &Heap, table: &Table, gone: u64, each: u64) -> u64 {
    if table.used == UNKNOWN || heap.objects.has(table.store, Flags::EXTERNAL) {
        return 0;
    }
    let used = u64::from(table.used);
    let price = |entries| heap.layout.table(table.implementation, table.kind(), entries);
    let now = heap.bytes_with_entries(table.object, table.store);
    let (Some(as_filled), Some(after)) = (price(used), price(used.saturating_sub(gone))) else {
        return 0;
    };
    let shrinks = as_filled.saturating_sub(after).saturating_sub(gone * each);
    if now == as_filled { shrinks } else { 0 }
}

/// The keys of some entries that hold nothing in turn.
fn keys(heap: &Heap, table: ObjectId, entries: &FxHashSet<u32>) -> Vec<ObjectId> {
    let Some(fact) = heap.table(table) else {
        return Vec::new();
    };
    let apart = (fact.store != table && fact.store != NONE).then_some(fact.store);
    let rows = std::iter::once(table).chain(apart);
    let keys = rows.flat_map(|row| heap.edges.of(row)).filter(|edge| {
        edge.via.kind() == EdgeKind::Key
            && entries.contains(&edge.via.name())
            && matches!(heap.kind(edge.to), Kind::String | Kind::Number | Kind::Date)
            && heap.in_program(edge.to)
            && !heap.objects.has(edge.to, Flags::EXTERNAL)
    });
    keys.map(|edge| edge.to).collect()
}

#[cfg(test)]
mod tests {
    use deadweight_heap::{CHAINED, HeapBuilder};

    use super::super::Empty;
    use super::*;
    use crate::Rule;

    fn look(heap: HeapBuilder) -> Vec<Candidate> {
        Empty.look(&heap.build()).candidates
    }

    /// A table of 20 texts, of which `full` have something in their lists.
    fn by_name(heap: &mut HeapBuilder, full: usize, named_elsewhere: bool) -> ObjectId {
        let x = heap.string("x");
        heap.variable("x", x);
        let entries: Vec<_> = (0..20_usize)
            .map(|at| {
                let key = heap.string(&format!("key {at:03}"));
                if named_elsewhere {
                    heap.variable("names", key);
                }
                let filled = [x];
                let list = heap.array(0, if at < full { &filled } else { &[] });
                (key, list)
            })
            .collect();
        let map = heap.map(32, &entries);
        let index = heap.record("Index", &[("by_name", map)]);
        heap.variable("index", index);
        map
    }

    #[test]
    fn entries_go_with_the_empty_lists_that_are_their_values() {
        let mut heap = HeapBuilder::new();
        by_name(&mut heap, 4, true);
        let found = look(heap);
        assert_eq!((found.len(), found[0].holder.as_str()), (1, "Index.by_name{}"));
        // A table of four in the place of one of thirty-two.
        assert_eq!(found[0].net(), 16 * 32 + 24 * (32 - 4));
        assert!(found[0].fix.contains("leave the key out"), "{}", found[0].fix);
    }

    #[test]
    fn keys_that_nothing_else_has_go_too() {
        let mut heap = HeapBuilder::new();
        by_name(&mut heap, 4, false);
        assert_eq!(look(heap)[0].net(), 16 * (32 + 24) + 24 * (32 - 4));
    }

    /// Whoever asked for room gets it again.
    #[test]
    fn a_table_made_larger_than_it_is_filled_keeps_its_store() {
        let mut heap = HeapBuilder::new();
        let map = by_name(&mut heap, 4, true);
        heap.change_table(map, |table| table.used = 10);
        assert_eq!(look(heap)[0].net(), 16 * 32);
    }

    #[test]
    fn each_entry_of_a_chained_table_has_a_node() {
        let mut heap = HeapBuilder::new();
        let map = by_name(&mut heap, 4, true);
        let mut store = NONE;
        heap.change_table(map, |table| {
            table.implementation = CHAINED;
            store = table.store;
        });
        heap.resize(map, 48).resize(store, 8 * 32);
        for _ in 0..20 {
            let node = heap.object(Kind::Opaque, "node", 32);
            heap.part(store, node);
        }
        assert_eq!(look(heap)[0].net(), 16 * (32 + 32) + 8 * (32 - 4));
    }
}
