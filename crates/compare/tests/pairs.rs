//! Small programs before and after a fix, each in a folder of `pairs` with its weighings: `deadweight run` captured
//! them, and `deadweight weigh --all --format json` weighed the captures.

use std::fs;
use std::path::Path;

use deadweight_compare::Proof;
use deadweight_compare::proof::{Fix, Outcome};
use deadweight_compare::prove::{Options, prove};
use deadweight_weighing::{Weighing, read};

fn weighing(pair: &str, side: &str) -> Weighing {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/pairs")
        .join(pair);
    read(&fs::read(folder.join(format!("{side}.json"))).unwrap()).unwrap()
}

fn proven(pair: &str) -> Proof {
    prove(
        &weighing(pair, "before"),
        &weighing(pair, "after"),
        &Options::default(),
    )
}

fn fixes<'p>(proof: &'p Proof, rule: &str, holder: &str) -> Vec<&'p Fix> {
    let fixes = proof.fixes.iter();
    fixes
        .filter(|fix| fix.rule == rule && fix.holder == holder)
        .collect()
}

fn fix<'p>(proof: &'p Proof, rule: &str, holder: &str) -> &'p Fix {
    let fixes = fixes(proof, rule, holder);
    assert_eq!(fixes.len(), 1, "{rule} at {holder}: {:#?}", proof.fixes);
    fixes[0]
}

/// Of all that changed, what no fix explains.
fn unexplained(proof: &Proof) -> f64 {
    proof.unexplained.sum().abs() as f64 / proof.measured.sum() as f64
}

/// Maps of one entry became pairs in the same field, and a log came with the same change: the pairs are the fix's, the log
/// is not.
#[test]
fn what_replaces_the_objects_is_taken_off_once() {
    let proof = proven("one-entry");
    let maps = fix(&proof, "C04", "H.m");
    assert_eq!(maps.outcome, Outcome::Mended);
    assert!(maps.error.unwrap() < 0.01, "{maps:#?}");
    let log: i64 = proof
        .grew
        .iter()
        .filter(|place| !place.holder.is_empty())
        .map(|place| -place.saved.sum())
        .sum();
    let runtime: i64 = proof.shrank.iter().map(|place| place.saved.sum()).sum();
    assert!(
        (log - runtime + proof.unexplained.sum() + proof.runtime.sum()).abs() < 10_000,
        "{proof:#?}"
    );
}

/// The table of the fix is filled in another order than the finding takes for granted: of texts that two places share it keeps
/// those of the other one.
#[test]
fn one_table_for_two_places_mends_all_their_findings() {
    let proof = proven("one-table");
    for (holder, found) in [("Transferred.memo", 2), ("Deposited.memo", 1)] {
        let fixes = fixes(&proof, "D01", holder);
        assert_eq!(fixes.len(), found, "{holder}");
        for fix in fixes {
            assert_eq!(fix.outcome, Outcome::Mended, "{fix:#?}");
        }
    }
    assert!(proof.error.unwrap() < 0.001, "{proof:#?}");
    assert!(unexplained(&proof) < 0.001, "{proof:#?}");
}

/// The class, its field, the container's class and its field have other names.
#[test]
fn what_a_fix_renames_is_followed_by_what_it_holds() {
    let proof = proven("renamed");
    assert!(
        proof
            .renamed
            .iter()
            .any(|both| both.before == "Item" && both.after == "Product"),
        "{:?}",
        proof.renamed
    );
    let cities = fix(&proof, "D01", "Item.city");
    assert_eq!(cities.outcome, Outcome::Mended);
    assert!(cities.error.unwrap() < 0.01, "{cities:#?}");
    assert_eq!(
        proof.fixes.len(),
        1,
        "no record became columns: {:#?}",
        proof.fixes
    );
    assert!(unexplained(&proof) < 0.01, "{proof:#?}");
    let records = |name: &str| name.contains("goods") || name.contains("items");
    assert!(
        !proof
            .grew
            .iter()
            .chain(&proof.shrank)
            .any(|place| records(&place.holder))
    );
}

