//! Programs on a Java virtual machine under the command, from their start to the report.

use std::fs;
use std::path::Path;
use std::process::{self, Output};

use assert_cmd::Command;
use serde_json::Value;

/// Two hundred thousand texts of a thousand values, held by a static.
const PROGRAM: &str = r#"
import java.util.ArrayList;
import java.util.List;

public class Shop {
    static final List<String> NAMES = new ArrayList<>();

    public static void main(String[] arguments) {
        for (int i = 0; i < 200_000; i++) NAMES.add(new String("a customer " + i % 1000));
    }
}
"#;

/// Runs the program, compiled, in a directory.
fn run(home: &Path, options: &[&str]) -> Output {
    fs::write(home.join("Shop.java"), PROGRAM).unwrap();
    let mut javac = process::Command::new("javac");
    javac
        .args(["-J-XX:TieredStopAtLevel=1", "Shop.java"])
        .current_dir(home);
    assert!(
        javac
            .status()
            .expect("these tests need a JDK of version 17 or later")
            .success()
    );
    Command::new(env!("CARGO_BIN_EXE_deadweight"))
        .current_dir(home)
        .args(["run", "--format", "json"])
        .args(options)
        .args(["--", "java", "-cp", ".", "Shop"])
        .output()
        .unwrap()
}

/// Of the file in the only capture below a directory.
fn json(captures: &Path, name: &str) -> Value {
    let mut entries = fs::read_dir(captures).unwrap().map(|entry| entry.unwrap().path());
    let capture = entries.find(|path| path.is_dir()).unwrap();
    serde_json::from_slice(&fs::read(capture.join(name)).unwrap()).unwrap()
}

#[test]
fn a_program_is_weighed_as_its_machine_counts_it() {
    let home = tempfile::tempdir().unwrap();
    let output = run(home.path(), &["--churn", "--sites"]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    assert!(
        said.contains("main had returned when this was captured"),
        "{said}"
    );
    let captures = home.path().join("deadweight-captures");
    let weighing = json(&captures, "weighing.json");
    let histogram = json(&captures, "histogram.json");
    let counted: f64 = histogram["classes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row[2].as_f64().unwrap())
        .sum();
    let held = weighing["held"]["bytes"].as_f64().unwrap();
    assert!((counted - held).abs() < counted / 25.0, "{held} of {counted}");
    let first = &weighing["findings"][0];
    assert_eq!(
        (first["rule"].as_str(), first["holder"].as_str()),
        (Some("D01"), Some("Shop.NAMES[]"))
    );
    // The object of a text alone takes 24 bytes.
    let saves = first["saves"].as_f64().unwrap();
    assert!(saves >= 199_000.0 * 24.0, "{saves}");
    assert!(weighing["churned"].is_object(), "{said}");
    // What was asked for and cannot be recorded is said.
    assert!(
        said.contains("does not say where objects were allocated"),
        "{said}"
    );
}

#[test]
fn what_no_recorder_for_java_can_do_is_said() {
    let home = tempfile::tempdir().unwrap();
    let said = run(home.path(), &["--in-memory"]).stderr;
    let said = String::from_utf8_lossy(&said);
    assert!(
        said.contains("--in-memory captures programs of Node.js alone"),
        "{said}"
    );
}
