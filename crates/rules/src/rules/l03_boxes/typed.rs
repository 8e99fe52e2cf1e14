//! Numbers and dates in boxes, where a field's type could say the number itself: such a field is as wide as the number.

use deadweight_heap::{
    EdgeKind, FieldProfile, FieldProfiles, Heap, Kind, ObjectId, Parts, Population, Record, Representation,
    Reshaped, RowSet, TextId, TypeId, in_pieces,
};
use rayon::prelude::*;
use rustc_hash::FxHashSet;

use super::LEAST;
use super::slots::{Slot, slots};
use crate::Candidate;
use crate::count::Count;
use crate::parts::ClaimWhole;

/// Whether a field of declared ones names a value: then this pattern prices it.
pub(super) fn is_typed(heap: &Heap, value: ObjectId) -> bool {
    heap.referrers.of(value).is_some_and(|(from, via)| {
        via.kind() == EdgeKind::Field
            && heap.kind(from) == Kind::Record
            && !heap.types.declared(heap.objects.label[from as usize]).is_empty()
    })
}

pub(super) fn typed(heap: &Heap, fields: &FieldProfiles) -> Vec<Candidate> {
    let population = heap.population();
    let chosen = fields
        .iter()
        .filter(|((ty, name), seen)| is_wanted(heap, &population, *ty, *name, seen));
    let keys: Vec<(TypeId, TextId)> = chosen.map(|(key, _)| *key).collect();
    let slots = slots(heap, keys.iter().copied());
    let of_place = |slots: &Vec<Slot>| Sort::of(heap, slots);
    let sorts: Vec<Option<Sort>> = slots.iter().map(of_place).collect();
    let mended = keys.iter().zip(&sorts).filter(|(_, sort)| sort.is_some());
    let mended: FxHashSet<(TypeId, TextId)> = mended.map(|(key, _)| *key).collect();
    let stays = stays(heap, &slots, &mended);
    let places = keys.into_iter().zip(slots).zip(sorts);
    let candidates = places.filter_map(|((key, slots), sort)| candidate(heap, key, &slots, &sort?, &stays));
    candidates.collect()
}

/// A field of the program's that refers to a number or to a date in every record.
fn is_wanted(heap: &Heap, population: &Population, ty: TypeId, name: TextId, seen: &FieldProfile) -> bool {
    let declared = heap.types.declared(ty).iter().find(|field| field.name == name);
    let refers = declared.is_some_and(|field| field.representation == Representation::Reference);
    let values = seen.numbers + seen.dates;
    refers
        && !heap.types.is_library_field(ty, name)
        && seen.boxes + seen.dates >= LEAST
        && values == seen.records
        && seen.records == population.count(ty)
}

/// What the values of a place have in common.
struct Sort {
    representation: Representation,
    name: &'static str,
}

impl Sort {
    /// `None` where they are of several classes, or of one whose number the dump does not describe.
    fn of(heap: &Heap, slots: &[Slot]) -> Option<Self> {
        let first = slots.first()?.value;
        let class = heap.objects.label[first as usize];
        let is_same = |slot: &Slot| heap.objects.label[slot.value as usize] == class;
        if !slots.iter().all(is_same) {
            return None;
        }
        if heap.kind(first) == Kind::Date {
            return Some(Self {
                representation: Representation::Integer(8),
                name: "dates are kept as date objects",
            });
        }
        let declared = heap.types.declared(class);
        let [field] = declared else { return None };
        (!field.representation.refers()).then_some(Self {
            representation: field.representation,
            name: "numbers in boxes of their own",
        })
    }
}

/// Boxes that something else needs than fields that keep numbers then.
fn stays(heap: &Heap, slots: &[Vec<Slot>], mended: &FxHashSet<(TypeId, TextId)>) -> RowSet {
    let values = slots
        .par_iter()
        .flat_map(|slots| slots.par_iter().with_min_len(4096))
        .map(|slot| slot.value);
    let asked = heap.held_elsewhere(values);
    heap.held_otherwise(&asked, |reference| {
        let is_field = reference.via.kind() == EdgeKind::Field && heap.kind(reference.from) == Kind::Record;
        let label = heap.objects.label[reference.from as usize];
        let is_mended = is_field && mended.contains(&(label, reference.via.name()));
        reference.is_of_program(heap) && !is_mended
    })
}

fn candidate(
    heap: &Heap,
    (ty, name): (TypeId, TextId),
    slots: &[Slot],
    sort: &Sort,
    stays: &RowSet,
) -> Option<Candidate> {
    let record: &Record = heap.record(slots.first()?.record)?;
    let reshaped: Reshaped = heap.reshaped(record, &[name], &[sort.representation.times(1)]);
    let mut candidate = Candidate::at(heap.field_name(ty, name)).at_all_places();
    candidate.of = Some(ty);
    candidate.variant = "typed";
    let pieces = in_pieces(slots, |slots| {
        let (mut found, mut parts) = (Candidate::at(""), Parts::default());
        for slot in slots {
            let goes = heap.bytes(slot.value) > 0 && heap.in_program(slot.value) && !stays.has(slot.value);
            if goes && slot.is_naming(heap, name) {
                found.bytes_now += parts.claim_whole(heap, &mut found, slot.value);
                found.count += 1;
            } else {
                found.unaffected += 1;
            }
            if reshaped.added() > 0 {
                found.add_to(slot.record, reshaped.added());
            } else if reshaped.freed() > 0 {
                found.claim(slot.record, reshaped.freed());
            }
        }
        found
    });
    for found in pieces {
        candidate.absorb(found);
    }
    if candidate.count < u64::from(LEAST) {
        return None;
    }
    candidate.title = format!("{} {}", Count(candidate.count), sort.name);
    candidate.fix = "declare the field as the number itself".into();
    candidate.show("bytes_of_the_number", sort.representation.bytes(0));
    candidate.show("record_grows_by", reshaped.added());
    Some(candidate.assuming("the field is never without a value"))
}

#[cfg(test)]
mod tests {
    use deadweight_heap::{HeapBuilder, Numeric, Value};

    use super::super::tests::look;
    use super::*;

    fn items(null: bool, shared: bool) -> Vec<Candidate> {
        let mut heap = HeapBuilder::new();
        heap.class("number", None, &[("value", Representation::Integer(8))]);
        let fields = [
            ("price", Representation::Reference),
            ("count", Representation::Integer(4)),
        ];
        let item = heap.class("Item", None, &fields);
        for i in 0..20 {
            let number = heap.number(1e9 + f64::from(i));
            let value = if null && i == 3 {
                Value::Nothing
            } else {
                Value::Reference(number, 0)
            };
            let count = Value::Number(Numeric::Integer(1));
            let row = heap.instance(item, &[value, count]);
            heap.variable("items", row);
            if shared {
                let list = heap.array(1, &[number]);
                heap.variable("list", list);
            }
        }
        look(&heap.build(), "typed")
    }

    #[test]
    fn a_number_takes_the_place_of_the_reference_to_its_box() {
        let found = items(false, false);
        // A reference has eight bytes there, as the number.
        assert_eq!((found.len(), found[0].net()), (1, 20 * 16));
        assert_eq!(found[0].holder, "Item.price");
    }

    #[test]
    fn what_is_absent_or_needed_elsewhere_keeps_its_box() {
        assert!(items(true, false).is_empty());
        assert!(items(false, true).is_empty());
    }
}
