//! npm: found or installed, and packages of a folder.

use std::path::Path;
use std::sync::Mutex;

use anyhow::{Context, bail};

use crate::shell::Shell;

/// A command of npm.
pub fn npm() -> Shell {
    Shell::new("npm")
        .env("npm_config_audit", "false")
        .env("npm_config_fund", "false")
}

/// Makes sure that npm is there; as root on Debian it is installed.
///
/// # Errors
/// When it is not there and cannot be installed.
pub fn ensure() -> anyhow::Result<()> {
    static CHECKED: Mutex<bool> = Mutex::new(false);
    let mut checked = CHECKED.lock().expect("nobody panics with it");
    if *checked {
        return Ok(());
    }
    if npm().args(["--version"]).output().is_err() {
        let root = Shell::new("id")
            .args(["-u"])
            .output()
            .is_ok_and(|id| id.trim_ascii() == b"0");
        if !root || Shell::new("apt-get").args(["--version"]).output().is_err() {
            bail!("npm is not installed; it comes with Node.js");
        }
        eprintln!("npm is missing: installing the system's package");
        Shell::new("apt-get").args(["update", "--quiet"]).output()?;
        Shell::new("apt-get")
            .args(["install", "--yes", "--quiet", "--no-install-recommends", "npm"])
            .env("DEBIAN_FRONTEND", "noninteractive")
            .output()?;
        npm()
            .args(["--version"])
            .output()
            .context("npm was installed and still does not run")?;
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
