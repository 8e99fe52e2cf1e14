//! Dumps without their text: every text is replaced by a placeholder of the same size, equal texts by equal ones, so
//! that a stranger can weigh the dump and sees the same bytes and findings, but not what the program wrote.
//!
//! Kept are: numbers, because what a fix saves follows from their values; the names by which a runtime calls its own
//! pieces, its own scripts and the classes of its language; texts of fewer than four characters.

mod names;
mod placeholder;

use std::io::{self, Write};
use std::path::{Path, PathBuf};

pub(crate) use names::is_of_language;
pub(crate) use placeholder::Placeholders;

use crate::error::Malformed;
use crate::{ReadError, Source, format};

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
    #[error("{}: at byte 0: expected a dump whose text can be distinguished from the rest, found {what}", path.display())]
    NoText {
        /// The file.
        path: PathBuf,
        /// What it is, and what to strip in its place.
        what: &'static str,
    },
}

/// What goes wrong while a format is stripped.
pub(crate) enum Failure {
    Malformed(Malformed),
    Read(ReadError),
    Write(io::Error),
    /// What the file is, and what to strip in its place.
    NoText(&'static str),
}

impl From<Malformed> for Failure {
    fn from(error: Malformed) -> Self {
        Self::Malformed(error)
    }
}

impl From<ReadError> for Failure {
    fn from(error: ReadError) -> Self {
        Self::Read(error)
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Write(error)
    }
}

/// Writes dumps anew, unpacked and with their texts replaced; equal texts by equal placeholders in all that one
/// stripper writes, such as the files of a capture. Placeholders are made with a key that is kept nowhere: nobody can
/// find out by trying what a text was.
pub struct Stripper(Placeholders);

impl Default for Stripper {
    fn default() -> Self {
        Self(Placeholders::new())
    }
}

impl Stripper {
    /// Writes the dump at `path` to `out`.
    ///
    /// # Errors
    /// When the dump cannot be read, is of a format whose text is not known, or `out` cannot be written. What can be
    /// wrong with a dump is found before a byte is written.
    pub fn dump(&mut self, path: &Path, out: &mut dyn Write) -> Result<(), StripError> {
        let source = Source::open(path)?;
        let done = match format::of(&source.bytes) {
            Some(format) => format.strip(&source, &mut self.0, out),
            None => Err(Failure::NoText("another format")),
        };
        source.check()?;
        done.map_err(|failure| match failure {
            Failure::Malformed(error) => StripError::Read(error.in_file(path)),
            Failure::Read(error) => StripError::Read(error),
            Failure::Write(error) => StripError::Write(error),
            Failure::NoText(what) => StripError::NoText {
                path: path.to_owned(),
                what,
            },
        })
    }

    /// What stands for a text of the program in a file beside a dump.
    pub fn text(&mut self, text: &str) -> String {
        self.0.text(text)
    }

    /// What stands for a name in a file beside a dump, as it does in the dump.
    pub fn name(&mut self, name: &str) -> String {
        self.0.name(name)
    }
}

/// Writes one dump without its text: [`Stripper::dump`].
///
/// # Errors
/// As there.
pub fn strip(path: &Path, out: &mut dyn Write) -> Result<(), StripError> {
    Stripper::default().dump(path, out)
}
