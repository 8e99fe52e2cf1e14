use deadweight_heap::{HeapBuilder, Kind, ObjectId};

use super::*;

fn own_shapes(heap: &mut HeapBuilder, class: &str, count: usize) -> Vec<ObjectId> {
    let value = heap.object(Kind::Runtime, "null", 0);
    let make = |heap: &mut HeapBuilder| {
        let shape = heap.shape(2);
        let list = heap.object(Kind::Runtime, "descriptors", 48);
        heap.part(shape, list);
        heap.record_with_shape(class, shape, &[("a", value), ("b", value)])
    };
    (0..count).map(|_| make(heap)).collect()
}

#[test]
fn all_own_shapes_but_one_are_claimed_with_their_lists() {
    let mut heap = HeapBuilder::new();
    own_shapes(&mut heap, "", 20);
    let found = ShapePerObject.look(&heap.build()).candidates;
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].holder, "{a, b}");
    assert_eq!(found[0].net(), 19 * (72 + 48 + 48));
    assert_eq!(found[0].count, 20);
    assert_eq!(found[0].evidence["shapes"], 20);
}

#[test]
fn a_shared_shape_serves_the_others() {
    let mut heap = HeapBuilder::new();
    let value = heap.object(Kind::Runtime, "null", 0);
    own_shapes(&mut heap, "M", 20);
    for _ in 0..10 {
        heap.record("M", &[("a", value), ("b", value)]);
    }
    let found = ShapePerObject.look(&heap.build()).candidates;
    assert_eq!(found[0].net(), 20 * 168);
    assert_eq!(found[0].unaffected, 10);
}

#[test]
fn fields_outside_the_object_move_in() {
    let mut heap = HeapBuilder::new();
    for id in own_shapes(&mut heap, "M", 16) {
        let store = heap.object(Kind::Opaque, "store", 40);
        heap.part(id, store);
    }
    let found = ShapePerObject.look(&heap.build()).candidates;
    assert_eq!(found[0].net(), 15 * 168 + 16 * 40);
}

#[test]
fn numbered_slots_keep_their_store() {
    let mut heap = HeapBuilder::new();
    for id in own_shapes(&mut heap, "M", 16) {
        let store = heap.object(Kind::Opaque, "store", 40);
        heap.part(id, store)
            .edge(id, deadweight_heap::EdgeKind::Element, 0, store);
    }
    let found = ShapePerObject.look(&heap.build()).candidates;
    assert_eq!(found[0].net(), 15 * 168);
}

#[test]
fn few_shapes_or_shared_ones_are_fine() {
    let mut heap = HeapBuilder::new();
    let value = heap.object(Kind::Runtime, "null", 0);
    own_shapes(&mut heap, "Few", 15);
    for i in 0..100 {
        let name = format!("f{}", i % 20);
        heap.record("Shared", &[(&name, value)]);
    }
    assert!(ShapePerObject.look(&heap.build()).candidates.is_empty());
}

#[test]
fn objects_with_fields_of_their_own_are_maps() {
    let mut heap = HeapBuilder::new();
    let value = heap.object(Kind::Runtime, "null", 0);
    for i in 0..40 {
        let shape = heap.shape(1);
        let name = heap.text(&format!("key{i}"));
        heap.shape_fields(shape, &[name]);
        heap.record_with_shape("Headers", shape, &[(&format!("key{i}"), value)]);
    }
    assert!(ShapePerObject.look(&heap.build()).candidates.is_empty());
}

#[test]
fn a_shape_that_others_use_too_stays() {
    let mut heap = HeapBuilder::new();
    let value = heap.object(Kind::Runtime, "null", 0);
    for _ in 0..20 {
        let shape = heap.shape(1);
        heap.record_with_shape("A", shape, &[("a", value)]);
        heap.record_with_shape("B", shape, &[("a", value)]);
    }
    assert!(ShapePerObject.look(&heap.build()).candidates.is_empty());
}

#[test]
fn a_record_with_a_broken_shape_is_passed_over() {
    let mut heap = HeapBuilder::new();
    let value = heap.object(Kind::Runtime, "null", 0);
    own_shapes(&mut heap, "M", 16);
    heap.record_with_shape("M", value, &[("a", value)]);
    assert_eq!(ShapePerObject.look(&heap.build()).candidates.len(), 1);
}

fn own_classes(heap: &mut HeapBuilder, ty: &str, codes: impl IntoIterator<Item = u32>) {
    let value = heap.object(Kind::Runtime, "nil", 0);
    for code in codes {
        let object = heap.record(ty, &[("a", value)]);
        let class = heap.object(Kind::Runtime, "class", 1000);
        let method = heap.object(Kind::Runtime, "method", 50);
        heap.own_class(object, class, code).part(class, method);
    }
}

#[test]
fn classes_of_one_object_go_with_their_methods_but_for_one() {
    let mut heap = HeapBuilder::new();
    own_classes(&mut heap, "Point", [7; 20]);
    let heap = heap.build();
    let found = ShapePerObject.look(&heap).candidates;
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].holder.as_str(), found[0].count), ("Point", 20));
    assert_eq!((found[0].net(), found[0].bytes_now), (19 * 1050, 20 * 1050));
}

#[test]
fn each_code_keeps_a_class() {
    let mut heap = HeapBuilder::new();
    own_classes(&mut heap, "Point", (0..40).map(|i| i % 2).chain(2..5));
    let found = ShapePerObject.look(&heap.build()).candidates;
    assert_eq!(found.len(), 1);
    assert_eq!(
        (found[0].count, found[0].unaffected, found[0].net()),
        (40, 3, 38 * 1050)
    );
}

#[test]
fn objects_with_methods_of_other_code_are_not_of_one_sort() {
    let mut heap = HeapBuilder::new();
    own_classes(&mut heap, "Handler", 0..40);
    own_classes(&mut heap, "Few", [100; 15]);
    assert!(ShapePerObject.look(&heap.build()).candidates.is_empty());
}
