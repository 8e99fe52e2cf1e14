//! # D02 · equal buffers
//!
//! ## What it is
//! The same bytes kept several times, each copy in a buffer of its own.
//!
//! ## Why it costs
//! A copy costs its bytes, and the object or objects through which the program reads them.
//!
//! ## How it is found
//! Buffers of equal length and equal hash of their contents, grouped by the holder that names them. One copy of each
//! value stays. Buffers of nothing but zeros belong to E01. A holder counts from 1 KiB of copies. Raw blocks with
//! references to eight or more places in them are pools, whose cells are others' objects, and those of which less than
//! a quarter is in use are equal because they are empty: E01 and C03 look at them.
//!
//! Raw blocks are strings when they are text of eight bytes or more from their first byte on, and nine in ten blocks of
//! their place of allocation are so: to their end, or with nothing but zeros behind it, or, where blocks of several
//! sizes are asked for, with what a longer text left. Shorter texts in blocks of at most eight bytes count neither way,
//! and are strings where at least a quarter of the place is longer ones; nor do blocks with references that have other
//! sizes than the texts: containers that grow on the line that makes their strings. Such strings are equal when their
//! texts are, whatever room they have and wherever they were allocated: of all copies in the program one stays, and a
//! place counts from 16 of the others on. Texts that are fields of larger blocks are not looked for: what their room
//! becomes is decided by the whole object.
//!
//! ## How the saving is computed
//! For each holder: the bytes of all copies but one of each value. Where the bytes stand outside the runtime's heap
//! that is external memory; the objects that vanish with them are a finding of their own, as the heap is weighed apart.
//! No more views of a copy count as vanishing than the copy that stays has. Of strings in raw blocks the blocks vanish;
//! what refers to them stays as it is. What a fix adds to find a copy or to count its references is not taken off.
//!
//! ## How to fix it
//! Look the contents up by hash when they come in, and keep the first copy.
//!
//! - JavaScript: a `Map` from the hash (or the hex text of a short buffer) to the buffer.
//! - Java: a `HashMap<ByteBuffer, ByteBuffer>` of read-only buffers.
//! - Ruby: frozen binary strings, which `-string` makes one.
//! - C++, Rust: a table from hash to a shared pointer; for strings, a set of `std::string` or `Arc<str>` that gives views
//!   and clones out.
//!
//! ## When not to
//! When somebody writes to a buffer, its copies must stay apart.

use deadweight_heap::{Buffer, Flags, Heap, HolderId, Holders, NONE, ObjectId, Presence, firsts};
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use serde_json::json;

use crate::backings::{Backings, OnOne, holder_of};
use crate::block_groups::{self, commonest, held_in};
use crate::block_texts::{BlockText, block_texts};
use crate::count::Count;
use crate::elsewhere::Rows;
use crate::pooled::cut_up;
use crate::{Candidate, Code, NotMeasured, Rule, Verdict};

/// Copies of fewer bytes at one holder are no finding.
const FEWEST_BYTES: u64 = 1024;

/// Fewer copies of strings at one place are no finding.
const FEWEST_TEXTS: usize = 16;

/// Of a raw block that is nearly empty less than one in so many bytes is in use.
const EMPTY_SHARE: u64 = 4;

/// Unknown contents are worth saying from so many bytes on, and one in so many of the bytes outside the heap.
const LEAST_UNSEEN: u64 = 64 << 10;
const UNSEEN_SHARE: u64 = 100;

/// The rule.
pub struct EqualBuffers;

impl Rule for EqualBuffers {
    fn code(&self) -> Code {
        Code("D02")
    }

