//! Files without a name, for bytes that a reader needs as a whole: what a packed dump unpacks to, and a stream.

use std::fs::File;
use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether streams go to disk. One switch for the process, as the limit of memory is that makes somebody turn it.
static TO_DISK: AtomicBool = AtomicBool::new(false);

/// From now on dumps that come as a stream are kept on disk, in an unnamed temporary file, and not in memory.
pub fn streams_to_disk() {
    TO_DISK.store(true, Ordering::Relaxed);
}

/// Where an unnamed file is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// Its pages are of no disk: they take as much memory as there are bytes.
    Memory,
    /// Its bytes lie on the disk of this directory.
    Directory(PathBuf),
}

impl Place {
    /// On disk, where temporary files are.
    pub(crate) fn disk() -> Self {
        Self::Directory(std::env::temp_dir())
    }

    /// Where streams are kept: in memory, where the system has such files and nobody limits it.
    pub(crate) fn of_streams() -> Self {
        if cfg!(target_os = "linux") && !TO_DISK.load(Ordering::Relaxed) {
            Self::Memory
        } else {
            Self::disk()
        }
    }

    /// An empty file there.
    pub(crate) fn file(&self) -> io::Result<File> {
        match self {
            #[cfg(target_os = "linux")]
            Self::Memory => in_memory(),
            #[cfg(not(target_os = "linux"))]
            Self::Memory => tempfile::tempfile(),
            Self::Directory(directory) => tempfile::tempfile_in(directory),
        }
    }
}

/// A file of memory pages, gone when nobody has it open or mapped any more.
#[cfg(target_os = "linux")]
fn in_memory() -> io::Result<File> {
    let file = rustix::fs::memfd_create("deadweight", rustix::fs::MemfdFlags::CLOEXEC)?;
    Ok(File::from(file))
}

impl std::fmt::Display for Place {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Memory => out.write_str("kept in memory (--memory-limit keeps it on disk)"),
            Self::Directory(directory) => {
                write!(
                    out,
                    "written in {} (TMPDIR names another place)",
                    directory.display()
                )
            }
        }
    }
}
