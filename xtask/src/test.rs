//! `cargo xtask test`: everything, one step after the other.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::anyhow;
use clap::Args;

use deadweight_experiments::Cases;
use deadweight_tools::nodes::Node;
use deadweight_tools::packages::{CMAKE, CRYSTAL, LIBRARIES};
use deadweight_tools::shell::{Shell, path_with};
use deadweight_tools::{consent, debian, nodes, npm, workspace};

use crate::bench::{self, Bench};
use crate::failures::Failures;
use crate::{docs, fuzz};

/// `cargo xtask test`.
#[derive(Args, Debug)]
pub struct Test {
    /// All cases, proofs and healthy programs at all sizes, and every version of Node.js, too
    #[arg(long)]
    full: bool,
}

/// The frameworks that limits on memory are tried in.
const FRAMEWORKS: &[&str] = &["catch2", "libgtest-dev"];

const RUBY_FRAMEWORKS: &[&str] = &["ruby", "ruby-minitest", "ruby-rspec"];

/// What runs the hook for commits.
const HOOKS: &[&str] = &["git", "pre-commit"];

/// The browser that the HTML report is tested in.
const BROWSER: &[&str] = &["chromium"];

/// Runs every step, whatever becomes of those before it. False when one failed.
///
/// # Errors
/// When the tools for the steps cannot be installed.
pub fn run(test: &Test) -> anyhow::Result<bool> {
    install_components()?;
    debian::ask(&all_packages())?;
    debian::ensure(LIBRARIES)?;
    debian::ensure(CRYSTAL)?;
    debian::ensure(HOOKS)?;
    npm::ensure()?;
    let nodes = if test.full {
        nodes::all()?
    } else {
        nodes::PROVEN
            .iter()
            .map(|&major| nodes::node(major))
            .collect::<anyhow::Result<_>>()?
    };
    let list = nodes::path_list(&nodes)?;
    let node = nodes::node(nodes::PROVEN[0])?;

    let mut steps = Steps::default();
    steps.run("format", || cargo(&["fmt", "--all", "--check"]).inherit());
    steps.run("lints", || {
        cargo(&[
            "clippy",
            "--workspace",
            "--all-targets",
            "--quiet",
            "--",
            "--deny",
            "warnings",
        ])
        .inherit()
    });
    steps.run("tests in Rust", || {
        let tests = cargo(&["test", "--workspace", "--quiet", "--no-fail-fast"]);
        let mut failures = Failures::default();
        tests
            .env("DEADWEIGHT_NODES", &list)
            .env("DEADWEIGHT_TEST_NODES", &list)
            .env("PATH", path_with(node.directory()))
            .watched(|line| failures.line(line))
            .map_err(|error| anyhow!("{error}\n{}", failures.told()))
    });
    if test.full {
        // It downloads what it compares with.
        steps.run("totals of Ruby beside memory_profiler", || {
            cargo(&[
                "test",
                "--package",
                "deadweight",
                "--test",
                "memory_profiler",
                "--",
                "--ignored",
            ])
            .inherit()
        });
    }
    for folder in folders_with_node_tests() {
        steps.run(&format!("tests in {}", shown(&folder)), || {
            node_tests(&node, &folder, &list)
        });
    }
    steps.run("limits in test suites of Node.js", || node_suites(&node));
    steps.run("limits in test suites of C and C++", native_suites);
    steps.run("limits in test suites of Ruby", ruby_suites);
    steps.run("tests of the HTML report", || html_tests(&node));
    for folder in folders_with_cmake_tests() {
        let shown = shown(&folder);
        steps.run(&format!("tests in {shown}"), || cmake_tests(&folder, &shown));
    }
    steps.run("readers under fire, a little while", || {
        passed(fuzz::run(&fuzz::Fuzz::short()))
    });
    steps.run("benchmarks on small dumps", || {
        passed(bench::run(&Bench::small()))
    });
    steps.run("pages made from code", || {
        passed(docs::run(&docs::Docs { check: true }))
    });
    for (name, cases) in case_runs(test.full) {
        steps.run(name, || passed(deadweight_experiments::run(&cases)));
    }
    Ok(steps.sum_up())
}

