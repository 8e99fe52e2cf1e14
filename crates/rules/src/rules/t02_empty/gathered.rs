//! Empty containers that calls gather for functions: they belong to how the function is defined.

use std::collections::BTreeMap;

use deadweight_heap::Churn;
use deadweight_heap::churn::{Definition, Frame, Role, Row, RowId};

use super::MANY;
use crate::count::Count;
use crate::{ChurnCandidate, ChurnVerdict};

/// Those of all lines, by the function that asks for them.
#[derive(Debug, Default)]
pub(super) struct Gathered<'c> {
    of: BTreeMap<&'c Definition, Vec<(RowId, &'c Row)>>,
    /// Bytes for functions that are not the program's own, or not known.
    others: u64,
}

impl<'c> Gathered<'c> {
    /// Takes a row that died empty and that a call gathered.
    pub(super) fn takes(&mut self, churn: &'c Churn, id: RowId, row: &'c Row) -> bool {
        let empty = row.empty_bytes.unwrap_or_default();
        let Some(gathering) = churn.gathering(row).filter(|_| empty > 0) else {
            return false;
        };
        match &gathering.by {
            Some(definition) => self.of.entry(definition).or_default().push((id, row)),
            None => self.others += empty,
        }
        true
    }

    /// A candidate for each definition, and a word on the others.
    pub(super) fn settle(self, churn: &Churn, verdict: &mut ChurnVerdict) {
        for (definition, rows) in self.of {
            verdict.candidates.extend(candidate(churn, definition, &rows));
        }
        if self.others > 0 {
            verdict.blind(
                format!(
                    "{} bytes of containers that died empty were made by calls: which function gathers what it is \
                     handed is not to be seen, or it is not the program's own",
                    Count(self.others)
                ),
                "nothing at these lines: a function that names what it takes makes no container",
            );
        }
    }
}

fn candidate(churn: &Churn, definition: &Definition, rows: &[(RowId, &Row)]) -> Option<ChurnCandidate> {
    let count: u64 = rows.iter().filter_map(|(_, row)| row.empty).sum();
    if count < MANY {
        return None;
    }
    let mut candidate = ChurnCandidate::at(&Frame {
        function: definition.function.clone(),
        file: definition.file.clone(),
        line: definition.line,
        role: Role::Own,
        ..Frame::default()
    });
    for &(id, row) in rows {
        let bytes = row.empty_bytes.unwrap_or_default();
        candidate.claim(id, bytes);
        candidate.bytes_now += bytes;
        candidate.unaffected += row.count - row.empty.unwrap_or_default().min(row.count);
    }
    candidate.count = count;
    candidate.variant = "gathered";
    let name = rows.first().map_or("", |(_, row)| churn.type_name(row));
    candidate.title = format!(
        "{} that died empty ({name}), made by calls for `{}`",
        Count(count).of("container", "containers"),
        definition.code
    );
    candidate.fix = String::from("name what it takes: what it gathers is made for each call");
    candidate.assume("that what callers hand over can be named");
    candidate.show("type", name);
    candidate.show("code", definition.code.as_str());
    if let Some(own) = rows.first().and_then(|(_, row)| churn.own(row.stack?)) {
        candidate.show("called_at", own.place());
    }
    Some(candidate)
}

#[cfg(test)]
mod tests {
    use deadweight_heap::churn::Gathering;
    use deadweight_heap::{ChurnBuilder, Kind};

    use super::super::EmptyPerCall;
    use super::*;
    use crate::ChurnRule;

    fn verdict(by: Option<&Definition>, callee: Option<&str>) -> ChurnVerdict {
        let mut churn = ChurnBuilder::new();
        for line in [7, 9] {
            let mut stack = vec![ChurnBuilder::own("run", "app.rb", line)];
            stack.extend(callee.map(ChurnBuilder::library));
            let row = churn.allocated(&stack, Kind::Array, "Array", 900, 40);
            churn.change(row, |row| {
                (row.empty, row.empty_bytes) = (Some(800), Some(32_000));
            });
            churn.churn().gatherings.push(Gathering {
                file: "app.rb".into(),
                line,
                kind: Kind::Array,
                through: &["new"],
                by: by.cloned(),
            });
        }
        EmptyPerCall.look(&churn.build())
    }

    fn definition() -> Definition {
        Definition {
            file: "lib.rb".into(),
            line: 3,
            function: "f".into(),
            code: "def f(*args)".into(),
        }
    }

    #[test]
    fn the_definition_is_named_once_for_all_its_callers() {
        for callee in [None, Some("new")] {
            let candidates = verdict(Some(&definition()), callee).candidates;
            let [found] = &candidates[..] else {
                panic!("{candidates:?}")
            };
            assert_eq!((found.place.as_str(), found.function.as_str()), ("lib.rb:3", "f"));
            assert_eq!((found.count, found.unaffected, found.net()), (1600, 200, 64_000));
            assert!(found.assumes.is_some());
        }
    }

    #[test]
    fn where_nothing_can_be_mended_there_is_no_finding() {
        let verdict = verdict(None, None);
        assert!(verdict.candidates.is_empty() && verdict.not_measured.len() == 1);
    }

    /// What `select` returns empty is the line's own.
    #[test]
    fn what_other_calls_return_stays_with_the_line() {
        let candidates = verdict(Some(&definition()), Some("select")).candidates;
        assert_eq!(candidates.len(), 2);
        assert_eq!(candidates[0].place, "app.rb:7");
    }
}
