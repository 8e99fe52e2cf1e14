//! What the whole rule finds.

use deadweight_heap::{EdgeKind, HeapBuilder, Kind, Numeric, Representation, Value};

use super::*;

fn look(heap: HeapBuilder) -> Vec<Candidate> {
    Columns.look(&heap.build()).candidates
}

#[test]
fn records_become_columns() {
    let mut heap = HeapBuilder::new();
    let words = [
        heap.object(Kind::Runtime, "true", 0),
        heap.object(Kind::Runtime, "false", 0),
    ];
    for i in 0..1000_u32 {
        let city = heap.string(["Bern", "Rome"][i as usize % 2]);
        let unique = heap.object(Kind::Record, "Nested", 32);
        let ms = heap.number(1.7e12 + f64::from(i));
        let ratio = heap.number(f64::from(i) / 7.0);
        let date = heap.date(1.7e12 + 1e9 * f64::from(i));
        let fields = [
            ("city", city),
            ("nested", unique),
            ("ms", ms),
            ("ratio", ratio),
            ("ok", words[i as usize % 2]),
            ("date", date),
        ];
        heap.record("M", &fields);
    }
    let found = look(heap);
    assert_eq!(found.len(), 1);
    let found = &found[0];
    assert!(found.option);
    assert_eq!(found.holder, "M");
    let records = 1000 * (64 + 16 + 16 + 96);
    let shape = 72 + 24 * 6;
    let strings = 998 * 24;
    let held = (48 + 8 * 1000) + 5 * 96 + (48 + 16);
    let external = 1000 * (1 + 2 + 8 + 1 + 8);
    assert_eq!(found.net(), records + shape + strings - held - external);
    assert_eq!(found.evidence["external_added"], external);
    assert_eq!(found.evidence["held_saved"], records + shape + strings - held);
}

#[test]
fn numbers_that_a_type_declares_are_as_wide_in_a_column() {
    let mut heap = HeapBuilder::new();
    let fields = [
        ("price", Representation::Integer(4)),
        ("size", Representation::Integer(2)),
    ];
    let tick = heap.class("Tick", None, &fields);
    for i in 0..1000 {
        let values = [i, i % 7].map(|number| Value::Number(Numeric::Integer(number)));
        let row = heap.instance(tick, &values);
        heap.variable("ticks", row);
    }
    let found = look(heap);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].evidence["external_added"], 1000 * (4 + 2));
    assert_eq!(found[0].evidence["fields_not_shown"], 0);
    assert_eq!(found[0].net(), 1000 * (24 - 6) - 2 * 96);
}

#[test]
fn absent_texts_are_no_values() {
    let mut heap = HeapBuilder::new();
    let null = heap.object(Kind::Runtime, "null", 0);
    for i in 0..1200_usize {
        let city = heap.string(["Bern", "Rome"][i % 2]);
        heap.record("M", &[("city", if i % 3 == 0 { null } else { city })]);
    }
    let found = look(heap);
    let columns = &found[0].evidence["columns"];
    assert_eq!(
        (&columns[0]["as"], &columns[0]["bytes_each"]),
        (&"codes".into(), &1.into())
    );
    // The array of values has a slot for each of the two texts.
    let strings = (800 - 2) * 24;
    let held = 96 + (48 + 16);
    assert_eq!(
        found[0].evidence["held_saved"],
        1200 * 24 + (72 + 24) + strings - held
    );
}

#[test]
fn text_of_many_values_stays() {
    let mut heap = HeapBuilder::new();
    for i in 0..70_000 {
        let own = heap.string(&format!("{i}"));
        heap.record("M", &[("id", own)]);
    }
    let found = look(heap);
    assert_eq!(found[0].evidence["columns"][0]["as"], "references");
    assert_eq!(found[0].net(), 70_000 * (24 - 8) - 48 + 96);
}

#[test]
fn what_extends_the_runtimes_library_stays_an_object() {
    let mut heap = HeapBuilder::new();
    let null = heap.object(Kind::Runtime, "null", 0);
    for _ in 0..1000 {
        heap.record("Own", &[("a", null)]);
        heap.record("Job", &[("events", null), ("a", null)]);
    }
    heap.library("Job", false, &["events"]);
    let holders: Vec<String> = look(heap).into_iter().map(|found| found.holder).collect();
    assert_eq!(holders, ["Own"]);
}

#[test]
fn few_records_and_unequal_ones_are_silent() {
    let mut heap = HeapBuilder::new();
    let null = heap.object(Kind::Runtime, "null", 0);
    for i in 0..2000 {
        if i < 999 {
            heap.record("Few", &[("a", null)]);
        }
        let name = if i % 2 == 0 { "a" } else { "b" };
        heap.record("Mixed", &[(name, null)]);
        let fields = [("a", null), ("b", null)];
        heap.record("Optional", &fields[..=i % 2]);
    }
    assert!(look(heap).is_empty());
}

#[test]
fn hidden_numbers_are_columns_of_eight_bytes() {
    let mut heap = HeapBuilder::new();
    heap.coverage(|coverage| coverage.numbers = Presence::Absent);
    let null = heap.object(Kind::Runtime, "null", 0);
    for _ in 0..1000 {
        let id = heap.record("M", &[("a", null)]);
        heap.used(id, 3);
    }
    let found = look(heap);
    assert_eq!(found[0].evidence["external_added"], 2 * 8 * 1000);
    assert_eq!(found[0].evidence["fields_not_shown"], 2);
}

#[test]
fn text_held_elsewhere_and_numbered_slots_are_left() {
    let mut heap = HeapBuilder::new();
    for _ in 0..1000 {
        let text = heap.string("same");
        heap.record("M", &[("a", text)]);
        heap.record("Other", &[("b", text)]);
    }
    for _ in 0..1000 {
        let text = heap.string("same");
        let id = heap.record("Numbered", &[("a", text)]);
        heap.edge(id, EdgeKind::Element, 0, text);
    }
    let found = look(heap);
    let names: Vec<_> = found.iter().map(|c| c.holder.as_str()).collect();
    assert_eq!(names, ["M", "Other"]);
    assert_eq!(found[0].claims.len(), 1000 + 1);
}

fn rows(lists: usize, more: Option<&str>) -> i64 {
    let mut heap = HeapBuilder::new();
    let nothing = heap.object(Kind::Runtime, "null", 0);
    let mut records = Vec::new();
    for i in 0..1000_u32 {
        let value = if i % 2 == 0 {
            heap.number(f64::from(i % 255))
        } else {
            nothing
        };
        records.push(heap.record("M", &[("value", value)]));
    }
    for rows in records.chunks(records.len() / lists) {
        let mut rows = rows.to_vec();
        rows.extend(more.map(|text| heap.string(text)));
        let list = heap.array(2000, &rows);
        heap.variable("list", list);
    }
    look(heap)[0].net()
}

#[test]
fn the_one_list_of_all_goes_with_its_records() {
    let several = rows(2, None);
    assert_eq!(rows(1, None) - several, 48 + 8 * 2000);
    assert_eq!(rows(1, Some("one more")), several);
}
