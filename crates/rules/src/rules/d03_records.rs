//! # D03 · equal objects and arrays
//!
//! ## What it is
//! Records and arrays that are equal in every field, each an object of its own.
//!
//! ## Why it costs
//! A copy costs its header, its slots, and everything that only it refers to: strings, dates, boxes and further records.
//!
//! ## How it is found
//! Records of one type and arrays are equal when their fields or elements are: the same object, equal complete texts,
//! equal numbers and dates, or records and arrays that are themselves equal, four levels deep. What refers to itself is
//! equal to nothing else. Records and arrays with a value that the dump does not show are not compared. A holder counts
//! from 16 copies beyond the first of each value. A copy inside another copy is counted with the outer one. Empty
//! records and arrays belong to C01.
//!
//! ## How the saving is computed
//! For each holder: all copies but one of each value, with everything that only they refer to.
//!
//! ## How to fix it
//! Look each value up by its fields when it comes in, and keep the first one.
//!
//! - JavaScript: a `Map` from a key made of the fields to one `Object.freeze`d record.
//! - Ruby: a `Hash` from a `Data` or frozen `Struct` to itself.
//! - Java: a `HashMap` of records, which compare by their fields.
//! - C++, Rust: a table of values with ids, or shared pointers to constant values.
//!
//! ## When not to
//! When a copy is changed later, or serves as an identity of its own.

mod copies;
mod digests;
mod finding;
#[cfg(test)]
mod tests;

use deadweight_heap::{Heap, Presence};
use deadweight_weighing::NotMeasured;

use crate::count::Count;
use crate::{Basis, Code, Rule, Verdict};

use copies::at_holders;
use digests::Digests;

/// Fewer copies at one holder are a coincidence.
const FEWEST: u64 = 16;

/// One in so many records that cannot be compared is worth saying.
const UNSEEN_SHARE: u64 = 10;

/// The rule.
pub struct EqualRecords;

impl Rule for EqualRecords {
    fn code(&self) -> Code {
        Code("D03")
    }

    fn source(&self) -> &'static str {
        include_str!("d03_records.rs")
    }

    fn basis(&self) -> Basis {
        Basis::Behaviour("the copies are never changed")
    }

    fn look(&self, heap: &Heap) -> Verdict {
        if heap.coverage.edges == Presence::Absent {
            return Verdict::blind("the dump has no references", heap.runtime.recapture.clone());
        }
        let digests = Digests::new(heap);
        let mut verdict: Verdict = at_holders(heap, &digests).into();
        let (seen, unseen) = (digests.seen, digests.unseen);
        if unseen >= FEWEST && unseen > (seen + unseen) / UNSEEN_SHARE {
            verdict.not_measured.push(NotMeasured::new(
                format!(
                    "{} of {} records and arrays have values that are not in the dump",
                    Count(unseen),
                    Count(seen + unseen)
                ),
                heap.runtime.recapture.clone(),
            ));
        }
        verdict
    }
}
