//! The same questions, asked of other engines over the same files.

mod support;

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;
use support::{Fleet, is_equal, questions};

/// As the others write it: times in microseconds, no matter how they are given.
fn plain(value: &Value) -> Value {
    let Some(text) = value.as_str() else {
        return value.clone();
    };
    let time = (text.len() > 10)
        .then(|| chrono::DateTime::parse_from_rfc3339(text).ok())
        .flatten();
    time.map_or_else(|| value.clone(), |time| time.timestamp_micros().into())
}

/// Needs a Python with `duckdb` and `chdb`, which `DEADWEIGHT_FLEET_PYTHON` names.
#[test]
#[ignore = "needs other engines: `cargo xtask test --full` runs it"]
fn other_engines_answer_alike() {
    let python = std::env::var("DEADWEIGHT_FLEET_PYTHON").expect("DEADWEIGHT_FLEET_PYTHON names a Python");
    let fleet = Fleet::with_a_past();
    let output = ran(Command::new(python)
        .arg(root().join("tests/other_engines.py"))
        .arg(fleet.dataset().canonicalize().expect("a folder")));
    let others: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    for engine in ["duckdb", "chdb"] {
        compare(&fleet, engine, &others[engine]);
    }
}

/// Needs the jars of `trino/pom.xml`, in the folder that `DEADWEIGHT_FLEET_TRINO` names, and the Java that
/// `DEADWEIGHT_FLEET_JAVA` names.
#[test]
#[ignore = "needs Trino and JDK 25: `cargo xtask test --full` runs it"]
fn trino_answers_alike() {
    let variable = |name| std::env::var(name).unwrap_or_else(|_| panic!("{name} is set"));
    let (jars, java) = (
        variable("DEADWEIGHT_FLEET_TRINO"),
        variable("DEADWEIGHT_FLEET_JAVA"),
    );
    let fleet = Fleet::with_a_past();
    let answers = fleet.folder.path().join("answers.json");
    ran(Command::new(java)
        .args(["-Xmx4g", "--add-modules", "jdk.incubator.vector", "--class-path"])
        .arg(Path::new(&jars).join("*"))
        .arg(root().join("tests/trino/Answers.java"))
        .arg(fleet.dataset().canonicalize().expect("a folder"))
        .args(["trino.sql", "questions.sql"].map(|name| root().join("engines").join(name)))
        .arg(&answers));
    let theirs = std::fs::read(answers).expect("answers");
    compare(&fleet, "trino", &serde_json::from_slice(&theirs).expect("JSON"));
}

/// What a program printed that ended well.
fn ran(command: &mut Command) -> Output {
    let output = command.output().expect("it starts");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    output
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Compares what an engine answered, question by question, with what this program answers.
fn compare(fleet: &Fleet, engine: &str, answers: &Value) {
    let questions = questions();
    assert_eq!(questions.len(), 5);
    for (nth, question) in questions.iter().enumerate() {
        let ours = fleet.sql(question);
        let ours = ours.as_array().expect("rows");
        assert!(ours.len() > 10, "{question}: {ours:?}");
        let theirs = answers[nth].as_array().expect("rows");
        assert_eq!(ours.len(), theirs.len(), "{engine}: {question}");
        for (row, other) in ours.iter().zip(theirs) {
            for (at, column) in columns(question).iter().enumerate() {
                let (value, theirs) = (plain(&row[column]), &other[at]);
                assert!(
                    is_equal(&value, theirs),
                    "{engine}: {column} is {value}, not {theirs}: {question}"
                );
            }
        }
    }
}

/// The names of a question's columns in their order, which JSON does not keep.
fn columns(question: &str) -> Vec<String> {
    let (head, _) = question.split_once("\nFROM").expect("FROM");
    let head = head.trim().trim_start_matches("SELECT");
    let parts = head.split(", ").map(|part| {
        part.rsplit([' ', '.'])
            .next()
            .unwrap_or_default()
            .trim()
            .to_owned()
    });
    parts.collect()
}
