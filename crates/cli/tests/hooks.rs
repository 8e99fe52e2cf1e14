//! What others run in their own checks: the steps of `action.yml` as GitHub runs them, and the hook as pre-commit does.
//! Needs Ruby, pre-commit and, for setuptools, `PyPI`: on
//! Debian `apt-get install -y ruby pre-commit`.
#![cfg(target_os = "linux")]

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

const CONFIG: &str = "[budget.rules]\nL03 = \"150 kB\"\n";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A file of YAML, as JSON.
fn yaml(path: &Path) -> Value {
    let output = Command::new("ruby")
        .args([
            "-ryaml",
            "-rjson",
            "-e",
            "puts JSON.generate(YAML.load_file(ARGV[0]))",
        ])
        .arg(path)
        .output()
        .expect("Ruby; on Debian: apt-get install -y ruby");
    assert!(output.status.success(), "{}", said(&output));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&[&output.stdout[..], &output.stderr[..]].concat()).into_owned()
}

fn stored(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/weighings")
        .join(format!("{name}.json"))
}

/// A machine of GitHub's on which one step after the other is run: fresh directories, and nothing of our environment.
struct Machine {
    home: TempDir,
    action: Value,
    /// What GitHub says of the run.
    github: Vec<(&'static str, &'static str)>,
}

impl Machine {
    /// With the tool on the path, or with an `npm` that notes what it is asked to install, and installs that.
    fn new(has_deadweight: bool) -> Self {
        let machine = Self {
            home: tempfile::tempdir().unwrap(),
            action: yaml(&root().join("action.yml")),
            github: vec![
                ("github.token", "a token"),
                ("github.run_id", "7"),
                ("github.run_attempt", "1"),
                ("github.repository", "ann/program"),
                ("github.event_name", "push"),
                ("github.ref_name", "main"),
                ("github.event.repository.default_branch", "main"),
                ("github.event.pull_request.number", ""),
            ],
        };
        for folder in ["bin", "work", "runner"] {
            fs::create_dir(machine.path(folder)).unwrap();
        }
        let deadweight = env!("CARGO_BIN_EXE_deadweight");
        if has_deadweight {
            symlink(deadweight, machine.path("bin/deadweight")).unwrap();
        }
        let npm = machine.path("bin/npm");
        let script = format!(
            "#!/bin/sh\nprintf '%s\\n' \"$@\" >> '{}'\nln -s '{deadweight}' '{}'\n",
            machine.path("asked").display(),
            machine.path("bin/deadweight").display()
        );
        fs::write(&npm, script).unwrap();
        fs::set_permissions(&npm, fs::Permissions::from_mode(0o755)).unwrap();
        fs::write(machine.path("work/deadweight.toml"), CONFIG).unwrap();
        for name in ["base", "undone"] {
            fs::copy(stored(name), machine.path(&format!("work/{name}.json"))).unwrap();
        }
        machine
    }

    fn path(&self, name: &str) -> PathBuf {
        self.home.path().join(name)
    }

    /// What it asked `npm` for, word by word.
    fn asked(&self) -> Vec<String> {
        let asked = fs::read_to_string(self.path("asked")).unwrap_or_default();
        asked.lines().map(str::to_owned).collect()
    }

    /// What an expression stands for, of those that the action uses.
    fn value(&self, expression: &str, inputs: &[(&str, &str)]) -> String {
        if let Some((left, right)) = expression.split_once("&&") {
            let both = [left, right].map(|side| self.value(side.trim(), inputs) == "true");
            return (both == [true, true]).to_string();
        }
        for (operator, equal) in [("==", true), ("!=", false)] {
            if let Some((left, right)) = expression.split_once(operator) {
                let [left, right] = [left, right].map(|side| self.value(side.trim(), inputs));
                return ((left == right) == equal).to_string();
            }
        }
        if let Some(text) = expression
            .strip_prefix('\'')
            .and_then(|text| text.strip_suffix('\''))
        {
            return text.to_owned();
        }
        let of_github = |name: &str| {
            self.github
                .iter()
                .find(|(known, _)| *known == name)
                .map(|(_, value)| *value)
        };
        match expression {
            "runner.temp" => self.path("runner").display().to_string(),
            "runner.os" => "Linux".to_owned(),
            name if name.starts_with("inputs.") => self.input(&name["inputs.".len()..], inputs),
            name => of_github(name)
                .unwrap_or_else(|| panic!("nothing is known of {name}"))
                .to_owned(),
        }
    }

