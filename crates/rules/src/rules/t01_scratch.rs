//! # T01 · memory that is made for each call and dropped after it
//!
//! ## What it is
//! A line makes buffers (or arrays, or records) over and over, and next to nothing of them is alive afterwards: it
//! allocates far more than it keeps. The memory could be taken once and used again.
//!
//! ## Why it costs
//! Each buffer is cleared, filled and collected. A collector runs as often as its young part of the heap fills, so such a
//! line sets the pace of every pause; with a collector that does not move objects, holes stay behind.
//!
//! ## How it is found
//! Rows of a record of allocations, by the innermost line of the program's own source. A line counts when it made at
//! least 100 objects and at most a hundredth of their bytes was alive at the end. Buffers are findings: one that
//! grows to the largest size serves all calls. Arrays and records are options, as whether they can be reused or be
//! values depends on what the program does with them. What a dependency or the language's own library makes for
//! itself is left out: the program never has it in its hands. So is what functions of the language's own library
//! return that make a new object each time, such as `split` and `map`: they cannot be handed one to fill. Functions that
//! list what can be read in place, such as `bytes` and `keys`, are an option of their own. Lists that are written out,
//! as by `%w[a b]`, are made by their line alone. Text is never named: it does not change, so
//! nothing can be reused.
//!
//! ## How the saving is computed
//! All bytes that were dropped, less one object of the largest size made there. It is an estimate: it takes for granted
//! that no two are in use at the same time. With k in use at once, k stay. Of what is read in place
//! nothing stays.
//!
//! ## How to fix it
//! - JavaScript: one `Buffer.allocUnsafe` outside of the function, and `subarray` of it.
//! - Ruby: pass a `String.new(capacity: n)` to `read(n, buffer)`; `clear` arrays instead of making new ones; `each_line`,
//!   `each_byte` and `each_key` in place of `lines`, `bytes` and `keys`.
//! - Crystal: a `StaticArray` on the stack, or one `Bytes` in the object; a `struct` in place of a `class`; `to_slice` or
//!   `each_byte` in place of `bytes`.
//! - Java: a `ThreadLocal<ByteBuffer>`, or a buffer that belongs to the connection.
//! - Python: `readinto` a `bytearray`; `memoryview` in place of slices.
//!
//! ## When not to
//! When the buffer is handed on to code that keeps it, or calls overlap and there is no owner (a connection, a thread)
//! whose buffer it could be. Short-lived small objects are cheap where the collector moves them: measure time before a
//! pool for less than a kilobyte.

use deadweight_heap::churn::{AntipatternKind, Returns, Row, RowId};
use deadweight_heap::{Churn, Kind, Presence};

use crate::churn::{Line, lines};
use crate::count::Count;
use crate::{ChurnCandidate, ChurnRule, ChurnVerdict, Code};

/// Fewer objects than this are no habit.
const MANY: u64 = 100;

/// At most one byte of so many is alive at the end.
const DROPPED: u64 = 100;

/// Memory that is made for each call.
#[derive(Debug)]
pub struct Scratch;

impl ChurnRule for Scratch {
    fn code(&self) -> Code {
        Code("T01")
    }

    fn source(&self) -> &'static str {
        include_str!("t01_scratch.rs")
    }

    fn look(&self, churn: &Churn) -> ChurnVerdict {
        let mut verdict = ChurnVerdict::default();
        if churn.rows.is_empty() {
            return verdict;
        }
        if churn.coverage.types == Presence::Absent {
            verdict.blind(
                "the record does not say what the objects are: buffers can be used again, text cannot",
                "see the lines that make most, and the practices found in the source",
            );
            return verdict;
        }
        if churn.coverage.survivors == Presence::Absent && churn.totals.heap_used.is_none() {
            verdict.blind(
                "the record does not say what was kept",
                "record until the program ends, with a recorder that notes survivors",
            );
            return verdict;
        }
        for line in lines(churn) {
            for (kind, what) in [
                (Kind::Buffer, "buffer"),
                (Kind::Array, "array"),
                (Kind::Record, "record"),
            ] {
                verdict.candidates.extend(candidate(churn, &line, kind, what));
            }
            verdict.candidates.extend(listed(churn, &line));
        }
        verdict
    }
}

