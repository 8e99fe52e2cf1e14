//! A capture of a program that runs already, without a restart.
//!
//! Node.js opens its inspector at SIGUSR1. Through it the recorder is loaded, which then takes a capture as it would have
//! taken one from the start; afterwards the inspector is as it was. A browser, and whatever else speaks its protocol
//! already, gives a snapshot through it. A Java virtual machine writes its dump itself, asked through a socket of its own. `CPython` runs
//! a script, which loads the recorder; an older one is made to.

mod browser;
mod crowd;
mod error;
mod exchange;
mod inspector;
mod java;
mod node;
mod protocol;
#[cfg(target_arch = "x86_64")]
mod python;
mod sockets;
mod target;

use std::path::PathBuf;
use std::time::Duration;

pub use browser::{Browsed, browse};
pub use error::AttachError;
pub use target::Running;

use crate::{CAPTURES, Capture};
use target::Target;

/// How to capture a program that runs already.
#[derive(Clone, Debug)]
pub struct AttachPlan {
    /// Where the capture goes; made, readable by its owner alone, if it is not there.
    pub directory: PathBuf,
    /// The longest that the program may stand still. What would take longer by estimate is not begun.
    pub max_pause: Duration,
    /// Capture even if the machine seems to have too little free memory for it.
    pub force: bool,
}

impl Default for AttachPlan {
    fn default() -> Self {
        Self {
            directory: PathBuf::from(CAPTURES),
            max_pause: Duration::from_secs(30),
            force: false,
        }
    }
}

impl AttachPlan {
    /// Whether the program may be captured at that cost.
    fn allow(&self, pid: u32, estimate: &Estimate) -> Result<(), AttachError> {
        let megabytes = |bytes: u64| bytes.div_ceil(1_000_000);
        if estimate.pause > self.max_pause {
            return Err(AttachError::Pause {
                pid,
                heap: megabytes(estimate.heap),
                estimate: estimate.pause,
                allowed: self.max_pause,
            });
        }
        match estimate.available {
            Some(available) if available < estimate.memory && !self.force => Err(AttachError::Memory {
                pid,
                needed: megabytes(estimate.memory),
                available: available / 1_000_000,
            }),
            _ => Ok(()),
        }
    }
}

/// A capture that was taken.
#[derive(Debug)]
pub struct Attached {
    /// The capture.
    pub capture: Capture,
    /// How long the program stood still.
    pub pause: Duration,
}

/// What a capture will cost the program, before it is taken.
#[derive(Clone, Copy, Debug)]
pub struct Estimate {
    /// Bytes of the heap in use, garbage included.
    pub heap: u64,
    /// The most memory that the capture takes beside the heap.
    pub memory: u64,
    /// Memory that the program can still have; `None` where the system does not say.
    pub available: Option<u64>,
    /// The longest that the program stands still on an idle machine.
    pub idle_pause: Duration,
    /// The longest that it stands still on the machine as it is now, on which others compute as well.
    pub pause: Duration,
}

/// Captures a running program of Node.js, of `CPython` or of a Java virtual machine. `before` hears what it will cost.
///
/// # Errors
/// [`AttachError`]: the process is not there, cannot be asked, would stand still for too long or run out of memory, or
/// could not write the capture. In each case it goes on.
pub fn attach(
    pid: u32,
    plan: &AttachPlan,
    before: impl FnMut(&Estimate) + Send,
) -> Result<Attached, AttachError> {
    let target = Target::of(pid)?;
    match target.runtime() {
        Running::Node => node::capture(&target, plan, before),
        Running::Java => java::capture(&target, plan, before),
        #[cfg(target_arch = "x86_64")]
        Running::Python => python::capture(&target, plan, before),
        other => Err(AttachError::NoWay { pid, other }),
    }
}

/// What runs in a process.
///
/// # Errors
/// [`AttachError::Process`] when there is no such process, or it may not be looked into.
pub fn running(pid: u32) -> Result<Running, AttachError> {
    Ok(Target::of(pid)?.runtime())
}
