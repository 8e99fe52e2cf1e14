//! What `/proc` says of the process to capture.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::AttachError;
use crate::process_files;

/// What runs in a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Running {
    /// Node.js.
    Node,
    /// Ruby.
    Ruby,
    /// A Java virtual machine: that of `OpenJDK`.
    Java,
    /// An interpreter of Python, or a program that has one in it.
    Python,
    /// A native program, or a runtime that is not known.
    Other,
}

/// A running process.
#[derive(Clone, Debug)]
pub(super) struct Target {
    pub pid: u32,
    proc: PathBuf,
    status: String,
    executable: PathBuf,
}

impl Target {
    pub fn of(pid: u32) -> Result<Self, AttachError> {
        let failed = |what: &'static str| move |source| AttachError::Process { pid, what, source };
        let proc = PathBuf::from(format!("/proc/{pid}"));
        let status = fs::read_to_string(proc.join("status")).map_err(failed("there is none"))?;
        let executable = fs::read_link(proc.join("exe")).map_err(failed("it may not be looked into"))?;
        Ok(Self {
            pid,
            proc,
            status,
            executable,
        })
    }

    pub fn runtime(&self) -> Running {
        let name = self.executable.file_name().unwrap_or_default().to_string_lossy();
        // `node (deleted)` after an upgrade, `nodejs` of Debian, `node-22` beside others; `ruby3.1`.
        let is = |runtime: &str| {
            name.strip_prefix(runtime)
                .is_some_and(|rest| !rest.starts_with(|c: char| c.is_ascii_alphabetic()))
        };
        if is("node") || is("nodejs") {
            Running::Node
        } else if is("ruby") {
            Running::Ruby
        } else if is("python") {
            Running::Python
        } else if self.has_mapped("/libjvm.so") {
            Running::Java
        } else if self.has_mapped("/libpython3.") {
            Running::Python
        } else {
            Running::Other
        }
    }

    /// Whether a library is in its memory, by how the name of its file begins after the last slash: whoever starts a Java
    /// virtual machine may have any name.
    fn has_mapped(&self, library: &str) -> bool {
        let maps = fs::read(self.proc("maps")).unwrap_or_default();
        let mut lines = maps.split(|byte| *byte == b'\n');
        lines.any(|line| {
            let slash = line.iter().rposition(|byte| *byte == b'/');
            slash.is_some_and(|slash| line[slash..].starts_with(library.as_bytes()))
        })
    }

    /// The file of its program.
    pub fn executable(&self) -> &Path {
        &self.executable
    }

    /// A line of its status that is an amount of memory, in bytes; 0 where it has none.
    pub fn bytes(&self, name: &str) -> u64 {
        process_files::bytes(&self.status, name).unwrap_or_default()
    }

    /// A file of its in `/proc`.
    pub fn proc(&self, name: &str) -> PathBuf {
        self.proc.join(name)
    }

    /// The words behind a name in its status.
    fn words(&self, name: &str) -> impl Iterator<Item = &str> {
        let line = self.status.lines().find_map(|line| line.strip_prefix(name));
        line.unwrap_or_default()
            .trim_start_matches(':')
            .split_ascii_whitespace()
    }

    /// Whether it has a handler for a signal, which would end it otherwise.
    pub fn catches(&self, signal: i32) -> bool {
        let caught = self
            .words("SigCgt")
            .next()
            .and_then(|mask| u64::from_str_radix(mask, 16).ok());
        caught.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
    }

    /// Its id as it knows it itself.
    pub fn own_pid(&self) -> u32 {
        let last = self.words("NSpid").last().and_then(|pid| pid.parse().ok());
        last.unwrap_or(self.pid)
    }

    /// The user and the group that it acts as.
    pub fn user(&self) -> (u32, u32) {
        let effective = |name: &str| self.words(name).nth(1).and_then(|id| id.parse().ok());
        (
            effective("Uid").unwrap_or_default(),
            effective("Gid").unwrap_or_default(),
        )
    }

    /// Whether it lives in another namespace of a kind (`mnt`, `net`) than this process.
    pub fn is_apart(&self, kind: &str) -> bool {
        let of = |proc: &Path| fs::read_link(proc.join("ns").join(kind));
        match (of(&self.proc), of(Path::new("/proc/self"))) {
            (Ok(its), Ok(own)) => its != own,
            _ => false,
        }
    }

    /// Runs `work` where the process's own addresses of the network are.
    pub fn in_its_network<T: Send>(&self, work: impl FnOnce() -> T + Send) -> Result<T, AttachError> {
        if !self.is_apart("net") {
            return Ok(work());
        }
        let failed = |source: io::Error| AttachError::Process {
            pid: self.pid,
            what: "its network cannot be entered",
            source,
        };
        let namespace = fs::File::open(self.proc.join("ns/net")).map_err(failed)?;
        std::thread::scope(|scope| {
            // A thread of its own: one that has moved does not come back.
            let moved = scope.spawn(|| {
                let kind = rustix::thread::LinkNameSpaceType::Network;
                rustix::thread::move_into_link_name_space(std::os::fd::AsFd::as_fd(&namespace), Some(kind))
                    .map_err(io::Error::from)?;
                Ok(work())
            });
            moved
                .join()
                .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        })
        .map_err(failed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(executable: &str) -> Running {
        let status = "SigCgt:\t0000000000000200\nUid:\t1\t2\t3\t4\nGid:\t5\t6\t7\t8\nNSpid:\t70\t7\n";
        let target = Target {
            pid: 70,
            proc: PathBuf::from("/nowhere"),
            status: status.to_owned(),
            executable: PathBuf::from(executable),
        };
        assert!(target.catches(10) && !target.catches(9) && !target.catches(11));
        assert_eq!((target.own_pid(), target.user()), (7, (2, 6)));
        target.runtime()
    }

    #[test]
    fn the_executable_shows_the_runtime() {
        for node in [
            "/usr/bin/node",
            "/opt/node-v22/bin/node (deleted)",
            "/usr/bin/nodejs",
            "/bin/node18",
        ] {
            assert_eq!(named(node), Running::Node, "{node}");
        }
        assert_eq!(named("/usr/bin/ruby3.1"), Running::Ruby);
        for python in [
            "/usr/bin/python3.11",
            "/venv/bin/python",
            "/opt/python3 (deleted)",
        ] {
            assert_eq!(named(python), Running::Python, "{python}");
        }
        for other in ["/usr/bin/nodemonster", "/usr/bin/pythonista", "/usr/sbin/nginx"] {
            assert_eq!(named(other), Running::Other, "{other}");
        }
    }

    #[test]
    fn this_process_is_there_and_no_process_is_not() {
        let own = Target::of(std::process::id()).unwrap();
        assert!(!own.is_apart("net") && !own.is_apart("mnt"));
        assert_eq!(own.own_pid(), std::process::id());
        assert!(matches!(Target::of(u32::MAX), Err(AttachError::Process { .. })));
    }
}
