//! # L05 · a field that says nothing, or the same in every instance
//!
//! ## What it is
//! A field in which every record of its type has nothing, or an empty container; or one that holds the same value in all
//! of them.
//!
//! ## Why it costs
//! A slot for each record, to say what is known beforehand.
//!
//! ## How it is found
//! Types with at least 256 records, all of them with fixed places for fields. A field counts when every record has it.
//!
//! A field that *says nothing* is a finding: in every record stands an absent value (`undefined`, `null`, `nil`) or a
//! container that is empty or a buffer of zeros, whether they share it or each has its own (these themselves are C01's
//! and E01's).
//!
//! A field with *one value* is an option, and never counted as dead weight: all records refer to one object, to equal
//! text, or to equal numbers. What is equal in one dump may tell records of this program apart from those of another, or
//! from those of tomorrow: the kind of a node, the process in an id, a setting. A field whose numbers the dump does not
//! show is passed over, and so is one that some records lack, or that the runtime's own library fills.
//!
//! ## How the saving is computed
//! For each record what its runtime charges for one field: a record of n fields against one of n − 1. The value itself
//! is not counted: it is there once, or its copies are found by another rule.
//!
//! ## How to fix it
//! Take the field out of the records. Where it says nothing, make it when something comes. Where it has one value, say
//! the value once.
//!
//! - JavaScript: a getter or a property of the prototype, or a constant of the module.
//! - Ruby: a method. Python: a class attribute. Java, C++: a static member.
//!
//! ## When not to
//! When the value is the same only now: a flag that will change, a field for the future, a reference that other
//! processes set otherwise, a discriminator of which this program happens to make one kind. When records go through
//! `JSON.stringify` or structured clone, which look at own fields only.

mod nothing;

use deadweight_heap::{
    FieldProfile, FieldValue, Heap, ObjectId, OneValue, Presence, Record, TextId, TypeId, in_pieces,
};
use deadweight_weighing::NotMeasured;
use rustc_hash::FxHashMap;
use serde_json::json;

use nothing::Nothing;

use crate::count::Count;
use crate::{Basis, Candidate, Code, Rule, Verdict};

/// Types with fewer records are not worth a change.
const LEAST: u32 = 256;

/// The rule.
pub struct ConstantFields;

impl Rule for ConstantFields {
    fn code(&self) -> Code {
        Code("L05")
    }

    fn source(&self) -> &'static str {
        include_str!("l05_constants.rs")
    }

    fn basis(&self) -> Basis {
        Basis::Behaviour("nothing is ever kept there")
    }

    fn look(&self, heap: &Heap) -> Verdict {
        let population = heap.population();
        let fields = heap.field_profiles();
        let mut candidates = Vec::new();
        let mut by_type: FxHashMap<TypeId, Vec<(usize, TextId)>> = FxHashMap::default();
        let is_in_all = |ty: TypeId, name: TextId, field: &FieldProfile| {
            field.records >= LEAST
                && field.records == population.count(ty)
                && field.in_dictionaries == 0
                && !heap.types.is_library_field(ty, name)
        };
        let nothing = Nothing::of(heap, &fields, is_in_all);
        for ((ty, name), field) in fields
            .iter()
            .filter(|((ty, name), field)| is_in_all(*ty, *name, field))
        {
            let holder = heap.field_name(*ty, *name);
            let mut candidate = match (nothing.at(*ty, *name), field.value) {
                (Some(nothing), _) => nothing.candidate(heap, holder, field),
                (None, OneValue::Same(value, row)) => of_one_value(heap, holder, field.records, value, row),
                _ => continue,
            };
            by_type.entry(*ty).or_default().push((candidates.len(), *name));
            candidate.of = Some(*ty);
            candidates.push(candidate);
        }
        if !by_type.is_empty() {
            let pieces = in_pieces(&heap.records, |records| {
                let mut of_piece: FxHashMap<usize, Candidate> = FxHashMap::default();
                for record in records {
                    let places = heap.record_type(record).and_then(|ty| by_type.get(&ty));
                    for &(place, field) in places.into_iter().flatten() {
                        let slot = slot_of(heap, record, field);
                        let found = of_piece.entry(place).or_insert_with(|| Candidate::at(""));
                        found.bytes_now += slot;
                        found.claim(record.object, slot);
                    }
                }
                of_piece
            });
            for (place, found) in pieces.into_iter().flatten() {
                candidates[place].absorb(found);
            }
        }
        let mut verdict = Verdict::from(candidates);
        let any = (0..heap.types.len()).any(|ty| population.count(ty as TypeId) >= LEAST);
        if heap.coverage.numbers == Presence::Absent && any {
            verdict.not_measured.push(NotMeasured::new(
                "the dump has no values of numbers, so fields that hold one number are not seen",
                heap.runtime.recapture.clone(),
            ));
        }
        verdict
    }
}

