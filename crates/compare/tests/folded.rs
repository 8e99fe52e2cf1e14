//! Findings whose bytes are mostly at places that a weighing folds.

mod support;

use deadweight_compare::proof::Outcome;
use deadweight_compare::prove::{Options, prove};
use deadweight_heap::HeapBuilder;
use deadweight_weighing::{Folded, Freed, Holding, Weighing};
use support::{WASTEFUL, weighed, weighed_heap};

/// Bytes of each of the tables that one side folds and the other lists.
const TABLE: u64 = 900;

fn place(holder: &str, holds: &str, count: u64, bytes: u64) -> Holding {
    let mut heap = HeapBuilder::new();
    let string = heap.string("of a place");
    heap.variable("model", string);
    let model = weighed_heap(&heap.build(), "");
    let model = model.holdings.expect("places").places[0].clone();
    Holding {
        holder: holder.into(),
        of: None,
        holds: holds.into(),
        runtime: false,
        count,
        bytes,
        ..model
    }
}

/// Catalogues with a table of records each. Nearly all of the records stand in tables that are folded; `listed` of these tables
/// are not, and `saved` bytes of the records are gone, 2,000 of them at the one place that has a name.
fn catalogues(listed: u64, saved: u64) -> Weighing {
    let mut weighing = weighed(WASTEFUL);
    let model = weighing.findings[0].clone();
    weighing.findings.clear();
    weighing.options.clear();
    let here = if saved > 0 { 2_000 } else { 0 };
    let mut places = vec![
        place("catalogue.texts", "{a, b, +900}", 1_000, 3_000_000),
        place("catalogue.texts", "Entry", 124, 7_000 - here),
    ];
    for at in 0..listed {
        let holds = format!("{{a, b, +{at}}}");
        places.push(place("catalogue.texts", &holds, 1, TABLE));
    }
    let folded = 5_000_000 - listed * TABLE - (saved - here);
    weighing.held.bytes = places.iter().map(|place| place.bytes).sum::<u64>() + folded;
    let holdings = weighing.holdings.as_mut().expect("places");
    holdings.places = places;
    holdings.folded = Folded {
        places: 60_000,
        count: 90_000,
        bytes: folded,
        largest: Some(TABLE),
        ..Folded::default()
    };
    if saved == 0 {
        let at = |holder: &str, holds: &str, bytes: i64| Freed {
            holder: holder.into(),
            holds: holds.into(),
            site: None,
            bytes,
        };
        let mut finding = model;
        finding.rule = "C03".into();
        finding.holder = "Entry".into();
        finding.external = false;
        finding.evidence.clear();
        finding.shared.clear();
        finding.count = 90_000;
        (finding.saves, finding.saves_alone) = (1_440_000, 1_440_000);
        finding.frees = vec![at("catalogue.texts", "Entry", 2_000), at("", "", 1_438_000)];
        weighing.findings.push(finding);
    }
    weighing
}

#[test]
fn a_fix_at_folded_places_is_made_when_these_shrink() {
    // What is listed on one side alone was folded on the other, and neither came nor went.
    for [before, after] in [[0, 10], [10, 0], [0, 0]] {
        let proof = prove(
            &catalogues(before, 0),
            &catalogues(after, 1_440_000),
            &Options::default(),
        );
        assert_eq!(proof.fixes[0].outcome, Outcome::Mended, "{proof:#?}");
        assert_eq!(proof.error, Some(0.0), "{proof:#?}");
        assert_eq!(proof.fixes[0].error, proof.error);
        assert_eq!(proof.unexplained.sum(), 0);
        assert!(proof.grew.is_empty() && proof.shrank.is_empty(), "{proof:#?}");
    }
}

#[test]
fn what_is_too_large_to_be_folded_came() {
    let mut after = catalogues(10, 1_440_000);
    let large = 50 * TABLE;
    after.held.bytes += large;
    let holdings = after.holdings.as_mut().expect("places");
    holdings.places.push(place("catalogue.index", "{d}", 20, large));
    let proof = prove(&catalogues(0, 0), &after, &Options::default());
    assert_eq!(proof.unexplained.sum(), -large.cast_signed(), "{proof:#?}");
    let grew: Vec<&str> = proof.grew.iter().map(|place| place.holder.as_str()).collect();
    assert_eq!(grew, ["catalogue.index"], "{proof:#?}");
}

#[test]
fn a_fix_at_folded_places_was_not_made_when_these_are_as_large_as_before() {
    let mut after = catalogues(10, 0);
    after.findings.clear();
    let proof = prove(&catalogues(0, 0), &after, &Options::default());
    assert_eq!(proof.fixes[0].outcome, Outcome::Hidden, "{proof:#?}");
    assert_eq!(proof.predicted.sum(), 0);
}
