//! The same waste is found wherever a program holds it, and whenever it lets it go.

mod ran;
mod rest;

use std::fs;
use std::path::{Path, PathBuf};
use std::process;

use assert_cmd::Command;
use ran::{Ran, weighings};
use rest::AtRest;
use serde_json::Value;

fn program(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/programs")
        .join(name)
}

/// Runs one of the programs of these tests in a directory of its own.
fn run(options: &[&str], runtime: &[&str], name: &str, way: &str) -> Ran {
    let mut command = Command::new(env!("CARGO_BIN_EXE_deadweight"));
    command
        .env("COLUMNS", "100")
        .arg("run")
        .args(options)
        .arg("--")
        .args(runtime)
        .arg(program(name))
        .arg(way);
    Ran::of(tempfile::tempdir().unwrap(), &mut command)
}

/// The first finding: its rule, its place, the line to change where it is known, and what it saves.
#[derive(Debug)]
struct First {
    rule: String,
    holder: String,
    line: Option<(String, u64)>,
    saves: f64,
}

fn first(weighing: &Value) -> First {
    let finding = &weighing["findings"][0];
    let text = |name: &str| finding[name].as_str().unwrap_or_default().to_owned();
    let line = &finding["line"];
    let file = line["file"].as_str().map(ToOwned::to_owned);
    First {
        rule: text("rule"),
        holder: text("holder"),
        line: file.zip(line["line"].as_u64()),
        saves: finding["saves"].as_f64().unwrap_or(0.0),
    }
}

/// What is found in the heap that holds most is what is expected.
fn same(expected: &First, ran: &Ran, way: &str) {
    alike(expected, &first(&ran.weighings()[0]), way, &ran.said());
}

fn alike(expected: &First, found: &First, way: &str, said: &str) {
    let place = |first: &First| (first.rule.clone(), first.holder.clone(), first.line.clone());
    assert_eq!(place(found), place(expected), "{way}: {said}");
    let off = (found.saves - expected.saves).abs() / expected.saves;
    assert!(off < 0.03, "{way}: {found:?} and {expected:?}");
}

/// A server under the command, captured at rest by a signal.
fn signalled(runtime: &str, name: &str) -> First {
    let home = tempfile::tempdir().unwrap();
    let mut command = process::Command::new(env!("CARGO_BIN_EXE_deadweight"));
    command
        .current_dir(home.path())
        .args(["run", "--when", "SIGUSR2", "--", runtime])
        .arg(program(name))
        .arg("rest");
    let server = AtRest::start(&mut command);
    server.capture(|| !weighings(home.path()).is_empty());
    server.end();
    first(&weighings(home.path())[0])
}

