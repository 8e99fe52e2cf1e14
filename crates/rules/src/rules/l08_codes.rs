//! # L08 · a column of few values that would be codes
//!
//! ## What it is
//! A column of a data frame in which few different texts or dates stand, each of them many times: the city of each
//! order, the state of each task.
//!
//! ## Why it costs
//! Such a column has a reference of 8 bytes for each row, and often an object for each row as well. The library of the
//! frame can keep the same column as codes: a number of 1, 2 or 4 bytes for each row, and each value once. Whoever
//! reads the column sees the same values.
//!
//! ## How it is found
//! Columns of references in a frame or a series that nothing but the frame or the series holds, from 1,000 rows on, with
//! four rows or more for each different value. All that stands there is text, dates, whole numbers beside these, or a mark
//! for what is missing. Numbers of several types, truth values and other objects are left alone, and so are columns of
//! numbers: these have a better type of their own. The finding stands at the column: `sales["city"]`.
//!
//! ## How the saving is computed
//! The references go: the whole array where it is the column's alone, else the column's share of it. So do all objects
//! that only the column refers to, but for the first of each value. Added are the codes, the list of values and the
//! objects that the library has around both, with the table by which it finds a value. Codes have one byte below 127 values,
//! two below 32,767, and four beyond. For texts pandas 3.0 makes that table when a value is looked for first: it is not added
//! then, and takes from 20 to 42 bytes for each value.
//!
//! Equal texts at the column are no finding of D01 beside this one, as one change mends both.
//!
//! ## How to fix it
//! Say it where the frame is made, or convert the column once it is there.
//!
//! - Python: `sales = pandas.read_csv(file, dtype={"city": "category"})`, or
//!   `sales["city"] = sales["city"].astype("category")` later. Where the finding says to copy the frame,
//!   `sales = sales.astype({"city": "category"}).copy()`: pandas before 3.0 keeps columns of references in one array,
//!   and those that stay would be views on the old one, which keeps all of it.
//!
//! A column of dates takes less as a column of moments in time, which pandas has a type for.
//!
//! ## When not to
//! When values come in that are not there yet: a category refuses them until they are added to it. When frames are joined
//! whose columns have other categories: the result has references again. `groupby` shows a group for every category, with or
//! without rows, unless it is called with `observed=True`, as pandas 3.0 does by itself. Missing values become all alike:
//! `None` is `NaN` then.

mod column;
mod freed;
#[cfg(test)]
mod tests;

use deadweight_heap::{FrameColumn, Heap, HeldAt, Holders, Parts};
use rustc_hash::FxHashMap;
use serde_json::json;

use crate::count::Count;
use crate::parts::ClaimWhole;
use crate::{Basis, Candidate, Code, Rule, Verdict};

use column::Coded;
use freed::Freed;

/// What a category does not do.
const ASSUMES: &str = "no other value comes into the column, and nothing depends on its being no category";

/// The same where something is missing.
const ASSUMES_ALIKE: &str = "no other value comes into the column, nothing depends on its being no category, and missing values are all alike";

/// The rule.
pub struct Codes;

impl Rule for Codes {
    fn code(&self) -> Code {
        Code("L08")
    }

    fn source(&self) -> &'static str {
        include_str!("l08_codes.rs")
    }

    fn basis(&self) -> Basis {
        Basis::Behaviour(ASSUMES)
    }

    fn look(&self, heap: &Heap) -> Verdict {
        let own = |column: &&FrameColumn| {
            let is_held = heap.is_for_program(column.frame) && heap.is_for_program(column.array);
            column.is_own && is_held
        };
        let columns: Vec<FrameColumn> = heap.frame_columns.iter().filter(own).copied().collect();
        if columns.is_empty() {
            return Verdict::default();
        }
        let holders = Holders::new(heap);
        // In the order of the columns' arrays.
        let mut places: Vec<(HeldAt, Vec<Coded>)> = Vec::new();
        let mut at: FxHashMap<HeldAt, usize> = FxHashMap::default();
        for values in heap.column_values(&columns) {
            let place = holders.of_column(&values.column);
            let Some(coded) = Coded::of(heap, values) else {
                continue;
            };
            let at = *at.entry(place).or_insert_with(|| {
                places.push((place, Vec::new()));
                places.len() - 1
            });
            places[at].1.push(coded);
        }
        let freed = Freed::of(heap, places.iter().map(|(_, columns)| columns.as_slice()));
        let places = places.into_iter().zip(freed);
        let candidates = places.filter_map(|((place, columns), freed)| {
            let mut candidate = candidate(heap, &columns, &freed)?;
            candidate.holder = holders.name_held_at(place);
            candidate.of = holders.root(holders.of(columns[0].values.column.frame));
            Some(candidate)
        });
        candidates.collect::<Vec<_>>().into()
    }
}

/// The columns of one place as codes; `None` where that frees nothing.
fn candidate(heap: &Heap, columns: &[Coded], freed: &Freed) -> Option<Candidate> {
    let mut candidate = Candidate::at("");
    let mut parts = Parts::default();
    let (mut slots, mut values, mut missing, mut beside) = (0, 0, 0, 0);
    for column in columns {
        let of = &column.values;
        slots += u64::from(of.column.slots);
        values += of.values;
        missing += of.missing;
        candidate.bytes_now += if column.is_whole() {
            parts.claim_whole(heap, &mut candidate, of.column.array)
        } else {
            candidate.claim(column.store, column.share);
            beside = beside.max(column.columns - 1);
            column.share
        };
        candidate.overhead += column.takes;
    }
    let references = candidate.claims.bytes();
    let mut copies = 0;
    for &(kept, copy) in &freed.copies {
        copies += candidate.claim_copy(heap, kept, copy);
    }
    for &row in &freed.alone {
        copies += parts.claim_whole(heap, &mut candidate, row);
    }
    candidate.bytes_now += copies;
    if candidate.net() <= 0 {
        return None;
    }
    candidate.count = slots;
    candidate.unaffected = values;
    candidate.assumes = (missing > 0).then(|| ASSUMES_ALIKE.to_owned());
    candidate.title = format!(
        "{} hold {}",
        Count(slots).of("row", "rows"),
        Count(values).of("value", "values")
    );
    candidate.fix = fix(beside);
    candidate.show("values", values);
    candidate.show("missing", missing);
    candidate.show("references", json!({"bytes": references}));
    candidate.show(
        "copies",
        json!({"objects": freed.copies.len() + freed.alone.len(), "bytes": copies}),
    );
    candidate.show("coded", candidate.overhead);
    if columns.len() > 1 {
        candidate.show("columns", columns.len() as u64);
    }
    Some(candidate)
}

/// What to do where the array has so many columns beside this one.
fn fix(beside: u64) -> String {
    let codes = "make the column a category: codes, and each value once";
    match beside {
        0 => codes.to_owned(),
        many => format!(
            "{codes}; copy the frame then, as the array has {} beside it",
            Count(many).of("column", "columns")
        ),
    }
}
