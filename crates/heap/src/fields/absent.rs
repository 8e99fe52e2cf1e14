//! Declared fields that refer to nothing. No reference of the heap stands for them, so only the records' own bytes show them.

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::profile::FieldProfile;
use super::{FieldTally as _, Population};
use crate::{Field, Heap, TextId, TypeId, Value};

/// Profiles by type and field, in that order.
type Profiles = Vec<((TypeId, TextId), FieldProfile)>;

/// Counts the absent values of declared fields, for types of at least `least` records.
pub(super) fn add(heap: &Heap, population: &Population, least: u32, profiles: &mut Profiles) {
    let wanted: FxHashMap<TypeId, Vec<Field>> = (0..heap.types.len() as TypeId)
        .filter(|&ty| population.count(ty) >= least)
        .map(|ty| (ty, of_type(heap, ty, population.count(ty), profiles)))
        .filter(|(_, fields)| !fields.is_empty())
        .collect();
    if wanted.is_empty() {
        return;
    }
    let chunk = (heap.records.len() / (4 * rayon::current_num_threads())).max(4096);
    let count = |records: &[crate::Record]| {
        let mut counts: FxHashMap<(TypeId, TextId), u32> = FxHashMap::default();
        for record in records {
            let Some(ty) = heap.record_type(record) else {
                continue;
            };
            for field in wanted.get(&ty).into_iter().flatten() {
                let is_absent = heap.field_value(record.object, field) == Some(Value::Nothing);
                if is_absent {
                    *counts.entry((ty, field.name)).or_default() += 1;
                }
            }
        }
        counts
    };
    let merge = |mut all: FxHashMap<_, u32>, more: FxHashMap<_, u32>| {
        for (field, count) in more {
            *all.entry(field).or_default() += count;
        }
        all
    };
    let counts = heap
        .records
        .par_chunks(chunk)
        .map(count)
        .reduce(FxHashMap::default, merge);
    for (field, count) in counts {
        let absent = FieldProfile::absent(count);
        match profiles.binary_search_by_key(&field, |(of, _)| *of) {
            Ok(at) => profiles[at].1.merge(absent),
            Err(at) => profiles.insert(at, (field, absent)),
        }
    }
}

/// The fields of a type that refer, and that some record has no reference for. Where a type inherits a field and declares
/// another one of that name, nobody knows which of them a reference is for.
fn of_type(heap: &Heap, ty: TypeId, records: u32, profiles: &Profiles) -> Vec<Field> {
    let declared = heap.types.declared(ty);
    let is_alone = |field: &&Field| declared.iter().filter(|other| other.name == field.name).count() == 1;
    let is_missing = |field: &&Field| {
        let profile = profiles.binary_search_by_key(&(ty, field.name), |(of, _)| *of);
        profile.map_or(true, |at| profiles[at].1.records < records)
    };
    let refer = declared.iter().filter(|field| field.representation.refers());
    refer.filter(is_alone).filter(is_missing).copied().collect()
}
