//! Memory that may go to disk.
//!
//! A program whose global allocator is [`Spilling`] can be told to [keep to a limit](keep_to): from then on large
//! pieces come from a file that is mapped and has no name. Their pages belong to the file, so the kernel can write them
//! out and take them back, and a watch lets go of them when more memory is in use than the limit allows. Nothing of the
//! program needs to know: columns stay slices.
//!
//! Without a limit large pieces have pages of their own. When a piece is given back, they are kept for the next one as
//! far as no more memory is taken than was in use before, and go back to the system beyond that.
//!
//! Small pieces stay where they were. When these alone exceed the limit, the program is warned and ends.

mod allocator;
#[cfg(target_os = "linux")]
mod kept;
#[cfg(target_os = "linux")]
mod pages;
#[cfg(target_os = "linux")]
mod region;
#[cfg(target_os = "linux")]
mod watch;

pub use allocator::Spilling;

use std::path::PathBuf;

/// Why a limit cannot be kept.
#[derive(Debug, thiserror::Error)]
pub enum SpillError {
    /// There is no file that large pieces could go to.
    #[error("no file for what does not fit into memory can be made in {} (TMPDIR names another place)", directory.display())]
    Directory {
        /// Where it was tried.
        directory: PathBuf,
        /// Why not.
        source: std::io::Error,
    },
    /// Less memory than any run takes.
    #[error("a limit of {0} bytes is too low: at least {LEAST} are needed")]
    TooLow(u64),
    /// Mapped files of this system are not known.
    #[error("memory can be limited on Linux alone")]
    Elsewhere,
}

/// A limit that could not be kept.
#[derive(Clone, Debug)]
pub struct Exceeded {
    /// Bytes in memory that are of no file.
    pub needed: u64,
    /// Where large pieces should have gone, when some stayed in memory because the disk there had no room.
    pub full: Option<PathBuf>,
}

/// No limit is lower, in bytes: threads and their stacks take a part of it already.
pub const LEAST: u64 = 64 << 20;

/// From now on at most so many bytes of memory are in use at a time. Large pieces go to a file in `TMPDIR` or else in
/// `/var/tmp`, which is gone with the process. `exceeded` is called when what stays in memory exceeds
/// the limit: small pieces, and large ones that the disk had no room for. The process ends after it.
///
/// # Errors
/// When there is no place for the file, or the limit is lower than [`LEAST`].
#[cfg(target_os = "linux")]
pub fn keep_to(bytes: u64, exceeded: impl FnOnce(Exceeded) + Send + 'static) -> Result<(), SpillError> {
    if bytes < LEAST {
        return Err(SpillError::TooLow(bytes));
    }
    let named = std::env::var_os("TMPDIR").map(PathBuf::from);
    let on_disk = || Some(PathBuf::from("/var/tmp")).filter(|path| path.is_dir());
    let directory = named.or_else(on_disk).unwrap_or_else(std::env::temp_dir);
    if let Err(source) = region::begin(&directory) {
        return Err(SpillError::Directory { directory, source });
    }
    watch::begin(bytes, directory, exceeded);
    Ok(())
}

/// From now on at most so many bytes of memory are in use at a time.
///
/// # Errors
/// Always: only Linux is known.
#[cfg(not(target_os = "linux"))]
pub fn keep_to(bytes: u64, _exceeded: impl FnOnce(Exceeded) + Send + 'static) -> Result<(), SpillError> {
    if bytes < LEAST {
        return Err(SpillError::TooLow(bytes));
    }
    Err(SpillError::Elsewhere)
}
