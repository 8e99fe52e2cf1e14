//! How the command behaves among others: completions, pages, names of files, Ctrl-C.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use assert_cmd::Command;

fn deadweight() -> Command {
    Command::new(env!("CARGO_BIN_EXE_deadweight"))
}

fn stored(name: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/weighings")
        .join(name)
}

#[test]
fn shells_complete_every_command() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let output = deadweight().args(["completions", shell]).output().unwrap();
        let script = String::from_utf8(output.stdout).unwrap();
        for command in ["weigh", "prove", "diff", "check", "explain"] {
            assert!(script.contains(command), "{shell}: {command}");
        }
    }
}

#[test]
fn every_command_has_a_page() {
    let home = tempfile::tempdir().unwrap();
    let pages = home.path().join("pages");
    assert!(
        deadweight()
            .arg("man")
            .arg(&pages)
            .output()
            .unwrap()
            .status
            .success()
    );
    for page in ["deadweight.1", "deadweight-check.1", "deadweight-prove.1"] {
        let text = fs::read_to_string(pages.join(page)).unwrap();
        assert!(text.contains(".TH deadweight"), "{page}: {text}");
    }
}

#[test]
fn names_with_spaces_and_without_unicode_work() {
    let home = tempfile::tempdir().unwrap();
    for name in [&b"with a space.json"[..], b"not \xff unicode.json"] {
        let name = OsStr::from_bytes(name);
        let (weighing, report) = (home.path().join(name), home.path().join("out").join(name));
        fs::create_dir_all(home.path().join("out")).unwrap();
        fs::copy(stored("base.json"), &weighing).unwrap();
        let output = deadweight()
            .arg("prove")
            .args([&weighing, &weighing])
            .arg("--output")
            .arg(&report)
            .output()
            .unwrap();
        assert!(output.status.success(), "{output:?}");
        assert!(report.is_file());
        let config = home.path().join(name).with_extension("toml");
        fs::write(&config, "[budget]\nheld = \"1 GB\"").unwrap();
        let output = deadweight()
            .arg("check")
            .arg(&weighing)
            .arg("--config")
            .arg(&config)
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(0), "{output:?}");
    }
}

#[test]
fn no_colour_is_honoured_and_quiet_is_quiet() {
    let both = [stored("undone.json"), stored("base.json")];
    let coloured = |arguments: &[&str]| {
        let output = deadweight()
            .arg("prove")
            .args(&both)
            .args(arguments)
            .env("NO_COLOR", "1")
            .output()
            .unwrap();
        assert!(output.stderr.is_empty());
        output.stdout.contains(&0x1b)
    };
    assert!(!coloured(&["--quiet"]) && !coloured(&["--color", "auto"]) && !coloured(&["--color", "never"]));
    assert!(coloured(&["--color", "always"]));
}

#[test]
fn ctrl_c_leaves_no_half_written_file() {
    let home = tempfile::tempdir().unwrap();
    // A pipe that nobody writes to: the command waits as it would in a long weighing.
    let pipe = home.path().join("pipe");
    let status = std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
    assert!(status.success());
    let report = home.path().join("report.json");
    fs::write(&report, "the report before").unwrap();
    // Who starts the tests in the background has them ignore Ctrl-C, and what they start, too.
    let mut child = std::process::Command::new("env")
        .arg("--default-signal=INT")
        .arg(env!("CARGO_BIN_EXE_deadweight"))
        .arg("weigh")
        .arg(&pipe)
        .arg("--output")
        .arg(&report)
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    std::thread::sleep(Duration::from_millis(300));
    assert!(child.try_wait().unwrap().is_none(), "it waits");
    let kill = std::process::Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status()
        .unwrap();
    assert!(kill.success());
    let since = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if since.elapsed() > Duration::from_secs(10) {
            child.kill().unwrap();
            panic!("Ctrl-C did not end it");
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(fs::read_to_string(&report).unwrap(), "the report before");
    let mut names: Vec<_> = fs::read_dir(home.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    names.sort();
    assert_eq!(names, ["pipe", "report.json"]);
}

#[test]
fn a_fleet_is_asked_of_the_program_that_is_installed_for_it() {
    use std::os::unix::fs::PermissionsExt as _;

    let home = tempfile::tempdir().unwrap();
    let fleet = |path: &Path| {
        let mut command = deadweight();
        command
            .args(["fleet", "--help", "top", "--quiet"])
            .env("PATH", path);
        command.output().unwrap()
    };
    let missing = fleet(home.path());
    assert_eq!(missing.status.code(), Some(2));
    let said = String::from_utf8(missing.stderr).unwrap();
    assert!(said.contains("deadweight-fleet is not installed"), "{said}");
    let program = home.path().join("deadweight-fleet");
    fs::write(&program, "#!/bin/sh\necho \"$@\"\nexit 7\n").unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    let found = fleet(home.path());
    assert_eq!(found.status.code(), Some(7));
    assert_eq!(String::from_utf8(found.stdout).unwrap(), "--help top --quiet\n");
}
