use deadweight_heap::{
    HeapBuilder, Implementation, Kind, Layout, Numeric, RecordShape, Representation, TableKind,
    Value as Stored, Width,
};

use super::*;

fn found(heap: HeapBuilder) -> Vec<String> {
    let verdict = ConstantFields.look(&heap.build());
    verdict.candidates.into_iter().map(|c| c.holder).collect()
}

#[test]
fn one_row_equal_text_and_equal_numbers_are_one_value() {
    let mut heap = HeapBuilder::new();
    let null = heap.object(Kind::Runtime, "null", 0);
    for i in 0..300 {
        let text = heap.string("same");
        let other = heap.string(&i.to_string());
        let boxed = heap.number(1.5);
        let small = heap.small_number(7.0);
        let counter = heap.small_number(f64::from(i));
        let fields = [
            ("a", null),
            ("b", text),
            ("c", other),
            ("d", boxed),
            ("e", small),
            ("f", counter),
        ];
        heap.record("M", &fields);
    }
    let heap = heap.build();
    let found = ConstantFields.look(&heap).candidates;
    let names: Vec<_> = found.iter().map(|c| c.holder.as_str()).collect();
    assert_eq!(names, ["M.a", "M.b", "M.d", "M.e"]);
    assert!(found.iter().all(|c| c.net() == 300 * 8));
    // What is equal in this heap is content; only what says nothing is dead.
    let dead: Vec<_> = found.iter().filter(|c| !c.option).map(|c| &*c.holder).collect();
    assert_eq!(dead, ["M.a"]);
    assert_eq!(found[1].evidence["value"], "\"same\"");
    assert_eq!(found[2].evidence["value"], "1.5");
}

#[test]
fn empty_containers_say_nothing_whether_shared_or_not() {
    let mut heap = HeapBuilder::new();
    let null = heap.object(Kind::Runtime, "null", 0);
    let shared = heap.array(0, &[]);
    let filled = heap.array(1, &[null]);
    for i in 0..300 {
        let (own, map) = (heap.array(4, &[]), heap.map(0, &[]));
        let either = if i % 2 == 0 { null } else { own };
        let once = if i == 299 { filled } else { shared };
        let fields = [
            ("own", own),
            ("map", map),
            ("shared", shared),
            ("either", either),
            ("once", once),
            ("all", filled),
        ];
        heap.record("M", &fields);
    }
    let found = ConstantFields.look(&heap.build()).candidates;
    let listed: Vec<_> = found.iter().map(|c| (&*c.holder, c.option, &*c.title)).collect();
    assert_eq!(
        listed,
        [
            ("M.own", false, "all 300 records hold nothing: an empty Array"),
            ("M.map", false, "all 300 records hold nothing: an empty Map"),
            ("M.shared", false, "all 300 records hold nothing: an empty Array"),
            (
                "M.either",
                false,
                "all 300 records hold nothing: null or an empty Array"
            ),
            ("M.all", true, "all 300 records hold the same value: Array"),
        ]
    );
}

/// Between two narrow numbers a reference leaves a hole; without it they stand side by side.
#[test]
fn a_field_among_declared_ones_frees_its_holes_too() {
    let mut heap = HeapBuilder::new();
    let same = heap.string("same");
    let fields = [
        ("low", Representation::Integer(4)),
        ("unit", Representation::Reference),
        ("high", Representation::Integer(4)),
    ];
    let class = heap.class("Range", None, &fields);
    for i in 0..300 {
        let number = |value| Stored::Number(Numeric::Integer(value));
        heap.instance(class, &[number(i), Stored::Reference(same, 0), number(2 * i)]);
    }
    let found = ConstantFields.look(&heap.build()).candidates;
    assert_eq!(found.len(), 1);
    assert_eq!(
        (found[0].holder.as_str(), found[0].net()),
        ("Range.unit", 300 * 16)
    );
}

