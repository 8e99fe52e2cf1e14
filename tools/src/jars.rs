//! Libraries of Maven Central, as a `pom.xml` names them.

use std::fs;
use std::path::{Path, PathBuf};

use crate::shell::Shell;
use crate::{debian, jdk};

/// The folder with the jars of a project's dependencies, fetched where it is not there yet.
///
/// # Errors
/// When Maven cannot be installed or does not find one of them.
pub fn fetched(pom: &Path, into: &Path) -> anyhow::Result<PathBuf> {
    let jars = into.join("jars");
    let unfinished = into.join("jars.part");
    if !jars.is_dir() {
        debian::ensure(&["maven"])?;
        debian::ensure(jdk::packages())?;
        eprintln!("fetching what {} names", pom.display());
        Shell::new("mvn")
            .args(["--quiet", "--batch-mode", "--file"])
            .args([pom])
            .args(["dependency:copy-dependencies"])
            .args([format!("-DoutputDirectory={}", unfinished.display())])
            .output()?;
        fs::rename(&unfinished, &jars)?;
    }
    Ok(jars)
}
