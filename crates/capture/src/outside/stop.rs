//! Holds all threads of a process, and lets them go again.
//!
//! By `PTRACE_SEIZE` and `PTRACE_INTERRUPT`: unlike SIGSTOP they are not seen by the process or its parent, and the
//! kernel lets the threads go on when this process ends, even by SIGKILL.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::sys::ptrace;
use nix::sys::signal::Signal;
use nix::sys::wait::WaitStatus;
use nix::unistd::Pid;

use super::OutsideError;
use crate::traced;

/// A process that stands still for as long as this lives. Threads are let go by the thread that holds them.
#[derive(Debug)]
pub struct Stopped {
    /// The held threads, each with a signal that was about to reach it.
    threads: HashMap<i32, Option<Signal>>,
    since: Instant,
}

impl Stopped {
    /// Stops every thread, those included that are made meanwhile.
    pub fn stop(pid: u32) -> Result<Self, OutsideError> {
        let mut stopped = Self {
            threads: HashMap::new(),
            since: Instant::now(),
        };
        loop {
            let new: Vec<i32> = threads(pid)
                .map_err(|source| OutsideError::Process {
                    pid,
                    what: "its threads cannot be listed",
                    source,
                })?
                .into_iter()
                .filter(|thread| !stopped.threads.contains_key(thread))
                .collect();
            if new.is_empty() {
                return Ok(stopped);
            }
            let mut held = Vec::new();
            for thread in new {
                match stopped.hold(thread) {
                    Ok(()) => held.push(thread),
                    // It has ended meanwhile.
                    Err(Errno::ESRCH) => {}
                    Err(error) => {
                        return Err(OutsideError::Process {
                            pid,
                            what: traced::MAY_NOT,
                            source: error.into(),
                        });
                    }
                }
            }
            if held.is_empty() && stopped.threads.is_empty() {
                return Err(OutsideError::Process {
                    pid,
                    what: "it has ended",
                    source: Errno::ESRCH.into(),
                });
            }
            for thread in held {
                if !stopped.wait(thread) {
                    return Err(OutsideError::Stubborn { pid, thread });
                }
            }
            if stopped.threads.is_empty() {
                return Err(OutsideError::Process {
                    pid,
                    what: "it has ended",
                    source: Errno::ESRCH.into(),
                });
            }
        }
    }

    fn hold(&mut self, thread: i32) -> Result<(), Errno> {
        let id = Pid::from_raw(thread);
        ptrace::seize(id, ptrace::Options::empty())?;
        self.threads.insert(thread, None);
        match ptrace::interrupt(id) {
            Ok(()) | Err(Errno::ESRCH) => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// Waits until a thread stands still, or has ended; false when it does neither.
    fn wait(&mut self, thread: i32) -> bool {
        match traced::wait(Pid::from_raw(thread)) {
            Ok(None) => return false,
            // A signal was on its way when the thread was held: it gets it when it goes on.
            Ok(Some(WaitStatus::Stopped(_, signal))) => {
                self.threads.insert(thread, Some(signal));
            }
            Ok(Some(WaitStatus::Exited(..) | WaitStatus::Signaled(..))) | Err(Errno::ECHILD) => {
                self.threads.remove(&thread);
            }
            _ => {}
        }
        true
    }

    /// Lets the process go on; says how long it stood still.
    pub fn resume(mut self) -> Duration {
        self.let_go();
        self.since.elapsed()
    }

    fn let_go(&mut self) {
        for (thread, signal) in self.threads.drain() {
            // Only a thread that has ended cannot be let go.
            let _ = ptrace::detach(Pid::from_raw(thread), signal);
        }
    }
}

impl Drop for Stopped {
    fn drop(&mut self) {
        self.let_go();
    }
}

fn threads(pid: u32) -> io::Result<Vec<i32>> {
    let entries = fs::read_dir(format!("/proc/{pid}/task"))?;
    let ids = entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    Ok(ids.collect())
}