    fn source(&self) -> &'static str {
        include_str!("d02_buffers.rs")
    }

    fn look(&self, heap: &Heap) -> Verdict {
        let texts = block_texts(heap);
        let is_text = Rows::none(heap);
        texts
            .iter()
            .flat_map(|(_, texts)| texts)
            .for_each(|text| is_text.add(text.row));
        // Each goes over its tables alone.
        let (of_texts, of_buffers) = rayon::join(|| of_texts(heap, &texts), || of_buffers(heap, &is_text));
        let mut verdict = Verdict::from(of_texts);
        if heap.blocks.any() && heap.coverage.contents == Presence::Absent {
            verdict.not_measured.push(NotMeasured {
                why: "the contents of blocks are not in the dump, so equal ones are not seen".into(),
                how: heap.runtime.recapture.clone(),
            });
        }
        verdict.candidates.extend(of_buffers.candidates);
        verdict.not_measured.extend(of_buffers.not_measured);
        verdict
    }
}

/// Equal contents of buffers that are no text, at each place.
fn of_buffers(heap: &Heap, is_text: &Rows) -> Verdict {
    let backings = Backings::new(heap);
    let mut holders = Holders::new(heap);
    let mut places: FxHashMap<HolderId, Place<'_, '_>> = FxHashMap::default();
    let mut unknown = (0_u64, 0_u64);
    for on_one in backings.iter() {
        let own = on_one[0];
        let is_left = own.zeros == own.bytes || is_text.has(own.object) || is_nearly_empty(heap, own);
        if !own.is_backing || own.bytes == 0 || is_left {
            continue;
        }
        if own.hash == 0 {
            unknown.0 += 1;
            unknown.1 += own.bytes;
            continue;
        }
        let place = places.entry(holder_of(on_one, &mut holders)).or_default();
        place.buffers += 1;
        let value = place.values.entry((own.bytes, own.hash)).or_insert(Value {
            copies: 0,
            views: on_one.len() - 1,
        });
        value.copies += 1;
        if value.copies > 1 {
            place.redundant.push((on_one, value.views));
        }
    }
    let mut verdict = Verdict::default();
    let copies = places.values().flat_map(|place| &place.redundant);
    let blocks = copies.filter(|(copy, _)| copy[0].backing == NONE);
    let cut_up = cut_up(heap, &blocks.map(|(copy, _)| copy[0].object).collect());
    for (holder, place) in places {
        // Equal cells of a pool are no copies: each is another object's.
        let pools = place
            .redundant
            .iter()
            .filter(|(copy, _)| cut_up.contains(&copy[0].object));
        if pools.count() * 2 > place.redundant.len() {
            continue;
        }
        let both = [candidate(heap, &place, true), candidate(heap, &place, false)];
        let frees: u64 = both
            .iter()
            .map(|candidate| candidate.net().max(0).cast_unsigned())
            .sum();
        if frees < FEWEST_BYTES {
            continue;
        }
        for mut candidate in both {
            if candidate.net() > 0 {
                candidate.holder = holders.name(holder);
                verdict.candidates.push(candidate);
            }
        }
    }
    if unknown.1 >= LEAST_UNSEEN.max(heap.external_bytes() / UNSEEN_SHARE) {
        let unseen = NotMeasured::contents(heap, unknown.0, unknown.1);
        verdict.not_measured.push(unseen);
    }
    verdict
}

/// Whether hardly anything stands in a raw block: tables and rings of one size are equal while they are empty.
fn is_nearly_empty(heap: &Heap, buffer: &Buffer) -> bool {
    let is_known = buffer.words_used != u64::MAX && heap.blocks.requested(buffer.object).is_some();
    is_known && buffer.words_used.saturating_mul(8 * EMPTY_SHARE) < buffer.bytes
}

struct Value {
    copies: u64,
    /// Views on the copy that stays.
    views: usize,
}

#[derive(Default)]
struct Place<'a, 'h> {
    values: FxHashMap<(u64, u64), Value>,
    buffers: u64,
    /// Copies that go, with the number of their views that can be replaced.
    redundant: Vec<(OnOne<'a, 'h>, usize)>,
}