/// What could be one object that is used again.
fn candidate(churn: &Churn, line: &Line<'_>, kind: Kind, what: &str) -> Option<ChurnCandidate> {
    // What returns a new object each time cannot be handed one that is there.
    let of_kind = rows_of(churn, line, kind, Returns::Anything);
    let mut found = dropped(churn, line, &of_kind, what)?;
    found.overhead = largest(&of_kind)?;
    found.variant = match kind {
        Kind::Buffer => "",
        Kind::Array => "arrays",
        _ => "records",
    };
    found.option = kind != Kind::Buffer;
    found.fix = String::from(match kind {
        Kind::Buffer => "allocate one that is large enough, and reuse it",
        Kind::Array => "clear one and reuse it, or let the caller pass it in",
        _ => "reuse one, or make it a value type (struct) where the language has them",
    });
    found.assume("that no two are in use at once");
    finished(churn, found)
}

/// Lists of what could be read in place.
fn listed(churn: &Churn, line: &Line<'_>) -> Option<ChurnCandidate> {
    let of_kind = rows_of(churn, line, Kind::Array, Returns::Listed);
    let (_, first) = of_kind.first()?;
    let mut found = dropped(churn, line, &of_kind, "array")?;
    let callee = first.stack.and_then(|stack| churn.callee(stack));
    let function = callee.map_or_else(String::new, |callee| callee.function.clone());
    found.variant = "listed";
    found.option = true;
    found.fix = format!("go through it in place: {function} makes a list each time");
    found.show("function", function);
    finished(churn, found)
}

/// The rows of a line that are of a kind and come out of such functions, the largest first.
fn rows_of<'c>(churn: &Churn, line: &Line<'c>, kind: Kind, returns: Returns) -> Vec<(RowId, &'c Row)> {
    let mut of_kind: Vec<(RowId, &Row)> = line
        .rows
        .iter()
        .copied()
        .filter(|(_, row)| {
            let is_own = row.stack.is_none_or(|stack| churn.dependency(stack).is_none());
            let callee = row.stack.and_then(|stack| churn.callee(stack));
            let returned = callee.map_or(Returns::Anything, |callee| callee.returns);
            row.kind == kind && is_own && !row.internal && returned == returns && !is_written_out(churn, row)
        })
        .collect();
    of_kind.sort_by_key(|(_, row)| std::cmp::Reverse(row.bytes));
    of_kind
}

/// Bytes of the largest object of some rows.
fn largest(rows: &[(RowId, &Row)]) -> Option<u64> {
    let each = rows
        .iter()
        .map(|(_, row)| row.largest.unwrap_or_else(|| row.mean()));
    each.max()
}

/// What is dropped of some rows, where that is nearly all.
fn dropped(churn: &Churn, line: &Line<'_>, of_kind: &[(RowId, &Row)], what: &str) -> Option<ChurnCandidate> {
    let rows = || of_kind.iter().map(|(_, row)| *row);
    let count: u64 = rows().map(|row| row.count).sum();
    let bytes: u64 = rows().map(|row| row.bytes).sum();
    let kept = churn.kept_at_most(rows())?.min(bytes);
    if count < MANY || kept.saturating_mul(DROPPED) > bytes {
        return None;
    }
    let mut candidate = ChurnCandidate::at(line.own);
    // Where only the whole process's rest is known, it is taken from the first rows: the sum is what matters.
    let mut unknown = if rows().all(|row| row.kept_bytes.is_some()) {
        0
    } else {
        kept
    };
    for &(id, row) in of_kind {
        let stays = row.kept_bytes.unwrap_or(unknown.min(row.bytes));
        if row.kept_bytes.is_none() {
            unknown -= stays;
        }
        candidate.claim(id, row.bytes - stays.min(row.bytes));
    }
    let largest = largest(of_kind)?;
    candidate.bytes_now = bytes;
    candidate.count = count;
    candidate.unaffected = line.count() - count;
    let one_size = rows().all(|row| row.has_one_size() && row.largest == Some(largest));
    let size = if one_size {
        format!("{} each", Count(largest).of("byte", "bytes"))
    } else {
        format!("up to {}", Count(largest).of("byte", "bytes"))
    };
    let made = Count(count).of(what, &format!("{what}s"));
    candidate.title = match of_kind {
        // A buffer is a buffer; of records a person asks which.
        [(_, first), others @ ..] if first.kind == Kind::Record && !churn.type_name(first).is_empty() => {
            let name = churn.type_name(first);
            let alone = others.iter().all(|(_, row)| churn.type_name(row) == name);
            let and_others = if alone { "" } else { " and others" };
            format!("{made} ({name}{and_others}) of {size}, dropped after use")
        }
        _ => format!("{made} of {size}, dropped after use"),
    };
    if let Some((_, row)) = of_kind.first() {
        candidate.show("type", churn.type_name(row));
    }
    candidate.show("largest_bytes", largest);
    candidate.show("kept_bytes", kept);
    Some(candidate)
}

