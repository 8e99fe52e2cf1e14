//! # T05 · text formatted and dropped
//!
//! ## What it is
//! Text that is built for a log line. If the level is off, it is dropped unread; if it is on, every call pays for a
//! line that few people read.
//!
//! ## Why it costs
//! Formatting makes the text, the texts it is made of, and the entry around it: half of what a lean client makes for a
//! request can be one log line.
//!
//! ## How it is found
//! In the source, by its syntax tree: a call of a log's level whose argument is put together before the call. Where no
//! row below that line was made inside of a logging library, the level was off and the text was dropped: a finding.
//! Otherwise the text was written, which only its author can judge: an option, with all that the logging library made
//! for that line. Text in a block that runs only when the log is written, as Crystal's logs take it, was written
//! wherever it was made. Records with types count text alone.
//!
//! ## How the saving is computed
//! All bytes of the text at that line; for an option, also all bytes made inside of the logging library for it.
//!
//! ## How to fix it
//! - Ruby: `logger.debug { "…" }`; Crystal: `Log.debug { "…" }`.
//! - JavaScript: `if (log.isLevelEnabled("debug"))`, or pass values and let the logger format them.
//! - Python: `logger.debug("… %s", value)`; Java: `logger.debug("… {}", value)`.
//! - One line a request at info is often what is meant; five are not.
//!
//! ## When not to
//! When the text is wanted and the level is right.

use deadweight_heap::Churn;
use deadweight_heap::churn::{AntipatternKind, Row, RowId};
use rustc_hash::FxHashSet;

use crate::churn::{lines, of_antipatterns};
use crate::count::Count;
use crate::{ChurnCandidate, ChurnRule, ChurnVerdict, Code};

/// Text formatted and dropped.
#[derive(Debug)]
pub struct Logs;

impl ChurnRule for Logs {
    fn code(&self) -> Code {
        Code("T05")
    }

    fn source(&self) -> &'static str {
        include_str!("t05_logs.rs")
    }

    fn look(&self, churn: &Churn) -> ChurnVerdict {
        let mut verdict = ChurnVerdict::default();
        let mut written_at: FxHashSet<String> = FxHashSet::default();
        for line in lines(churn) {
            let inside: Vec<(RowId, &Row)> = line
                .rows
                .iter()
                .copied()
                .filter(|(_, row)| row.stack.is_some_and(|stack| churn.in_log(stack)))
                .collect();
            if !inside.is_empty() {
                written_at.insert(line.own.place());
                verdict.candidates.extend(written(churn, &line, &inside));
            }
        }
        for mut candidate in of_antipatterns(churn, AntipatternKind::Log) {
            let was_written = written_at.contains(&candidate.at);
            candidate.title = if was_written {
                "text built for a log line".to_owned()
            } else {
                "text built for a log line that was not written".to_owned()
            };
            candidate.option = was_written;
            verdict.candidates.push(candidate);
        }
        for mut candidate in of_antipatterns(churn, AntipatternKind::WrittenLog) {
            candidate.title = String::from("text built for a log line that was written");
            candidate.option = true;
            verdict.candidates.push(candidate);
        }
        verdict
    }
}

/// What the logging library made for one line of the program.
fn written(churn: &Churn, line: &crate::churn::Line<'_>, inside: &[(RowId, &Row)]) -> Option<ChurnCandidate> {
    let mut candidate = ChurnCandidate::at(line.own);
    for &(id, row) in inside {
        candidate.claim(id, row.bytes - row.kept_bytes.unwrap_or_default().min(row.bytes));
        candidate.bytes_now += row.bytes;
        candidate.count += row.count;
    }
    candidate.variant = "written";
    candidate.unaffected = line.count() - candidate.count;
    candidate.option = true;
    // Some libraries make things even where nothing is written, and not every record counts objects.
    candidate.title = if churn.objects().is_some() {
        let made = Count(candidate.count).of("object", "objects");
        format!("{made} made inside of a logging library")
    } else {
        "what is made inside of a logging library".to_owned()
    };
    candidate.fix = String::from("log less here, or check first whether the level is on");
    candidate.assume("that nobody needs the line");
    (candidate.net() > 0).then_some(candidate)
}

