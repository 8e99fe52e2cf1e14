//! Where things are.

use std::env;
use std::path::{Path, PathBuf};

use anyhow::ensure;

use crate::shell::Shell;

/// The root of the checkout.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("xtask stands in the workspace")
}

/// Cargo's target directory.
pub fn target() -> PathBuf {
    match env::var_os("CARGO_TARGET_DIR") {
        Some(directory) => root().join(directory),
        None => root().join("target"),
    }
}

/// Builds `deadweight` as people install it, and says where it is.
///
/// # Errors
/// When it does not build.
pub fn build_deadweight() -> anyhow::Result<PathBuf> {
    Shell::new(cargo())
        .args(["build", "--release", "--quiet", "--package", "deadweight"])
        .inherit()?;
    let binary = target()
        .join("release")
        .join(format!("deadweight{}", env::consts::EXE_SUFFIX));
    ensure!(binary.is_file(), "{} was not built", binary.display());
    Ok(binary)
}

/// The cargo that runs this chore.
pub fn cargo() -> PathBuf {
    env::var_os("CARGO").map_or_else(|| PathBuf::from("cargo"), PathBuf::from)
}
