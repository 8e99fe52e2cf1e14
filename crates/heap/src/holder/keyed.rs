//! Types of records that are dictionaries by what they hold: the names of their fields are data.

use rustc_hash::FxHashMap;

use crate::{Heap, ObjectId, TypeId};

/// A record with fewer names than this is read by its names.
const MANY: usize = 64;

/// As many records with the same names share what the program writes of them.
const SHARED: u32 = 4;

/// The types whose records are dictionaries. A program does not write many names that hardly two objects share: words
/// and ids came in as data.
#[derive(Debug, Default)]
pub(super) struct Keyed(FxHashMap<TypeId, u32>);

impl Keyed {
    pub(super) fn of(heap: &Heap) -> Self {
        let mut records: FxHashMap<TypeId, u32> = FxHashMap::default();
        for record in heap.records.iter().filter(|record| record.dictionary > 0) {
            let Some(&ty) = heap.objects.label.get(record.object as usize) else {
                continue;
            };
            if heap.types.is_nameless(ty) && heap.types.fields(ty).len() >= MANY {
                *records.entry(ty).or_default() += 1;
            }
        }
        records.retain(|_, records| *records < SHARED);
        Self(records)
    }

    /// Whether a record's fields stand where its keys lead.
    pub(super) fn has(&self, heap: &Heap, record: ObjectId) -> bool {
        !self.0.is_empty()
            && self.0.contains_key(&heap.objects.label[record as usize])
            && heap.record(record).is_some_and(|record| record.dictionary > 0)
    }
}