fn candidate(heap: &Heap, place: &Place<'_, '_>, external: bool) -> Candidate {
    let mut candidate = Candidate::at("").assuming(
        "the copies are never written to and not compared by identity, and equal hashes mean equal bytes",
    );
    candidate.external = external;
    let mut rows = Vec::new();
    for &(copy, views) in &place.redundant {
        let backing = copy[0].backing;
        if backing != NONE && heap.objects.has(backing, Flags::EXTERNAL) == external {
            rows.push(backing);
        }
        if !external {
            // The backing's own object comes first, then its views.
            for buffer in copy.iter().take(1 + views) {
                rows_of(heap, buffer, &mut rows);
            }
        }
    }
    rows.sort_unstable();
    rows.dedup();
    for row in rows {
        let bytes = heap.bytes(row);
        if bytes > 0 {
            candidate.claim(row, bytes);
        }
    }
    let copies = place.redundant.len() as u64;
    candidate.count = copies;
    candidate.good = place.buffers - copies;
    candidate.bytes_now = candidate.net().max(0).cast_unsigned();
    candidate.title = if external {
        format!(
            "{} hold {}",
            Count(place.buffers).of("buffer", "buffers"),
            Count(place.values.len() as u64).of("value", "values")
        )
    } else if place.redundant.iter().all(|(copy, _)| copy[0].backing == NONE) {
        format!(
            "{} hold {}",
            Count(place.buffers).of("block", "blocks"),
            Count(place.values.len() as u64).of("value", "values")
        )
    } else {
        format!(
            "the objects of {} whose bytes another holds too",
            Count(copies).of("buffer", "buffers")
        )
    };
    candidate.fix = "keep one copy of each value, found by its hash".into();
    candidate.show("buffers", place.buffers);
    candidate.show("values", place.values.len());
    let mut top: Vec<_> = place
        .values
        .iter()
        .filter(|(_, value)| value.copies > 1)
        .collect();
    top.sort_unstable_by_key(|((bytes, hash), value)| {
        (std::cmp::Reverse(bytes.saturating_mul(value.copies - 1)), *hash)
    });
    let examples: Vec<_> = top
        .iter()
        .take(3)
        .map(|((bytes, hash), value)| {
            json!({"hash": format!("{hash:016x}"), "copies": value.copies, "bytes_each": bytes})
        })
        .collect();
    candidate.show("examples", examples);
    candidate
}

/// Equal strings in blocks of their own, wherever they were allocated.
fn of_texts(heap: &Heap, places: &[(block_groups::Place, Vec<BlockText>)]) -> Vec<Candidate> {
    let hashes: Vec<u128> = places
        .iter()
        .flat_map(|(_, texts)| texts.iter().map(|text| text.text))
        .collect();
    // The value of each text is the position of the first that is equal to it.
    let values = firsts(hashes);
    // The copy that stays: of those with the smallest block the first.
    let mut kept = vec![NONE; values.len()];
    let all = places.iter().flat_map(|(_, texts)| texts);
    for (text, &value) in all.zip(&values) {
        let known = &mut kept[value as usize];
        let size = |row: ObjectId| (heap.bytes(row), row);
        if *known == NONE || size(text.row) < size(*known) {
            *known = text.row;
        }
    }
    let mut counts = vec![0_u32; values.len()];
    let mut rest = values.as_slice();
    let found = places.iter().filter_map(|(place, texts)| {
        let (values, others) = rest.split_at(texts.len());
        rest = others;
        of_place(heap, *place, texts, values, &kept, &mut counts)
    });
    found.collect()
}

/// Where most of the texts stay that stay in another place than their copies, as it is shown, and how many there are.
fn kept_elsewhere(
    heap: &Heap,
    place: block_groups::Place,
    copies: &[(ObjectId, ObjectId)],
) -> Option<(String, u64)> {
    let away = copies.iter().map(|&(kept, _)| kept);
    let away = away.filter(|&kept| block_groups::Place::of(heap, kept) != Some(place));
    let away: Vec<ObjectId> = away.collect();
    Some((commonest(heap, &away)?, away.len() as u64))
}

