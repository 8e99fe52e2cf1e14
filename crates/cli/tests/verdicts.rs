//! What is said of a program follows from what was seen of it, and a run behaves among others.

mod preload;
mod ran;

use std::fs;
use std::os::unix::fs::FileTypeExt;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::Output;

use preload::{compile, deadweight};
use ran::Ran;
use tempfile::TempDir;

/// Runs a program in a directory of its own, with a report at the terminal's usual width.
fn run(home: TempDir, arguments: &[&str]) -> Ran {
    let mut command = deadweight();
    Ran::of(home, command.env("COLUMNS", "80").arg("run").args(arguments))
}

fn with(name: &str, source: &str) -> TempDir {
    let home = tempfile::tempdir().unwrap();
    fs::write(home.path().join(name), source).unwrap();
    home
}

// With an environment of its own the worker is without a recorder.
const WORKER: &str = "
    const { Worker } = require('worker_threads');
    const worker = new Worker(`
      const kept = [];
      for (let i = 0; i < 300000; i++) kept.push({ id: i, name: 'record ' + i, tags: [i, i + 1] });
      globalThis.kept = kept;
      require('worker_threads').parentPort.postMessage('ready');
      setInterval(() => {}, 1000);`, { eval: true, env: {} });
    worker.on('message', () => process.exit(0));";

#[test]
fn what_a_worker_holds_is_shown_first_and_named_as_not_seen_in_the_heap_beside() {
    let ran = run(
        with("worker.cjs", WORKER),
        &["--format", "json", "-o", "w.json", "--", "node", "worker.cjs"],
    );
    let (said, weighing) = (ran.said(), ran.weighing());
    let held = weighing["held"]["bytes"].as_u64().unwrap();
    assert!(held > 40_000_000 && weighing["unseen"].is_null(), "{said}");
    let path = weighing["source"]["path"].as_str().unwrap();
    let of_worker = Path::new(path).parent().unwrap();
    let row = said.lines().find(|line| line.contains("worker thread 1"));
    let shown = format!(
        "{:.1} MB",
        (held + weighing["external"]["bytes"].as_u64().unwrap()) as f64 / 1e6
    );
    assert!(row.is_some_and(|row| row.contains(&shown)), "{shown}: {said}");
    let captures = fs::read_dir(of_worker.parent().unwrap()).unwrap();
    let mut captures = captures.map(|entry| entry.unwrap().path());
    let of_main = captures
        .find(|path| path.is_dir() && path != of_worker)
        .expect(&said);
    let output = deadweight()
        .env("COLUMNS", "80")
        .arg("weigh")
        .arg(of_main)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(
        said.contains("NOT SEEN") && said.contains("worker threads (1 was started)"),
        "{said}"
    );
    assert!(
        !said.contains("Nothing to fix") && !said.contains("the program needs"),
        "{said}"
    );
}

// What the main module's variables hold is gone at its end, and no collection was before it.
const SHORT: &str = "const rows = [];
    for (let i = 0; i < 50000; i++) rows.push({ id: i, name: 'customer ' + (i % 100), tags: [], at: new Date(i) });
    console.log(rows.length);";

#[test]
fn a_short_program_whose_data_are_gone_is_not_clean_and_its_highest_moment_is_met() {
    let end = run(with("short.cjs", SHORT), &["--", "node", "short.cjs"]).said();
    assert!(
        end.contains("NOT SEEN") && end.contains("in use at the program's end"),
        "{end}"
    );
    assert!(
        end.contains("how: deadweight run --when peak -- node short.cjs"),
        "{end}"
    );
    assert!(!end.contains("the program needs"), "{end}");
    let options = ["--when", "peak", "--format", "json", "-o", "w.json", "--"];
    let peak = run(
        with("short.cjs", SHORT),
        &[&options[..], &["node", "short.cjs"]].concat(),
    );
    let weighing = peak.weighing();
    let dead = weighing["held"]["dead"].as_u64().unwrap();
    // The 50,000 records take 14 MB, and two thirds of that can go.
    assert!(
        dead > 5_000_000 && weighing["unseen"].is_null(),
        "{dead}: {}",
        peak.said()
    );
}

