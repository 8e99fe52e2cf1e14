//! Numbers that stand in declared fields themselves, and are the same in every record.

use deadweight_heap::{Field, Heap, ObjectId, Population, TypeId, Value, in_pieces};
use rustc_hash::FxHashMap;

use super::LEAST;

/// Fields that have one number so far: what it is compared by, and as it is shown.
type Same<'h> = Vec<(&'h Field, (u8, u64), String)>;

/// The numbers in the fields of the first record of a type that is seen.
fn of_first(heap: &Heap, ty: TypeId, first: ObjectId) -> Same<'_> {
    let own = heap.types.declared(ty).iter();
    let own = own.filter(|field| !field.representation.refers() && heap.types.is_own_field(ty, field.name));
    let fields = own.filter_map(|field| {
        let (key, shown) = known(heap.field_value(first, field)?)?;
        Some((field, key, shown))
    });
    fields.collect()
}

/// For each type the fields that hold one number in all records, each with that number as it is shown.
pub(super) fn same_numbers<'h>(heap: &'h Heap, population: &Population) -> Vec<(TypeId, &'h Field, String)> {
    let pieces = in_pieces(&heap.records, |records| {
        let mut of_piece: FxHashMap<TypeId, Same<'h>> = FxHashMap::default();
        for record in records {
            let Some(ty) = heap
                .record_type(record)
                .filter(|&ty| population.count(ty) >= LEAST)
            else {
                continue;
            };
            let same = of_piece
                .entry(ty)
                .or_insert_with(|| of_first(heap, ty, record.object));
            let is_same = |field: &Field, key| {
                let other = heap.field_value(record.object, field).and_then(known);
                other.is_some_and(|(other, _)| other == key)
            };
            same.retain(|(field, key, _)| is_same(field, *key));
        }
        of_piece
    });
    let mut all: FxHashMap<TypeId, Same<'h>> = FxHashMap::default();
    for (ty, more) in pieces.into_iter().flatten() {
        match all.get_mut(&ty) {
            Some(same) => {
                let has = |field: &Field, key| {
                    more.iter()
                        .any(|(other, known, _)| other.offset == field.offset && *known == key)
                };
                same.retain(|(field, key, _)| has(field, *key));
            }
            None => {
                all.insert(ty, more);
            }
        }
    }
    let found = all
        .into_iter()
        .flat_map(|(ty, same)| same.into_iter().map(move |(field, _, shown)| (ty, field, shown)));
    let mut found: Vec<_> = found.collect();
    found.sort_unstable_by_key(|(ty, field, ..)| (*ty, field.offset));
    found
}

/// A number or truth value by which it can be compared, and as it is shown.
fn known(value: Value) -> Option<((u8, u64), String)> {
    match value {
        Value::Number(number) => Some((number.known_key()?, number.to_string())),
        Value::Boolean(value) => Some(((u8::MAX, u64::from(value)), value.to_string())),
        Value::Nothing | Value::Reference(..) => None,
    }
}
