//! What the rule finds.

use deadweight_heap::{EdgeKind, Flags, Heap, HeapBuilder, Kind, ObjectId, TextId};

use deadweight_weighing::Source;

use super::*;
use crate::{Ledger, Options, weigh};

/// Slots of an array, by the row of what stands there.
type Slots = Vec<ObjectId>;

fn column(frame: ObjectId, name: TextId, array: ObjectId, at: u32, slots: u32) -> FrameColumn {
    FrameColumn {
        frame,
        name,
        array,
        first: at * slots,
        step: 1,
        slots,
        is_own: true,
    }
}

/// A frame in a variable with these columns in one array.
fn frame(heap: &mut HeapBuilder, variable: &str, columns: &[(&str, Slots)]) -> Vec<FrameColumn> {
    let slots = columns[0].1.len() as u32;
    let all: Vec<Option<ObjectId>> = columns
        .iter()
        .flat_map(|(_, rows)| rows)
        .copied()
        .map(Some)
        .collect();
    let array = heap.array_with_gaps(&all);
    let frame = heap.record("Frame", &[]);
    heap.variable(variable, frame);
    heap.edge(frame, EdgeKind::Internal, 0, array);
    let mut made = Vec::new();
    for (at, (name, _)) in (0..).zip(columns) {
        let name = heap.text(name);
        made.push(column(frame, name, array, at, slots));
    }
    made
}

/// So many rows with one of so many texts, each an object of its own.
fn texts(heap: &mut HeapBuilder, rows: u32, values: u32) -> Slots {
    (0..rows)
        .map(|row| heap.string(&format!("value {:03}", row % values)))
        .collect()
}

/// The same with one object for each text.
fn shared(heap: &mut HeapBuilder, rows: u32, values: u32) -> Slots {
    let all: Vec<ObjectId> = (0..values)
        .map(|value| heap.string(&format!("value {value:03}")))
        .collect();
    (0..rows).map(|row| all[(row % values) as usize]).collect()
}

fn look(heap: &Heap) -> Vec<Candidate> {
    Codes.look(heap).candidates
}

fn found(fill: impl FnOnce(&mut HeapBuilder) -> Vec<FrameColumn>) -> Vec<Candidate> {
    let mut heap = HeapBuilder::new();
    let columns = fill(&mut heap);
    heap.frame_columns(columns);
    look(&heap.build())
}

const TEXT: u64 = 32;

#[test]
fn references_to_few_texts_are_codes() {
    let mut heap = HeapBuilder::new();
    let cities = shared(&mut heap, 2000, 10);
    let columns = frame(&mut heap, "sales", &[("city", cities)]);
    heap.frame_columns(columns);
    let heap = heap.build();
    let found = look(&heap);
    assert_eq!(found.len(), 1);
    let found = &found[0];
    assert_eq!(found.holder, "sales[\"city\"]");
    assert_eq!((found.count, found.unaffected), (2000, 10));
    assert_eq!(found.claims.bytes(), 48 + 8 * 2000);
    assert_eq!(found.overhead, 2000 + 8 * 10 + 500);
    assert_eq!(found.title, "2,000 rows hold 10 values");
    assert_eq!(
        found.fix,
        "make the column a category: codes, and each value once"
    );
    assert!(!found.option);
    assert_eq!(Ledger::new(&heap).book(found).saves, found.net() as u64);
}

#[test]
fn texts_of_their_own_go_but_for_one_of_each_value() {
    let found = found(|heap| {
        let cities = texts(heap, 2000, 10);
        frame(heap, "sales", &[("city", cities)])
    });
    assert_eq!(found[0].claims.bytes(), 48 + 8 * 2000 + 1990 * TEXT);
    assert_eq!(found[0].evidence["copies"]["objects"], 1990);
}

#[test]
fn what_else_holds_an_object_keeps_it() {
    let found = found(|heap| {
        let cities = texts(heap, 2000, 10);
        let (first, other) = (cities[0], cities[15]);
        let list = heap.array(2, &[first, other]);
        heap.variable("known", list);
        frame(heap, "sales", &[("city", cities)])
    });
    assert_eq!(found[0].evidence["copies"]["objects"], 1989);
}

#[test]
fn columns_of_one_array_have_a_share_of_it() {
    let mut heap = HeapBuilder::new();
    let columns = {
        let (a, b) = (shared(&mut heap, 2000, 10), texts(&mut heap, 2000, 2000));
        frame(&mut heap, "sales", &[("city", a), ("order", b)])
    };
    heap.frame_columns(columns);
    let found = look(&heap.build());
    assert_eq!(found.len(), 1, "each order has a value of its own");
    assert_eq!(found[0].claims.bytes(), 8 * 2000);
    assert!(
        found[0]
            .fix
            .ends_with("; copy the frame then, as the array has 1 column beside it"),
        "{}",
        found[0].fix
    );
}

