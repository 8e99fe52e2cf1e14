//! A stored weighing is read back whole, and what is none is refused by name.

use deadweight_weighing::{ReadError, read};

/// See the README beside it.
const VERSION_1: &str = include_str!("weighings/version-1.json");

#[test]
fn a_weighing_of_version_1_is_read_whole() {
    let weighing = read(VERSION_1.as_bytes()).expect("a weighing");
    assert_eq!(
        (weighing.held.bytes, weighing.held.dead, weighing.findings.len()),
        (6_073_712, 852_096, 8)
    );
    assert_eq!(weighing.findings[6].unaffected, 136);
    assert_eq!(weighing.not_measured[0].rule, "T04");
    let churned = weighing.churned.as_ref().expect("what was made");
    assert_eq!((churned.dead, churned.findings.len()), (218_370_011, 2));
    // No field is lost on the way, but those that need not be written.
    let again = serde_json::to_value(&weighing).expect("JSON");
    let stored = serde_json::from_str(VERSION_1).expect("JSON");
    assert_eq!(missing(&stored, &again, ""), Vec::<String>::new());
}

/// What stands in one JSON and not in the other.
fn missing(stored: &serde_json::Value, again: &serde_json::Value, at: &str) -> Vec<String> {
    use serde_json::Value;
    match (stored, again) {
        (Value::Object(stored), Value::Object(again)) => stored
            .iter()
            .flat_map(|(name, value)| {
                let at = format!("{at}/{name}");
                again
                    .get(name)
                    .map_or_else(|| vec![at.clone()], |again| missing(value, again, &at))
            })
            .collect(),
        (Value::Array(stored), Value::Array(again)) if stored.len() == again.len() => stored
            .iter()
            .zip(again)
            .enumerate()
            .flat_map(|(nth, (stored, again))| missing(stored, again, &format!("{at}/{nth}")))
            .collect(),
        (stored, again) if stored == again => Vec::new(),
        _ => vec![at.to_owned()],
    }
}

#[test]
fn fields_a_later_tool_added_are_passed_over() {
    let text = VERSION_1.replacen('{', "{\"new\": 1,", 1);
    assert_eq!(read(text.as_bytes()), read(VERSION_1.as_bytes()));
}

#[test]
fn another_version_is_named() {
    let named = |schema: &str| read(format!("{{\"schema\": \"{schema}\"}}").as_bytes());
    let found = "deadweight/weighing/99".to_owned();
    assert_eq!(named(&found), Err(ReadError::OtherVersion { found }));
    // What is shown of it acts on no terminal, and is short.
    let Err(ReadError::OtherVersion { found }) = named(&format!("deadweight/weighing/\\u001b{:099}", 0))
    else {
        panic!("another version");
    };
    assert!(found.starts_with("deadweight/weighing/\\x1b0") && found.ends_with('…'));
    assert_eq!(found.chars().count(), 60);
}

#[test]
fn a_dump_is_not_a_weighing() {
    for text in [
        "{\"snapshot\": {\"meta\": {}}}",
        "[]",
        "1",
        "{\"schema\": \"other\"}",
        "{\"schema\": 1}",
    ] {
        assert_eq!(read(text.as_bytes()), Err(ReadError::NotAWeighing), "{text}");
    }
}

#[test]
fn what_is_cut_off_is_called_so() {
    let half = &VERSION_1.as_bytes()[..VERSION_1.len() / 2];
    assert_eq!(read(half), Err(ReadError::Truncated { byte: half.len() }));
    assert_eq!(read(b""), Err(ReadError::Truncated { byte: 0 }));
}

#[test]
fn errors_show_the_place_and_what_was_expected() {
    let text = "JAVA PROFILE 1.0.2";
    insta::assert_snapshot!(read(text.as_bytes()).expect_err("no JSON"), @"not JSON at byte 0 (line 1): expected value; a weighing was expected, as `--format json` writes it");
    let text = VERSION_1.replace("\"objects\": 75429", "\"objects\": \"many\"");
    let Err(ReadError::Misfit { byte, line, problem }) = read(text.as_bytes()) else {
        panic!("text for a number");
    };
    assert_eq!(problem, "invalid type: string \"many\", expected u64");
    assert!(text[..=byte].ends_with("\"many\""), "byte {byte}");
    assert_eq!(line, text[..byte].lines().count());
}

#[test]
fn nesting_without_end_is_refused() {
    assert!(read("[".repeat(1_000_000).as_bytes()).is_err());
    let deep = format!("{{\"schema\": {}", "[".repeat(1_000_000));
    assert!(read(deep.as_bytes()).is_err());
}
