//! Records that another place names after a change.

mod support;

use deadweight_compare::proof::Outcome;
use deadweight_compare::prove::{Options, prove};
use deadweight_heap::HeapBuilder;
use deadweight_weighing::Weighing;
use support::weighed_heap;

/// Rows in lists, as many in each as said.
fn rows(lists: &[(&str, usize)]) -> Weighing {
    let mut heap = HeapBuilder::new();
    let mut number = 0;
    for (list, length) in lists {
        let mut all = Vec::new();
        for _ in 0..*length {
            let name = heap.string(&format!("row {number}"));
            number += 1;
            all.push(heap.record("Row", &[("name", name)]));
        }
        let all = heap.array(1_200, &all);
        heap.variable(list, all);
    }
    weighed_heap(&heap.build(), "")
}

#[test]
fn as_many_records_at_other_places_neither_grew_nor_shrank() {
    let before = rows(&[("all", 0), ("open", 700), ("closed", 500)]);
    let changed = |after: &[(&str, usize)]| {
        let proof = prove(&before, &rows(after), &Options::default());
        let rows = |places: &[deadweight_compare::proof::Place]| {
            places.iter().filter(|place| place.holds == "Row").count()
        };
        (rows(&proof.grew), rows(&proof.shrank))
    };
    for moved in [
        [("all", 1_200), ("open", 0), ("closed", 0)],
        [("all", 600), ("open", 350), ("closed", 250)],
    ] {
        assert_eq!(changed(&moved), (0, 0), "{moved:?}");
    }
    // More of them are no move.
    assert_eq!(changed(&[("all", 1_250), ("open", 0), ("closed", 0)]), (1, 2));
}

/// Rows that are maps of equal texts, or records of a class with the same texts.
fn heads(are_records: bool) -> Weighing {
    let mut heap = HeapBuilder::new();
    let mut rows = Vec::new();
    for at in 0..600 {
        let city = heap.string(&format!("the city with the number {}", at % 20));
        let id = heap.string(&format!("the number {at} of all of them"));
        let head = if are_records {
            heap.record("Head", &[("city", city), ("id", id)])
        } else {
            let keys = ["city", "id"].map(|key| heap.string(key));
            heap.map(2, &[(keys[0], city), (keys[1], id)])
        };
        rows.push(heap.record("Row", &[("head", head)]));
    }
    let rows = heap.array(600, &rows);
    heap.variable("rows", rows);
    weighed_heap(&heap.build(), "")
}

#[test]
fn equal_texts_that_stand_in_records_now_are_still_there() {
    let proof = prove(&heads(false), &heads(true), &Options::default());
    let texts = proof
        .fixes
        .iter()
        .find(|fix| fix.rule == "D01" && fix.holder == "Row.head{}");
    assert_eq!(texts.unwrap().outcome, Outcome::Open);
    let maps = proof
        .fixes
        .iter()
        .find(|fix| fix.rule == "L02" && fix.holder == "Row.head");
    assert_eq!(maps.unwrap().outcome, Outcome::Mended);
    assert!(proof.error.unwrap() < 0.01, "{proof:#?}");
    assert!(!proof.new.iter().any(|new| new.rule == "D01"));
}

/// Texts that two lists hold. The list `first` names them.
fn shared(first: &str, second: &str) -> Weighing {
    let mut heap = HeapBuilder::new();
    let texts: Vec<_> = (0..600)
        .map(|at| heap.string(&format!("one of twenty texts: {}", at % 20)))
        .collect();
    for list in [first, second] {
        let all = heap.array(600, &texts);
        heap.variable(list, all);
    }
    weighed_heap(&heap.build(), "")
}

#[test]
fn which_of_two_places_names_an_object_mends_nothing() {
    let proof = prove(&shared("a", "b"), &shared("b", "a"), &Options::default());
    let mended: Vec<_> = proof.fixes.iter().filter(|fix| fix.outcome.is_made()).collect();
    assert!(!proof.fixes.is_empty() && mended.is_empty(), "{mended:#?}");
}
