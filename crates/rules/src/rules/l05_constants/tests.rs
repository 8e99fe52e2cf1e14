use deadweight_heap::{HeapBuilder, Kind, Numeric, Representation, Value as Stored};

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

/// A number in the record itself is no object that anything refers to.
#[test]
fn a_number_in_all_records_is_an_option_also_where_it_has_no_object() {
    let found = |last: i64| {
        let mut heap = HeapBuilder::new();
        let fields = [
            ("id", Representation::Integer(8)),
            ("scale", Representation::Integer(8)),
        ];
        let class = heap.class("Row", None, &fields);
        for i in 0..300 {
            let scale = if i == 299 { last } else { 7 };
            let number = |value| Stored::Number(Numeric::Integer(value));
            heap.instance(class, &[number(i), number(scale)]);
        }
        ConstantFields.look(&heap.build()).candidates
    };
    let same = found(7);
    assert_eq!((same.len(), same[0].holder.as_str()), (1, "Row.scale"));
    assert_eq!((same[0].net(), same[0].option), (300 * 8, true));
    assert_eq!(same[0].evidence["value"], "7");
    assert!(found(8).is_empty());
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

#[test]
fn declared_fields_that_refer_to_nothing_say_nothing() {
    let mut heap = HeapBuilder::new();
    let fields = [
        ("next", Representation::Reference),
        ("name", Representation::Reference),
    ];
    let class = heap.class("Node", None, &fields);
    for i in 0..300 {
        let name = heap.string(&format!("name {i}"));
        let name = if i == 0 {
            Stored::Nothing
        } else {
            Stored::Reference(name, 0)
        };
        heap.instance(class, &[Stored::Nothing, name]);
    }
    let found = ConstantFields.look(&heap.build()).candidates;
    let found: Vec<_> = found
        .iter()
        .map(|c| (c.holder.as_str(), c.option, c.net()))
        .collect();
    assert_eq!(found, [("Node.next", false, 300 * 8)]);
}
