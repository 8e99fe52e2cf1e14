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
//! Strings with equal text and, in one form, of equal size, grouped by the holder that names them. One copy of each value stays.
//! The first copy in memory stays; where others are slices or joined texts, whose size differs, that is an assumption.
//! A text that the dump cuts off counts only when the copies are of one size, and the finding is then an estimate. Where
//! strings share the characters of another that nothing else holds, that one goes with the last of them: a window on a
//! longer text, the flat text of a joint, or the pieces of texts that were joined.
//!
//! Where a dump hides the text of some strings of a place, the finding is an estimate. If a recorder compared at least 100 slices
//! there, these stand for the other slices: how many values only the others have follows from how many of the compared values
//! came once and how many twice (the estimate of Chao and Lin for samples without replacement). Each other string of hidden text is taken
//! for a value of its own.
//!
//! Strings that equal those of another holder are a finding of their own at their place, from 16 on: each text is at home
//! at the place with the most values, of equal ones at that with the fewest slices, and the finding names the place at which most of them are.
//!
//! ## How the saving is computed
//! For each holder: the bytes of all copies but one of each value. Where another holder has the values as well: the bytes of
//! all strings that equal one there.
//!
//! Where the runtime keeps a table of texts (`sys.intern` of Python), that table grows by what the fix puts into it: all different
//! texts of the place that are not in it yet, whether they repeat or not. The growth comes off the saving (`interned_table`). The
//! table grows by steps. A finding alone pays the step that it makes alone. Several findings pay for the table as large as it
//! becomes with all of them, once: the first one pays its step, each later one what it makes more. A place whose texts cost
//! more there than their copies take is no finding. With a table of the program's own that goes when all is read, nothing of
//! this is paid (`own_table`).
//!
//! ## How to fix it
//! Look each value up in a table when it comes in, and keep the table's copy. Drop the table when the batch is done.
//!
//! - JavaScript: `const seen = new Map(); const intern = s => seen.get(s) ?? (seen.set(s, s), s);`
//! - Ruby: `-string`, or `# frozen_string_literal: true` for literals.
//! - Java: a `HashMap<String, String>` of your own; `String.intern()` for values that live for ever.
//! - Python: `sys.intern(text)`. The interpreter's table of these grows by doubling and never shrinks, and 3.12 keeps what is interned
//!   for ever. `seen.setdefault(text, text)` with a `dict` of your own that goes when all is read costs nothing in the end.
//! - C++, Rust: a table of shared strings, with ids in the records.
//!
//! For strings that equal those of another holder, use one table for both.
//!
//! What a table of the program's own takes while it is kept is in no saving: the evidence prices it (`kept_table`).
//!
//! ## When not to
//! When values hardly repeat, the table costs more than it saves. When values come from outside without bound, bound
//! the table.

mod across;
mod estimate;
#[cfg(test)]
mod interned_tests;
#[cfg(test)]
mod tests;

use deadweight_heap::{Backing, Flags, Heap, Holders, ObjectId, Presence, StringForm, TextId, Width};
use deadweight_weighing::NotMeasured;
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::json;

use self::estimate::Estimate;
use crate::count::Count;
use crate::equal_texts::{EqualTexts, TextsAt};
use crate::interning::NewTexts;
use crate::{Basis, Candidate, Code, Interns, Rule, Verdict};

/// The rule.
pub struct EqualStrings;

impl Rule for EqualStrings {
    fn code(&self) -> Code {
        Code("D01")
    }

    fn source(&self) -> &'static str {
        include_str!("d01_strings.rs")
    }

    fn basis(&self) -> Basis {
        Basis::Data
    }

    fn look(&self, heap: &Heap) -> Verdict {
        if heap.coverage.texts == Presence::Absent {
            return Verdict::blind("the dump has no text of strings", heap.runtime.recapture.clone());
        }
        let texts = EqualTexts::of(heap);
        let places = texts.places.par_iter();
        let found: Vec<(Candidate, u64)> = places.filter_map(|place| at_holder(heap, place)).collect();
        let estimated = found.iter().map(|(_, estimated)| estimated).sum();
        let mut candidates: Vec<Candidate> = found.into_iter().map(|(candidate, _)| candidate).collect();
        claim_backing(heap, &heap.backing(), &mut candidates);
        let mut across = across::candidates(heap, &texts);
        claim_backing(heap, &heap.backing(), &mut across);
        candidates.extend(across);
        let mut verdict: Verdict = candidates.into();
        let shown = texts.places.iter().map(|place| place.rows.len() as u64).sum();
        verdict
            .not_measured
            .extend(hidden_windows(heap, shown, estimated));
        verdict
    }
}

