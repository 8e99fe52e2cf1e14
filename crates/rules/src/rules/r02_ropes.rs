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
//! refer to, too, stay whatever is done; what only texts of this holder share goes with the last of them, and so does a
//! text that was cut into pieces when nothing but those refers to it. A holder counts from 1 KiB.
//!
//! A joint whose second piece is empty was flattened already. Runtimes drop most of such joints while they are young;
//! an old one stays, and counts where those of a holder save 64 KiB.
//!
//! ## How the saving is computed
//! The bytes of the joints and pieces that only these trees hold, less one flat string of all characters for each. The
//! number of characters follows from the text, or where the dump cuts it off from the bytes of the piece. Pieces that
//! are slices may hide their length; then it is the one that the recorder noted of the whole text. From 30 such texts
//! at a holder on, their slices stand for those of the texts there that nobody noted.
//!
//! ## How to fix it
//! Collect the pieces in an array and join them once, or flatten the text before it is kept.
//!
//! - JavaScript: `parts.join("")`; to flatten what is there, keep `Buffer.from(s).toString()`. Use as a key flattens,
//!   too, but an old text keeps the joint it had.
//! - Other runtimes with ropes: the operation that asks for contiguous characters.
//!
//! ## When not to
//! When the text still grows, or will be dropped soon.

use deadweight_heap::{Heap, HolderId, Holders, ObjectId, StringForm};
use deadweight_weighing::NotMeasured;
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use serde_json::json;

use crate::count::Count;
use crate::rope_lengths::{Length, RopeLengths, SlicesIn, is_empty_text};
use crate::rope_pieces::{RopePieces, strings_in};
use crate::{Basis, Candidate, Code, Rule, Verdict};

/// Less at one holder is no finding.
const LEAST: u64 = 1024;

/// Less of joints that were flattened at one holder is no finding: collections leave a few by chance.
const LEAST_FLATTENED: u64 = 64 << 10;

/// One in so many held bytes of which it is not known is worth saying.
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

    fn basis(&self) -> Basis {
        Basis::Data
    }

    fn look(&self, heap: &Heap) -> Verdict {
        let is_rope = |id: ObjectId| heap.string_form(id) == Some(StringForm::Rope);
        let rows = heap.rows().into_par_iter().with_min_len(65_536);
        let ropes: Vec<ObjectId> = rows.filter(|&id| is_rope(id)).collect();
        if are_too_few(heap, &ropes) {
            return Verdict::default();
        }
        let pieces = RopePieces::new(heap, &ropes);
        let roots = ropes.into_iter().filter(|&rope| pieces.is_root(rope));
        let holders = Holders::new(heap);
        let (mut places, unseen) = measured(heap, &holders, roots);
        let all = || {
            places
                .values()
                .flat_map(|place| &place.ropes)
                .map(|rope| rope.root)
        };
        let shares = pieces.shares(&pieces.freed(all()));
        for place in places.values_mut() {
            for rope in &mut place.ropes {
                let share = shares.of(rope.root);
                rope.now = share.bytes.round() as u64;
                rope.pieces = share.pieces.into();
            }
            place.keep_worth();
        }
        let mut verdict = Verdict::default();
        for (holder, place) in places {
            let rows = pieces.freed(place.ropes.iter().map(|rope| rope.root));
            let now: u64 = rows.iter().map(|&row| heap.bytes(row)).sum();
            let flat: u64 = place.ropes.iter().map(|rope| rope.flat).sum();
            if now >= flat + LEAST {
                verdict
                    .candidates
                    .push(candidate(heap, holders.name(holder), place, &rows));
            }
        }
        verdict.not_measured.extend(not_measured(heap, &pieces, &unseen));
        verdict
    }
}

/// Whether nothing can come of some ropes, whoever holds them: who that is takes a look at all references.
fn are_too_few(heap: &Heap, ropes: &[ObjectId]) -> bool {
    let in_program = |id: ObjectId| if heap.in_program(id) { heap.bytes(id) } else { 0 };
    let of_piece = |piece: ObjectId| {
        let behind: u64 = strings_in(heap, piece).map(in_program).sum();
        in_program(piece) + behind
    };
    let bytes: u64 = ropes
        .iter()
        .map(|&rope| in_program(rope) + strings_in(heap, rope).map(of_piece).sum::<u64>())
        .sum();
    bytes < LEAST && bytes <= heap.held_bytes() / UNSEEN_SHARE
}

#[derive(Default)]
struct Place {
    ropes: Vec<Rope>,
    unaffected: u64,
    /// What was learnt of slices whose length nobody noted.
    slices: SlicesIn,
}

