//! The same waste is found at whatever moment a native program has it, and however the program ends.

mod preload;
mod rest;

use std::fs;
use std::path::Path;
use std::process::Command;

use preload::{compile, deadweight};
use rest::AtRest;
use serde_json::Value;
use tempfile::TempDir;

fn program() -> (TempDir, std::path::PathBuf) {
    let home = tempfile::tempdir().unwrap();
    let program = compile(
        "moments.cpp",
        &["-O2", "-g", "-std=c++17", "-pthread"],
        home.path(),
    );
    (home, program)
}

fn read(path: &Path, message: &[u8]) -> Value {
    let text = fs::read(path).unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(message)));
    serde_json::from_slice(&text).unwrap()
}

/// Runs the program in one of its ways, with its exit code or the number of its signal behind 128.
fn run(program: &Path, way: &str, code: i32, options: &[&str]) -> Value {
    let home = tempfile::tempdir().unwrap();
    let output = deadweight()
        .current_dir(home.path())
        .args(["run", "--format", "json", "--output", "w.json"])
        .args(options)
        .arg("--")
        .arg(program)
        .arg(way)
        .output()
        .unwrap();
    let message = String::from_utf8_lossy(&output.stderr);
    let ended = std::os::unix::process::ExitStatusExt::signal(&output.status);
    let ended = ended.map_or(output.status.code(), |signal| Some(128 + signal));
    assert_eq!(ended, Some(code), "{way} {message}");
    if code > 128 {
        assert!(message.contains("its last capture on the way"), "{way} {message}");
    }
    assert_eq!(
        message.contains("weighed as it was at its highest"),
        code == 0 && options != ["--when", "exit"],
        "{way} {message}"
    );
    let left = fs::read_dir(home.path().join("deadweight-captures")).unwrap();
    let unfinished = left
        .flatten()
        .filter(|entry| entry.path().extension().is_some_and(|end| end == "partial"));
    assert_eq!(unfinished.count(), 0, "{way}");
    read(&home.path().join("w.json"), &output.stderr)
}

fn signalled(program: &Path) -> Value {
    let home = tempfile::tempdir().unwrap();
    let of_test = deadweight();
    let mut command = Command::new(of_test.get_program());
    command.envs(
        of_test
            .get_envs()
            .filter_map(|(name, value)| Some((name, value?))),
    );
    command
        .current_dir(home.path())
        .args([
            "run", "--when", "SIGUSR2", "--format", "json", "--output", "w.json", "--",
        ])
        .arg(program)
        .arg("rest");
    let server = AtRest::start(&mut command);
    server.capture(|| {
        let files = fs::read_dir(home.path().join("deadweight-captures"))
            .into_iter()
            .flatten()
            .flatten();
        let mut paths = files.map(|entry| entry.path());
        paths.any(|path| path.extension().is_some_and(|end| end == "dwheap"))
    });
    server.end();
    read(&home.path().join("w.json"), b"")
}

fn from_outside(program: &Path) -> Value {
    let home = tempfile::tempdir().unwrap();
    let server = AtRest::start(Command::new(program).arg("rest"));
    let output = deadweight()
        .current_dir(home.path())
        .args(["attach", "--format", "json", "--output", "w.json"])
        .arg(server.pid())
        .output()
        .unwrap();
    read(&home.path().join("w.json"), &output.stderr)
}

/// The first finding: its rule, its holder, where it was allocated, and what it saves.
fn first(weighing: &Value) -> (String, String, String, f64) {
    let finding = &weighing["findings"][0];
    let text = |name: &str| finding[name].as_str().unwrap_or_default().to_owned();
    (
        text("rule"),
        text("holder"),
        text("site"),
        finding["saves"].as_f64().unwrap_or(0.0),
    )
}

#[test]
fn the_same_waste_is_found_in_every_way() {
    let (_home, program) = program();
    let (rule, holder, site, saves) = first(&signalled(&program));
    assert_eq!((rule.as_str(), holder.as_str()), ("C02", "Shelf"));
    assert!(site.starts_with("fill, moments.cpp:"), "{site}");
    assert!(saves > 2_000_000.0, "{saves}");
    let ways = [
        ("local", 0),
        ("thread", 0),
        ("child", 0),
        ("forked", 0),
        ("freed", 0),
        ("killed", 128 + 9),
        ("failed", 128 + 6),
    ];
    let mut found: Vec<_> = ways
        .map(|(way, code)| (way, first(&run(&program, way, code, &[]))))
        .into();
    for (way, found) in &found {
        assert_eq!(found.2, site, "{way}");
    }
    // From outside no stacks are known.
    found.push(("attached", first(&from_outside(&program))));
    for (way, found) in found {
        assert_eq!((found.0, found.1), (rule.clone(), holder.clone()), "{way}");
        assert!(
            (found.3 - saves).abs() < 0.03 * saves,
            "{way} {} {saves}",
            found.3
        );
    }
}

#[test]
fn dumps_of_a_running_program_are_reported_when_they_are_taken_and_the_latest_are_kept() {
    let (_program, program) = program();
    let home = tempfile::tempdir().unwrap();
    let output = deadweight()
        .current_dir(home.path())
        .args(["run", "--when", "SIGUSR2", "--every", "1s", "--keep", "1", "--"])
        .arg(&program)
        .arg("server")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    let at = |text: &str| said.find(text).unwrap_or_else(|| panic!("{text}: {said}"));
    assert!(
        at("the program runs; `kill -USR2") < at("the server ends"),
        "{said}"
    );
    assert!(at("C02  Shelf") < at("the server ends"), "{said}");
    let taken = said.matches("captured ").count();
    assert!(
        (3..=5).contains(&taken) && said.matches("C02  Shelf").count() <= taken,
        "none is reported twice: {said}"
    );
    let left = fs::read_dir(home.path().join("deadweight-captures")).unwrap();
    let left = left.filter(|entry| {
        entry
            .as_ref()
            .unwrap()
            .path()
            .extension()
            .is_some_and(|end| end == "dwheap")
    });
    // One may have come after the last look.
    assert!((1..=2).contains(&left.count()), "{said}");
}

#[test]
fn heaps_of_processes_that_were_forked_are_shown_side_by_side() {
    let (_program, program) = program();
    let home = tempfile::tempdir().unwrap();
    let output = deadweight()
        .current_dir(home.path())
        .args(["run", "--format", "json", "--output", "w.json", "--"])
        .arg(&program)
        .arg("caches")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        said.contains("heaps of 3 processes, the first is shown below"),
        "{said}"
    );
    let weighing = read(&home.path().join("w.json"), &output.stderr);
    let again = &weighing["again"];
    let bytes = again["bytes"].as_u64().unwrap_or_else(|| panic!("{weighing:#}"));
    // The texts of the books, of which one process could do without; nobody says which pages are shared.
    assert!((1_000_000..6_000_000).contains(&bytes), "{again:#}");
    assert!(again["shared"].is_null(), "{again:#}");
}

#[test]
fn the_end_is_weighed_where_it_is_asked_for() {
    let (_home, program) = program();
    let weighing = run(&program, "local", 0, &["--when", "exit"]);
    assert!(
        weighing["held"]["bytes"].as_u64().unwrap() < 1_000_000,
        "{weighing:#}"
    );
    let weighing = run(&program, "local", 0, &["--when", "peak"]);
    assert!(
        weighing["held"]["bytes"].as_u64().unwrap() > 3_000_000,
        "{weighing:#}"
    );
}
