//! npm: found or installed, and packages of a folder.

use std::path::Path;
use std::sync::{Mutex, PoisonError};

use anyhow::Context;

use crate::debian;
use crate::shell::Shell;

/// A command of npm.
pub fn npm() -> Shell {
    Shell::new("npm")
        .env("npm_config_audit", "false")
        .env("npm_config_fund", "false")
}

/// Whether npm is there, wherever it comes from.
pub fn is_there() -> bool {
    npm().args(["--version"]).output().is_ok()
}

/// Makes sure that npm is there; as root on Debian it is installed.
///
/// # Errors
/// When it is not there and cannot be installed.
pub fn ensure() -> anyhow::Result<()> {
    static CHECKED: Mutex<bool> = Mutex::new(false);
    let mut checked = CHECKED.lock().unwrap_or_else(PoisonError::into_inner);
    if *checked {
        return Ok(());
    }
    if !is_there() {
        debian::ensure(&["npm"])?;
        npm()
            .args(["--version"])
            .output()
            .context("npm is not installed; it comes with Node.js")?;
    }
    *checked = true;
    Ok(())
}

/// Runs `npm ci` in a folder unless what its lockfile asks for is there.
///
/// # Errors
/// When npm fails.
pub fn install(folder: &Path) -> anyhow::Result<()> {
    let lockfile = folder.join("package-lock.json");
    if !lockfile.is_file() {
        return Ok(());
    }
    let modified = |path: &Path| path.metadata().and_then(|metadata| metadata.modified()).ok();
    let installed = modified(&folder.join("node_modules/.package-lock.json"));
    if installed.is_some() && installed >= modified(&lockfile) {
        return Ok(());
    }
    ensure()?;
    eprintln!("installing the packages of {}", folder.display());
    npm().args(["ci"]).current_dir(folder).output()?;
    Ok(())
}
