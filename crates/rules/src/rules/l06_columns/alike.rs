//! Types whose records have the same number of fields.

use deadweight_heap::{Heap, Population, TypeId, UNKNOWN, in_pieces};
use rustc_hash::FxHashMap;

/// Fewer records are not worth a program's change.
const LEAST: u32 = 1000;

/// Types whose records all have as many fixed fields, with their number.
pub(super) struct Alike(pub(super) FxHashMap<TypeId, u32>);

impl Alike {
    pub(super) fn of(heap: &Heap, population: &Population) -> Self {
        let note = |found: &mut FxHashMap<TypeId, Option<u32>>, ty: TypeId, used: Option<u32>| {
            let known = found.entry(ty).or_insert(used);
            if *known != used {
                *known = None;
            }
        };
        let pieces = in_pieces(&heap.records, |records| {
            let mut found = FxHashMap::default();
            for record in records {
                // What extends a class of the runtime's library has to stay an object.
                let could_be_columns =
                    |&ty: &TypeId| population.count(ty) >= LEAST && heap.types.of_library(ty).is_none();
                let ty = heap.record_type(record).filter(could_be_columns);
                if let Some(ty) = ty {
                    let used = (record.used != UNKNOWN && record.used > 0).then_some(record.used);
                    note(&mut found, ty, used);
                }
            }
            found
        });
        let mut found = FxHashMap::default();
        for (ty, used) in pieces.into_iter().flatten() {
            note(&mut found, ty, used);
        }
        Self(
            found
                .into_iter()
                .filter_map(|(ty, used)| Some((ty, used?)))
                .collect(),
        )
    }
}
