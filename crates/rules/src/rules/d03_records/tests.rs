//! What the whole rule finds and says.

use deadweight_heap::{EdgeKind, HeapBuilder, Kind, Numeric, ObjectId, Representation, Value, Width};

use super::*;
use crate::{Candidate, Ledger};

fn point(heap: &mut HeapBuilder, x: f64, name: &str) -> ObjectId {
    let x = heap.number(x);
    let name = heap.string(name);
    heap.record("Point", &[("x", x), ("name", name)])
}

fn keep(heap: &mut HeapBuilder, value: ObjectId) {
    let owner = heap.record("Shape", &[("at", value)]);
    let unique = heap.object(Kind::Opaque, "unique", 8);
    heap.edge(owner, EdgeKind::Internal, 9, unique);
    heap.variable("shapes", owner);
    heap.variable("shapes", unique);
}

fn look(heap: HeapBuilder) -> Vec<Candidate> {
    EqualRecords.look(&heap.build()).candidates
}

#[test]
fn copies_go_with_all_they_hold_alone() {
    let mut heap = HeapBuilder::new();
    for _ in 0..17 {
        let at = point(&mut heap, 1.5, "origin");
        keep(&mut heap, at);
    }
    let other = point(&mut heap, 2.5, "origin");
    keep(&mut heap, other);
    let found = look(heap);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].holder, "Shape.at");
    assert_eq!((found[0].count, found[0].unaffected), (16, 2));
    assert_eq!(found[0].net(), 16 * (32 + 16 + 24));
    assert_eq!(found[0].bytes_now, 17 * (32 + 16 + 24));
}

#[test]
fn what_the_library_made_for_a_copy_goes_with_it() {
    let mut heap = HeapBuilder::new();
    for _ in 0..20 {
        let path = heap.string("path");
        let address = heap.record("Address", &[("path", path)]);
        keep(&mut heap, address);
    }
    heap.library("Address", false, &["path"]);
    assert_eq!(look(heap)[0].net(), 19 * (24 + 24));
}

#[test]
fn buffers_that_the_library_made_are_part_of_the_value() {
    let addresses = |is_of_library: bool| {
        let mut heap = HeapBuilder::new();
        for i in 0..40 {
            let bytes = heap.numbers(Representation::Integer(1), &[i % 2; 8]);
            heap.change_buffer(bytes, |buffer| buffer.hash = i.cast_unsigned() % 2 + 1);
            let address = heap.record("Address", &[("bytes", bytes)]);
            keep(&mut heap, address);
        }
        if is_of_library {
            heap.library_makes("Address");
        }
        look(heap)
    };
    assert_eq!(addresses(true)[0].count, 38);
    assert_eq!(addresses(true)[0].net(), 38 * (24 + 24));
    // Anybody may write to bytes of the program's.
    assert!(addresses(false).is_empty());
}

#[test]
fn what_the_library_made_is_compared_with_the_value_that_holds_it() {
    let mut heap = HeapBuilder::new();
    for i in 0..40 {
        let text = heap.string(if i % 2 == 0 { "even" } else { "odd" });
        let node = heap.record("Node", &[("text", text)]);
        let pattern = heap.record("Pattern", &[("root", node)]);
        keep(&mut heap, pattern);
    }
    heap.library("Node", true, &[]);
    let found = look(heap);
    assert_eq!((found.len(), found[0].count), (1, 38));
    assert_eq!(found[0].holder, "Shape.at");
}

#[test]
fn slots_without_a_value_are_part_of_an_array() {
    let pairs = |slots: Presence, gap: fn(usize) -> usize| {
        let mut heap = HeapBuilder::new();
        heap.coverage(|coverage| coverage.slots = slots);
        for i in 0..40 {
            let name = heap.string("name");
            let mut elements = vec![None; gap(i) + 1];
            elements[0] = Some(name);
            let pair = heap.array_with_gaps(&elements);
            keep(&mut heap, pair);
        }
        look(heap)
    };
    assert_eq!(pairs(Presence::Present, |_| 2)[0].count, 39);
    assert!(pairs(Presence::Present, |i| i).is_empty());
    // Where numbers in slots are not in the dump, arrays with different ones look alike.
    assert!(pairs(Presence::Absent, |_| 2).is_empty());
}

