//! Where things are.

use std::env;
use std::path::{Path, PathBuf};

use anyhow::ensure;

use crate::shell::Shell;

/// The root of the checkout.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .unwrap_or(Path::new("/"))
}

/// Cargo's target directory.
pub fn target() -> PathBuf {
    match env::var_os("CARGO_TARGET_DIR") {
        Some(directory) => root().join(directory),
        None => root().join("target"),
    }
}

/// How a program is built.
#[derive(Clone, Copy, Debug, Default)]
pub enum Profile {
    /// As people install it, which takes minutes: for what is timed.
    Release,
    /// With less optimisation between its parts.
    #[default]
    Quick,
    /// As the workspace's tests have built it: nothing is built twice in a test run, and what can overflow is checked.
    Tests,
}

/// Builds `deadweight`, and says where it is.
///
/// # Errors
/// When it does not build.
pub fn build_deadweight(profile: Profile) -> anyhow::Result<PathBuf> {
    let (command, folder): (&[&str], _) = match profile {
        Profile::Release => (&["build", "--release", "--package", "deadweight"], "release"),
        Profile::Quick => (
            &["build", "--profile", "quick", "--package", "deadweight"],
            "quick",
        ),
        // A build of one package would enable other features in its dependencies, and compile them again.
        Profile::Tests => (&["test", "--workspace", "--no-run"], "debug"),
    };
    Shell::new(cargo()).args(command).args(["--quiet"]).inherit()?;
    let binary = target()
        .join(folder)
        .join(format!("deadweight{}", env::consts::EXE_SUFFIX));
    ensure!(binary.is_file(), "{} was not built", binary.display());
    Ok(binary)
}

/// The cargo that runs this chore.
pub fn cargo() -> PathBuf {
    env::var_os("CARGO").map_or_else(|| PathBuf::from("cargo"), PathBuf::from)
}
