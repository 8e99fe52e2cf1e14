//! What empty tables refer to all the same.

use deadweight_heap::{Flags, Heap, Kind, ObjectId, RowSet, UniqueOwners};
use rustc_hash::FxHashSet;

/// What empty tables refer to all the same: their defaults.
pub(super) struct Defaults<'h> {
    heap: &'h Heap,
    /// Who alone refers to a row, and which rows are empty containers; `None` where no table has a default.
    known: Option<(UniqueOwners, RowSet)>,
}

impl<'h> Defaults<'h> {
    pub(super) fn of<'a>(heap: &'h Heap, empty: impl Iterator<Item = &'a (usize, ObjectId)> + Clone) -> Self {
        let any = empty.clone().any(|&(_, id)| {
            heap.kind(id) == Kind::Table && heap.edges.of(id).any(|edge| heap.in_program(edge.to))
        });
        let known = any.then(|| {
            let asked = RowSet::of(heap.objects.len(), |id| heap.in_program(id));
            let empty = heap.row_set(empty.map(|&(_, id)| id));
            (heap.unique_owners(asked), empty)
        });
        Self { heap, known }
    }

    /// The rows that a table's default takes, of those that nothing else refers to, but for empty containers
    /// that are found themselves, and what is below these.
    pub(super) fn below(&self, table: ObjectId) -> Vec<ObjectId> {
        let Some((owners, empty)) = self
            .known
            .as_ref()
            .filter(|_| self.heap.kind(table) == Kind::Table)
        else {
            return Vec::new();
        };
        let mut found = vec![table];
        let mut seen = FxHashSet::default();
        let mut next = 0;
        while let Some(&id) = found.get(next) {
            next += 1;
            let mut pieces = self.heap.parts_of(id);
            pieces.push(id);
            for edge in pieces.iter().flat_map(|&piece| self.heap.edges.of(piece)) {
                let alone = owners.of(edge.to) == Some(id);
                let external = self.heap.objects.has(edge.to, Flags::EXTERNAL);
                if alone && !external && !empty.has(edge.to) && seen.insert(edge.to) {
                    found.push(edge.to);
                }
            }
        }
        found.split_off(1)
    }
}