/// Bytes that a record loses without one of its fields.
fn slot_of(heap: &Heap, record: &Record, field: TextId) -> u64 {
    let freed = heap.reshaped(record, Some(field), &[]).freed();
    freed.min(heap.bytes(record.object))
}

fn of_one_value(heap: &Heap, holder: String, records: u32, value: FieldValue, row: ObjectId) -> Candidate {
    let mut candidate = Candidate::at(holder);
    let shown = match (value, heap.number(row)) {
        (FieldValue::Text(text), _) => format!("\"{}\"", heap.texts.shown(text, 40)),
        (_, Some(number)) => number.value().to_string(),
        _ => heap.type_name(row).to_owned(),
    };
    candidate.option = true;
    candidate.count = u64::from(records);
    candidate.title = format!(
        "all {} records hold the same value: {shown}",
        Count(records.into())
    );
    candidate.fix = "say the value once, in the class or a constant; drop the field".into();
    candidate.evidence.insert("records".into(), json!(records));
    candidate.evidence.insert("value".into(), json!(shown));
    candidate.assuming("the value is the same by design, in every record that there will be")
}

#[cfg(test)]
mod tests {
    use deadweight_heap::{HeapBuilder, Kind, Numeric, Representation, Value as Stored};

    use super::*;

    fn found(heap: HeapBuilder) -> Vec<String> {
        let verdict = ConstantFields.look(&heap.build());
        verdict.candidates.into_iter().map(|c| c.holder).collect()
    }

    #[test]
    fn one_row_equal_text_and_equal_numbers_are_one_value() {
        let mut heap = HeapBuilder::new();
        let null = heap.object(Kind::Runtime, "null", 0);
        for i in 0..300 {
            let text = heap.string("same");
            let other = heap.string(&i.to_string());
            let boxed = heap.number(1.5);
            let small = heap.small_number(7.0);
            let counter = heap.small_number(f64::from(i));
            let fields = [
                ("a", null),
                ("b", text),
                ("c", other),
                ("d", boxed),
                ("e", small),
                ("f", counter),
            ];
            heap.record("M", &fields);
        }
        let heap = heap.build();
        let found = ConstantFields.look(&heap).candidates;
        let names: Vec<_> = found.iter().map(|c| c.holder.as_str()).collect();
        assert_eq!(names, ["M.a", "M.b", "M.d", "M.e"]);
        assert!(found.iter().all(|c| c.net() == 300 * 8));
        // What is equal in this heap is content; only what says nothing is dead.
        let dead: Vec<_> = found.iter().filter(|c| !c.option).map(|c| &*c.holder).collect();
        assert_eq!(dead, ["M.a"]);
        assert_eq!(found[1].evidence["value"], "\"same\"");
        assert_eq!(found[2].evidence["value"], "1.5");
    }

    #[test]
    fn empty_containers_say_nothing_whether_shared_or_not() {
        let mut heap = HeapBuilder::new();
        let null = heap.object(Kind::Runtime, "null", 0);
        let shared = heap.array(0, &[]);
        let filled = heap.array(1, &[null]);
        for i in 0..300 {
            let (own, map) = (heap.array(4, &[]), heap.map(0, &[]));
            let either = if i % 2 == 0 { null } else { own };
            let once = if i == 299 { filled } else { shared };
            let fields = [
                ("own", own),
                ("map", map),
                ("shared", shared),
                ("either", either),
                ("once", once),
                ("all", filled),
            ];
            heap.record("M", &fields);
        }
        let found = ConstantFields.look(&heap.build()).candidates;
        let listed: Vec<_> = found.iter().map(|c| (&*c.holder, c.option, &*c.title)).collect();
        assert_eq!(
            listed,
            [
                ("M.own", false, "all 300 records hold nothing: an empty Array"),
                ("M.map", false, "all 300 records hold nothing: an empty Map"),
                ("M.shared", false, "all 300 records hold nothing: an empty Array"),
                (
                    "M.either",
                    false,
                    "all 300 records hold nothing: null or an empty Array"
                ),
                ("M.all", true, "all 300 records hold the same value: Array"),
            ]
        );
    }