/// Strings of one place, with the value of each, and the row that stays of each value. `counts` has a zero for each
/// value, before and after.
fn of_place(
    heap: &Heap,
    place: block_groups::Place,
    texts: &[BlockText],
    values: &[u32],
    kept: &[ObjectId],
    counts: &mut [u32],
) -> Option<Candidate> {
    let mut candidate = Candidate::at(place.name(heap))
        .assuming("the texts are never written to, and whoever holds them can hold a shared one");
    candidate.variant = "text";
    // The first text of each value here.
    let mut here: Vec<(u32, &BlockText)> = Vec::new();
    // Each with the copy that stays.
    let mut copies: Vec<(ObjectId, ObjectId)> = Vec::new();
    for (text, &value) in texts.iter().zip(values) {
        let count = &mut counts[value as usize];
        if *count == 0 {
            here.push((value, text));
        }
        *count += 1;
        let kept = kept[value as usize];
        if kept != text.row {
            copies.push((kept, text.row));
        }
    }
    let count_here = here.len() as u64;
    let repeated = here.into_iter().filter_map(|(value, text)| {
        let copies = std::mem::take(&mut counts[value as usize]);
        (copies > 1).then_some((u64::from(copies), text.bytes, text.row))
    });
    let mut top: Vec<(u64, u64, ObjectId)> = repeated.collect();
    copies.par_sort_unstable();
    // One text has one copy that stays.
    for same in copies.chunk_by(|a, b| a.0 == b.0) {
        let rows = same.iter().map(|&(_, row)| row);
        candidate.bytes_now += candidate.claim_copies(heap, same[0].0, rows);
    }
    if copies.len() < FEWEST_TEXTS || candidate.bytes_now < FEWEST_BYTES {
        return None;
    }
    candidate.count = copies.len() as u64;
    candidate.good = texts.len() as u64 - candidate.count;
    let rows: Vec<ObjectId> = texts.iter().map(|text| text.row).collect();
    candidate.site = commonest(heap, &rows);
    let fields = held_in(heap, &rows);
    if !fields.is_empty() {
        candidate.show("held_in", fields);
    }
    candidate.title = match kept_elsewhere(heap, place, &copies) {
        // Hardly any is there twice: it is the other place that makes them copies.
        Some((other, away)) if away * 2 > candidate.count => {
            candidate.show("elsewhere", json!({"site": other, "texts": away}));
            let all = Count(texts.len() as u64).of("text", "texts");
            if away == texts.len() as u64 {
                format!("all {all} also stand in blocks of {other}")
            } else {
                format!("{} of {all} also stand in blocks of {other}", Count(away))
            }
        }
        _ => format!(
            "{} hold {}",
            Count(texts.len() as u64).of("text", "texts"),
            Count(count_here).of("value", "values")
        ),
    };
    candidate.fix = "keep one copy of each text, found in a table".into();
    candidate.show("texts", texts.len());
    candidate.show("values", count_here);
    top.sort_unstable_by_key(|&(copies, bytes, row)| (std::cmp::Reverse(copies * bytes), row));
    let examples: Vec<_> = top
        .iter()
        .take(3)
        .map(|&(copies, bytes, row)| {
            json!({"value": shown(heap, row, bytes), "copies": copies, "bytes_each": heap.bytes(row)})
        })
        .collect();
    candidate.show("examples", examples);
    Some(candidate)
}

/// The beginning of a text, on one line.
fn shown(heap: &Heap, row: ObjectId, bytes: u64) -> String {
    const LIMIT: usize = 60;
    let content = heap.blocks.content(row).unwrap_or_default();
    let text = String::from_utf8_lossy(&content[..content.len().min(bytes as usize)]);
    let mut shown: String = text
        .chars()
        .take(LIMIT)
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    if text.chars().nth(LIMIT).is_some() {
        shown.push('…');
    }
    shown
}

/// The rows of a buffer's object with its parts, those outside the runtime's heap excluded.
fn rows_of(heap: &Heap, buffer: &Buffer, rows: &mut Vec<ObjectId>) {
    if !heap.objects.has(buffer.object, Flags::EXTERNAL) {
        let parts = heap.parts_of(buffer.object).into_iter();
        rows.push(buffer.object);
        rows.extend(parts.filter(|&part| !heap.objects.has(part, Flags::EXTERNAL)));
    }
}

