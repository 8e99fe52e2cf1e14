//! `deadweight check` as a pull request meets it. The weighings are of a real program; weighings/make.sh makes them.

use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use serde_json::Value;
use tempfile::TempDir;

const CONFIG: &str = "[budget.rules]\nL03 = \"150 kB\"\n\n[[budget.records]]\nholder = \"Round.measurements[]\"\n\
                      bytes = 500\n\n[baseline]\nfile = \"deadweight-baseline.json\"\n";

struct Project {
    home: TempDir,
}

impl Project {
    /// A project whose baseline is the program as it is.
    fn new() -> Self {
        let project = Self {
            home: tempfile::tempdir().unwrap(),
        };
        fs::write(project.path("deadweight.toml"), CONFIG).unwrap();
        let (code, out) = project.check("base", &["--update-baseline"]);
        assert_eq!(code, 0, "{out}");
        project
    }

    fn path(&self, name: &str) -> PathBuf {
        self.home.path().join(name)
    }

    fn check(&self, weighing: &str, arguments: &[&str]) -> (i32, String) {
        let output = Command::new(env!("CARGO_BIN_EXE_deadweight"))
            .current_dir(self.home.path())
            .arg("check")
            .arg(stored(weighing))
            .args(arguments)
            .output()
            .unwrap();
        let out = [output.stdout, output.stderr].concat();
        (output.status.code().unwrap(), String::from_utf8(out).unwrap())
    }

    fn baseline(&self) -> String {
        fs::read_to_string(self.path("deadweight-baseline.json")).unwrap()
    }
}

fn stored(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/weighings")
        .join(format!("{name}.json"))
}

#[test]
fn undoing_a_fix_breaks_the_budget_at_its_line() {
    let project = Project::new();
    assert_eq!(project.check("base", &[]).0, 0);
    let before = project.baseline();
    let (code, out) = project.check("undone", &[]);
    assert_eq!(code, 1, "{out}");
    let line = out
        .lines()
        .find(|line| line.starts_with("deadweight.toml:2: budget.rules.L03: "));
    let line = line.unwrap_or_else(|| panic!("{out}"));
    assert!(
        line.contains("Measurement.start_at") && line.contains("moments are date objects"),
        "{line}"
    );
    assert!(
        out.lines()
            .any(|line| line.starts_with("deadweight.toml:6: budget.records: ")),
        "{out}"
    );
    let new = |field: &str| out.contains(&format!("baseline: new: L03 at Measurement.{field}"));
    assert!(
        ["start_at", "end_at", "first_byte_at", "finished_at"]
            .into_iter()
            .all(new),
        "{out}"
    );
    // Not even when it is asked for does something worse get in.
    assert_eq!(project.check("undone", &["--update-baseline"]).0, 1);
    assert_eq!(project.baseline(), before);
}

#[test]
fn an_improvement_updates_the_baseline_only_when_told_to() {
    let project = Project::new();
    let before = project.baseline();
    let (code, out) = project.check("improved", &[]);
    assert_eq!(code, 0, "{out}");
    assert!(out.contains("--update-baseline"), "{out}");
    assert_eq!(project.baseline(), before);
    assert_eq!(project.check("improved", &["--update-baseline"]).0, 0);
    assert_ne!(project.baseline(), before);
    // The ratchet has moved: what was good enough is not any more.
    assert_eq!(project.check("base", &[]).0, 1);
}

