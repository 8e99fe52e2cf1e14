use deadweight_heap::{BuilderLayout, HeapBuilder, Kind, Layout as _, OPEN, ObjectId};

use super::*;

const NAMES: [&str; 4] = ["a", "b", "c", "d"];

fn look(heap: HeapBuilder) -> Verdict {
    DictionaryRecords.look(&heap.build())
}

fn value(heap: &mut HeapBuilder) -> ObjectId {
    heap.object(Kind::Runtime, "null", 0)
}

#[test]
fn tables_go_and_records_grow() {
    let mut heap = HeapBuilder::new();
    let value = value(&mut heap);
    let rows: Vec<_> = (0..20)
        .map(|_| heap.dictionary("", 32, &NAMES.map(|name| (name, value))))
        .collect();
    let list = heap.array(20, &rows);
    heap.variable("rows", list);
    let found = look(heap).candidates;
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].holder, "rows[]");
    assert_eq!(found[0].net(), 20 * (64 + 24 * 32) - 20 * 32 - (72 + 24 * 4));
    assert_eq!(found[0].count, 20);
    assert!(found[0].assumes.is_none());
    // What such a record costs is what the runtime calls so.
    assert_eq!(found[0].fix, "use a class that says its fields in `fields`");
}

#[test]
fn records_of_an_open_class_have_their_class_already() {
    let mut heap = HeapBuilder::new();
    let value = value(&mut heap);
    let rows: Vec<_> = (0..20)
        .map(|_| {
            let row = heap.dictionary("Row", 32, &NAMES.map(|name| (name, value)));
            heap.change_record(row, |record| record.implementation = OPEN);
            row
        })
        .collect();
    let list = heap.array(20, &rows);
    heap.variable("rows", list);
    let found = look(heap).candidates;
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].basis, Some(Basis::Behaviour(NOT_A_TABLE)));
    assert!(
        found[0].of.is_some() && found[0].fix.starts_with("say in `fields` of the class"),
        "{}",
        found[0].fix
    );
    let described = BuilderLayout.shape(4) - BuilderLayout.shape_as(OPEN, 4);
    assert_eq!(
        found[0].net(),
        20 * (64 + 24 * 32) - 20 * 32 - described.cast_signed()
    );
}

#[test]
fn maps_are_left_alone() {
    let mut heap = HeapBuilder::new();
    let value = value(&mut heap);
    let names: Vec<String> = (0..2000).map(|i| format!("key{i}")).collect();
    let fields: Vec<_> = names.iter().map(|name| (name.as_str(), value)).collect();
    let lone = heap.dictionary("", 4096, &fields);
    heap.variable("index", lone);
    let rows: Vec<_> = fields
        .chunks(10)
        .map(|own| heap.dictionary("", 16, own))
        .collect();
    let list = heap.array(200, &rows);
    heap.variable("rows", list);
    assert!(look(heap).candidates.is_empty());
}

#[test]
fn records_that_maps_hold_one_by_one_are_found_by_their_type() {
    let mut heap = HeapBuilder::new();
    let value = value(&mut heap);
    let keys: Vec<String> = (0..200).map(|i| format!("doc{i}")).collect();
    let rows: Vec<_> = keys
        .iter()
        .map(|key| (key.as_str(), heap.dictionary("", 4, &[("position", value)])))
        .collect();
    let index = heap.dictionary("", 512, &rows);
    heap.variable("index", index);
    let found = look(heap).candidates;
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].holder.as_str(), found[0].count), ("{position}", 200));
    assert_eq!(found[0].net(), 200 * (64 + 24 * 4) - 200 * 8 - (72 + 24));
}

#[test]
fn optional_fields_are_fields() {
    let mut heap = HeapBuilder::new();
    let value = value(&mut heap);
    for i in 0..20 {
        let fields = NAMES.map(|name| (name, value));
        let row = heap.dictionary("", 32, &fields[..3 + i % 2]);
        heap.variable("row", row);
    }
    let found = look(heap).candidates;
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].net(), 20 * 832 - 10 * (24 + 32) - (72 + 96));
}

#[test]
fn few_records_and_records_of_fixed_shape_are_silent() {
    let mut heap = HeapBuilder::new();
    let value = value(&mut heap);
    for _ in 0..15 {
        let row = heap.dictionary("", 32, &[("a", value)]);
        heap.variable("few", row);
    }
    for _ in 0..50 {
        let row = heap.record("", &[("a", value)]);
        heap.variable("fixed", row);
    }
    let verdict = look(heap);
    assert!(verdict.candidates.is_empty() && verdict.not_measured.is_empty());
}

#[test]
fn hidden_numbers_make_an_estimate() {
    let mut heap = HeapBuilder::new();
    let value = value(&mut heap);
    heap.coverage(|coverage| coverage.numbers = Presence::Absent);
    for _ in 0..20 {
        let row = heap.dictionary("", 32, &[("a", value), ("b", value)]);
        heap.used(row, 4);
        heap.variable("row", row);
    }
    let found = look(heap).candidates;
    assert!(found[0].assumes.is_some());
    assert_eq!(found[0].net(), 20 * (832 - 32) - (72 + 96));
}

