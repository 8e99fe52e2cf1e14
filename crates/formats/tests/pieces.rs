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
fn a_joined_string_shows_its_text_where_its_pieces_do() {
    let mut made = program(8);
    let holder = made.node("object", "Holder", 64);
    made.edge(7, "context", "holder", holder);
    let mut joined = |field: &str, first: (&str, u64), second: (&str, u64)| {
        let rope = made.node("concatenated string", "(concatenated string)", 32);
        for (name, (text, bytes)) in [("first", first), ("second", second)] {
            let piece = made.node("string", text, bytes);
            made.edge(rope, "internal", name, piece);
        }
        made.edge(holder, "property", field, rope);
    };
    joined("flattened", ("all of it", 32), ("", 16));
    joined("pieces", ("one", 24), ("other", 24));
    joined("equal", ("oneo", 24), ("ther", 24));
    joined("escaped", ("one", 24), ("\"other\"", 24));
    joined("long", ("only its beginning", 4096), ("", 16));
    // A dump without texts: the second is no empty one.
    joined("hidden", ("one", 24), ("", 24));
    let heap = heap_of(&made);
    let holder = named(&heap, "Holder")[0];
    let shown = heap.edges.of(holder).filter_map(|edge| {
        let name = heap.texts.get(edge.field()?);
        let text = heap.texts.get(heap.objects.label[edge.to as usize]);
        Some((
            name.to_string(),
            heap.shows_text(edge.to).then(|| text.to_string()),
        ))
    });
    let shown: Vec<(String, Option<String>)> = shown.collect();
    let expected = [
        ("flattened", Some("all of it")),
        ("pieces", Some("oneother")),
        ("equal", Some("oneother")),
        ("escaped", Some("one\"other\"")),
        ("long", None),
        ("hidden", None),
    ];
    let label = |field: &str| {
        let mut edges = heap.edges.of(holder);
        let edge = edges.find(|edge| edge.field().is_some_and(|name| heap.texts.get(name) == field));
        heap.objects.label[edge.unwrap().to as usize]
    };
    assert_eq!(label("pieces"), label("equal"), "equal text has one number");
    assert_eq!(
        shown,
        expected.map(|(name, text)| (name.into(), text.map(Into::into)))
    );
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
