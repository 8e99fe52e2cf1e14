//! Classes of Python that get slots, where something refers to their instances weakly or fills their dictionaries. Runs the
//! first and the last of the Pythons that `DEADWEIGHT_PYTHONS` lists, else `python3`.

mod pythons;

use std::path::Path;

use assert_cmd::Command;
use serde_json::Value;

const COUNT: &str = "20000";

fn weighed(python: &str, arguments: &[&str]) -> Value {
    let directory = tempfile::tempdir().unwrap();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/python/weakly.py");
    let report = directory.path().join("report.json");
    Command::new(env!("CARGO_BIN_EXE_deadweight"))
        .args(["run", "--quiet", "--all", "--format", "json", "--output"])
        .arg(&report)
        .arg("--dir")
        .arg(directory.path().join("captures"))
        .args(["--", python])
        .arg(script)
        .arg(COUNT)
        .args(arguments)
        .assert()
        .success();
    serde_json::from_slice(&std::fs::read(report).unwrap()).unwrap()
}

fn held(weighing: &Value) -> f64 {
    weighing["held"]["bytes"].as_f64().unwrap()
}

#[test]
fn room_for_weak_references_stays_and_what_fills_dictionaries_is_no_finding() {
    for python in pythons::all() {
        let before = weighed(&python, &[]);
        let findings = before["findings"].as_array().unwrap().iter();
        let found: Vec<(&str, f64)> = findings
            .filter(|finding| finding["rule"] == "L07")
            .map(|finding| {
                (
                    finding["holder"].as_str().unwrap(),
                    finding["saves"].as_f64().unwrap(),
                )
            })
            .collect();
        let mut holders: Vec<&str> = found.iter().map(|found| found.0).collect();
        holders.sort_unstable();
        assert_eq!(holders, ["__main__.Child", "__main__.Watched"], "{python}");
        let predicted: f64 = found.iter().map(|found| found.1).sum();
        let measured = held(&before) - held(&weighed(&python, &["slots"]));
        assert!(
            (predicted - measured).abs() < predicted * 0.01,
            "{python}: {predicted} predicted, {measured} measured"
        );
    }
}
