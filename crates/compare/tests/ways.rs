//! Which way a finding was mended that knows several, and has a side outside the heap: 300,000 ids of 12 bytes on
//! Node.js 20, as `cargo xtask cases objectid` leaves their weighings in `target/cases`.

mod support;

use std::fs;
use std::path::Path;

use deadweight_compare::Proof;
use deadweight_compare::prove::{Options, prove};
use deadweight_heap::{Flags, HeapBuilder};
use deadweight_weighing::{Weighing, read};
use support::weighed_heap;

fn weighing(name: &str) -> Weighing {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/weighings");
    read(&fs::read(folder.join(name)).unwrap()).unwrap()
}

fn proven(after: &str) -> Proof {
    prove(&weighing("objectid.json"), &weighing(after), &Options::default())
}

fn ways(proof: &Proof) -> Vec<Option<&str>> {
    let of_ids = proof.fixes.iter().filter(|fix| fix.rule == "L04");
    of_ids.map(|fix| fix.way.as_deref()).collect()
}

#[test]
fn both_sides_of_a_finding_are_mended_in_one_way() {
    let packed = proven("objectid-packed.json");
    assert_eq!(ways(&packed), [Some("packed"), Some("packed")]);
    assert!(packed.error.unwrap().abs() < 0.01, "{packed:#?}");
    let pooled = proven("objectid-pool.json");
    assert_eq!(ways(&pooled), [None, None]);
    assert!(pooled.error.unwrap().abs() < 0.01, "{pooled:#?}");
}

/// A histogram with room for 10,000 values, 400 of which came, that also keeps how many.
fn histogram(counts: Option<(u64, u64)>) -> Weighing {
    let mut heap = HeapBuilder::new();
    let total = heap.number(400.5);
    let mut fields = vec![("total", total)];
    if let Some((bytes, zeros)) = counts {
        fields.push(("counts", heap.buffer(bytes, zeros, 7)));
    }
    let histogram = heap.record("Histogram", &fields);
    heap.variable("histogram", histogram);
    weighed_heap(&heap.build(), "histogram")
}

#[test]
fn buffers_that_are_dropped_save_more_than_those_that_are_cut_to_what_they_hold() {
    let before = histogram(Some((80_000, 80_000 - 3_200)));
    for (after, way, predicted) in [
        (histogram(Some((6_400, 0))), None, 73_600),
        (histogram(None), Some("dropped"), 80_000),
    ] {
        let proof = prove(&before, &after, &Options::default());
        let fix = proof.fixes.iter().find(|fix| fix.rule == "E01").unwrap();
        assert_eq!(fix.way.as_deref(), way, "{proof:#?}");
        assert_eq!(fix.predicted.external, predicted, "{proof:#?}");
        assert_eq!(proof.measured.external, predicted, "{proof:#?}");
    }
}

/// Visits of 3,000 people to one of 500 cities; `table` says whether the program keeps a table of cities.
fn visits(is_shared: bool, table: bool) -> Weighing {
    let mut heap = HeapBuilder::new();
    let name = |city: usize| format!("the city with the number {city}");
    let cities: Vec<_> = (0..500).map(|city| heap.string(&name(city))).collect();
    for visit in 0..3_000 {
        let city = match visit {
            0..500 => cities[visit],
            _ if is_shared => cities[visit % 500],
            _ => heap.string(&name(visit % 500)),
        };
        let who = heap.string(&format!("someone, number {visit}"));
        let record = heap.record("Visit", &[("city", city), ("who", who)]);
        heap.variable("visits", record);
    }
    if table {
        let entries: Vec<_> = cities.iter().map(|&city| (city, city)).collect();
        let table = heap.map(512, &entries);
        heap.variable("known", table);
    }
    weighed_heap(&heap.build(), "visits")
}

#[test]
fn a_table_that_a_fix_keeps_is_its_own() {
    let before = visits(false, false);
    for (after, way) in [
        (visits(true, false), None),
        (visits(true, true), Some("kept_table")),
    ] {
        let proof = prove(&before, &after, &Options::default());
        let fix = proof.fixes.iter().find(|fix| fix.holder == "Visit.city").unwrap();
        assert_eq!(fix.way.as_deref(), way, "{proof:#?}");
        assert_eq!(proof.unexplained.sum(), 0, "{proof:#?}");
        assert_eq!((proof.predicted, fix.error), (fix.predicted, proof.error));
        assert!(proof.error.unwrap() < 0.05 && proof.grew.is_empty(), "{proof:#?}");
    }
}

