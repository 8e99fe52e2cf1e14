//! The workspace's tests, two binaries at a time: many end with one long test, which leaves the other cores idle.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Instant;

use anyhow::{Context as _, bail, ensure};
use deadweight_tools::parallel::in_parallel;
use deadweight_tools::shell::Shell;
use deadweight_tools::workspace;
use serde::Deserialize;

use crate::failures::Failures;

/// More at a time wait for each other: each has a thread for each core.
const BESIDE: usize = 2;

/// What the binaries are told of the machine.
pub(super) type Environment<'e> = [(&'e str, OsString)];

/// What cargo says that it has built.
#[derive(Deserialize)]
struct Built {
    #[serde(default)]
    executable: Option<PathBuf>,
    #[serde(default)]
    manifest_path: PathBuf,
    target: Option<Target>,
    profile: Option<Profile>,
}

#[derive(Deserialize)]
struct Target {
    name: String,
    kind: Vec<String>,
}

#[derive(Deserialize)]
struct Profile {
    test: bool,
}

/// Tests in one program.
#[derive(Debug, PartialEq)]
struct Binary {
    name: String,
    path: PathBuf,
    /// Where its package is: cargo runs it there.
    folder: PathBuf,
    /// Whether it is of a folder of tests: these run other programs, and take longest.
    is_long: bool,
}

/// Builds and runs all tests, those in documentation too.
///
/// # Errors
/// When something does not build or a test fails: with what the failed ones said.
pub(super) fn run(environment: &Environment<'_>) -> anyhow::Result<()> {
    let cargo = || Shell::new(workspace::cargo());
    let build = ["test", "--workspace", "--no-run", "--quiet"];
    let built = cargo()
        .args(build)
        .args(["--message-format", "json-render-diagnostics"])
        .output()?;
    let binaries = binaries(&String::from_utf8_lossy(&built));
    ensure!(!binaries.is_empty(), "cargo names no tests");
    let logs = workspace::target().join("tmp/tests");
    fs::create_dir_all(&logs).with_context(|| format!("{} could not be made", logs.display()))?;
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let mut failures = Failures::default();
    let mut failed = Vec::new();
    in_parallel(
        &binaries,
        cores.min(BESIDE),
        |binary| {
            let log = logs.join(format!("{}.log", binary.name.replace(['/', ' '], "-")));
            let began = Instant::now();
            let passed = run_one(binary, environment, &log);
            (log, began.elapsed().as_secs_f64(), passed)
        },
        |binary, (log, seconds, passed)| {
            let output = fs::read(&log).unwrap_or_default();
            let output = String::from_utf8_lossy(&output);
            let passed = passed.unwrap_or_else(|error| {
                println!("{error:#}");
                false
            });
            let result = output.lines().rfind(|line| line.starts_with("test result:"));
            println!(
                "{seconds:>7.1} s  {}: {}",
                binary.name,
                result.unwrap_or("ended without a result")
            );
            if !passed {
                println!("{output}");
                output.lines().for_each(|line| failures.line(line));
                failed.push(binary.name.clone());
            }
        },
    );
    let documentation = cargo().args(["test", "--workspace", "--doc", "--quiet"]);
    if documentation.watched(|line| failures.line(line)).is_err() {
        failed.push("documentation".to_owned());
    }
    if !failed.is_empty() {
        bail!("tests failed in {}\n{}", failed.join(", "), failures.report());
    }
    Ok(())
}

/// Runs one and writes what it prints to a file; whether all of its tests passed.
fn run_one(binary: &Binary, environment: &Environment<'_>, log: &Path) -> anyhow::Result<bool> {
    let shell = Shell::new(&binary.path)
        .args(["--quiet"])
        .current_dir(&binary.folder)
        .env("CARGO_MANIFEST_DIR", &binary.folder);
    let shell = environment
        .iter()
        .fold(shell, |shell, (name, value)| shell.env(name, value));
    Ok(shell.logged(log)?.success())
}

/// The programs with tests among what cargo has built, those that take longest first.
fn binaries(messages: &str) -> Vec<Binary> {
    let built = messages
        .lines()
        .filter_map(|line| serde_json::from_str::<Built>(line).ok());
    let mut binaries: Vec<Binary> = built
        .filter(|built| built.profile.as_ref().is_some_and(|profile| profile.test))
        .filter_map(|built| {
            let (path, target) = (built.executable?, built.target?);
            let folder = built.manifest_path.parent()?.to_owned();
            let package = folder.file_name()?.to_string_lossy().into_owned();
            let kind = target.kind.first().map_or("", String::as_str);
            Some(Binary {
                name: format!("{package} {} ({kind})", target.name),
                path,
                folder,
                is_long: kind == "test",
            })
        })
        .collect();
    binaries.sort_by_key(|binary| !binary.is_long);
    binaries
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_with_tests_are_found_and_those_of_folders_of_tests_come_first() {
        let artifact = |kind: &str, name: &str, executable: &str, test: bool| {
            format!(
                r#"{{"reason":"compiler-artifact","manifest_path":"/w/crates/cli/Cargo.toml","target":{{"kind":["{kind}"],"name":"{name}"}},"profile":{{"test":{test}}},"executable":{executable}}}"#
            )
        };
        let messages = [
            artifact("lib", "heap", "null", false),
            artifact("bin", "deadweight", "\"/t/deadweight\"", false),
            artifact("lib", "heap", "\"/t/heap-1\"", true),
            artifact("test", "moments", "\"/t/moments-2\"", true),
            r#"{"reason":"build-finished","success":true}"#.to_owned(),
        ];
        let found = binaries(&messages.join("\n"));
        let names: Vec<&str> = found.iter().map(|binary| binary.name.as_str()).collect();
        assert_eq!(names, ["cli moments (test)", "cli heap (lib)"]);
        assert_eq!(found[0].folder, Path::new("/w/crates/cli"));
    }

    #[test]
    fn a_program_that_fails_is_known_by_its_status() {
        let of = |path: &str| Binary {
            name: path.to_owned(),
            path: path.into(),
            folder: workspace::root().to_path_buf(),
            is_long: false,
        };
        let log = std::env::temp_dir().join(format!("deadweight-binaries-{}", std::process::id()));
        assert!(run_one(&of("true"), &[], &log).unwrap());
        assert!(!run_one(&of("false"), &[], &log).unwrap());
        assert!(run_one(&of("/no/such/program"), &[], &log).is_err());
        fs::remove_file(log).unwrap();
    }
}