#[test]
fn shared_values_stay() {
    let mut heap = HeapBuilder::new();
    let name = heap.string("shared");
    for _ in 0..20 {
        let point = heap.record("Point", &[("name", name)]);
        keep(&mut heap, point);
    }
    assert_eq!(look(heap)[0].net(), 19 * 24);
}

#[test]
fn a_few_copies_are_a_coincidence() {
    let mut heap = HeapBuilder::new();
    for _ in 0..16 {
        let at = point(&mut heap, 1.5, "origin");
        keep(&mut heap, at);
    }
    assert!(look(heap).is_empty());
}

#[test]
fn nested_copies_are_granted_once_with_the_outer() {
    let mut heap = HeapBuilder::new();
    for _ in 0..20 {
        let inner = point(&mut heap, 3.0, "inner");
        let list = heap.array(1, &[inner]);
        let outer = heap.record("Outer", &[("list", list)]);
        keep(&mut heap, outer);
    }
    let heap = heap.build();
    let booked = booked(&heap, EqualRecords.look(&heap).candidates);
    assert_eq!(
        booked,
        [
            ("Shape.at".to_owned(), 19 * (24 + 56 + 32 + 16 + 24)),
            ("Outer.list".to_owned(), 0),
            ("Outer.list[]".to_owned(), 0)
        ]
    );
}

/// What the ledger grants of candidates, the largest first.
fn booked(heap: &Heap, mut candidates: Vec<Candidate>) -> Vec<(String, u64)> {
    candidates.sort_by_key(|candidate| std::cmp::Reverse(candidate.net()));
    let mut ledger = Ledger::new(heap);
    let mut book = |candidate: Candidate| {
        let grant = ledger.book(&candidate);
        (candidate.holder, grant.saves)
    };
    candidates.into_iter().map(&mut book).collect()
}

#[test]
fn a_place_promises_all_that_it_gives_alone_also_what_goes_with_equal_holders() {
    let mut heap = HeapBuilder::new();
    let each = 32 + 16 + 24;
    for i in 0..60 {
        let inner = point(&mut heap, 3.0, "inner");
        // Twenty records hold nothing else, and are equal; the others differ.
        let number = heap.small_number(f64::from(i.max(19)));
        let outer = heap.record("Outer", &[("point", inner), ("number", number)]);
        keep(&mut heap, outer);
    }
    let heap = heap.build();
    let candidates = EqualRecords.look(&heap).candidates;
    let alone = |holder: &str| {
        let mut at = candidates.iter().filter(|candidate| candidate.holder == holder);
        at.next()
            .map(|candidate| (candidate.count, candidate.unaffected, candidate.net()))
    };
    assert_eq!(alone("Outer.point"), Some((59, 1, 59 * each)));
    assert_eq!(alone("Shape.at"), Some((19, 41, 19 * (32 + each))));
    // Whoever comes first, together they free each byte once.
    let together = 19 * 32 + 59 * each as u64;
    let granted = |candidates: Vec<Candidate>| -> u64 {
        let mut ledger = Ledger::new(&heap);
        candidates
            .iter()
            .map(|candidate| ledger.book(candidate).saves)
            .sum()
    };
    let turned = candidates.iter().rev().cloned().collect();
    assert_eq!(
        (granted(candidates.clone()), granted(turned)),
        (together, together)
    );
}

#[test]
fn of_equal_values_one_stays_that_no_other_place_lets_go() {
    let mut heap = HeapBuilder::new();
    for i in 0..40 {
        // The rows of the equal outer ones come first.
        let inner = point(&mut heap, 3.0, "inner");
        let number = heap.small_number(f64::from(if i < 20 { 0 } else { i }));
        let outer = heap.record("Outer", &[("point", inner), ("number", number)]);
        let own = heap.small_number(f64::from(i));
        let owner = heap.record("Owner", &[("outer", outer), ("own", own)]);
        keep(&mut heap, owner);
    }
    let heap = heap.build();
    let booked = booked(&heap, EqualRecords.look(&heap).candidates);
    let saved: u64 = booked.iter().map(|(_, saves)| saves).sum();
    assert_eq!(saved, 19 * 32 + 39 * (32 + 16 + 24), "{booked:?}");
}