#[cfg(test)]
mod tests {
    use deadweight_heap::HeapBuilder;

    use super::*;

    fn held(heap: &mut HeapBuilder, bytes: u64, zeros: u64, hash: u64) {
        let icon = heap.buffer(bytes, zeros, hash);
        let record = heap.record("Page", &[("icon", icon)]);
        heap.variable("pages", record);
    }

    #[test]
    fn copies_are_claimed_outside_and_their_objects_inside() {
        let mut heap = HeapBuilder::new();
        for hash in [1, 1, 1, 2] {
            held(&mut heap, 4096, 0, hash);
        }
        let found = EqualBuffers.look(&heap.build()).candidates;
        assert_eq!(found.len(), 2);
        let net = |external: bool| found.iter().find(|c| c.external == external).map(Candidate::net);
        assert_eq!(net(true), Some(2 * 4096));
        assert_eq!(net(false), Some(2 * 96));
        assert!(
            found
                .iter()
                .all(|c| c.holder == "Page.icon" && c.count == 2 && c.good == 2)
        );
    }

    #[test]
    fn views_vanish_with_their_copy_as_far_as_the_first_has_as_many() {
        let mut heap = HeapBuilder::new();
        for views in [1, 2] {
            let bytes = heap.buffer(4096, 0, 5);
            for _ in 0..views {
                let view = heap.view(bytes, 4096);
                let record = heap.record("Page", &[("icon", view)]);
                heap.variable("pages", record);
            }
        }
        let found = EqualBuffers.look(&heap.build()).candidates;
        assert_eq!(
            found.iter().find(|c| !c.external).map(Candidate::net),
            Some(2 * 96)
        );
    }

    #[test]
    fn zeros_few_bytes_and_other_places_are_left_alone() {
        let mut heap = HeapBuilder::new();
        for _ in 0..3 {
            held(&mut heap, 4096, 4096, 9);
            held(&mut heap, 64, 0, 3);
        }
        held(&mut heap, 5000, 0, 4);
        let elsewhere = heap.buffer(5000, 0, 4);
        heap.variable("elsewhere", elsewhere);
        let verdict = EqualBuffers.look(&heap.build());
        assert!(verdict.candidates.is_empty() && verdict.not_measured.is_empty());
    }

    #[test]
    fn unknown_contents_are_said_to_be_unknown() {
        let mut heap = HeapBuilder::new();
        held(&mut heap, 128 << 10, 0, 0);
        assert_eq!(EqualBuffers.look(&heap.build()).not_measured.len(), 1);
    }

    /// Blocks of 64 numbers that are the same in all and `used` of which are not zero, to each of which references lead
    /// at `places` of its words.
    fn arenas(places: u64, used: u64) -> Vec<Candidate> {
        let mut heap = HeapBuilder::new();
        for _ in 0..8 {
            let arena = heap.block("more_cells", &15_u64.to_le_bytes().repeat(64));
            heap.buffer_fact(arena, NONE, 512).change_buffer(arena, |buffer| {
                (buffer.hash, buffer.zeros, buffer.is_backing) = (7, 0, true);
                buffer.words_used = used;
            });
            let words = (0..places).map(|at| HeapBuilder::address(arena) + at * 16);
            let words: Vec<u8> = words.flat_map(u64::to_le_bytes).collect();
            let owner = heap.block("owner", &words);
            for at in 0..places {
                heap.edge(owner, deadweight_heap::EdgeKind::Internal, at as u32, arena);
            }
        }
        look(heap)
    }

    #[test]
    fn equal_cells_of_pools_are_no_copies() {
        assert_eq!(arenas(2, 64)[0].count, 7);
        assert!(arenas(32, 64).is_empty());
    }

    #[test]
    fn blocks_that_are_equal_because_they_are_empty_are_no_copies() {
        assert_eq!(arenas(1, 16)[0].count, 7);
        assert!(arenas(1, 15).is_empty());
    }

