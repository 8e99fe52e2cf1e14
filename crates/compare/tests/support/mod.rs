//! Programs before and after fixes, as tiny heaps.
#![allow(dead_code, reason = "each test file uses its own part")]

use deadweight_heap::{Heap, HeapBuilder, ObjectId};
use deadweight_rules::{Options, weigh};
use deadweight_weighing::{Source, Weighing, read};
use serde_json::Value;

/// What the program is like.
#[derive(Clone, Copy, Debug)]
pub struct Program {
    /// The class of its records.
    pub class: &'static str,
    /// How many it holds.
    pub records: usize,
    /// Whether equal city names are one string.
    pub interned: bool,
    /// Whether moments are date objects.
    pub dates: bool,
    /// Whether cities stand in an array of their own, not in the records.
    pub columns: bool,
    /// Strings in a log beside the records.
    pub log: usize,
}

/// Everything wasted.
pub const WASTEFUL: Program = Program {
    class: "Visit",
    records: 1_000,
    interned: false,
    dates: true,
    columns: false,
    log: 0,
};

/// Weighs a program with all findings listed.
pub fn weighed(program: Program) -> Weighing {
    weighed_heap(&heap(program), &format!("{program:?}"))
}

/// Weighs a heap with all findings listed.
pub fn weighed_heap(heap: &Heap, path: &str) -> Weighing {
    let source = Source {
        path: path.to_owned(),
        bytes: 1,
        format: "builder".into(),
    };
    weigh(heap, source, &Options::all())
}

/// The weighing as version 1 of the schema wrote it, read back.
pub fn as_version_1(weighing: &Weighing) -> Weighing {
    let mut old = serde_json::to_value(weighing).expect("JSON");
    old["schema"] = "deadweight/weighing/1".into();
    old.as_object_mut().expect("an object").remove("groups");
    for sums in ["held", "external"] {
        old[sums].as_object_mut().expect("sums").remove("dead_sure");
    }
    let churned = old["churned"].as_object_mut();
    if let Some(made) = churned.and_then(|churned| Some((churned.remove("allocated")?, churned))) {
        made.1.insert("made".into(), made.0);
    }
    for list in ["/findings", "/options", "/churned/findings", "/churned/options"] {
        let findings = old.pointer_mut(list).and_then(Value::as_array_mut);
        for finding in findings.into_iter().flatten() {
            let finding = finding.as_object_mut().expect("a finding");
            finding.remove("tier");
            let unaffected = finding.remove("unaffected").expect("a count");
            finding.insert("good".into(), unaffected);
        }
    }
    read(old.to_string().as_bytes()).expect("a weighing of version 1")
}

fn heap(program: Program) -> Heap {
    let mut heap = HeapBuilder::new();
    let cities = if program.interned { 10 } else { 0 };
    let shared: Vec<ObjectId> = (0..cities).map(|at| heap.string(&city(at))).collect();
    let (mut rows, mut cities_apart) = (Vec::new(), Vec::new());
    for at in 0..program.records {
        let id = heap.string(&format!("visit number {at} of many, which is unlike all others"));
        let city = if program.interned {
            shared[at % 10]
        } else {
            heap.string(&city(at % 10))
        };
        let moment = if program.dates {
            heap.date(1.7e12 + at as f64)
        } else {
            heap.number(1.7e12 + at as f64)
        };
        cities_apart.push(city);
        let fields = [("id", id), ("at", moment), ("city", city)];
        let shown = if program.columns { 2 } else { 3 };
        rows.push(heap.record(program.class, &fields[..shown]));
    }
    let lines: Vec<ObjectId> = (0..program.log)
        .map(|at| {
            heap.string(&format!(
                "line {at} of the log, of which nobody has ever read one"
            ))
        })
        .collect();
    let rows = heap.array(program.records as u32, &rows);
    let lines = heap.array(program.log as u32, &lines);
    let apart = if program.columns { &cities_apart[..] } else { &[] };
    let apart = heap.array(apart.len() as u32, apart);
    let store = heap.record("Store", &[("visits", rows), ("log", lines), ("city", apart)]);
    heap.variable("store", store);
    heap.build()
}

fn city(at: usize) -> String {
    format!("a city with a long name, the one that is called number {at}")
}
