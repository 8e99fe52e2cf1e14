//! What goes with objects that go.

use deadweight_heap::{EdgeKind, Flags, Heap, Kind, ObjectId, ReferenceCounts, RowSet};
use rustc_hash::FxHashMap;

/// Whether a row is a value, the program's or one that the library made for it, which goes with a copy that alone holds it.
fn is_value(heap: &Heap, id: ObjectId) -> bool {
    let is_kind = match heap.kind(id) {
        Kind::String | Kind::Number | Kind::Date | Kind::Record | Kind::Array | Kind::Table => true,
        Kind::Buffer => heap.is_of_library(id),
        _ => false,
    };
    is_kind && heap.is_for_program(id)
}

/// Lets objects go with all that only they hold, each alone or several together.
pub(super) struct Walk<'h> {
    heap: &'h Heap,
    counts: ReferenceCounts,
    /// What has gone so far.
    pub(super) gone: RowSet,
    /// The same in the order in which it went.
    trail: Vec<ObjectId>,
    /// How many of the references to values with several are from what has gone.
    seen: FxHashMap<ObjectId, u32>,
}

impl<'h> Walk<'h> {
    pub(super) fn new(heap: &'h Heap) -> Self {
        let values = RowSet::of(heap.objects.len(), |id| is_value(heap, id));
        Self {
            heap,
            counts: heap.reference_counts(values),
            gone: heap.no_rows(),
            trail: Vec::new(),
            seen: FxHashMap::default(),
        }
    }

    /// Lets an object go with all that goes with it, and shows each row with its bytes; gives their sum.
    pub(super) fn vanish(&mut self, copy: ObjectId, mut claim: impl FnMut(ObjectId, u64)) -> u64 {
        let (heap, mut freed) = (self.heap, 0);
        let mut next = self.trail.len();
        self.take(copy);
        while let Some(&id) = self.trail.get(next) {
            next += 1;
            let mut pieces = heap.parts_of(id);
            pieces.push(id);
            for &row in &pieces {
                let bytes = heap.bytes(row);
                if bytes > 0 && !heap.objects.has(row, Flags::EXTERNAL) {
                    claim(row, bytes);
                    freed += bytes;
                }
                for edge in heap.edges.of(row) {
                    let keeps = edge.via.kind() != EdgeKind::Weak && edge.to != id;
                    if keeps && is_value(heap, edge.to) && self.was_last(edge.to) {
                        self.take(edge.to);
                    }
                }
            }
        }
        freed
    }

    /// Whether one reference less leaves a value without any.
    fn was_last(&mut self, id: ObjectId) -> bool {
        let all = self.counts.of(id);
        all == 1 || {
            let seen = self.seen.entry(id).or_default();
            *seen += 1;
            *seen == all
        }
    }

    fn take(&mut self, row: ObjectId) {
        if self.gone.insert(row) {
            self.trail.push(row);
        }
    }

    /// Begins again with nothing gone; gives what was gone in the order in which it went.
    pub(super) fn rewind(&mut self) -> Vec<ObjectId> {
        let trail = std::mem::take(&mut self.trail);
        self.seen.clear();
        for &row in &trail {
            self.gone.put(row, false);
        }
        trail
    }
}