/// All that some step needs of the system.
fn all_packages() -> Vec<&'static str> {
    let npm: &[&str] = if npm::is_there() { &[] } else { &["npm"] };
    [
        LIBRARIES,
        CRYSTAL,
        HOOKS,
        npm,
        FRAMEWORKS,
        RUBY_FRAMEWORKS,
        BROWSER,
        CMAKE,
    ]
    .concat()
}

/// The cases at the size of tests and the smallest of each proof, or everything.
fn case_runs(full: bool) -> Vec<(&'static str, Cases)> {
    let group = |name: &str, quick| Cases {
        names: vec![name.to_owned()],
        full,
        quick: quick && !full,
        ..Cases::default()
    };
    vec![
        ("cases", group("systems", false)),
        ("proofs", group("proofs", true)),
        ("healthy programs", group("healthy", true)),
    ]
}

fn cargo(arguments: &[&str]) -> Shell {
    Shell::new(workspace::cargo()).args(arguments)
}

fn passed(result: anyhow::Result<bool>) -> anyhow::Result<()> {
    anyhow::ensure!(result?, "not all is as it must be");
    Ok(())
}

/// The parts of the toolchain that steps need.
fn install_components() -> anyhow::Result<()> {
    for (component, command) in [("rustfmt", "fmt"), ("clippy", "clippy")] {
        if cargo(&[command, "--version"]).output().is_err() {
            consent::ask(&[component], "rustup component add")?;
            eprintln!("{component} is missing: installing it");
            Shell::new("rustup")
                .args(["component", "add", component])
                .inherit()?;
        }
    }
    Ok(())
}

/// A folder's path in the checkout.
fn shown(folder: &Path) -> String {
    folder
        .strip_prefix(workspace::root())
        .unwrap_or(folder)
        .display()
        .to_string()
}

/// Folders of JavaScript with a `test` folder.
fn folders_with_node_tests() -> Vec<PathBuf> {
    folders_where(has_node_tests)
}

/// Folders of C++ with a `test.sh`.
fn folders_with_cmake_tests() -> Vec<PathBuf> {
    folders_where(|folder| folder.join("CMakeLists.txt").is_file() && folder.join("test.sh").is_file())
}

fn folders_where(is_wanted: impl Fn(&Path) -> bool) -> Vec<PathBuf> {
    let mut folders = Vec::new();
    for parent in ["recorders", "remedies", "cases"] {
        let Ok(entries) = fs::read_dir(workspace::root().join(parent)) else {
            continue;
        };
        folders.extend(
            entries
                .flatten()
                .map(|entry| entry.path())
                .filter(|path| is_wanted(path)),
        );
    }
    folders.sort();
    folders
}

fn has_node_tests(folder: &Path) -> bool {
    let Ok(entries) = fs::read_dir(folder.join("test")) else {
        return false;
    };
    entries.flatten().any(|entry| {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        [".test.js", ".test.cjs", ".test.mjs"]
            .iter()
            .any(|end| name.ends_with(end))
    })
}

fn node_tests(node: &Node, folder: &Path, list: &OsString) -> anyhow::Result<()> {
    npm::install(folder)?;
    node.shell()
        .args(["--test"])
        .current_dir(folder)
        .env("DEADWEIGHT_TEST_NODES", list)
        .inherit()
}

/// The page's source gives what is embedded, and a real browser shows it.
fn html_tests(node: &Node) -> anyhow::Result<()> {
    debian::ensure(BROWSER)?;
    let folder = workspace::root().join("crates/report/html");
    npm::install(&folder)?;
    let deadweight = workspace::build_deadweight(workspace::Profile::Quick)?;
    node.shell()
        .args(["--test", "--test-concurrency=1"])
        .current_dir(folder)
        .env("DEADWEIGHT", deadweight)
        .inherit()
}

