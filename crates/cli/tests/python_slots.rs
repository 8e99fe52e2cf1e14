//! Classes of Python that get slots, where something refers to their instances weakly or fills their dictionaries. Runs the
//! first and the last of the Pythons that `DEADWEIGHT_PYTHONS` lists, else `python3`.

mod pythons;

use std::path::Path;

use assert_cmd::Command;
use serde_json::Value;

const COUNT: &str = "20000";

fn weighed(python: &str, program: &str, arguments: &[&str]) -> Value {
    let directory = tempfile::tempdir().unwrap();
    let script = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/programs/python")
        .join(program);
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
        let before = weighed(&python, "weakly.py", &[]);
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
        let measured = held(&before) - held(&weighed(&python, "weakly.py", &["slots"]));
        assert!(
            (predicted - measured).abs() < predicted * 0.01,
            "{python}: {predicted} predicted, {measured} measured"
        );
    }
}

/// Names in the slots of a base take room in the records of all classes based on it.
#[test]
fn classes_of_one_base_stay_as_they_are_or_change_together() {
    for python in pythons::all() {
        let before = weighed(&python, "family.py", &[]);
        let findings = before["findings"].as_array().unwrap();
        let of = |holder: &str| {
            let is_it = |found: &&Value| found["rule"] == "L07" && found["holder"] == holder;
            let found = findings.iter().find(is_it);
            let found = found.unwrap_or_else(|| panic!("{python}: {holder} in {findings:#?}"));
            (found["saves"].as_f64().unwrap(), found["fix"].as_str().unwrap())
        };
        let (name, fix) = of("__main__.Name");
        assert!(
            fix.contains("all fields that its records have, and `__slots__ = ()`"),
            "{fix}"
        );
        let measured = held(&before) - held(&weighed(&python, "family.py", &["name"]));
        assert!(
            (name - measured).abs() < name * 0.01,
            "{python}: {name} predicted, {measured} measured"
        );
        let ((shape, fix), (circle, _)) = (of("__main__.Shape"), of("__main__.Circle"));
        assert!(
            fix.contains("in one change with all other classes of this family"),
            "{fix}"
        );
        let measured = held(&before) - held(&weighed(&python, "family.py", &["shapes"]));
        let predicted = shape + circle;
        assert!(
            (predicted - measured).abs() < predicted * 0.01,
            "{python}: {predicted} predicted, {measured} measured"
        );
    }
}
