//! Columns of pandas: each fix saves in the process what was predicted, and columns that are better as they are have none.
//! Runs the Pythons that `DEADWEIGHT_PANDAS` lists, in which pandas is installed; `cargo xtask test` makes them.
#![cfg(target_os = "linux")]

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use serde_json::Value;

const ROWS: &str = "100000";

/// Bytes by which two runs of one program differ: what the interpreter, the C library and pandas keep for themselves.
const OF_ITS_OWN: f64 = 8000.0;

/// The columns that could be categories.
const COLUMNS: [(&str, &str); 7] = [
    ("sales", "city"),
    ("joined", "name"),
    ("grouped", "sensor"),
    ("people", "answer"),
    ("people", "comment"),
    ("report", "day"),
    ("report", "code"),
];

/// Those that the tests mend, one by one: one that a file is read to, one of texts of their own with what is missing, one of
/// dates.
const MENDED: [usize; 3] = [0, 3, 5];

fn pythons() -> Vec<String> {
    let listed = env::var("DEADWEIGHT_PANDAS").unwrap_or_default();
    let all: Vec<String> = env::split_paths(&listed)
        .map(|path| path.display().to_string())
        .filter(|path| !path.is_empty())
        .collect();
    if all.is_empty() {
        eprintln!("no Python with pandas is listed: `cargo xtask test` makes them");
    }
    all
}

fn program() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/python/frames.py")
}

fn deadweight(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_deadweight"));
    command.args(arguments);
    command
}

/// The capture of a run with these columns mended.
fn captured(home: &Path, python: &str, mended: &[&str]) -> PathBuf {
    let directory = home.join(format!("of {}", mended.join(" ")));
    let mut command = deadweight(&["run", "--quiet", "--dir"]);
    command.arg(&directory).args(["--", python]).arg(program());
    command.arg(ROWS).args(mended).assert().success();
    let mut files = fs::read_dir(&directory).unwrap().map(|file| file.unwrap().path());
    files
        .find(|path| path.extension().is_some_and(|ending| ending == "deadweight"))
        .expect("a capture")
}

fn json(mut command: Command) -> Value {
    let output = command.output().unwrap();
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&output.stderr)))
}

fn weighing(capture: &Path) -> Value {
    let mut command = deadweight(&["weigh", "--all", "--format", "json"]);
    command.arg(capture);
    json(command)
}

fn proof(before: &Path, after: &Path) -> Value {
    let mut command = deadweight(&["prove", "--format", "json"]);
    command.args([before, after]);
    json(command)
}

/// How a column of the program is called.
fn place((table, column): (&str, &str)) -> String {
    format!("__main__.{}[\"{column}\"]", table.to_uppercase())
}

/// The findings at columns, by place, with what each advises.
fn at_columns(weighing: &Value) -> Vec<(String, String, String)> {
    let findings = weighing["findings"].as_array().unwrap().iter();
    let at = findings.filter(|finding| finding["holder"].as_str().unwrap().contains("[\""));
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    at.map(|finding| {
        (
            text(&finding["holder"]),
            text(&finding["rule"]),
            text(&finding["fix"]),
        )
    })
    .collect()
}

/// What is to be mended for a column, as its finding says.
fn advised(weighing: &Value, column: (&str, &str)) -> Vec<String> {
    let found = at_columns(weighing);
    let of_column = found
        .iter()
        .find(|(holder, rule, _)| *holder == place(column) && rule == "L08");
    let (_, _, fix) = of_column.unwrap_or_else(|| panic!("no finding at {}: {found:?}", place(column)));
    let (table, name) = column;
    let copy = fix.contains("copy the frame").then(|| format!("{table}.copy"));
    std::iter::once(format!("{table}.{name}")).chain(copy).collect()
}

/// What was predicted of the fixes that were made, and what is less than before beside what is the runtime's own.
fn difference(proof: &Value) -> (f64, f64) {
    let held = |of: &str| proof[of]["held"].as_f64().unwrap();
    (held("predicted"), held("measured") - held("runtime"))
}

/// Mends columns one by one in the program as it is with `before`.
fn check(home: &Path, python: &str, before: &[&str], columns: &[(&str, &str)]) {
    // The first run compiles modules, which leaves some memory in use.
    captured(&home.join("warm-up"), python, before);
    let first = captured(&home.join("before"), python, before);
    let weighed = weighing(&first);
    for &column in columns {
        let mended = advised(&weighed, column);
        let mended: Vec<&str> = before
            .iter()
            .copied()
            .chain(mended.iter().map(String::as_str))
            .collect();
        let run = |of: &str| captured(&home.join(of), python, &mended);
        let after = run("first");
        let left = at_columns(&weighing(&after));
        assert!(
            left.iter().all(|(holder, _, _)| *holder != place(column)),
            "{python} {column:?}: {left:?}"
        );
        let (predicted, measured) = difference(&proof(&first, &after));
        assert!(predicted > 100_000.0, "{python} {column:?}: {predicted}");
        let is_off = |measured: f64| (predicted - measured).abs() > predicted * 0.01 + OF_ITS_OWN;
        if !is_off(measured) {
            continue;
        }
        // What the interpreter keeps for itself may double in one run and not in the next: the median counts.
        let again = ["second", "third"].map(|of| {
            let before = captured(&home.join(of).join("before").join(column.1), python, before);
            difference(&proof(&before, &run(of))).1
        });
        let mut all = [measured, again[0], again[1]];
        all.sort_by(f64::total_cmp);
        assert!(
            !is_off(all[1]),
            "{python} {column:?}: {predicted} predicted, {all:?} measured"
        );
    }
}

#[test]
fn a_column_as_a_category_saves_what_was_predicted() {
    for python in pythons() {
        let home = tempfile::tempdir().unwrap();
        check(home.path(), &python, &[], &MENDED.map(|at| COLUMNS[at]));
    }
}

#[test]
fn texts_that_are_interned_leave_the_references_to_save() {
    if let Some(python) = pythons().pop() {
        let home = tempfile::tempdir().unwrap();
        check(
            home.path(),
            &python,
            &["people.interned"],
            &[("people", "answer")],
        );
    }
}

#[test]
fn categories_numbers_and_columns_of_many_values_have_no_finding() {
    for python in pythons() {
        let home = tempfile::tempdir().unwrap();
        let before = at_columns(&weighing(&captured(home.path(), &python, &[])));
        let found = |holder: &str| before.iter().any(|(of, rule, _)| of == holder && rule == "L08");
        for column in COLUMNS {
            assert!(found(&place(column)), "{python} {column:?}: {before:?}");
        }
        let of_rule = before.iter().filter(|(_, rule, _)| rule == "L08").count();
        assert_eq!(of_rule, COLUMNS.len(), "{python}: {before:?}");
        let all = COLUMNS.map(|(table, column)| format!("{table}.{column}"));
        let copied = COLUMNS.map(|(table, _)| format!("{table}.copy"));
        let all: Vec<&str> = all.iter().chain(&copied).map(String::as_str).collect();
        let after = at_columns(&weighing(&captured(home.path(), &python, &all)));
        assert!(after.is_empty(), "{python}: {after:?}");
    }
}
