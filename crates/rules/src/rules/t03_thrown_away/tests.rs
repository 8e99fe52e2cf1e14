use deadweight_heap::churn::{Compiler, Frame, Remains, Rewrite};
use deadweight_heap::{ChurnBuilder, Kind, Presence};

use super::*;
use crate::ChurnCandidate;

const FILE: &str = "app/validator.rb";

fn own(line: u32) -> Frame {
    ChurnBuilder::own("short?", FILE, line)
}

fn antipattern(remains: Remains) -> Antipattern {
    Antipattern {
        kind: AntipatternKind::ThrownAway,
        file: FILE.into(),
        lines: (7, 7),
        functions: vec![(6, 3)],
        names: Vec::new(),
        function: String::new(),
        alone: false,
        code: "html.lines.count".into(),
        makers: vec!["lines".into()],
        kinds: vec![Kind::String, Kind::Array],
        remains,
        sole: true,
        rewrite: Some(Rewrite {
            file: FILE.into(),
            line: 7,
            before: vec!["html.lines.count < 50".into()],
            after: vec!["html.each_line.first(50).size < 50".into()],
            conditions: Vec::new(),
        }),
        advice: "stop at the bound".into(),
        uncounted: String::new(),
        assumes: None,
    }
}

fn look(churn: ChurnBuilder) -> Vec<ChurnCandidate> {
    ThrownAway.look(&churn.build()).candidates
}

#[test]
fn what_the_building_call_made_is_spared() {
    let mut churn = ChurnBuilder::new();
    let call = |name| [own(7), ChurnBuilder::library(name)];
    churn.allocated(&call("String#lines"), Kind::String, "String", 12_000, 40);
    churn.allocated(&call("String#lines"), Kind::Array, "Array", 1, 98_000);
    churn.allocated(&call("String#strip"), Kind::String, "String", 50, 40);
    churn.allocated(
        &[own(8), ChurnBuilder::library("String#lines")],
        Kind::String,
        "String",
        9,
        40,
    );
    churn.antipattern(antipattern(Remains::Nothing));
    let found = look(churn);
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].count, found[0].net()), (12_001, 12_000 * 40 + 98_000));
    assert_eq!(found[0].place, "app/validator.rb:7");
    assert!(found[0].assumes.is_none() && found[0].rewrite.is_some());
}

/// What a compiler has put into the caller is counted there.
#[test]
fn where_calls_move_into_their_callers_the_figure_is_the_least() {
    let mut churn = ChurnBuilder::new();
    churn.allocated(
        &[own(7), ChurnBuilder::library("String#lines")],
        Kind::String,
        "String",
        12_000,
        40,
    );
    churn.antipattern(antipattern(Remains::Nothing));
    churn.churn().compiler = Compiler::Inlines;
    let found = look(churn);
    assert!(found[0].at_least && found[0].confidence == deadweight_weighing::Confidence::Estimate);
}

#[test]
fn what_stops_early_still_makes_its_first_elements() {
    let mut churn = ChurnBuilder::new();
    let call = [own(7), ChurnBuilder::library("lines")];
    churn.allocated(&call, Kind::String, "String", 120_000, 40);
    churn.allocated(&call, Kind::Array, "Array", 10, 98_000);
    churn.antipattern(antipattern(Remains::AtMost(50)));
    let found = look(churn);
    assert_eq!(found[0].net(), 120_000 * 40 + 10 * 98_000 - 10 * 50 * 40);
}

/// The bytes of a text without its encoding are a view on them, one for each list that was.
#[test]
fn what_looks_at_the_text_makes_a_view_for_each_list() {
    let mut churn = ChurnBuilder::new();
    let call = [own(7), ChurnBuilder::library("lines")];
    churn.allocated(&call, Kind::String, "String", 30, 40);
    churn.allocated(&call, Kind::Array, "Array", 10, 104);
    churn.antipattern(antipattern(Remains::View));
    let churn = churn.build();
    let view = churn.layout.as_ref().unwrap().view();
    assert!(view > 0);
    assert_eq!(
        ThrownAway.look(&churn).candidates[0].net(),
        30 * 40 + 10 * 104 - 10 * view
    );
}

