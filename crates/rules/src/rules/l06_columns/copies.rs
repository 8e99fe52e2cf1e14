//! Copies of texts in columns whose texts are few.

use deadweight_heap::{Heap, ObjectId, RowSet, TextId, TypeId};
use rustc_hash::FxHashMap;

use super::plan::Plan;
use super::table::Table;
use crate::Candidate;
use crate::equal_texts::{EqualTexts, TextsAt};

/// The texts that codes would replace, by table, and of each table column by column in the order of names.
pub(super) fn texts_of(
    heap: &Heap,
    mut texts: EqualTexts,
    tables: &FxHashMap<TypeId, Table>,
) -> FxHashMap<TypeId, Vec<TextsAt>> {
    let of_table = |(&ty, table): (&TypeId, &Table)| {
        let plans = table.columns.iter();
        let coded = plans.filter(|(_, plan)| matches!(plan, Plan::Codes(..)));
        let mut names: Vec<TextId> = coded.map(|(&name, _)| name).collect();
        names.sort_unstable();
        let names = names.into_iter();
        let texts = names.filter_map(|name| texts.take_field(heap, ty, name));
        (ty, texts.collect())
    };
    tables.iter().map(of_table).collect()
}

/// Strings that one thread takes at a time.
pub(super) const PIECE: usize = 1 << 16;

/// The copies of texts among some strings of a column, from the place `start` on: all but the first of each text, without
/// those that something else holds as well.
pub(super) fn copies(
    heap: &Heap,
    column: &[ObjectId],
    start: usize,
    (rows, firsts): (&[ObjectId], &[u32]),
    elsewhere: &RowSet,
) -> Candidate {
    let mut found = Candidate::at("");
    for (place, (&id, &first)) in (start..).zip(rows.iter().zip(firsts)) {
        if place != first as usize && !elsewhere.has(id) {
            found.bytes_now += found.claim_copy(heap, column[first as usize], id);
        }
    }
    found
}
