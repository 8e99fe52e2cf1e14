//! Packages of the system that tests need.

use anyhow::bail;

use crate::consent;
use crate::shell::Shell;

/// Installs the packages that are missing, once that is [agreed](consent), and says so. As root on Debian; elsewhere it
/// names what is missing.
///
/// # Errors
/// When one is missing and cannot or may not be installed.
pub fn ensure(packages: &[&str]) -> anyhow::Result<()> {
    let missing = agreed(packages)?;
    if missing.is_empty() {
        return Ok(());
    }
    eprintln!("installing the system's packages {}", missing.join(" "));
    Shell::new("apt-get").args(["update", "--quiet"]).output()?;
    Shell::new("apt-get")
        .args(["install", "--yes", "--quiet", "--no-install-recommends"])
        .args(missing)
        .env("DEBIAN_FRONTEND", "noninteractive")
        .output()?;
    Ok(())
}

/// Those that are missing, when they may be installed.
fn agreed<'a>(packages: &[&'a str]) -> anyhow::Result<Vec<&'a str>> {
    if Shell::new("dpkg-query").args(["--version"]).output().is_err() {
        // Another system: the tests themselves say what they do not find.
        return Ok(Vec::new());
    }
    let mut missing: Vec<&str> = Vec::new();
    for package in packages {
        if !missing.contains(package) && !is_installed(package) {
            missing.push(package);
        }
    }
    if missing.is_empty() {
        return Ok(missing);
    }
    if !is_root() {
        bail!("missing packages: as root, apt-get install {}", missing.join(" "));
    }
    consent::ask(&missing, "apt-get install")?;
    Ok(missing)
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