/// What test suites use to limit memory, with the tool and its recorders as they are.
fn node_suites(node: &Node) -> anyhow::Result<()> {
    let folder = workspace::root().join("testing/node");
    npm::install(&folder)?;
    let deadweight = workspace::build_deadweight(workspace::Profile::Quick)?;
    let tests = ["held", "churn", "runners"].map(|name| format!("test/{name}.test.js"));
    node.shell()
        .args(["--test", "--test-concurrency=1"])
        .args(tests)
        .current_dir(folder)
        .env("DEADWEIGHT", &deadweight)
        .inherit()
}

/// The same for C and C++.
fn native_suites() -> anyhow::Result<()> {
    debian::ensure(CMAKE)?;
    debian::ensure(FRAMEWORKS)?;
    let deadweight = workspace::build_deadweight(workspace::Profile::Quick)?;
    Shell::new(workspace::root().join("testing/cpp/test.sh"))
        .args([workspace::target().join("cmake/testing")])
        .env(
            "DEADWEIGHT_RECORDER",
            deadweight.with_file_name("libdeadweight_recorder.so"),
        )
        .env("DEADWEIGHT", deadweight)
        .inherit()
}

/// The same for Ruby, under both frameworks.
fn ruby_suites() -> anyhow::Result<()> {
    debian::ensure(RUBY_FRAMEWORKS)?;
    let deadweight = workspace::build_deadweight(workspace::Profile::Quick)?;
    let library = deadweight.with_file_name("libdeadweight_ruby.so");
    for (program, argument) in [("ruby", "test/memory_test.rb"), ("rspec", "spec")] {
        Shell::new(program)
            .args([argument])
            .current_dir(workspace::root().join("testing/ruby"))
            .env("DEADWEIGHT_RUBY_LIBRARY", &library)
            .env("DEADWEIGHT", &deadweight)
            .inherit()?;
    }
    Ok(())
}

/// Builds beside what cargo builds, so that the checkout stays clean and a second run is quick.
fn cmake_tests(folder: &Path, shown: &str) -> anyhow::Result<()> {
    debian::ensure(CMAKE)?;
    Shell::new(folder.join("test.sh"))
        .args([workspace::target().join("cmake").join(shown)])
        .inherit()
}

/// What became of the steps.
#[derive(Debug, Default)]
struct Steps {
    passed: usize,
    /// Those that failed, and why.
    failed: Vec<(String, String)>,
}

impl Steps {
    fn run(&mut self, name: &str, step: impl FnOnce() -> anyhow::Result<()>) {
        println!("\n=== {name}");
        let start = Instant::now();
        let result = step();
        let seconds = start.elapsed().as_secs();
        match result {
            Ok(()) => {
                println!("=== {name}: passed in {seconds} s");
                self.passed += 1;
            }
            Err(error) => {
                println!("=== {name}: FAILED after {seconds} s: {error:#}");
                self.failed.push((name.to_owned(), format!("{error:#}")));
            }
        }
    }

    fn sum_up(&self) -> bool {
        println!();
        for (name, why) in &self.failed {
            println!("failed: {name}: {why}");
        }
        println!("{} passed, {} failed", self.passed, self.failed.len());
        self.failed.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_step_fails_all_but_stops_none() {
        let mut steps = Steps::default();
        steps.run("first", || anyhow::bail!("broken"));
        steps.run("second", || Ok(()));
        assert_eq!(
            (steps.passed, steps.failed.as_slice()),
            (1, &[("first".to_owned(), "broken".to_owned())][..])
        );
        assert!(!steps.sum_up());
    }

    #[test]
    fn the_recorder_and_the_cases_have_tests() {
        let folders = folders_with_node_tests();
        let root = workspace::root();
        assert!(folders.contains(&root.join("recorders/node")), "{folders:?}");
        assert!(folders.contains(&root.join("cases/spark-round")), "{folders:?}");
        let folders = folders_with_cmake_tests();
        assert_eq!(folders, [root.join("cases/shamap"), root.join("remedies/cpp")]);
    }
}
