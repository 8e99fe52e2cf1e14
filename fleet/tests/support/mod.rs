//! What several tests need: the program, a dataset of its own for each, and weighings.

#![allow(dead_code, reason = "not every test needs all of it")]

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

#[path = "../../examples/generate/synthetic.rs"]
pub mod synthetic;

/// A dataset that goes with the test.
pub struct Fleet {
    pub folder: TempDir,
}

impl Fleet {
    pub fn new() -> Self {
        Self {
            folder: tempfile::tempdir().expect("a folder"),
        }
    }

    /// A fleet whose log has all sorts of entries, and whose folder has files that no longer count.
    pub fn with_a_past() -> Self {
        let fleet = Self::new();
        let all = lines(3_000);
        let half = all.match_indices('\n').nth(1_500).expect("3,000 lines").0 + 1;
        let small = weighing(9, &[("aa", 3)]);
        let old = envelope("a b/ü", "1", "h", "2020-02-02T00:00:00Z", &small);
        fleet.ingest(&format!("{old}{}", &all[..half]), &["--batch", "40"]);
        fleet.says(&["compact"]);
        fleet.says(&["retain", "--days", "400"]);
        let new = envelope("a b/ü", "2", "h", "2026-07-02T00:00:00Z", &small);
        fleet.ingest(&format!("{new}{}", &all[half..]), &["--batch", "400"]);
        fleet
    }

    pub fn dataset(&self) -> PathBuf {
        self.folder.path().join("fleet")
    }

    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_deadweight-fleet"));
        command
            .args(arguments)
            .env("DEADWEIGHT_FLEET", self.dataset())
            .env("COLUMNS", "160");
        command
    }

    pub fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().expect("it starts")
    }

    /// What it prints, when it ends well.
    pub fn says(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert!(
            output.status.success(),
            "{arguments:?}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        String::from_utf8(output.stdout).expect("text")
    }

    pub fn json(&self, arguments: &[&str]) -> Value {
        let arguments = [arguments, &["--format", "json"]].concat();
        serde_json::from_str(&self.says(&arguments)).expect("JSON")
    }

    pub fn sql(&self, question: &str) -> Value {
        self.json(&["sql", question])
    }

    /// Takes in lines of JSON.
    pub fn ingest(&self, lines: &str, more: &[&str]) -> Output {
        let arguments = [&["ingest", "-", "--format", "json"], more].concat();
        let child = fed(&mut self.command(&arguments), lines);
        child.wait_with_output().expect("it ends")
    }
}

/// The questions that every engine answers alike.
pub fn questions() -> Vec<String> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("engines/questions.sql");
    let text = std::fs::read_to_string(file).expect("questions");
    let lines = text.lines().filter(|line| !line.starts_with("--"));
    let without_comments = lines.collect::<Vec<_>>().join("\n");
    let questions = without_comments.split(';').map(str::to_owned);
    questions.filter(|text| !text.trim().is_empty()).collect()
}

/// Whether two values are the same, where numbers may come of another order of additions.
pub fn is_equal(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| is_equal(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            let same = |(name, value)| other.get(name).is_some_and(|other| is_equal(value, other));
            one.len() == other.len() && one.iter().all(same)
        }
        _ => match (one.as_f64(), other.as_f64()) {
            (Some(one), Some(other)) => (one - other).abs() <= one.abs() * 1e-9,
            _ => one == other,
        },
    }
}

/// Starts a command that has read all these lines.
pub fn fed(command: &mut Command, lines: &str) -> Child {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut input = child.stdin.take().expect("a pipe");
    input.write_all(lines.as_bytes()).expect("it reads");
    child
}

/// The numbers that an ingest reports: new, known, and how many were bad.
pub fn counts(output: &Output) -> (u64, u64, usize) {
    let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let number = |name: &str| report[name].as_u64().expect("a number");
    (
        number("new"),
        number("known"),
        report["bad"].as_array().expect("a list").len(),
    )
}

/// Weighings of the made-up fleet, one a line.
pub fn lines(count: u64) -> String {
    (0..count).map(|at| synthetic::line(at, count)).collect()
}

/// A weighing that adds up: what it needs, and findings by fingerprint with what they save.
pub fn weighing(content: u64, findings: &[(&str, u64)]) -> Value {
    let dead: u64 = findings.iter().map(|(_, saves)| saves).sum();
    let findings: Vec<Value> = findings
        .iter()
        .map(|(fingerprint, saves)| {
            json!({
                "rule": "D01", "holder": "Row.id", "site": null, "count": 10, "unaffected": 1, "bytes_now": saves,
                "bytes_after": 0, "saves": saves, "saves_alone": saves, "external": false, "confidence": "exact",
                "tier": "sure", "assumes": null, "fingerprint": fingerprint, "title": "10 strings hold 1 value",
                "fix": "keep one copy", "evidence": {},
                "frees": [{"holder": "Row.id", "holds": "string", "bytes": saves}],
            })
        })
        .collect();
    json!({
        "schema": "deadweight/weighing/2",
        "source": {"path": "/home/ann/made.heapsnapshot", "bytes": 1, "format": "v8-heapsnapshot"},
        "runtime": {"name": "node", "version": "22.0.0", "word_bytes": 8, "allocator": "v8"},
        "process": null,
        "held": {
            "bytes": content + dead, "content": content, "runtime": 0, "dead": dead, "dead_sure": dead, "objects": 9,
        },
        "external": {"bytes": 0, "dead": 0, "dead_sure": 0},
        "findings": findings, "groups": [], "options": [], "not_measured": [], "churned": null,
        "holdings": {
            "places": [{"holder": "Row.id", "of": "Row", "holds": "string", "count": 10, "bytes": content + dead}],
            "folded": {"places": 0, "count": 0, "bytes": 0, "external": 0},
        },
    })
}

/// A line of JSON with a weighing in its envelope.
pub fn envelope(service: &str, version: &str, host: &str, at: &str, weighing: &Value) -> String {
    let envelope = json!({
        "service": service, "version": version, "host": host, "captured_at": at, "weighing": weighing,
    });
    format!("{envelope}\n")
}

/// A stored weighing of the repository.
pub fn stored(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../crates/report/html/testing/weighings")
        .join(name)
}

/// `serve` on loopback; it goes with the test.
pub struct Server {
    pub process: Child,
    pub address: String,
}

impl Server {
    pub fn start(fleet: &Fleet, more: &[&str]) -> Self {
        Self::of(&mut fleet.command(&[&SERVE, more].concat()))
    }

    /// One that says nothing of what it refuses.
    pub fn quiet(fleet: &Fleet) -> Self {
        Self::of(fleet.command(&SERVE).stderr(Stdio::null()))
    }

    fn of(command: &mut Command) -> Self {
        let mut process = command.stdout(Stdio::piped()).spawn().expect("it starts");
        let mut said = String::new();
        BufReader::new(process.stdout.take().expect("a pipe"))
            .read_line(&mut said)
            .expect("its address");
        let url = said
            .split_whitespace()
            .find(|word| word.starts_with("http://"))
            .expect("an address");
        let address = url
            .trim_start_matches("http://")
            .trim_end_matches(['/', ';'])
            .to_owned();
        Self { process, address }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

const SERVE: [&str; 3] = ["serve", "--listen", "127.0.0.1:0"];
