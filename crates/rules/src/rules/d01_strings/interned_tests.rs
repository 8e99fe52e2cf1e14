//! What the runtime's own table of texts takes more.

use deadweight_heap::{Flags, Heap, HeapBuilder};
use deadweight_weighing::{Finding, Source, Weighing};

use super::*;
use crate::{Options, weigh};

/// Bytes of a text of one to eight characters.
const TEXT: u64 = 24;

/// Records whose field has `texts` different texts, each so many times.
fn place(heap: &mut HeapBuilder, ty: &str, texts: usize, times: usize) {
    for text in 0..texts {
        for _ in 0..times {
            let text = heap.string(&format!("{ty}{text}"));
            // No record equals another.
            let own = heap.number(f64::from(text) + 0.5);
            let record = heap.record(ty, &[("text", text), ("own", own)]);
            heap.variable("all", record);
        }
    }
}

fn with_table(texts: &[&str], fill: impl FnOnce(&mut HeapBuilder)) -> Heap {
    let mut heap = HeapBuilder::new();
    fill(&mut heap);
    let table = heap.map(4, &[]);
    heap.flag(table, Flags::ENGINE);
    heap.interned(table, texts);
    heap.build()
}

fn weighed(heap: &Heap) -> Weighing {
    let source = Source {
        path: "heap".into(),
        format: "test".into(),
        bytes: 0,
    };
    weigh(heap, source, &Options::all())
}

fn of_rule(weighing: &Weighing) -> Vec<&Finding> {
    let found = weighing.findings.iter();
    found.filter(|finding| finding.rule == "D01").collect()
}

#[test]
fn all_texts_of_a_place_that_are_new_to_the_table_make_it_grow() {
    let grows = |known: &[&str]| {
        let heap = with_table(known, |heap| {
            place(heap, "R", 8, 3);
            // One that does not repeat comes into it as well.
            place(heap, "R", 9, 1);
        });
        let found = EqualStrings.look(&heap).candidates;
        assert_eq!(found.len(), 1);
        let saves = (8 * 3 * TEXT).cast_signed();
        assert_eq!(found[0].claims.bytes().cast_signed(), saves);
        assert_eq!(found[0].evidence["own_table"]["saves"], saves);
        (
            saves - found[0].net(),
            found[0].evidence["interned_table"].clone(),
        )
    };
    // Nine texts come into it, or eight.
    assert_eq!(grows(&[]), (24 * 16, (24 * 16).into()));
    assert_eq!(grows(&["R3", "of no string"]), (24 * 8, (24 * 8).into()));
}

#[test]
fn a_runtime_without_such_a_table_pays_nothing() {
    let mut heap = HeapBuilder::new();
    place(&mut heap, "R", 8, 3);
    let found = EqualStrings.look(&heap.build()).candidates;
    assert!(found[0].interns.is_none() && !found[0].evidence.contains_key("own_table"));
    assert_eq!(found[0].net(), (8 * 2 * TEXT).cast_signed());
}

#[test]
fn texts_that_cost_more_in_the_table_than_their_copies_take_are_no_finding() {
    let heap = with_table(&[], |heap| {
        place(heap, "R", 30, 1);
        place(heap, "R", 30, 1);
    });
    // 30 copies of 24 bytes, and 32 slots of 24.
    assert!(of_rule(&weighed(&heap)).is_empty());
}

#[test]
fn several_places_pay_once_for_the_table_that_all_of_them_need() {
    let heap = with_table(&[], |heap| {
        place(heap, "Large", 20, 9);
        place(heap, "Small", 6, 5);
    });
    let weighing = weighed(&heap);
    let found = of_rule(&weighing);
    let frees = [20 * 8 * TEXT, 6 * 4 * TEXT];
    // Alone each pays its own step: 20 texts and 6.
    let alone: Vec<u64> = found.iter().map(|finding| finding.saves_alone).collect();
    assert_eq!(alone, [frees[0] - 24 * 32, frees[1] - 24 * 8]);
    // The step of the first has room for the second, which is said as what they share.
    let saves: Vec<u64> = found.iter().map(|finding| finding.saves).collect();
    assert_eq!(saves, [frees[0] - 24 * 32, frees[1]]);
    let shared = &found[1].shared[0];
    assert_eq!((&shared.with, shared.bytes), (&found[0].fingerprint, -24 * 8));
    let held = &weighing.held;
    assert_eq!(held.content + held.runtime + held.dead, held.bytes);
}

#[test]
fn the_step_that_a_later_place_makes_with_an_earlier_one_is_its_own() {
    let heap = with_table(&[], |heap| {
        place(heap, "Large", 15, 9);
        place(heap, "Small", 4, 9);
    });
    let weighing = weighed(&heap);
    let found = of_rule(&weighing);
    let frees = [15 * 8 * TEXT, 4 * 8 * TEXT];
    let alone: Vec<u64> = found.iter().map(|finding| finding.saves_alone).collect();
    assert_eq!(alone, [frees[0] - 24 * 16, frees[1]]);
    // 19 texts take 32 slots, of which 16 were paid.
    let saves: Vec<u64> = found.iter().map(|finding| finding.saves).collect();
    assert_eq!(saves, [frees[0] - 24 * 16, frees[1] - 24 * 16]);
    assert_eq!(found[1].shared[0].bytes, 24 * 16);
}

#[test]
fn texts_that_are_at_home_elsewhere_need_those_of_their_home_in_the_table() {
    let heap = with_table(&[], |heap| {
        for text in 0..40 {
            let text = format!("t{text}");
            let own = heap.string(&text);
            let home = heap.record("Home", &[("text", own)]);
            heap.variable("all", home);
        }
        for text in 0..20 {
            let away = heap.string(&format!("t{text}"));
            let record = heap.record("Away", &[("text", away)]);
            heap.variable("all", record);
        }
    });
    let found = EqualStrings.look(&heap).candidates;
    assert_eq!((found.len(), found[0].variant), (1, "across"));
    assert_eq!(found[0].interns.as_ref().unwrap().alone, 24 * 64);
}
