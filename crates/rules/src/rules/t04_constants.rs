//! # T04 · constants rebuilt for each call
//!
//! ## What it is
//! A list, a table, a pattern or a text that never differs is made again each time a line runs:
//! `["a", "b"].include?(x)`, `%w[a b][i]`, `{a: 1}[k]`, `Regexp.new("…")`, `new Intl.NumberFormat("de")`, a string
//! literal that is not frozen.
//!
//! ## Why it costs
//! The value is known before the program runs, yet each call pays for it: objects with their stores, and, for patterns
//! and formatters, far more time than bytes.
//!
//! ## How it is found
//! In the source, by its syntax tree: a literal made of literals alone that is only read, or a constructor of a
//! known kind with literal arguments. Texts that a literal of Ruby hands out must not be changed, as those of a
//! constant are the same each time: where that is to be seen there is no finding, and where they are handed on it
//! says so. What else its line makes by itself of the same kind is left out, with the literal's own of that kind.
//! Where the recorder compares contents, also lines all of whose objects were equal: those are an option, as equal
//! on one run need not mean always.
//!
//! ## How the saving is computed
//! All bytes made there, less one object. A table that already stands in a constant makes nothing when it is looked
//! up: nothing is claimed there. Where a function that allocates looks up a table by text, it is said that this costs time
//! and no bytes.
//!
//! ## How to fix it
//! - Ruby: a constant with `.freeze`; `# frozen_string_literal: true` at the head of the file.
//! - JavaScript: a `const` outside of the function.
//! - Crystal: a constant, or a `Tuple`, which stands on the stack.
//! - Python: a tuple or `frozenset` literal; `re.compile` outside of the function.
//! - Java: `private static final`, for patterns, `DateTimeFormatter`, `List.of(…)` and mappers of JSON, which threads may
//!   share; `SimpleDateFormat` is for one thread.
//!
//! ## When not to
//! When the caller changes what it gets.

use deadweight_heap::churn::AntipatternKind;
use deadweight_heap::{Churn, Presence};

use crate::churn::{lines, of_antipatterns};
use crate::count::Count;
use crate::{ChurnCandidate, ChurnRule, ChurnVerdict, Code};

/// Fewer objects than this are no habit.
const MANY: u64 = 100;

/// Constants rebuilt for each call.
#[derive(Debug)]
pub struct Constants;

impl ChurnRule for Constants {
    fn code(&self) -> Code {
        Code("T04")
    }

    fn source(&self) -> &'static str {
        include_str!("t04_constants.rs")
    }

    fn look(&self, churn: &Churn) -> ChurnVerdict {
        let mut verdict = ChurnVerdict {
            candidates: of_antipatterns(churn, AntipatternKind::Constant),
            ..ChurnVerdict::default()
        };
        if !churn.rows.is_empty() && !churn.source_read && churn.coverage.contents == Presence::Absent {
            verdict.blind(
                "the record does not compare contents, and the source is not at hand",
                "weigh the record on the machine, and in the directory, where the program's source lies",
            );
        }
        verdict.candidates.extend(equal(churn));
        if let Some(why) = looked_up(churn) {
            verdict.blind(
                why,
                "a CPU profiler shows the cost; a constant for each entry needs no look-up",
            );
        }
        verdict
    }
}

/// Tables in constants that functions of the record look up.
fn looked_up(churn: &Churn) -> Option<String> {
    let antipatterns = churn.antipatterns.iter();
    let mut places = antipatterns.filter(|antipattern| antipattern.kind == AntipatternKind::LookedUp);
    let first = places.next()?;
    let others = match places.count() as u64 {
        0 => String::new(),
        more => format!(" and at {}", Count(more).of("other place", "other places")),
    };
    Some(format!(
        "`{}` at {}:{}{others} looks up a constant table: that costs time, and no bytes",
        first.code, first.file, first.lines.0
    ))
}

/// Lines all of whose objects of a type were equal.
fn equal(churn: &Churn) -> Vec<ChurnCandidate> {
    let mut found = Vec::new();
    for line in lines(churn) {
        let same = line
            .rows
            .iter()
            .filter(|(_, row)| row.distinct == Some(1) && row.count >= MANY && row.empty != Some(row.count));
        for &(id, row) in same {
            let mut candidate = ChurnCandidate::at(line.own);
            candidate.claim(id, row.bytes - row.kept_bytes.unwrap_or_default().min(row.bytes));
            candidate.overhead = row.largest.unwrap_or_else(|| row.mean());
            candidate.bytes_now = row.bytes;
            candidate.count = row.count;
            candidate.unaffected = line.count() - row.count;
            candidate.variant = "equal";
            let name = churn.type_name(row);
            let what = if name.is_empty() { "objects" } else { name };
            candidate.title = format!("{} equal {what}", Count(row.count));
            candidate.fix = String::from("if it never differs, make it once, as a constant");
            candidate.assume("that it is the same on other inputs too");
            candidate.show("type", name);
            candidate.option = true;
            if candidate.net() > 0 {
                found.push(candidate);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use deadweight_heap::{ChurnBuilder, Kind};

    use super::*;

    fn look(distinct: Option<u64>, count: u64) -> Vec<ChurnCandidate> {
        let mut churn = ChurnBuilder::new();
        let own = [ChurnBuilder::own("kind", "a.rb", 3)];
        let row = churn.allocated(&own, Kind::String, "String", count, 40);
        churn.change(row, |row| row.distinct = distinct);
        Constants.look(&churn.build()).candidates
    }

    #[test]
    fn equal_objects_are_an_option() {
        let found = look(Some(1), 1000);
        assert!(found.len() == 1 && found[0].option);
        assert_eq!(found[0].net(), 999 * 40);
    }

    #[test]
    fn different_unknown_and_few_objects_are_left_alone() {
        for (distinct, count) in [(Some(2), 1000), (None, 1000), (Some(1), 99)] {
            assert!(look(distinct, count).is_empty());
        }
    }
}
