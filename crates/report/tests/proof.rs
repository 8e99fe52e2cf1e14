//! Proofs of what real programs make, on every output.

use deadweight_compare::Proof;
use deadweight_compare::prove::{Options, prove};
use deadweight_report::{Look, proof};
use deadweight_weighing::{Weighing, read};
use serde_json::Value;

fn real(name: &str) -> Weighing {
    let path = format!(
        "{}/html/testing/weighings/{name}.json",
        env!("CARGO_MANIFEST_DIR")
    );
    read(&std::fs::read(path).expect("a weighing")).expect("a weighing")
}

fn proven(before: &str, after: &str) -> Proof {
    prove(&real(before), &real(after), &Options::default())
}

fn screen(proof: &Proof, width: usize) -> String {
    let look = Look { colour: false, width };
    let mut bytes = Vec::new();
    proof::terminal(proof, look, Some(15), &mut bytes).expect("a vector takes all");
    String::from_utf8(bytes).expect("text")
}

#[test]
fn three_fixes_at_once() {
    insta::assert_snapshot!(screen(&proven("client-before", "client-fixed"), 100));
}

#[test]
fn other_numbers_of_operations() {
    insta::assert_snapshot!(screen(&proven("line-count-before", "line-count-after"), 80));
}

#[test]
fn a_page_for_a_pull_request() {
    let mut bytes = Vec::new();
    proof::markdown(&proven("client-before", "client-fixed"), &mut bytes).expect("a vector takes all");
    insta::assert_snapshot!(String::from_utf8(bytes).expect("text"));
}

/// Nothing is said of what is held where nobody knows it.
#[test]
fn what_is_not_known_is_no_zero() {
    let proof = proven("client-before", "client-fixed");
    let screen = screen(&proof, 100);
    assert!(
        screen.contains("what is held is not compared") && !screen.contains("held 0 B"),
        "{screen}"
    );
    let mut bytes = Vec::new();
    proof::json(&proof, &mut bytes).expect("a vector takes all");
    let value: Value = serde_json::from_slice(&bytes).expect("JSON");
    assert_eq!(value["basis"], "nothing");
    let schema: Value = serde_json::from_str(&deadweight_compare::proof::schema()).expect("JSON");
    let validator = jsonschema::draft202012::new(&schema).expect("a schema");
    let errors: Vec<String> = validator
        .iter_errors(&value)
        .map(|error| error.to_string())
        .collect();
    assert!(errors.is_empty(), "{errors:?}");
    let mut changed = value;
    changed["made"]["fixes"][0]["outcome"] = "perhaps".into();
    assert!(!validator.is_valid(&changed));
}

/// A heap is held against a record only as far as both have data.
#[test]
fn only_one_side_has_data() {
    let proof = proven("spark-before", "client-fixed");
    let screen = screen(&proof, 100);
    for note in ["only before says what is held", "only after says what is made"] {
        let one_line = screen.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(one_line.contains(note), "{screen}");
    }
    assert_eq!(proof.allocated, None);
}

/// What nobody may read of a weighing stands in none of its new parts.
#[test]
fn lines_are_redacted() {
    let mut weighing = real("client-before");
    let churned = weighing.churned.as_mut().expect("what is made");
    churned.allocated.as_mut().expect("lines").places[0].function = "ann@example.org wrote this".into();
    churned.options[0].title = "\"a secret text\" is formatted".into();
    let redacted = deadweight_report::Redaction::default().weighing(weighing);
    let text = serde_json::to_string(&redacted).expect("JSON");
    assert!(!text.contains("ann@example.org") && !text.contains("a secret text"));
    // Of a file its name is kept.
    let churned = redacted.churned.as_ref().expect("what is made");
    let mut lines = churned.allocated.as_ref().expect("lines").places.iter();
    assert!(lines.clone().any(|at| at.site == "before.cr:130"));
    assert!(lines.all(|at| !at.site.contains('/')));
    // Findings still lie at their lines.
    let allocated = prove(&redacted, &redacted, &Options::default())
        .allocated
        .expect("what is made");
    assert!(allocated.fixes.iter().all(|fix| !fix.sites_after.is_empty()));
}