struct Rope {
    root: ObjectId,
    /// What it holds, with its part of what ropes share.
    now: u64,
    flat: u64,
    pieces: u64,
    units: u64,
    /// Where the characters come from.
    source: Source,
    flattened: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Source {
    Known,
    /// Of some piece only the bytes are known.
    Bytes,
    /// Slices are taken to be as long as in other ropes here.
    Others,
}

impl Rope {
    /// One of so many characters; what it holds is added later.
    fn of(heap: &Heap, root: ObjectId, units: u64, flat: u64, source: Source) -> Self {
        let second = strings_in(heap, root).nth(1);
        Self {
            root,
            now: 0,
            flat,
            pieces: 0,
            units,
            source,
            flattened: second.is_some_and(|second| is_empty_text(heap, second)),
        }
    }
}

impl Place {
    /// Leaves those that would be smaller as one string.
    fn keep_worth(&mut self) {
        let flattened = self.ropes.iter().filter(|rope| rope.flattened);
        let of_flattened: u64 = flattened.map(|rope| rope.now.saturating_sub(rope.flat)).sum();
        let before = self.ropes.len();
        self.ropes
            .retain(|rope| rope.now > rope.flat && (!rope.flattened || of_flattened >= LEAST_FLATTENED));
        self.unaffected += (before - self.ropes.len()) as u64;
    }
}

/// The texts at each holder with their lengths, and those whose length is not known.
fn measured<'h>(
    heap: &'h Heap,
    holders: &Holders<'h>,
    roots: impl Iterator<Item = ObjectId>,
) -> (FxHashMap<HolderId, Place>, Vec<ObjectId>) {
    let mut lengths = RopeLengths::new(heap);
    let mut places: FxHashMap<HolderId, Place> = FxHashMap::default();
    let mut pending: Vec<(HolderId, ObjectId, Length)> = Vec::new();
    let mut unseen = Vec::new();
    for root in roots {
        let holder = holders.of(root);
        let place = places.entry(holder).or_default();
        let by_pieces = lengths.of(root);
        let mut add = |units, flat, source| place.ropes.push(Rope::of(heap, root, units, flat, source));
        match (by_pieces, heap.length(root)) {
            (Some(length), _) if length.unknown == 0 => {
                let flat = heap.layout.string(length.units, length.width);
                let source = if length.guessed {
                    Source::Bytes
                } else {
                    Source::Known
                };
                add(length.units, flat, source);
            }
            (by_pieces, Some(noted)) => {
                let units = u64::from(noted.units);
                let flat = heap.layout.string(units, noted.width);
                add(units, flat, Source::Known);
                if let Some(length) = by_pieces {
                    place.slices.note(heap, length, units, flat);
                }
            }
            (Some(length), None) => pending.push((holder, root, length)),
            (None, None) => unseen.push(root),
        }
    }
    for (holder, root, length) in pending {
        let place = places.entry(holder).or_default();
        let Some((units, flat)) = place.slices.estimate(heap, length) else {
            unseen.push(root);
            continue;
        };
        place
            .ropes
            .push(Rope::of(heap, root, units, flat, Source::Others));
    }
    (places, unseen)
}

fn not_measured(heap: &Heap, pieces: &RopePieces<'_>, unseen: &[ObjectId]) -> Option<NotMeasured> {
    let rows = pieces.freed(unseen.iter().copied());
    let bytes: u64 = rows.iter().map(|&row| heap.bytes(row)).sum();
    (bytes > 0 && bytes > heap.held_bytes() / UNSEEN_SHARE).then(|| NotMeasured::new(format!(
            "{} ({} bytes) have pieces of unknown length",
            Count(unseen.len() as u64).of("joined string", "joined strings"),
            Count(bytes)
        ), "capture with a recorder that notes the lengths of strings, or check in the program how long these texts are: one flat string of \
              all characters may take much less"))
}

fn candidate(heap: &Heap, holder: String, mut place: Place, rows: &[ObjectId]) -> Candidate {
    let mut candidate = Candidate::at(holder);
    let from = |source: Source| place.ropes.iter().filter(|rope| rope.source == source).count() as u64;
    let (of_others, by_bytes) = (from(Source::Others), from(Source::Bytes));
    if of_others > 0 {
        candidate = candidate.assuming(format!(
            "the slices in {} are as long as those in the {} whose length was noted",
            Count(of_others).of("text", "texts"),
            Count(place.slices.ropes)
        ));
    } else if by_bytes > 0 {
        candidate =
            candidate.assuming("pieces the dump cuts off have as many characters as their bytes allow");
    }
    for &row in rows {
        let bytes = heap.bytes(row);
        if bytes > 0 {
            candidate.claim(row, bytes);
        }
    }
    for rope in &place.ropes {
        candidate.add_to(rope.root, rope.flat);
    }
    let sum = |of: fn(&Rope) -> u64| place.ropes.iter().map(of).sum::<u64>();
    candidate.count = place.ropes.len() as u64;
    candidate.unaffected = place.unaffected;
    candidate.bytes_now = rows.iter().map(|&row| heap.bytes(row)).sum();
    candidate.title = format!(
        "{} kept in {}",
        Count(place.ropes.len() as u64).of("text", "texts"),
        Count(sum(|rope| rope.pieces)).of("piece", "pieces")
    );
    candidate.fix = "join the pieces once, or flatten the text before it is kept".into();
    candidate.show("ropes", place.ropes.len());
    candidate.show("pieces", sum(|rope| rope.pieces));
    candidate.show("characters", sum(|rope| rope.units));
    let flattened = place.ropes.iter().filter(|rope| rope.flattened).count();
    if flattened > 0 {
        candidate.show("flattened", flattened);
    }
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
mod tests;