    /// A block with a text and what follows it.
    fn text(heap: &mut HeapBuilder, site: &str, text: &str, rest: &[u8]) {
        heap.block(site, &[text.as_bytes(), b"\0", rest].concat());
    }

    fn look(heap: HeapBuilder) -> Vec<Candidate> {
        EqualBuffers.look(&heap.build()).candidates
    }

    #[test]
    fn equal_strings_in_blocks_are_found_across_places_and_rooms() {
        let mut heap = HeapBuilder::new();
        for i in 0..40_usize {
            // Of growing strings the room differs, and what is behind the end is old.
            let city = ["Johannesburg, South Africa", "Buenos Aires, Argentina"][i % 2];
            text(&mut heap, "parse", city, &vec![b'o'; 8 * (i % 5)]);
            text(&mut heap, "copy", "Johannesburg, South Africa", &[]);
            text(&mut heap, "unique", &format!("the city with number {i}"), &[]);
        }
        let mut found = look(heap);
        found.sort_by_key(|candidate| candidate.holder.clone());
        let told: Vec<_> = found
            .iter()
            .map(|c| (c.holder.as_str(), c.count, c.good))
            .collect();
        // One block without room stays of each.
        assert_eq!(told, [("copy", 40, 0), ("parse", 38, 2)]);
        assert_eq!(found[0].net(), 40 * 27);
        assert_eq!(
            found[0].title,
            "all 40 texts also stand in blocks of parse, parse.cpp:1"
        );
        assert_eq!(found[1].title, "40 texts hold 2 values");
        assert_eq!(
            found[0].evidence["examples"][0]["value"],
            "Johannesburg, South Africa"
        );
    }

    #[test]
    fn short_texts_among_longer_ones_are_strings_and_by_themselves_they_are_not() {
        let mut heap = HeapBuilder::new();
        for i in 0..200 {
            text(
                &mut heap,
                "copy",
                ["30000ms", "true", "a longer setting", ""][i % 4],
                &[],
            );
            text(
                &mut heap,
                "flags",
                ["true", "false", "a longer setting"][i.min(1)],
                &[],
            );
            heap.block("numbers", &[i as u8 % 2]);
        }
        let found = look(heap);
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].holder.as_str(), found[0].count), ("copy", 200 - 4));
        assert_eq!(found[0].net(), 49 * (8 + 5 + 17 + 1));
    }

    #[test]
    fn objects_that_begin_with_a_text_numbers_and_few_copies_are_left_alone() {
        let mut heap = HeapBuilder::new();
        for i in 0..40_u64 {
            text(&mut heap, "person", "somebody's name", &(1000 + i).to_le_bytes());
            heap.block("small", b"abc\0\0\0\0\0");
            heap.block(
                "numbers",
                &[7_u64.to_le_bytes(), 0x4142_4344_u64.to_le_bytes()].concat(),
            );
            if i < 10 {
                text(
                    &mut heap,
                    "few",
                    &"a text that is long enough for the bytes ".repeat(5),
                    &[],
                );
            }
        }
        assert!(look(heap).is_empty());
    }

    #[test]
    fn containers_on_the_line_of_their_strings_do_not_hide_them() {
        let program = |size: usize| {
            let mut heap = HeapBuilder::new();
            for _ in 0..40 {
                let name = heap.block("push", b"a text that is there again and again");
                let list = heap.block("push", &vec![1; size]);
                heap.edge(list, deadweight_heap::EdgeKind::Internal, 0, name);
            }
            look(heap)
        };
        assert_eq!((program(64)[0].count, program(64)[0].good), (39, 1));
        // Of the same size they may be the same objects.
        assert!(program(36).is_empty());
    }

    #[test]
    fn where_objects_stand_too_equal_texts_are_no_strings() {
        let mut heap = HeapBuilder::new();
        for i in 0..40_u64 {
            text(&mut heap, "mixed", "a text that is there again and again", &[]);
            heap.block("mixed", &[i.to_le_bytes(); 4].concat());
        }
        assert!(look(heap).is_empty());
    }
}
