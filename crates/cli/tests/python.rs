//! A dump of Python under the command, from its file to the report.

use std::path::{Path, PathBuf};
use std::process::Output;

use assert_cmd::Command;
use serde_json::Value;

mod ran;

/// A small program with one of everything, as `crates/formats/tests/python/main.rs` writes it.
fn shop() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds/python/shop.dwpython")
}

fn weighed(dump: &Path, options: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_deadweight"));
    let output = command.arg("weigh").arg(dump).args(options).output().unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    output
}

fn json(dump: &Path) -> Value {
    serde_json::from_slice(&weighed(dump, &["--format", "json"]).stdout).unwrap()
}

fn figures(weighing: &Value) -> Vec<String> {
    let findings = weighing["findings"].as_array().unwrap().iter();
    let mut figures: Vec<String> = findings
        .map(|finding| format!("{} {} {}", finding["rule"], finding["count"], finding["saves"]))
        .collect();
    figures.sort();
    figures
}

#[test]
fn a_dump_is_weighed_and_shown() {
    let weighing = json(&shop());
    assert_eq!(weighing["source"]["format"], "cpython-heap");
    assert_eq!(weighing["runtime"]["name"], "python");
    assert_eq!(weighing["runtime"]["version"], "3.12.1");
    let held = &weighing["held"];
    let of = |what: &str| held[what].as_u64().unwrap();
    assert_eq!(of("content") + of("runtime") + of("dead"), of("bytes"));
    let shown = weighed(&shop(), &[]).stdout;
    let shown = String::from_utf8_lossy(&shown);
    for expected in ["python 3.12.1", "__main__.views[]", "R01"] {
        assert!(shown.contains(expected), "{expected}: {shown}");
    }
}

#[test]
fn a_stripped_dump_weighs_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join("copy.dwpython");
    let mut command = Command::new(env!("CARGO_BIN_EXE_deadweight"));
    let output = command
        .arg("strip")
        .arg(shop())
        .arg("-o")
        .arg(&copy)
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let (before, after) = (json(&shop()), json(&copy));
    assert_eq!(before["held"], after["held"]);
    assert_eq!(figures(&before), figures(&after));
    let bytes = std::fs::read(&copy).unwrap();
    assert!(!String::from_utf8_lossy(&bytes).contains("Rotterdam"));
}

/// Lets itself take no more memory than it has once its rows are there.
const AT_ITS_LIMIT: &str = "
import resource
rows = [{'id': number, 'name': 'row %d' % number} for number in range(50_000)]
size = int(open('/proc/self/statm').read().split()[0]) * resource.getpagesize() + 2_000_000
resource.setrlimit(resource.RLIMIT_AS, (size, resource.getrlimit(resource.RLIMIT_AS)[1]))
";

/// Runs a script under the command; gives its exit code and the weighing.
fn run(script: &str) -> (Option<i32>, Value) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("program.py");
    std::fs::write(&path, script).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_deadweight"))
        .args([
            "run",
            "--quiet",
            "--format",
            "json",
            "--output",
            "report.json",
            "--",
            "python3",
        ])
        .arg(&path)
        .current_dir(folder.path())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    let report = std::fs::read(folder.path().join("report.json"));
    let report = report.unwrap_or_else(|_| panic!("no report: {said}"));
    (output.status.code(), serde_json::from_slice(&report).unwrap())
}

#[test]
fn a_program_without_memory_left_is_captured() {
    let (code, weighing) = run(AT_ITS_LIMIT);
    assert_eq!(code, Some(0));
    let findings = weighing["findings"].as_array().unwrap();
    assert!(
        findings
            .iter()
            .any(|finding| finding["rule"] == "L02" && finding["count"] == 50_000),
        "{findings:?}"
    );
}

