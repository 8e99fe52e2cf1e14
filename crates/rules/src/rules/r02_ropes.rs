//! # R02 · ropes never flattened
//!
//! ## What it is
//! Texts that were built piece by piece and are still kept as trees of their pieces.
//!
//! ## Why it costs
//! Some runtimes join two strings by a small object that refers to both. A text of a thousand pieces is then a thousand
//! joints and a thousand strings, each with a header, where one string would do.
//!
//! ## How it is found
//! Trees of joined strings, from the joint that something other than a joint refers to. Pieces and joints that others
//! refer to, too, stay whatever is done. A joint whose second piece is empty was flattened already. A holder counts
//! from 1 KiB.
//!
//! ## How the saving is computed
//! The bytes of the joints and pieces that only this tree holds, less one flat string of all characters. The number of
//! characters follows from the text, or where the dump cuts it off from the bytes of the piece.
//!
//! ## How to fix it
//! Collect the pieces in an array and join them once, or flatten the text before it is kept.
//!
//! - JavaScript: `parts.join("")`; to flatten what is there, use it as a key once, or `Buffer.from(s).toString()`.
//! - Other runtimes with ropes: the operation that asks for contiguous characters.
//!
//! ## When not to
//! When the text still grows, or will be dropped soon.

use deadweight_heap::{EdgeKind, Flags, Heap, HolderId, Holders, ObjectId, Soles, StringForm, Width};
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use serde_json::json;

use crate::count::Count;
use crate::{Candidate, Code, NotMeasured, Rule, Verdict};

/// Less at one holder is no finding.
const LEAST: u64 = 1024;

/// Longer texts are none that a program could flatten: a rope may hold itself doubled many times over.
const LONGEST: u64 = 1 << 40;

/// One in so many held bytes that cannot be told is worth saying.
const UNSEEN_SHARE: u64 = 100;

/// The rule.
pub struct Ropes;

impl Rule for Ropes {
    fn code(&self) -> Code {
        Code("R02")
    }

    fn source(&self) -> &'static str {
        include_str!("r02_ropes.rs")
    }

    fn look(&self, heap: &Heap) -> Verdict {
        let is_rope = |id: ObjectId| heap.string_form(id) == Some(StringForm::Rope);
        let rows = heap.rows().into_par_iter().with_min_len(65_536);
        let ropes: Vec<ObjectId> = rows.filter(|&id| is_rope(id)).collect();
        if are_too_few(heap, &ropes) {
            return Verdict::default();
        }
        let pieces = ropes.iter().filter_map(|&rope| joined(heap, rope)).flatten();
        let soles = Soles::among(heap, ropes.iter().copied().chain(pieces));
        let is_root = |id: &ObjectId| heap.in_program(*id) && !soles.of(*id).is_some_and(is_rope);
        let mut holders = Holders::new(heap);
        let mut measures = Measures::new(heap);
        let mut places: FxHashMap<HolderId, Place> = FxHashMap::default();
        let mut unseen = (0_u64, 0_u64);
        for root in ropes.iter().copied().filter(is_root) {
            let place = places.entry(holders.of(root)).or_default();
            if flattened(heap, root) {
                place.good += 1;
                continue;
            }
            let length = measures.of(root);
            let tree = tree(heap, &soles, root);
            let now: u64 = tree.rows.iter().map(|&id| heap.bytes(id)).sum();
            let Some(length) = length else {
                unseen = (unseen.0 + 1, unseen.1 + now);
                continue;
            };
            let flat = heap.layout.string(length.units, length.width);
            if flat >= now {
                place.good += 1;
                continue;
            }
            place.guessed |= length.guessed;
            place.ropes.push(Rope {
                root,
                now,
                flat,
                pieces: tree.pieces,
                units: length.units,
            });
            place.rows.extend(tree.rows);
        }
        let mut verdict = Verdict::default();
        for (holder, place) in places {
            let saves: u64 = place.ropes.iter().map(|rope| rope.now - rope.flat).sum();
            if saves >= LEAST {
                verdict
                    .candidates
                    .push(candidate(heap, holders.name(holder), place));
            }
        }
        if unseen.1 > 0 && unseen.1 > heap.held_bytes() / UNSEEN_SHARE {
            verdict.not_measured.push(NotMeasured {
                why: format!(
                    "{} ({} bytes) have pieces of unknown length",
                    Count(unseen.0).of("joined string", "joined strings"),
                    Count(unseen.1)
                ),
                how: heap.runtime.recapture.clone(),
            });
        }
        verdict
    }
}

