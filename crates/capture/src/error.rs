//! What can go wrong between the command line and a capture in memory.

use std::{io, path::PathBuf};

use deadweight_sidecar::SideFileError;
use thiserror::Error;

use crate::trigger::TriggerError;

/// Why there is no outcome, or why a capture cannot be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CaptureError {
    /// The plan names no program.
    #[error("no program to run was given")]
    NoProgram,
    /// The plan has no trigger, so that nothing would ever be captured.
    #[error("no trigger was given: nothing would be captured")]
    NoTrigger,
    /// A trigger expression is not understood.
    #[error(transparent)]
    Trigger(#[from] TriggerError),
    /// The directory for captures cannot be made or listed.
    #[error("cannot use {} as the directory for captures: {source}", path.display())]
    Directory {
        /// The directory.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The recorder cannot be put where the program can load it.
    #[error("cannot write the recorder to {}: {source}", path.display())]
    Recorder {
        /// The file or directory.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// There are no files in memory that snapshots could go to.
    #[error("snapshots cannot be kept in memory: {0}")]
    Memory(#[source] io::Error),
    /// A library that records programs is not there.
    #[error("{name} is not there: {why}; {variable}=FILE names another")]
    NoLibrary {
        /// Its file.
        name: &'static str,
        /// Why not.
        why: String,
        /// The variable that names another one.
        variable: &'static str,
    },
    /// The dynamic linker cannot be pointed to the native recorder.
    #[error("the recorder {} cannot be preloaded from a path with a space or a colon in it", path.display())]
    LibraryPath {
        /// Where it is.
        path: PathBuf,
    },
    /// The program cannot be started.
    #[error("cannot start {}: {source}", program.display())]
    Start {
        /// The program as it was given.
        program: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The program was started, but its end or its signals cannot be watched.
    #[error("cannot watch over the program: {0}")]
    Watch(#[source] io::Error),
    /// The directory has no `capture.json`: it is no capture, or its process died while it was written.
    #[error("{} is not a complete capture: it has no capture.json", directory.display())]
    Incomplete {
        /// The directory.
        directory: PathBuf,
    },
    /// A file of a capture is not as it was when the capture was collected.
    #[error("{} was changed or cut: expected {expected}, found {found}", path.display())]
    Changed {
        /// The file.
        path: PathBuf,
        /// What its list says.
        expected: String,
        /// What is there.
        found: String,
    },
    /// A file of a capture cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A file of a capture is not what it should be.
    #[error("{} is damaged at line {line}, column {column}: {source}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The line, counted from 1.
        line: usize,
        /// The column in bytes, counted from 1; 0 when the line ended too early.
        column: usize,
        /// What was expected.
        source: serde_json::Error,
    },
    /// The capture was written in a form this version does not know.
    #[error("{} has the schema \"{found}\"; this version reads \"{expected}\"", path.display())]
    Schema {
        /// The file.
        path: PathBuf,
        /// The schema it names.
        found: String,
        /// The schema this version reads.
        expected: &'static str,
    },
    /// The record names a file that is not inside its own directory.
    #[error("{} names the file \"{name}\", which is not inside the capture", path.display())]
    Outside {
        /// The record.
        path: PathBuf,
        /// The name it gives.
        name: String,
    },
}

impl From<SideFileError> for CaptureError {
    fn from(error: SideFileError) -> Self {
        match error {
            SideFileError::Read { path, source } => Self::Read { path, source },
            SideFileError::Damaged {
                path,
                line,
                column,
                source,
            } => Self::Damaged {
                path,
                line,
                column,
                source,
            },
        }
    }
}
