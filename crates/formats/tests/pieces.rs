//! What the file says of an object and is no part of it: tables of the engine that list its strings, and accessors.

mod crafted;

use crafted::{Crafted, Style, program, read};
use deadweight_heap::{EdgeKind, Heap, Kind, ObjectId};

fn heap_of(snapshot: &Crafted) -> Heap {
    read(snapshot.write(&Style::default()).as_bytes()).unwrap().heap
}

/// The program's own objects of one type.
fn named(heap: &Heap, name: &str) -> Vec<ObjectId> {
    let is_named = |&id: &ObjectId| heap.type_name(id) == name && heap.kind(id) == Kind::Record;
    heap.rows().filter(is_named).collect()
}

#[test]
fn a_string_is_the_programs_though_a_table_of_the_engine_lists_it() {
    for table in ["(Internalized strings)", "(External strings)"] {
        let mut made = program(8);
        let strings = made.node("synthetic", table, 0);
        made.edge(1, "element", "7", strings);
        let holder = made.node("object", "Object", 32);
        made.edge(7, "context", "holder", holder);
        let text = made.node("string", "short", 24);
        made.edge(strings, "internal", "0", text);
        made.edge(holder, "property", "text", text);
        let heap = heap_of(&made);
        let held = heap.rows().find(|&id| {
            heap.kind(id) == Kind::String && heap.texts.get(heap.objects.label[id as usize]) == "short"
        });
        let held = held.unwrap();
        assert!(heap.in_program(held), "{table}");
        let (from, via) = heap.referrers.of(held).unwrap();
        assert_eq!((heap.kind(from), via.kind()), (Kind::Record, EdgeKind::Field));
    }
}

#[test]
fn an_accessor_is_no_field() {
    let mut made = program(8);
    let items = named(&heap_of(&made), "Item");
    let pair = made.node("hidden", "system / AccessorPair", 24);
    let getter = made.node("hidden", "system / FunctionTemplateInfo", 104);
    for &item in &items {
        let item = item as usize;
        made.edge(item, "property", "mean", pair);
        made.edge(item, "property", "get mean", getter);
        // A field that merely has such a name.
        made.edge(item, "property", "get there", getter);
    }
    let heap = heap_of(&made);
    for id in items {
        let fields: Vec<_> = heap
            .edges
            .of(id)
            .filter_map(deadweight_heap::Edge::field)
            .collect();
        let fields: Vec<_> = fields.into_iter().map(|name| heap.texts.get(name)).collect();
        assert_eq!(fields, ["name", "when", "get there"]);
        assert_eq!(heap.record(id).unwrap().used, 2);
    }
}
