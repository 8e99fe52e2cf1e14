//! Fixes made in a Python program: each saves in the process what was predicted. Runs the first and the last of the Pythons
//! that `DEADWEIGHT_PYTHONS` lists, else `python3`.

mod pythons;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use assert_cmd::Command;
use serde_json::Value;

const COUNT: &str = "20000";

/// Bytes by which two runs of one program differ: what the interpreter keeps for itself.
const OF_ITS_OWN: f64 = 4000.0;

/// Each fix, and the rule whose finding it mends.
const FIXES: [(&str, &str); 13] = [
    ("intern-rows", "D01"),
    ("intern-kinds", "D01"),
    ("lazy", "C01"),
    ("rows-with-slots", "L02"),
    ("slots", "L07"),
    ("milliseconds", "L03"),
    ("array", "L03"),
    ("one-place", "D03"),
    ("one-blob", "D02"),
    ("tight", "C03"),
    ("heads", "R01"),
    ("no-links", "L05"),
    ("pages", "E01"),
];

/// Containers of the standard library that are not made: the field of each.
const CONTAINERS: [(&str, &str); 9] = [
    ("default", "C01"),
    ("made", "C01"),
    ("weak_set", "C01"),
    ("weak_values", "C01"),
    ("weak_keys", "C01"),
    ("chain", "C01"),
    ("inbox", "C01"),
    ("stack", "C01"),
    ("user_dict", "C01"),
];

/// The first and the last.
fn outermost() -> Vec<String> {
    let mut all = pythons::all();
    if all.len() > 2 {
        all.drain(1..all.len() - 1);
    }
    all
}

fn program(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/programs/python")
        .join(name)
}

fn deadweight() -> Command {
    Command::new(env!("CARGO_BIN_EXE_deadweight"))
}

/// The capture of a run.
fn captured(home: &Path, python: &str, script: &str, arguments: &[&str]) -> PathBuf {
    let directory = home.join(format!("of {}", arguments.join(" ")));
    let mut command = deadweight();
    command.args(["run", "--quiet", "--dir"]).arg(&directory);
    command.args(["--", python]).arg(program(script)).args(arguments);
    command.assert().success();
    let files = fs::read_dir(&directory).unwrap();
    let mut paths = files.map(|file| file.unwrap().path());
    paths
        .find(|path| path.extension().is_some_and(|ending| ending == "deadweight"))
        .expect("a capture")
}

fn json(output: &Output) -> Value {
    let read = serde_json::from_slice(&output.stdout);
    read.unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&output.stderr)))
}

/// What `prove` says of two captures.
fn proof(before: &Path, after: &Path) -> Value {
    let output = deadweight()
        .args(["prove", "--format", "json"])
        .args([before, after])
        .output()
        .unwrap();
    json(&output)
}

/// What grew and shrank between two captures of one program.
fn growth(before: &Path, after: &Path) -> String {
    let output = deadweight().arg("diff").args([before, after]).output().unwrap();
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The difference that was predicted and the one that was measured, in bytes.
fn difference(proof: &Value) -> (f64, f64) {
    let held = |of: &str| proof[of]["held"].as_f64().unwrap();
    (held("predicted"), held("measured"))
}

#[test]
fn each_fix_saves_what_was_predicted() {
    each_saves("fixes.py", &FIXES, 0.01);
}

#[test]
fn empty_containers_of_the_library_go_with_all_that_they_hold() {
    // A lock has a block of its own that no dump shows.
    each_saves("containers.py", &CONTAINERS, 0.02);
}

fn each_saves(program: &str, fixes: &[(&str, &str)], share: f64) {
    for python in outermost() {
        let home = tempfile::tempdir().unwrap();
        // The first run compiles the recorder's modules, which leaves some memory in use.
        captured(&home.path().join("warm-up"), &python, program, &[COUNT]);
        let before = captured(home.path(), &python, program, &[COUNT]);
        for &(fix, rule) in fixes {
            let run = |of: &str| captured(&home.path().join(of), &python, program, &[COUNT, fix]);
            let first = run("first");
            let proven = proof(&before, &first);
            let mut fixes = proven["fixes"].as_array().unwrap().iter();
            assert!(
                fixes.any(|fix| fix["rule"] == rule && fix["outcome"] == "mended"),
                "{python} {fix}: no finding of {rule} is mended"
            );
            let (predicted, measured) = difference(&proven);
            let is_off = |measured: f64| (predicted - measured).abs() > predicted * share + OF_ITS_OWN;
            if !is_off(measured) {
                continue;
            }
            // A table that the interpreter keeps for itself may double in one run and not in the next, on either side: the
            // median counts.
            let again = ["second", "third"].map(|of| {
                let before = captured(&home.path().join(of).join(fix), &python, program, &[COUNT]);
                difference(&proof(&before, &run(of))).1
            });
            let mut all = [measured, again[0], again[1]];
            all.sort_by(f64::total_cmp);
            let said = format!("{python} {fix}: {predicted} predicted, {all:?} measured");
            eprintln!(
                "{said}; what the first run holds beside the one before the fix:\n{}",
                growth(&before, &first)
            );
            assert!(!is_off(all[1]), "{said}");
        }
    }
}

#[test]
fn a_healthy_program_has_nothing_to_fix() {
    for python in outermost() {
        let home = tempfile::tempdir().unwrap();
        let capture = captured(home.path(), &python, "healthy.py", &[]);
        let output = deadweight()
            .args(["weigh", "--format", "json"])
            .arg(capture)
            .output()
            .unwrap();
        let weighing = json(&output);
        let held = weighing["held"]["bytes"].as_f64().unwrap();
        for finding in weighing["findings"].as_array().unwrap() {
            let share = finding["saves"].as_f64().unwrap() / held;
            assert!(
                share < 0.01,
                "{python}: {} at {}",
                finding["rule"],
                finding["holder"]
            );
        }
    }
}