#[test]
fn a_new_table_of_another_size_is_no_part_of_a_fix() {
    let mut heap = HeapBuilder::new();
    let word = heap.string("word");
    let table = heap.map(4, &[(word, word)]);
    heap.variable("other", table);
    let mut after = visits(true, false);
    let other = weighed_heap(&heap.build(), "other").holdings.unwrap();
    let new = other.places.into_iter().filter(|place| place.holder == "other");
    after.holdings.as_mut().unwrap().places.extend(new);
    let proof = prove(&visits(false, false), &after, &Options::default());
    let fix = proof.fixes.iter().find(|fix| fix.holder == "Visit.city").unwrap();
    assert_eq!(fix.way, None, "{proof:#?}");
}

/// Records with texts at two places, of which `interned` says whether each is kept once. `grows` says whether the runtime's own table
/// has those texts.
fn texts(interned: [bool; 2], grows: bool) -> Weighing {
    let mut heap = HeapBuilder::new();
    let mut came = 0;
    let places: [(&str, u64, u32); 2] = [("Large", 200, 9), ("Small", 60, 9)];
    for ((ty, texts, times), interned) in places.into_iter().zip(interned) {
        for text in 0..texts {
            let name = format!("{}{text}", &ty[..1]);
            let first = heap.string(&name);
            for copy in 0..times {
                let text = if interned || copy == 0 {
                    first
                } else {
                    heap.string(&name)
                };
                let own = heap.number(f64::from(copy) + 0.5);
                let record = heap.record(ty, &[("text", text), ("own", own)]);
                heap.variable("all", record);
            }
        }
        came += if interned { texts } else { 0 };
    }
    let table = heap.map(4, &[]);
    heap.flag(table, Flags::ENGINE).interned(table, &[]);
    let grown = if came > 0 && grows {
        24 * came.next_power_of_two()
    } else {
        0
    };
    heap.resize(table, 1000 + grown);
    weighed_heap(&heap.build(), "texts")
}

#[test]
fn each_of_several_places_has_its_part_of_the_runtimes_own_table() {
    let before = texts([false; 2], true);
    for (interned, grows) in [
        ([true, false], [256, 0]),
        ([false, true], [0, 64]),
        // The second place makes the table double again.
        ([true, true], [256, 256]),
    ] {
        let proof = prove(&before, &texts(interned, true), &Options::default());
        let frees = [200 * 8 * 24, 60 * 8 * 24];
        for (at, holder) in ["Large.text", "Small.text"].into_iter().enumerate() {
            let fix = proof.fixes.iter().find(|fix| fix.holder == holder).unwrap();
            let saves = if interned[at] {
                frees[at] - 24 * grows[at]
            } else {
                0
            };
            assert_eq!(fix.predicted.held, saves, "{interned:?} {holder}: {proof:#?}");
            assert_eq!(fix.way, None);
            if interned[at] {
                assert!(
                    fix.error.unwrap().abs() < 0.01,
                    "{interned:?} {holder}: {proof:#?}"
                );
            }
        }
        assert!(proof.error.unwrap().abs() < 0.01, "{proof:#?}");
    }
}

#[test]
fn where_the_runtimes_own_table_stays_as_it_was_the_program_has_one_of_its_own() {
    let proof = prove(
        &texts([false; 2], true),
        &texts([true; 2], false),
        &Options::default(),
    );
    for (holder, saves) in [("Large.text", 200 * 8 * 24), ("Small.text", 60 * 8 * 24)] {
        let fix = proof.fixes.iter().find(|fix| fix.holder == holder).unwrap();
        assert_eq!(
            (fix.way.as_deref(), fix.predicted.held),
            (Some("own_table"), saves),
            "{proof:#?}"
        );
    }
    assert!(proof.error.unwrap().abs() < 0.01, "{proof:#?}");
}
