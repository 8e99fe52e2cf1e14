//! # T02 · empty containers made for each call
//!
//! ## What it is
//! A line makes an array, a map, a set or a buffer for each call, and it dies without ever having held anything: a
//! default argument, a list of errors, extras of a message that has none.
//!
//! ## Why it costs
//! An empty container is not free: Ruby charges 40 bytes for `[]`, Crystal 32 for `[] of String` and 64 for `{}`, V8 32
//! and 56 to 96. The cost is paid on the way that has nothing to do.
//!
//! ## How it is found
//! The recorder looks at containers when they die: one without a single entry, and with no room that an entry would have
//! needed, was never used. What a dependency made for itself is an option: the program cannot share it. What a call
//! gathers for a method (`def f(*args)`, `def f(**opts)`) is recorded at the line of the call: where that line writes no
//! container, the finding names the method's definition, and where that is not in the program's own source there is
//! nothing to fix, and no finding. Where the
//! recorder cannot look, the source is searched for empty containers that are passed as arguments.
//!
//! ## How the saving is computed
//! All bytes of those that died empty. Containers that were still alive are not counted: they may yet be filled.
//!
//! ## How to fix it
//! - Ruby: `EMPTY = [].freeze`, or `nil` and `&.each`; for `*args` and `**opts` the names of what the method takes.
//! - JavaScript: `const EMPTY = Object.freeze([])` outside of the function; make the list when its first entry comes.
//! - Crystal: `Bytes.empty`, `Slice.empty`, a `Tuple`, or `nil`.
//! - Python: `()` is one shared object, `[]` is not.
//! - Java: `List.of()`, `Collections.emptyMap()`.
//!
//! ## When not to
//! When whoever gets the container may add to it: a shared one must be frozen.

use std::collections::BTreeMap;

use deadweight_heap::churn::{Antipattern, AntipatternKind, Row, RowId};
use deadweight_heap::{Churn, Kind, Presence};

use crate::churn::{Line, lines, of_antipatterns};
use crate::count::Count;
use crate::{ChurnCandidate, ChurnRule, ChurnVerdict, Code};
use gathered::Gathered;

mod gathered;

/// Fewer objects than this are no habit.
const MANY: u64 = 100;

/// Empty containers made for each call.
#[derive(Debug)]
pub struct EmptyPerCall;

impl ChurnRule for EmptyPerCall {
    fn code(&self) -> Code {
        Code("T02")
    }

    fn source(&self) -> &'static str {
        include_str!("t02_empty.rs")
    }

    fn look(&self, churn: &Churn) -> ChurnVerdict {
        let mut verdict = ChurnVerdict::default();
        if churn.rows.is_empty() {
            return verdict;
        }
        let antipatterns: Vec<&Antipattern> = churn
            .antipatterns
            .iter()
            .filter(|antipattern| antipattern.kind == AntipatternKind::Empty)
            .collect();
        if churn.coverage.fills == Presence::Absent && antipatterns.is_empty() {
            verdict.blind(
                "the record does not say which containers were ever filled",
                if churn.source_read {
                    "the source that was read has none of its known forms; this recorder counts no others"
                } else {
                    "weigh the record where the program's source lies, so that empty containers are found there"
                },
            );
        }
        let mut gathered = Gathered::default();
        for mut line in lines(churn) {
            line.rows.retain(|&(id, row)| !gathered.takes(churn, id, row));
            let written = antipatterns
                .iter()
                .find(|antipattern| churn.is_at(antipattern, line.own))
                .copied();
            verdict
                .candidates
                .extend(died_empty(churn, &line, written, false));
            verdict.candidates.extend(died_empty(churn, &line, None, true));
        }
        gathered.settle(churn, &mut verdict);
        if churn.coverage.fills == Presence::Absent {
            verdict
                .candidates
                .extend(of_antipatterns(churn, AntipatternKind::Empty));
        }
        verdict
    }
}