/// Crystal keeps an array's entries in a block of their own.
#[test]
fn a_store_is_no_second_collection() {
    let mut churn = ChurnBuilder::new();
    let call = [own(7), ChurnBuilder::library("lines")];
    churn.allocated(&call, Kind::String, "String", 120_000, 40);
    churn.allocated(&call, Kind::Array, "Array(String)", 10, 32);
    churn.allocated(&call, Kind::Array, "Array store", 30, 1000);
    churn.antipattern(antipattern(Remains::AtMost(50)));
    let all = 120_000 * 40 + 10 * 32 + 30 * 1000;
    assert_eq!(look(churn)[0].net(), all - 10 * 50 * 40);
}

/// Short lists of long texts and long lists of short ones: the first elements are those that were first.
#[test]
fn first_elements_are_as_large_as_they_were() {
    let mut churn = ChurnBuilder::new();
    let call = [own(7), ChurnBuilder::library("lines")];
    churn.allocated(&call, Kind::Array, "Array", 20, 1000);
    // 10 lists of 30 texts of 20,000 bytes, and 10 of 4,000 texts of 40 bytes.
    for (from, to, count, each) in [(0, 30, 300, 20_000), (0, 30, 300, 40), (30, 4000, 39_700, 40)] {
        let row = churn.allocated(&call, Kind::String, "String", count, each);
        churn.change(row, |row| row.among = Some((from, to)));
    }
    churn.antipattern(antipattern(Remains::AtMost(50)));
    let all = 20 * 1000 + 300 * 20_000 + 40_000 * 40;
    let first = 300 * 20_000 + 300 * 40 + 10 * 20 * 40;
    assert_eq!(look(churn)[0].net(), all - first);
}

/// Where lists are not counted, what a bound leaves is not known, and the fix is one that leaves nothing.
#[test]
fn what_is_not_counted_is_mended_whole() {
    let found = |uncounted: &str| {
        let mut churn = ChurnBuilder::new();
        let call = [own(7), ChurnBuilder::library("lines")];
        churn.allocated(&call, Kind::Opaque, "", 1000, 40);
        churn.churn().coverage.counts = Presence::Absent;
        churn.antipattern(Antipattern {
            uncounted: uncounted.into(),
            ..antipattern(Remains::AtMost(50))
        });
        look(churn)
    };
    let whole = &found("search for separators")[0];
    assert_eq!(
        (whole.net(), whole.fix.as_str()),
        (40_000, "search for separators")
    );
    assert!(whole.rewrite.is_none());
    assert!(found("").is_empty());
}

fn joined(entries: Option<u64>) -> ChurnBuilder {
    let mut churn = ChurnBuilder::new();
    let by = |name| [own(7), ChurnBuilder::library(name)];
    let lists = churn.allocated(&by("Array#map"), Kind::Array, "Array", 10, 848);
    churn.change(lists, |row| row.entries = entries);
    let all = churn.allocated(&by("Array#flatten"), Kind::Array, "Array", 10, 4048);
    // The list may be kept: another one comes in its place.
    churn.change(all, |row| {
        (row.entries, row.kept_bytes) = (entries.map(|_| 10 * 400), Some(4048));
    });
    churn.allocated(&by("Array#flatten"), Kind::Table, "Hash", 10, 40);
    churn.antipattern(Antipattern {
        makers: vec!["map".into(), "flatten".into()],
        kinds: vec![Kind::Array, Kind::Table],
        ..antipattern(Remains::Joined("flatten"))
    });
    churn
}

