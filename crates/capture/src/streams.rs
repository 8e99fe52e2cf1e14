//! Snapshots that go straight from the recorded process into the memory of this one.

use std::{
    fs::{self, File},
    io,
    os::{
        fd::AsRawFd,
        unix::fs::{DirBuilderExt, symlink},
    },
    path::{Path, PathBuf},
    process,
};

use crate::{capture::list, error::CaptureError, journal::in_memory};

/// How many snapshots may come in one run. An empty one takes no memory.
const MOST: usize = 64;

/// What the names of directories of streams begin with.
const PREFIX: &str = ".streams-";

/// Files that have their bytes in this process's memory, each behind a name in a directory. A recorder moves a name
/// into its capture, which nobody else can do after it, and writes to what it leads to. When this is dropped the bytes
/// and the names are gone.
#[derive(Debug)]
pub(crate) struct Streams {
    captures: PathBuf,
    directory: PathBuf,
    files: Vec<File>,
}

impl Streams {
    /// Makes them, behind names in a directory of their own inside `captures`.
    pub(crate) fn open(captures: &Path, run: &str) -> Result<Self, CaptureError> {
        remove_orphans(captures);
        let directory = captures.join(format!("{PREFIX}{run}"));
        let made = Self {
            captures: captures.to_owned(),
            directory,
            files: Vec::new(),
        };
        made.filled().map_err(CaptureError::Memory)
    }

    fn filled(mut self) -> io::Result<Self> {
        fs::DirBuilder::new().mode(0o700).create(&self.directory)?;
        for number in 0..MOST {
            let file = in_memory("deadweight snapshot")?;
            // By this process's number: the recorded one opens it, as any of the same user may.
            symlink(
                descriptors().join(file.as_raw_fd().to_string()),
                self.directory.join(number.to_string()),
            )?;
            self.files.push(file);
        }
        Ok(self)
    }

    /// Where the names are.
    pub(crate) fn directory(&self) -> &Path {
        &self.directory
    }
}

impl Drop for Streams {
    fn drop(&mut self) {
        // First the names nobody took, then those in captures: some day another process would have this one's number.
        // One that cannot be removed leads nowhere until then.
        let _ = fs::remove_dir_all(&self.directory);
        let ours = descriptors();
        for capture in list(&self.captures).unwrap_or_default() {
            for entry in fs::read_dir(capture).into_iter().flatten().flatten() {
                if fs::read_link(entry.path()).is_ok_and(|to| to.starts_with(&ours)) {
                    let _ = fs::remove_file(entry.path());
                }
            }
        }
    }
}

/// Where the files are that this process has open.
fn descriptors() -> PathBuf {
    PathBuf::from(format!("/proc/{}/fd", process::id()))
}

/// Removes the names that runs left which were killed: they lead nowhere.
fn remove_orphans(captures: &Path) {
    for entry in fs::read_dir(captures).into_iter().flatten().flatten() {
        let path = entry.path();
        let ours = entry.file_name().to_string_lossy().starts_with(PREFIX);
        // Those of a run that goes on have a first one that leads somewhere, or is in a capture already.
        let leads_nowhere = |name: fs::DirEntry| !name.path().exists();
        if ours && fs::read_dir(&path).is_ok_and(|mut names| names.any(|name| name.is_ok_and(leads_nowhere)))
        {
            let _ = fs::remove_dir_all(path);
        }
    }
}
