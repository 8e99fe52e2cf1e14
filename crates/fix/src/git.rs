//! What git says of files that are to be changed: a change must be one that it can take back.

use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::Patch;

/// Why files are not changed.
#[derive(Debug, thiserror::Error)]
pub enum GitError {
    /// The directory is in no repository, or git is not there.
    #[error("{} is in no git repository, which could take the change back", .0.display())]
    NoRepository(PathBuf),
    /// Files have changes that are not committed.
    #[error("the repository has changes that are not committed, such as {0}: commit or stash them first")]
    Unclean(String),
    /// A file is none of the repository's.
    #[error("{0} is not in the git repository, which could not restore it")]
    Untracked(String),
    /// git cannot be run.
    #[error("git could not be run")]
    Io(#[from] io::Error),
}

/// Checks that git can restore all that a patch changes: no file of the repository has changes that are not committed, and
/// it has each file of the patch.
///
/// # Errors
/// When one of that does not hold, or git cannot be run.
pub fn can_restore(root: &Path, patch: &Patch) -> Result<(), GitError> {
    let inside = git(root, ["rev-parse", "--is-inside-work-tree"])?;
    if !inside.status.success() || inside.stdout.trim_ascii() != b"true" {
        return Err(GitError::NoRepository(root.to_owned()));
    }
    let status = git(root, ["status", "--porcelain=v1", "--untracked-files=no", "-z"])?;
    if !status.status.success() {
        return Err(GitError::NoRepository(root.to_owned()));
    }
    // `XY name`
    if let Some(first) = status
        .stdout
        .split(|&byte| byte == 0)
        .find_map(|entry| entry.get(3..))
    {
        return Err(GitError::Unclean(String::from_utf8_lossy(first).into_owned()));
    }
    for file in &patch.files {
        let name = file.path.as_os_str();
        let known = git(
            root,
            [
                OsStr::new("ls-files"),
                OsStr::new("--error-unmatch"),
                OsStr::new("--"),
                name,
            ],
        )?;
        if !known.status.success() {
            return Err(GitError::Untracked(file.name.clone()));
        }
    }
    Ok(())
}

fn git<S: AsRef<OsStr>>(root: &Path, arguments: impl IntoIterator<Item = S>) -> io::Result<Output> {
    // Names of files are taken as they are, whatever stands in them.
    let mut git = Command::new("git");
    git.arg("-C").arg(root).arg("--literal-pathspecs").args(arguments);
    git.output()
}
