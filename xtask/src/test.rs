//! `cargo xtask test`: everything, in steps.

mod binaries;
mod steps;
mod suites;

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use deadweight_experiments::Cases;
use deadweight_tools::nodes::Node;
use deadweight_tools::packages::{CMAKE, CRYSTAL, LIBRARIES};
use deadweight_tools::shell::{Shell, path_with};
use deadweight_tools::workspace::Profile;
use deadweight_tools::{consent, debian, jars, jdk, nodes, npm, pythons, workspace};

use self::steps::Steps;
use self::suites::{BROWSER, FRAMEWORKS, PYTHON_FRAMEWORKS, RUBY_FRAMEWORKS};
use crate::bench::{self, Bench};
use crate::{docs, fuzz};

/// `cargo xtask test`.
#[derive(Args, Debug)]
pub struct Test {
    /// Only the steps whose names begin so [default: all]
    #[arg(value_name = "STEP")]
    steps: Vec<String>,
    /// All cases, proofs and healthy programs at all sizes, and every version of Node.js, too
    #[arg(long)]
    full: bool,
}

/// What runs the hook for commits.
const HOOKS: &[&str] = &["git", "pre-commit"];

/// Runs every step, whatever becomes of those before it. False when one failed.
///
/// # Errors
/// When the tools for the steps cannot be installed.
pub fn run(test: &Test) -> anyhow::Result<bool> {
    install_components()?;
    // Who cannot install packages reads what is missing in the step that needs it.
    if debian::is_root() {
        // All at once: nobody is asked in the middle of a long run, and of two steps beside each other only one could install.
        debian::ensure(&all_packages())?;
    }
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
    steps.alone("format", || cargo(&["fmt", "--all", "--check"]).inherit());
    steps.alone("lints", || {
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
    steps.alone("lints of what stands under fire", || {
        cargo(&["clippy", "--quiet", "--", "--deny", "warnings"])
            .current_dir(workspace::root().join("fuzz"))
            .env("CARGO_TARGET_DIR", workspace::target())
            .inherit()
    });
    steps.alone("tests in Rust", || {
        let all_pythons = pythons::all();
        binaries::run(&[
            ("DEADWEIGHT_NODES", list.clone()),
            ("DEADWEIGHT_TEST_NODES", list.clone()),
            ("DEADWEIGHT_PYTHONS", pythons::path_list(&all_pythons)?),
            ("DEADWEIGHT_PANDAS", suites::with_pandas(&all_pythons)?),
            ("PATH", path_with(node.directory())),
        ])
    });
    if test.full {
        // It downloads what it compares with.
        steps.alone("totals of Ruby beside memory_profiler", || {
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
    if test.full {
        steps.alone("containers of known libraries of the JVM", || {
            let pom = workspace::root().join("crates/formats/tests/jvm_live/pom.xml");
            let jars = jars::fetched(&pom, &workspace::target().join("tools/containers"))?;
            cargo(&[
                "test",
                "--package",
                "deadweight-formats",
                "--test",
                "jvm_containers",
            ])
            .args(["--", "--ignored"])
            .env("DEADWEIGHT_JARS", jars)
            .inherit()
        });
    }
    if test.full {
        // Its engine takes longer to build than all else.
        steps.alone("tests in fleet", || suites::fleet(&node));
    }
    // They run as many programs at a time as there are cores, and measure them.
    for (name, cases) in case_runs(test.full) {
        steps.alone(name, move || none_failed(deadweight_experiments::run(&cases)));
    }
    // The longest first, so that none is left at the end with nothing beside it.
    steps.beside("tests of the HTML report", || suites::html_tests(&node));
    for folder in folders_with_node_tests() {
        steps.beside(format!("tests in {}", shown(&folder)), {
            let (node, list) = (&node, &list);
            move || node_tests(node, &folder, list)
        });
    }
    steps.beside("limits in test suites of Node.js", || suites::node_suites(&node));
    steps.beside("programs behind launchers", || {
        suites::launchers(&node, test.full)
    });
    steps.beside("agents", || suites::agents(&node, test.full));
    steps.beside("limits in test suites of C and C++", suites::native_suites);
    steps.beside("limits in test suites of Ruby", suites::ruby_suites);
    steps.beside("limits in test suites of Python", suites::python_suites);
    for folder in folders_with_cmake_tests() {
        let shown = shown(&folder);
        steps.beside(format!("tests in {shown}"), move || {
            suites::cmake_tests(&folder, &shown)
        });
    }
    steps.beside("readers under fire, a little while", || {
        passed(fuzz::run(&fuzz::Fuzz::short(test.full)))
    });
    steps.beside("benchmarks on small dumps", || {
        passed(bench::run(&Bench::small()))
    });
    steps.beside("pages made from code", || {
        passed(docs::run(&docs::Docs { check: true }))
    });
    if !test.steps.is_empty() {
        return steps.run_named(&test.steps);
    }
    let mut again = vec!["test"];
    again.extend(test.full.then_some("--full"));
    steps.run_all(&again)
}

/// All that some step needs of the system.
fn all_packages() -> Vec<&'static str> {
    let npm: &[&str] = if npm::is_there() { &[] } else { &["npm"] };
    [
        LIBRARIES,
        CRYSTAL,
        jdk::packages(),
        HOOKS,
        npm,
        FRAMEWORKS,
        RUBY_FRAMEWORKS,
        PYTHON_FRAMEWORKS,
        BROWSER,
        CMAKE,
    ]
    .concat()
}

/// Cases and proofs at their smallest sizes, or everything.
fn case_runs(full: bool) -> Vec<(&'static str, Cases)> {
    let group = |name: &str| Cases {
        names: vec![name.to_owned()],
        full,
        quick: !full,
        profile: Profile::Tests,
        ..Cases::default()
    };
    let mut proofs = group("proofs");
    if !full {
        proofs.node = nodes::OUTERMOST.to_vec();
    }
    vec![
        ("cases", group("systems")),
        ("proofs", proofs),
        ("healthy programs", group("healthy")),
    ]
}

fn cargo(arguments: &[&str]) -> Shell {
    Shell::new(workspace::cargo()).args(arguments)
}

fn passed(result: anyhow::Result<bool>) -> anyhow::Result<()> {
    anyhow::ensure!(result?, "not all is as it must be");
    Ok(())
}

/// Each of them in the reason.
fn none_failed(failures: anyhow::Result<Vec<String>>) -> anyhow::Result<()> {
    let failures = failures?;
    anyhow::ensure!(failures.is_empty(), "{}", failures.join("\n"));
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// Packages with their features, as cargo builds them.
    fn features(arguments: &[&str]) -> BTreeSet<String> {
        let tree = cargo(&["tree", "--prefix", "none", "--format", "{p} [{f}]"]);
        let tree = tree.args(arguments).current_dir(workspace::root());
        let tree = tree.output().expect("cargo names what it builds");
        let lines = String::from_utf8_lossy(&tree);
        let lines = lines.lines().map(|line| line.trim_end_matches(" (*)"));
        lines.map(str::to_owned).collect()
    }

    /// Otherwise most of the workspace is built twice: for the chores, and for the tests.
    #[test]
    fn what_chores_need_is_built_as_the_tests_need_it() {
        let of_chores = features(&["--package", "xtask", "--edges", "normal,build"]);
        let of_tests = features(&["--workspace", "--edges", "normal,build,dev"]);
        let otherwise: Vec<_> = of_chores.difference(&of_tests).collect();
        assert!(otherwise.is_empty() && of_chores.len() > 100, "{otherwise:#?}");
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
