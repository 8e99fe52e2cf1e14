//! Records as they are once their class says which fields they have.

use std::sync::Arc;

use deadweight_heap::{Heap, Record, TypeId};
use rustc_hash::FxHashSet;

use super::open_types;

/// Types whose records get fixed places.
#[derive(Debug)]
struct Closed(FxHashSet<TypeId>);

/// A record as it is after this rule's fix, where there is one for its type. What a field more or less of it takes is
/// weighed on that: a runtime that charges by steps takes something else for a field of an open record.
pub(in crate::rules) fn closed(heap: &Heap, record: &Record) -> Record {
    let mut record = *record;
    if heap.layout.takes_fields(record.implementation) {
        let closed: Arc<Closed> = heap.shared.get(|| {
            let types = open_types(heap).into_iter();
            Closed(types.map(|(ty, _, _)| ty).collect())
        });
        let label = heap.objects.label.get(record.object as usize);
        if label.is_some_and(|ty| closed.0.contains(ty)) {
            record.implementation = heap.types.closed(heap.objects.label[record.object as usize]);
        }
    }
    record
}
