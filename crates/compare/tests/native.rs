//! Programs of C++ before and after: 2,000 keys of the case shamap, weighed with `deadweight run --all`. `stripped` ones
//! were built as the case builds them, `named` ones without `-s`. The two builds differ in a template argument of all
//! their classes.

use std::fs;
use std::path::Path;

use deadweight_compare::Proof;
use deadweight_compare::proof::{Fix, Outcome};
use deadweight_compare::prove::{Options, prove};
use deadweight_weighing::{Weighing, read};

/// Slots for 2, 4, 6 or 16 children, which are not the best four sizes for these nodes.
const SPARSE: &str = "2,4,6,16";

fn weighing(name: &str) -> Weighing {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/weighings");
    read(&fs::read(folder.join(format!("shamap-{name}.json"))).unwrap()).unwrap()
}

fn proven(before: &str, after: &str, way: Option<&str>) -> Proof {
    let options = Options {
        way: way.map(str::to_owned),
        ..Options::default()
    };
    prove(&weighing(before), &weighing(after), &options)
}

fn fix<'p>(proof: &'p Proof, rule: &str) -> &'p Fix {
    let found = proof.fixes.iter().find(|fix| fix.rule == rule);
    found.unwrap_or_else(|| panic!("no {rule} in {:#?}", proof.fixes))
}

fn made(proof: &Proof) -> Vec<&str> {
    let made = proof
        .fixes
        .iter()
        .filter(|fix| matches!(fix.outcome, Outcome::Mended | Outcome::Partly));
    made.map(|fix| fix.rule.as_str()).collect()
}

#[test]
fn places_are_the_same_by_what_stands_there_when_they_have_no_names() {
    let proof = proven("stripped-before", "stripped-dense", None);
    assert_eq!(made(&proof), ["R03"]);
    assert_eq!(proof.error, Some(0.0), "{proof:#?}");
    assert_eq!(proof.unexplained.sum(), 0);
    assert_eq!(fix(&proof, "C02").outcome, Outcome::Open);
    assert!(proof.grew.is_empty() && proof.shrank.is_empty(), "{proof:#?}");
    assert!(proof.notes.is_empty(), "{:?}", proof.notes);
}

#[test]
fn a_class_with_another_template_argument_is_the_same_class() {
    let proof = proven("named-before", "named-dense", None);
    assert_eq!(made(&proof), ["R03"]);
    assert_eq!(proof.error, Some(0.0), "{proof:#?}");
    assert_eq!(fix(&proof, "C02").outcome, Outcome::Open);
    assert!(proof.grew.is_empty() && proof.shrank.is_empty(), "{proof:#?}");
}

#[test]
fn nothing_is_mended_because_its_name_is_gone() {
    for (before, after) in [
        ("named-before", "stripped-dense"),
        ("stripped-before", "named-dense"),
    ] {
        let proof = proven(before, after, None);
        assert_eq!(made(&proof), Vec::<&str>::new(), "{before}, {after}");
        assert_eq!(fix(&proof, "R03").outcome, Outcome::Unknown);
        // The type of the nodes is known by their class, with symbols or without.
        assert_eq!(fix(&proof, "C02").outcome, Outcome::Open);
        assert_eq!(proof.error, None);
        let [note] = proof.notes.as_slice() else {
            panic!("{:?}", proof.notes)
        };
        assert!(note.starts_with("not comparable: 2 findings"), "{note}");
    }
}

/// The error of the part that is known would be taken for the whole's.
#[test]
fn what_is_not_comparable_has_no_error() {
    let mut after = weighing("stripped-sparse");
    // As if the nodes had become another class, whose blocks match nothing.
    for place in &mut after.holdings.as_mut().unwrap().places {
        if place.holds.contains("Inner<") {
            place.holds = "Unlike".into();
            place.bytes += place.count * 64;
            place.count += place.count / 4;
        }
    }
    let proof = prove(&weighing("stripped-before"), &after, &Options::default());
    assert_eq!(made(&proof), ["R03"]);
    assert_eq!(fix(&proof, "C02").outcome, Outcome::Unknown);
    assert_eq!(proof.error, None);
    assert!(
        proof.notes[0].starts_with("not comparable: 1 finding before"),
        "{:?}",
        proof.notes
    );
}

#[test]
fn two_fixes_at_once_are_split_and_the_slots_that_came_are_counted() {
    let both = proven("stripped-before", "stripped-sparse", Some(SPARSE));
    let caches = proven("stripped-before", "stripped-dense", None);
    let nodes = proven("stripped-dense", "stripped-sparse", Some(SPARSE));
    assert_eq!(made(&both), ["R03", "C02"]);
    assert_eq!(fix(&both, "R03").measured.unwrap(), caches.measured);
    let [together, alone] = [&both, &nodes].map(|proof| fix(proof, "C02"));
    assert_eq!(together.measured, alone.measured);
    assert_eq!(together.way.as_deref(), Some(SPARSE));
    assert!(alone.error.unwrap() < 0.001, "{alone:#?}");
    assert!(nodes.error.unwrap() < 0.001, "{nodes:#?}");
    // Blocks of slots are new, and no growth that nobody asked for.
    assert!(nodes.grew.is_empty(), "{:#?}", nodes.grew);
}

#[test]
fn sizes_that_nobody_names_are_those_of_the_finding() {
    let nodes = proven("stripped-dense", "stripped-sparse", None);
    let taken = fix(&nodes, "C02");
    let real = fix(&proven("stripped-dense", "stripped-sparse", Some(SPARSE)), "C02").predicted;
    assert_ne!(taken.predicted, real, "no step of the curve has these sizes");
    assert!(nodes.error.unwrap() < 0.03, "{nodes:#?}");
}

#[test]
fn a_way_that_no_finding_knows_is_reported() {
    for way in ["packed", "2,4", "16,4"] {
        let proof = proven("stripped-dense", "stripped-sparse", Some(way));
        assert_eq!(proof.notes.len(), 1, "{way}: {:?}", proof.notes);
        assert!(proof.notes[0].ends_with(way), "{:?}", proof.notes);
        assert_eq!(fix(&proof, "C02").way, None);
    }
}
