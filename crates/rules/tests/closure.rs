//! Advice is closed: what follows a finding to the letter has no new finding at that place.

use deadweight_heap::{Heap, HeapBuilder, Kind, ObjectId};
use deadweight_rules::{Options, weigh};
use deadweight_weighing::{Source, Weighing};
use rustc_hash::FxHashSet;

const RECORDS: usize = 400;

fn weighed(heap: &Heap) -> Weighing {
    let source = Source {
        path: "made".into(),
        bytes: 1,
        format: "builder".into(),
    };
    weigh(heap, source, &Options::all())
}

/// Makes the fields of one record.
type Each = fn(&mut HeapBuilder, &[ObjectId], usize) -> Vec<(&'static str, ObjectId)>;

/// What is made once for all records, and then for each of them.
struct Side {
    once: fn(&mut HeapBuilder) -> Vec<ObjectId>,
    each: Each,
}

impl Side {
    fn findings(&self) -> FxHashSet<String> {
        let mut heap = HeapBuilder::new();
        let once = (self.once)(&mut heap);
        for at in 0..RECORDS {
            let id = heap.string(&format!("record number {at}, like no other"));
            let mut fields = vec![("id", id)];
            fields.extend((self.each)(&mut heap, &once, at));
            let record = heap.record("T", &fields);
            heap.variable("all", record);
        }
        let weighing = weighed(&heap.build());
        let there = weighing.findings.iter();
        let there = there.filter(|finding| finding.holder.starts_with("T.it"));
        there.map(|finding| finding.rule.clone()).collect()
    }
}

fn nothing(_: &mut HeapBuilder) -> Vec<ObjectId> {
    Vec::new()
}

fn null(heap: &mut HeapBuilder) -> ObjectId {
    heap.object(Kind::Runtime, "null", 0)
}

fn filled(heap: &mut HeapBuilder, at: usize) -> ObjectId {
    let one = heap.string(&format!("the only one of {at}"));
    heap.array(1, &[one])
}

/// A rule, and a program before and after its fix.
type Case = (&'static str, &'static str, Side, Side);

fn cases() -> Vec<Case> {
    let side = |once, each| Side { once, each };
    vec![
        (
            "C01",
            "all empty, one shared",
            side(nothing, |heap, _, _| vec![("it", heap.array(4, &[]))]),
            side(
                |heap| vec![heap.array(0, &[])],
                |_, once, _| vec![("it", once[0])],
            ),
        ),
        (
            "C01",
            "all empty, made when something comes",
            side(nothing, |heap, _, _| vec![("it", heap.map(4, &[]))]),
            side(|heap| vec![null(heap)], |_, once, _| vec![("it", once[0])]),
        ),
        (
            "C01",
            "records without fields, one shared",
            side(nothing, |heap, _, _| vec![("it", heap.record("Extra", &[]))]),
            side(
                |heap| vec![heap.record("Extra", &[])],
                |_, once, _| vec![("it", once[0])],
            ),
        ),
        (
            "C01",
            "most empty, one shared",
            side(nothing, |heap, _, at| {
                vec![(
                    "it",
                    if at % 9 == 0 {
                        filled(heap, at)
                    } else {
                        heap.array(4, &[])
                    },
                )]
            }),
            side(
                |heap| vec![heap.array(0, &[])],
                |heap, once, at| vec![("it", if at % 9 == 0 { filled(heap, at) } else { once[0] })],
            ),
        ),
        (
            "C01",
            "most empty, made when something comes",
            side(nothing, |heap, _, at| {
                vec![(
                    "it",
                    if at % 9 == 0 {
                        filled(heap, at)
                    } else {
                        heap.array(4, &[])
                    },
                )]
            }),
            side(
                |heap| vec![null(heap)],
                |heap, once, at| vec![("it", if at % 9 == 0 { filled(heap, at) } else { once[0] })],
            ),
        ),
        (
            "C01",
            "empty or absent, made when something comes",
            side(
                |heap| vec![null(heap)],
                |heap, once, at| vec![("it", if at % 2 == 0 { once[0] } else { heap.array(4, &[]) })],
            ),
            side(|heap| vec![null(heap)], |_, once, _| vec![("it", once[0])]),
        ),
        (
            "C01",
            "empty or absent, one shared",
            side(
                |heap| vec![null(heap)],
                |heap, once, at| vec![("it", if at % 2 == 0 { once[0] } else { heap.array(4, &[]) })],
            ),
            side(
                |heap| vec![null(heap), heap.array(0, &[])],
                |_, once, at| vec![("it", once[at % 2])],
            ),
        ),
        (
            "D01",
            "a few values, interned",
            side(nothing, |heap, _, at| {
                vec![("it", heap.string(["red", "green", "blue"][at % 3]))]
            }),
            side(
                |heap| ["red", "green", "blue"].map(|text| heap.string(text)).to_vec(),
                |_, once, at| vec![("it", once[at % 3])],
            ),
        ),
        (
            "D01",
            "one value, interned",
            side(nothing, |heap, _, _| vec![("it", heap.string("a kind of node"))]),
            side(
                |heap| vec![heap.string("a kind of node")],
                |_, once, _| vec![("it", once[0])],
            ),
        ),
        (
            "D01",
            "timestamps, interned",
            side(nothing, |heap, _, at| {
                vec![(
                    "it",
                    heap.string(&format!("2024-01-31T10:00:{:02}.000Z", at % 40)),
                )]
            }),
            side(
                |heap| {
                    (0..40)
                        .map(|at| heap.string(&format!("2024-01-31T10:00:{at:02}.000Z")))
                        .collect()
                },
                |_, once, at| vec![("it", once[at % 40])],
            ),
        ),
        (
            "D02",
            "equal buffers, one kept",
            side(nothing, |heap, _, at| {
                vec![("it", heap.buffer(4096, 0, 1 + at as u64 % 2))]
            }),
            side(
                |heap| vec![heap.buffer(4096, 0, 1), heap.buffer(4096, 0, 2)],
                |_, once, at| vec![("it", once[at % 2])],
            ),
        ),
        (
            "D03",
            "equal records with empty containers, one kept",
            side(nothing, |heap, _, _| vec![("it", locale(heap))]),
            side(|heap| vec![locale(heap)], |_, once, _| vec![("it", once[0])]),
        ),
        (
            "D03",
            "equal sets of one element, one kept",
            side(nothing, |heap, _, at| vec![("it", set(heap, at))]),
            side(
                |heap| vec![set(heap, 0), set(heap, 1)],
                |_, once, at| vec![("it", once[at % 2])],
            ),
        ),
        (
            "C04",
            "maps of one entry, as pairs",
            side(nothing, |heap, _, at| {
                let (key, value) = (
                    heap.string(&format!("key {}", at % 9)),
                    heap.string(&at.to_string()),
                );
                vec![("it", heap.map(4, &[(key, value)]))]
            }),
            side(nothing, |heap, _, at| {
                let (key, value) = (
                    heap.string(&format!("key {}", at % 9)),
                    heap.string(&at.to_string()),
                );
                vec![("it", heap.record("Pair", &[("key", key), ("value", value)]))]
            }),
        ),
        (
            "D03",
            "equal maps of one entry, as pairs",
            side(nothing, |heap, _, _| {
                let (key, value) = (heap.string("key"), heap.string("value"));
                vec![("it", heap.map(4, &[(key, value)]))]
            }),
            side(nothing, |heap, _, _| {
                let (key, value) = (heap.string("key"), heap.string("value"));
                vec![("it", heap.record("Pair", &[("key", key), ("value", value)]))]
            }),
        ),
        (
            "L03",
            "dates, as numbers",
            side(nothing, |heap, _, at| {
                vec![("it", heap.date(1.7e12 + at as f64 * 1000.0))]
            }),
            side(nothing, |heap, _, at| {
                vec![("it", heap.number(1.7e12 + at as f64 * 1000.0))]
            }),
        ),
        (
            "L03",
            "numbers near each other, as differences",
            side(nothing, |heap, _, at| {
                vec![("it", heap.number(1.7e12 + at as f64))]
            }),
            side(nothing, |heap, _, at| vec![("it", heap.small_number(at as f64))]),
        ),
        (
            "L03",
            "timestamps, as numbers",
            side(nothing, |heap, _, at| {
                vec![(
                    "it",
                    heap.string(&format!("2024-01-31T10:{:02}:{:02}.000Z", at / 60, at % 60)),
                )]
            }),
            side(nothing, |heap, _, at| {
                vec![("it", heap.number(1.7e12 + at as f64 * 1e9))]
            }),
        ),
        (
            "L04",
            "ids, in a pool",
            side(nothing, |heap, _, at| {
                vec![("it", heap.buffer(12, 0, 100 + at as u64))]
            }),
            side(
                |heap| vec![heap.buffer(12 * RECORDS as u64, 0, 7)],
                |heap, once, at| vec![("it", once[0]), ("it_at", heap.small_number(at as f64))],
            ),
        ),
        (
            "L05",
            "nothing in all, dropped",
            side(|heap| vec![null(heap)], |_, once, _| vec![("it", once[0])]),
            side(nothing, |_, _, _| Vec::new()),
        ),
        (
            "E01",
            "zeros, made when the first value comes",
            side(nothing, |heap, _, _| {
                vec![("it", heap.buffer(1 << 14, 1 << 14, 9))]
            }),
            side(|heap| vec![null(heap)], |_, once, _| vec![("it", once[0])]),
        ),
        (
            "C03",
            "arrays with room, cut",
            side(nothing, |heap, _, at| {
                let one = heap.string(&at.to_string());
                vec![("it", heap.array(17, &[one]))]
            }),
            side(nothing, |heap, _, at| {
                let one = heap.string(&at.to_string());
                vec![("it", heap.array(1, &[one]))]
            }),
        ),
    ]
}

fn locale(heap: &mut HeapBuilder) -> ObjectId {
    let (name, formats, rules) = (heap.string("en"), heap.map(0, &[]), heap.array(0, &[]));
    heap.record(
        "Locale",
        &[("name", name), ("formats", formats), ("rules", rules)],
    )
}

fn set(heap: &mut HeapBuilder, at: usize) -> ObjectId {
    let element = heap.string(["red", "green"][at % 2]);
    heap.map(1, &[(element, element)])
}

#[test]
fn after_a_fix_no_rule_finds_anything_new_at_its_place() {
    for (rule, what, before, after) in cases() {
        let (before, after) = (before.findings(), after.findings());
        assert!(before.contains(rule), "{rule}, {what}: only {before:?}");
        let new: Vec<_> = after.difference(&before).collect();
        assert!(
            new.is_empty(),
            "{rule}, {what}: {new:?} are new beside {before:?}"
        );
    }
}