fn finished(churn: &Churn, mut candidate: ChurnCandidate) -> Option<ChurnCandidate> {
    if churn.main_returned {
        candidate.assume("that main's variables held none of them: it had returned when they were counted");
    }
    (candidate.net() > 0).then_some(candidate)
}

/// Whether a line made it by itself, of what is written out there.
fn is_written_out(churn: &Churn, row: &Row) -> bool {
    let stack = row.stack.filter(|&stack| churn.callee(stack).is_none());
    let Some(own) = stack.and_then(|stack| churn.own(stack)) else {
        return false;
    };
    churn.antipatterns.iter().any(|antipattern| {
        antipattern.kind == AntipatternKind::Literal
            && churn.may_be(row, &antipattern.kinds)
            && churn.is_at(antipattern, own)
    })
}

#[cfg(test)]
mod tests {
    use deadweight_heap::ChurnBuilder;
    use deadweight_heap::churn::{Antipattern, Frame, Remains};

    use super::*;

    fn look(churn: ChurnBuilder) -> Vec<ChurnCandidate> {
        Scratch.look(&churn.build()).candidates
    }

    #[test]
    fn buffers_that_are_dropped_could_be_one() {
        let mut churn = ChurnBuilder::new();
        let own = ChurnBuilder::own("Client#get", "client.cr", 107);
        churn.allocated(
            &[own, ChurnBuilder::library("new")],
            Kind::Buffer,
            "Bytes",
            1000,
            4096,
        );
        let found = look(churn);
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].place.as_str(), found[0].count), ("client.cr:107", 1000));
        assert_eq!((found[0].net(), found[0].option), (999 * 4096, false));
    }

    #[test]
    fn what_is_kept_or_made_seldom_is_left_alone() {
        let mut churn = ChurnBuilder::new();
        let own = |line| [ChurnBuilder::own("load", "load.rb", line)];
        let kept = churn.allocated(&own(1), Kind::Buffer, "Bytes", 1000, 64);
        churn.change(kept, |row| {
            row.kept = Some(20);
            row.kept_bytes = Some(20 * 64);
        });
        churn.allocated(&own(2), Kind::Buffer, "Bytes", 99, 1 << 20);
        churn.allocated(&own(3), Kind::String, "String", 100_000, 40);
        churn.allocated(
            &[ChurnBuilder::library("boot")],
            Kind::Buffer,
            "Bytes",
            1000,
            4096,
        );
        assert_eq!(look(churn).len(), 0);
    }

    #[test]
    fn records_and_arrays_are_options() {
        let mut churn = ChurnBuilder::new();
        let own = [ChurnBuilder::own("get", "client.cr", 9)];
        churn.allocated(&own, Kind::Record, "Response", 200, 48);
        churn.allocated(&own, Kind::Array, "Array", 200, 32);
        let found = look(churn);
        assert!(found.len() == 2 && found.iter().all(|candidate| candidate.option));
    }

    #[test]
    fn what_a_dependency_makes_for_itself_is_left_alone() {
        let mut churn = ChurnBuilder::new();
        let own = ChurnBuilder::own("get", "client.cr", 9);
        let inside = ChurnBuilder::dependency("parse", "gems/parser/lib/parser.rb", 4);
        let new = ChurnBuilder::library("new");
        for kind in [Kind::Buffer, Kind::Record, Kind::Array] {
            churn.allocated(
                &[own.clone(), inside.clone(), new.clone()],
                kind,
                "Node",
                1000,
                400,
            );
        }
        assert_eq!(look(churn).len(), 0);
    }

    #[test]
    fn what_main_held_may_have_been_kept() {
        let mut churn = ChurnBuilder::new();
        let own = [ChurnBuilder::own("main", "Shop.java", 9)];
        churn.allocated(&own, Kind::Record, "Order", 1000, 400);
        churn.churn().main_returned = true;
        let assumes = look(churn)[0].assumes.clone().unwrap();
        assert!(assumes.contains("main's variables held none"), "{assumes}");
    }

    #[test]
    fn what_the_library_makes_for_itself_is_left_alone() {
        let mut churn = ChurnBuilder::new();
        let own = [ChurnBuilder::own("get", "client.cr", 9)];
        let row = churn.allocated(&own, Kind::Buffer, "Bytes", 1000, 400);
        churn.change(row, |row| row.internal = true);
        assert_eq!(look(churn).len(), 0);
    }

    #[test]
    fn what_a_function_makes_anew_each_time_is_no_scratch() {
        let found = |returns| {
            let mut churn = ChurnBuilder::new();
            let own = ChurnBuilder::own("read", "rows.rb", 9);
            let split = Frame {
                returns,
                ..ChurnBuilder::library("split")
            };
            churn.allocated(&[own, split], Kind::Array, "Array", 1000, 400);
            let found = look(churn).into_iter();
            found
                .map(|found| (found.variant, found.fix, found.option))
                .collect::<Vec<_>>()
        };
        assert_eq!(found(Returns::Anything)[0].0, "arrays");
        assert!(found(Returns::New).is_empty());
        let in_place = "go through it in place: split makes a list each time".to_owned();
        assert_eq!(found(Returns::Listed), [("listed", in_place, true)]);
    }

    #[test]
    fn a_list_that_is_written_out_is_left_alone() {
        let mut churn = ChurnBuilder::new();
        let own = ChurnBuilder::own("read", "rows.rb", 9);
        churn.allocated(std::slice::from_ref(&own), Kind::Array, "Array", 1000, 400);
        churn.allocated(
            &[own, ChurnBuilder::library("new")],
            Kind::Array,
            "Array",
            500,
            400,
        );
        churn.antipattern(Antipattern {
            kind: AntipatternKind::Literal,
            file: "rows.rb".into(),
            lines: (9, 9),
            functions: Vec::new(),
            names: Vec::new(),
            function: String::new(),
            alone: false,
            code: "%w[a b]".into(),
            makers: Vec::new(),
            kinds: vec![Kind::Array],
            remains: Remains::Nothing,
            sole: false,
            rewrite: None,
            advice: String::new(),
            uncounted: String::new(),
            assumes: None,
        });
        assert_eq!(look(churn)[0].count, 500);
    }

    #[test]
    fn records_say_what_they_are() {
        let mut churn = ChurnBuilder::new();
        let own = [ChurnBuilder::own("get", "client.cr", 9)];
        churn.allocated(&own, Kind::Record, "Range", 200, 40);
        churn.allocated(&own, Kind::Record, "Response", 200, 48);
        let title = &look(churn)[0].title;
        assert!(title.contains("(Response and others)"), "{title}");
    }

    #[test]
    fn the_process_s_rest_bounds_what_a_line_kept() {
        let build = |heap_used| {
            let mut churn = ChurnBuilder::new();
            let own = [ChurnBuilder::own("get", "client.cr", 9)];
            let row = churn.allocated(&own, Kind::Buffer, "Bytes", 1000, 1000);
            churn.change(row, |row| (row.kept, row.kept_bytes) = (None, None));
            churn.churn().totals.heap_used = heap_used;
            churn
        };
        assert_eq!(look(build(Some(10_000)))[0].net(), 1_000_000 - 10_000 - 1000);
        assert_eq!(look(build(Some(10_001))).len(), 0);
    }

    #[test]
    fn a_record_without_types_is_blind() {
        let mut churn = ChurnBuilder::new();
        churn.allocated(&[ChurnBuilder::own("f", "a.js", 1)], Kind::Opaque, "", 1000, 1000);
        churn.churn().coverage.types = Presence::Absent;
        let verdict = Scratch.look(&churn.build());
        assert!(verdict.candidates.is_empty() && verdict.not_measured.len() == 1);
    }
}
