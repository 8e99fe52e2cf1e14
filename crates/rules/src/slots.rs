//! The slots of fields, record by record, with what they refer to.

use deadweight_heap::{Edge, EdgeKind, Heap, ObjectId, Record, TextId, TypeId, in_pieces};
use rustc_hash::FxHashMap;

/// One field of one record, with what it refers to.
#[derive(Clone, Copy)]
pub(crate) struct Slot {
    pub(crate) record: ObjectId,
    pub(crate) value: ObjectId,
}

impl Slot {
    /// Whether the field is the one that names the value; a value with several owners is thus counted once.
    pub(crate) fn is_naming(self, heap: &Heap, name: TextId) -> bool {
        heap.referrers.of(self.value).is_some_and(|(from, via)| {
            from == self.record && via.kind() == EdgeKind::Field && via.name() == name
        })
    }
}

/// The fields of all records at the places of `keys`, in the order of the keys.
pub(crate) fn slots(heap: &Heap, keys: impl Iterator<Item = (TypeId, TextId)>) -> Vec<Vec<Slot>> {
    let mut by_type: FxHashMap<TypeId, Vec<(TextId, usize)>> = FxHashMap::default();
    let mut count = 0;
    for (ty, name) in keys {
        by_type.entry(ty).or_default().push((name, count));
        count += 1;
    }
    let mut found = vec![Vec::new(); count];
    if count == 0 {
        return found;
    }
    let pieces = in_pieces(&heap.records, |records| {
        let mut of_piece = vec![Vec::new(); count];
        for record in records {
            let Some(names) = heap.record_type(record).and_then(|ty| by_type.get(&ty)) else {
                continue;
            };
            for &(name, at) in names {
                let edge = heap
                    .edges
                    .of(record.object)
                    .find(|edge| edge.field() == Some(name));
                if let Some(edge) = edge.filter(|edge| (edge.to as usize) < heap.objects.len()) {
                    of_piece[at].push(slot_of(record, edge));
                }
            }
        }
        of_piece
    });
    for piece in pieces {
        for (all, more) in found.iter_mut().zip(piece) {
            all.extend(more);
        }
    }
    found
}

fn slot_of(record: &Record, edge: Edge) -> Slot {
    Slot {
        record: record.object,
        value: edge.to,
    }
}