#[test]
fn sarif_and_annotations_point_at_lines() {
    let project = Project::new();
    let (code, sarif) = project.check("undone", &["--format", "sarif", "--quiet"]);
    assert_eq!(code, 1);
    let sarif: Value = serde_json::from_str(&sarif).unwrap();
    assert_eq!(sarif["version"], "2.1.0");
    let run = &sarif["runs"][0];
    let rules: Vec<&str> = run["tool"]["driver"]["rules"]
        .as_array()
        .unwrap()
        .iter()
        .map(|rule| rule["id"].as_str().unwrap())
        .collect();
    assert_eq!(rules, ["L03", "baseline", "budget.records"]);
    let help = run["tool"]["driver"]["rules"][0]["help"]["markdown"]
        .as_str()
        .unwrap();
    assert!(
        help.contains("How the saving is computed"),
        "the rule's page is its help"
    );
    let results = run["results"].as_array().unwrap();
    // What a finding rests on; these weighings are of version 1, which does not say it.
    let of_finding = results
        .iter()
        .filter(|result| result["partialFingerprints"].is_object());
    assert!(of_finding.clone().count() > 0);
    assert!(
        of_finding
            .into_iter()
            .all(|result| result["properties"]["tier"] == "likely")
    );
    for result in results {
        assert!(rules.contains(&result["ruleId"].as_str().unwrap()));
        assert!(result["locations"][0]["physicalLocation"]["region"]["startLine"].as_u64() > Some(0));
    }
    let (_, commands) = project.check("undone", &["--format", "github", "--quiet"]);
    assert_eq!(commands.lines().count(), results.len());
    assert!(
        commands
            .lines()
            .all(|line| line.starts_with("::error file=deadweight")),
        "{commands}"
    );
    assert!(
        commands.contains("::error file=deadweight.toml,line=2,title=Deadweight L03::"),
        "{commands}"
    );
}

#[test]
fn a_known_site_is_where_the_annotation_goes() {
    let project = Project::new();
    let mut weighing: Value = serde_json::from_slice(&fs::read(stored("undone")).unwrap()).unwrap();
    for finding in weighing["findings"].as_array_mut().unwrap() {
        finding["site"] = "parse (src/measure,ment.js:12:5)".into();
    }
    let path = project.path("sites.json");
    fs::write(&path, weighing.to_string()).unwrap();
    let (_, commands) = project.check(path.with_extension("").to_str().unwrap(), &["--format", "github"]);
    assert!(
        commands.contains("::error file=src/measure%2Cment.js,line=12,title=Deadweight L03::"),
        "{commands}"
    );
}

#[test]
fn the_configuration_is_found_upward() {
    let project = Project::new();
    let deep = project.path("a/b");
    fs::create_dir_all(&deep).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_deadweight"))
        .current_dir(&deep)
        .args(["check", "--quiet"])
        .arg(stored("base"))
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(output.stdout.is_empty() && output.stderr.is_empty(), "{output:?}");
}

#[test]
fn unusable_input_is_exit_code_2_and_one_line() {
    let project = Project::new();
    let rewrite = |name: &str, text: &str| fs::write(project.path(name), text).unwrap();
    let refused = |message: &str| {
        let (code, out) = project.check("base", &[]);
        assert_eq!((code, out.lines().count()), (2, 1), "{out}");
        assert!(out.contains(message), "{out}");
    };
    rewrite("deadweight-baseline.json", "{");
    refused("deadweight-baseline.json");
    fs::remove_file(project.path("deadweight-baseline.json")).unwrap();
    refused("--update-baseline");
    rewrite("deadweight.toml", "[budget]\nheld = \"lots\"");
    refused("line 2");
    rewrite("deadweight.toml", "[[suppress]]\nrule = \"L03\"");
    refused("reason");
    let (code, out) = project.check("/nowhere.json", &["--config", "/nowhere.toml"]);
    assert_eq!((code, out.lines().count()), (2, 1), "{out}");
}

#[test]
fn keys_explain_themselves() {
    let explain = |key: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_deadweight"));
        let output = command.args(["check", "--explain"]).args(key).output().unwrap();
        (
            output.status.code(),
            String::from_utf8_lossy(&output.stdout).into_owned(),
        )
    };
    let (code, list) = explain(&[]);
    assert_eq!(code, Some(0));
    for line in list.lines() {
        let key = line.split_whitespace().next().unwrap();
        assert!(explain(&[key]).1.starts_with(key));
    }
    assert!(explain(&["budget.rules.D01"]).1.contains("deadweight explain"));
    assert_eq!(explain(&["nothing"]).0, Some(2));
}

