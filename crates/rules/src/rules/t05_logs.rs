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
//! In the source, by its syntax tree: a call of a log's level whose argument is put together before the call. Where
//! no row below that line was made by what writes logs or prints, the level was off and the text was dropped: a
//! finding. Otherwise the text was written, which only its author can judge: an option, with all that was made to
//! write it. Text in a block that runs only when the log is written, as Crystal's logs take it, was written wherever
//! it was made. Records with types count text alone. JavaScript's call that stands under a check of its level (an
//! `if`, `&&`, `?.`, a `return` before it) is none.
//!
//! ## How the saving is computed
//! All bytes of the text at that line; for an option, also all bytes made to write it. Profiles of V8 have functions
//! and no lines: there it is what the text calls and nothing else in the file does, and what a function makes by
//! itself only where it does nothing but log. Otherwise there is no figure, and the line is named as not measured.
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
use deadweight_heap::churn::{Antipattern, AntipatternKind, FrameId, Row, RowId, StackId};
use rustc_hash::FxHashSet;

use crate::churn::{each_antipattern, lines, of_antipatterns};
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
        for line in lines(churn) {
            let inside: Vec<(RowId, &Row)> = line
                .rows
                .iter()
                .copied()
                .filter(|(_, row)| row.stack.is_some_and(|stack| churn.in_log(stack)))
                .collect();
            if !inside.is_empty() {
                verdict.candidates.extend(written(churn, &line, &inside));
            }
        }
        let writers = writers(churn);
        let mut hidden = Vec::new();
        for (antipattern, candidate) in each_antipattern(churn, AntipatternKind::Log) {
            let Some(mut candidate) = candidate else {
                hidden.extend(is_hidden(churn, antipattern).then_some(antipattern));
                continue;
            };
            let mut frames = writers.iter().filter_map(|&id| churn.frames.get(id));
            let was_written = frames.any(|frame| churn.is_at(antipattern, frame));
            let what = if churn.stands_out(antipattern) {
                "text built for a log line"
            } else {
                "what calls make for the text of a log line"
            };
            let unread = if was_written { "" } else { " that was not written" };
            candidate.title = format!("{what}{unread}");
            candidate.option = was_written;
            if !churn.has_lines() {
                candidate.assume(
                    "that the engine has moved none of it into functions that call this one: else it is more",
                );
            }
            verdict.candidates.push(candidate);
        }
        if let Some(why) = indistinct(&hidden) {
            verdict.blind(
                why,
                "record again with the call left out and let `deadweight prove` compare both, or move the call into a \
                 function that does nothing else",
            );
        }
        for mut candidate in of_antipatterns(churn, AntipatternKind::WrittenLog) {
            candidate.title = String::from("text built for a log line that was written");
            candidate.option = true;
            verdict.candidates.push(candidate);
        }
        verdict
    }
}

/// Frames from which something was called that writes logs or prints.
fn writers(churn: &Churn) -> FxHashSet<FrameId> {
    let stacks: FxHashSet<StackId> = churn.rows.iter().filter_map(|row| row.stack).collect();
    let mut writers = FxHashSet::default();
    for stack in stacks {
        let mut frames = churn.stacks.frames(stack);
        let logs = |id: &FrameId| churn.frames.get(*id).is_some_and(|frame| frame.logs);
        if frames.any(|id| logs(&id)) {
            writers.extend(frames.filter(|id| !logs(id)));
        }
    }
    writers
}

/// Whether a function made something by itself of which nobody knows whether it is the text.
fn is_hidden(churn: &Churn, antipattern: &Antipattern) -> bool {
    let mut stacks = churn.rows.iter().filter_map(|row| row.stack);
    !churn.stands_out(antipattern)
        && stacks.any(|stack| {
            let own = churn.own(stack).filter(|_| churn.callee(stack).is_none());
            own.is_some_and(|own| churn.is_at(antipattern, own))
        })
}

/// Why there is no figure for lines that functions hide.
fn indistinct(hidden: &[&Antipattern]) -> Option<String> {
    let [first, others @ ..] = hidden else {
        return None;
    };
    let others = match others.len() as u64 {
        0 => String::new(),
        more => format!(" and of {}", Count(more).of("other line", "other lines")),
    };
    Some(format!(
        "the text of `{}` at {}:{}{others} cannot be distinguished from what else the function makes: the record has functions \
         and no lines",
        first.code, first.file, first.lines.0
    ))
}

