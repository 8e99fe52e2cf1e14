//! The same waste is found wherever a program holds it, and whenever it lets it go.

use std::fs;
use std::path::Path;
use std::process::Output;

use assert_cmd::Command;
use serde_json::Value;
use tempfile::TempDir;

struct Ran {
    home: TempDir,
    output: Output,
}

impl Ran {
    fn said(&self) -> String {
        String::from_utf8_lossy(&self.output.stderr).into_owned()
    }

    /// The weighings that the run left, the one that holds most first.
    fn weighings(&self) -> Vec<Value> {
        let captures = fs::read_dir(self.home.path().join("deadweight-captures")).unwrap();
        let paths = captures.map(|entry| entry.unwrap().path());
        // In a capture, or beside a snapshot.
        let files = paths.flat_map(|path| [path.join("weighing.json"), path]);
        let files = files.filter(|path| path.to_string_lossy().ends_with("weighing.json"));
        let texts = files.filter_map(|path| fs::read(path).ok());
        let mut weighings: Vec<Value> = texts.map(|text| serde_json::from_slice(&text).unwrap()).collect();
        assert!(!weighings.is_empty(), "{}", self.said());
        weighings.sort_by_key(|weighing| std::cmp::Reverse(weighing["held"]["bytes"].as_u64()));
        weighings
    }
}

/// Runs one of the programs of these tests in a directory of its own.
fn run(options: &[&str], runtime: &[&str], program: &str, way: &str) -> Ran {
    let home = tempfile::tempdir().unwrap();
    let program = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/programs")
        .join(program);
    let output = Command::new(env!("CARGO_BIN_EXE_deadweight"))
        .current_dir(home.path())
        .env("COLUMNS", "100")
        .arg("run")
        .args(options)
        .arg("--")
        .args(runtime)
        .arg(program)
        .arg(way)
        .output()
        .unwrap();
    Ran { home, output }
}

/// The first finding: its rule, its place, and what it saves.
fn first(weighing: &Value) -> (String, String, f64) {
    let finding = &weighing["findings"][0];
    let text = |name: &str| finding[name].as_str().unwrap_or_default().to_owned();
    (
        text("rule"),
        text("holder"),
        finding["saves"].as_f64().unwrap_or(0.0),
    )
}

fn same(expected: &(String, String, f64), ran: &Ran, way: &str) {
    let found = first(&ran.weighings()[0]);
    assert_eq!(
        (&found.0, &found.1),
        (&expected.0, &expected.1),
        "{way}: {}",
        ran.said()
    );
    let off = (found.2 - expected.2).abs() / expected.2;
    assert!(off < 0.03, "{way}: {} and {}", found.2, expected.2);
}

#[test]
fn the_same_waste_of_node_is_found_wherever_it_is_held() {
    let kept = run(&[], &["node"], "rows.cjs", "kept");
    let expected = first(&kept.weighings()[0]);
    assert_eq!((expected.0.as_str(), expected.1.as_str()), ("D01", "Row.text"));
    for way in ["local", "child", "busy"] {
        same(&expected, &run(&[], &["node"], "rows.cjs", way), way);
    }
    let worker = run(&[], &["node"], "rows.cjs", "worker");
    same(&expected, &worker, "worker");
    shows_both_heaps(&worker);
    let freed = run(&["--when", "peak"], &["node"], "rows.cjs", "freed");
    same(&expected, &freed, "freed");
    // What an earlier capture took near the highest moment is not the program's.
    assert!(freed.weighings()[0]["unseen"].is_null(), "{}", freed.said());
    let climbed = run(&["--when", "climb"], &["node"], "rows.cjs", "freed");
    let found = first(&climbed.weighings()[0]);
    // The last capture on the way up may hold a third less than the highest moment.
    assert_eq!(
        (&found.0, &found.1),
        (&expected.0, &expected.1),
        "{}",
        climbed.said()
    );
    assert_eq!(climbed.weighings().len(), 1, "the highest alone is kept");
    let oom = run(&[], &["node", "--max-old-space-size=16"], "rows.cjs", "oom");
    assert!(
        !oom.output.status.success() && oom.said().contains("came near the limit"),
        "{}",
        oom.said()
    );
    same(&expected, &oom, "oom");
    let left = fs::read_dir(oom.home.path()).unwrap().count();
    assert_eq!(left, 1, "the snapshot is with the captures");
}