#[cfg(test)]
mod tests {
    use deadweight_heap::churn::{Antipattern, Frame, Remains};
    use deadweight_heap::{ChurnBuilder, Kind};

    use super::*;

    fn churn(writes: bool) -> Vec<ChurnCandidate> {
        look(writes, AntipatternKind::Log)
    }

    fn look(writes: bool, kind: AntipatternKind) -> Vec<ChurnCandidate> {
        let own = ChurnBuilder::own("get", "client.rb", 12);
        let logger = Frame {
            function: "Logger#add".into(),
            file: "/usr/lib/ruby/3.1.0/logger.rb".into(),
            logs: true,
            ..Frame::default()
        };
        let mut churn = ChurnBuilder::new();
        churn.allocated(std::slice::from_ref(&own), Kind::String, "String", 1000, 80);
        if writes {
            churn.allocated(&[own, logger], Kind::String, "String", 3000, 40);
        }
        churn.antipattern(Antipattern {
            kind,
            file: "client.rb".into(),
            lines: (12, 12),
            functions: Vec::new(),
            names: Vec::new(),
            code: "logger.debug \"…\"".into(),
            makers: Vec::new(),
            kinds: vec![Kind::String],
            remains: Remains::Nothing,
            sole: true,
            rewrite: None,
            advice: "give the text as a block".into(),
            uncounted: String::new(),
            assumes: None,
        });
        Logs.look(&churn.build()).candidates
    }

    #[test]
    fn text_for_a_log_that_is_off_is_a_finding() {
        let found = churn(false);
        assert!(found.len() == 1 && !found[0].option);
        assert_eq!(found[0].net(), 80_000);
    }

    #[test]
    fn text_that_was_written_is_an_option() {
        let found = churn(true);
        let sums: Vec<(u64, bool)> = found.iter().map(|one| (one.net(), one.option)).collect();
        assert_eq!(sums, [(120_000, true), (80_000, true)]);
    }

    #[test]
    fn what_a_dependency_logs_is_left_alone() {
        let own = || ChurnBuilder::own("serve", "server.js", 20);
        let router = || ChurnBuilder::dependency("next", "node_modules/router/index.js", 180);
        let debug = || Frame {
            logs: true,
            ..ChurnBuilder::dependency("debug", "node_modules/debug/src/common.js", 65)
        };
        let colors = || ChurnBuilder::dependency("bold", "node_modules/colors/index.js", 5);
        let found = |stack: &[Frame]| {
            let mut churn = ChurnBuilder::new();
            churn.allocated(stack, Kind::String, "String", 1000, 80);
            Logs.look(&churn.build()).candidates.len()
        };
        assert_eq!(found(&[own(), router(), debug()]), 0);
        assert_eq!(found(&[own(), debug(), colors()]), 1);
    }

    /// Profiles of samples know bytes alone.
    #[test]
    fn what_was_not_counted_is_not_said_to_be_none() {
        let mut churn = ChurnBuilder::new();
        let own = ChurnBuilder::own("exit", "analyzer.js", 565);
        let logger = Frame {
            logs: true,
            ..ChurnBuilder::dependency("debug", "node_modules/debug/src/common.js", 65)
        };
        let row = churn.allocated(&[own, logger], Kind::Opaque, "", 0, 40);
        churn.change(row, |row| row.bytes = 40_000);
        churn.churn().coverage.counts = deadweight_heap::Presence::Absent;
        let found = Logs.look(&churn.build()).candidates;
        assert_eq!(found[0].title, "what is made inside of a logging library");
    }

    #[test]
    fn text_in_a_block_was_written() {
        let found = look(false, AntipatternKind::WrittenLog);
        assert!(found.len() == 1 && found[0].option);
    }

    #[test]
    fn other_text_is_left_alone() {
        let mut churn = ChurnBuilder::new();
        let own = ChurnBuilder::own("get", "client.rb", 12);
        churn.allocated(&[own], Kind::String, "String", 1000, 80);
        assert!(Logs.look(&churn.build()).candidates.is_empty());
    }
}
