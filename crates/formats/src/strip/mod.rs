//! Dumps without their text: every text is replaced by a placeholder of the same size, equal texts by equal ones, so
//! that a stranger can weigh the dump and sees the same bytes and findings, but not what the program wrote.
//!
//! Kept are: numbers, because what a fix saves follows from their values; the names by which a runtime calls its own
//! pieces, its own scripts and the classes of its language; texts of fewer than four characters.

mod placeholder;

use std::io::{self, Write};
use std::path::{Path, PathBuf};

pub(crate) use placeholder::Placeholders;

use crate::error::Malformed;
use crate::{ReadError, Source, heapprofile, ruby, v8};

/// Why a dump cannot be stripped.
#[derive(Debug, thiserror::Error)]
pub enum StripError {
    /// The dump cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The stripped dump cannot be written.
    #[error("the stripped dump could not be written: {0}")]
    Write(#[source] io::Error),
    /// There is no way yet to take the text out of this format.
    #[error("{}: at byte 0: expected a heap snapshot of V8, whose text can be told from the rest; found another format", path.display())]
    NoText {
        /// The file.
        path: PathBuf,
    },
}

/// What goes wrong while a format is stripped.
pub(crate) enum Failure {
    Malformed(Malformed),
    Write(io::Error),
}

impl From<Malformed> for Failure {
    fn from(error: Malformed) -> Self {
        Self::Malformed(error)
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Write(error)
    }
}

/// Writes the dump at `path` to `out`, unpacked and with its texts replaced. Placeholders are made with a key that is
/// kept nowhere: nobody can tell by trying what a text was.
///
/// # Errors
/// When the dump cannot be read, is of a format whose text is not known, or `out` cannot be written.
pub fn strip(path: &Path, out: &mut dyn Write) -> Result<(), StripError> {
    let source = Source::open(path)?;
    let start = source.bytes.trim_ascii_start();
    if start.first() != Some(&b'{') || ruby::is_dump(start) || heapprofile::is_profile(start) {
        return Err(StripError::NoText {
            path: path.to_owned(),
        });
    }
    v8::strip(&source.bytes, out).map_err(|failure| match failure {
        Failure::Malformed(error) => StripError::Read(error.in_file(path)),
        Failure::Write(error) => StripError::Write(error),
    })
}
