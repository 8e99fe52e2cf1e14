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
//! reported when its used words would take less than half of its bytes in a sparse form, or when these stand at its front and it
//! could be cut there to less than half. Buffers from 256 bytes on
//! are reported, too, when nothing stands in 16 or more of one place that take 4 KiB. Smaller ones are, where nothing
//! stands in any buffer of a place, there are 256 or more, and they are known to be buffers: a raw block of zeros may be
//! a lock. A buffer with views on only some of its bytes is a pool, which is R01's to judge; places where blocks are
//! filled at their front and never further are C03's, with the empty blocks among them, and records with rare fields are
//! C06's.
//!
//! ## How the saving is computed
//! The bytes of the buffer, less 16 bytes for each used word: its index and its value; or less what stands at its front
//! when that is all. A buffer in which nothing stands goes as a whole, with the objects that show its bytes. A program
//! that can do without the buffers, since it works out otherwise what they are for, saves all of their bytes: the
//! evidence has that as `dropped`, and a proof takes the way that was gone. Memory outside the runtime's heap is
//! external as the runtime counts it; what its objects take on the heap is a finding of its own. The resident memory of
//! the process falls by less where pages were never touched: of raw blocks the evidence says both, what is held
//! (`bytes`), and what is resident (`resident_bytes`) or not (`untouched_bytes`).
//!
//! ## How to fix it
//! Keep the values that came, in the order of their index, and grow as they come.
//!
//! The price is that of 16 bytes for each pair, side by side. A table of indices and values takes two to four times that, in
//! most runtimes, and more where each value is an object.
//!
//! - JavaScript: a sorted pair of typed arrays (indices, counts); a `Map` from index to count takes two to three times that.
//! - Java: a packed histogram, or a sorted `int[]` with a parallel `long[]`.
//! - Python: one `array` or `numpy` array of pairs, or one of indices and one of values; a `dict` takes three to six times that.
//! - Ruby: a packed string, `pairs.flatten.pack("q*").freeze`: a string that is not frozen keeps the room it grew into. A `Hash`
//!   takes two to three times that.
//! - C++, Rust: a sorted vector of pairs, or a paged table that allocates a page when something is written to it.
//!
//! ## When not to
//! When the buffer is about to be filled, or is a scratch area that is used over and over.

mod finding;
mod front;
mod place;
#[cfg(test)]
mod tests;

use deadweight_heap::{Buffer, Flags, Heap, HolderId, Holders, Kind, NONE, ObjectId};
use deadweight_infer::{Backings, holder_of, sparse_records, unused_room};
use rustc_hash::FxHashMap;

use finding::{candidate, objects_of};
use place::{MANY, Place, Sparse, beside};

use crate::{Basis, Code, Rule, Verdict, unknown_contents};

/// Smaller buffers are not worth another form…
const SMALLEST: u64 = 1024;
/// … unless they are empty and at least this large. Smaller ones count by how many a place has.
const SMALLEST_EMPTY: u64 = 256;

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
        // Whose place a buffer is costs more than to see that there are none such.
        let smallest = heap
            .buffers
            .iter()
            .filter(|buffer| is_small_and_empty(heap, buffer));
        let asks_small = smallest.take(MANY as usize).count() as u64 == MANY;
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
            // A buffer cut into smaller views is a pool, full or being filled. Where all of it is zero, what is zero is its
            // length: the row may have a header besides.
            let empty = on_one.iter().find(|buffer| buffer.words_used == 0);
            let own = on_one.iter().find(|buffer| buffer.is_backing && buffer.bytes > 0);
            let length = empty.map_or(now, |buffer| buffer.zeros.min(now));
            let length = own.map_or(length, |own| length.min(own.bytes));
            let is_pool = on_one
                .iter()
                .any(|buffer| !buffer.is_backing && buffer.bytes < length);
            let is_empty = empty.is_some();
            let external = heap.objects.has(row, Flags::EXTERNAL);
            let at = || (holder_of(on_one, &holders), external);
            if is_pool || (now < SMALLEST && !is_empty) {
                if asks_small {
                    places.entry(at()).or_default().is_in_use = true;
                }
                continue;
            }
            let is_small_and_empty = || on_one.iter().any(|buffer| is_small_and_empty(heap, buffer));
            if now < SMALLEST_EMPTY && !(asks_small && is_small_and_empty()) {
                continue;
            }
            let known = on_one
                .iter()
                .find(|buffer| buffer.zeros != u64::MAX && buffer.words_used != u64::MAX);
            let Some(contents) = known else {
                if asks_small {
                    places.entry(at()).or_default().is_in_use = true;
                }
                unknown = (unknown.0 + 1, unknown.1 + now);
                continue;
            };
            let place = places.entry(at()).or_default();
            let sparse = contents.words_used.min(now).saturating_mul(SPARSE_WORD);
            // Where no value came there need be no buffer.
            let after = if sparse == 0 {
                0
            } else {
                heap.allocator.charged(sparse)
            };
            let cut = room.others.get(&row).copied();
            let cut = cut.or_else(|| front::cut(heap, contents, now).filter(|&cut| cut < after));
            if cut.map_or(after, |cut| cut.min(after)) < now / 2 {
                place.cut += if cut.is_some() { now } else { 0 };
                let sort = match now {
                    ..SMALLEST_EMPTY => &mut place.tiny,
                    SMALLEST_EMPTY..SMALLEST => &mut place.small,
                    SMALLEST.. => &mut place.sparse,
                };
                let beside = if after == 0 {
                    beside(heap, on_one.iter().map(|buffer| buffer.object), row)
                } else {
                    Vec::new()
                };
                sort.push(Sparse {
                    row,
                    beside,
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
            if place.sparse.is_empty() {
                continue;
            }
            let objects = external.then(|| objects_of(heap, holders.name(holder), &place));
            verdict
                .candidates
                .push(candidate(heap, holders.name(holder), external, place));
            verdict.candidates.extend(objects.flatten());
        }
        if unknown.0 > 0 {
            let unseen = unknown_contents(heap, unknown.0, unknown.1);
            verdict.not_measured.push(unseen);
        }
        verdict
    }
}

/// Whether it is known that a buffer has nothing but a few zeros. An array without an element is C01's; a block whose inside
/// is not known may be something else, such as a lock that nobody holds.
fn is_small_and_empty(heap: &Heap, buffer: &Buffer) -> bool {
    buffer.words_used == 0
        && (1..SMALLEST_EMPTY).contains(&buffer.bytes)
        && heap.kind(buffer.object) == Kind::Buffer
}

/// The row that is charged for the bytes.
fn row_of(buffer: &Buffer) -> ObjectId {
    if buffer.backing == NONE {
        buffer.object
    } else {
        buffer.backing
    }
}
