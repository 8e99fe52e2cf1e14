//! Test suites that cargo does not run: limits on memory in other frameworks, the HTML report, programs in C++.

use std::env;
use std::ffi::OsString;
use std::path::Path;

use deadweight_tools::nodes::Node;
use deadweight_tools::packages::CMAKE;
use deadweight_tools::shell::{Shell, path_with};
use deadweight_tools::{debian, jars, jdk, npm, pythons, workspace};

/// The frameworks that limits on memory are tried in.
pub(super) const FRAMEWORKS: &[&str] = &["catch2", "libgtest-dev"];

pub(super) const RUBY_FRAMEWORKS: &[&str] = &["ruby", "ruby-minitest", "ruby-rspec", "puma"];

pub(super) const PYTHON_FRAMEWORKS: &[&str] = &["python3", "python3-pytest"];

/// The major version of the JDK that Trino runs on.
const TRINO_JDK: u32 = 25;

/// The browser that the HTML report is tested in.
pub(super) const BROWSER: &[&str] = &["chromium"];

/// The page's source gives what is embedded, and a real browser shows it.
pub(super) fn html_tests(node: &Node) -> anyhow::Result<()> {
    debian::ensure(BROWSER)?;
    let folder = workspace::root().join("crates/report/html");
    npm::install(&folder)?;
    let deadweight = workspace::build_deadweight(workspace::Profile::Tests)?;
    node.shell()
        .args(["--test", "--test-concurrency=1"])
        .current_dir(folder)
        .env("DEADWEIGHT", deadweight)
        .inherit()
}

/// The interpreters with `pandas` whose tables the tests of the command line weigh: the oldest, the newest, and the only one with the
/// second `pandas`, as `crates/cli/tests/programs/python/pandas.txt` says.
pub(super) fn with_pandas(all: &[pythons::Python]) -> anyhow::Result<OsString> {
    /// The minor version that has the second one.
    const OF_SECOND: u8 = 10;
    let list = workspace::root().join("crates/cli/tests/programs/python/pandas.txt");
    let ends = [all.first(), all.last()].map(|python| python.map(|python| python.version));
    let wanted =
        |python: &&pythons::Python| ends.contains(&Some(python.version)) || python.version.0 == OF_SECOND;
    let made = all
        .iter()
        .filter(wanted)
        .map(|python| python.with_packages("pandas", &list));
    Ok(env::join_paths(made.collect::<anyhow::Result<Vec<_>>>()?)?)
}

/// The program that keeps weighings of many services, with the engines beside which it is tried, and its page in a browser.
pub(super) fn fleet(node: &Node) -> anyhow::Result<()> {
    debian::ensure(BROWSER)?;
    // The driver of the browser.
    npm::install(&workspace::root().join("crates/report/html"))?;
    let folder = workspace::root().join("fleet");
    let python = pythons::with_packages("fleet", &folder.join("tests/requirements.txt"))?;
    let trino = match jdk::find(TRINO_JDK) {
        Some(jdk) => {
            let home = workspace::target().join("tools/trino");
            Some((
                jars::fetched(&folder.join("tests/trino/pom.xml"), &home)?,
                jdk.java,
            ))
        }
        None => None,
    };
    let cargo = |arguments: &[&str]| {
        let cargo = Shell::new(workspace::cargo())
            .args(arguments)
            .current_dir(&folder)
            .env("DEADWEIGHT_FLEET_PYTHON", &python);
        match &trino {
            Some((jars, java)) => cargo
                .env("DEADWEIGHT_FLEET_TRINO", jars)
                .env("DEADWEIGHT_FLEET_JAVA", java),
            None => cargo,
        }
    };
    if trino.is_none() {
        eprintln!("Trino is not asked: there is no JDK {TRINO_JDK}");
    }
    let without_trino = ["--skip", "trino_answers_alike"];
    cargo(&["fmt", "--check"]).inherit()?;
    cargo(&["clippy", "--all-targets", "--quiet", "--", "--deny", "warnings"]).inherit()?;
    cargo(&["test", "--quiet", "--", "--include-ignored"])
        .args(without_trino.into_iter().filter(|_| trino.is_none()))
        .inherit()?;
    // Another build of the engine, and of the cluster that it is tried with.
    let with_clusters = ["--features", "ballista", "--quiet"];
    cargo(&["clippy", "--all-targets"])
        .args(with_clusters)
        .args(["--", "--deny", "warnings"])
        .inherit()?;
    cargo(&["test", "--test", "cluster"])
        .args(with_clusters)
        .args(["--", "--include-ignored"])
        .inherit()?;
    node.shell()
        .args(["--test", "--test-concurrency=1", "tests/page.test.js"])
        .current_dir(&folder)
        .inherit()
}