#[test]
fn only_what_came_since_an_earlier_moment_is_checked() {
    let project = Project::new();
    fs::write(
        project.path("deadweight.toml"),
        "[budget]\nheld = 0\nfindings = []\n\n[baseline]\nfile = \"nowhere.json\"\n",
    )
    .unwrap();
    let base = stored("base");
    let since = ["--since", base.to_str().unwrap()];
    let (code, out) = project.check("base", &since);
    assert_eq!(code, 0, "nothing came: {out}");
    let (code, out) = project.check("base", &["--since", "/nowhere"]);
    assert_eq!(code, 2, "{out}");
    let (code, out) = project.check("undone", &since);
    assert_eq!(code, 1, "{out}");
    assert!(
        out.contains("budget.held") && out.contains("not allowed: "),
        "{out}"
    );
}

/// A weighing as `change` makes it of a whole one.
fn changed(project: &Project, change: impl FnOnce(&mut Value)) -> PathBuf {
    let mut weighing: Value = serde_json::from_slice(&fs::read(stored("base")).unwrap()).unwrap();
    change(&mut weighing);
    let path = project.path("changed.json");
    fs::write(&path, weighing.to_string()).unwrap();
    path
}

fn check_file(project: &Project, file: &Path, arguments: &[&str]) -> (i32, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_deadweight"))
        .current_dir(project.home.path())
        .arg("check")
        .arg(file)
        .args(arguments)
        .output()
        .unwrap();
    let out = [output.stdout, output.stderr].concat();
    (output.status.code().unwrap(), String::from_utf8(out).unwrap())
}

#[test]
fn a_part_passes_only_when_it_is_asked_for_and_no_baseline_learns_from_it() {
    let project = Project::new();
    let before = project.baseline();
    let part = changed(&project, |weighing| {
        weighing["partial"] = "the dump ends within a row, at byte 70".into();
    });
    for arguments in [&[][..], &["--update-baseline"], &["--since", "changed.json"]] {
        let (code, out) = check_file(&project, &part, arguments);
        assert_eq!(code, 2, "{out}");
        assert!(
            out.contains("at byte 70") && out.contains("--allow-partial"),
            "{out}"
        );
    }
    assert_eq!(check_file(&project, &part, &["--allow-partial"]).0, 0);
    let both = check_file(&project, &part, &["--allow-partial", "--update-baseline"]);
    assert_eq!(both.0, 2, "{}", both.1);
    assert_eq!(project.baseline(), before);
}

#[test]
fn a_weighing_that_does_not_add_up_is_refused() {
    let project = Project::new();
    let before = project.baseline();
    let fewer = |weighing: &mut Value| {
        weighing["findings"].as_array_mut().unwrap().remove(0);
    };
    let less = |weighing: &mut Value| weighing["held"]["bytes"] = 1.into();
    // Sizes that add up and that the process contradicts.
    let absurd = |weighing: &mut Value| {
        for sum in ["bytes", "content"] {
            let more = weighing["held"][sum].as_u64().unwrap() + (1 << 40);
            weighing["held"][sum] = more.into();
        }
        weighing["process"]["heap_used"] = 1_000_000.into();
    };
    for change in [&fewer as &dyn Fn(&mut Value), &less, &absurd] {
        let file = changed(&project, change);
        for arguments in [&[][..], &["--update-baseline"], &["--allow-partial"]] {
            let (code, out) = check_file(&project, &file, arguments);
            assert_eq!(code, 2, "{out}");
            assert!(out.contains("does not add up"), "{out}");
        }
    }
    assert_eq!(project.baseline(), before);
}

#[test]
fn a_configuration_that_asks_for_nothing_is_an_error() {
    let project = Project::new();
    for nothing in [
        "",
        "# budget\n",
        "[budget]\n",
        "[[suppress]]\nrule = \"D01\"\nreason = \"known\"\n",
    ] {
        fs::write(project.path("deadweight.toml"), nothing).unwrap();
        let (code, out) = project.check("base", &[]);
        assert_eq!(code, 2, "{nothing:?}: {out}");
        assert!(out.contains("nothing to check"), "{out}");
    }
}