/// Whether nothing can come of some ropes, whoever holds them: who that is takes a look at all references.
fn are_too_few(heap: &Heap, ropes: &[ObjectId]) -> bool {
    let pieces = ropes.iter().filter_map(|&rope| joined(heap, rope)).flatten();
    let of_program = ropes
        .iter()
        .copied()
        .chain(pieces)
        .filter(|&id| heap.in_program(id));
    let bytes: u64 = of_program.map(|id| heap.bytes(id)).sum();
    bytes < LEAST && bytes <= heap.held_bytes() / UNSEEN_SHARE
}

#[derive(Default)]
struct Place {
    ropes: Vec<Rope>,
    /// Every row that the ropes here hold alone.
    rows: Vec<ObjectId>,
    good: u64,
    guessed: bool,
}

struct Rope {
    root: ObjectId,
    now: u64,
    flat: u64,
    pieces: u64,
    units: u64,
}

/// The two strings that a rope joins.
fn joined(heap: &Heap, rope: ObjectId) -> Option<[ObjectId; 2]> {
    let mut strings = heap
        .edges
        .of(rope)
        .filter(|edge| edge.via.kind() == EdgeKind::Internal && heap.string_form(edge.to).is_some())
        .map(|edge| edge.to);
    Some([strings.next()?, strings.next()?])
}

fn flattened(heap: &Heap, rope: ObjectId) -> bool {
    joined(heap, rope).is_some_and(|[_, second]| is_empty_text(heap, second))
}

fn is_empty_text(heap: &Heap, id: ObjectId) -> bool {
    heap.string_form(id) == Some(StringForm::Flat)
        && heap.texts.raw(heap.objects.label[id as usize]).is_empty()
        && !heap.objects.has(id, Flags::INCOMPLETE)
        && heap.bytes(id) <= heap.layout.string(0, Width::One)
}

/// What a rope holds alone.
struct Tree {
    rows: Vec<ObjectId>,
    pieces: u64,
}

/// Each row has one sole referrer, so trees of different roots never meet and a walk ends.
fn tree(heap: &Heap, soles: &Soles, root: ObjectId) -> Tree {
    let mut rows = vec![root];
    let mut pieces = 0;
    let mut next = 0;
    while let Some(&rope) = rows.get(next) {
        next += 1;
        if heap.string_form(rope) != Some(StringForm::Rope) {
            continue;
        }
        let Some([first, second]) = joined(heap, rope) else {
            continue;
        };
        for (i, piece) in [first, second].into_iter().enumerate() {
            pieces += u64::from(heap.string_form(piece) != Some(StringForm::Rope));
            let alone = soles.of(piece) == Some(rope)
                && heap.in_program(piece)
                && !heap.objects.has(piece, Flags::EXTERNAL);
            let twice = i == 1 && first == second;
            if alone && piece != root && !twice {
                rows.push(piece);
            }
        }
    }
    Tree { rows, pieces }
}

/// Characters of a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Length {
    units: u64,
    width: Width,
    /// Taken from bytes, not from text.
    guessed: bool,
}

/// Lengths of strings, each measured once however many ropes share it.
struct Measures<'h> {
    heap: &'h Heap,
    /// `None` while a rope is open, and for what is unknown.
    known: FxHashMap<ObjectId, Option<Length>>,
}

impl<'h> Measures<'h> {
    fn new(heap: &'h Heap) -> Self {
        Self {
            heap,
            known: FxHashMap::default(),
        }
    }