#[test]
fn the_same_waste_of_node_is_found_wherever_it_is_held() {
    let kept = run(&[], &["node"], "rows.cjs", "kept");
    let expected = first(&kept.weighings()[0]);
    assert_eq!(
        (expected.rule.as_str(), expected.holder.as_str()),
        ("D01", "Row.text")
    );
    let (file, line) = expected.line.as_ref().unwrap();
    assert!(file.ends_with("rows.cjs") && *line == 5, "{file}:{line}");
    for way in ["local", "child", "cluster", "busy"] {
        same(&expected, &run(&[], &["node"], "rows.cjs", way), way);
    }
    alike(&expected, &signalled("node", "rows.cjs"), "a server at rest", "");
    alike(&expected, &attached(), "attached", "");
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
        (&found.rule, &found.holder, &found.line),
        (&expected.rule, &expected.holder, &expected.line),
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

/// A server that was started without a recorder.
fn attached() -> First {
    let home = tempfile::tempdir().unwrap();
    let server = AtRest::start(
        process::Command::new("node")
            .current_dir(home.path())
            .arg("--inspect-port=0")
            .arg(program("rows.cjs"))
            .arg("rest"),
    );
    let mut command = Command::new(env!("CARGO_BIN_EXE_deadweight"));
    command.args(["attach", &server.pid(), "--max-pause", "300"]);
    command.args(["--format", "json", "--output", "w.json"]);
    let found = first(&Ran::of(home, &mut command).weighing());
    server.end();
    found
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
    assert_eq!(
        (expected.rule.as_str(), expected.holder.as_str()),
        ("D01", "Row.text")
    );
    for way in ["thread", "child", "forked"] {
        same(&expected, &run(&[], &["ruby"], "rows.rb", way), way);
    }
    alike(&expected, &signalled("ruby", "rows.rb"), "a server at rest", "");
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

#[test]
fn captures_that_would_cost_more_than_is_allowed_are_skipped() {
    for (limit, why) in [
        (["--max-pause", "0.001s"], "it would stop the program for about"),
        (
            ["--max-cpu", "0.01"],
            "of a processor since the start, and 0.0 % are allowed",
        ),
        (["--max-size", "1kB"], "captures would take"),
    ] {
        let options = ["--when", "SIGUSR2", "--every", "1s"];
        let ran = run(&[&options[..], &limit].concat(), &["node"], "rows.cjs", "server");
        let said = ran.said();
        // The first one shows what one costs.
        assert_eq!(said.matches("captured ").count(), 1, "{said}");
        assert!(
            said.contains("no capture this time: ") && said.contains(why),
            "{said}"
        );
        assert_eq!(ran.weighings().len(), 1, "{said}");
    }
}

/// What several heaps of a run hold at the rows' texts: the heaps, the bytes of all but one, and of one.
fn again_at_texts(weighing: &Value) -> (u64, u64, u64) {
    let at = |list: &Value| {
        let places = list["places"].as_array().unwrap_or_else(|| panic!("{list}"));
        let place = places.iter().find(|place| place["holder"] == "Row.text");
        place.unwrap_or_else(|| panic!("{list}")).clone()
    };
    let (again, one) = (at(&weighing["again"]), at(&weighing["holdings"]));
    let number = |place: &Value, name: &str| place[name].as_u64().unwrap();
    (
        number(&again, "heaps"),
        number(&again, "bytes"),
        number(&one, "bytes"),
    )
}

#[test]
fn what_several_processes_hold_each_for_itself_is_said() {
    let options = ["--format", "json", "--output", "w.json"];
    for (runtime, name) in [("node", "rows.cjs"), ("ruby", "rows.rb")] {
        let ran = run(&options, &[runtime], name, "caches");
        let weighing = ran.weighing();
        let (heaps, bytes, one) = again_at_texts(&weighing);
        assert_eq!((heaps, bytes), (2, one), "{runtime}: {}", weighing["again"]);
        // They were made after the processes were.
        let shared = weighing["again"]["shared"].as_u64().unwrap();
        assert!(shared < bytes / 100, "{runtime}: {}", weighing["again"]);
        assert!(ran.said().contains("3 processes have"), "{}", ran.said());
    }
    // Rows that were there before are in pages that all three processes have.
    let ran = run(&options, &["ruby"], "rows.rb", "preloaded");
    let weighing = ran.weighing();
    let (heaps, bytes, one) = again_at_texts(&weighing);
    assert_eq!((heaps, bytes), (3, 2 * one), "{}", weighing["again"]);
    let number = |name: &str| weighing["again"][name].as_u64().unwrap();
    assert!(number("shared") > number("bytes") / 2, "{}", weighing["again"]);
    // In the heaps of one process nothing is held by two.
    let alone = run(&options, &["node"], "rows.cjs", "worker");
    assert!(
        alone.weighing()["again"].is_null(),
        "{}",
        alone.weighing()["again"]
    );
}

#[test]
fn children_that_loaded_no_recorder_are_named() {
    let said = run(&[], &["node"], "rows.cjs", "strangers").said();
    let line = said
        .lines()
        .find(|line| line.contains("no recorder was loaded into"));
    let line = line.unwrap_or_else(|| panic!("{said}"));
    assert!(
        line.contains("(node, ") && line.contains("MB resident) and one other process"),
        "{line}"
    );
    // Who loads one is none of them.
    let said = run(&[], &["node"], "rows.cjs", "child").said();
    assert!(!said.contains("no recorder was loaded into"), "{said}");
}

#[test]
fn of_a_daemon_it_is_said_that_its_capture_comes_later() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_deadweight"));
    command.args(["run", "--", "sh", "-c", "sleep 5 < /dev/null > /dev/null 2>&1 &"]);
    let said = Ran::of(tempfile::tempdir().unwrap(), &mut command).said();
    assert!(said.contains("left processes that still run (1)"), "{said}");
}

#[test]
fn the_same_waste_of_python_is_found_wherever_it_is_held() {
    let run = |options: &[&str], way: &str| run(options, &["python3"], "rows.py", way);
    let expected = first(&run(&[], "kept").weighings()[0]);
    assert_eq!(
        (expected.rule.as_str(), expected.holder.as_str()),
        ("D01", "__main__.Row.text")
    );
    let freed = run(&["--when", "peak"], "freed");
    same(&expected, &freed, "freed");
    let shown = freed.weighings()[0]["held"]["bytes"].as_u64().unwrap();
    assert!(shown > 45_000_000, "{}", freed.said());
    let climbed = run(&["--when", "climb"], "freed");
    assert_eq!(climbed.weighings().len(), 1, "the highest alone is kept");
    let held = climbed.weighings()[0]["held"]["bytes"].as_u64().unwrap();
    // The last capture on the way up may hold a third less than the highest moment.
    assert!(held > shown / 3 * 2, "{}", climbed.said());
}
