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
//! still makes as many elements as its bound, for each collection that was built: those that were first, where the
//! record distinguishes them. Where collections were not counted, the fix that is named makes none of it.
//!
//! Lists that are put together at once are still put together: the array that they are appended to one by one grows in
//! other steps, which the runtime's layout predicts from how many references the record says there were. Its calls are
//! taken to be alike.
//!
//! A rewrite that reads files a block at a time still makes one block for each file. The runtime's layout prices it. The
//! rule is silent where files make less than a block.
//!
//! What the call may have made of its text only to read it is not promised: V8 keeps text that was put together by `+` as
//! a tree of pieces, and whatever reads it next, `indexOf` as well as `split`, makes one flat copy of it.
//!
//! ## What a rewrite needs to mean the same
//! A rewrite answers as the line did for every input, or says in a comment above it where alone it does: `# Only if …`.
//! `row.split(",").size` drops empty pieces at the end, so the rewrite counts separators and leaves texts that end with
//! one to `split`. `map { … }.flatten` flattens all the way down, so the rewrite goes on with `flatten!`, which makes nothing
//! where nothing is nested any deeper. `select { … }.first` calls the block for all, and `find { … }` only as far as the
//! first that fits: whether the block does more than answer, only its author can say. What cannot stand below such a
//! comment, as in the midst of a text, is named without a rewrite.
//!
//! A line of a dependency is named where no source of the program is on the way to it, as in a program that is installed
//! itself.
//!
//! ## How to fix it
//! - Ruby: `each_line.first(50).size < 50` where a bound is asked for, `flat_map`, `find`, `count { … }`,
//!   `none? { … }`, `each_key`, `key?`, `sum { … }`, `to_h { … }`, `min`, `min_by`, `reverse_each`; `text[0]` for
//!   `text.chars.first`, `split(",", 2).first` for `split(",")[0]`; for lines see below.
//! - JavaScript: `split(sep, limit)`, `some`, `find`, `flatMap`, `for … in`.
//! - Python: a generator in place of a list: `any(x for …)`, `sum(1 for …)`, `min(…)` in place of `sorted(…)[0]`.
//! - Java: `stream().count()`, `anyMatch`, `findFirst`, `min`, `lines().limit(n).count()`; `charAt` for `toCharArray()`,
//!   `startsWith(x, i)` and `parseInt(text, from, to, 10)` for a `substring` that is only read.
//!
//! ### Lines in Ruby
//! `html.count("\n")` makes no line, and is not always `html.lines.count`:
//! - a text that does not end with a line break has one line more than breaks: `"a\nb"` has two lines and one break;
//! - `count` raises `ArgumentError` where the text is not valid in its encoding, and `lines` does not. `html.b`, the same
//!   bytes without an encoding, is always valid; it is one object of 40 bytes that shares the text's bytes;
//! - without `# frozen_string_literal: true`, `"\n"` is a string of 40 bytes for each call; `"\n".freeze` is none, nor is
//!   `$/`, which is a global that the program may set to something else, and `lines` asks it.
//!
//! So what is offered is `html.b.count("\n") + (html.empty? || html.end_with?("\n") ? 0 : 1)`: the number of `html.lines`
//! for every text in an encoding with ASCII; for one in UTF-16 or UTF-32 it raises. Where a text is known to be valid and
//! to end with a line break, `html.count("\n")` will do. Where the program sets `$/`, or hands `lines` a separator, only
//! the list is spared: `html.each_line(…).count`.
//!
//! `each_line.count` makes each line, too, one at a time, and an early exit, `each_line.first(50).size`, makes no more
//! lines than are asked for, whatever the separator. A line may be long: a page behind a minifier is one line or a few,
//! which the early exit makes in full.
//!
//! `File.readlines(path).size` holds the whole file, `File.foreach(path).count` one line at a time. To make no line,
//! count breaks a block at a time. What is offered for both does so in one expression, with blocks of 16 KiB; as a
//! method it reads:
//!
//! ```ruby
//! def lines_in(path)
//!   breaks = 0
//!   last = nil
//!   block = String.new
//!   File.open(path, 'rb') do |file|
//!     while file.read(16_384, block)
//!       breaks += block.count("\n")
//!       last = block.getbyte(-1)
//!     end
//!   end
//!   breaks + (last.nil? || last == 10 ? 0 : 1)
//! end
//! ```
//!
//! ## When not to
//! When the collection is used again further down, which the rule does not claim; or where the line runs once. On a text
//! of few, long lines `lines` is the faster way: it looks for line breaks only, while `count` looks at each byte
//! (`cases/line-count` has the figures).

use deadweight_heap::Churn;
use deadweight_heap::churn::{Antipattern, AntipatternKind};

use crate::churn::{all_operand, of_antipatterns, unforeseen};
use crate::count::Count;
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
        let made = |antipattern: &Antipattern, bytes| {
            let (code, file, line) = (&antipattern.code, &antipattern.file, antipattern.lines.0);
            format!("the {} bytes that `{code}` at {file}:{line} made", Count(bytes))
        };
        for (antipattern, bytes) in all_operand(churn, AntipatternKind::ThrownAway) {
            verdict.blind(
                format!(
                    "{} may all be copies of the texts handed over",
                    made(antipattern, bytes)
                ),
                "write the line without a collection, and compare both by `deadweight prove`",
            );
        }
        for (antipattern, bytes) in unforeseen(churn, AntipatternKind::ThrownAway) {
            verdict.blind(
                format!(
                    "how much of {} would still be made is not known",
                    made(antipattern, bytes)
                ),
                "record every object with this version, or compare both by `deadweight prove`",
            );
        }
        verdict.candidates = of_antipatterns(churn, AntipatternKind::ThrownAway);
        verdict
    }
}

#[cfg(test)]
mod tests;
