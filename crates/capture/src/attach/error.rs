//! Why a running program was not captured.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use thiserror::Error;

use super::Running;
use crate::CaptureError;

/// Why there is no capture of a program that runs already. The program goes on in each case.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum AttachError {
    /// No such process, or none that may be looked into.
    #[error("process {pid}: {what}: {source}")]
    Process {
        /// Its id.
        pid: u32,
        /// What was tried.
        what: &'static str,
        /// What the system said.
        source: io::Error,
    },
    /// Its runtime takes no capture when it is asked from outside.
    #[error("process {pid} {}", why_not(*other))]
    NoWay {
        /// Its id.
        pid: u32,
        /// What runs in it.
        other: Running,
    },
    /// The inspector is not open and does not open.
    #[error("process {pid}: its inspector did not open: {why}")]
    Inspector {
        /// Its id.
        pid: u32,
        /// Why, as far as it is known.
        why: String,
    },
    /// A Java virtual machine does not do what it is asked.
    #[error("process {pid} is a Java virtual machine that cannot be captured: {why}")]
    Refused {
        /// Its id.
        pid: u32,
        /// Why, as far as it is known.
        why: String,
    },
    /// An interpreter of Python is not handed the script that captures it.
    #[error("process {pid} runs Python and cannot be captured: {why}")]
    Handed {
        /// Its id.
        pid: u32,
        /// Why, as far as it is known.
        why: String,
    },
    /// The conversation with the inspector broke off.
    #[error("the inspector at {at}: {why}")]
    Protocol {
        /// Its address.
        at: String,
        /// What went wrong.
        why: String,
    },
    /// The program would stand still for too long.
    #[error(
        "process {pid} has {heap} MB of heap: a capture stops it for about {:.1} s, and {:.1} s are allowed; `--max-pause {:.0}s` \
         allows it",
        estimate.as_secs_f64(), allowed.as_secs_f64(), estimate.as_secs_f64().ceil()
    )]
    Pause {
        /// Its id.
        pid: u32,
        /// Megabytes of its heap.
        heap: u64,
        /// How long it may take.
        estimate: Duration,
        /// What is allowed.
        allowed: Duration,
    },
    /// The program might run out of memory.
    #[error(
        "process {pid} might not survive it: a snapshot of its heap takes up to {needed} MB beside it, and {available} MB \
         are free; `--force` takes it all the same"
    )]
    Memory {
        /// Its id.
        pid: u32,
        /// Megabytes that a snapshot takes.
        needed: u64,
        /// Megabytes that are left.
        available: u64,
    },
    /// The recorder could not be loaded or failed.
    #[error("process {pid}: the recorder failed in it: {why}")]
    Recorder {
        /// Its id.
        pid: u32,
        /// What the runtime said.
        why: String,
    },
    /// The recorder or the capture cannot be exchanged with the process.
    #[error("{}: {source}", path.display())]
    Files {
        /// The file or directory.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The capture is not there, or is not what it should be.
    #[error(transparent)]
    Capture(#[from] CaptureError),
}

fn why_not(other: Running) -> &'static str {
    match other {
        Running::Ruby => {
            "runs Ruby, which loads nothing from outside: start it with `deadweight run -- ruby …`, then a signal \
             captures it at any time"
        }
        Running::Python => {
            "runs a Python that takes no script from outside: it is no CPython, or not for x86-64. Start it with \
             `deadweight run -- python …`, then a signal captures it at any time"
        }
        Running::Node | Running::Java | Running::Other => {
            "runs no runtime that can be asked for its heap: `deadweight weigh --pid` looks at native programs from \
             outside"
        }
    }
}