#[test]
fn a_small_program_that_is_all_seen_gets_a_clean_sentence() {
    let home = with("small.cjs", "globalThis.kept = { name: 'one' };");
    let ran = run(home, &["--", "node", "small.cjs"]);
    let said = ran.said();
    assert!(!said.contains("NOT SEEN") && !said.contains("1 more"), "{said}");
    assert!(
        said.contains("Nothing to fix") || said.contains("Nothing worth fixing"),
        "{said}"
    );
}

#[test]
fn what_locals_held_is_not_seen_at_the_end_and_seen_by_the_threshold_that_is_named() {
    let home = tempfile::tempdir().unwrap();
    compile("locals.cpp", &["-O1"], home.path());
    let at_end = [
        "--when",
        "exit",
        "--format",
        "json",
        "-o",
        "w.json",
        "--",
        "./program",
    ];
    let ran = run(home, &at_end);
    let weighing = ran.weighing();
    let unseen = &weighing["unseen"];
    assert_eq!(unseen["of"], "held_peak", "{unseen}");
    assert!(unseen["whole"].as_u64().unwrap() > 40_000_000, "{unseen}");
    let how = unseen["places"][0]["how"].as_str().unwrap();
    let trigger = how.split('\'').nth(1).unwrap().to_owned();
    let arguments = [
        "--when",
        &trigger,
        "--format",
        "json",
        "-o",
        "w.json",
        "--",
        "./program",
    ];
    let ran = run(ran.home, &arguments);
    let weighing = ran.weighing();
    assert!(
        weighing["held"]["bytes"].as_u64().unwrap() > 30_000_000,
        "{trigger}"
    );
    assert!(weighing["unseen"].is_null(), "{}", weighing["unseen"]);
}

#[test]
fn a_child_with_an_environment_of_its_own_is_not_seen() {
    let source = "
        const { spawnSync } = require('node:child_process');
        const env = { PATH: process.env.PATH };
        spawnSync(process.execPath, ['-e', 'globalThis.kept = Buffer.alloc(300e6, 1)'], { env });";
    let ran = run(with("parent.cjs", source), &["--", "node", "parent.cjs"]);
    let said = ran.said();
    assert!(
        said.contains("NOT SEEN") && said.contains("environment of its own"),
        "{said}"
    );
    assert!(!said.contains("Nothing to fix"), "{said}");
}

#[test]
fn a_program_that_is_killed_says_so_and_its_parent_sees_it() {
    let source = "globalThis.kept = Buffer.alloc(100e6, 1); setTimeout(() => process.kill(process.pid, 'SIGKILL'), 100);";
    let ran = run(with("killed.cjs", source), &["--", "node", "killed.cjs"]);
    let said = ran.said();
    assert!(
        said.contains("signal 9 ended the program") && said.contains("--when 'rss>"),
        "{said}"
    );
    assert_eq!(ran.output.status.signal(), Some(9));
    let ran = run(ran.home, &["--", "sh", "-c", "kill -SEGV $$"]);
    assert_eq!(ran.output.status.signal(), Some(11));
}

#[test]
fn a_threshold_that_is_not_reached_says_how_high_it_came() {
    let home = with(
        "small.cjs",
        "globalThis.kept = Buffer.alloc(50e6, 1); setTimeout(() => {}, 600);",
    );
    compile("locals.cpp", &["-O1"], home.path());
    let ran = run(home, &["--when", "rss>50GB", "--", "node", "small.cjs"]);
    assert!(
        ran.said()
            .contains("rss>50.00GB was not reached: the highest seen was"),
        "{}",
        ran.said()
    );
    let ran = run(ran.home, &["--when", "external>50GB", "--", "node", "small.cjs"]);
    assert!(ran.said().contains("the highest seen was 5"), "{}", ran.said());
    let ran = run(ran.home, &["--when", "heap>50GB", "--", "./program"]);
    let said = ran.said();
    assert!(
        said.contains("heap>50.00GB was not reached: the highest seen was"),
        "{said}"
    );
    assert!(!said.contains("no process of a runtime"), "{said}");
    // A program that is too small to be looked at on its way has a figure, too.
    let ran = run(ran.home, &["--when", "heap>50GB", "--", "sort", "--version"]);
    let said = ran.said();
    assert!(
        said.contains("the highest seen was") && !said.contains("was 0 B"),
        "{said}"
    );
}