    fn input(&self, name: &str, inputs: &[(&str, &str)]) -> String {
        let declared = &self.action["inputs"][name];
        assert!(declared.is_object(), "there is no input {name}");
        let given = inputs.iter().find(|(given, _)| *given == name);
        given.map_or_else(
            || self.expand(declared["default"].as_str().unwrap_or_default(), inputs),
            |(_, value)| (*value).to_owned(),
        )
    }

    /// A text with expressions in it.
    fn expand(&self, text: &str, inputs: &[(&str, &str)]) -> String {
        let mut expanded = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once("${{") {
            let (name, after) = after.split_once("}}").expect("an end of the expression");
            expanded.push_str(before);
            expanded.push_str(&self.value(name.trim(), inputs));
            rest = after;
        }
        expanded + rest
    }

    /// Runs all steps until one fails: its exit code, and all they said.
    fn run(&self, inputs: &[(&str, &str)]) -> (i32, String) {
        assert_eq!(self.action["runs"]["using"], "composite");
        for (name, input) in self.action["inputs"].as_object().unwrap() {
            let given = inputs.iter().any(|(given, _)| given == name);
            assert!(given || input["required"] != true, "{name} is required");
        }
        let mut all = String::new();
        for step in self.action["runs"]["steps"].as_array().unwrap() {
            if step["if"]
                .as_str()
                .is_some_and(|condition| self.value(condition, inputs) != "true")
            {
                continue;
            }
            if let Some(action) = step["uses"].as_str() {
                // The cache of GitHub: what it is to keep is there from the start, and stays.
                assert!(action.starts_with("actions/cache/"), "{action}");
                let key = self.expand(step["with"]["key"].as_str().unwrap(), inputs);
                all.extend([action, " with ", &key, "\n"]);
                continue;
            }
            assert_eq!(step["shell"], "bash", "{step}");
            let script = self.path("runner/step.sh");
            fs::write(&script, self.expand(step["run"].as_str().unwrap(), inputs)).unwrap();
            let folder = step["working-directory"].as_str().unwrap_or(".");
            let mut command = Command::new("/bin/bash");
            command
                .args(["--noprofile", "--norc", "-eo", "pipefail"])
                .arg(&script)
                .current_dir(self.path("work").join(self.expand(folder, inputs)))
                .env_clear()
                .env("PATH", format!("{}:/usr/bin:/bin", self.path("bin").display()))
                .env("HOME", self.path("runner"))
                .env("CI", "true")
                .env("GITHUB_ACTIONS", "true")
                .env("GITHUB_WORKSPACE", self.path("work"));
            for file in [
                "GITHUB_OUTPUT",
                "GITHUB_STEP_SUMMARY",
                "GITHUB_ENV",
                "GITHUB_PATH",
            ] {
                let path = self.path("runner").join(file);
                fs::write(&path, "").unwrap();
                command.env(file, path);
            }
            for (name, value) in step["env"].as_object().into_iter().flatten() {
                command.env(name, self.expand(value.as_str().unwrap(), inputs));
            }
            let output = command.output().unwrap();
            all.push_str(&said(&output));
            if !output.status.success() {
                return (output.status.code().unwrap(), all);
            }
        }
        (0, all)
    }
}

#[test]
fn the_action_passes_what_keeps_to_its_budgets() {
    let machine = Machine::new(true);
    let (code, out) = machine.run(&[("weighings", "base.json")]);
    assert_eq!(code, 0, "{out}");
    assert!(!out.contains("::error"), "{out}");
    assert!(machine.asked().is_empty(), "it is on the path already");
}

#[test]
fn the_action_fails_with_an_annotation_at_the_line() {
    let machine = Machine::new(true);
    let (code, out) = machine.run(&[("weighings", "undone.json"), ("sarif", "found.sarif")]);
    assert_eq!(code, 1, "{out}");
    let error = out.lines().find(|line| line.starts_with("::error "));
    let error = error.unwrap_or_else(|| panic!("{out}"));
    assert!(
        error.contains("file=deadweight.toml") && error.contains("line=2"),
        "{error}"
    );
    // The report for code scanning is written although the check fails.
    let sarif: Value = serde_json::from_slice(&fs::read(machine.path("work/found.sarif")).unwrap()).unwrap();
    assert!(
        !sarif["runs"][0]["results"].as_array().unwrap().is_empty(),
        "{sarif}"
    );
}

