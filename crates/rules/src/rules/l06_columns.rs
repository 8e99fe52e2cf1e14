//! # L06 · many equal records that would be columns
//!
//! ## What it is
//! Thousands of records with the same fields: a table, kept row by row.
//!
//! ## Why it costs
//! Each record has a header and a full slot for a truth value, each date and fraction an object of its own. A column
//! keeps a field of all records in one array, with as many bytes as its values need.
//!
//! ## How it is found
//! Types with at least 1,000 records that all have the same fields, those left out that extend a class of the runtime's
//! own library. It is an *option*: the records are not waste, and
//! the program must be written around columns. Its saving is what it would free after all findings are fixed, and
//! counts in no sum.
//!
//! ## How the saving is computed
//! The records go, with their stores, the shapes they alone use, the boxes and dates in their fields, and the copies of
//! text in columns of up to 65,536 different values. When one list holds all of them, it goes too: the number of a row
//! takes the place of the reference. Other references to the records stay as they are, slots that hold a number then.
//! Added is for each column and record:
//!
//! - truth values: 1 byte; a field with one value everywhere: nothing;
//! - whole numbers: 1, 2 or 4 bytes, as the range from the smallest to the largest needs; other numbers and moments: 8;
//! - numbers and truth values that a type declares and that stand in the record: as wide as they are declared;
//! - where some values are nothing, a value that never comes stands for it, which makes the range larger by one; 8 bytes
//!   have room for it (a number that is none);
//! - text of few different values: a code of 1 or 2 bytes; each value stays once, in a list;
//! - all else (text of many values, nested objects, mixtures): a slot, and the object stays.
//!
//! The columns are taken to be complete: cut to their length, and without the table that finds the code of a text, which
//! only adding rows needs. One that still grows has up to twice the room, and each such table costs as much as a map of
//! its values. Numbers that the dump does not show count as 8 bytes. Columns of numbers, truth values and codes are
//! memory outside the heap: the evidence has both sides, `held_saved` and `external_added`.
//!
//! ## How to fix it
//! One array per field, an index instead of a reference, and a small object that shows a row where one is needed.
//!
//! - JavaScript: typed arrays, and a `Map` from text to code. Python: `array`, `numpy`. Java, C++, Rust: a struct of
//!   arrays.
//!
//! ## When not to
//! When rows come and go one by one, or are passed to code that wants objects: each row is then made again each time.

mod alike;
mod claims;
mod copies;
mod distinct;
mod list;
mod plan;
mod table;
#[cfg(test)]
mod tests;

use deadweight_heap::{Heap, Presence, TypeId};
use rustc_hash::FxHashMap;

use crate::equal_texts::EqualTexts;
use crate::{Basis, Candidate, Code, Rule, Verdict};

use alike::Alike;
use claims::Claims;
use distinct::distinct_texts;
use plan::Plan;
use table::Table;

/// More different texts than this do not fit a code of two bytes.
const CODES: usize = 1 << 16;

/// The rule.
pub struct Columns;

impl Rule for Columns {
    fn code(&self) -> Code {
        Code("L06")
    }

    fn source(&self) -> &'static str {
        include_str!("l06_columns.rs")
    }

    fn basis(&self) -> Basis {
        Basis::Behaviour("no other part of the program needs each row as an object of its own")
    }

    fn look(&self, heap: &Heap) -> Verdict {
        // No rule after this one asks which texts are equal.
        let texts = EqualTexts::last(heap);
        as_columns(heap, texts).into()
    }
}

/// Each type that could be a table.
fn as_columns(heap: &Heap, texts: EqualTexts) -> Vec<Candidate> {
    let population = heap.population();
    let alike = Alike::of(heap, &population);
    if alike.0.is_empty() {
        return Vec::new();
    }
    let profiles = heap.field_profiles();
    let of_types = || {
        alike
            .0
            .iter()
            .flat_map(|(ty, used)| profiles.of_type(*ty).iter().map(move |field| (field, *used)))
    };
    let many = texts.fields_of_many(heap, CODES);
    let of_texts = of_types()
        .filter(|((key, field), _)| Plan::is_of_texts(field, population.count(key.0)) && !many.contains(key));
    let distinct = distinct_texts(heap, &of_texts.map(|((key, _), _)| *key).collect());
    let hidden = heap.coverage.numbers != Presence::Present;
    let mut tables: FxHashMap<TypeId, Table> = FxHashMap::default();
    for ((key, field), used) in of_types() {
        let (ty, name) = *key;
        let table = tables
            .entry(ty)
            .or_insert_with(|| Table::new(population.count(ty), used));
        table.regular &= hidden || field.records == table.records;
        table.boxed |= field.numbers + field.dates > 0;
        let texts = distinct.get(key).copied();
        table.columns.insert(name, Plan::of(field, table.records, texts));
    }
    for (&ty, &used) in &alike.0 {
        let declared = heap.types.declared(ty).iter();
        for field in declared.filter(|field| !field.representation.refers()) {
            let table = tables
                .entry(ty)
                .or_insert_with(|| Table::new(population.count(ty), used));
            let plan = Plan::Numbers(field.representation.bytes(0));
            table.columns.entry(field.name).or_insert(plan);
        }
    }
    tables.retain(|_, table| table.regular && table.columns.len() <= table.fields as usize);
    if tables.is_empty() {
        return Vec::new();
    }
    let mut candidates = Claims::of(heap, &mut tables, texts);
    candidates.sort_by(|a, b| a.holder.cmp(&b.holder));
    candidates
}
