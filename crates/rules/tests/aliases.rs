//! What several places hold goes only when all of them change: every rule names them.

use deadweight_heap::{Heap, HeapBuilder, ObjectId, Width};
use deadweight_rules::{Options, weigh};
use deadweight_weighing::{Finding, Source, Weighing};
use serde_json::json;

const CELLS: usize = 300;

fn weighed(heap: &Heap) -> Weighing {
    let source = Source {
        path: "made".into(),
        bytes: 1,
        format: "builder".into(),
    };
    weigh(heap, source, &Options::all())
}

/// Cells with a value of `make` in each of `fields`, one object for all of them, and a text of their own.
fn cells(fields: &[&str], make: impl Fn(&mut HeapBuilder, usize) -> ObjectId) -> Heap {
    let mut heap = HeapBuilder::new();
    for at in 0..CELLS {
        let value = make(&mut heap, at);
        let own = heap.string(&format!("cell number {at}, like no other"));
        let mut all = vec![("own", own)];
        all.extend(fields.iter().map(|&field| (field, value)));
        let cell = heap.record("Cell", &all);
        heap.variable("cells", cell);
    }
    heap.build()
}

type Make = fn(&mut HeapBuilder, usize) -> ObjectId;

/// Values that one rule each would free.
const WASTE: [(&str, Make); 11] = [
    ("D01", |heap, at| {
        heap.string(["a text that repeats", "another that repeats"][at % 2])
    }),
    ("D02", |heap, at| heap.buffer(4096, 0, 1 + at as u64 % 2)),
    ("D03", |heap, at| {
        let name = heap.string(["a name that repeats", "another"][at % 2]);
        heap.record("Unit", &[("name", name)])
    }),
    ("D03", |heap, at| {
        let key = heap.string(["red", "green"][at % 2]);
        heap.map(1, &[(key, key)])
    }),
    ("C01", |heap, _| heap.array(4, &[])),
    ("C01", |heap, _| heap.map(4, &[])),
    ("C04", |heap, at| {
        let key = heap.string(&format!("key {at}"));
        heap.map(4, &[(key, key)])
    }),
    ("L03", |heap, at| heap.date(1.7e12 + at as f64 * 1e9)),
    ("L03", |heap, at| heap.number(1.7e12 + at as f64)),
    ("L04", |heap, at| heap.buffer(12, 0, 100 + at as u64)),
    ("E01", |heap, _| heap.buffer(1 << 16, 1 << 16, 9)),
];

/// Findings of a rule where the values stand.
fn of_rule<'w>(weighing: &'w Weighing, rule: &str) -> Vec<&'w Finding> {
    let findings = weighing.findings.iter();
    findings
        .filter(|one| one.rule == rule && one.holder.starts_with("Cell.") && one.holder.len() == 6)
        .collect()
}

#[test]
fn a_fix_that_one_place_alone_does_not_make_names_all_of_them() {
    for (rule, make) in WASTE {
        let one = weighed(&cells(&["v"], make));
        let all = weighed(&cells(&["v", "h", "w"], make));
        let (of_one, of_all) = (of_rule(&one, rule), of_rule(&all, rule));
        assert!(!of_one.is_empty() && !of_all.is_empty(), "{rule}");
        for finding in of_one {
            assert!(finding.evidence.get("also_held_at").is_none(), "{finding:?}");
        }
        for finding in of_all {
            let others = ["Cell.h", "Cell.v", "Cell.w"].into_iter();
            let others: Vec<&str> = others.filter(|other| *other != finding.holder).collect();
            let end = format!(
                "; at {} and {}, too: here alone it frees nothing",
                others[0], others[1]
            );
            assert!(finding.fix.ends_with(&end), "{rule}: {}", finding.fix);
            assert_eq!(finding.evidence["places"], 3, "{rule}");
            let listed = finding.evidence["also_held_at"].as_array().expect("places");
            assert!(
                listed
                    .iter()
                    .all(|place| place["objects"].as_u64() >= Some(CELLS as u64 - 2))
            );
        }
    }
}

