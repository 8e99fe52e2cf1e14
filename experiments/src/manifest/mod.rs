//! What cases say of themselves: `case.toml`, `proof.toml` and `healthy.toml`.

mod case;
mod fix;
mod machine;
mod measure;
mod node_range;
mod pattern;
mod small;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;
use serde::de::DeserializeOwned;

pub use case::{Case, Runtime, Shape};
pub use fix::{Demand, Expectation, Fix};
pub use machine::Machine;
pub use measure::{Measure, Preloaded};
pub use small::{Healthy, Proof};

/// Every case, by name, also those of runtimes that cannot be weighed yet.
///
/// # Errors
/// When a manifest cannot be read.
pub fn cases(root: &Path) -> anyhow::Result<Vec<(PathBuf, Case)>> {
    let mut cases = Vec::new();
    for folder in folders(root)? {
        if folder.join("case.toml").is_file() {
            let case: Case = read(&folder.join("case.toml"))?;
            cases.push((folder, case));
        }
    }
    Ok(cases)
}

/// Every proof, by name.
///
/// # Errors
/// When a manifest cannot be read.
pub fn proofs(root: &Path) -> anyhow::Result<Vec<Proof>> {
    let root = root.join("proofs");
    let mut proofs = proofs_in(&root, "")?;
    proofs.extend(proofs_in(&root.join(JVM), "jvm/")?);
    Ok(proofs)
}

/// Where proofs stand that are written in Java: they are compiled together.
pub const JVM: &str = "jvm";

fn proofs_in(root: &Path, group: &str) -> anyhow::Result<Vec<Proof>> {
    let mut proofs = Vec::new();
    for folder in folders(root)? {
        if folder.join("proof.toml").is_file() {
            let proof: Proof = read(&folder.join("proof.toml"))?;
            proofs.push(Proof {
                name: format!("{group}{}", name(&folder)),
                folder,
                ..proof
            });
        }
    }
    Ok(proofs)
}

/// Every healthy program, by name.
///
/// # Errors
/// When a manifest cannot be read.
pub fn healthy(root: &Path) -> anyhow::Result<Vec<Healthy>> {
    let mut healthy = Vec::new();
    for folder in folders(&root.join("healthy"))? {
        if folder.join("healthy.toml").is_file() {
            let program: Healthy = read(&folder.join("healthy.toml"))?;
            healthy.push(Healthy {
                name: name(&folder),
                folder,
                ..program
            });
        }
    }
    Ok(healthy)
}

fn folders(root: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let Ok(entries) = fs::read_dir(root) else {
        return Ok(Vec::new());
    };
    let mut folders: Vec<_> = entries
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<_, _>>()?;
    folders.retain(|path| path.is_dir());
    folders.sort();
    Ok(folders)
}

fn name(folder: &Path) -> String {
    folder
        .file_name()
        .map(|name| name.to_string_lossy().into_owned())
        .unwrap_or_default()
}

fn read<T: DeserializeOwned>(path: &Path) -> anyhow::Result<T> {
    let text = fs::read_to_string(path).with_context(|| format!("{} could not be read", path.display()))?;
    toml::from_str(&text).with_context(|| format!("{} is not as it should be", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use deadweight_tools::workspace;
    use serde::Deserialize as _;

    #[test]
    fn cases_say_what_they_are_written_for() {
        let cases = cases(&workspace::root().join("cases")).expect("cases");
        for (_, case) in &cases {
            // Native programs say themselves what they hold; a recorder asks the others.
            assert_eq!(
                case.runtime == Runtime::Native,
                case.measure.is_some(),
                "{}",
                case.name
            );
        }
        assert!(Runtime::deserialize(toml::Value::from("cobol")).is_err());
    }

    #[test]
    fn every_manifest_can_be_read() {
        let root = workspace::root().join("cases");
        assert!(!cases(&root).expect("cases").is_empty());
        assert!(!healthy(&root).expect("healthy programs").is_empty());
        for proof in proofs(&root).expect("proofs") {
            assert!(
                !proof.sizes.is_empty() && proof.sizes.is_sorted(),
                "{}",
                proof.name
            );
            let is_java = proof.runtime == Runtime::Java;
            let programs = if is_java {
                ["Before.java", "After.java"]
            } else {
                ["before.js", "after.js"]
            };
            for program in programs {
                assert!(proof.folder.join(program).is_file(), "{}", proof.name);
            }
            assert_eq!(is_java, !proof.machines.is_empty(), "{}", proof.name);
            assert_eq!(is_java, proof.name.starts_with("jvm/"), "{}", proof.name);
        }
    }

    /// What looks at untyped blocks or at records to which any code may add fields, which these runtimes have not: fixes of
    /// Python programs hold L07 (`crates/cli/tests/python_fixes.rs`) and L08 (`crates/cli/tests/python_frames.rs`), the case `shamap` holds C02 against rebuilt
    /// programs, a test of native programs does so for C06, and R03 comes with the first such program; A01 is an option
    /// that no program here takes yet.
    const ELSEWHERE: [&str; 6] = ["A01", "C02", "C06", "L07", "L08", "R03"];

    #[test]
    fn every_rule_of_the_heap_is_proven() {
        let proofs = proofs(&workspace::root().join("cases")).expect("proofs");
        for rule in deadweight_rules::all() {
            let code = rule.code().to_string();
            if ELSEWHERE.contains(&code.as_str()) {
                continue;
            }
            assert!(
                proofs
                    .iter()
                    .any(|proof| crate::compare::is_rule(&proof.rule, &code)),
                "{code}"
            );
        }
    }
}
