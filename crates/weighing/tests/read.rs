//! A stored weighing is read back whole, and what is none is refused by name.

use deadweight_weighing::{ReadError, Tier, read};

/// See the README beside it.
const VERSION_1: &str = include_str!("weighings/version-1.json");
const VERSION_2: &str = include_str!("weighings/version-2.json");

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
    // It does not say what savings rest on: nothing counts as sure.
    assert_eq!(
        (weighing.held.dead_sure, weighing.external.dead_sure),
        (None, None)
    );
    let all = weighing.findings.iter().chain(&weighing.options);
    let all = all.chain(&churned.findings).chain(&churned.options);
    for finding in all {
        assert_eq!(finding.tier, Tier::Likely);
        assert!(
            finding
                .assumes
                .as_ref()
                .is_some_and(|assumes| assumes.contains("version 1"))
        );
    }
    // No field is lost on the way, but those that need not be written; some go by another name.
    let again = serde_json::to_value(&weighing).expect("JSON").to_string();
    let again = again.replace("\"unaffected\":", "\"good\":");
    let again = again.replace("\"allocated\":", "\"made\":");
    let again = serde_json::from_str(&again).expect("JSON");
    let stored = serde_json::from_str(VERSION_1).expect("JSON");
    let mut changed = missing(&stored, &again, "");
    changed.retain(|at| !at.ends_with("/assumes") && at != "/schema");
    assert_eq!(changed, Vec::<String>::new());
    // What is written of it is a weighing of today.
    let written = serde_json::to_string(&weighing).expect("JSON");
    assert_eq!(read(written.as_bytes()), Ok(weighing));
}

#[test]
fn a_weighing_of_version_2_is_read_whole() {
    let weighing = read(VERSION_2.as_bytes()).expect("a weighing");
    assert!(weighing.held.dead_sure.is_some() && weighing.external.dead_sure.is_some());
    let saved = |tiers: &[Tier]| -> u64 {
        let held = weighing.findings.iter().filter(|finding| !finding.external);
        let held = held.filter(|finding| tiers.contains(&finding.tier));
        held.map(|finding| finding.saves).sum()
    };
    assert_eq!(saved(&Tier::ALL), weighing.held.dead);
    let dead_sure = weighing.held.dead_sure.expect("version 2 says it");
    assert_eq!(saved(&[Tier::Sure]), dead_sure);
    assert!(0 < dead_sure && dead_sure < weighing.held.dead);
    assert!(!weighing.groups.is_empty());
    assert!(
        weighing
            .churned
            .as_ref()
            .is_some_and(|churned| churned.allocated.is_some())
    );
    let again = serde_json::to_value(&weighing).expect("JSON");
    let stored = serde_json::from_str(VERSION_2).expect("JSON");
    assert_eq!(missing(&stored, &again, ""), Vec::<String>::new());
}

/// A field that version 2 requires is missed, not guessed.
#[test]
fn a_weighing_of_version_2_says_what_savings_rest_on() {
    let text = VERSION_2.replacen("\"tier\"", "\"rank\"", 1);
    let Err(ReadError::Misfit { problem, .. }) = read(text.as_bytes()) else {
        panic!("a finding without a tier");
    };
    assert_eq!(problem, "missing field `tier`");
}

/// The time to read a weighing grows as the weighing does.
#[test]
fn large_weighings_of_either_version_are_read() {
    for (text, field) in [(VERSION_1, "\"good\""), (VERSION_2, "\"unaffected\"")] {
        let mut whole: serde_json::Value = serde_json::from_str(text).expect("JSON");
        let mut finding = whole["findings"][0].clone();
        // The sums stay as they are.
        finding["saves"] = 0.into();
        let some = whole["findings"].as_array().expect("findings").clone();
        let more = std::iter::repeat_n(finding, 25_000 - some.len());
        whole["findings"] = some.into_iter().chain(more).collect::<Vec<_>>().into();
        let large = whole.to_string();
        assert!(
            large.len() > 10_000_000 && large.contains(field),
            "{}",
            large.len()
        );
        assert_eq!(read(large.as_bytes()).expect("a weighing").findings.len(), 25_000);
        // The byte of an error is the file's, however far behind.
        let at = large.rfind(field).expect("the last finding") + field.len() + 1;
        let broken = format!(
            "{}\"x\"{}",
            &large[..at],
            &large[at..].trim_start_matches(char::is_numeric)
        );
        let Err(ReadError::Misfit { byte, .. }) = read(broken.as_bytes()) else {
            panic!("text for a number");
        };
        assert_eq!(byte, at + 2);
    }
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
    for version in [VERSION_1, VERSION_2] {
        let text = version.replacen('{', "{\"new\": 1,", 1);
        assert_eq!(read(text.as_bytes()), read(version.as_bytes()));
    }
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
