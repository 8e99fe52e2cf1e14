//! Interpreters of Python on this machine, one for each minor version: those on the path, those that pyenv keeps, and those
//! that uv knows.

use std::collections::BTreeMap;
use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context as _;

use crate::shell::Shell;
use crate::workspace;

/// Minor versions of Python 3 whose heaps are read.
pub const MINORS: std::ops::RangeInclusive<u8> = 9..=14;

/// One interpreter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Python {
    /// The 12 and the 1 of 3.12.1.
    pub version: (u8, u8),
    /// The program.
    pub binary: PathBuf,
}

/// All that start and are of a version in [`MINORS`], the oldest first; of several of one minor version the newest.
#[must_use]
pub fn all() -> Vec<Python> {
    let mut found: BTreeMap<u8, Python> = BTreeMap::new();
    for binary in on_path().into_iter().chain(of_pyenv()).chain(of_uv()) {
        let Some(version) = version(&binary).filter(|(minor, _)| MINORS.contains(minor)) else {
            continue;
        };
        let is_newer = found.get(&version.0).is_none_or(|known| known.version < version);
        if is_newer {
            found.insert(version.0, Python { version, binary });
        }
    }
    found.into_values().collect()
}

/// The programs as a list in the form of PATH.
///
/// # Errors
/// When a path has the separator in it.
pub fn path_list(pythons: &[Python]) -> anyhow::Result<OsString> {
    Ok(env::join_paths(pythons.iter().map(|python| &python.binary))?)
}

/// An interpreter with the packages that a file lists, each in one version: the newest there is, in a folder of its own below
/// the build's, made once.
///
/// # Errors
/// When there is no Python, or the packages cannot be had.
pub fn with_packages(name: &str, list: &Path) -> anyhow::Result<PathBuf> {
    let newest = all().pop().context("no Python was found")?;
    newest.with_packages(name, list)
}

impl Python {
    /// The same interpreter with the packages that a file lists.
    ///
    /// # Errors
    /// When the packages cannot be had.
    pub fn with_packages(&self, name: &str, list: &Path) -> anyhow::Result<PathBuf> {
        let wanted =
            fs::read_to_string(list).with_context(|| format!("{} could not be read", list.display()))?;
        let home = workspace::target().join(format!("tools/python-3.{}-{name}", self.version.0));
        let (python, installed) = (home.join("bin/python3"), home.join("installed"));
        if fs::read_to_string(&installed).is_ok_and(|installed| installed == wanted) {
            return Ok(python);
        }
        eprintln!(
            "packages of Python are missing: installing them below {}",
            home.display()
        );
        Shell::new(&self.binary)
            .args(["-m", "venv", "--clear"])
            .args([&home])
            .output()?;
        Shell::new(&python)
            .args([
                "-m",
                "pip",
                "install",
                "--quiet",
                "--disable-pip-version-check",
                "--requirement",
            ])
            .args([list])
            .output()?;
        fs::write(installed, wanted)?;
        Ok(python)
    }
}

/// `python3.9` and so on, and `python3`.
fn on_path() -> Vec<PathBuf> {
    let names = MINORS.map(|minor| format!("python3.{minor}"));
    names.chain(["python3".to_owned()]).map(PathBuf::from).collect()
}

/// What pyenv has built, whether or not it is active where this runs.
fn of_pyenv() -> Vec<PathBuf> {
    let root = env::var_os("PYENV_ROOT").map(PathBuf::from);
    let root = root.or_else(|| Some(Path::new(&env::var_os("HOME")?).join(".pyenv")));
    let versions = root.and_then(|root| root.join("versions").read_dir().ok());
    let versions = versions.into_iter().flatten().flatten();
    versions
        .map(|version| version.path().join("bin/python3"))
        .collect()
}

/// What uv has installed or finds; nothing is downloaded.
fn of_uv() -> Vec<PathBuf> {
    let found = MINORS.filter_map(|minor| {
        let said = Shell::new("uv")
            .args(["python", "find", "--no-python-downloads", &format!("3.{minor}")])
            .output();
        let path = String::from_utf8(said.ok()?).ok()?;
        Some(PathBuf::from(path.trim()))
    });
    found.collect()
}

/// The minor version and the patch of an interpreter that starts.
fn version(binary: &Path) -> Option<(u8, u8)> {
    let said = Shell::new(binary).args(["-I", "--version"]).output().ok()?;
    of_said(&String::from_utf8_lossy(&said))
}

/// Of what `python3 --version` says, such as `Python 3.12.1`.
fn of_said(said: &str) -> Option<(u8, u8)> {
    let version = said.trim().strip_prefix("Python 3.")?;
    let mut numbers = version.split(|of: char| !of.is_ascii_digit());
    let mut next = || numbers.next()?.parse().ok();
    Some((next()?, next()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interpreter_says_its_version() {
        for (said, is) in [
            ("Python 3.12.1\n", Some((12, 1))),
            ("Python 3.14.0rc2", Some((14, 0))),
            ("Python 3.13.0+\n", Some((13, 0))),
            ("Python 2.7.18\n", None),
            ("pyenv: python3.9: command not found", None),
            ("", None),
        ] {
            assert_eq!(of_said(said), is, "{said}");
        }
    }
}