    fn of(&mut self, root: ObjectId) -> Option<Length> {
        let mut open = vec![(root, false)];
        while let Some((id, entered)) = open.pop() {
            if entered {
                let pieces = joined(self.heap, id).map(|pieces| pieces.map(|piece| self.length(piece)));
                if let Some([Some(first), Some(second)]) = pieces
                    && first.units + second.units <= LONGEST
                {
                    let length = Length {
                        units: first.units + second.units,
                        width: if first.width == Width::Two {
                            Width::Two
                        } else {
                            second.width
                        },
                        guessed: first.guessed || second.guessed,
                    };
                    self.known.insert(id, Some(length));
                }
                continue;
            }
            if self.known.contains_key(&id) {
                continue;
            }
            if self.heap.string_form(id) != Some(StringForm::Rope) {
                self.known.insert(id, piece_length(self.heap, id));
                continue;
            }
            // Unknown until it is closed, so that a rope within itself ends here.
            self.known.insert(id, None);
            open.push((id, true));
            for piece in joined(self.heap, id).into_iter().flatten() {
                open.push((piece, false));
            }
        }
        self.length(root)
    }

    fn length(&self, id: ObjectId) -> Option<Length> {
        self.known.get(&id).copied().flatten()
    }
}

fn piece_length(heap: &Heap, id: ObjectId) -> Option<Length> {
    let text = heap.texts.get(heap.objects.label[id as usize]);
    let cut = heap.objects.has(id, Flags::INCOMPLETE);
    let is_slice = heap.string_form(id) == Some(StringForm::Slice);
    if is_slice && (cut || text.is_empty()) {
        return None;
    }
    let width = if text.chars().any(|c| c > '\u{FF}') {
        Width::Two
    } else {
        Width::One
    };
    let shown: u64 = text.chars().map(|c| c.len_utf16() as u64).sum();
    let unseen = cut || (text.is_empty() && !is_empty_text(heap, id));
    let units = if unseen {
        shown.max(units_in(heap, heap.bytes(id), width))
    } else {
        shown
    };
    Some(Length {
        units: units.min(LONGEST),
        width,
        guessed: unseen,
    })
}

/// The longest string that takes no more than `bytes`.
fn units_in(heap: &Heap, bytes: u64, width: Width) -> u64 {
    let (mut fits, mut too_long) = (0, bytes.saturating_add(1));
    while too_long - fits > 1 {
        let middle = fits + (too_long - fits) / 2;
        if heap.layout.string(middle, width) <= bytes {
            fits = middle;
        } else {
            too_long = middle;
        }
    }
    fits
}

fn candidate(heap: &Heap, holder: String, mut place: Place) -> Candidate {
    let mut candidate = Candidate::at(holder);
    if place.guessed {
        candidate =
            candidate.assuming("pieces the dump cuts off have as many characters as their bytes allow");
    }
    for &row in &place.rows {
        let bytes = heap.bytes(row);
        if bytes > 0 {
            candidate.claim(row, bytes);
        }
    }
    for rope in &place.ropes {
        candidate.give(rope.root, rope.flat);
    }
    let sum = |of: fn(&Rope) -> u64| place.ropes.iter().map(of).sum::<u64>();
    candidate.count = place.ropes.len() as u64;
    candidate.good = place.good;
    candidate.bytes_now = sum(|rope| rope.now);
    candidate.title = format!(
        "{} kept in {}",
        Count(place.ropes.len() as u64).of("text", "texts"),
        Count(sum(|rope| rope.pieces)).of("piece", "pieces")
    );
    candidate.fix = "join the pieces once, or flatten the text before it is kept".into();
    candidate.show("ropes", place.ropes.len());
    candidate.show("pieces", sum(|rope| rope.pieces));
    candidate.show("characters", sum(|rope| rope.units));
    place
        .ropes
        .sort_unstable_by_key(|rope| (std::cmp::Reverse(rope.now - rope.flat), rope.root));
    let examples: Vec<_> = place
        .ropes
        .iter()
        .take(3)
        .map(|rope| {
            json!({"characters": rope.units, "pieces": rope.pieces, "bytes": rope.now, "bytes_flat": rope.flat})
        })
        .collect();
    candidate.show("examples", examples);
    candidate
}