/// What test suites use to limit memory, with the tool and its recorders as they are.
pub(super) fn node_suites(node: &Node) -> anyhow::Result<()> {
    let folder = workspace::root().join("testing/node");
    npm::install(&folder)?;
    let deadweight = workspace::build_deadweight(workspace::Profile::Tests)?;
    let tests = ["held", "churn", "runners"].map(|name| format!("test/{name}.test.js"));
    node.shell()
        .args(["--test", "--test-concurrency=1"])
        .args(tests)
        .current_dir(folder)
        .env("DEADWEIGHT", &deadweight)
        .inherit()
}

/// The same for C and C++.
pub(super) fn native_suites() -> anyhow::Result<()> {
    debian::ensure(CMAKE)?;
    debian::ensure(FRAMEWORKS)?;
    let deadweight = workspace::build_deadweight(workspace::Profile::Tests)?;
    Shell::new(workspace::root().join("testing/cpp/test.sh"))
        .args([workspace::target().join("cmake/testing")])
        .env("DEADWEIGHT", deadweight)
        .inherit()
}

/// The same for Ruby, under both frameworks.
pub(super) fn ruby_suites() -> anyhow::Result<()> {
    debian::ensure(RUBY_FRAMEWORKS)?;
    let deadweight = workspace::build_deadweight(workspace::Profile::Tests)?;
    for (program, argument) in [
        ("ruby", "test/memory_test.rb"),
        ("ruby", "test/posting_test.rb"),
        ("rspec", "spec"),
    ] {
        Shell::new(program)
            .args([argument])
            .current_dir(workspace::root().join("testing/ruby"))
            .env("DEADWEIGHT", &deadweight)
            .inherit()?;
    }
    Ok(())
}

/// The same for Python, under the interpreter that the system's pytest is for.
pub(super) fn python_suites() -> anyhow::Result<()> {
    debian::ensure(PYTHON_FRAMEWORKS)?;
    let deadweight = workspace::build_deadweight(workspace::Profile::Tests)?;
    let folder = workspace::root().join("testing/python");
    Shell::new("/usr/bin/python3")
        .args(["-m", "pytest", "-q", "-p", "no:cacheprovider", "test"])
        .current_dir(&folder)
        .env("PYTHONPATH", &folder)
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .env("DEADWEIGHT", &deadweight)
        .inherit()
}

/// What agents see of the server, by another implementation of the protocol; with `full` also the loop that finds, edits and
/// proves on its own.
pub(super) fn agents(node: &Node, full: bool) -> anyhow::Result<()> {
    let folder = workspace::root().join("testing/agent");
    let python = pythons::with_packages("agent", &folder.join("requirements.txt"))?;
    let deadweight = workspace::build_deadweight(workspace::Profile::Tests)?;
    let script = |name: &str| {
        Shell::new(&python)
            .args([name])
            .current_dir(&folder)
            .env("PATH", path_with(node.directory()))
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .env("DEADWEIGHT", &deadweight)
    };
    script("client.py").inherit()?;
    if full {
        for case in ["spark-round", "objectid"] {
            npm::install(&workspace::root().join("cases").join(case))?;
        }
        debian::ensure(&RUBY_FRAMEWORKS[..1])?;
        for case in ["spark-round", "objectid", "line-count"] {
            script("loop.py").args([case]).inherit()?;
        }
    }
    Ok(())
}

/// The ways in which programs are started: by package managers, process managers and test runners.
pub(super) fn launchers(node: &Node, full: bool) -> anyhow::Result<()> {
    debian::ensure(RUBY_FRAMEWORKS)?;
    let folder = workspace::root().join("testing/launchers");
    npm::install(&folder)?;
    let deadweight = workspace::build_deadweight(workspace::Profile::Tests)?;
    node.shell()
        .args(["--test", "--test-concurrency=1", "test/launchers.test.js"])
        .current_dir(folder)
        .env("DEADWEIGHT", &deadweight)
        .env("DEADWEIGHT_FULL", if full { "1" } else { "0" })
        .inherit()
}

/// Builds beside what cargo builds, so that the checkout stays clean and a second run is quick.
pub(super) fn cmake_tests(folder: &Path, shown: &str) -> anyhow::Result<()> {
    debian::ensure(CMAKE)?;
    Shell::new(folder.join("test.sh"))
        .args([workspace::target().join("cmake").join(shown)])
        .inherit()
}