/// A third of the values stand at a second place, too: what one place gives is said.
#[test]
fn what_goes_only_with_other_places_is_a_figure_of_its_own() {
    let mut heap = HeapBuilder::new();
    for at in 0..CELLS {
        let text = heap.string("a text that repeats");
        let own = heap.string(&format!("cell number {at}, like no other"));
        let cell = heap.record("Cell", &[("v", text), ("own", own)]);
        heap.variable("cells", cell);
        if at % 3 == 1 {
            let key = heap.map(1, &[(text, own)]);
            heap.variable("by_text", key);
        }
    }
    let heap = heap.build();
    let weighing = weighed(&heap);
    let found = of_rule(&weighing, "D01");
    assert_eq!(
        found[0].fix,
        "keep one copy of the value that repeats (intern it); at by_text{keys}, too"
    );
    let each = found[0].saves / (CELLS as u64 - 1);
    assert_eq!(
        found[0].evidence["bytes_held_elsewhere_too"],
        each * CELLS as u64 / 3
    );
}

/// What is found inside a copy goes with the copy, and is no other place.
#[test]
fn what_goes_with_the_fix_is_no_other_place() {
    let weighing = weighed(&cells(&["v"], |heap, _| {
        let name = heap.string("a name that repeats");
        let inner = heap.record("Inner", &[("name", name), ("again", name)]);
        heap.record("Unit", &[("inner", inner), ("name", name)])
    }));
    for finding in of_rule(&weighing, "D03") {
        assert!(finding.evidence.get("also_held_at").is_none(), "{finding:?}");
    }
}

/// A window holds what it shows wherever it stands itself, be its text shown or not.
#[test]
fn what_windows_at_several_places_show_stands_at_the_fields_of_these() {
    for is_hidden in [true, false] {
        let mut heap = HeapBuilder::new();
        for at in 0..CELLS {
            let line = heap.string("one line that repeats");
            let mut window = |text: &str| {
                if is_hidden {
                    heap.slice_of_length(line, text.len() as u32, Width::One)
                } else {
                    heap.slice(line, text)
                }
            };
            let (v, h) = (window("one"), window("line"));
            let own = heap.string(&format!("cell number {at}, like no other"));
            let cell = heap.record("Cell", &[("v", v), ("h", h), ("own", own)]);
            heap.variable("cells", cell);
        }
        let weighing = weighed(&heap.build());
        let found = of_rule(&weighing, "D01");
        let also = |finding: &Finding| finding.evidence.get("also_held_at").cloned();
        if is_hidden {
            let lines = found.iter().find(|finding| finding.holder == "Cell.*");
            let lines = lines.unwrap_or_else(|| panic!("{found:?}"));
            assert_eq!(lines.evidence["shown_at"], json!(["Cell.h", "Cell.v"]));
            assert!(also(lines).is_none(), "{lines:?}");
        } else {
            // A line goes with the last of its windows, which stands at the other field.
            let others = found
                .iter()
                .filter_map(|finding| Some((finding.holder.as_str(), also(finding)?)));
            let others: Vec<(&str, String)> = others
                .map(|(holder, also)| (holder, also[0]["place"].as_str().unwrap().to_owned()))
                .collect();
            let [(holder, other)] = &others[..] else {
                panic!("{others:?}")
            };
            assert!(
                matches!(
                    (*holder, other.as_str()),
                    ("Cell.v", "Cell.h") | ("Cell.h", "Cell.v")
                ),
                "{others:?}"
            );
        }
    }
}

/// A window elsewhere is another place: what is done at the fields alone frees nothing.
#[test]
fn windows_elsewhere_are_another_place() {
    let mut heap = HeapBuilder::new();
    for at in 0..CELLS {
        let line = heap.string("one line that repeats");
        let own = heap.string(&format!("cell number {at}, like no other"));
        let (v, h, kept) = (
            heap.slice(line, "one"),
            heap.slice(line, "line"),
            heap.slice(line, "repeats"),
        );
        let cell = heap.record("Cell", &[("v", v), ("h", h), ("own", own)]);
        heap.variable("cells", cell);
        heap.variable("kept", kept);
    }
    let weighing = weighed(&heap.build());
    let found = of_rule(&weighing, "D01");
    let lines = found
        .iter()
        .find(|finding| finding.evidence.get("places").is_some());
    let lines = lines.unwrap_or_else(|| panic!("{found:?}"));
    let others = lines.evidence["also_held_at"].as_array().expect("places");
    assert!(others.iter().any(|other| other["place"] == "kept"), "{lines:?}");
}