/// As Ruby has them.
#[test]
fn arrays_without_a_store_of_their_own_are_compared() {
    let mut heap = HeapBuilder::new();
    for i in 0..40 {
        let text = heap.string(if i < 20 { "equal" } else { "as well" });
        let list = heap.array(0, &[]);
        heap.edge(list, EdgeKind::Element, 0, text);
        heap.change_array(list, |array| {
            (array.store, array.used, array.capacity) = (array.object, 1, 1);
        });
        keep(&mut heap, list);
    }
    let verdict = EqualRecords.look(&heap.build());
    assert!(verdict.not_measured.is_empty(), "{:?}", verdict.not_measured);
    assert_eq!(
        (verdict.candidates[0].count, verdict.candidates[0].unaffected),
        (38, 2)
    );
}

#[test]
fn different_types_texts_numbers_and_hidden_state_are_not_equal() {
    let mut heap = HeapBuilder::new();
    for i in 0..40 {
        let number = point(&mut heap, f64::from(i), "same");
        keep(&mut heap, number);
        let text = point(&mut heap, 1.0, &format!("name {i}"));
        keep(&mut heap, text);
        let date = heap.date(f64::NAN);
        let unknown = heap.record("Dated", &[("on", date)]);
        keep(&mut heap, unknown);
        let x = heap.small_number(1.0);
        let typed = heap.record(&format!("Type{i}"), &[("x", x)]);
        keep(&mut heap, typed);
        let hidden = heap.array(1, &[x]);
        let state = heap.record("State", &[("x", x)]);
        let own = heap.date(f64::from(i));
        heap.edge(state, EdgeKind::Internal, 3, own);
        keep(&mut heap, state);
        heap.edge(hidden, EdgeKind::Weak, 0, own);
    }
    assert!(look(heap).is_empty());
}

fn chain(heap: &mut HeapBuilder, levels: usize) -> ObjectId {
    let x = heap.small_number(1.0);
    let mut chain = heap.record("Chain", &[("x", x)]);
    for _ in 1..levels {
        chain = heap.record("Chain", &[("next", chain)]);
    }
    chain
}

#[test]
fn values_are_compared_as_deep_as_they_go() {
    for (levels, is_found) in [(2_u16, true), (5, true), (64, true), (65, false)] {
        let mut heap = HeapBuilder::new();
        for _ in 0..40 {
            let chain = chain(&mut heap, levels.into());
            keep(&mut heap, chain);
        }
        let at = look(heap)
            .into_iter()
            .find(|candidate| candidate.holder == "Shape.at");
        let expected = is_found.then_some(39 * 24 * i64::from(levels));
        assert_eq!(at.map(|candidate| candidate.net()), expected, "{levels} levels");
    }
}

#[test]
fn what_refers_to_itself_is_equal_to_nothing() {
    let mut heap = HeapBuilder::new();
    for _ in 0..40 {
        let x = heap.small_number(1.0);
        let cycle = heap.record("Cycle", &[("x", x)]);
        let me = heap.text("me");
        heap.edge(cycle, EdgeKind::Field, me, cycle);
        let outer = heap.record("Outer", &[("of", cycle)]);
        keep(&mut heap, outer);
    }
    let found = look(heap);
    assert!(found.is_empty(), "{} found", found.len());
}

#[test]
fn siblings_that_refer_to_what_holds_them_are_compared() {
    let mut heap = HeapBuilder::new();
    let parent = heap.record("Parent", &[]);
    let field = heap.text("parent");
    for i in 0..40 {
        let x = heap.small_number(f64::from(i / 20));
        let child = heap.record("Child", &[("x", x)]);
        heap.edge(child, EdgeKind::Field, field, parent);
        heap.change_record(child, |record| record.used = 2);
        heap.edge(parent, EdgeKind::Element, i as u32, child);
    }
    heap.variable("tree", parent);
    let found = look(heap);
    let counts: Vec<u64> = found.iter().map(|candidate| candidate.count).collect();
    assert_eq!(counts, [38]);
}

