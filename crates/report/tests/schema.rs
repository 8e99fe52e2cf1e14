//! The published schemas are the types' own, and weighings and proofs keep to them.

mod support;

use deadweight_compare::proof::schema as proof_schema;
use deadweight_weighing::schema;
use serde_json::{Value, json};

fn validator() -> jsonschema::Validator {
    validator_of(&schema())
}

fn validator_of(schema: &str) -> jsonschema::Validator {
    let schema: Value = serde_json::from_str(schema).expect("the schema is JSON");
    jsonschema::draft202012::new(&schema).expect("the schema is a schema")
}

#[test]
fn the_published_schemas_are_up_to_date() {
    for (name, schema) in [("weighing", schema()), ("proof", proof_schema())] {
        let path = format!("{}/../../docs/{name}.schema.json", env!("CARGO_MANIFEST_DIR"));
        let published = std::fs::read_to_string(path).unwrap_or_default();
        assert!(
            published == schema,
            "docs/{name}.schema.json is not what the types say; run `cargo xtask docs` and look at what changed"
        );
    }
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
    let validator = validator();
    for weighing in [
        support::rich(),
        support::empty(),
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

#[test]
fn the_schema_refuses_what_is_no_weighing() {
    let validator = validator();
    let whole = serde_json::to_value(support::rich()).expect("a weighing is JSON");
    for (pointer, wrong) in [
        ("/held/bytes", json!(-1)),
        ("/held", json!(null)),
        ("/findings/0/saves", json!("much")),
        ("/findings/0/confidence", json!("certain")),
        ("/source/bytes", json!(1.5)),
    ] {
        let mut changed = whole.clone();
        *changed.pointer_mut(pointer).expect("the field is there") = wrong;
        assert!(!validator.is_valid(&changed), "{pointer}");
    }
    assert!(!validator.is_valid(&json!({})));
}
