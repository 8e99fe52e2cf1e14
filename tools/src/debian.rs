//! Packages of the system that tests need.

use anyhow::bail;

use crate::shell::Shell;

/// Installs the packages that are missing, and says so. As root on Debian; elsewhere it names what is missing.
///
/// # Errors
/// When one is missing and cannot be installed.
pub fn ensure(packages: &[&str]) -> anyhow::Result<()> {
    if Shell::new("dpkg-query").args(["--version"]).output().is_err() {
        // Another system: the tests themselves say what they do not find.
        return Ok(());
    }
    let missing: Vec<&str> = packages
        .iter()
        .copied()
        .filter(|package| !is_installed(package))
        .collect();
    if missing.is_empty() {
        return Ok(());
    }
    let shown = missing.join(" ");
    if !is_root() {
        bail!("missing packages: as root, apt-get install {shown}");
    }
    eprintln!("installing the system's packages {shown}");
    Shell::new("apt-get").args(["update", "--quiet"]).output()?;
    Shell::new("apt-get")
        .args(["install", "--yes", "--quiet", "--no-install-recommends"])
        .args(missing)
        .env("DEBIAN_FRONTEND", "noninteractive")
        .output()?;
    Ok(())
}

/// Whether packages can be installed by this user.
pub fn is_root() -> bool {
    Shell::new("id")
        .args(["-u"])
        .output()
        .is_ok_and(|id| id.trim_ascii() == b"0")
}

fn is_installed(package: &str) -> bool {
    let state = Shell::new("dpkg-query")
        .args(["--show", "--showformat=${db:Status-Status}", package])
        .output();
    state.is_ok_and(|state| state.trim_ascii() == b"installed")
}
