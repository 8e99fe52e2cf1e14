use deadweight_heap::{EdgeKind, HeapBuilder, Kind, NODES, ObjectId};

use super::*;

/// A list with a node of `bytes` for each element, in a field of a record.
fn list(heap: &mut HeapBuilder, elements: usize, bytes: u64) -> ObjectId {
    let list = heap.array(0, &[]);
    heap.change_array(list, |array| {
        (array.implementation, array.store) = (NODES, list);
        (array.used, array.capacity) = (elements as u32, elements as u32);
    });
    for at in 0..elements {
        let node = heap.object(Kind::Opaque, "node", bytes);
        heap.part(list, node);
        heap.edge(list, EdgeKind::Internal, at as u32, node);
        let element = heap.string(&format!("element {at}"));
        heap.edge(node, EdgeKind::Element, 0, element);
    }
    let record = heap.record("Row", &[("list", list)]);
    heap.variable("rows", record);
    list
}

fn look(heap: HeapBuilder) -> Vec<Candidate> {
    Nodes.look(&heap.build()).candidates
}

#[test]
fn lists_of_nodes_are_priced_as_arrays_of_their_length() {
    let mut heap = HeapBuilder::new();
    for elements in [5, 10, 85] {
        list(&mut heap, elements, 24);
    }
    let found = look(heap);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].holder, "Row.list");
    assert_eq!(found[0].title, "3 lists have a node for each of 100 elements");
    // An array of the builder's has 48 bytes and eight for each slot, a list without slots 32.
    assert_eq!(found[0].net(), 3 * 32 + 100 * 24 - (3 * 48 + 100 * 8));
}

#[test]
fn few_nodes_small_ones_and_those_that_are_not_all_known_are_passed_over() {
    let mut heap = HeapBuilder::new();
    list(&mut heap, 63, 24);
    assert!(look(heap).is_empty());
    let mut heap = HeapBuilder::new();
    for _ in 0..100 {
        list(&mut heap, 1, 24);
    }
    assert!(look(heap).is_empty(), "an array costs as much as one node");
    let mut heap = HeapBuilder::new();
    let list = list(&mut heap, 100, 24);
    heap.change_array(list, |array| array.used = 101);
    assert!(look(heap).is_empty());
    let mut heap = HeapBuilder::new();
    let values: Vec<ObjectId> = (0..100).map(|at| heap.string(&format!("{at}"))).collect();
    let array = heap.array(100, &values);
    heap.variable("array", array);
    assert!(look(heap).is_empty());
}