#[test]
fn values_that_the_dump_does_not_show_are_said_to_be_unknown() {
    let mut heap = HeapBuilder::new();
    for _ in 0..40 {
        let at = point(&mut heap, 1.0, "same");
        heap.change_record(at, |record| record.used += 1);
        keep(&mut heap, at);
    }
    let verdict = EqualRecords.look(&heap.build());
    assert!(verdict.candidates.is_empty());
    assert_eq!(verdict.not_measured.len(), 1);
}

#[test]
fn empty_containers_of_one_kind_are_equal_values() {
    let mut heap = HeapBuilder::new();
    for i in 0..40 {
        let name = heap.string("en");
        let (formats, rules) = (heap.map(0, &[]), heap.array(i % 3, &[]));
        let options = heap.record("Options", &[]);
        let fields = [
            ("name", name),
            ("formats", formats),
            ("rules", rules),
            ("options", options),
        ];
        let locale = heap.record("Locale", &fields);
        keep(&mut heap, locale);
    }
    let found = look(heap);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!((&*found[0].holder, found[0].count), ("Shape.at", 39));
}

/// What an empty table makes for an absent key is all of its value.
#[test]
fn empty_tables_differ_by_what_they_make_for_absent_keys() {
    let mut heap = HeapBuilder::new();
    let makers = ["list", "int"].map(|name| heap.object(Kind::Runtime, name, 400));
    let factory = heap.text("default_factory");
    for i in 0..40 {
        let table = heap.map(0, &[]);
        heap.edge(table, EdgeKind::Field, factory, makers[i % 2]);
        let record = heap.record("R", &[("by_name", table)]);
        keep(&mut heap, record);
    }
    heap.default_field("Map", "default_factory");
    let found = look(heap);
    let listed: Vec<_> = found.iter().map(|c| (&*c.holder, c.count)).collect();
    assert_eq!(listed, [("Shape.at", 40 - 2)]);
}

#[test]
fn empty_containers_of_two_kinds_and_full_ones_differ() {
    let mut heap = HeapBuilder::new();
    let x = heap.object(Kind::Opaque, "hidden", 8);
    for i in 0..40 {
        let odd = match i {
            0..14 => heap.map(0, &[]),
            14..28 => heap.array(0, &[]),
            _ => heap.array(1, &[x]),
        };
        let hidden = heap.record("Promise", &[]);
        heap.resize(hidden, 40);
        let record = heap.record("R", &[("odd", odd)]);
        keep(&mut heap, record);
        let promised = heap.record("P", &[("hidden", hidden)]);
        keep(&mut heap, promised);
    }
    let found = look(heap);
    let listed: Vec<_> = found.iter().map(|c| (&*c.holder, c.count)).collect();
    // Of each of three values one stays; what is hidden is equal to nothing else.
    assert_eq!(listed, [("Shape.at", 40 - 3)]);
}

#[test]
fn equal_sets_and_maps_are_copies() {
    let mut heap = HeapBuilder::new();
    for i in 0..40 {
        let [key, value] = ["key", "value"].map(|text| heap.string(text));
        let set = heap.map(1, &[(key, value)]);
        keep(&mut heap, set);
        let own = heap.string(&i.to_string());
        let other = heap.map(1, &[(key, own)]);
        keep(&mut heap, other);
    }
    let heap = heap.build();
    let each = heap.whole_bytes(heap.tables[0].object).cast_signed();
    let found = EqualRecords.look(&heap).candidates;
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].count, found[0].unaffected), (39, 41));
    // The key and the value of each stand in the other map, too, or they go.
    assert_eq!(found[0].net(), 39 * (each + 24));
}

/// Sets of Ruby before 3.5 have their elements as values of a hash that is a piece of them.
#[test]
fn elements_of_sets_stand_in_keys_or_in_values() {
    for kind in [EdgeKind::Key, EdgeKind::Value] {
        let mut heap = HeapBuilder::new();
        for i in 0..40 {
            let set = heap.map(1, &[]);
            let text = heap.string(if i % 2 == 0 { "even" } else { "odd" });
            heap.edge(set + 1, kind, 0, text).change_table(set, |table| {
                (table.set, table.used) = (true, 1);
            });
            let map = heap.map(1, &[]);
            heap.edge(map + 1, kind, 0, text)
                .change_table(map, |table| table.used = 1);
            keep(&mut heap, set);
            keep(&mut heap, map);
        }
        let verdict = EqualRecords.look(&heap.build());
        assert_eq!(verdict.candidates.len(), 1, "{kind:?}");
        assert_eq!(verdict.candidates[0].count, 38);
        // Maps of which the keys or the values are not seen are not compared.
        assert_eq!(verdict.not_measured.len(), 1);
    }
}

