use deadweight_heap::{HeapBuilder, Implementation};

use super::*;

/// A list of `count` arrays with `slots` slots each, in a field.
fn list(heap: &mut HeapBuilder, field: &str, count: usize, slots: usize) -> (ObjectId, Vec<ObjectId>) {
    let value = heap.string("value");
    let inner: Vec<ObjectId> = (0..count)
        .map(|_| heap.array(slots as u32, &vec![value; slots]))
        .collect();
    let outer = heap.array(count as u32, &inner);
    let record = heap.record("Track", &[(field, outer)]);
    heap.variable("tracks", record);
    (outer, inner)
}

fn look(heap: HeapBuilder) -> Vec<Candidate> {
    NestedArrays.look(&heap.build()).candidates
}

#[test]
fn pairs_become_slots_of_their_list() {
    let mut heap = HeapBuilder::new();
    let (_, inner) = list(&mut heap, "points", 100, 2);
    let heap = heap.build();
    let found = NestedArrays.look(&heap).candidates;
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].holder, "Track.points");
    assert_eq!((found[0].count, found[0].option), (100, true));
    let now = 100 * heap.whole_bytes(inner[0]);
    let array = |count| {
        heap.layout
            .array(Implementation::USUAL, Representation::Any, count)
    };
    let gained = array(200) - array(100);
    assert_eq!(found[0].net(), now.cast_signed() - gained.cast_signed());
    assert!(found[0].assumes.is_some());
}

#[test]
fn lists_at_one_holder_are_one_finding() {
    let mut heap = HeapBuilder::new();
    for _ in 0..4 {
        list(&mut heap, "points", 20, 3);
    }
    let found = look(heap);
    assert_eq!((found.len(), found[0].count), (1, 80));
    assert_eq!(found[0].title, "80 small arrays in 4 lists");
}

#[test]
fn few_long_unequal_and_single_slots_are_passed_over() {
    let mut heap = HeapBuilder::new();
    list(&mut heap, "few", 20, 2);
    list(&mut heap, "long", 100, 9);
    list(&mut heap, "single", 100, 1);
    list(&mut heap, "empty", 100, 0);
    let value = heap.string("value");
    let unequal: Vec<ObjectId> = (0..100)
        .map(|at| heap.array(3, &vec![value; 2 + at % 2]))
        .collect();
    let unequal = heap.array(100, &unequal);
    heap.variable("unequal", unequal);
    assert!(look(heap).is_empty());
}

#[test]
fn what_somebody_else_refers_to_stays() {
    let mut heap = HeapBuilder::new();
    let (_, inner) = list(&mut heap, "points", 100, 2);
    heap.record("Cursor", &[("at", inner[7])]);
    assert!(look(heap).is_empty());
}

#[test]
fn a_list_that_holds_something_else_too_is_none() {
    let mut heap = HeapBuilder::new();
    let value = heap.string("value");
    let mut inner: Vec<ObjectId> = (0..100).map(|_| heap.array(2, &[value; 2])).collect();
    inner.push(value);
    let mixed = heap.array(101, &inner);
    heap.variable("mixed", mixed);
    assert!(look(heap).is_empty());
}

#[test]
fn a_list_of_which_some_slots_are_not_seen_is_none() {
    let mut heap = HeapBuilder::new();
    let (outer, _) = list(&mut heap, "points", 100, 2);
    heap.change_array(outer, |array| array.used = 150);
    assert!(look(heap).is_empty());
}

const NUMBERS: Representation = Representation::Float(8);

/// A list of `count` arrays with two numbers each, in a variable.
fn list_of_numbers(heap: &mut HeapBuilder, name: &str, count: usize) -> (ObjectId, Vec<ObjectId>) {
    let inner: Vec<ObjectId> = (0..count).map(|_| heap.numbers(NUMBERS, &[1, 2])).collect();
    let outer = heap.array(count as u32, &inner);
    heap.variable(name, outer);
    (outer, inner)
}

#[test]
fn arrays_of_numbers_and_their_list_become_one_array_of_numbers() {
    let mut heap = HeapBuilder::new();
    let (outer, inner) = list_of_numbers(&mut heap, "points", 100);
    let heap = heap.build();
    let found = NestedArrays.look(&heap).candidates;
    assert_eq!(found.len(), 1);
    let now = 100 * heap.whole_bytes(inner[0]) + heap.whole_bytes(outer);
    let after = heap.layout.array(Implementation::USUAL, NUMBERS, 200);
    assert_eq!((found[0].count, found[0].bytes_now), (100, now));
    assert_eq!(found[0].net(), now.cast_signed() - after.cast_signed());
}

#[test]
fn single_bytes_and_numbers_of_several_sorts_are_passed_over() {
    let mut heap = HeapBuilder::new();
    let bytes: Vec<ObjectId> = (0..100)
        .map(|_| heap.numbers(Representation::Integer(1), &[1, 2]))
        .collect();
    let bytes = heap.array(100, &bytes);
    heap.variable("bytes", bytes);
    let mixed: Vec<ObjectId> = (0..100)
        .map(|at| {
            let sorts = [NUMBERS, Representation::Integer(8)];
            heap.numbers(sorts[at % 2], &[1, 2])
        })
        .collect();
    let mixed = heap.array(100, &mixed);
    heap.variable("mixed", mixed);
    assert!(look(heap).is_empty());
}
