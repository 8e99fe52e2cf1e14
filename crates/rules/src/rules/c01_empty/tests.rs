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

/// What many refer to is nobody's alone, and what it refers to was never counted as the table's.
#[test]
fn what_a_shared_object_refers_to_stays() {
    let mut heap = HeapBuilder::new();
    let shared = heap.object(Kind::Scope, "shared", 100);
    for at in 0..32 {
        let table = heap.map(4, &[]);
        let block = heap.object(Kind::Closure, "Proc", 80);
        heap.edge(table, EdgeKind::Internal, 0, block)
            .edge(block, EdgeKind::Internal, 0, shared)
            .edge(shared, EdgeKind::Variable, at, block)
            .edge(shared, EdgeKind::Variable, 100 + at, block);
        heap.variable("block", block);
        keep(&mut heap, "by_name", table);
    }
    let heap = heap.build();
    let table = heap.whole_bytes(heap.tables[0].object).cast_signed();
    assert_eq!(Empty.look(&heap).candidates[0].net(), 32 * table);
}

/// What makes the values of absent keys is no content, whatever it is called; one that others have stays.
#[test]
fn a_field_with_the_default_leaves_a_table_empty() {
    let mut heap = HeapBuilder::new();
    let shared = heap.object(Kind::Closure, "function", 100);
    heap.variable("shared", shared);
    let (factory, other) = (heap.text("default_factory"), heap.text("other"));
    for at in 0..48 {
        let table = heap.map(4, &[]);
        let own = heap.object(Kind::Closure, "function", 80);
        let (field, to) = match at % 3 {
            0 => (factory, own),
            1 => (factory, shared),
            _ => (other, own),
        };
        heap.edge(table, EdgeKind::Field, field, to);
        keep(&mut heap, ["own", "shared", "other"][at % 3], table);
    }
    heap.default_field("Map", "default_factory");
    let heap = heap.build();
    let each = heap.whole_bytes(heap.tables[0].object).cast_signed();
    let mut found = Empty.look(&heap).candidates;
    found.sort_by(|a, b| a.holder.cmp(&b.holder));
    let found: Vec<_> = found
        .iter()
        .map(|found| (found.holder.as_str(), found.net()))
        .collect();
    assert_eq!(
        found,
        [("Node.own", 16 * (each + 80)), ("Node.shared", 16 * each)]
    );
}

/// What a library's class keeps in its containers is at no place of the program's.
#[test]
fn a_container_of_the_library_is_one_with_all_that_it_alone_holds() {
    let mut heap = HeapBuilder::new();
    let method = heap.object(Kind::Closure, "method", 100);
    heap.variable("method", method);
    let x = heap.string("x");
    for at in 0..32 {
        let entries = [x];
        let items = heap.array(1, if at < 16 { &[] } else { &entries });
        let pending = heap.array(0, &[]);
        let set = heap.record("WeakSet", &[("data", items), ("pending", pending)]);
        let remove = heap.object(Kind::Closure, "remove", 80);
        let cell = heap.object(Kind::Runtime, "cell", 24);
        let to_remove = heap.text("remove");
        heap.edge(set, EdgeKind::Field, to_remove, remove)
            .edge(remove, EdgeKind::Internal, 0, cell)
            .edge(remove, EdgeKind::Internal, 1, method)
            .edge(cell, EdgeKind::Internal, 0, remove)
            .edge(cell, EdgeKind::Weak, 0, set);
        keep(&mut heap, "watchers", set);
    }
    heap.library_holds("WeakSet", &["data"]);
    let heap = heap.build();
    let set = heap
        .records
        .iter()
        .find(|record| heap.type_name(record.object) == "WeakSet");
    let set = set.unwrap().object;
    let found = Empty.look(&heap).candidates;
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(
        (found[0].holder.as_str(), found[0].count, found[0].unaffected),
        ("Node.watchers", 16, 16)
    );
    assert_eq!(found[0].title, "16 containers are empty");
    let arrays: u64 = heap.arrays[..2]
        .iter()
        .map(|array| heap.whole_bytes(array.object))
        .sum();
    let each = heap.whole_bytes(set) + arrays + 80 + 24;
    assert_eq!(found[0].net(), 16 * each.cast_signed());
}