#[test]
fn without_any_name_it_says_so() {
    let mut heap = HeapBuilder::new();
    heap.coverage(|coverage| coverage.numbers = Presence::Absent);
    for _ in 0..20 {
        let row = heap.dictionary("", 32, &[]);
        heap.used(row, 4);
        heap.variable("row", row);
    }
    let verdict = look(heap);
    assert!(verdict.candidates.is_empty());
    assert_eq!(verdict.not_measured.len(), 1);
}

#[test]
fn numbered_slots_are_left_alone() {
    let mut heap = HeapBuilder::new();
    let value = value(&mut heap);
    for _ in 0..20 {
        let row = heap.dictionary("", 32, &[("a", value)]);
        heap.edge(row, deadweight_heap::EdgeKind::Element, 0, value);
        heap.variable("row", row);
    }
    let found = look(heap).candidates;
    assert!(found[0].net() <= 0);
    assert_eq!(found[0].unaffected, 20);
}

/// Rows as maps, each with these keys.
fn rows(heap: &mut HeapBuilder, count: usize, keys: &dyn Fn(usize) -> Vec<String>) -> Vec<ObjectId> {
    let value = value(heap);
    let maps: Vec<ObjectId> = (0..count)
        .map(|at| {
            let keys: Vec<_> = keys(at).iter().map(|key| (heap.string(key), value)).collect();
            heap.map(8, &keys)
        })
        .collect();
    let list = heap.array(count as u32, &maps);
    heap.variable("rows", list);
    maps
}

fn same(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

#[test]
fn maps_of_the_same_keys_become_records() {
    let mut heap = HeapBuilder::new();
    let maps = rows(&mut heap, 20, &|_| same(&["id", "name", "price"]));
    let heap = heap.build();
    let now = heap.whole_bytes(maps[0]).cast_signed();
    let after = heap.layout.record_of(Representation::Any, 3).cast_signed();
    let shape = heap.layout.shape(3).cast_signed();
    let found = DictionaryRecords.look(&heap).candidates;
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].holder.as_str(), found[0].count), ("rows[]", 20));
    // Keys that only these maps hold go as well: three texts of 24 bytes each.
    let keys = 20 * 3 * 24;
    assert_eq!(found[0].net(), 20 * (now - after) - shape + keys);
    assert!(found[0].assumes.is_some() && found[0].basis.is_some() && !found[0].option);
}

#[test]
fn maps_whose_equal_keys_are_data_are_an_option() {
    for keys in [["host-1.example", "b"], ["host 1", "host 2"], ["10", "20"]] {
        let mut heap = HeapBuilder::new();
        rows(&mut heap, 20, &|_| same(&keys));
        let found = DictionaryRecords.look(&heap.build()).candidates;
        assert!(found[0].option, "{keys:?}");
    }
}

#[test]
fn maps_whose_keys_are_data_stay() {
    for keys in [
        &(|at| same(&[&format!("k{at}"), &format!("l{at}")])) as &dyn Fn(usize) -> Vec<String>,
        &|at| {
            (0..9)
                .map(|key| format!("word{}", (at * 7 + key * 11) % 97))
                .collect()
        },
        &|_| same(&["only"]),
    ] {
        let mut heap = HeapBuilder::new();
        rows(&mut heap, 40, keys);
        assert!(look(heap).candidates.is_empty());
    }
}

#[test]
fn few_maps_and_sets_and_maps_of_unknown_size_stay() {
    let mut heap = HeapBuilder::new();
    rows(&mut heap, 15, &|_| same(&["id", "name"]));
    assert!(look(heap).candidates.is_empty());
    for change in [
        (|table| table.set = true) as fn(&mut deadweight_heap::Table),
        |table| table.used = UNKNOWN,
    ] {
        let mut heap = HeapBuilder::new();
        for map in rows(&mut heap, 20, &|_| same(&["id", "name"])) {
            heap.change_table(map, change);
        }
        assert!(look(heap).candidates.is_empty());
    }
}

#[test]
fn maps_of_which_each_has_some_of_the_keys_stay() {
    let mut heap = HeapBuilder::new();
    rows(&mut heap, 40, &|at| {
        let headers = ["host", "accept", "cookie", "agent", "origin", "range"];
        (0..4)
            .map(|key| headers[(at + key) % headers.len()].to_owned())
            .collect()
    });
    assert!(look(heap).candidates.is_empty());
}

#[test]
fn maps_and_dictionaries_at_one_place_are_two_findings() {
    let mut heap = HeapBuilder::new();
    rows(&mut heap, 20, &|_| same(&["name", "place"]));
    let value = value(&mut heap);
    let records: Vec<_> = (0..20).map(|_| heap.dictionary("", 8, &[("a", value)])).collect();
    let list = heap.array(20, &records);
    heap.variable("rows", list);
    let found = look(heap).candidates;
    let mut places: Vec<_> = found
        .iter()
        .map(|found| (&*found.holder, found.variant))
        .collect();
    places.sort_unstable();
    places.dedup();
    assert_eq!(places.len(), found.len(), "{places:?}");
    assert!(places.contains(&("rows[]", "map")), "{places:?}");
}
