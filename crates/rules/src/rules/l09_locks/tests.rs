use deadweight_heap::{HeapBuilder, Numeric, Representation, Value};

use super::*;
use crate::Candidate;

const REFERENCE: Representation = Representation::Reference;

/// Thirty pages, each with a counter and a lock, which `more` changes.
fn pages(more: impl Fn(&mut HeapBuilder, u32, [ObjectId; 3])) -> Vec<Candidate> {
    let mut heap = HeapBuilder::new();
    let atomic = heap.class("Counter", None, &[("value", Representation::Integer(8))]);
    let state = heap.class("State", None, &[("owner", REFERENCE)]);
    let lock = heap.class("Lock", None, &[("state", REFERENCE)]);
    let page = heap.class("Page", None, &[("hits", REFERENCE), ("lock", REFERENCE)]);
    heap.stand_in("Counter", StandIn::Field(Representation::Integer(8)));
    heap.stand_in("Lock", StandIn::OwnLock);
    heap.stand_in("State", StandIn::OwnLock);
    for library in ["Counter", "State", "Lock"] {
        heap.library(library, true, &[]);
    }
    for number in 0..30 {
        let hits = heap.instance(atomic, &[Value::Number(Numeric::Integer(7))]);
        let state = heap.instance(state, &[Value::Nothing]);
        let lock = heap.instance(lock, &[Value::Reference(state, 0)]);
        let row = heap.instance(page, &[Value::Reference(hits, 0), Value::Reference(lock, 0)]);
        heap.variable("pages", row);
        more(&mut heap, number, [hits, lock, state]);
    }
    Locks.look(&heap.build()).candidates
}

fn found(candidates: &[Candidate]) -> Vec<(&str, i64)> {
    candidates
        .iter()
        .map(|found| (found.holder.as_str(), found.net()))
        .collect()
}

#[test]
fn the_record_has_the_value_and_the_lock_itself() {
    let found_all = pages(|_, _, _| {});
    // Each of the three objects has 24 bytes; the counter takes the place of its reference.
    assert_eq!(
        found(&found_all),
        [("Page.hits", 30 * 24), ("Page.lock", 30 * (24 + 24 + 8))]
    );
    assert!(found_all[1].fix.contains("lock on the record itself"));
}

#[test]
fn something_to_lock_on_is_an_option() {
    let mut heap = HeapBuilder::new();
    let class = heap.class("Lock", None, &[]);
    let page = heap.class("Page", None, &[("lock", REFERENCE)]);
    heap.stand_in("Lock", StandIn::OwnLock);
    for _ in 0..30 {
        let lock = heap.instance(class, &[]);
        let row = heap.instance(page, &[Value::Reference(lock, 0)]);
        heap.variable("pages", row);
    }
    let found = Locks.look(&heap.build()).candidates;
    assert_eq!((found.len(), found[0].option), (1, true));
}

#[test]
fn what_something_else_refers_to_stays() {
    let registered = pages(|heap, number, [hits, lock, _]| {
        if number == 3 {
            heap.variable("registry", hits);
            heap.variable("held", lock);
        }
    });
    assert!(registered.is_empty());
}

#[test]
fn a_lock_with_a_condition_stays() {
    let waited = pages(|heap, number, [_, _, state]| {
        if number == 3 {
            let condition = heap.record("Condition", &[("state", state)]);
            heap.variable("condition", condition);
        }
    });
    assert_eq!(found(&waited), [("Page.hits", 30 * 24)]);
}
