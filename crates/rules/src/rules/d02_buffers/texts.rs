//! Equal strings in blocks of their own.

use std::cmp::Reverse;

use deadweight_heap::{EdgeKind, Heap, HolderId, Holders, NONE, ObjectId, RowSet, firsts};
use deadweight_infer::{BlockText, Place, commonest_site, text_records};
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use serde_json::{Value, json};

use super::FEWEST_BYTES;
use super::holders::shorten;
use crate::Candidate;
use crate::count::Count;

/// Fewer copies of strings at one place are no finding.
const FEWEST_TEXTS: usize = 16;
/// What sharing texts rests on.
const ASSUMED: &str = "the texts are never written to, and whoever holds them can hold a shared one";
/// The same where something stands before them.
const ASSUMED_BEHIND: &str = "the texts are never written to, whoever holds them can hold a shared one, and what stands before a text \
     are its length and a count of its references";

/// Equal strings in blocks of their own, wherever they were allocated.
pub(super) fn of_texts(heap: &Heap, places: &[(Place, Vec<BlockText>)]) -> Vec<Candidate> {
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
        let candidate = of_place(heap, *place, texts, values, &kept, &mut counts)?;
        Some((*place, texts, candidate))
    });
    let mut found: Vec<(Place, &Vec<BlockText>, Candidate)> = found.collect();
    let rows = || found.iter().flat_map(|(_, texts, _)| texts.iter());
    let stays: RowSet = heap.row_set(kept.iter().copied().filter(|&row| row != NONE));
    let copies = rows().map(|text| text.row).filter(|&row| !stays.has(row));
    let records = text_records(
        heap,
        &heap.row_set(rows().map(|text| text.row)),
        &heap.row_set(copies),
    );
    for (place, _, candidate) in &mut found {
        let records = records.iter().filter(|records| records.texts == *place);
        shorten(heap, records, candidate);
    }
    found.into_iter().map(|(_, _, candidate)| candidate).collect()
}

/// Where most of the texts stay that stay in another place than their copies, as it is shown, and how many there are.
fn kept_elsewhere(heap: &Heap, place: Place, copies: &[(ObjectId, ObjectId)]) -> Option<(String, u64)> {
    let away = copies.iter().map(|&(kept, _)| kept);
    let away = away.filter(|&kept| Place::of(heap, kept) != Some(place));
    let away: Vec<ObjectId> = away.collect();
    Some((commonest_site(heap, away.iter().copied())?, away.len() as u64))
}

