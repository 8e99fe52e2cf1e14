use deadweight_heap::{Flags, HeapBuilder, Width};

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
        let html = heap.flattened("some text", empty);
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
fn old_joints_of_flattened_ropes_count_when_they_are_many() {
    let mut heap = HeapBuilder::new();
    let empty = heap.string("");
    heap.variable("empty", empty);
    for _ in 0..2048 {
        let html = heap.flattened("some text", empty);
        keep(&mut heap, html);
    }
    let found = Ropes.look(&heap.build()).candidates;
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].net(), 2048 * 32);
    assert_eq!(found[0].evidence["flattened"], 2048);
}

#[test]
fn what_the_texts_of_one_holder_share_goes_with_them() {
    let mut heap = HeapBuilder::new();
    let (first, second) = (heap.string("/srv/data/"), heap.string("region/"));
    let base = heap.rope(first, second);
    for _ in 0..200 {
        let file = heap.string("file.json");
        let path = heap.rope(base, file);
        keep(&mut heap, path);
    }
    let found = Ropes.look(&heap.build()).candidates;
    // Each path has a joint and a string of 9 characters, all share a joint and two strings; 26 characters take 48.
    assert_eq!(found[0].net(), 200 * (32 + 32) + 32 + 32 + 24 - 200 * 48);
    let mut other = HeapBuilder::new();
    let (first, second) = (other.string("/srv/data/"), other.string("region/"));
    let base = other.rope(first, second);
    other.variable("base", base);
    for _ in 0..100 {
        let file = other.string("file.json");
        let path = other.rope(base, file);
        keep(&mut other, path);
    }
    assert_eq!(
        Ropes.look(&other.build()).candidates[0].net(),
        100 * (32 + 32 - 48)
    );
}

/// A page made of 20 slices of its own text, each behind a tag that all share.
fn page_of_slices(heap: &mut HeapBuilder, tag: ObjectId, noted: bool) {
    let text = heap.string(&"x".repeat(20 * 20));
    let slice = heap.slice(text, "");
    let mut html = heap.rope(tag, slice);
    for _ in 1..20 {
        let slice = heap.slice(text, "");
        html = heap.rope(html, tag);
        html = heap.rope(html, slice);
    }
    if noted {
        heap.length(html, 20 * (3 + 20), Width::One);
    }
    keep(heap, html);
}

#[test]
fn a_noted_length_shows_what_slices_hide() {
    let mut heap = HeapBuilder::new();
    let tag = heap.string("<p>");
    heap.variable("tag", tag);
    page_of_slices(&mut heap, tag, true);
    let verdict = Ropes.look(&heap.build());
    assert!(verdict.not_measured.is_empty());
    let found = &verdict.candidates[0];
    assert_eq!(found.net(), 39 * 32 + 20 * 32 + 416 - 480);
    assert_eq!(found.evidence["characters"], 460);
    assert_eq!(found.assumes, None);
}

#[test]
fn texts_of_noted_length_stand_for_the_others_at_their_holder() {
    let weigh = |noted: u32| {
        let mut heap = HeapBuilder::new();
        let tag = heap.string("<p>");
        heap.variable("tag", tag);
        for i in 0..100 {
            page_of_slices(&mut heap, tag, i < noted);
        }
        Ropes.look(&heap.build())
    };
    let found = &weigh(30).candidates[0];
    assert_eq!(found.net(), 100 * (39 * 32 + 20 * 32 + 416 - 480));
    assert!(found.assumes.as_ref().unwrap().contains("70 texts"));
    let few = weigh(29);
    assert_eq!((few.candidates[0].count, few.not_measured.len()), (29, 1));
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
