//! Zig as a C compiler and linker: programs for older systems than this one, and for other machines.

use std::fs;
use std::path::{Path, PathBuf};

use crate::shell::{Shell, path_with};
use crate::workspace;

/// Of `PyPI`. Each brings its program as a file, so that nothing but Python is needed.
const PACKAGES: [&str; 2] = ["ziglang==0.17.1", "cargo-zigbuild==0.24.1"];

/// A command of cargo that compiles and links with Zig; below the target directory it is installed first where it is not
/// there.
///
/// # Errors
/// When it cannot be installed.
pub fn cargo() -> anyhow::Result<Shell> {
    let home = workspace::target().join("tools/zig");
    let programs = programs(&home)?;
    Ok(Shell::new(programs.join("cargo-zigbuild")).env("PATH", path_with(&programs)))
}

/// Its compiler of C++.
///
/// # Errors
/// When it cannot be installed.
pub fn cxx() -> anyhow::Result<Shell> {
    let home = workspace::target().join("tools/zig");
    Ok(Shell::new(programs(&home)?.join("python")).args(["-m", "ziglang", "c++"]))
}

fn programs(home: &Path) -> anyhow::Result<PathBuf> {
    let programs = home.join("bin");
    let installed = home.join("installed");
    let wanted = PACKAGES.join("\n");
    if fs::read_to_string(&installed).is_ok_and(|installed| installed == wanted) {
        return Ok(programs);
    }
    eprintln!("Zig is missing: installing it below {}", home.display());
    Shell::new("python3")
        .args(["-m", "venv", "--clear"])
        .args([home])
        .output()?;
    Shell::new(programs.join("pip"))
        .args(["install", "--quiet", "--disable-pip-version-check"])
        .args(PACKAGES)
        .output()?;
    fs::write(installed, wanted)?;
    Ok(programs)
}
