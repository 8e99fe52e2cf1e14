//! Numbers and dates in boxes, where a field's type could say the number itself: such a field is as wide as the number.

use deadweight_heap::{
    EdgeKind, FieldProfile, FieldProfiles, Heap, Kind, ObjectId, Parts, Population, Representation, Reshaped,
    RowSet, TextId, TypeId, in_pieces,
};
use rayon::prelude::*;
use rustc_hash::FxHashSet;
use serde_json::json;

use super::LEAST;
use super::slots::{Slot, slots};
use crate::Candidate;
use crate::count::Count;
use crate::parts::ClaimWhole;

/// What the numbers rest on.
const ASSUMED: &str = "the fields are never without a value";

/// How many fields are named where several are told in one line.
const SHOWN: usize = 4;

/// Whether a field that is declared to refer to an object names a value: then this pattern prices it. A field that holds
/// whatever there is cannot be declared as a number.
pub(super) fn is_typed(heap: &Heap, value: ObjectId) -> bool {
    heap.referrers.of(value).is_some_and(|(from, via)| {
        let is_field = via.kind() == EdgeKind::Field && heap.kind(from) == Kind::Record;
        let declared = || heap.types.declared(heap.objects.label[from as usize]).iter();
        is_field
            && declared().any(|field| field.name == via.name() && field.representation != Representation::Any)
    })
}

pub(super) fn typed(heap: &Heap, fields: &FieldProfiles) -> Vec<Candidate> {
    let population = heap.population();
    let chosen = fields
        .iter()
        .filter(|((ty, name), seen)| is_wanted(heap, &population, *ty, *name, seen));
    let keys: Vec<(TypeId, TextId)> = chosen.map(|(key, _)| *key).collect();
    let slots = slots(heap, keys.iter().copied());
    let mut places: Vec<Place> = keys
        .into_iter()
        .zip(slots)
        .filter_map(|((ty, name), slots)| {
            let sort = Sort::of(heap, &slots)?;
            Some(Place {
                ty,
                name,
                slots,
                sort,
            })
        })
        .collect();
    let stays = stays(heap, &places);
    places.retain(|place| place.count(heap, &stays) >= u64::from(LEAST));
    places.sort_by_key(|place| place.ty);
    let of_types = places.chunk_by(|a, b| a.ty == b.ty);
    of_types
        .flat_map(|places| candidates(heap, places, &stays))
        .collect()
}

