//! Numbers and dates in boxes, where a field's type could say the number itself: such a field is as wide as the number.

use deadweight_heap::{
    EdgeKind, FieldProfile, FieldProfiles, Heap, Kind, ObjectId, Population, Representation, TextId, TypeId,
};

use super::LEAST;
use crate::Candidate;
use crate::replaced_fields::{
    Going, Place, Replacement, Words, findings, is_own_reference, needed_elsewhere, places,
};

const WORDS: Words = Words {
    variant: "typed",
    mixed: "numbers and dates in objects of their own",
    fix,
    assumes: |_| "the fields are never without a value",
};

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
    let mut places = places(heap, keys, |value| number(heap, value));
    let going = Going {
        heap,
        stays: needed_elsewhere(heap, &places),
        is_free: &|value| heap.in_program(value),
        with: &|_| None,
    };
    places.retain(|place| going.count(place) >= u64::from(LEAST));
    findings(&going, places, &WORDS)
}

/// A field of the program's that refers to a number or to a date in every record.
fn is_wanted(heap: &Heap, population: &Population, ty: TypeId, name: TextId, seen: &FieldProfile) -> bool {
    let values = seen.numbers + seen.dates;
    is_own_reference(heap, ty, name)
        && seen.boxes + seen.dates >= LEAST
        && values == seen.records
        && seen.records == population.count(ty)
}

/// The number that a value is; `None` where it is of a class whose number the dump does not describe.
fn number(heap: &Heap, value: ObjectId) -> Option<Replacement> {
    if heap.kind(value) == Kind::Date {
        return Some(Replacement {
            becomes: Some(Representation::Integer(8)),
            name: "dates are kept as date objects",
        });
    }
    let [field] = heap.types.declared(heap.objects.label[value as usize]) else {
        return None;
    };
    (!field.representation.refers()).then_some(Replacement {
        becomes: Some(field.representation),
        name: "numbers in boxes of their own",
    })
}

fn fix(places: &[&Place]) -> String {
    match places.len() {
        0 | 1 => "declare the field as the number itself".to_owned(),
        many => {
            format!(
                "declare these {many} fields as the numbers themselves; the records are laid out once for all"
            )
        }
    }
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
