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
//! For each record what its runtime charges for one field: a record of n fields against one of n − 1, where a record
//! counts with all fields of its type that it has room for. A runtime that charges by steps may free nothing for one
//! field and much for two: where what the fields of a type free one by one is not what they free together, they are one
//! finding, which says what each frees alone. The value itself is not counted: it is there once, or its copies are found
//! by another rule.
//!
//! ## How to fix it
//! Take the field out of the records. Where it says nothing, add it when there is something to keep. Where it has one
//! value, store the value once.
//!
//! - JavaScript: a getter or a property of the prototype, or a constant of the module.
//! - Ruby: a method. Python: a class attribute. Java, C++: a static member.
//!
//! ## When not to
//! When the value is the same only now: a flag that will change, a field for the future, a reference that other
//! processes set otherwise, a discriminator where this program happens to make one kind. When records go through
//! `JSON.stringify` or structured clone, which look at own fields only.

mod nothing;
mod numbers;
#[cfg(test)]
mod steps_tests;
#[cfg(test)]
mod tests;
mod together;

use deadweight_heap::{FieldProfile, FieldValue, Heap, ObjectId, OneValue, Presence, TextId, TypeId};
use deadweight_weighing::NotMeasured;
use rustc_hash::FxHashMap;
use serde_json::json;

use nothing::Nothing;
use numbers::same_numbers;
use together::{Field, Fields, weighed};

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
        Basis::Behaviour("nothing is ever stored there")
    }

    fn look(&self, heap: &Heap) -> Verdict {
        if let Some(blind) = Verdict::of_blocks(heap) {
            return blind;
        }
        let population = heap.population();
        let fields = heap.field_profiles();
        let mut by_type: FxHashMap<TypeId, Fields> = FxHashMap::default();
        let is_in_all = |ty: TypeId, name: TextId, field: &FieldProfile| {
            field.records >= LEAST
                && field.records == population.count(ty)
                && field.in_dictionaries == 0
                && heap.types.is_own_field(ty, name)
        };
        let nothing = Nothing::of(heap, &fields, is_in_all);
        for &((ty, name), ref field) in fields
            .iter()
            .filter(|((ty, name), field)| is_in_all(*ty, *name, field))
        {
            let holder = heap.field_name(ty, name);
            if let Some(nothing) = nothing.at(ty, name) {
                let candidate = nothing.candidate(heap, holder, field);
                let of_type = by_type.entry(ty).or_default();
                of_type.nothing.push(Field { name, candidate });
            } else if let OneValue::Same(value, row) = field.value {
                let candidate = one_value(holder, field.records, &shown(heap, value, row));
                let of_type = by_type.entry(ty).or_default();
                of_type.one_value.push(Field { name, candidate });
            }
        }
        for (ty, field, shown) in same_numbers(heap, &population) {
            let (name, candidate) = (
                field.name,
                one_value(heap.field_name(ty, field.name), population.count(ty), &shown),
            );
            let of_type = by_type.entry(ty).or_default();
            of_type.one_value.push(Field { name, candidate });
        }
        let candidates = weighed(heap, by_type);
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

fn shown(heap: &Heap, value: FieldValue, row: ObjectId) -> String {
    match (value, heap.number(row)) {
        (FieldValue::Text(text), _) => format!("\"{}\"", heap.texts.shown(text, 40)),
        (_, Some(number)) => number.value().to_string(),
        _ => heap.type_name(row).to_owned(),
    }
}

fn one_value(holder: String, records: u32, shown: &str) -> Candidate {
    let mut candidate = Candidate::at(holder);
    candidate.option = true;
    candidate.count = u64::from(records);
    candidate.title = format!(
        "all {} records hold the same value: {shown}",
        Count(records.into())
    );
    candidate.fix = "store the value once, in the class or a constant, and drop the field".into();
    candidate.evidence.insert("records".into(), json!(records));
    candidate.evidence.insert("value".into(), json!(shown));
    candidate.assuming("the value is the same by design, in every record that there will be")
}