/// Two numbers that one float stands for are two values.
#[test]
fn large_whole_numbers_differ() {
    let mut heap = HeapBuilder::new();
    let numbers = [i64::MAX, i64::MAX - 1].map(|value| heap.whole_number(value));
    for i in 0..300 {
        heap.record("M", &[("id", numbers[i % 2])]);
    }
    assert!(found(heap).is_empty());
}

#[test]
fn a_field_that_some_lack_or_that_differs_once_is_fine() {
    let mut heap = HeapBuilder::new();
    let null = heap.object(Kind::Runtime, "null", 0);
    let yes = heap.object(Kind::Runtime, "true", 0);
    for i in 0..300 {
        let own = if i == 299 { yes } else { null };
        let fields = [("a", own), ("b", null)];
        heap.record("M", &fields[..if i == 7 { 1 } else { 2 }]);
    }
    assert!(found(heap).is_empty());
}

#[test]
fn fields_are_seen_to_the_end_while_one_may_be_constant() {
    let mut heap = HeapBuilder::new();
    let null = heap.object(Kind::Runtime, "null", 0);
    for i in 0..1000 {
        let (other, late) = (heap.string(&i.to_string()), heap.string("late"));
        heap.record("Constant", &[("a", other), ("b", null)]);
        let fields = [("a", other), ("b", late)];
        heap.record("Late", &fields[..if i < 500 { 1 } else { 2 }]);
    }
    let heap = heap.build();
    let found = ConstantFields.look(&heap).candidates;
    let names: Vec<_> = found.iter().map(|c| (c.holder.as_str(), c.count)).collect();
    assert_eq!(names, [("Constant.b", 1000)]);
}

#[test]
fn numbers_of_unknown_value_are_not_equal() {
    let mut heap = HeapBuilder::new();
    heap.coverage(|coverage| coverage.numbers = Presence::Absent);
    for _ in 0..300 {
        let boxed = heap.number(f64::NAN);
        heap.record("M", &[("a", boxed)]);
    }
    let verdict = ConstantFields.look(&heap.build());
    assert!(verdict.candidates.is_empty());
    assert_eq!(verdict.not_measured.len(), 1);
}

#[test]
fn small_types_and_tables_are_passed_over() {
    let mut heap = HeapBuilder::new();
    let null = heap.object(Kind::Runtime, "null", 0);
    for _ in 0..255 {
        heap.record("Few", &[("a", null)]);
    }
    for _ in 0..300 {
        heap.dictionary("Table", 8, &[("a", null)]);
    }
    assert!(found(heap).is_empty());
}

#[test]
fn an_edge_said_twice_is_one_field() {
    let mut heap = HeapBuilder::new();
    let null = heap.object(Kind::Runtime, "null", 0);
    for i in 0..300 {
        let fields = [("a", null), ("a", null)];
        let fields = if i % 2 == 0 { &fields[..] } else { &[] };
        heap.record("M", fields);
    }
    assert!(found(heap).is_empty());
}

#[test]
fn fields_that_the_runtimes_library_fills_are_not_the_programs() {
    let mut heap = HeapBuilder::new();
    let no = heap.object(Kind::Runtime, "false", 0);
    for _ in 0..LEAST {
        let job = heap.record("Job", &[("captures", no), ("failed", no)]);
        heap.variable("job", job);
    }
    heap.library("Job", false, &["captures"]);
    assert_eq!(found(heap), ["Job.failed"]);
}

/// A heap of records charged by steps of two fields beyond three, as a malloc beside a slot charges them.
fn by_steps(fields: u32, room: u32, nothing: usize, same: usize) -> Heap {
    let mut heap = HeapBuilder::new();
    heap.layout(Steps);
    let null = heap.object(Kind::Runtime, "null", 0);
    let text = heap.string("same");
    for i in 0..300 {
        let named: Vec<_> = (0..fields as usize)
            .map(|field| {
                let value = match field {
                    _ if field < nothing => null,
                    _ if field < nothing + same => text,
                    _ => heap.string(&format!("{field} {i}")),
                };
                (format!("f{field}"), value)
            })
            .collect();
        let named: Vec<_> = named.iter().map(|(name, value)| (&**name, *value)).collect();
        let record = heap.record("M", &named);
        heap.change_record(record, |record| record.available = room);
        heap.resize(record, steps(u64::from(room)));
    }
    heap.build()
}

