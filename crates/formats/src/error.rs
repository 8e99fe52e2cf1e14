//! What can be wrong with a dump.

use std::path::PathBuf;

use crate::Place;
use crate::format::all_described;

/// Why a dump cannot be read. Every variant that speaks of the contents gives the byte offset in the (unpacked) file.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The file cannot be opened, mapped or unpacked.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A compressed file does not unpack.
    #[error("{}: at byte {offset} of what it unpacks to: expected a whole {packing} stream, found {source}", path.display())]
    Packed {
        /// The file.
        path: PathBuf,
        /// How it is compressed.
        packing: &'static str,
        /// Bytes that unpacked well.
        offset: u64,
        /// What the unpacking said.
        source: std::io::Error,
    },
    /// The dump has come, but there is no room to keep it as a whole while it is read.
    #[error("{}: {what} could not be {place}: {source}", path.display())]
    NoRoom {
        /// The file.
        path: PathBuf,
        /// What was to be kept: the stream, or what it unpacks to.
        what: &'static str,
        /// Where.
        place: Place,
        /// What the system said.
        source: std::io::Error,
    },
    /// The file lost bytes while it was read: another process cut it, or the disk failed.
    #[error("{}: at byte {offset}: expected the {opened} bytes that the file had when it was opened, found that it lost those behind: it was cut or its disk failed while it was read", path.display())]
    Lost {
        /// The file.
        path: PathBuf,
        /// The first byte that is known to be missing.
        offset: u64,
        /// Bytes of the file when it was opened.
        opened: u64,
    },
    /// No known format.
    #[error("{}: at byte 0: expected {}, found {found}", path.display(), all_described())]
    UnknownFormat {
        /// The file.
        path: PathBuf,
        /// What stands at its beginning.
        found: String,
    },
    /// The dump is in order, but its program's memory is not what the recorder could see.
    #[error("{}: nothing to weigh: {why}", path.display())]
    NotVisible {
        /// The file.
        path: PathBuf,
        /// Who keeps the memory where.
        why: String,
    },
    /// The contents are not what the format says.
    #[error("{}: at byte {offset}: expected {expected}, found {found}", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// Where, in bytes from the beginning of the unpacked file.
        offset: u64,
        /// What should stand there.
        expected: String,
        /// What stands there.
        found: String,
    },
}

/// An error before the path is known to it.
#[derive(Debug)]
pub(crate) struct Malformed {
    pub offset: usize,
    pub expected: String,
    pub found: String,
}

impl Malformed {
    pub(crate) fn new(offset: usize, expected: impl Into<String>, found: impl Into<String>) -> Self {
        Self {
            offset,
            expected: expected.into(),
            found: found.into(),
        }
    }

    /// Describes the byte at `offset`, or the end of the file.
    pub(crate) fn at(bytes: &[u8], offset: usize, expected: impl Into<String>) -> Self {
        let found = match bytes.get(offset) {
            None => "the end of the file".to_owned(),
            Some(byte @ 0x21..=0x7E) => format!("'{}'", char::from(*byte)),
            Some(byte) => format!("byte 0x{byte:02X}"),
        };
        Self::new(offset, expected, found)
    }

    pub(crate) fn in_file(self, path: &std::path::Path) -> ReadError {
        ReadError::Malformed {
            path: path.to_owned(),
            offset: self.offset as u64,
            expected: self.expected,
            found: self.found,
        }
    }
}