#[test]
fn the_action_takes_paths_as_they_are() {
    let machine = Machine::new(true);
    let folder = machine.path("work/a project");
    fs::create_dir(&folder).unwrap();
    fs::rename(
        machine.path("work/deadweight.toml"),
        folder.join("limits here.toml"),
    )
    .unwrap();
    fs::copy(stored("base"), folder.join("first of two.json")).unwrap();
    fs::copy(
        stored("undone"),
        folder.join("$(touch taken) `touch taken`; touch taken.json"),
    )
    .unwrap();
    let in_folder = [("working-directory", "a project"), ("config", "limits here.toml")];
    let run = |weighings: &str| machine.run(&[&[("weighings", weighings)], &in_folder[..]].concat());
    let (code, out) = run("\nfirst of two.json\n\n");
    assert_eq!(code, 0, "{out}");
    let (code, out) = run("first of two.json\n$(touch taken) `touch taken`; touch taken.json\n");
    assert_eq!(code, 1, "{out}");
    for place in ["work/taken", "work/a project/taken", "taken"] {
        assert!(!machine.path(place).exists(), "what is a path was run");
    }
    // Paths that begin with a dash are paths, and what is not there is unusable input.
    let (code, out) = run("--help");
    assert_eq!(code, 2, "{out}");
}

/// What is kept of the default branch is what pull requests are compared with, in one comment.
#[test]
fn the_action_compares_pull_requests_with_the_default_branch() {
    let mut machine = Machine::new(true);
    let gh = machine.path("bin/gh");
    let asked = machine.path("asked");
    fs::write(
        &gh,
        format!("#!/bin/sh\nprintf '%s\\n' \"$@\" >> '{}'\n", asked.display()),
    )
    .unwrap();
    fs::set_permissions(&gh, fs::Permissions::from_mode(0o755)).unwrap();
    let cached = [("cache", "rows"), ("comment", "true")];
    let (code, out) = machine.run(&[&[("weighings", "base.json")], &cached[..]].concat());
    assert_eq!(code, 0, "{out}");
    assert!(out.contains("actions/cache/save@v4 with rows-Linux-7-1"), "{out}");
    let kept = machine.path("runner/deadweight");
    let weighing = fs::read(kept.join("default.weighing.json")).unwrap();
    assert_eq!(weighing, fs::read(stored("base")).unwrap());
    assert!(
        machine.asked().is_empty(),
        "a push has no pull request to comment on"
    );

    for (name, value) in [
        ("github.event_name", "pull_request"),
        ("github.ref_name", "12/merge"),
        ("github.event.pull_request.number", "12"),
    ] {
        machine.github.retain(|(known, _)| *known != name);
        machine.github.push((name, value));
    }
    let (code, out) = machine.run(&[&[("weighings", "undone.json")], &cached[..]].concat());
    assert_eq!(code, 1, "{out}");
    assert!(
        !out.contains("actions/cache/save"),
        "only the default branch is kept: {out}"
    );
    let comment = fs::read_to_string(kept.join("changed.md")).unwrap();
    assert!(
        comment.starts_with("### Deadweight") && comment.contains("| measured |"),
        "{comment}"
    );
    let asked = machine.asked();
    assert_eq!(asked[..3], ["pr", "comment", "12"]);
    assert!(asked.contains(&"--edit-last".to_owned()), "{asked:?}");
    assert_eq!(fs::read(kept.join("default.weighing.json")).unwrap(), weighing);
}

fn installed(package: &str) -> [&str; 5] {
    ["install", "--global", "--no-audit", "--no-fund", package]
}

#[test]
fn the_action_installs_what_is_not_there() {
    let newest = Machine::new(false);
    let (code, out) = newest.run(&[("weighings", "base.json")]);
    assert_eq!(code, 0, "{out}");
    assert_eq!(newest.asked(), installed("deadweight@latest"));
    let named = Machine::new(false);
    let (code, out) = named.run(&[("weighings", "base.json"), ("version", "1.2.3")]);
    assert_eq!(code, 0, "{out}");
    assert_eq!(named.asked(), installed("deadweight@1.2.3"));
}