    /// Between two narrow numbers a reference leaves a hole; without it they stand side by side.
    #[test]
    fn a_field_among_declared_ones_frees_its_holes_too() {
        let mut heap = HeapBuilder::new();
        let same = heap.string("same");
        let fields = [
            ("low", Representation::Integer(4)),
            ("unit", Representation::Reference),
            ("high", Representation::Integer(4)),
        ];
        let class = heap.class("Range", None, &fields);
        for i in 0..300 {
            let number = |value| Stored::Number(Numeric::Integer(value));
            heap.instance(class, &[number(i), Stored::Reference(same, 0), number(2 * i)]);
        }
        let found = ConstantFields.look(&heap.build()).candidates;
        assert_eq!(found.len(), 1);
        assert_eq!(
            (found[0].holder.as_str(), found[0].net()),
            ("Range.unit", 300 * 16)
        );
    }

    /// Two numbers that one float stands for are two values.
    #[test]
    fn large_whole_numbers_differ() {
        let mut heap = HeapBuilder::new();
        let numbers = [i64::MAX, i64::MAX - 1].map(|value| heap.whole_number(value));
        for i in 0..300 {
            heap.record("M", &[("id", numbers[i % 2])]);
        }
        assert!(found(heap).is_empty());
    }

    #[test]
    fn a_field_that_some_lack_or_that_differs_once_is_fine() {
        let mut heap = HeapBuilder::new();
        let null = heap.object(Kind::Runtime, "null", 0);
        let yes = heap.object(Kind::Runtime, "true", 0);
        for i in 0..300 {
            let own = if i == 299 { yes } else { null };
            let fields = [("a", own), ("b", null)];
            heap.record("M", &fields[..if i == 7 { 1 } else { 2 }]);
        }
        assert!(found(heap).is_empty());
    }

    #[test]
    fn fields_are_seen_to_the_end_while_one_may_be_constant() {
        let mut heap = HeapBuilder::new();
        let null = heap.object(Kind::Runtime, "null", 0);
        for i in 0..1000 {
            let (other, late) = (heap.string(&i.to_string()), heap.string("late"));
            heap.record("Constant", &[("a", other), ("b", null)]);
            let fields = [("a", other), ("b", late)];
            heap.record("Late", &fields[..if i < 500 { 1 } else { 2 }]);
        }
        let heap = heap.build();
        let found = ConstantFields.look(&heap).candidates;
        let names: Vec<_> = found.iter().map(|c| (c.holder.as_str(), c.count)).collect();
        assert_eq!(names, [("Constant.b", 1000)]);
    }

    #[test]
    fn numbers_of_unknown_value_are_not_equal() {
        let mut heap = HeapBuilder::new();
        heap.coverage(|coverage| coverage.numbers = Presence::Absent);
        for _ in 0..300 {
            let boxed = heap.number(f64::NAN);
            heap.record("M", &[("a", boxed)]);
        }
        let verdict = ConstantFields.look(&heap.build());
        assert!(verdict.candidates.is_empty());
        assert_eq!(verdict.not_measured.len(), 1);
    }

    #[test]
    fn small_types_and_tables_are_passed_over() {
        let mut heap = HeapBuilder::new();
        let null = heap.object(Kind::Runtime, "null", 0);
        for _ in 0..255 {
            heap.record("Few", &[("a", null)]);
        }
        for _ in 0..300 {
            heap.dictionary("Table", 8, &[("a", null)]);
        }
        assert!(found(heap).is_empty());
    }

    #[test]
    fn an_edge_said_twice_is_one_field() {
        let mut heap = HeapBuilder::new();
        let null = heap.object(Kind::Runtime, "null", 0);
        for i in 0..300 {
            let fields = [("a", null), ("a", null)];
            let fields = if i % 2 == 0 { &fields[..] } else { &[] };
            heap.record("M", fields);
        }
        assert!(found(heap).is_empty());
    }

    #[test]
    fn fields_that_the_runtimes_library_fills_are_not_the_programs() {
        let mut heap = HeapBuilder::new();
        let no = heap.object(Kind::Runtime, "false", 0);
        for _ in 0..LEAST {
            let job = heap.record("Job", &[("captures", no), ("failed", no)]);
            heap.variable("job", job);
        }
        heap.library("Job", false, &["captures"]);
        assert_eq!(found(heap), ["Job.failed"]);
    }
}