#[test]
fn what_joins_while_mapping_still_makes_the_whole_list() {
    let found = look(joined(Some(10 * 100)));
    // Appended to one by one, a list of 400 gets room for 600.
    let remains = 10 * (48 + 8 * 600);
    assert_eq!(found[0].net(), 10 * (848 + 4048 + 40) - remains);
    assert_eq!(found[0].count, 10);
}

#[test]
fn how_long_a_list_was_has_to_be_known() {
    let verdict = ThrownAway.look(&joined(None).build());
    assert!(verdict.candidates.is_empty());
    let why = &verdict.not_measured[0].why;
    assert!(
        why.contains("49,360 bytes") && why.contains("app/validator.rb:7"),
        "{why}"
    );
}

#[test]
fn kept_bytes_are_not_claimed() {
    let mut churn = ChurnBuilder::new();
    let row = churn.allocated(
        &[own(7), ChurnBuilder::library("lines")],
        Kind::String,
        "String",
        100,
        40,
    );
    churn.change(row, |row| row.kept_bytes = Some(4000));
    churn.antipattern(antipattern(Remains::Nothing));
    assert!(look(churn).is_empty());
}

#[test]
fn without_frames_beyond_the_line_its_kinds_decide() {
    let build = |sole| {
        let mut churn = ChurnBuilder::new();
        churn.allocated(&[own(7)], Kind::String, "String", 1000, 40);
        churn.allocated(&[own(7)], Kind::Record, "Page", 10, 40);
        churn.antipattern(Antipattern {
            sole,
            ..antipattern(Remains::Nothing)
        });
        look(churn)
    };
    assert_eq!(
        (build(true)[0].net(), build(true)[0].assumes.is_none()),
        (40_000, true)
    );
    assert!(build(false)[0].assumes.is_some());
}

#[test]
fn records_of_functions_find_the_function() {
    let mut churn = ChurnBuilder::new();
    let frame = Frame { column: 3, ..own(6) };
    churn.allocated(
        &[frame, ChurnBuilder::library("lines")],
        Kind::Opaque,
        "",
        1000,
        40,
    );
    churn.churn().coverage.lines = Presence::Partial;
    churn.antipattern(antipattern(Remains::Nothing));
    let found = look(churn);
    assert_eq!(
        (found[0].net(), found[0].place.as_str()),
        (40_000, "app/validator.rb:7")
    );
}

/// Whatever reads a text makes the same copy of it, so that is neither spared nor what there is to spare.
#[test]
fn copies_of_what_the_call_was_handed_are_not_claimed() {
    let mut churn = ChurnBuilder::new();
    let call = [own(7), ChurnBuilder::library("lines")];
    churn.allocated(&call, Kind::Opaque, "", 1000, 40);
    let copies = churn.allocated(&call, Kind::Opaque, "", 10, 180_000);
    churn.change(copies, |row| row.operand = true);
    churn.antipattern(antipattern(Remains::Nothing));
    let found = look(churn);
    assert_eq!((found[0].net(), found[0].bytes_now), (40_000, 40_000));
    assert!(found[0].assumes.as_ref().unwrap().contains("1,800,000 bytes"));

    let mut churn = ChurnBuilder::new();
    let copies = churn.allocated(&call, Kind::Opaque, "", 10, 180_000);
    churn.change(copies, |row| row.operand = true);
    churn.antipattern(antipattern(Remains::Nothing));
    let verdict = ThrownAway.look(&churn.build());
    assert!(verdict.candidates.is_empty());
    assert!(
        verdict.not_measured[0].why.contains("app/validator.rb:7"),
        "{verdict:?}"
    );
}

#[test]
fn without_source_the_rule_is_blind() {
    let mut churn = ChurnBuilder::new();
    churn.allocated(&[own(7)], Kind::String, "String", 1000, 40);
    churn.churn().source_read = false;
    assert_eq!(ThrownAway.look(&churn.build()).not_measured.len(), 1);
}