/// Fewer of a hundred strings at a place change no figure that matters.
const HIDDEN_PERCENT: u64 = 1;

/// How many of a place's strings show no text, where these matter.
fn hidden_at(texts: &TextsAt) -> Option<u64> {
    let hidden = texts.hidden.len() as u64;
    (hidden * 100 > texts.rows.len() as u64 * HIDDEN_PERCENT).then_some(hidden)
}

/// Windows whose text is hidden are worth a word from so many bytes on, and from one in so many strings.
const LEAST_HIDDEN: u64 = 64 << 10;
const HIDDEN_SHARE: u64 = 10;

/// That many strings are windows on others of which the dump does not say what they show, beside so many that it shows and
/// those for which others stand.
fn hidden_windows(heap: &Heap, shown: u64, estimated: u64) -> Option<NotMeasured> {
    let is_hidden = |&id: &ObjectId| {
        heap.string_form(id) == Some(StringForm::Slice) && !heap.shows_text(id) && heap.in_program(id)
    };
    let rows = heap.rows().into_par_iter().with_min_len(16_384);
    let hidden = rows.filter(is_hidden).map(|id| (1, heap.bytes(id)));
    let (all, bytes) = hidden.reduce(|| (0_u64, 0), |a, b| (a.0 + b.0, a.1 + b.1));
    let hidden = all.saturating_sub(estimated);
    let (shown, bytes) = (shown + estimated, bytes * hidden / all.max(1));
    (bytes >= LEAST_HIDDEN && hidden > (hidden + shown) / HIDDEN_SHARE).then(|| {
        let why = format!(
            "{} of {} strings are slices of others, and the dump does not show their text",
            Count(hidden),
            Count(hidden + shown)
        );
        NotMeasured::new(
            why,
            "capture with a recorder that compares strings, or copy what is sliced, as R01 says",
        )
    })
}

/// What a program must keep to that shares texts which can be changed.
const UNCHANGED: &str = "nobody changes one of the equal texts";

/// Values that are shown.
const EXAMPLES: usize = 3;

/// How many different texts there are.
struct Values {
    all: u64,
    /// Strings of which it is an estimate what they hold.
    estimated: u64,
    /// Those of known texts that repeat.
    repeating: u64,
}

/// A text that repeats in one size.
struct Repeated {
    text: TextId,
    bytes: u64,
    copies: u64,
}