/// What was made to write or print for one line of the program.
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
        format!("{made} made to log or print")
    } else {
        "what is made to log or print".to_owned()
    };
    candidate.fix = String::from("log less here, or check first whether the level is on");
    candidate.assume("that nobody needs the line");
    (candidate.net() > 0).then_some(candidate)
}

#[cfg(test)]
mod tests {
    use deadweight_heap::churn::{Antipattern, Frame, Remains};
    use deadweight_heap::{ChurnBuilder, Kind, Presence};

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
            function: String::new(),
            alone: false,
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
        assert_eq!(found[0].title, "what is made to log or print");
    }

    /// A record that has functions and no lines, of a function that logs at its line 3 and makes other things as well.
    fn of_functions(alone: bool, makers: &[&str], inside: &[Frame]) -> ChurnVerdict {
        let render = || Frame {
            column: 16,
            ..ChurnBuilder::own("render", "shop.js", 1)
        };
        let describe = ChurnBuilder::own("describe", "shop.js", 20);
        let mut churn = ChurnBuilder::new();
        churn.allocated(&[render()], Kind::Opaque, "", 1000, 400);
        churn.allocated(&[render(), describe.clone()], Kind::Opaque, "", 1000, 30);
        churn.allocated(
            &[render(), ChurnBuilder::library("join")],
            Kind::Opaque,
            "",
            1000,
            20,
        );
        churn.allocated(
            &[ChurnBuilder::own("sell", "shop.js", 30), describe],
            Kind::Opaque,
            "",
            1000,
            10,
        );
        if !inside.is_empty() {
            let stack: Vec<Frame> = std::iter::once(render()).chain(inside.iter().cloned()).collect();
            churn.allocated(&stack, Kind::Opaque, "", 10, 10);
        }
        churn.churn().coverage.lines = Presence::Partial;
        churn.churn().coverage.counts = Presence::Absent;
        churn.antipattern(Antipattern {
            kind: AntipatternKind::Log,
            file: "shop.js".into(),
            lines: (3, 3),
            functions: vec![(1, 16)],
            names: vec!["render".into()],
            function: "render".into(),
            alone,
            code: "log.debug(`…`)".into(),
            makers: makers.iter().map(|&maker| maker.to_owned()).collect(),
            kinds: Vec::new(),
            remains: Remains::Nothing,
            sole: true,
            rewrite: None,
            advice: "check its level first".into(),
            uncounted: String::new(),
            assumes: None,
        });
        Logs.look(&churn.build())
    }

    #[test]
    fn what_a_function_makes_otherwise_is_no_text() {
        let hidden = of_functions(false, &[], &[]);
        assert!(hidden.candidates.is_empty());
        let why = &hidden.not_measured[0].why;
        assert!(why.contains("`log.debug(`…`)` at shop.js:3"), "{why}");
        let alone = of_functions(true, &[], &[]);
        assert_eq!(alone.candidates[0].net(), 400_000);
        assert!(alone.not_measured.is_empty());
    }

    #[test]
    fn what_the_text_calls_is_its_own() {
        let found = of_functions(false, &["describe", "join"], &[]).candidates;
        assert_eq!(found.len(), 1);
        // What another function has described is another matter.
        assert_eq!(found[0].net(), 50_000);
        assert_eq!(
            (found[0].function.as_str(), found[0].place.as_str()),
            ("render", "shop.js:3")
        );
        assert_eq!(
            found[0].title,
            "what calls make for the text of a log line that was not written"
        );
    }

    /// A log of the program's own stands between the line and what prints.
    #[test]
    fn text_that_was_printed_was_written() {
        let debug = ChurnBuilder::own("debug", "log.js", 2);
        let print = Frame {
            logs: true,
            ..ChurnBuilder::library("log")
        };
        let found = of_functions(true, &[], &[debug, print]).candidates;
        let text = found.iter().find(|one| one.place == "shop.js:3").unwrap();
        assert!(text.option && text.title == "text built for a log line");
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
