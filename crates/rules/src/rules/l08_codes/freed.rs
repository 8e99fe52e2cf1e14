//! Objects that go when columns have codes: those that nothing but the columns holds, and that are not the first of their
//! value.

use deadweight_heap::{Heap, ObjectId, ReferenceCounts};
use rustc_hash::{FxHashMap, FxHashSet};

use super::column::Coded;

/// What goes at one place.
#[derive(Default)]
pub(super) struct Freed {
    /// Objects with the equal one that stays, in the order of rows.
    pub(super) copies: Vec<(ObjectId, ObjectId)>,
    /// Objects that stand for nothing.
    pub(super) alone: Vec<ObjectId>,
}

/// What is known of an object at one place.
#[derive(Default)]
struct Object {
    slots: u32,
    first: Option<ObjectId>,
}

impl Freed {
    /// What goes at each of these places.
    pub(super) fn of<'c>(heap: &Heap, places: impl Iterator<Item = &'c [Coded]> + Clone) -> Vec<Self> {
        let all = places.clone().flatten().flat_map(|column| &column.values.objects);
        let asked = all
            .filter(|object| object.first != Some(object.row))
            .map(|object| object.row);
        let counts = heap.reference_counts(heap.row_set(asked));
        places.map(|columns| Self::at(heap, columns, &counts)).collect()
    }

    fn at(heap: &Heap, columns: &[Coded], counts: &ReferenceCounts) -> Self {
        let mut objects: FxHashMap<ObjectId, Object> = FxHashMap::default();
        // Each column keeps the first of each of its values.
        let mut kept: FxHashSet<ObjectId> = FxHashSet::default();
        for object in columns.iter().flat_map(|column| &column.values.objects) {
            let known = objects.entry(object.row).or_default();
            known.slots += object.slots;
            known.first = object.first;
            if object.first == Some(object.row) {
                kept.insert(object.row);
            }
        }
        let goes = |row: ObjectId, slots: u32| {
            !kept.contains(&row)
                && heap.is_for_program(row)
                && !heap.is_shared(row)
                && counts.of(row) == slots
        };
        let mut freed = Self::default();
        for (row, object) in objects {
            if !goes(row, object.slots) {
                continue;
            }
            match object.first {
                Some(first) => freed.copies.push((first, row)),
                None => freed.alone.push(row),
            }
        }
        freed.copies.sort_unstable_by_key(|&(_, copy)| copy);
        freed.alone.sort_unstable();
        freed
    }
}
