//! How the program ended.

use std::{os::unix::process::ExitStatusExt, process::ExitStatus};

/// The end of the program, to be passed on unchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// It ended by itself, with this exit code.
    Code(i32),
    /// It was killed by the signal of this number.
    Signal(i32),
}

impl Status {
    /// The exit code that says the same to a shell: a signal is 128 plus its number.
    pub fn exit_code(self) -> i32 {
        match self {
            Self::Code(code) => code,
            Self::Signal(signal) => 128 + signal,
        }
    }
}

impl From<ExitStatus> for Status {
    fn from(status: ExitStatus) -> Self {
        match (status.code(), status.signal()) {
            (Some(code), _) => Self::Code(code),
            (None, Some(signal)) => Self::Signal(signal),
            (None, None) => Self::Code(1),
        }
    }
}
