//! What holding the threads of another process (ptrace) has in common, whatever for.

use std::thread::sleep;
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::Pid;

/// How long a thread may take to stand still: one that waits for a disk does not before the disk answers.
pub(crate) const PATIENCE: Duration = Duration::from_secs(5);

/// What the system's refusal means.
pub(crate) const MAY_NOT: &str =
    "it may not be traced (another tracer, another user, or a limit such as kernel.yama.ptrace_scope)";

/// The next thing that happens to a held thread; `None` when nothing does within [`PATIENCE`].
pub(crate) fn wait(thread: Pid) -> nix::Result<Option<WaitStatus>> {
    let start = Instant::now();
    let mut nap = Duration::from_micros(20);
    while start.elapsed() < PATIENCE {
        match waitpid(thread, Some(WaitPidFlag::__WALL | WaitPidFlag::WNOHANG)) {
            Ok(WaitStatus::StillAlive) | Err(Errno::EINTR) => {
                sleep(nap);
                nap = (nap * 2).min(Duration::from_millis(5));
            }
            happened => return happened.map(Some),
        }
    }
    Ok(None)
}
