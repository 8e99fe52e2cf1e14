//! # E01 · buffers of zeros
//!
//! ## What it is
//! Buffers sized for values that never came: nearly all of their bytes are zero.
//!
//! ## Why it costs
//! A histogram with room for every possible value, a bitmap over a sparse range or a grid that is mostly empty is paid
//! for in full. Zeros that were written once are resident like any other bytes; only pages that nobody ever touched
//! are not.
//!
//! ## How it is found
//! The contents of each buffer of at least 1 KiB are searched for eight-byte words that are not zero. A buffer is
//! reported when its used words would take less than half of its bytes in a sparse form. Buffers from 256 bytes on
//! are reported, too, when nothing stands in 16 or more of one place that take 4 KiB. A buffer with views on only
//! some of its bytes is a pool, which is R01's to judge; places where blocks are filled at their front and never
//! further are C03's, with the empty blocks among them, and records with rare fields are C06's.
//!
//! ## How the saving is computed
//! The bytes of the buffer, less 16 bytes for each used word: its index and its value; or less what stands at its front
//! when that is all. A buffer in which nothing stands goes as a whole. A program that can do without the buffers, since it works out otherwise what they are for, saves all
//! of their bytes: the evidence has that as `dropped`, and a proof takes the way that was gone. Memory outside the runtime's heap is external as the runtime counts it. The resident memory of
//! the process falls by less where pages were never touched: of raw blocks the evidence says both, what is held
//! (`bytes`), and what is resident (`resident_bytes`) or not (`untouched_bytes`).
//!
//! ## How to fix it
//! Keep the values that came, in the order of their index, and grow as they come.
//!
//! - JavaScript: a sorted pair of typed arrays (indices, counts) or a `Map` from index to count.
//! - Java: a packed histogram, or a sorted `int[]` with a parallel `long[]`.
//! - Ruby, Python: a hash from index to value.
//! - C++, Rust: a sorted vector of pairs, or a paged table that allocates a page when something is written to it.
//!
//! ## When not to
//! When the buffer is about to be filled, or is a scratch area that is used over and over.

#[cfg(test)]
mod tests;

use deadweight_heap::{Buffer, Flags, Heap, HolderId, Holders, NONE, ObjectId};
use deadweight_infer::{Backings, OnOne, holder_of, sparse_records, unused_room};
use rustc_hash::FxHashMap;
use serde_json::json;

use crate::count::Count;
use crate::untouched::say_untouched;
use crate::{Basis, Candidate, Code, Rule, Verdict, unknown_contents};

/// Smaller buffers are not worth another form…
const SMALLEST: u64 = 1024;
/// … but need not be there when nothing stands in them, from so many bytes on…
const SMALLEST_EMPTY: u64 = 256;
/// … where so many of one place…
const SEVERAL: u64 = 16;
/// … are worth this.
const LEAST: u64 = 4096;

/// An index and a value.
const SPARSE_WORD: u64 = 16;

/// The rule.
pub struct Zeros;

impl Rule for Zeros {
    fn code(&self) -> Code {
        Code("E01")
    }

    fn source(&self) -> &'static str {
        include_str!("e01_zeros.rs")
    }

    fn basis(&self) -> Basis {
        Basis::Behaviour("what is zero stays zero")
    }

    fn look(&self, heap: &Heap) -> Verdict {
        let backings = Backings::new(heap);
        let holders = Holders::new(heap);
        let mut places: FxHashMap<(HolderId, bool), Place> = FxHashMap::default();
        let mut unknown = (0_u64, 0_u64);
        let room = unused_room(heap);
        let begun = room.places.iter().flat_map(|place| &place.blocks);
        let records = sparse_records(heap);
        let records = records.iter().flat_map(|records| records.rows.iter().copied());
        let of_others = heap.row_set(begun.map(|block| block.row).chain(records));
        for on_one in backings.iter() {
            let row = row_of(on_one[0]);
            if of_others.has(row) {
                continue;
            }
            let now = heap.bytes(row);
            // A buffer cut into smaller views is a pool, full or being filled.
            let is_pool = on_one
                .iter()
                .any(|buffer| !buffer.is_backing && buffer.bytes < now);
            let is_empty = own_bytes_are_zero(on_one);
            if now < if is_empty { SMALLEST_EMPTY } else { SMALLEST } || is_pool {
                continue;
            }
            let known = on_one
                .iter()
                .find(|buffer| buffer.zeros != u64::MAX && buffer.words_used != u64::MAX);
            let Some(contents) = known else {
                unknown = (unknown.0 + 1, unknown.1 + now);
                continue;
            };
            let external = heap.objects.has(row, Flags::EXTERNAL);
            let place = places.entry((holder_of(on_one, &holders), external)).or_default();
            let sparse = contents.words_used.min(now).saturating_mul(SPARSE_WORD);
            // Where no value came there need be no buffer.
            let after = if sparse == 0 {
                0
            } else {
                heap.allocator.charged(sparse)
            };
            if after < now / 2 {
                let cut = room.others.get(&row).copied();
                place.cut += if cut.is_some() { now } else { 0 };
                let sort = if now < SMALLEST {
                    &mut place.small
                } else {
                    &mut place.sparse
                };
                sort.push(Sparse {
                    row,
                    now,
                    after: cut.map_or(after, |cut| cut.min(after)),
                    bytes: contents.bytes.min(now),
                    zeros: contents.zeros.min(now),
                    words: contents.words_used,
                });
            } else {
                place.unaffected += 1;
            }
        }
        let mut verdict = Verdict::default();
        for ((holder, external), mut place) in places {
            place.settle();
            if !place.sparse.is_empty() {
                verdict
                    .candidates
                    .push(candidate(heap, holders.name(holder), external, place));
            }
        }
        if unknown.0 > 0 {
            let unseen = unknown_contents(heap, unknown.0, unknown.1);
            verdict.not_measured.push(unseen);
        }
        verdict
    }
}

