//! Fixes that free the same bytes, each made alone and with any of the others.

mod support;

use std::collections::BTreeMap;

use deadweight_compare::Proof;
use deadweight_compare::proof::{Outcome, Saving};
use deadweight_compare::prove::{Options, prove};
use deadweight_heap::{HeapBuilder, Kind, ObjectId};
use deadweight_weighing::Weighing;
use support::weighed_heap;

/// Which equal objects are one.
#[derive(Clone, Copy, Debug)]
struct Once {
    trips: bool,
    legs: bool,
    points: bool,
}

/// 600 days with a trip each. Of the trips 200 are equal, of their legs 400, and all points are.
fn trips(once: Once) -> Weighing {
    trips_beside(once, 100_000)
}

/// The same heap with `runtime` bytes of the runtime's own.
fn trips_beside(once: Once, runtime: u64) -> Weighing {
    let mut heap = HeapBuilder::new();
    let code = heap.object(Kind::Runtime, "code", runtime);
    heap.variable("code", code);
    let mut known: BTreeMap<(&str, i32), ObjectId> = BTreeMap::new();
    let mut all = Vec::new();
    for at in 0..600_i32 {
        let trip = value(&mut heap, &mut known, once, ("trip", at));
        let number = heap.small_number(f64::from(at));
        all.push(heap.record("Day", &[("trip", trip), ("number", number)]));
    }
    let all = heap.array(600, &all);
    heap.variable("days", all);
    weighed_heap(&heap.build(), "")
}

/// The trip of a day, or the leg or point of it: a new one, or the first that equals it.
fn value(
    heap: &mut HeapBuilder,
    known: &mut BTreeMap<(&'static str, i32), ObjectId>,
    once: Once,
    (what, day): (&'static str, i32),
) -> ObjectId {
    let (is_once, key) = match what {
        "trip" => (once.trips, (day - 199).max(0)),
        "leg" => (once.legs, (day - 399).max(0)),
        _ => (once.points, 0),
    };
    if let Some(&first) = known.get(&(what, key)).filter(|_| is_once) {
        return first;
    }
    let number = heap.small_number(f64::from(key));
    let row = match what {
        "trip" => {
            let leg = value(heap, known, once, ("leg", day));
            heap.record("Trip", &[("leg", leg), ("number", number)])
        }
        "leg" => {
            let point = value(heap, known, once, ("point", day));
            heap.record("Leg", &[("point", point), ("number", number)])
        }
        _ => heap.record("Point", &[("x", number), ("y", number)]),
    };
    known.insert((what, key), row);
    row
}

#[test]
fn each_fix_and_all_of_them_together_are_recognized_and_meet_their_promise() {
    let none = Once {
        trips: false,
        legs: false,
        points: false,
    };
    let before = trips(none);
    let at = |holder: &str| {
        let found = before.findings.iter().find(|finding| finding.holder == holder);
        found.unwrap_or_else(|| panic!("nothing at {holder}"))
    };
    let each = [at("Day.trip"), at("Trip.leg"), at("Leg.point")];
    assert_eq!(each.map(|finding| finding.count), [199, 399, 599]);
    for of in 1..8_u8 {
        let [trips_once, legs, points] = [1, 2, 4].map(|bit| of & bit > 0);
        let once = Once {
            trips: trips_once,
            legs,
            points,
        };
        let proof = prove(&before, &trips(once), &Options::default());
        let made = proof.fixes.iter().filter(|fix| fix.outcome.is_made());
        let mut made: Vec<&str> = made.map(|fix| &*fix.holder).collect();
        made.sort_unstable();
        let mut expected: Vec<&str> = [
            (points, "Leg.point"),
            (legs, "Trip.leg"),
            (trips_once, "Day.trip"),
        ]
        .into_iter()
        .filter_map(|(once, holder)| once.then_some(holder))
        .collect();
        expected.sort_unstable();
        assert_eq!(made, expected, "{once:?}: {:#?}", proof.fixes);
        assert_eq!(proof.error, Some(0.0), "{once:?}: {proof:#?}");
        assert_eq!(proof.unexplained, Saving::default(), "{once:?}");
        for fix in proof.fixes.iter().filter(|fix| fix.outcome.is_made()) {
            assert_eq!(fix.error, Some(0.0), "{once:?}: {fix:#?}");
        }
    }
}

/// The fix of the points, with these bytes of the runtime's own before and after it.
fn points_once(runtime: [u64; 2]) -> Proof {
    let [before, after] = [(false, runtime[0]), (true, runtime[1])].map(|(points, runtime)| {
        let once = Once {
            trips: false,
            legs: false,
            points,
        };
        trips_beside(once, runtime)
    });
    prove(&before, &after, &Options::default())
}

#[test]
fn no_fix_is_judged_by_what_the_runtime_holds_of_its_own() {
    let proof = points_once([100_000, 90_000]);
    let saving = |held| Saving { held, external: 0 };
    assert_eq!(proof.runtime, saving(10_000));
    assert_eq!(proof.measured, saving(proof.predicted.held + 10_000));
    assert_eq!((proof.error, proof.unexplained), (Some(0.0), saving(0)));
}

#[test]
fn what_goes_from_the_runtime_in_plenty_went_with_the_fix() {
    let proof = points_once([1_000_000, 100_000]);
    assert_eq!(proof.runtime, Saving::default());
    assert!(proof.error.unwrap() > 0.9, "{proof:#?}");
}

/// 10,000 rows whose sections are few texts, which are names of later rows, too; or each text once.
fn sections(once: bool) -> Weighing {
    let mut heap = HeapBuilder::new();
    let code = heap.object(Kind::Runtime, "code", 100_000);
    heap.variable("code", code);
    let mut known: BTreeMap<String, ObjectId> = BTreeMap::new();
    let mut rows = Vec::new();
    for at in 0..10_000 {
        let mut text = |text: String| {
            if let Some(&first) = known.get(&text).filter(|_| once) {
                return first;
            }
            let row = heap.string(&text);
            known.insert(text, row);
            row
        };
        let fields = [
            ("name", text(format!("row {at}"))),
            ("section", text(format!("row {}", 100 + at % 5))),
        ];
        rows.push(heap.record("Row", &fields));
    }
    let rows = heap.array(10_000, &rows);
    heap.variable("rows", rows);
    weighed_heap(&heap.build(), "")
}

#[test]
fn a_finding_that_adds_next_to_nothing_to_another_makes_neither_unknown() {
    let before = sections(false);
    let here = before
        .findings
        .iter()
        .filter(|finding| finding.holder == "Row.section");
    let saves: Vec<u64> = here.map(|finding| finding.saves).collect();
    let [most, least] = saves[..] else {
        panic!("{saves:?}");
    };
    assert!(least > 0 && least < most / 1000, "{saves:?}");
    // The texts that are left are those of the sections: the names' went.
    let proof = prove(&before, &sections(true), &Options::default());
    let of_section = proof.fixes.iter().filter(|fix| fix.holder == "Row.section");
    for fix in of_section {
        assert_eq!(fix.outcome, Outcome::Mended, "{}", fix.title);
    }
    assert!(
        proof.error.is_some_and(|error| error.abs() < 0.005),
        "{:?}",
        proof.error
    );
    assert!(proof.notes.is_empty(), "{:?}", proof.notes);
}
