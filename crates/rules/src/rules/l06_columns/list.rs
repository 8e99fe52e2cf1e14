//! The list that names the records of a table.

use deadweight_heap::{EdgeKind, Heap, Kind, ObjectId};

/// The lists that name the records of a table.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum List {
    #[default]
    Unseen,
    One(ObjectId),
    Several,
}

impl List {
    pub(super) fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Unseen, seen) | (seen, Self::Unseen) => seen,
            (one, other) if one == other => one,
            _ => Self::Several,
        }
    }

    /// The list whose slot names a record.
    pub(super) fn naming(heap: &Heap, record: ObjectId) -> Self {
        let slot = heap
            .referrers
            .of(record)
            .filter(|(_, via)| via.kind() == EdgeKind::Element);
        let list = slot.map(|(from, _)| heap.owner(from));
        list.filter(|&list| heap.kind(list) == Kind::Array && heap.in_program(list))
            .map_or(Self::Several, Self::One)
    }

    /// The one list of all `records`, when it holds nothing else.
    pub(super) fn of_all(self, heap: &Heap, records: u64) -> Option<ObjectId> {
        let Self::One(list) = self else { return None };
        let used = heap.array(list)?.used;
        (u64::from(used) == records).then_some(list)
    }
}