/// A candidate of the containers of one line that were seen to die empty: those that the program made, or those that a
/// dependency made for itself.
fn died_empty(
    churn: &Churn,
    line: &Line<'_>,
    written: Option<&Antipattern>,
    in_dependency: bool,
) -> Option<ChurnCandidate> {
    let dependency = |row: &Row| churn.dependency(row.stack?);
    let is_container = |row: &Row| matches!(row.kind, Kind::Array | Kind::Table | Kind::Buffer);
    let empty = |(id, row): &(RowId, &Row)| {
        let bytes = row.empty_bytes.filter(|_| is_container(row))?;
        (bytes > 0 && dependency(row).is_some() == in_dependency).then_some((
            *id,
            row.empty.unwrap_or_default(),
            bytes,
        ))
    };
    let rows: Vec<(RowId, u64, u64)> = line.rows.iter().filter_map(empty).collect();
    let count: u64 = rows.iter().map(|(_, count, _)| count).sum();
    if count < MANY {
        return None;
    }
    let mut candidate = ChurnCandidate::at(line.own);
    for &(id, _, bytes) in &rows {
        candidate.claim(id, bytes);
        candidate.bytes_now += bytes;
    }
    candidate.count = count;
    candidate.unaffected = line
        .rows
        .iter()
        .filter(|(_, row)| is_container(row))
        .map(|(_, row)| row.count)
        .sum::<u64>()
        .saturating_sub(count);
    let mut of_types: BTreeMap<&str, u64> = BTreeMap::new();
    let mut of_places: BTreeMap<String, u64> = BTreeMap::new();
    for (_, row) in line.rows.iter().filter(|row| empty(row).is_some()) {
        let bytes = row.empty_bytes.unwrap_or_default();
        *of_types.entry(churn.type_name(row)).or_default() += bytes;
        if let Some(frame) = dependency(row) {
            *of_places.entry(frame.place()).or_default() += bytes;
        }
    }
    let most = of_types.iter().max_by_key(|(_, bytes)| **bytes);
    let name = most.map_or("", |(name, _)| *name);
    let what = match (name, of_types.len()) {
        ("", _) => "container".to_owned(),
        (name, 1) => name.to_owned(),
        (name, _) => format!("{name} and others"),
    };
    candidate.title = format!(
        "{} that died empty ({what})",
        Count(count).of("container", "containers")
    );
    candidate.fix = String::from("share one frozen empty container, or create it when its first entry comes");
    if let Some(antipattern) = written {
        candidate.fix.clone_from(&antipattern.advice);
        candidate.rewrite.clone_from(&antipattern.rewrite);
        candidate.show("code", antipattern.code.as_str());
    }
    if let Some((place, _)) = of_places.iter().max_by_key(|(_, bytes)| **bytes) {
        candidate.option = true;
        candidate.variant = "dependency";
        candidate.title.push_str(", made inside of a dependency");
        // Paths of dependencies are long, and their ends matter.
        let short = place
            .rmatch_indices('/')
            .nth(1)
            .map_or(&**place, |(at, _)| &place[at + 1..]);
        candidate.fix = format!("call it less often, or fix it at {short}, where most are made");
        candidate.show("made_at", place.as_str());
    }
    candidate.show("type", name);
    Some(candidate)
}

#[cfg(test)]
mod tests {
    use deadweight_heap::ChurnBuilder;

    use super::*;

    fn with_empty(empty: u64, of: u64, kind: Kind) -> Churn {
        let mut churn = ChurnBuilder::new();
        let own = [ChurnBuilder::own("send", "client.cr", 40)];
        let row = churn.allocated(&own, kind, "Array(UInt8)", of, 32);
        churn.change(row, |row| {
            row.empty = Some(empty);
            row.empty_bytes = Some(empty * 32);
        });
        churn.build()
    }

    #[test]
    fn containers_that_died_empty_are_counted() {
        let verdict = EmptyPerCall.look(&with_empty(900, 1000, Kind::Array));
        let [found] = &verdict.candidates[..] else {
            panic!("{verdict:?}")
        };
        assert_eq!((found.count, found.unaffected, found.net()), (900, 100, 900 * 32));
    }

    #[test]
    fn filled_ones_few_ones_and_text_are_left_alone() {
        for churn in [
            with_empty(0, 1000, Kind::Array),
            with_empty(99, 1000, Kind::Array),
            with_empty(1000, 1000, Kind::String),
        ] {
            assert!(EmptyPerCall.look(&churn).candidates.is_empty());
        }
    }

    #[test]
    fn what_a_dependency_made_is_an_option_that_names_its_line() {
        let mut churn = ChurnBuilder::new();
        let own = ChurnBuilder::own("page", "app.rb", 4);
        let [node, block] =
            [38, 35].map(|line| ChurnBuilder::dependency("initialize", "gems/doc/node.rb", line));
        for (inside, name, count) in [(&node, "Array", 900), (&block, "Hash", 200)] {
            let row = churn.allocated(&[own.clone(), inside.clone()], Kind::Array, name, count, 40);
            churn.change(row, |row| {
                row.empty = Some(count);
                row.empty_bytes = Some(count * 40);
            });
        }
        let candidates = EmptyPerCall.look(&churn.build()).candidates;
        let [found] = &candidates[..] else {
            panic!("{candidates:?}")
        };
        assert!(
            found.option
                && found
                    .title
                    .contains("(Array and others), made inside of a dependency")
        );
        assert!(found.fix.contains("at doc/node.rb:38,"), "{}", found.fix);
        assert_eq!((found.place.as_str(), found.net()), ("app.rb:4", 1100 * 40));
    }

    #[test]
    fn a_record_that_cannot_say_is_blind() {
        let mut churn = ChurnBuilder::new();
        let own = [ChurnBuilder::own("send", "client.js", 40)];
        let row = churn.allocated(&own, Kind::Array, "", 1000, 32);
        churn.change(row, |row| (row.empty, row.empty_bytes) = (None, None));
        churn.churn().coverage.fills = Presence::Absent;
        let verdict = EmptyPerCall.look(&churn.build());
        assert!(verdict.candidates.is_empty() && verdict.not_measured.len() == 1);
    }
}