/// A type checker, for one, ends so: it saves the time to free everything.
#[test]
fn a_program_that_ends_without_its_handlers_is_captured() {
    let (code, weighing) =
        run("import os\nrows = [{'id': n, 'name': 'row %d' % n} for n in range(50_000)]\nos._exit(3)\n");
    assert_eq!(code, Some(3));
    assert_eq!(weighing["findings"][0]["count"], 50_000);
}

#[test]
fn a_dump_that_was_cut_off_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let cut = folder.path().join("cut.dwpython");
    let whole = std::fs::read(shop()).unwrap();
    std::fs::write(&cut, &whole[..whole.len() / 2]).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_deadweight"));
    let output = command.arg("weigh").arg(&cut).output().unwrap();
    assert!(!output.status.success());
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("DWPYDONE") && said.contains("cut off"), "{said}");
}

/// Has rows in a function, and fills a list there until there is no memory left.
const OUT_OF_MEMORY: &str = "
import resource
def load():
    rows = [{'id': n + 0.5, 'name': 'row %d' % (n % 7)} for n in range(50_000)]
    size = int(open('/proc/self/statm').read().split()[0]) * resource.getpagesize() + 40_000_000
    resource.setrlimit(resource.RLIMIT_AS, (size, resource.getrlimit(resource.RLIMIT_AS)[1]))
    pages = []
    while True:
        pages.append(bytes(3_000_000))
load()
";

/// What a run holds that an error ended; its exit code and what it printed.
fn ran_out(script: &str) -> (Option<i32>, String, Vec<Value>) {
    let home = tempfile::tempdir().unwrap();
    std::fs::write(home.path().join("program.py"), script).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_deadweight"));
    command.args([
        "run",
        "--format",
        "json",
        "--output",
        "w.json",
        "--",
        "python3",
        "program.py",
    ]);
    let ran = ran::Ran::of(home, &mut command);
    (ran.output.status.code(), ran.said(), ran.weighings())
}

fn rows_of(weighing: &Value) -> u64 {
    let findings = weighing["findings"].as_array().unwrap().iter();
    let of_rows = findings.filter(|finding| finding["rule"] == "L02");
    of_rows.filter_map(|finding| finding["count"].as_u64()).sum()
}

#[test]
fn a_program_that_ends_for_want_of_memory_is_captured_with_what_its_functions_held() {
    let (code, said, weighings) = ran_out(OUT_OF_MEMORY);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("MemoryError"), "{said}");
    assert_eq!(weighings.len(), 1, "{said}");
    assert_eq!(rows_of(&weighings[0]), 50_000, "{said}");
}

/// A thread asks for more memory than there is; the program goes on without it.
const THREAD_OUT_OF_MEMORY: &str = "
import threading
def load():
    rows = [{'id': n + 0.5, 'name': 'row %d' % (n % 7)} for n in range(50_000)]
    bytearray(1 << 60)
for _ in range(3):
    thread = threading.Thread(target=load)
    thread.start()
    thread.join()
print('goes on')
";

#[test]
fn a_thread_that_ends_for_want_of_memory_is_captured_once() {
    let (code, said, weighings) = ran_out(THREAD_OUT_OF_MEMORY);
    assert_eq!(code, Some(0), "{said}");
    let rows: Vec<u64> = weighings.iter().map(rows_of).collect();
    assert_eq!(rows, [50_000, 0], "{said}");
}

/// The program shows its errors by a function of its own, so that the recorder's is never called.
const OWN_HOOK: &str = "
import sys
def show(kind, value, trace):
    print('seen', kind.__name__)
sys.excepthook = show
rows = [{'id': n + 0.5, 'name': 'row %d' % (n % 7)} for n in range(50_000)]
raise MemoryError
";

#[test]
fn a_program_that_shows_its_errors_itself_is_captured_at_its_end() {
    let (code, _, weighings) = ran_out(OWN_HOOK);
    assert_eq!(code, Some(1));
    assert_eq!(weighings.iter().map(rows_of).collect::<Vec<_>>(), [50_000]);
}
