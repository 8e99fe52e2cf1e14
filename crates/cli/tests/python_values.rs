//! What makes values equal, what the interpreter's own table of texts costs, and what is garbage, on every interpreter at hand.
#![cfg(target_os = "linux")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use serde_json::Value;

mod pythons;
mod ran;

use ran::Ran;

fn program(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/programs/python")
        .join(name)
}

fn deadweight() -> Command {
    Command::new(env!("CARGO_BIN_EXE_deadweight"))
}

/// What a run of a program of these tests holds.
fn run(python: &str, script: &Path, arguments: &[&str]) -> Ran {
    let mut command = deadweight();
    command.args(["run", "--all", "--format", "json", "-o", "w.json", "--", python]);
    Ran::of(tempfile::tempdir().unwrap(), command.arg(script).args(arguments))
}

/// Objects that have no equal, by the class whose `value` they are.
fn values(weighing: &Value) -> BTreeMap<String, u64> {
    let findings = weighing["findings"].as_array().unwrap().iter();
    let of_values = findings.filter(|finding| ["D02", "D03"].iter().any(|rule| finding["rule"] == *rule));
    let kept = of_values.filter_map(|finding| {
        let holder = finding["holder"].as_str().unwrap().strip_prefix("__main__.")?;
        let (class, _) = holder.split_once(".value")?;
        Some((class.to_owned(), finding["unaffected"].as_u64().unwrap()))
    });
    kept.collect()
}

#[test]
fn what_differs_in_what_no_element_shows_is_not_equal() {
    for python in pythons::all() {
        let weighing = run(&python, &program("unlike.py"), &[]).weighing();
        let values = values(&weighing);
        for (class, kept) in &values {
            let least = if class.starts_with("same_") { 1 } else { 2 };
            assert!(*kept >= least, "{python}: {class} has {kept} values");
        }
        let same: BTreeSet<&str> = values
            .keys()
            .filter_map(|class| class.strip_prefix("same_"))
            .collect();
        for known in [
            "deque",
            "array",
            "bytes",
            "default",
            "zone",
            "named",
            "deque_in_tuple",
            "day",
        ] {
            assert!(
                same.contains(known) && values.contains_key(known),
                "{python}: {known}: {values:?}"
            );
        }
    }
}

fn saved(proof: &Value, of: &str) -> f64 {
    proof[of]["held"].as_f64().unwrap()
}

/// Bytes by which two runs of one program differ: what the interpreter keeps for itself.
const OF_ITS_OWN: f64 = 6000.0;

#[test]
fn interned_texts_save_what_is_left_beside_the_table_that_the_interpreter_keeps_of_them() {
    for python in pythons::all() {
        let script = program("interns.py");
        let capture = |fixed: &[&str]| {
            let ran = run(&python, &script, &[&["30000", "3"], fixed].concat());
            let captures = fs::read_dir(ran.home.path().join("deadweight-captures")).unwrap();
            let mut captures = captures.map(|entry| entry.unwrap().path());
            let capture = captures.find(|path| path.is_dir());
            let capture = capture.unwrap_or_else(|| panic!("{}", ran.said()));
            (ran, capture)
        };
        let before = capture(&[]);
        let found = before.0.weighing();
        let findings = found["findings"].as_array().unwrap();
        let of_texts = findings.iter().filter(|finding| finding["rule"] == "D01");
        let frees = |finding: &Value| finding["evidence"]["interned_table"].as_u64();
        let grows: Vec<u64> = of_texts.filter_map(frees).collect();
        assert_eq!(grows.len(), 2, "{python}: both places make the table grow");
        for fixed in [&["cities"][..], &["names"], &["cities", "names"]] {
            let after = capture(fixed);
            let output = deadweight()
                .args(["prove", "--format", "json"])
                .args([&before.1, &after.1])
                .output()
                .unwrap();
            let proof: Value = serde_json::from_slice(&output.stdout).unwrap();
            let (predicted, measured) = (saved(&proof, "predicted"), saved(&proof, "measured"));
            let off = (predicted - measured).abs();
            assert!(
                predicted > 1_000_000.0 && off <= OF_ITS_OWN + predicted * 0.005,
                "{python} {fixed:?}: {predicted} predicted, {measured} measured"
            );
        }
    }
}

/// A program that has made cycles, which no collection took.
const CYCLES: &str = "
import gc
gc.disable()
class Node:
    pass
for number in range(20_000):
    node = Node()
    node.itself = node
    node.text = 'node %d' % number
kept = ['kept %d' % number for number in range(5_000)]
";

#[test]
fn garbage_is_said_beside_what_is_held() {
    let home = tempfile::tempdir().unwrap();
    let script = home.path().join("cycles.py");
    fs::write(&script, CYCLES).unwrap();
    for python in pythons::all() {
        let ran = run(&python, &script, &[]);
        let weighing = ran.weighing();
        let garbage = &weighing["garbage"];
        assert!(
            garbage["objects"].as_u64().unwrap() >= 40_000,
            "{python}: {garbage}"
        );
        // An object takes 48 bytes at least, and its text.
        assert!(
            garbage["bytes"].as_u64().unwrap() > 20_000 * 100,
            "{python}: {garbage}"
        );
        let places = weighing["holdings"]["places"].as_array().unwrap();
        assert!(
            places
                .iter()
                .all(|place| !place["holds"].as_str().unwrap().ends_with("Node")),
            "{python}: garbage is held"
        );
        let shown = deadweight()
            .arg("weigh")
            .arg(ran.home.path().join("deadweight-captures"))
            .output()
            .unwrap();
        let shown = String::from_utf8_lossy(&shown.stdout).replace('\n', " ");
        assert!(
            shown.contains("nothing held") && shown.contains("any more at the capture"),
            "{shown}"
        );
    }
}