/// Whether it is known that nothing stands in a buffer.
fn own_bytes_are_zero(on_one: OnOne<'_, '_>) -> bool {
    on_one.iter().any(|buffer| buffer.words_used == 0)
}

#[derive(Default)]
struct Place {
    sparse: Vec<Sparse>,
    /// Smaller ones in which nothing stands.
    small: Vec<Sparse>,
    unaffected: u64,
    /// Bytes of those that are filled at their front and need no indices.
    cut: u64,
}

impl Place {
    /// Small ones count where there are many.
    fn settle(&mut self) {
        let bytes: u64 = self.small.iter().map(|buffer| buffer.now).sum();
        if self.small.len() as u64 >= SEVERAL && bytes >= LEAST {
            self.sparse.append(&mut self.small);
        } else {
            self.unaffected += self.small.len() as u64;
        }
    }
}

struct Sparse {
    row: ObjectId,
    now: u64,
    after: u64,
    /// Bytes that were asked for, which are the ones that were looked at.
    bytes: u64,
    zeros: u64,
    words: u64,
}

/// The row that is charged for the bytes.
fn row_of(buffer: &Buffer) -> ObjectId {
    if buffer.backing == NONE {
        buffer.object
    } else {
        buffer.backing
    }
}

fn candidate(heap: &Heap, holder: String, external: bool, mut place: Place) -> Candidate {
    place
        .sparse
        .sort_unstable_by_key(|buffer| (std::cmp::Reverse(buffer.now), buffer.row));
    let sum = |of: fn(&Sparse) -> u64| place.sparse.iter().map(of).sum::<u64>();
    let (now, zeros, words) = (sum(|b| b.now), sum(|b| b.zeros), sum(|b| b.words));
    let bytes = sum(|b| b.bytes).max(1);
    let rounded = (zeros as f64 / bytes as f64 * 1000.0).round() / 10.0;
    // All of a buffer is only said to be zero where nothing stands in it.
    let share = if zeros < bytes { rounded.min(99.9) } else { rounded };
    let mut candidate = Candidate::at(holder).assuming(if place.cut * 2 > now {
        "what is zero now stays zero, and nobody relies on the zeros at their ends"
    } else {
        "what is zero now stays zero, and the buffer can be kept as pairs of an index and a value"
    });
    candidate.external = external;
    candidate = candidate.at_all_places();
    candidate.count = place.sparse.len() as u64;
    candidate.unaffected = place.unaffected;
    candidate.bytes_now = now;
    for buffer in &place.sparse {
        candidate.claim(buffer.row, buffer.now - buffer.after);
    }
    let memory = if external {
        " (external memory, not RSS)"
    } else {
        ""
    };
    candidate.title = format!(
        "{} {} {share} % zeros{memory}",
        Count(candidate.count).of("buffer", "buffers"),
        if candidate.count == 1 { "is" } else { "are" }
    );
    if !external {
        say_untouched(heap, &mut candidate, place.sparse.iter().map(|buffer| buffer.row));
    }
    candidate.fix = if words == 0 {
        "create the buffer when the first value comes".to_owned()
    } else if place.cut * 2 > now {
        "allocate each only as large as the part in use, and let it grow".to_owned()
    } else {
        match words {
            1 => "store only the non-zero word and its index".to_owned(),
            _ => format!(
                "store only the {}, each with its index",
                Count(words).of("non-zero word", "non-zero words")
            ),
        }
    };
    candidate.show("bytes", now);
    candidate.show("zero_percent", share);
    candidate.show("words_used", words);
    let (saves, saves_external) = if external { (0, now) } else { (now, 0) };
    candidate.show(
        "dropped",
        json!({"saves": saves, "saves_external": saves_external}),
    );
    if external {
        candidate.show(
            "memory",
            "external as the runtime counts it; pages never touched are not resident",
        );
    }
    let examples: Vec<_> = place
        .sparse
        .iter()
        .take(3)
        .map(|b| json!({"bytes": b.now, "zeros": b.zeros, "words_used": b.words, "bytes_after": b.after}))
        .collect();
    candidate.show("examples", examples);
    candidate
}
