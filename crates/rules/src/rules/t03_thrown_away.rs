//! # T03 · a collection that is built only to be counted, searched or walked once
//!
//! ## What it is
//! `html.lines.count`, `text.split(",").length`, `users.map { … }.flatten`, `list.select { … }.first`: the expression
//! builds a whole collection, asks it one question, and drops it with all that is in it.
//!
//! ## Why it costs
//! A page of 12,000 lines makes 12,000 strings to learn one number. The work grows with the input while the answer does
//! not, and often the answer is known after the first few elements.
//!
//! ## How it is found
//! In the source of the lines that make objects, by its syntax tree: a call that builds a collection whose only use is
//! another call that needs none. What it made is read from the record of allocations: rows of that line that the
//! building call made, where the record has that call, else rows of the line.
//!
//! ## How the saving is computed
//! All bytes of those rows that were not kept, less what the rewritten expression still makes. One that stops early
//! still makes as many elements as its bound, for each collection that was built.
//!
//! ## How to fix it
//! - Ruby: `each_line.first(50).size < 50` where a bound is asked for, `count("\n")`, `flat_map`, `find`, `each_key`,
//!   `sum { … }`, `min_by`, `reverse_each`.
//! - JavaScript: `split(sep, limit)`, `some`, `find`, `flatMap`, `for … in`.
//! - Python: a generator in place of a list: `any(x for …)`, `sum(1 for …)`, `min(…)` in place of `sorted(…)[0]`.
//! - Java: `stream().count()`, `anyMatch`, `findFirst`, `lines().limit(n).count()`.
//!
//! ## When not to
//! When the collection is used again further down, which the rule does not claim; or where the line runs once.

use deadweight_heap::Churn;
use deadweight_heap::churn::Waste;

use crate::churn::practiced;
use crate::{ChurnRule, ChurnVerdict, Code};

/// A collection built for one question.
#[derive(Debug)]
pub struct ThrownAway;

impl ChurnRule for ThrownAway {
    fn code(&self) -> Code {
        Code("T03")
    }

    fn source(&self) -> &'static str {
        include_str!("t03_thrown_away.rs")
    }

    fn look(&self, churn: &Churn) -> ChurnVerdict {
        let mut verdict = ChurnVerdict::default();
        if !churn.rows.is_empty() && !churn.source_read {
            verdict.blind(
                "the source of the lines that make objects is not at hand, or in no language that is read",
                "weigh the record on the machine, and in the directory, where the program's source lies",
            );
        }
        verdict.candidates = practiced(churn, Waste::ThrownAway);
        verdict
    }
}

#[cfg(test)]
mod tests {
    use deadweight_heap::churn::{Frame, Practice, Remains, Rewrite};
    use deadweight_heap::{ChurnBuilder, Kind, Presence};

    use super::*;
    use crate::ChurnCandidate;

    const FILE: &str = "app/validator.rb";

    fn own(line: u32) -> Frame {
        ChurnBuilder::own("short?", FILE, line)
    }

    fn practice(remains: Remains) -> Practice {
        Practice {
            waste: Waste::ThrownAway,
            file: FILE.into(),
            lines: (7, 7),
            functions: vec![(6, 3)],
            names: Vec::new(),
            code: "html.lines.count".into(),
            makers: vec!["lines".into()],
            kinds: vec![Kind::String, Kind::Array],
            remains,
            sole: true,
            rewrite: Some(Rewrite {
                file: FILE.into(),
                line: 7,
                before: vec!["html.lines.count < 50".into()],
                after: vec!["html.each_line.first(50).size < 50".into()],
            }),
            advice: "stop at the bound".into(),
            assumes: None,
        }
    }

    fn look(churn: ChurnBuilder) -> Vec<ChurnCandidate> {
        ThrownAway.look(&churn.build()).candidates
    }

    #[test]
    fn what_the_building_call_made_is_spared() {
        let mut churn = ChurnBuilder::new();
        let call = |name| [own(7), ChurnBuilder::library(name)];
        churn.made(&call("String#lines"), Kind::String, "String", 12_000, 40);
        churn.made(&call("String#lines"), Kind::Array, "Array", 1, 98_000);
        churn.made(&call("String#strip"), Kind::String, "String", 50, 40);
        churn.made(
            &[own(8), ChurnBuilder::library("String#lines")],
            Kind::String,
            "String",
            9,
            40,
        );
        churn.practice(practice(Remains::Nothing));
        let found = look(churn);
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].count, found[0].net()), (12_001, 12_000 * 40 + 98_000));
        assert_eq!(found[0].place, "app/validator.rb:7");
        assert!(found[0].assumes.is_none() && found[0].rewrite.is_some());
    }

    #[test]
    fn what_stops_early_still_makes_its_first_elements() {
        let mut churn = ChurnBuilder::new();
        let call = [own(7), ChurnBuilder::library("lines")];
        churn.made(&call, Kind::String, "String", 120_000, 40);
        churn.made(&call, Kind::Array, "Array", 10, 98_000);
        churn.practice(practice(Remains::AtMost(50)));
        let found = look(churn);
        assert_eq!(found[0].net(), 120_000 * 40 + 10 * 98_000 - 10 * 50 * 40);
    }

    #[test]
    fn kept_bytes_are_not_claimed() {
        let mut churn = ChurnBuilder::new();
        let row = churn.made(
            &[own(7), ChurnBuilder::library("lines")],
            Kind::String,
            "String",
            100,
            40,
        );
        churn.change(row, |row| row.kept_bytes = Some(4000));
        churn.practice(practice(Remains::Nothing));
        assert!(look(churn).is_empty());
    }

    #[test]
    fn without_frames_beyond_the_line_its_kinds_decide() {
        let build = |sole| {
            let mut churn = ChurnBuilder::new();
            churn.made(&[own(7)], Kind::String, "String", 1000, 40);
            churn.made(&[own(7)], Kind::Record, "Page", 10, 40);
            churn.practice(Practice {
                sole,
                ..practice(Remains::Nothing)
            });
            look(churn)
        };
        assert_eq!(
            (build(true)[0].net(), build(true)[0].assumes.is_none()),
            (40_000, true)
        );
        assert!(build(false)[0].assumes.is_some());
    }

    #[test]
    fn records_of_functions_find_the_function() {
        let mut churn = ChurnBuilder::new();
        let frame = Frame { column: 3, ..own(6) };
        churn.made(
            &[frame, ChurnBuilder::library("lines")],
            Kind::Opaque,
            "",
            1000,
            40,
        );
        churn.churn().coverage.lines = Presence::Partial;
        churn.practice(practice(Remains::Nothing));
        let found = look(churn);
        assert_eq!(
            (found[0].net(), found[0].place.as_str()),
            (40_000, "app/validator.rb:7")
        );
    }

    #[test]
    fn without_source_the_rule_is_blind() {
        let mut churn = ChurnBuilder::new();
        churn.made(&[own(7)], Kind::String, "String", 1000, 40);
        churn.churn().source_read = false;
        assert_eq!(ThrownAway.look(&churn.build()).not_measured.len(), 1);
    }
}
