use deadweight_heap::{CHAINED, HeapBuilder, Kind, ObjectId};

use super::super::l05_constants::ConstantFields;
use super::*;
use crate::Ledger;

fn points(heap: &mut HeapBuilder, class: &str, count: usize, fields: &[&str]) -> Vec<ObjectId> {
    let x = heap.string("x");
    let fields: Vec<_> = fields.iter().map(|&name| (name, x)).collect();
    let made = (0..count).map(|_| {
        let point = heap.open_record(class, &fields);
        heap.variable("points", point);
        point
    });
    made.collect()
}

fn look(heap: HeapBuilder) -> Vec<Candidate> {
    OpenRecords.look(&heap.build()).candidates
}

/// A reference and room for two fields go, for each record.
const ROOM: i64 = 3 * 8;

#[test]
fn the_room_of_every_record_goes() {
    let mut heap = HeapBuilder::new();
    points(&mut heap, "Point", 100, &["x", "y"]);
    points(&mut heap, "Few", 99, &["x", "y"]);
    let found = look(heap);
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].holder.as_str(), found[0].count), ("Point", 100));
    assert_eq!(found[0].net(), 100 * ROOM);
}

/// What is priced is what the runtime calls so, and a place in a class that others are based on is in all of their records.
#[test]
fn the_fix_says_how_and_where_the_class_says_its_fields() {
    let mut heap = HeapBuilder::new();
    points(&mut heap, "Point", 100, &["x", "y"]);
    points(&mut heap, "Watched", 100, &["x", "y"]);
    heap.closes_as("Watched", CHAINED);
    let found = look(heap);
    let fix = |class: &str| &found.iter().find(|found| found.holder == class).unwrap().fix;
    assert!(
        fix("Point").starts_with("say in `fields` of the class"),
        "{}",
        fix("Point")
    );
    assert!(!fix("Point").contains("weak"), "{}", fix("Point"));
    let place = "a place for weak references (`weak`) in this class alone";
    assert!(fix("Watched").contains(place), "{}", fix("Watched"));
}

/// What is said in a class comes into the records of all classes based on it.
#[test]
fn the_fix_says_which_other_classes_change() {
    let mut heap = HeapBuilder::new();
    for class in ["Alone", "Sibling", "Heir"] {
        points(&mut heap, class, 100, &["x", "y"]);
    }
    heap.relatives("Sibling", Relatives::Siblings);
    heap.relatives("Heir", Relatives::Together);
    let found = look(heap);
    let of = |class: &str| found.iter().find(|found| found.holder == class).unwrap();
    assert!(!of("Alone").fix.contains("other"), "{}", of("Alone").fix);
    assert!(
        of("Sibling")
            .fix
            .contains("`no fields` in the classes it is based on")
    );
    assert_eq!(of("Sibling").assumes.as_deref(), of("Alone").assumes.as_deref());
    assert!(of("Heir").fix.contains("in one change with all other classes"));
    assert!(of("Heir").assumes.as_deref().unwrap().contains("change together"));
}

#[test]
fn pieces_go_with_it() {
    let mut heap = HeapBuilder::new();
    for point in points(&mut heap, "Point", 100, &["x", "y"]) {
        let asked_for = heap.object(Kind::Table, "dictionary", 64);
        heap.part(point, asked_for);
    }
    assert_eq!(look(heap)[0].net(), 100 * (ROOM + 64));
}

#[test]
fn a_field_that_few_have_takes_a_place_in_all() {
    let mut heap = HeapBuilder::new();
    points(&mut heap, "Point", 90, &["x", "y"]);
    points(&mut heap, "Point", 10, &["x", "y", "z"]);
    // Those without it get a place for it.
    assert_eq!(look(heap)[0].net(), 90 * (ROOM - 8) + 10 * (ROOM + 8));
}

#[test]
fn records_that_are_used_as_maps_and_those_with_tables_are_left_alone() {
    let mut heap = HeapBuilder::new();
    let x = heap.string("x");
    for i in 0..200 {
        let map = heap.open_record("Map", &[(format!("key{i}").as_str(), x)]);
        heap.variable("maps", map);
    }
    points(&mut heap, "Mixed", 100, &["x"]);
    let grown = heap.dictionary("Mixed", 64, &[("x", x), ("y", x)]);
    heap.variable("grown", grown);
    points(&mut heap, "Library", 100, &["x"]);
    heap.library("Library", true, &[]);
    for _ in 0..100 {
        let fixed = heap.record("Fixed", &[("x", x)]);
        heap.variable("fixed", fixed);
    }
    assert!(look(heap).is_empty());
}

/// Alone it frees a step of the open form. What both free is what the record has less when its class names the other fields
/// alone.
#[test]
fn a_field_that_says_nothing_is_weighed_on_fixed_places() {
    let mut heap = HeapBuilder::new();
    let x = heap.string("x");
    let nothing = heap.object(Kind::Runtime, "null", 0);
    for _ in 0..300 {
        let point = heap.open_record("Point", &[("x", x), ("y", nothing), ("z", x)]);
        heap.variable("points", point);
    }
    let heap = heap.build();
    let open = OpenRecords.look(&heap).candidates;
    let empty = ConstantFields.look(&heap).candidates;
    let mut ledger = Ledger::new(&heap);
    assert_eq!(ledger.book(&open[0]).saves, 300 * 32);
    let field = empty.iter().find(|found| found.holder == "Point.y").unwrap();
    assert_eq!(field.net(), 300 * 16);
    assert_eq!(ledger.book(field).saves, 300 * 8);
    assert_eq!(ledger.left(heap.records[0].object), 16 + 2 * 8);
}
