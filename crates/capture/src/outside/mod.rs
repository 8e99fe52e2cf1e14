//! A picture of a running process's memory, taken from outside: without a recorder in it, and without starting it anew.
//!
//! The process stands still while its memory is copied, and goes on whatever becomes of the copy. The picture is an ELF
//! core file as debuggers read it; what is live in it is for the reader to find.

mod core_file;
pub(crate) mod maps;
mod name;
mod pages;
mod stop;

use std::fs::{self, File};
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use thiserror::Error;

use crate::native::Executable;
use crate::{process_files, traced};
use core_file::Facts;
use maps::Mapping;
use stop::Stopped;

/// Why there is no picture.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum OutsideError {
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
    /// A thread did not stop.
    #[error("process {pid}: thread {thread} did not stand still within {} seconds; it was let go on", traced::PATIENCE.as_secs())]
    Stubborn {
        /// The process's id.
        pid: u32,
        /// The thread's.
        thread: i32,
    },
    /// Walking the heap would show nothing.
    #[error("process {pid}: nothing to weigh: {why}")]
    NotVisible {
        /// Its id.
        pid: u32,
        /// Who keeps the memory where.
        why: String,
    },
    /// The picture cannot be written.
    #[error("the picture of process {pid} cannot be written: {source}")]
    Write {
        /// The process's id.
        pid: u32,
        /// What the system said.
        source: io::Error,
    },
}

/// A picture.
#[derive(Debug)]
pub struct Picture {
    file: File,
    /// The program's file as the process names it.
    pub program: PathBuf,
    /// What its command line calls it.
    pub name: String,
    /// How long the process stood still.
    pub pause: Duration,
    /// Bytes that were copied.
    pub bytes: u64,
}

impl Picture {
    /// The core file. It has no name of its own, so that nothing of it is left however this process ends.
    pub fn path(&self) -> PathBuf {
        PathBuf::from(format!("/proc/self/fd/{}", self.file.as_raw_fd()))
    }
}

/// Stops a process, copies its memory, and lets it go on.
///
/// # Errors
/// When the process is not there or may not be traced, when its heap is not one that can be walked, or when the picture
/// cannot be written. In each case the process goes on.
pub fn picture(pid: u32) -> Result<Picture, OutsideError> {
    let failed = |what: &'static str| move |source| OutsideError::Process { pid, what, source };
    let proc = PathBuf::from(format!("/proc/{pid}"));
    let program =
        fs::read_link(proc.join("exe")).map_err(failed("there is none, or it may not be looked into"))?;
    let mappings = maps::read(&proc.join("maps")).map_err(failed("its memory may not be looked into"))?;
    if let Some(why) = why_not_visible(&proc, &mappings) {
        return Err(OutsideError::NotVisible { pid, why });
    }
    let write = |source| OutsideError::Write { pid, source };
    let file = tempfile::tempfile().map_err(write)?;

    // What cannot change is read before: the process stands still for its memory alone.
    let auxiliary = fs::read(proc.join("auxv")).map_err(failed("its memory may not be looked into"))?;
    let memory = File::open(proc.join("mem")).map_err(failed("its memory may not be looked into"))?;
    let pagemap = File::open(proc.join("pagemap")).map_err(failed("its memory may not be looked into"))?;
    let command_line = fs::read(proc.join("cmdline")).unwrap_or_default();
    let mut facts = facts(&command_line, pid, &program);
    let stopped = Stopped::stop(pid)?;
    let mappings = maps::read(&proc.join("maps")).map_err(failed("its memory may not be looked into"))?;
    let segments = pages::segments(&mappings, &memory, &pagemap);
    let resident = fs::read_to_string(proc.join("statm")).unwrap_or_default();
    let status = fs::read_to_string(proc.join("status")).unwrap_or_default();
    let plan = core_file::plan(segments, &mappings, &auxiliary);
    let bytes = plan.copy(&memory, &file).map_err(write)?;
    let pause = stopped.resume();

    let mut counts = resident
        .split(' ')
        .skip(1)
        .map_while(|pages| pages.parse::<u64>().ok());
    if let (Some(resident), Some(shared)) = (counts.next(), counts.next()) {
        facts.number("resident_bytes", resident * pages::PAGE);
        facts.number("anonymous_bytes", resident.saturating_sub(shared) * pages::PAGE);
    }
    if let Some(peak) = process_files::bytes(&status, "VmHWM") {
        facts.number("peak_resident_bytes", peak);
    }
    facts.number("pause_ns", u64::try_from(pause.as_nanos()).unwrap_or(u64::MAX));
    plan.finish(&facts, &file).map_err(write)?;
    Ok(Picture {
        file,
        name: name::of_process(&command_line, &program),
        program,
        pause,
        bytes,
    })
}

/// What is known of the process beside its memory.
fn facts(command_line: &[u8], pid: u32, program: &Path) -> Facts {
    let mut facts = Facts::default();
    facts.bytes("reason", b"outside");
    facts.number("process", u64::from(pid));
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    facts.number("unix_seconds", now.map_or(0, |time| time.as_secs()));
    facts.bytes("executable", program.as_os_str().as_bytes());
    for argument in process_files::arguments(command_line) {
        facts.bytes("argument", argument);
    }
    facts.bytes("machine", std::env::consts::ARCH.as_bytes());
    facts
}

/// Why stopping the process would be for nothing. What only its memory shows is left to the reader.
fn why_not_visible(proc: &Path, mappings: &[Mapping]) -> Option<String> {
    if Executable::detect(proc.join("exe").as_os_str()) == Some(Executable::Go) {
        return Some("Go manages its memory itself, outside of what can be walked here".to_owned());
    }
    for allocator in ["jemalloc", "tcmalloc", "mimalloc"] {
        let is_it = |mapping: &Mapping| {
            mapping
                .name()
                .windows(allocator.len())
                .any(|name| name == allocator.as_bytes())
        };
        if mappings.iter().any(is_it) {
            return Some(format!(
                "the program allocates with {allocator}, and only glibc's heap can be walked from outside; `deadweight \
                 run -- PROGRAM` records its blocks"
            ));
        }
    }
    None
}
