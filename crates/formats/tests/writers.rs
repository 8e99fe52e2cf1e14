//! Files of other writers: white space, sections in another order, sections, fields and types nobody knows yet, and
//! compressed pointers read as the plain file does.

mod crafted;

use std::fmt::Write as _;

use crafted::{Crafted, Style, program, read};
use deadweight_heap::Representation::Any;
use deadweight_heap::{EdgeKind, Heap, Holders, Implementation, Kind, TableKind, UNKNOWN};

fn heap_of(snapshot: &Crafted, style: &Style) -> Heap {
    let text = snapshot.write(style);
    read(text.as_bytes())
        .unwrap_or_else(|error| panic!("{error}\n{text}"))
        .heap
}

/// All that a rule can see of the program's objects.
fn dump(heap: &Heap) -> String {
    let mut out = String::new();
    let holders = Holders::new(heap);
    for id in heap.rows().filter(|&id| heap.in_program(id)) {
        let holder = holders.of(id);
        let _ = writeln!(
            out,
            "{:?} {} {} bytes, {} with parts, at {} {:?} {:?} {:?} {:?}",
            heap.kind(id),
            heap.type_name(id),
            heap.bytes(id),
            heap.whole_bytes(id),
            holders.name(holder),
            heap.record(id).map(|it| (it.used, it.available, it.dictionary)),
            heap.array(id).map(|it| (it.used, it.capacity)),
            heap.table(id).map(|it| (it.used, it.capacity, it.set)),
            heap.buffer(id).map(|it| (it.bytes, it.is_backing)),
        );
        for edge in heap.edges.of(id) {
            if edge.via.kind() == EdgeKind::Field {
                let _ = writeln!(out, "  .{} -> {}", heap.texts.get(edge.via.name()), edge.to);
            }
        }
    }
    out
}

#[test]
fn the_shape_of_the_file_does_not_matter() {
    let made = program(8);
    let plain = dump(&heap_of(&made, &Style::default()));
    assert!(plain.contains("Record Item 40 bytes"), "{plain}");
    let styles = [
        Style {
            line: "",
            ..Style::default()
        },
        Style {
            white: " \n\t ",
            line: " \r\n ",
            ..Style::default()
        },
        Style {
            sections: vec!["strings", "edges", "locations", "nodes", "snapshot"],
            ..Style::default()
        },
        Style {
            sections: vec!["edges", "strings", "snapshot", "nodes", "words"],
            ..Style::default()
        },
        Style {
            sections: vec![
                "words", "snapshot", "strings", "things", "nodes", "edges", "things",
            ],
            ..Style::default()
        },
        Style {
            node_fields: vec!["edge_count", "colour", "self_size", "id", "taste", "name", "type"],
            edge_fields: vec!["to_node", "weight", "name_or_index", "type"],
            ..Style::default()
        },
        Style {
            node_fields: vec!["type", "name", "self_size", "edge_count"],
            ..Style::default()
        },
    ];
    for style in styles {
        assert_eq!(dump(&heap_of(&made, &style)), plain, "{style:?}");
    }
}

#[test]
fn types_nobody_knows_keep_their_bytes_and_references() {
    let mut made = program(8);
    let before = heap_of(&made, &Style::default());
    let new = made.node("wasm garden", "flower", 4_000);
    let text = made.node("string", "held by a flower", 32);
    made.edge(1, "element", "9", new);
    made.edge(new, "scent", "petal", text);
    let heap = heap_of(&made, &Style::default());
    let new = new as u32;
    assert_eq!(heap.rows().len(), before.rows().len() + 2);
    assert_eq!((heap.kind(new), heap.bytes(new)), (Kind::Opaque, 4_000));
    let kept: Vec<u32> = heap.edges.of(new).map(|edge| edge.to).collect();
    assert_eq!(kept, [text as u32]);
}

#[test]
fn compressed_pointers_are_seen_in_the_file() {
    let heap = heap_of(&program(4), &Style::default());
    assert_eq!(heap.runtime.word_bytes, 4);
    assert_eq!(heap.layout.elements(Any, 1), 4);
    assert_eq!(heap.layout.shape(2), 40 + 16 + 24);
    assert_eq!(heap.layout.boxed(Any), 12);
    assert_eq!(heap.layout.small_integers(), Some((-(1 << 30), (1 << 30) - 1)));
    let item = heap.records.iter().find(|it| heap.type_name(it.object) == "Item");
    let item = item.unwrap();
    assert_eq!((item.used, item.available), (2, 2));
    assert_eq!(heap.layout.record_of(Any, 2), heap.bytes(item.object));
    let array = heap.arrays.iter().find(|it| it.capacity != UNKNOWN).unwrap();
    assert_eq!((array.used, array.capacity), (2, 17));
    let table = heap.tables[0];
    assert_eq!((table.used, table.capacity, table.set), (1, 4, false));
    assert_eq!(
        heap.layout.table(Implementation::USUAL, TableKind::Map, 1),
        Some(heap.whole_bytes(table.object))
    );
}

#[test]
fn full_words_are_seen_in_the_file() {
    let heap = heap_of(&program(8), &Style::default());
    assert_eq!(heap.runtime.word_bytes, 8);
    assert_eq!(heap.layout.shape(2), 72 + 24 + 48);
    assert_eq!(heap.layout.date(), 112);
}

#[test]
fn class_names_are_shown_as_they_are_written() {
    let mut made = program(8);
    let it = made.node("object", "Größe", 32);
    made.edge(5, "context", "größe", it);
    let text = made
        .write(&Style::default())
        .replace("ö", "\\u00f6")
        .replace("ß", "\\u00DF");
    let heap = read(text.as_bytes()).unwrap().heap;
    let holders = Holders::new(&heap);
    let holder = holders.of(it as u32);
    assert_eq!(heap.type_name(it as u32), "Größe");
    assert_eq!(holders.name(holder), "größe");
}