/// Dates became numbers in boxes, which is a finding of its own with the smaller saving that is left.
#[test]
fn what_is_open_is_what_the_second_side_finds() {
    let proof = proven("dates");
    let after = weighing("dates", "after");
    for holder in ["M.at", "M.end"] {
        let both = fixes(&proof, "L03", holder);
        let open: Vec<_> = both.iter().filter(|fix| fix.outcome == Outcome::Open).collect();
        assert_eq!((both.len(), open.len()), (2, 1), "{both:#?}");
        let left = after
            .findings
            .iter()
            .find(|finding| finding.holder == holder)
            .unwrap();
        assert_eq!(open[0].remaining, left.saves);
        assert_eq!(open[0].predicted.sum(), 0);
    }
    assert!(unexplained(&proof) < 0.01 && proof.error.unwrap() < 0.01);
}

/// One of two findings was mended: the other is not, though it frees bytes at the same place.
#[test]
fn what_went_with_another_fix_is_no_fix() {
    // The dates went, and the numbers that came need their boxes.
    let proof = proven("split");
    let outcomes: Vec<Outcome> = fixes(&proof, "L03", "Visit.at")
        .iter()
        .map(|fix| fix.outcome)
        .collect();
    assert!(
        outcomes.contains(&Outcome::Mended) && outcomes.contains(&Outcome::Hidden),
        "{outcomes:?}"
    );
    let proof = proven("one-of-two");
    let made: Vec<&str> = proof
        .fixes
        .iter()
        .filter(|fix| fix.outcome.is_made())
        .map(|fix| &*fix.holder)
        .collect();
    assert_eq!(made, ["V.city"]);
    assert!(unexplained(&proof) < 0.01);
}

/// The arrays outside the heap are what the fix puts in the place of the records.
#[test]
fn columns_belong_to_the_fix_that_makes_them() {
    let proof = proven("columns");
    let columns = fix(&proof, "L06", "P");
    assert!(columns.error.unwrap() < 0.01, "{columns:#?}");
    assert!(columns.measured.unwrap().external < -400_000);
    assert!(unexplained(&proof) < 0.01, "{proof:#?}");
    assert!(
        proof.renamed.is_empty(),
        "one object is no class: {:?}",
        proof.renamed
    );
}

/// Two classes became one: their records are there, and did not become columns.
#[test]
fn records_that_are_merged_are_no_columns() {
    let proof = proven("merged");
    assert!(
        proof.fixes.iter().all(|fix| fix.rule != "L06"),
        "{:#?}",
        proof.fixes
    );
}

/// Small buffers became bytes of one pool, which the finding offers beside packing.
#[test]
fn the_way_that_was_taken_is_recognised() {
    let proof = proven("pool");
    let ids = fix(&proof, "L04", "Id.id");
    assert_eq!(ids.way.as_deref(), Some("pool"));
    assert!(
        !proof.grew.iter().any(|place| place.holder.ends_with("pool")),
        "{:#?}",
        proof.grew
    );
}

#[test]
fn hashes_that_become_structs_are_one_type() {
    let proof = proven("structs");
    assert!(fix(&proof, "L02", "$v[]").error.unwrap() < 0.01);
    assert!(unexplained(&proof) < 0.01);
}

#[test]
fn the_rows_are_the_headline() {
    for pair in [
        "one-entry",
        "renamed",
        "dates",
        "split",
        "columns",
        "merged",
        "pool",
        "structs",
    ] {
        let proof = proven(pair);
        let sum = |of: fn(&Fix) -> i64| proof.fixes.iter().map(of).sum::<i64>();
        assert_eq!(sum(|fix| fix.predicted.sum()), proof.predicted.sum(), "{pair}");
        let measured = sum(|fix| fix.measured.map_or(0, deadweight_compare::proof::Saving::sum));
        assert_eq!(
            measured + proof.unexplained.sum() + proof.runtime.sum(),
            proof.measured.sum(),
            "{pair}"
        );
    }
}