/// The finding of a place, and for how many of its strings others stand.
fn at_holder(heap: &Heap, texts: &TextsAt) -> Option<(Candidate, u64)> {
    let strings = &texts.rows;
    if texts.values == strings.len() {
        return None;
    }
    let mut candidate = Candidate::at("").at_all_places();
    candidate.claims.reserve_copies(strings.len() - texts.values);
    // For each string that is the first of its value how many there are.
    let mut copies: Vec<u32> = Vec::with_capacity(strings.len());
    // Nearly all that are equal are of one size; those of another have a first one of their own.
    let mut others: FxHashMap<(u32, u64), u32> = FxHashMap::default();
    let mut cut_off = false;
    // Of values in several forms, by how many bytes the copy that stays may be another.
    let mut unlike: FxHashMap<u32, u64> = FxHashMap::default();
    for (place, (&id, &first)) in (0..).zip(strings.iter().zip(&texts.firsts)) {
        let mut first = first;
        if first != place {
            let bytes = heap.bytes(id);
            let kept = strings[first as usize];
            // A text that was joined is as large as another with its flat text behind it.
            if heap.bytes(kept) != bytes && heap.string_form(kept) == heap.string_form(id) {
                first = *others.entry((first, bytes)).or_insert(place);
            }
        }
        copies.push(u32::from(first == place));
        if first != place {
            copies[first as usize] += 1;
            let kept = strings[first as usize];
            let bytes = candidate.claim_copy(heap, kept, id);
            if bytes != heap.bytes(kept) {
                let most = unlike.entry(first).or_default();
                *most = bytes.abs_diff(heap.bytes(kept)).max(*most);
            }
            cut_off = cut_off || is_cut(heap, id) || is_cut(heap, kept);
        }
    }
    let repeated = copies.iter().zip(strings).filter(|(copies, _)| **copies > 1);
    let repeated: Vec<Repeated> = repeated
        .map(|(&copies, &id)| Repeated {
            text: heap.objects.label[id as usize],
            bytes: heap.bytes(id),
            copies: copies.into(),
        })
        .collect();
    if repeated.is_empty() {
        return None;
    }
    let estimate = Estimate::of(heap, texts);
    let hidden = estimate.as_ref().map_or(0, |estimate| estimate.hidden);
    let count = strings.len() as u64 + hidden;
    let mut kept = copies.iter().filter(|copies| **copies > 0).count() as u64;
    drop(copies);
    if let Some(estimate) = &estimate {
        kept += estimate.hidden - estimate.gone.len() as u64;
        for &id in &estimate.gone {
            candidate.claim_copy(heap, estimate.kept, id);
        }
    }
    let holders = Holders::new(heap);
    candidate.holder = holders.name(holders.of(strings[0]));
    candidate.count = count - kept;
    candidate.unaffected = kept;
    let kept: u64 = repeated.iter().map(|value| value.bytes).sum();
    candidate.bytes_now = candidate.claims.bytes() + kept;
    let values = Values {
        all: texts.values as u64 + estimate.as_ref().map_or(0, |estimate| estimate.new),
        estimated: hidden,
        // Only what comes in several sizes repeats more than once.
        repeating: if others.is_empty() {
            repeated.len() as u64
        } else {
            let different: FxHashSet<TextId> = repeated.iter().map(|value| value.text).collect();
            different.len() as u64
        },
    };
    describe(heap, count, &values, repeated, &mut candidate);
    if texts.is_behind {
        candidate.variant = "behind";
        candidate.title = format!(
            "{} that slices or joined strings here are made of",
            candidate.title
        );
        "keep one copy of each text before it is cut or joined (intern it)".clone_into(&mut candidate.fix);
    }
    if heap.fixed.interned.is_some() {
        intern(heap, vec![texts.new_texts(heap)], &mut candidate);
    }
    let unlike: u64 = unlike.into_values().sum();
    let doubts = Doubts {
        cut_off,
        estimate,
        hidden: hidden_at(texts)
            .map(|all| all - hidden)
            .filter(|&hidden| hidden > 0),
        // Where it matters which one stays.
        unlike: unlike * 100 > candidate.claims.bytes(),
    };
    Some((assuming(heap, candidate, &doubts), hidden))
}

/// The way of a table that is the program's own: the runtime's does not grow then.
const OWN_TABLE: &str = "own_table";

/// Takes off what the runtime's own table takes more with these texts.
fn intern(heap: &Heap, of_places: Vec<NewTexts>, candidate: &mut Candidate) {
    candidate.interns = Interns::of(heap, of_places);
    let grows = candidate.interns.as_ref().map_or(0, |interns| interns.alone);
    if grows > 0 {
        candidate.show("interned_table", grows);
        candidate.show(OWN_TABLE, json!({"saves": candidate.claims.bytes()}));
    }
}

/// Whether the dump has only the beginning of a string's text.
fn is_cut(heap: &Heap, row: ObjectId) -> bool {
    heap.objects.has(row, Flags::INCOMPLETE)
}

/// What is not certain about equal texts.
struct Doubts {
    /// The dump has only the beginning of some.
    cut_off: bool,
    /// What the strings stand for whose text is known.
    estimate: Option<Estimate>,
    /// Further strings beside them whose text the dump does not show.
    hidden: Option<u64>,
    /// Copies are of unlike size, so that it matters which one stays.
    unlike: bool,
}