#[test]
fn columns_of_one_name_in_several_frames_of_one_place_are_one_finding() {
    let found = found(|heap| {
        let mut all = Vec::new();
        let rows = shared(heap, 2000, 10);
        for _ in 0..3 {
            let array = heap.array(2000, &rows);
            let frame = heap.record("Frame", &[]);
            heap.record("Month", &[("sales", frame)]);
            let name = heap.text("city");
            all.push(column(frame, name, array, 0, 2000));
        }
        all
    });
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].holder, "Month.sales[\"city\"]");
    assert_eq!((found[0].count, found[0].overhead), (6000, 3 * 2580));
    assert_eq!(found[0].evidence["columns"], 3);
}

#[test]
fn missing_values_have_no_category() {
    let found = found(|heap| {
        let nothing = heap.object(Kind::Runtime, "absent", 16);
        heap.absent("absent");
        let known = shared(heap, 2000, 10);
        let rows = known.into_iter().zip(0..).map(|(row, at)| match at % 4 {
            0 => nothing,
            1 => heap.number(f64::NAN),
            _ => row,
        });
        let rows: Slots = rows.collect();
        frame(heap, "people", &[("answer", rows)])
    });
    assert_eq!(found[0].evidence["missing"], 1000);
    // The numbers that are none go, each an object of its own.
    assert_eq!(found[0].claims.bytes(), 48 + 8 * 2000 + 500 * 16);
    assert!(
        found[0]
            .assumes
            .as_deref()
            .unwrap()
            .ends_with("missing values are all alike")
    );
}

#[test]
fn columns_that_are_better_as_they_are_have_no_finding() {
    let silent = |rows: u32, fill: fn(&mut HeapBuilder, u32) -> ObjectId| {
        let found = found(|heap| {
            let rows: Slots = (0..rows).map(|row| fill(heap, row)).collect();
            frame(heap, "all", &[("column", rows)])
        });
        found.is_empty()
    };
    assert!(
        silent(999, |heap, row| heap.string(&(row % 2).to_string())),
        "few rows"
    );
    assert!(
        silent(2000, |heap, row| heap.string(&row.to_string())),
        "a value for each row"
    );
    assert!(
        silent(2000, |heap, row| heap.string(&(row / 3).to_string())),
        "many values"
    );
    assert!(
        silent(2000, |heap, row| heap.number(f64::from(row % 2))),
        "numbers"
    );
    assert!(
        silent(2000, |heap, row| heap
            .record(if row == 7 { "Other" } else { "Frame" }, &[])),
        "objects"
    );
    assert!(silent(2000, |heap, row| match row {
        7 => heap.object(Kind::Runtime, "true", 0),
        _ => heap.string("text"),
    }));
    assert!(!silent(2000, |heap, row| heap.date(f64::from(row % 2))), "dates");
    assert!(!silent(2000, |heap, row| match row % 2 {
        0 => heap.whole_number(5),
        _ => heap.string("five"),
    }));
}

#[test]
fn what_the_program_does_not_hold_alone_is_left() {
    let with = |change: fn(&mut HeapBuilder, &mut FrameColumn)| {
        found(|heap| {
            let rows = shared(heap, 2000, 10);
            let mut columns = frame(heap, "sales", &[("city", rows)]);
            change(heap, &mut columns[0]);
            columns
        })
        .len()
    };
    assert_eq!(with(|_, _| ()), 1);
    assert_eq!(with(|_, column| column.is_own = false), 0);
    assert_eq!(with(|heap, column| _ = heap.flag(column.frame, Flags::ENGINE)), 0);
}

#[test]
fn equal_texts_in_a_column_are_one_finding_and_after_them_none_is_left() {
    let rules = |fill: fn(&mut HeapBuilder, u32, u32) -> Slots| {
        let mut heap = HeapBuilder::new();
        let rows = fill(&mut heap, 2000, 10);
        let columns = frame(&mut heap, "sales", &[("city", rows)]);
        heap.frame_columns(columns);
        let source = Source {
            path: "test".into(),
            bytes: 0,
            format: "test".into(),
        };
        let weighed = weigh(&heap.build(), source, &Options::all());
        let findings = weighed.findings.iter();
        let at_column = findings.filter(|finding| finding.holder == "sales[\"city\"]");
        let found: Vec<(String, u64)> = at_column
            .map(|finding| (finding.rule.clone(), finding.saves))
            .collect();
        found
    };
    let references = 48 + 8 * 2000 - 2580;
    assert_eq!(rules(texts), [("L08".to_owned(), references + 1990 * TEXT)]);
    // Once the texts are interned.
    assert_eq!(rules(shared), [("L08".to_owned(), references)]);
}
