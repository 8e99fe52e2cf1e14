//! The published schema of proofs is the types' own, and weighings and proofs keep to theirs.

mod support;

use deadweight_compare::proof::schema as proof_schema;
use deadweight_weighing::schema;
use serde_json::{Value, json};

fn validator_of(schema: &str) -> jsonschema::Validator {
    let schema: Value = serde_json::from_str(schema).expect("the schema is JSON");
    jsonschema::draft202012::new(&schema).expect("the schema is a schema")
}

#[test]
fn the_published_schema_of_proofs_is_up_to_date() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/proof.schema.json");
    let published = std::fs::read_to_string(path).unwrap_or_default();
    assert!(
        published == proof_schema(),
        "docs/proof.schema.json is not what the types say; run `cargo xtask docs` and look at what changed"
    );
}

#[test]
fn proofs_keep_to_the_schema() {
    let validator = validator_of(&proof_schema());
    for (before, after) in [
        (support::rich(), support::rich()),
        (support::rich(), support::empty()),
        (support::empty(), support::partial()),
    ] {
        let proof =
            deadweight_compare::prove(&before, &after, &deadweight_compare::prove::Options::default());
        let mut json = Vec::new();
        deadweight_report::proof::json(&proof, &mut json).expect("a proof is JSON");
        let value: Value = serde_json::from_slice(&json).expect("a proof is JSON");
        let errors: Vec<String> = validator
            .iter_errors(&value)
            .map(|error| error.to_string())
            .collect();
        assert!(errors.is_empty(), "{errors:?}");
        for (pointer, wrong) in [
            ("/predicted", json!(null)),
            ("/predicted/held", json!("much")),
            ("/basis", json!("guess")),
            ("/before/held/bytes", json!(-1)),
        ] {
            let mut changed = value.clone();
            *changed.pointer_mut(pointer).expect("the field is there") = wrong;
            assert!(!validator.is_valid(&changed), "{pointer}");
        }
    }
}

#[test]
fn weighings_keep_to_the_schema() {
    let validator = validator_of(&schema());
    for weighing in [
        support::rich(),
        support::empty(),
        support::unseen(),
        support::almost_clean(),
        support::partial(),
        support::hostile(),
        support::churn(),
    ] {
        let value = serde_json::to_value(weighing).expect("a weighing is JSON");
        let errors: Vec<String> = validator
            .iter_errors(&value)
            .map(|error| error.to_string())
            .collect();
        assert!(errors.is_empty(), "{errors:?}");
    }
}
