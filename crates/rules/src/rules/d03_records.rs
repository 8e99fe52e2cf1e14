//! # D03 · equal objects, arrays and tables
//!
//! ## What it is
//! Records, arrays, maps and sets that are equal in all they hold, each an object of its own.
//!
//! ## Why it costs
//! A copy costs its header, its slots, and everything that only it refers to: strings, dates, boxes and further records.
//!
//! ## How it is found
//! Records of one type, arrays, and tables of one type are equal when their fields, elements or entries are: the same
//! object, equal complete texts, equal numbers, truth values and dates, empty containers of one type, or records, arrays
//! and tables that are themselves equal, 64 levels deep. Where numbers and dates are objects of the program's, as in
//! Python, they are equal only with the same type, and dates with the same zone. Entries are equal when they come in the
//! same order. What refers to itself is equal to nothing else, and what holds such an object is compared four levels deep. What has a value that
//! the dump does not show is not compared. A holder counts from 16 copies beyond the first of each value. A copy inside
//! another copy goes with either fix, and counts for the one that saves more. Containers that are empty themselves belong
//! to C01.
//!
//! ## How the saving is computed
//! For each holder: all copies but one of each value, with everything that only they hold, each alone or several together.
//!
//! ## How to fix it
//! Look each value up by its fields when it comes in, and keep the first one.
//!
//! - JavaScript: a `Map` from a key made of the fields to one `Object.freeze`d record.
//! - Ruby: a `Hash` from a `Data`, a frozen `Struct` or a frozen `Set` to itself.
//! - Java: a `HashMap` of records, which compare by their fields.
//! - Python: `seen.setdefault(row, row)` with tuples or frozen dataclasses.
//! - C++, Rust: a table of values with ids, or shared pointers to constant values.
//!
//! What the table takes while it is kept is in no saving. The evidence prices it (`kept_table`) where a runtime's tables
//! compare their keys by value; elsewhere it depends on the keys.
//!
//! ## When not to
//! When a copy is changed later, or serves as an identity of its own.

mod copies;
mod digests;
mod finding;
mod levels;
mod scalars;
#[cfg(test)]
mod tests;
mod vanish;

use deadweight_heap::{Heap, Presence};
use deadweight_weighing::NotMeasured;

use crate::count::Count;
use crate::{Basis, Code, Rule, Verdict};

use copies::at_holders;
use digests::Digests;

/// Fewer copies at one holder are a coincidence.
const FEWEST: u64 = 16;

/// One in so many that cannot be compared is worth saying.
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
        if let Some(blind) = Verdict::of_blocks(heap) {
            return blind;
        }
        if heap.coverage.edges == Presence::Absent {
            return Verdict::blind("the dump has no references", heap.runtime.recapture.clone());
        }
        let digests = Digests::new(heap);
        let mut verdict: Verdict = at_holders(heap, &digests).into();
        let (seen, unseen) = (digests.seen, digests.unseen);
        if unseen >= FEWEST && unseen > (seen + unseen) / UNSEEN_SHARE {
            verdict.not_measured.push(NotMeasured::new(
                format!(
                    "{} of {} records, arrays and tables have values that are not in the dump",
                    Count(unseen),
                    Count(seen + unseen)
                ),
                heap.runtime.recapture.clone(),
            ));
        }
        verdict
    }
}