#[test]
fn a_program_that_drops_its_environment_is_named_as_the_reason() {
    let home = tempfile::tempdir().unwrap();
    let ran = run(
        home,
        &["--runtime", "native", "--", "env", "-i", "sort", "--version"],
    );
    let said = ran.said();
    assert!(said.contains("an environment of its own"), "{said}");
}

#[test]
fn a_program_that_is_not_there_is_127_and_one_that_cannot_be_run_126() {
    let ran = run(with("plain", "text"), &["--", "./nowhere"]);
    assert_eq!(ran.output.status.code(), Some(127), "{}", ran.said());
    let ran = run(ran.home, &["--", "./plain"]);
    assert_eq!(ran.output.status.code(), Some(126), "{}", ran.said());
}

#[test]
fn runs_in_one_directory_report_their_own_dumps() {
    let home = tempfile::tempdir().unwrap();
    compile("locals.cpp", &["-O1"], home.path());
    let both: Vec<_> = (0..2)
        .map(|_| {
            let home = home.path().to_owned();
            std::thread::spawn(move || {
                let done = deadweight()
                    .current_dir(home)
                    .args(["run", "--", "./program"])
                    .output();
                String::from_utf8_lossy(&done.unwrap().stderr).into_owned()
            })
        })
        .collect();
    for run in both {
        let said = run.join().unwrap();
        assert_eq!(said.matches("deadweight: captured ").count(), 1, "{said}");
    }
    assert_eq!(
        fs::read_to_string(home.path().join("deadweight-captures/.gitignore")).unwrap(),
        "*\n"
    );
}

#[test]
fn a_quiet_run_leaves_standard_error_to_the_program() {
    let home = with(
        "small.cjs",
        "globalThis.kept = { name: 'one' }; console.error('its own');",
    );
    let ran = run(home, &["--quiet", "--", "node", "small.cjs"]);
    assert_eq!(ran.said(), "its own\n");
    // What was asked for is written, and the weighing is where it always is.
    assert_eq!(ran.weighings().len(), 1);
    let ran = run(
        ran.home,
        &[
            "--quiet",
            "--format",
            "json",
            "-o",
            "w.json",
            "--",
            "node",
            "small.cjs",
        ],
    );
    assert_eq!(
        (ran.said().as_str(), ran.weighing()["schema"].is_string()),
        ("its own\n", true)
    );
}

#[test]
fn a_directory_that_was_there_keeps_its_own_rules() {
    let home = with("small.cjs", "");
    let ran = run(home, &["--dir", ".", "--no-snapshot", "--", "node", "small.cjs"]);
    assert!(!ran.home.path().join(".gitignore").exists());
}

fn weigh(arguments: &[&Path]) -> Output {
    let weighing = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/weighings/base.json");
    let output = deadweight()
        .args(["prove", "--format", "json"])
        .args([&weighing, &weighing])
        .arg("--output")
        .args(arguments)
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    output
}

#[test]
fn outputs_are_written_through_links_and_pipes() {
    let home = tempfile::tempdir().unwrap();
    let at = |name: &str| home.path().join(name);
    fs::create_dir(at("below")).unwrap();
    std::os::unix::fs::symlink("../target.json", at("below/link.json")).unwrap();
    // A link that leads nowhere yet, and then to a file.
    for _ in 0..2 {
        weigh(&[&at("below/link.json")]);
        assert!(at("below/link.json").symlink_metadata().unwrap().is_symlink());
        assert!(fs::read_to_string(at("target.json")).unwrap().starts_with('{'));
    }
    let made = std::process::Command::new("mkfifo")
        .arg(at("pipe"))
        .status()
        .unwrap();
    assert!(made.success());
    let pipe = at("pipe");
    let reader = std::thread::spawn(move || fs::read_to_string(pipe).unwrap());
    weigh(&[&at("pipe")]);
    assert!(at("pipe").symlink_metadata().unwrap().file_type().is_fifo());
    assert_eq!(
        reader.join().unwrap(),
        fs::read_to_string(at("target.json")).unwrap()
    );
    let output = weigh(&[Path::new("/dev/stdout")]);
    assert_eq!(output.stdout, fs::read(at("target.json")).unwrap());
}
