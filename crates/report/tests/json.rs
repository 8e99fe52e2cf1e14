//! A weighing survives the way to JSON and back, and what is none is refused by name.

mod support;

use deadweight_report::{Json, Report};
use deadweight_weighing::{ReadError, Weighing, read};

fn written(weighing: &Weighing) -> String {
    let mut out = Vec::new();
    Json.write(weighing, &mut out).expect("memory takes all");
    String::from_utf8(out).expect("text")
}

#[test]
fn what_is_written_is_read_back() {
    for weighing in [
        support::rich(),
        support::empty(),
        support::partial(),
        support::hostile(),
        support::churn(),
    ] {
        let text = written(&weighing);
        assert!(text.ends_with("}\n"));
        assert_eq!(read(text.as_bytes()), Ok(weighing));
    }
}

#[test]
fn fields_a_later_tool_added_are_passed_over() {
    let text = written(&support::empty()).replacen('{', "{\"new\": 1,", 1);
    assert_eq!(read(text.as_bytes()), Ok(support::empty()));
}

#[test]
fn another_version_is_named() {
    let text = written(&support::rich()).replace("weighing/1\"", "weighing/2\"");
    let error = read(text.as_bytes()).expect_err("a later version");
    assert_eq!(
        error,
        ReadError::OtherVersion {
            found: "deadweight/weighing/2".into()
        }
    );
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
    let text = written(&support::rich());
    let half = &text.as_bytes()[..text.len() / 2];
    assert_eq!(read(half), Err(ReadError::Truncated { byte: half.len() }));
    assert_eq!(read(b""), Err(ReadError::Truncated { byte: 0 }));
}

#[test]
fn errors_tell_the_place_and_what_was_expected() {
    let text = "JAVA PROFILE 1.0.2";
    insta::assert_snapshot!(read(text.as_bytes()).expect_err("no JSON"), @"not JSON at byte 0 (line 1): expected value; a weighing was expected, as `--format json` writes it");
    let text = written(&support::empty()).replace("\"objects\": 61204", "\"objects\": \"many\"");
    insta::assert_snapshot!(read(text.as_bytes()).expect_err("text for a number"), @r#"does not fit the schema "deadweight/weighing/1" at byte 409 (line 20): invalid type: string "many", expected u64"#);
}

#[test]
fn nesting_without_end_is_refused() {
    assert!(read("[".repeat(1_000_000).as_bytes()).is_err());
    let deep = format!("{{\"schema\": {}", "[".repeat(1_000_000));
    assert!(read(deep.as_bytes()).is_err());
}