#[test]
fn declared_numbers_and_truth_values_are_part_of_the_value() {
    let number = |value| Value::Number(Numeric::Integer(value));
    let look_at = |values: fn(i64) -> [i64; 2], hide: bool| {
        let mut heap = HeapBuilder::new();
        let name = heap.string("name");
        let fields = [
            ("x", Representation::Integer(8)),
            ("open", Representation::Boolean),
            ("name", Representation::Reference),
            ("next", Representation::Reference),
        ];
        let class = heap.class("Door", None, &fields);
        for i in 0..40 {
            let [x, open] = values(i);
            let values = [
                number(x),
                Value::Boolean(open == 1),
                Value::Reference(name, 0),
                Value::Nothing,
            ];
            let door = heap.instance(class, &values);
            if hide {
                heap.forget(door);
            }
            keep(&mut heap, door);
        }
        look(heap).len()
    };
    assert_eq!(look_at(|_| [7, 1], false), 1);
    assert_eq!(look_at(|i| [i, 1], false), 0);
    assert_eq!(look_at(|i| [i % 20, i / 20], false), 0);
    // What the dump does not have is not taken to be equal.
    assert_eq!(look_at(|_| [7, 1], true), 0);
}

#[test]
fn windows_are_compared_by_what_they_show_and_go_with_what_only_they_show() {
    let mut heap = HeapBuilder::new();
    for _ in 0..20 {
        let line = heap.string("name value");
        let (name, value) = (heap.slice(line, "name"), heap.slice(line, "value"));
        let record = heap.record("R", &[("name", name), ("value", value)]);
        keep(&mut heap, record);
    }
    let built = heap.build();
    let record = built.rows().find(|&id| built.type_name(id) == "R").unwrap();
    let (line, record) = (built.bytes(0), built.bytes(record));
    let found = EqualRecords.look(&built).candidates;
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].claims.bytes(), 19 * (record + 2 * 32 + line));
}

#[test]
fn windows_whose_text_is_hidden_are_equal_to_nothing() {
    let mut heap = HeapBuilder::new();
    for _ in 0..20 {
        let line = heap.string("name value");
        let name = heap.slice_of_length(line, 4, Width::One);
        let record = heap.record("R", &[("name", name)]);
        keep(&mut heap, record);
    }
    assert!(look(heap).is_empty());
}

#[test]
fn what_several_copies_hold_together_goes_with_the_last() {
    let mut heap = HeapBuilder::new();
    let of_all = heap.string("held by the one that stays as well");
    for _ in 0..10 {
        let name = heap.string("held by two copies");
        for _ in 0..2 {
            let each = heap.record("Point", &[("name", name), ("of_all", of_all)]);
            keep(&mut heap, each);
        }
    }
    let found = look(heap);
    // One pair keeps a record, and with it the text.
    assert_eq!(found[0].net(), 19 * 32 + 9 * heap_bytes("held by two copies"));
}

fn heap_bytes(text: &str) -> i64 {
    let mut heap = HeapBuilder::new();
    let row = heap.string(text);
    heap.build().bytes(row).cast_signed()
}

#[test]
fn a_text_is_equal_however_it_is_kept() {
    let mut heap = HeapBuilder::new();
    let empty = heap.string("");
    heap.variable("empty", empty);
    for turn in 0..40 {
        let x = heap.number(1.5);
        let name = match turn % 2 {
            0 => heap.string("origin"),
            _ => heap.flattened("origin", empty),
        };
        let at = heap.record("Point", &[("x", x), ("name", name)]);
        keep(&mut heap, at);
    }
    let found = look(heap);
    assert_eq!((found.len(), found[0].count), (1, 39));
    assert_eq!(found[0].net(), 39 * (32 + 16 + 24) + 20 * 32);
}