/// A field of the program's that refers to a number or to a date in every record.
fn is_wanted(heap: &Heap, population: &Population, ty: TypeId, name: TextId, seen: &FieldProfile) -> bool {
    let declared = heap.types.declared(ty).iter().find(|field| field.name == name);
    let refers = declared.is_some_and(|field| field.representation == Representation::Reference);
    let values = seen.numbers + seen.dates;
    refers
        && heap.types.is_own_field(ty, name)
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

/// A field, record by record.
struct Place {
    ty: TypeId,
    name: TextId,
    slots: Vec<Slot>,
    sort: Sort,
}

impl Place {
    /// Whether a value goes with the field, and is counted there.
    fn frees(&self, heap: &Heap, slot: Slot, stays: &RowSet) -> bool {
        heap.bytes(slot.value) > 0
            && heap.in_program(slot.value)
            && !stays.has(slot.value)
            && slot.is_naming(heap, self.name)
    }

    fn count(&self, heap: &Heap, stays: &RowSet) -> u64 {
        let slots = self.slots.par_iter().with_min_len(4096);
        slots.filter(|slot| self.frees(heap, **slot, stays)).count() as u64
    }

    /// Claims the boxes.
    fn claim(&self, heap: &Heap, stays: &RowSet, candidate: &mut Candidate) {
        let pieces = in_pieces(&self.slots, |slots| {
            let (mut found, mut parts) = (Candidate::at(""), Parts::default());
            for slot in slots {
                if self.frees(heap, *slot, stays) {
                    found.bytes_now += parts.claim_whole(heap, &mut found, slot.value);
                    found.count += 1;
                } else {
                    found.unaffected += 1;
                }
            }
            found
        });
        for found in pieces {
            candidate.absorb(found);
        }
    }

    /// Books what becomes of the records.
    fn reshape(&self, reshaped: Reshaped, candidate: &mut Candidate) {
        for slot in &self.slots {
            if reshaped.added() > 0 {
                candidate.add_to(slot.record, reshaped.added());
            } else if reshaped.freed() > 0 {
                candidate.claim(slot.record, reshaped.freed());
            }
        }
    }
}

/// Boxes that something else needs than fields that keep numbers then.
fn stays(heap: &Heap, places: &[Place]) -> RowSet {
    let mended: FxHashSet<(TypeId, TextId)> = places.iter().map(|place| (place.ty, place.name)).collect();
    let values = places
        .par_iter()
        .flat_map(|place| place.slots.par_iter().with_min_len(4096))
        .map(|slot| slot.value);
    let asked = heap.held_elsewhere(values);
    heap.held_otherwise(&asked, |reference| {
        let is_field = reference.via.kind() == EdgeKind::Field && heap.kind(reference.from) == Kind::Record;
        let label = heap.objects.label[reference.from as usize];
        let is_mended = is_field && mended.contains(&(label, reference.via.name()));
        reference.is_of_program(heap) && !is_mended
    })
}

/// The findings of one type: one for each field, or one for all where the records change by another number of bytes when
/// all fields do than by what each does: they are laid out once.
fn candidates(heap: &Heap, places: &[Place], stays: &RowSet) -> Vec<Candidate> {
    let record = places[0].slots.first().and_then(|slot| heap.record(slot.record));
    let Some(record) = record else {
        return Vec::new();
    };
    let numbers: Vec<(TextId, Representation)> = places
        .iter()
        .map(|place| (place.name, place.sort.representation))
        .collect();
    let shrinks = |of: Reshaped| of.now.cast_signed() - of.after.cast_signed();
    let alone: Option<Vec<Reshaped>> = numbers
        .iter()
        .map(|number| heap.retyped(record, &[*number]))
        .collect();
    let (Some(alone), Some(all)) = (alone, heap.retyped(record, &numbers)) else {
        return Vec::new();
    };
    let one_by_one: i64 = alone.iter().map(|&of| shrinks(of)).sum();
    if places.len() > 1 && one_by_one != shrinks(all) {
        return vec![together(heap, places, &alone, all, stays)];
    }
    let of_place = |(place, of): (&Place, Reshaped)| single(heap, place, of, stays);
    places.iter().zip(alone).map(of_place).collect()
}

fn single(heap: &Heap, place: &Place, reshaped: Reshaped, stays: &RowSet) -> Candidate {
    let mut candidate = Candidate::at(heap.field_name(place.ty, place.name)).at_all_places();
    candidate.of = Some(place.ty);
    candidate.variant = "typed";
    place.claim(heap, stays, &mut candidate);
    place.reshape(reshaped, &mut candidate);
    candidate.title = format!("{} {}", Count(candidate.count), place.sort.name);
    candidate.fix = "declare the field as the number itself".into();
    candidate.show("bytes_of_the_number", place.sort.representation.bytes(0));
    candidate.show("record_grows_by", reshaped.added());
    candidate.assuming(ASSUMED)
}

/// One finding for several fields of a type.
fn together(heap: &Heap, places: &[Place], alone: &[Reshaped], all: Reshaped, stays: &RowSet) -> Candidate {
    let mut candidate = Candidate::at(heap.types.name(places[0].ty)).at_all_places();
    candidate.of = Some(places[0].ty);
    candidate.variant = "typed";
    let mut fields = Vec::with_capacity(places.len());
    for (place, &reshaped) in places.iter().zip(alone) {
        let mut of_place = Candidate::at("");
        place.claim(heap, stays, &mut of_place);
        let boxes = of_place.claims.bytes().cast_signed();
        candidate.absorb(of_place);
        let records = (place.slots.len() as u64).cast_signed();
        let frees = boxes + records * (reshaped.freed().cast_signed() - reshaped.added().cast_signed());
        fields.push(json!({
            "field": heap.texts.shown(place.name, 48),
            "alone_frees": frees.max(0),
        }));
    }
    places[0].reshape(all, &mut candidate);
    let names: Vec<String> = places
        .iter()
        .map(|place| heap.texts.shown(place.name, 48))
        .collect();
    let mut shown = names[..names.len().min(SHOWN)].join(", ");
    if names.len() > SHOWN {
        shown = format!("{shown}, +{}", names.len() - SHOWN);
    }
    let is_of_one_sort = places.iter().all(|place| place.sort.name == places[0].sort.name);
    let what = if is_of_one_sort {
        places[0].sort.name
    } else {
        "numbers and dates in objects of their own"
    };
    candidate.title = format!("{} {what}: {shown}", Count(candidate.count));
    candidate.fix = format!(
        "declare these {} fields as the numbers themselves; the records are laid out once for all",
        names.len()
    );
    candidate.show("fields", fields);
    candidate.show("record_grows_by", all.added());
    candidate.assuming(ASSUMED)
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

    /// Of two narrow numbers the first takes a reference's place beside a hole, which the second fills.
    #[test]
    fn fields_of_one_record_are_laid_out_together() {
        let mut heap = HeapBuilder::new();
        heap.class("number", None, &[("value", Representation::Integer(4))]);
        let fields = [
            ("bid", Representation::Reference),
            ("ask", Representation::Reference),
        ];
        let quote = heap.class("Quote", None, &fields);
        for i in 0..20 {
            let [bid, ask] = [1.0, 2.0].map(|off| heap.number(1e6 + f64::from(i) + off));
            let row = heap.instance(quote, &[Value::Reference(bid, 0), Value::Reference(ask, 0)]);
            heap.variable("quotes", row);
        }
        let found = look(&heap.build(), "typed");
        assert_eq!(found.len(), 1);
        // Both boxes, and half of two references.
        assert_eq!(
            (found[0].holder.as_str(), found[0].net()),
            ("Quote", 20 * (2 * 16 + 8))
        );
        assert_eq!(found[0].count, 40);
        assert_eq!(found[0].evidence["fields"][1]["field"], "ask");
        assert_eq!(found[0].evidence["fields"][1]["alone_frees"], 20 * 16);
    }

    /// A number that a class inherits stands among the fields of the class above.
    #[test]
    fn a_field_changes_where_it_is_declared() {
        let mut heap = HeapBuilder::new();
        heap.class("number", None, &[("value", Representation::Integer(4))]);
        let base = [
            ("price", Representation::Reference),
            ("count", Representation::Integer(4)),
        ];
        let base = heap.class("Base", None, &base);
        let item = heap.class("Item", Some(base), &[("unit", Representation::Reference)]);
        let unit = heap.string("kg");
        for i in 0..20 {
            let number = heap.number(1e6 + f64::from(i));
            let values = [
                Value::Reference(number, 0),
                Value::Number(Numeric::Integer(1)),
                Value::Reference(unit, 0),
            ];
            let row = heap.instance(item, &values);
            heap.variable("items", row);
        }
        // The two narrow numbers share a word; at the end of the record the number would have taken one of its own.
        assert_eq!(look(&heap.build(), "typed")[0].net(), 20 * (16 + 8));
    }
}
