//! The published schema is the types' own, and refuses what is no weighing.

use deadweight_weighing::schema;
use serde_json::{Value, json};

fn validator() -> jsonschema::Validator {
    let schema: Value = serde_json::from_str(&schema()).expect("the schema is JSON");
    jsonschema::draft202012::new(&schema).expect("the schema is a schema")
}

fn whole() -> Value {
    serde_json::from_str(include_str!("weighings/version-2.json")).expect("JSON")
}

#[test]
fn the_published_schema_is_up_to_date() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/weighing.schema.json");
    let published = std::fs::read_to_string(path).unwrap_or_default();
    assert!(
        published == schema(),
        "docs/weighing.schema.json is not what the types say; run `cargo xtask docs` and look at what changed"
    );
}

#[test]
fn the_schema_refuses_what_is_no_weighing() {
    let validator = validator();
    let whole = whole();
    assert!(validator.is_valid(&whole));
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
