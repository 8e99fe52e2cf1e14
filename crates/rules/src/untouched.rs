//! Bytes that are held but not resident.

use std::fmt::Write as _;

use deadweight_heap::{Heap, ObjectId};

use crate::Candidate;

/// Says of a finding of raw blocks how many of their bytes are on pages that nobody ever touched: what it saves is
/// of the heap, and the resident memory falls by less.
pub(crate) fn say_untouched(heap: &Heap, candidate: &mut Candidate, rows: impl Iterator<Item = ObjectId>) {
    let untouched: u64 = rows.map(|row| heap.blocks.untouched(row)).sum();
    let share = untouched as f64 / candidate.bytes_now.max(1) as f64 * 100.0;
    if share >= 1.0 {
        write!(
            candidate.title,
            "; {share:.0} % was never touched, so it is not resident"
        )
        .expect("a text takes what is written");
    }
    candidate.show("untouched_bytes", untouched);
    candidate.show("resident_bytes", candidate.bytes_now.saturating_sub(untouched));
}
