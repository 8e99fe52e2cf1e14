use super::*;
use crate::{HeapBuilder, NONE};

fn profile(heap: &Heap, name: &str) -> FieldProfile {
    let profiles = heap.field_profiles();
    let found = profiles
        .iter()
        .find(|((_, field), _)| heap.texts.shown(*field, 40) == name);
    found.unwrap_or_else(|| panic!("no field {name}")).1.clone()
}

#[test]
fn values_are_counted_by_their_sort() {
    let mut heap = HeapBuilder::new();
    let null = heap.object(Kind::Runtime, "null", 0);
    let yes = heap.object(Kind::Runtime, "true", 0);
    for i in 0..20 {
        let boxed = heap.number(f64::from(i));
        let small = heap.small_number(f64::from(i));
        let number = if i % 2 == 0 { boxed } else { small };
        let text = heap.string(&format!("{}", 100 + i));
        let absent = if i == 3 { null } else { text };
        let mixed = if i == 4 { yes } else { text };
        heap.record(
            "M",
            &[
                ("number", number),
                ("text", text),
                ("absent", absent),
                ("mixed", mixed),
            ],
        );
    }
    let heap = heap.build();
    let number = profile(&heap, "number");
    assert_eq!((number.records, number.numbers, number.boxes), (20, 20, 10));
    assert_eq!(
        (number.least, number.most, number.whole),
        (Numeric::Integer(0), Numeric::Integer(19), true)
    );
    let text = profile(&heap, "text");
    assert_eq!(
        (text.texts, text.least_text, text.most_text),
        (20, Numeric::Integer(100), Numeric::Integer(119))
    );
    assert!(text.forms.has(TextForms::WHOLE));
    let absent = profile(&heap, "absent");
    assert_eq!((absent.nothing, absent.texts), (1, 19));
    assert!(absent.forms.has(TextForms::WHOLE));
    let mixed = profile(&heap, "mixed");
    assert_eq!((mixed.truths, mixed.forms), (1, TextForms::NONE));
}

#[test]
fn equal_text_and_equal_numbers_are_one_value() {
    let mut heap = HeapBuilder::new();
    let null = heap.object(Kind::Runtime, "null", 0);
    let mut first = NONE;
    for i in 0..20 {
        let text = heap.string("same");
        first = first.min(text);
        let number = heap.number(7.0);
        let unknown = heap.number(f64::NAN);
        let other = heap.string(if i == 19 { "other" } else { "same" });
        let fields = [
            ("a", text),
            ("b", number),
            ("c", null),
            ("d", unknown),
            ("e", other),
        ];
        heap.record("M", &fields);
    }
    let heap = heap.build();
    assert_eq!(
        profile(&heap, "a").value,
        OneValue::Same(FieldValue::Text(heap.objects.label[first as usize]), first)
    );
    assert!(matches!(
        profile(&heap, "b").value,
        OneValue::Same(FieldValue::Number(_), _)
    ));
    assert_eq!(
        profile(&heap, "c").value,
        OneValue::Same(FieldValue::Row(null), null)
    );
    assert_eq!(profile(&heap, "d").value, OneValue::Several);
    assert_eq!(profile(&heap, "e").value, OneValue::Several);
}

#[test]
fn ids_of_one_length_and_one_case_have_a_form() {
    for (odd, has_form) in [
        ("65b2c3d4e5f60718293a0000", true),
        ("65B2C3D4E5F60718293A0000", false),
        ("65b2", false),
    ] {
        let mut heap = HeapBuilder::new();
        for i in 0..20 {
            let id = if i == 7 {
                odd.to_owned()
            } else {
                format!("65b2c3d4e5f60718293a{i:04x}")
            };
            let id = heap.string(&id);
            heap.record("M", &[("id", id)]);
        }
        let found = profile(&heap.build(), "id");
        assert_eq!(found.forms.has(TextForms::HEX), has_form, "{odd}");
    }
}

#[test]
fn a_profile_is_the_same_however_records_are_cut() {
    let mut heap = HeapBuilder::new();
    // More records than one thread takes at a time, of two types that alternate.
    for i in 0..20_000_u32 {
        let number = heap.number(f64::from(i));
        let text = heap.string(&i.to_string());
        heap.record(if i % 2 == 0 { "A" } else { "B" }, &[("n", number), ("t", text)]);
    }
    let heap = heap.build();
    let fields = heap.field_profiles();
    let counts: Vec<_> = fields
        .iter()
        .map(|(_, field)| (field.records, field.numbers, field.texts))
        .collect();
    assert_eq!(
        counts,
        [
            (10_000, 10_000, 0),
            (10_000, 0, 10_000),
            (10_000, 10_000, 0),
            (10_000, 0, 10_000)
        ]
    );
    let ranges: Vec<_> = fields
        .iter()
        .map(|(_, field)| (field.least, field.most_text))
        .collect();
    assert_eq!(
        ranges,
        [
            (Numeric::Integer(0), Numeric::Unknown),
            (Numeric::Unknown, Numeric::Integer(19_998)),
            (Numeric::Integer(1), Numeric::Unknown),
            (Numeric::Unknown, Numeric::Integer(19_999))
        ]
    );
}

#[test]
fn a_field_that_is_there_twice_counts_once_and_a_type_of_few_records_has_no_profile() {
    let mut heap = HeapBuilder::new();
    let text = heap.string("x");
    for i in 0..20 {
        heap.record("M", &[("a", text), ("a", text)]);
        if i < 15 {
            heap.record("Few", &[("a", text)]);
        }
    }
    let heap = heap.build();
    let profiles = heap.field_profiles();
    let counts: Vec<_> = profiles.iter().map(|(_, field)| field.records).collect();
    assert_eq!(counts, [20]);
}

#[test]
fn declared_fields_that_refer_to_nothing_are_absent_values() {
    use crate::{Representation, Value};
    let mut heap = HeapBuilder::new();
    let fields = [
        ("next", Representation::Reference),
        ("name", Representation::Reference),
        ("count", Representation::Integer(4)),
    ];
    let base = heap.class("Base", None, &[("twice", Representation::Reference)]);
    let class = heap.class("Node", None, &fields);
    let again = heap.class("Again", Some(base), &[("twice", Representation::Reference)]);
    let text = heap.string("17");
    for i in 0..20 {
        let name = if i < 5 {
            Value::Nothing
        } else {
            Value::Reference(text, 0)
        };
        heap.instance(class, &[Value::Nothing, name, Value::Number(Numeric::Integer(0))]);
        heap.instance(again, &[Value::Nothing, Value::Reference(text, 0)]);
    }
    // What the dump does not have is not taken for nothing.
    let lost = heap.instance(
        class,
        &[Value::Nothing, Value::Nothing, Value::Number(Numeric::Integer(0))],
    );
    heap.forget(lost);
    let heap = heap.build();
    let next = profile(&heap, "next");
    assert_eq!((next.records, next.nothing), (20, 20));
    let name = profile(&heap, "name");
    assert_eq!((name.records, name.nothing, name.texts), (20, 5, 15));
    assert!(name.value == OneValue::Several && name.forms.has(TextForms::WHOLE));
    // Of two fields of one name nobody knows which one is empty.
    assert_eq!(
        (profile(&heap, "twice").records, profile(&heap, "twice").nothing),
        (20, 0)
    );
}