#[cfg(test)]
mod tests {
    use deadweight_heap::HeapBuilder;

    use super::*;

    fn keep(heap: &mut HeapBuilder, value: ObjectId) {
        let page = heap.record("Page", &[("html", value)]);
        heap.variable("pages", page);
    }

    /// A rope of `pieces` strings of one character, each its own.
    fn rope(heap: &mut HeapBuilder, pieces: u32) -> ObjectId {
        let mut rope = heap.string("x");
        for _ in 1..pieces {
            let piece = heap.string("y");
            rope = heap.rope(rope, piece);
        }
        rope
    }

    #[test]
    fn a_rope_costs_its_joints_and_own_pieces_against_one_string() {
        let mut heap = HeapBuilder::new();
        let html = rope(&mut heap, 100);
        keep(&mut heap, html);
        let found = Ropes.look(&heap.build()).candidates;
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].holder, "Page.html");
        assert_eq!(found[0].net(), 99 * 32 + 100 * 24 - 120);
        assert_eq!(found[0].evidence["pieces"], 100);
        assert_eq!(found[0].assumes, None);
    }

    #[test]
    fn shared_pieces_stay_and_still_count_as_characters() {
        let mut heap = HeapBuilder::new();
        let shared = heap.string(&"s".repeat(100));
        let mut html = shared;
        for _ in 0..50 {
            html = heap.rope(html, shared);
        }
        keep(&mut heap, html);
        heap.variable("shared", shared);
        // 50 joints are 1,600 bytes; 5,100 characters would take more.
        assert!(Ropes.look(&heap.build()).candidates.is_empty());
    }

    #[test]
    fn flattened_ropes_are_healthy() {
        let mut heap = HeapBuilder::new();
        for _ in 0..100 {
            let empty = heap.string("");
            let flat = heap.string("some text");
            let html = heap.rope(flat, empty);
            keep(&mut heap, html);
        }
        assert!(Ropes.look(&heap.build()).candidates.is_empty());
    }

    #[test]
    fn cut_texts_are_measured_by_their_bytes() {
        let mut heap = HeapBuilder::new();
        let mut html = heap.string("start");
        for _ in 0..100 {
            let piece = heap.string("cut");
            heap.resize(piece, 216).flag(piece, Flags::INCOMPLETE);
            html = heap.rope(html, piece);
        }
        keep(&mut heap, html);
        let found = Ropes.look(&heap.build()).candidates;
        assert_eq!(found[0].evidence["characters"], 5 + 100 * 200);
        assert!(found[0].assumes.is_some());
    }

    #[test]
    fn deep_ropes_doubling_ropes_and_cycles_end() {
        let mut heap = HeapBuilder::new();
        let deep = rope(&mut heap, 200_000);
        keep(&mut heap, deep);
        let mut doubled = heap.string("z");
        for _ in 0..100 {
            doubled = heap.rope(doubled, doubled);
        }
        keep(&mut heap, doubled);
        let text = heap.string("text");
        // The rope after this one refers back to it.
        let knot = heap.rope(text + 2, text);
        heap.rope(knot, text);
        keep(&mut heap, knot);
        let broken = heap.rope(ObjectId::MAX - 5, text);
        keep(&mut heap, broken);
        let found = Ropes.look(&heap.build()).candidates;
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].count, 1);
    }

    #[test]
    fn slices_of_unknown_length_hide_the_length_of_the_rope() {
        let mut heap = HeapBuilder::new();
        let large = heap.string(&"x".repeat(100));
        let mut html = heap.string("start");
        for _ in 0..100 {
            let slice = heap.slice(large, "");
            html = heap.rope(html, slice);
        }
        keep(&mut heap, html);
        let verdict = Ropes.look(&heap.build());
        assert!(verdict.candidates.is_empty());
        assert_eq!(verdict.not_measured.len(), 1);
    }
}
