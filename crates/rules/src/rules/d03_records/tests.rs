//! What the whole rule finds and says.

use deadweight_heap::{EdgeKind, HeapBuilder, ObjectId};

use super::*;
use crate::Candidate;

fn point(heap: &mut HeapBuilder, x: f64, name: &str) -> ObjectId {
    let x = heap.number(x);
    let name = heap.string(name);
    heap.record("Point", &[("x", x), ("name", name)])
}

fn keep(heap: &mut HeapBuilder, value: ObjectId) {
    let owner = heap.record("Shape", &[("at", value)]);
    let unique = heap.array(0, &[]);
    heap.edge(owner, EdgeKind::Internal, 9, unique);
    heap.variable("shapes", owner);
    heap.variable("shapes", unique);
}

fn look(heap: HeapBuilder) -> Vec<Candidate> {
    EqualRecords.look(&heap.build()).candidates
}

#[test]
fn copies_go_with_all_they_hold_alone() {
    let mut heap = HeapBuilder::new();
    for _ in 0..17 {
        let at = point(&mut heap, 1.5, "origin");
        keep(&mut heap, at);
    }
    let other = point(&mut heap, 2.5, "origin");
    keep(&mut heap, other);
    let found = look(heap);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].holder, "Shape.at");
    assert_eq!((found[0].count, found[0].unaffected), (16, 2));
    assert_eq!(found[0].net(), 16 * (32 + 16 + 24));
    assert_eq!(found[0].bytes_now, 17 * (32 + 16 + 24));
}

#[test]
fn shared_values_stay() {
    let mut heap = HeapBuilder::new();
    let name = heap.string("shared");
    for _ in 0..20 {
        let point = heap.record("Point", &[("name", name)]);
        keep(&mut heap, point);
    }
    assert_eq!(look(heap)[0].net(), 19 * 24);
}

#[test]
fn a_few_copies_are_a_coincidence() {
    let mut heap = HeapBuilder::new();
    for _ in 0..16 {
        let at = point(&mut heap, 1.5, "origin");
        keep(&mut heap, at);
    }
    assert!(look(heap).is_empty());
}

#[test]
fn nested_copies_are_counted_once_with_the_outer() {
    let mut heap = HeapBuilder::new();
    for _ in 0..20 {
        let inner = point(&mut heap, 3.0, "inner");
        let list = heap.array(1, &[inner]);
        let outer = heap.record("Outer", &[("list", list)]);
        keep(&mut heap, outer);
    }
    let found = look(heap);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].holder, "Shape.at");
    assert_eq!(found[0].net(), 19 * (24 + 56 + 32 + 16 + 24));
}

/// As Ruby has them.
#[test]
fn arrays_without_a_store_of_their_own_are_compared() {
    let mut heap = HeapBuilder::new();
    for i in 0..40 {
        let text = heap.string(if i < 20 { "equal" } else { "as well" });
        let list = heap.array(0, &[]);
        heap.edge(list, EdgeKind::Element, 0, text);
        heap.change_array(list, |array| {
            (array.store, array.used, array.capacity) = (array.object, 1, 1);
        });
        keep(&mut heap, list);
    }
    let verdict = EqualRecords.look(&heap.build());
    assert!(verdict.not_measured.is_empty(), "{:?}", verdict.not_measured);
    assert_eq!(
        (verdict.candidates[0].count, verdict.candidates[0].unaffected),
        (38, 2)
    );
}

#[test]
fn different_types_texts_numbers_and_hidden_state_are_not_equal() {
    let mut heap = HeapBuilder::new();
    for i in 0..40 {
        let number = point(&mut heap, f64::from(i), "same");
        keep(&mut heap, number);
        let text = point(&mut heap, 1.0, &format!("name {i}"));
        keep(&mut heap, text);
        let date = heap.date(f64::NAN);
        let unknown = heap.record("Dated", &[("on", date)]);
        keep(&mut heap, unknown);
        let x = heap.small_number(1.0);
        let typed = heap.record(&format!("Type{i}"), &[("x", x)]);
        keep(&mut heap, typed);
        let hidden = heap.array(1, &[x]);
        let state = heap.record("State", &[("x", x)]);
        let own = heap.date(f64::from(i));
        heap.edge(state, EdgeKind::Internal, 3, own);
        keep(&mut heap, state);
        heap.edge(hidden, EdgeKind::Weak, 0, own);
    }
    assert!(look(heap).is_empty());
}

#[test]
fn cycles_and_what_is_too_deep_are_equal_to_nothing() {
    let mut heap = HeapBuilder::new();
    for _ in 0..40 {
        let x = heap.small_number(1.0);
        let cycle = heap.record("Cycle", &[("x", x)]);
        let me = heap.text("me");
        heap.edge(cycle, EdgeKind::Field, me, cycle);
        keep(&mut heap, cycle);
        let mut chain = heap.record("Chain", &[("x", x)]);
        for _ in 0..8 {
            chain = heap.record("Chain", &[("next", chain)]);
        }
        keep(&mut heap, chain);
    }
    let found = look(heap);
    assert!(
        found.iter().all(|candidate| candidate.holder == "Chain.next"),
        "{found:?}"
    );
}

#[test]
fn values_that_the_dump_does_not_show_are_said_to_be_unknown() {
    let mut heap = HeapBuilder::new();
    for _ in 0..40 {
        let at = point(&mut heap, 1.0, "same");
        heap.change_record(at, |record| record.used += 1);
        keep(&mut heap, at);
    }
    let verdict = EqualRecords.look(&heap.build());
    assert!(verdict.candidates.is_empty());
    assert_eq!(verdict.not_measured.len(), 1);
}
