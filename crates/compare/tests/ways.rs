//! Which way a finding was mended that knows several, and has a side outside the heap: 300,000 ids of 12 bytes on
//! Node.js 20, as `cargo xtask cases objectid` leaves their weighings in `target/cases`.

use std::fs;
use std::path::Path;

use deadweight_compare::Proof;
use deadweight_compare::prove::{Options, prove};
use deadweight_rules::Weighing;

fn weighing(name: &str) -> Weighing {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/weighings");
    serde_json::from_slice(&fs::read(folder.join(name)).unwrap()).unwrap()
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
