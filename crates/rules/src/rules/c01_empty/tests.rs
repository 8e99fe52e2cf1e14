use deadweight_heap::{EdgeKind, HeapBuilder, UNKNOWN};

use super::*;

fn keep(heap: &mut HeapBuilder, field: &str, value: ObjectId) {
    let node = heap.record("Node", &[(field, value)]);
    heap.variable("nodes", node);
}

#[test]
fn empty_containers_are_claimed_whole() {
    let mut heap = HeapBuilder::new();
    for i in 0..20 {
        let element = heap.string("x");
        let children = if i < 16 {
            heap.array(4, &[])
        } else {
            heap.array(1, &[element])
        };
        keep(&mut heap, "children", children);
    }
    let found = Empty.look(&heap.build()).candidates;
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].holder, "Node.children");
    assert_eq!((found[0].count, found[0].unaffected), (16, 4));
    assert_eq!(found[0].net(), 16 * (32 + 48));
    assert_eq!(found[0].title, "16 arrays are empty");
}

#[test]
fn tables_and_records_count_too_and_add_up_at_one_place() {
    let mut heap = HeapBuilder::new();
    for _ in 0..8 {
        let map = heap.map(4, &[]);
        keep(&mut heap, "extra", map);
        let record = heap.record("Extra", &[]);
        keep(&mut heap, "extra", record);
    }
    let found = Empty.look(&heap.build()).candidates;
    assert_eq!(found[0].net(), 8 * (32 + 56 + 96) + 8 * 16);
    assert_eq!(found[0].title, "8 tables, 8 records are empty");
}

#[test]
fn a_shape_goes_with_its_only_record() {
    let mut heap = HeapBuilder::new();
    for _ in 0..16 {
        let shape = heap.shape(0);
        let record = heap.record_with_shape("Extra", shape, &[]);
        keep(&mut heap, "extra", record);
    }
    let found = Empty.look(&heap.build()).candidates;
    assert_eq!(found[0].net(), 16 * (16 + 72));
}

#[test]
fn a_few_are_no_habit() {
    let mut heap = HeapBuilder::new();
    for _ in 0..15 {
        let children = heap.array(0, &[]);
        keep(&mut heap, "children", children);
    }
    assert!(Empty.look(&heap.build()).candidates.is_empty());
}

#[test]
fn tables_that_may_be_empty_are_said_to_be_unmeasured_when_they_weigh() {
    let verdict_of = |others: u64| {
        let mut heap = HeapBuilder::new();
        let map = heap.map(4, &[]);
        heap.change_table(map, |table| table.used = UNKNOWN);
        keep(&mut heap, "extra", map);
        let x = heap.string("x");
        let seen = heap.map(4, &[(x, x)]);
        heap.change_table(seen, |table| table.used = UNKNOWN);
        keep(&mut heap, "seen", seen);
        let other = heap.record("Other", &[]);
        heap.resize(other, others);
        heap.variable("other", other);
        Empty.look(&heap.build())
    };
    let verdict = verdict_of(1_000);
    assert!(verdict.candidates.is_empty());
    assert_eq!(verdict.not_measured.len(), 1);
    let why = &verdict.not_measured[0].why;
    assert!(
        why.starts_with("whether 1 container (184 bytes) is empty"),
        "{why}"
    );
    assert!(verdict_of(100_000).not_measured.is_empty());
}

#[test]
fn unknown_use_hidden_state_and_hidden_entries_are_not_empty() {
    let mut heap = HeapBuilder::new();
    for _ in 0..20 {
        let numbers = heap.array(4, &[]);
        heap.change_array(numbers, |array| array.used = UNKNOWN);
        keep(&mut heap, "numbers", numbers);
        let promise = heap.record("Promise", &[]);
        heap.resize(promise, 40);
        keep(&mut heap, "done", promise);
        let wrapper = heap.record("Wrapper", &[]);
        let inner = heap.string("inner");
        heap.edge(wrapper, EdgeKind::Internal, 0, inner);
        keep(&mut heap, "wrapper", wrapper);
    }
    assert!(Empty.look(&heap.build()).candidates.is_empty());
}

/// A list of a class that adds a field may have everything in that field.
#[test]
fn containers_with_fields_beside_their_entries_are_not_empty() {
    let mut heap = HeapBuilder::new();
    for _ in 0..20 {
        let list = heap.array(4, &[]);
        heap.resize(list, 40);
        keep(&mut heap, "list", list);
        let map = heap.map(4, &[]);
        heap.resize(map, 48);
        keep(&mut heap, "map", map);
    }
    assert!(Empty.look(&heap.build()).candidates.is_empty());
}

/// Such a field may stand in a hole that the object has anyway.
#[test]
fn declared_fields_beside_entries_count_where_they_take_no_room() {
    let mut heap = HeapBuilder::new();
    let field = [("id", deadweight_heap::Representation::Integer(4))];
    heap.class("Map", None, &field);
    for _ in 0..20 {
        let map = heap.map(4, &[]);
        keep(&mut heap, "map", map);
    }
    assert!(Empty.look(&heap.build()).candidates.is_empty());
}

/// An object that can never hold anything is a strategy, a lock or a marker.
#[test]
fn records_of_types_that_declare_no_field_are_no_containers() {
    let mut heap = HeapBuilder::new();
    let strategy = heap.class("Strategy", None, &[]);
    for _ in 0..20 {
        let row = heap.instance(strategy, &[]);
        keep(&mut heap, "strategy", row);
    }
    assert!(Empty.look(&heap.build()).candidates.is_empty());
}

#[test]
fn the_default_of_an_empty_table_goes_with_it() {
    let mut heap = HeapBuilder::new();
    let method = heap.object(Kind::Closure, "method", 100);
    heap.variable("method", method);
    for _ in 0..16 {
        let table = heap.map(4, &[]);
        let block = heap.object(Kind::Closure, "Proc", 80);
        let variables = heap.object(Kind::Scope, "variables", 120);
        heap.edge(table, EdgeKind::Internal, 0, block)
            .edge(block, EdgeKind::Internal, 0, variables)
            .edge(block, EdgeKind::Internal, 1, method)
            .edge(variables, EdgeKind::Variable, 0, table);
        keep(&mut heap, "by_name", table);
    }
    let heap = heap.build();
    let table = heap.tables[0].object;
    let found = Empty.look(&heap).candidates;
    let each = heap.whole_bytes(table) + 80 + 120;
    assert_eq!(found[0].net(), 16 * each.cast_signed());
}

#[test]
fn an_empty_table_that_is_the_default_of_another_is_claimed_once() {
    let mut heap = HeapBuilder::new();
    for _ in 0..16 {
        let [table, default] = [(); 2].map(|()| heap.map(4, &[]));
        heap.edge(table, EdgeKind::Internal, 0, default);
        keep(&mut heap, "by_name", table);
    }
    let heap = heap.build();
    let found = Empty.look(&heap).candidates;
    let tables: i64 = heap
        .tables
        .iter()
        .map(|table| heap.whole_bytes(table.object).cast_signed())
        .sum();
    assert_eq!(found.iter().map(Candidate::net).sum::<i64>(), tables);
}
