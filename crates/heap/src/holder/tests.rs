use super::*;
use crate::{Around, EdgeKind, HeapBuilder, Kind};

/// The name of the place of a text in so many maps, one in another, the outermost of which `hold` keeps.
fn name_in_maps(maps: usize, hold: impl FnOnce(&mut HeapBuilder, ObjectId)) -> String {
    let mut heap = HeapBuilder::new();
    let text = heap.string("text");
    let mut value = text;
    for at in 0..maps {
        let key = heap.string(&at.to_string());
        value = heap.map(1, &[(key, value)]);
    }
    hold(&mut heap, value);
    let heap = heap.build();
    let holders = Holders::new(&heap);
    holders.name(holders.of(text))
}

#[test]
fn what_is_deep_in_containers_is_named_by_what_owns_them() {
    let field = |heap: &mut HeapBuilder, map| {
        heap.record("Trie", &[("root", map)]);
    };
    let variable = |heap: &mut HeapBuilder, map| {
        heap.variable("words", map);
    };
    assert_eq!(name_in_maps(2, field), "Trie.root{}{}");
    assert_eq!(name_in_maps(3, variable), "words{}{}{}");
    for maps in [5, 60] {
        assert_eq!(name_in_maps(maps, field), "Trie.root{…}{}{}{}{}");
        assert_eq!(name_in_maps(maps, variable), "words{…}{}{}{}{}");
    }
    // Nothing names the outermost: its type is what is known.
    assert_eq!(name_in_maps(2, |_, _| ()), "(Map){}{}");
    assert_eq!(name_in_maps(60, |_, _| ()), "(Map){}{}{}{}");
}

#[test]
fn containers_in_a_circle_end_nowhere() {
    let mut heap = HeapBuilder::new();
    let (a, b) = (heap.array(0, &[]), heap.array(0, &[]));
    heap.edge(a, EdgeKind::Element, 0, b)
        .edge(b, EdgeKind::Element, 0, a);
    let heap = heap.build();
    let holders = Holders::new(&heap);
    for row in [a, b] {
        assert_eq!(holders.name(holders.of(row)), "(elsewhere)[][][][]");
    }
}

#[test]
fn each_reference_is_a_place() {
    let mut heap = HeapBuilder::new();
    let text = heap.string("text");
    heap.record("Cell", &[("v", text), ("h", text)]);
    let list = heap.array(1, &[text]);
    heap.variable("all", list);
    let hidden = heap.object(Kind::Opaque, "hidden", 8);
    heap.edge(hidden, EdgeKind::Internal, 0, text);
    let heap = heap.build();
    let holders = Holders::new(&heap);
    let rows = heap.row_set([text]);
    let places = heap.places_of(&rows, |_| true);
    let places = places.of(text).iter().filter_map(|one| holders.held_at(*one));
    let mut names: Vec<String> = places.map(|place| holders.name_held_at(place)).collect();
    names.sort_unstable();
    assert_eq!(names, ["Cell.h", "Cell.v", "all[]"]);
}

#[test]
fn a_text_that_slices_in_several_fields_show_is_no_single_field_s() {
    let place = |fields: &[(&str, &str)]| {
        let mut heap = HeapBuilder::new();
        let line = heap.string("name: value");
        for (ty, field) in fields {
            let window = heap.slice(line, "value");
            heap.record(ty, &[(field, window)]);
        }
        let heap = heap.build();
        let holders = Holders::new(&heap);
        holders.name(holders.of(line))
    };
    assert_eq!(place(&[("Row", "a"), ("Row", "a")]), "Row.a");
    assert_eq!(place(&[("Row", "a"), ("Row", "b"), ("Row", "a")]), "Row.*");
    assert_eq!(place(&[("Row", "b"), ("Row", "a")]), "Row.*");
    // No type has it alone: it stands where it stood.
    assert_eq!(place(&[("Row", "a"), ("Row", "b"), ("Other", "c")]), "Row.a");
}

#[test]
fn what_a_record_stands_for_is_held_where_that_is() {
    let mut heap = HeapBuilder::new();
    let text = heap.string("text");
    let list = heap.array(1, &[text]);
    let view = heap.record("ReadOnly", &[("list", list)]);
    heap.record("Order", &[("lines", view)]);
    heap.stands_for("ReadOnly", "list", Around::Whole);
    let heap = heap.build();
    let holders = Holders::new(&heap);
    let name = |row| holders.name(holders.of(row));
    assert_eq!(
        [view, list, text].map(name),
        ["Order.lines", "Order.lines", "Order.lines[]"]
    );
}

#[test]
fn what_stands_in_fields_as_in_a_container_is_named_so() {
    let mut heap = HeapBuilder::new();
    let [first, key, value] = ["first", "key", "value"].map(|text| heap.string(text));
    let few = heap.record("Few", &[("e0", first)]);
    let entry = heap.record("Entry", &[("k", key), ("v", value)]);
    heap.record("Order", &[("lines", few), ("note", entry)]);
    heap.stands_for("Few", "e0", Around::Element);
    heap.stands_for("Entry", "k", Around::Key);
    heap.stands_for("Entry", "v", Around::Value);
    let heap = heap.build();
    let holders = Holders::new(&heap);
    let name = |row| holders.name(holders.of(row));
    assert_eq!(
        [few, first, key, value].map(name),
        ["Order.lines", "Order.lines[]", "Order.note{keys}", "Order.note{}"]
    );
}

#[test]
fn in_many_containers_the_nearest_place_is_none_of_a_record_that_stands_for_another() {
    let mut heap = HeapBuilder::new();
    let text = heap.string("deep");
    let mut within = heap.record("Few", &[("e0", text)]);
    for _ in 0..6 {
        within = heap.array(1, &[within]);
    }
    heap.record("Order", &[("lines", within)]);
    heap.stands_for("Few", "e0", Around::Element);
    let heap = heap.build();
    let holders = Holders::new(&heap);
    assert_eq!(holders.name(holders.of(text)), "Order.lines{…}[][][][]");
}

#[test]
fn a_column_of_a_frame_is_a_place_and_its_array_stands_in_the_frame() {
    let mut heap = HeapBuilder::new();
    let (city, order) = (heap.string("Bern"), heap.string("7"));
    let array = heap.array_with_gaps(&[Some(city), Some(order)]);
    let block = heap.object(Kind::Opaque, "Block", 64);
    heap.edge(block, EdgeKind::Internal, 0, array);
    let frame = heap.record("Frame", &[("manager", block)]);
    heap.variable("sales", frame);
    let names = ["city", "order"].map(|name| heap.text(name));
    let columns = (0..).zip(names).map(|(first, name)| crate::FrameColumn {
        frame,
        name,
        array,
        first,
        step: 1,
        slots: 1,
        is_own: true,
    });
    heap.frame_columns(columns.collect());
    let heap = heap.build();
    let holders = Holders::new(&heap);
    let names = [city, order, array, block].map(|row| holders.name(holders.of(row)));
    assert_eq!(
        names,
        ["sales[\"city\"]", "sales[\"order\"]", "sales[]", "Frame.manager"]
    );
    let column = heap.frame_columns.iter().next().unwrap();
    assert_eq!(holders.name_held_at(holders.of_column(column)), "sales[\"city\"]");
}
