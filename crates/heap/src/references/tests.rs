use rayon::prelude::*;

use super::*;
use crate::HeapBuilder;

fn set(heap: &Heap, rows: &[ObjectId]) -> RowSet {
    let set = RowSet::none(heap.objects.len());
    set.extend(rows.iter().copied());
    set
}

#[test]
fn the_only_owner_is_known_unless_another_refers_to_it() {
    let mut heap = HeapBuilder::new();
    let own = heap.string("own");
    let shared = heap.string("shared");
    let a = heap.array(2, &[own, shared, own]);
    let b = heap.array(1, &[shared]);
    heap.edge(b, EdgeKind::Weak, 0, own);
    let heap = heap.build();
    let owners = heap.unique_owners(RowSet::of(heap.objects.len(), |_| true));
    assert_eq!(owners.of(own), Some(a));
    assert_eq!(owners.of(shared), None);
    assert_eq!(owners.of(a), None);
    assert_eq!(owners.of(u32::MAX), None);
    let one = heap.unique_owners(set(&heap, &[own, u32::MAX]));
    assert_eq!((one.of(own), one.of(shared)), (Some(a), None));
}

#[test]
fn references_of_parts_are_those_of_their_owner() {
    let mut heap = HeapBuilder::new();
    let key = heap.string("key");
    let map = heap.map(4, &[(key, key)]);
    heap.edge(map, EdgeKind::Internal, 0, key);
    let heap = heap.build();
    assert_eq!(heap.unique_owners(set(&heap, &[key])).of(key), Some(map));
}

#[test]
fn references_that_keep_a_row_alive_are_counted() {
    let mut heap = HeapBuilder::new();
    let (once, often, weakly) = (heap.string("once"), heap.string("often"), heap.string("weakly"));
    let list = heap.array(3, &[once, often, often]);
    let owner = heap.record("Owner", &[("name", often)]);
    heap.edge(owner, EdgeKind::Weak, 0, weakly);
    heap.edge(owner, EdgeKind::Field, 9, owner);
    let heap = heap.build();
    let counts = heap.reference_counts(RowSet::of(heap.objects.len(), |row| row != list));
    let of = |row| counts.of(row);
    assert_eq!(
        [of(once), of(often), of(weakly), of(owner), of(list)],
        [1, 3, 0, 0, 0]
    );
}

#[test]
fn a_row_with_a_reference_beyond_the_counted_ones_is_held_otherwise() {
    let mut heap = HeapBuilder::new();
    let (one, two, unasked) = (heap.string("one"), heap.string("two"), heap.string("unasked"));
    let a = heap.record("A", &[("x", one), ("y", two), ("z", unasked)]);
    heap.record("B", &[("x", two), ("z", unasked)]);
    let heap = heap.build();
    let held = heap.held_otherwise(&set(&heap, &[one, two]), |reference| reference.from != a);
    assert!(held.rows().eq([two]));
}

#[test]
fn all_places_of_a_row_are_reported_in_order() {
    let mut heap = HeapBuilder::new();
    let (shared, other) = (heap.string("shared"), heap.string("other"));
    let a = heap.record("A", &[("x", shared), ("y", shared), ("z", other)]);
    let b = heap.record("B", &[("x", shared)]);
    let heap = heap.build();
    let places = heap.places_of(&set(&heap, &[shared]), |_| true);
    let from = |id| -> Vec<ObjectId> { places.of(id).iter().map(|place| place.from).collect() };
    assert_eq!(from(shared), [a, a, b]);
    assert_eq!(from(other), []);
    let fields = heap.places_of(&set(&heap, &[shared]), |place| place.from == b);
    assert_eq!(fields.of(shared).len(), 1);
}

#[test]
fn references_of_the_program_are_distinguished_from_the_runtimes() {
    let mut heap = HeapBuilder::new();
    let (key, value, cache, repeated) = (
        heap.string("key"),
        heap.string("value"),
        heap.string("cache"),
        heap.string("repeated"),
    );
    let table = heap.object(Kind::Table, "Map", 32);
    let store = heap.object(Kind::Runtime, "", 152);
    heap.part(table, store);
    heap.edge(store, EdgeKind::Key, 0, key)
        .edge(store, EdgeKind::Value, 0, value)
        .edge(store, EdgeKind::Internal, 0, cache);
    let array = heap.array(1, &[repeated]);
    let slots = heap.object(Kind::Opaque, "slots", 16);
    heap.part(array, slots);
    heap.edge(slots, EdgeKind::Internal, 0, repeated);
    let heap = heap.build();
    let rows = set(&heap, &[key, value, cache, repeated]);
    let held = heap.held_otherwise(&rows, |reference| {
        reference.from != array && reference.is_of_program(&heap)
    });
    assert!(held.rows().eq([key, value]));
}

#[test]
fn entries_of_a_table_hold_though_their_store_is_the_runtimes() {
    let mut heap = HeapBuilder::new();
    let (key, value, cache) = (heap.string("key"), heap.string("value"), heap.string("cache"));
    for string in [key, value, cache] {
        heap.record("A", &[("x", string)]);
    }
    let table = heap.object(Kind::Table, "Map", 32);
    let store = heap.object(Kind::Runtime, "", 152);
    heap.part(table, store);
    heap.edge(store, EdgeKind::Key, 0, key)
        .edge(store, EdgeKind::Value, 0, value)
        .edge(store, EdgeKind::Internal, 0, cache);
    let heap = heap.build();
    let held = heap.held_elsewhere([key, value, cache].into_par_iter());
    assert!(held.has(key) && held.has(value) && !held.has(cache));
}

#[test]
fn another_field_holds_and_the_same_field_does_not() {
    let mut heap = HeapBuilder::new();
    let same = heap.string("same");
    let other = heap.string("other");
    for _ in 0..2 {
        heap.record("A", &[("x", same)]);
    }
    heap.record("A", &[("x", other)]);
    heap.record("B", &[("x", other)]);
    let heap = heap.build();
    let held = heap.held_elsewhere([same, other].into_par_iter());
    assert!(!held.has(same) && held.has(other));
}