/// A heap of a worker thread and that of its process are shown with their sum.
fn shows_both_heaps(ran: &Ran) {
    let said = ran.said();
    assert!(said.contains("2 heaps of 1 process"), "{said}");
    assert!(
        said.contains("worker thread 1") && said.contains("D01 Row.text"),
        "{said}"
    );
    assert!(said.contains("all together"), "{said}");
    let [worker, main] = &ran.weighings()[..] else {
        panic!("{said}")
    };
    // What is resident is the process's.
    assert!(
        worker["process"]["rss"].is_null() && worker["unseen"].is_null(),
        "{worker}"
    );
    assert!(main["process"]["rss"].is_u64(), "{main}");
}

#[test]
fn a_program_that_let_go_of_its_data_is_said_to_be_captured_too_late() {
    for (runtime, program) in [("node", "rows.cjs"), ("ruby", "rows.rb")] {
        let ran = run(&[], &[runtime], program, "large");
        let said = ran.said();
        let report = said.find("PAST THE HIGHEST").unwrap_or_else(|| panic!("{said}"));
        assert!(
            report < said.find("held").unwrap() && said.contains('▲'),
            "{said}"
        );
        assert!(
            said.contains(&format!("deadweight run --when peak -- {runtime} ")),
            "{said}"
        );
        let curve = &ran.weighings()[0]["curve"];
        let bytes = |moment: &str| curve[moment]["bytes"].as_u64().unwrap();
        assert!(
            bytes("highest") > 15_000_000 && bytes("captured") < 10_000_000,
            "{curve}"
        );
        assert!(!curve["points"].as_array().unwrap().is_empty(), "{curve}");
    }
}

#[test]
fn the_same_waste_of_ruby_is_found_wherever_it_is_held() {
    let kept = run(&[], &["ruby"], "rows.rb", "kept");
    let expected = first(&kept.weighings()[0]);
    assert_eq!((expected.0.as_str(), expected.1.as_str()), ("D01", "Row.text"));
    same(&expected, &run(&[], &["ruby"], "rows.rb", "child"), "child");
    same(
        &expected,
        &run(&["--when", "peak"], &["ruby"], "rows.rb", "freed"),
        "freed",
    );
    let oom = run(&[], &["ruby"], "rows.rb", "oom");
    assert!(oom.said().contains("NoMemoryError"), "{}", oom.said());
    same(&expected, &oom, "oom");
}

#[test]
fn of_what_was_killed_the_highest_that_was_seen_is_told() {
    let ran = run(&[], &["node"], "rows.cjs", "killed");
    let said = ran.said();
    assert!(
        said.contains("it held at least 2") && said.contains("--when climb"),
        "{said}"
    );
}

#[test]
fn a_capture_of_a_running_program_is_reported_when_it_is_taken() {
    let options = ["--when", "SIGUSR2", "--every", "1s", "--keep", "1"];
    let ran = run(&options, &["node"], "rows.cjs", "server");
    let said = ran.said();
    let at = |text: &str| said.find(text).unwrap_or_else(|| panic!("{text}: {said}"));
    assert!(
        at("the program runs; `kill -USR2") < at("the server ends"),
        "{said}"
    );
    assert!(at("D01  Row.text") < at("the server ends"), "{said}");
    // One may have been taken after the last look.
    let taken = said.matches("captured ").count();
    assert!(taken >= 3 && ran.weighings().len() < taken, "{said}");
    let again = said.matches("D01  Row.text").count();
    assert!(again <= taken, "none is reported twice: {said}");
}
