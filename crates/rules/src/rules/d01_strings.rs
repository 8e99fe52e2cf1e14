//! # D01 · equal strings
//!
//! ## What it is
//! The same text kept several times, each copy an object of its own.
//!
//! ## Why it costs
//! A copy costs a header and its characters, rounded up. Text that was read from files, sockets and parsers is a new
//! object each time, even when its value was seen a million times before.
//!
//! ## How it is found
//! Flat strings with equal text and equal size, grouped by the holder that names them. One copy of each value stays.
//! A text that the dump cuts off counts only when the copies are of one size, and the finding is then an estimate.
//!
//! ## How the saving is computed
//! For each holder: the bytes of all copies but one of each value.
//!
//! ## How to fix it
//! Look each value up in a table when it comes in, and keep the table's copy. Drop the table when the batch is done.
//!
//! - JavaScript: `const seen = new Map(); const intern = s => seen.get(s) ?? (seen.set(s, s), s);`
//! - Ruby: `-string`, or `# frozen_string_literal: true` for literals.
//! - Java: a `HashMap<String, String>` of your own; `String.intern()` for values that live for ever.
//! - C++, Rust: a table of shared strings, with ids in the records.
//!
//! ## When not to
//! When values hardly repeat, the table costs more than it saves. When values come from outside without bound, bound
//! the table.

use deadweight_heap::{Flags, Heap, Holders, Kind, ObjectId, Presence, StringForm, TextId};
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use serde_json::json;

use crate::{Candidate, Code, Rule, Verdict};

/// The rule.
pub struct EqualStrings;

impl Rule for EqualStrings {
    fn code(&self) -> Code {
        Code("D01")
    }

    fn source(&self) -> &'static str {
        include_str!("d01_strings.rs")
    }

    fn look(&self, heap: &Heap) -> Verdict {
        if heap.coverage.texts == Presence::Absent {
            return Verdict::blind("the dump has no text of strings", heap.runtime.recapture.clone());
        }
        let mut holders = Holders::new(heap);
        let groups = holders.group(|id| is_flat_text(heap, id));
        let candidates: Vec<Candidate> = groups
            .into_par_iter()
            .filter_map(|(holder, strings)| at_holder(heap, || holders.name(holder), &strings))
            .collect();
        candidates.into()
    }
}

fn is_flat_text(heap: &Heap, id: ObjectId) -> bool {
    heap.kind(id) == Kind::String
        && heap.objects.fact[id as usize] == StringForm::Flat as u32
        && heap.bytes(id) > 0
        && heap.in_program(id)
}

/// What the strings at one holder hold.
#[derive(Default)]
struct Place {
    /// Copies of each value: equal text of equal size.
    values: FxHashMap<(TextId, u64), u64>,
    strings: u64,
}

fn at_holder(heap: &Heap, name: impl Fn() -> String, strings: &[ObjectId]) -> Option<Candidate> {
    let mut place = Place {
        strings: strings.len() as u64,
        ..Place::default()
    };
    let mut redundant: Vec<ObjectId> = Vec::new();
    for &id in strings {
        let value = (heap.objects.label[id as usize], heap.bytes(id));
        let copies = place.values.entry(value).or_default();
        *copies += 1;
        if *copies > 1 {
            redundant.push(id);
        }
    }
    if redundant.is_empty() {
        return None;
    }
    let mut candidate = Candidate::at(name());
    for &id in &redundant {
        candidate.claim(id, heap.bytes(id));
    }
    describe(heap, &place, redundant.len() as u64, &mut candidate);
    if redundant
        .iter()
        .any(|&id| heap.objects.has(id, Flags::INCOMPLETE))
    {
        candidate = candidate.assuming("texts the dump cuts off are equal when their start and size are");
    }
    Some(candidate)
}

fn describe(heap: &Heap, place: &Place, redundant: u64, candidate: &mut Candidate) {
    let repeated: Vec<_> = place.values.iter().filter(|(_, copies)| **copies > 1).collect();
    let values = repeated.len() as u64;
    candidate.count = redundant;
    candidate.good = place.strings - redundant;
    candidate.bytes_now = repeated.iter().map(|((_, bytes), copies)| bytes * *copies).sum();
    candidate.title = format!("{} strings hold {} values", place.strings, place.values.len());
    candidate.fix = format!("keep one copy of each of the {values} values that repeat (intern them)");
    let mut top = repeated;
    top.sort_by_key(|((text, bytes), copies)| (std::cmp::Reverse(bytes * *copies), *text));
    let examples: Vec<_> = top
        .iter()
        .take(3)
        .map(|((text, bytes), copies)| {
            json!({"value": heap.texts.shown(*text, 60), "copies": copies, "bytes_each": bytes})
        })
        .collect();
    candidate.evidence.insert("strings".into(), json!(place.strings));
    candidate
        .evidence
        .insert("values".into(), json!(place.values.len()));
    candidate.evidence.insert("examples".into(), json!(examples));
}

#[cfg(test)]
mod tests {
    use deadweight_heap::HeapBuilder;

    use super::*;

    #[test]
    fn copies_beyond_the_first_are_claimed_at_their_holder() {
        let mut heap = HeapBuilder::new();
        for text in ["abc", "abc", "abc", "other"] {
            let cid = heap.string(text);
            let own = heap.string(&format!("unique {cid}"));
            let record = heap.record("Measurement", &[("cid", cid), ("id", own)]);
            heap.variable("all", record);
        }
        let found = EqualStrings.look(&heap.build()).candidates;
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].holder, "Measurement.cid");
        assert_eq!(found[0].count, 2);
        assert_eq!(found[0].net(), 2 * 24);
        assert_eq!(found[0].evidence["strings"], 4);
        assert_eq!(found[0].evidence["values"], 2);
    }

    #[test]
    fn one_object_with_many_referrers_is_no_copy() {
        let mut heap = HeapBuilder::new();
        let shared = heap.string("shared");
        for _ in 0..10 {
            let record = heap.record("R", &[("name", shared)]);
            heap.variable("all", record);
        }
        assert!(EqualStrings.look(&heap.build()).candidates.is_empty());
    }

    #[test]
    fn without_text_it_says_so() {
        let mut heap = HeapBuilder::new();
        heap.coverage(|coverage| coverage.texts = Presence::Absent);
        let verdict = EqualStrings.look(&heap.build());
        assert_eq!(verdict.not_measured.len(), 1);
    }
}