/// Strings of one place, with the value of each, and the row that stays of each value. `counts` has a zero for each
/// value, before and after.
fn of_place(
    heap: &Heap,
    place: Place,
    texts: &[BlockText],
    values: &[u32],
    kept: &[ObjectId],
    counts: &mut [u32],
) -> Option<Candidate> {
    let header = texts.iter().find_map(|text| text.header);
    let mut candidate =
        Candidate::at(place.name(heap)).assuming(if header.is_some() { ASSUMED_BEHIND } else { ASSUMED });
    if let Some(header) = header {
        candidate.show("header_bytes", header.bytes);
    }
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
        (copies > 1).then_some((u64::from(copies), text))
    });
    let mut top: Vec<(u64, &BlockText)> = repeated.collect();
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
    candidate.unaffected = texts.len() as u64 - candidate.count;
    let rows: Vec<ObjectId> = texts.iter().map(|text| text.row).collect();
    candidate.site = commonest_site(heap, rows.iter().copied());
    let fields = held_in(heap, &rows);
    if !fields.is_empty() {
        candidate.show("held_in", fields);
    }
    let mut fix = "keep one copy of each text, found in a table";
    candidate.title = match kept_elsewhere(heap, place, &copies) {
        // Hardly any is there twice: it is the other place that makes them copies.
        Some((other, away)) if away * 2 > candidate.count => {
            candidate.show("elsewhere", json!({"site": other, "texts": away}));
            // With a table of its own the place would keep a copy of each.
            fix = "refer to the copies there, or keep one copy of each text in one table for both places";
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
    candidate.fix = fix.into();
    candidate.show("texts", texts.len());
    candidate.show("values", count_here);
    top.sort_unstable_by_key(|&(copies, text)| (Reverse(copies * text.bytes), text.row));
    let examples: Vec<_> = top
        .iter()
        .take(3)
        .map(|&(copies, text)| {
            json!({"value": text.shown(heap), "copies": copies, "bytes_each": heap.bytes(text.row)})
        })
        .collect();
    candidate.show("examples", examples);
    Some(candidate)
}

/// In which fields blocks of one place are held, the commonest first, with how many there are of each; empty where nobody
/// listed for fields.
fn held_in(heap: &Heap, rows: &[ObjectId]) -> Vec<Value> {
    const MOST: usize = 3;
    let holders = Holders::new(heap);
    let mut counts: FxHashMap<HolderId, u64> = FxHashMap::default();
    for &row in rows {
        let referrer = heap.referrers.of(row);
        if referrer.is_some_and(|(_, via)| via.kind() == EdgeKind::Field) {
            *counts.entry(holders.of(row)).or_default() += 1;
        }
    }
    let mut counts: Vec<(HolderId, u64)> = counts.into_iter().collect();
    counts.sort_unstable_by_key(|&(holder, count)| (Reverse(count), holder));
    let shown = counts.into_iter().take(MOST);
    shown
        .map(|(holder, count)| json!({"field": holders.name(holder), "count": count}))
        .collect()
}

#[cfg(test)]
mod tests {
    use deadweight_heap::HeapBuilder;

    use super::super::tests::look;

    /// A block with a text and what follows it.
    fn text(heap: &mut HeapBuilder, site: &str, text: &str, rest: &[u8]) {
        heap.block(site, &[text.as_bytes(), b"\0", rest].concat());
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
        let listed: Vec<_> = found
            .iter()
            .map(|c| (c.holder.as_str(), c.count, c.unaffected))
            .collect();
        // One block without room stays of each.
        assert_eq!(listed, [("copy", 40, 0), ("parse", 38, 2)]);
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
    fn short_texts_are_strings_among_longer_ones_and_where_they_end_with_their_blocks() {
        let mut heap = HeapBuilder::new();
        for i in 0..200 {
            text(
                &mut heap,
                "copy",
                ["30000ms", "true", "a longer setting", ""][i % 4],
                &[],
            );
            heap.block("flags", b"false\0\0\0");
            for word in ["no", "yes", "maybe"] {
                text(&mut heap, "words", word, &[]);
            }
            heap.block("numbers", &[i as u8 % 2]);
        }
        let mut found = look(heap);
        found.sort_by_key(|candidate| candidate.holder.clone());
        let listed: Vec<_> = found.iter().map(|c| (c.holder.as_str(), c.count)).collect();
        assert_eq!(listed, [("copy", 200 - 4), ("words", 600 - 3)]);
        assert_eq!(found[0].net(), 49 * (8 + 5 + 17 + 1));
        assert_eq!(found[1].net(), 199 * (3 + 4 + 6));
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
        assert_eq!((program(64)[0].count, program(64)[0].unaffected), (39, 1));
        // Of the same size they may be the same objects.
        assert!(program(36).is_empty());
    }

    #[test]
    fn what_stands_before_texts_is_assumed_to_be_theirs() {
        let mut heap = HeapBuilder::new();
        for i in 0..80_usize {
            let city = ["Rome", "Berlin", "Johannesburg", "Lima, Peru"][i % 4];
            let header = [1, city.len() as u32].map(u32::to_le_bytes).concat();
            heap.block("make", &[&header, city.as_bytes(), b"\0"].concat());
        }
        let found = look(heap);
        assert_eq!((found.len(), found[0].count, found[0].unaffected), (1, 76, 4));
        assert_eq!(found[0].net(), 19 * (13 + 15 + 21 + 19));
        assert_eq!(found[0].evidence["header_bytes"], 8);
        assert_eq!(found[0].evidence["examples"][0]["value"], "Johannesburg");
        assert!(
            found[0]
                .assumes
                .iter()
                .any(|assumed| assumed.contains("before a text"))
        );
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