fn git(folder: &Path, arguments: &[&str]) {
    let output = Command::new("git")
        .args(["-c", "user.name=Ann", "-c", "user.email=ann@example.org"])
        .args(["-c", "init.defaultBranch=main"])
        .args(arguments)
        .current_dir(folder)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", said(&output));
}

/// A wheel as `cargo xtask dist` makes it, but that its program starts the binary that is tested.
const WHEEL: &str = "
import sys, zipfile
folder, version, binary = sys.argv[1:]
info = f'deadweight-{version}.dist-info'
files = {
    f'deadweight-{version}.data/scripts/deadweight': f'#!/bin/sh\\nexec \\'{binary}\\' \"$@\"\\n',
    f'{info}/METADATA': f'Metadata-Version: 2.1\\nName: deadweight\\nVersion: {version}\\n',
    f'{info}/WHEEL': 'Wheel-Version: 1.0\\nRoot-Is-Purelib: false\\nTag: py3-none-any\\n',
}
with zipfile.ZipFile(f'{folder}/deadweight-{version}-py3-none-any.whl', 'w') as wheel:
    for name, text in files.items():
        info_of = zipfile.ZipInfo(name)
        info_of.external_attr = 0o100755 << 16
        wheel.writestr(info_of, text)
    wheel.writestr(f'{info}/RECORD', ''.join(f'{name},,\\n' for name in [*files, f'{info}/RECORD']))
";

/// The hook as it is published: pre-commit installs what the repository names, with the wheel from a folder.
#[test]
fn pre_commit_runs_the_hook_on_weighings_alone() {
    let home = tempfile::tempdir().unwrap();
    let path = |name: &str| home.path().join(name);
    for folder in ["hooks", "work", "wheels", "home"] {
        fs::create_dir(path(folder)).unwrap();
    }
    let made = Command::new("python3")
        .args(["-c", WHEEL])
        .arg(path("wheels"))
        .args([env!("CARGO_PKG_VERSION"), env!("CARGO_BIN_EXE_deadweight")])
        .output()
        .unwrap();
    assert!(made.status.success(), "{}", said(&made));
    for file in [".pre-commit-hooks.yaml", "pyproject.toml"] {
        fs::copy(root().join(file), path("hooks").join(file)).unwrap();
    }
    for folder in ["hooks", "work"] {
        git(&path(folder), &["init", "--quiet"]);
    }
    git(&path("hooks"), &["add", "."]);
    git(&path("hooks"), &["commit", "--quiet", "--message", "hooks"]);
    fs::write(path("work/deadweight.toml"), CONFIG).unwrap();
    let copy = |from: &str, to: &str| fs::copy(stored(from), path("work").join(to)).unwrap();
    copy("base", "good one.weighing.json");
    copy("undone", "bad.weighing.json");
    copy("undone", "no weighing of ours.json");
    git(&path("work"), &["add", "."]);
    let run = |files: &[&str]| {
        let output = Command::new("pre-commit")
            .args(["try-repo", "--color", "never", "--verbose"])
            .arg(path("hooks"))
            .args(["deadweight-check", "--files"])
            .args(files)
            .current_dir(path("work"))
            .env("PATH", "/usr/bin:/bin")
            .env("PIP_FIND_LINKS", path("wheels"))
            .env("HOME", path("home"))
            .env("PRE_COMMIT_HOME", path("home/pre-commit"))
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .output()
            .expect("pre-commit; on Debian: apt-get install -y pre-commit");
        (output.status.code().unwrap(), said(&output))
    };
    let (code, out) = run(&["good one.weighing.json", "no weighing of ours.json"]);
    assert_eq!(code, 0, "{out}");
    assert!(out.contains("Passed"), "{out}");
    let (code, out) = run(&["good one.weighing.json", "bad.weighing.json"]);
    assert_eq!(code, 1, "{out}");
    assert!(out.contains("deadweight.toml:2: budget.rules.L03"), "{out}");
    let (code, out) = run(&["no weighing of ours.json"]);
    assert!(code == 0 && out.contains("no files to check"), "{out}");
}