/// What sharing texts rests on.
fn assuming(heap: &Heap, mut candidate: Candidate, doubts: &Doubts) -> Candidate {
    let mut assumptions = Vec::new();
    if let Some(estimate) = &doubts.estimate {
        assumptions.push(format!(
            "the {} that were compared stand for {} more",
            Count(estimate.compared).of("slice", "slices"),
            Count(estimate.hidden)
        ));
    }
    if let Some(hidden) = doubts.hidden {
        assumptions.push(format!(
            "{} here, whose text the dump does not show, {} different",
            Count(hidden).of("string", "strings"),
            if hidden == 1 { "is" } else { "are all" }
        ));
    }
    if doubts.unlike {
        assumptions.push("where equal texts come in several forms, the first in memory is kept".to_owned());
    }
    if doubts.cut_off {
        assumptions.push("texts the dump cuts off are equal when their start and size are".to_owned());
    }
    if !heap.layout.strings_are_immutable() {
        candidate.basis = Some(Basis::Behaviour(UNCHANGED));
        if !assumptions.is_empty() {
            assumptions.push(UNCHANGED.to_owned());
        }
    }
    if !assumptions.is_empty() {
        candidate = candidate.assuming(assumptions.join(", and "));
    }
    candidate
}

/// Claims the strings whose characters copies share, where all that share them are copies: by the place of the first.
fn claim_backing(heap: &Heap, backing: &Backing, candidates: &mut [Candidate]) {
    if backing.is_empty() {
        return;
    }
    let copies = candidates.iter().enumerate();
    let copies = copies.flat_map(|(at, candidate)| {
        let copies = candidate.claims.copies();
        copies.map(move |(_, kept, claim)| (claim.object, (at, kept)))
    });
    let (gone, places): (Vec<ObjectId>, Vec<(usize, ObjectId)>) = copies.unzip();
    let at: FxHashMap<ObjectId, (usize, ObjectId)> = gone.iter().copied().zip(places).collect();
    for (behind, copy) in backing.freed_with(heap, &gone) {
        let (place, kept) = at[&copy];
        let candidate = &mut candidates[place];
        // One of them stays behind the copy that stays.
        match backing.behind(heap, kept) {
            Some(kept) => _ = candidate.claim_copy(heap, kept, behind),
            None => candidate.claim(behind, heap.bytes(behind)),
        }
        candidate.bytes_now += heap.bytes(behind);
    }
}

fn describe(
    heap: &Heap,
    strings: u64,
    values: &Values,
    mut repeated: Vec<Repeated>,
    candidate: &mut Candidate,
) {
    candidate.title = format!(
        "{} hold {}{}",
        Count(strings).of("string", "strings"),
        if values.estimated > 0 { "about " } else { "" },
        Count(values.all).of("value", "values")
    );
    candidate.fix = match values.repeating {
        _ if values.estimated > 0 => "keep one copy of each value (intern them)".to_owned(),
        1 => "keep one copy of the value that repeats (intern it)".to_owned(),
        many => format!("keep one copy of each of {} values (intern them)", Count(many)),
    };
    let key = |value: &Repeated| {
        (
            std::cmp::Reverse(value.bytes * value.copies),
            value.text,
            value.bytes,
        )
    };
    // Slices that a recorder compared have no characters in the dump.
    repeated.retain(|value| {
        let has_characters = !heap.texts.raw(value.text).is_empty();
        has_characters || value.bytes <= heap.layout.string(0, Width::One)
    });
    if repeated.len() > EXAMPLES {
        repeated.select_nth_unstable_by_key(EXAMPLES, key);
        repeated.truncate(EXAMPLES);
    }
    repeated.sort_unstable_by_key(key);
    let examples: Vec<_> = repeated
        .iter()
        .map(|value| {
            json!({"value": heap.texts.shown(value.text, 60), "copies": value.copies, "bytes_each": value.bytes})
        })
        .collect();
    candidate.show("strings", strings);
    candidate.show("values", values.all);
    if values.estimated > 0 {
        candidate.show("strings_not_compared", values.estimated);
    }
    candidate.show_kept_table(heap, values.all);
    candidate.show("examples", examples);
}