fn steps(fields: u64) -> u64 {
    if fields <= 3 {
        40
    } else {
        40 + (8 * fields + 8).next_multiple_of(16)
    }
}

#[derive(Clone, Copy, Debug)]
struct Steps;

impl Layout for Steps {
    fn record(&self, shape: &RecordShape<'_>) -> u64 {
        steps(shape.count())
    }
    fn shape(&self, _: u64) -> u64 {
        40
    }
    fn string(&self, _: u64, _: Width) -> u64 {
        40
    }
    fn elements(&self, _: Representation, count: u64) -> u64 {
        8 * count
    }
    fn array(&self, _: Implementation, _: Representation, count: u64) -> u64 {
        steps(count)
    }
    fn table(&self, _: Implementation, _: TableKind, _: u64) -> Option<u64> {
        None
    }
    fn boxed(&self, _: Representation) -> u64 {
        40
    }
    fn date(&self) -> u64 {
        40
    }
    fn small_integers(&self) -> Option<(i64, i64)> {
        None
    }
    fn small_integer_bytes(&self) -> u64 {
        7
    }
    fn view(&self) -> u64 {
        40
    }
}

/// Holders with what they free of each record.
fn freed_each(heap: &Heap) -> Vec<(String, i64)> {
    let found = ConstantFields.look(heap).candidates;
    found
        .into_iter()
        .map(|c| (c.holder.clone(), c.net() / 300))
        .collect()
}

#[test]
fn a_field_that_a_step_hides_frees_nothing_and_is_no_finding() {
    let one = |fields, room| freed_each(&by_steps(fields, room, 1, 0));
    assert_eq!(one(3, 3), []);
    assert_eq!(one(4, 4), [("M.f0".into(), 48)]);
    assert_eq!(one(5, 5), []);
    assert_eq!(one(6, 6), [("M.f0".into(), 16)]);
    // Room for a fifth field of the type, which these have not: it shrinks to four, and not to three.
    assert_eq!(one(4, 5), []);
}

#[test]
fn what_several_fields_free_is_priced_together() {
    let all = |fields, nothing| freed_each(&by_steps(fields, fields, nothing, 0));
    // The first frees a block, the second nothing more.
    assert_eq!(all(4, 2), [("M".into(), 48)]);
    // Each alone frees nothing.
    assert_eq!(all(5, 2), [("M".into(), 48)]);
    assert_eq!(all(6, 3), [("M".into(), 64)]);
    assert_eq!(all(3, 2), []);
}

#[test]
fn a_finding_of_several_fields_says_what_each_frees() {
    let found = ConstantFields.look(&by_steps(5, 5, 2, 0)).candidates;
    assert_eq!(
        found[0].title,
        "all 300 records hold nothing in each of 2 fields: f0, f1"
    );
    assert!(found[0].fix.ends_with("one of them alone frees nothing"));
    assert_eq!(found[0].evidence["fields"][1]["alone_frees"], 0);
    let found = ConstantFields.look(&by_steps(4, 4, 2, 0)).candidates;
    assert!(found[0].fix.ends_with("the first of them frees all of it"));
}

/// Advice is weighed on what the findings of the same records leave.
#[test]
fn fields_of_one_value_come_after_those_that_say_nothing() {
    let all = |fields| freed_each(&by_steps(fields, fields, 1, 1));
    assert_eq!(all(4), [("M.f0".into(), 48)]);
    assert_eq!(all(6), [("M.f0".into(), 16)]);
    // The first frees nothing, so nothing comes before the second.
    assert_eq!(all(5), []);
    assert_eq!(
        freed_each(&by_steps(6, 6, 1, 2)),
        [("M.f0".into(), 16), ("M".into(), 48)]
    );
}
