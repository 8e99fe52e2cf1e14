//! How the program ended.

use rustix::process::{Resource, Rlimit, Signal, getpid, kill_process, setrlimit};
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

impl Status {
    /// Ends this process as the program ended, where that was by a signal: who waits for it then sees the same. Returns
    /// where the program ended by itself, or where this process outlives the signal.
    pub fn die_alike(self) {
        let Self::Signal(number) = self else { return };
        let Some(signal) = Signal::from_named_raw(number) else {
            return;
        };
        // A core file would be this process's and not the program's.
        let none = Rlimit {
            current: Some(0),
            maximum: Some(0),
        };
        let _ = setrlimit(Resource::Core, none);
        // The handler that the standard library has for SIGSEGV and SIGBUS only takes itself away at the first one.
        for _ in 0..2 {
            let _ = kill_process(getpid(), signal);
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
