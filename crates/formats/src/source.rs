//! The bytes of a dump: a mapped file, or its unpacked contents.

use std::fs::File;
use std::io::{self, IsTerminal, Read, Write};
use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::ReadError;
use crate::mapped::MappedFile;
use crate::progress;
use crate::unnamed::Place;

/// A dump's bytes, mapped so that they cost no memory of their own.
#[derive(Clone, Debug)]
pub struct Source {
    /// The path as given.
    pub path: PathBuf,
    /// Size of the file as stored, in bytes.
    pub stored_bytes: u64,
    /// The unpacked contents.
    pub bytes: Arc<MappedFile>,
    /// The file that is mapped.
    file: Arc<File>,
}

/// How a dump is compressed.
#[derive(Clone, Copy, Debug)]
enum Packing {
    Gzip,
    Zstd,
}

impl Packing {
    fn of(head: &[u8]) -> Option<Self> {
        match head {
            [0x1F, 0x8B, ..] => Some(Self::Gzip),
            [0x28, 0xB5, 0x2F, 0xFD, ..] => Some(Self::Zstd),
            _ => None,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Gzip => "gzip",
            Self::Zstd => "zstd",
        }
    }
}

impl Source {
    /// Maps a file; a gzip or zstd file is first unpacked into an unnamed temporary file, so that it too costs disk
    /// and not memory. A pipe, a socket or a terminal is read to its end into [memory](crate::streams_to_disk), packed
    /// or not: nothing of it comes to the disk.
    ///
    /// # Errors
    /// [`ReadError::Io`] when the file cannot be opened, read or mapped, [`ReadError::Packed`] when it does not unpack,
    /// [`ReadError::NoRoom`] when it cannot be kept while it is read.
    pub fn open(path: &Path) -> Result<Self, ReadError> {
        let fail = |source| ReadError::Io {
            path: path.to_owned(),
            source,
        };
        let mut file = File::open(path).map_err(fail)?;
        let facts = file.metadata().map_err(fail)?;
        if is_endless(&file, &facts) {
            return Err(fail(io::Error::new(
                io::ErrorKind::InvalidInput,
                "a device, which may have no end; a file or a pipe was expected",
            )));
        }
        let mut head = [0_u8; 4];
        let read = read_head(&mut file, &mut head).map_err(fail)?;
        let packing = Packing::of(&head[..read]);
        let place = if facts.is_file() {
            Place::disk()
        } else {
            Place::of_streams()
        };
        let mut stored_bytes = facts.len();
        if packing.is_some() || !facts.is_file() {
            let mut whole = Counted::new(head[..read].chain(io::BufReader::with_capacity(1 << 20, file)));
            file = match packing {
                Some(packing @ Packing::Gzip) => unpack(
                    &mut flate2::read::MultiGzDecoder::new(&mut whole),
                    path,
                    packing,
                    &place,
                )?,
                Some(packing @ Packing::Zstd) => {
                    let mut decoder = zstd::stream::read::Decoder::new(&mut whole).map_err(fail)?;
                    unpack(&mut decoder, path, packing, &place)?
                }
                None => keep(&mut whole, &place).map_err(|stopped| match stopped {
                    Stopped::Reading(source) => fail(source),
                    Stopped::Writing(source) => no_room(path, "the stream", &place, source),
                })?,
            };
            stored_bytes = stored_bytes.max(whole.bytes);
        }
        let bytes = MappedFile::of(&file).map_err(fail)?;
        progress::start(bytes.len() as u64);
        Ok(Self {
            path: path.to_owned(),
            stored_bytes,
            bytes: Arc::new(bytes),
            file: Arc::new(file),
        })
    }

    /// Whether all bytes were there whenever somebody read one. Whoever takes something from them asks once more when
    /// all is read: what a file lost meanwhile reads as zeros.
    ///
    /// # Errors
    /// [`ReadError::Lost`] when the file is shorter than when it was opened, or its disk failed.
    pub fn check(&self) -> Result<(), ReadError> {
        let opened = self.bytes.len() as u64;
        let now = self.file.metadata().map_or(opened, |file| file.len());
        let lost = self
            .bytes
            .missing_from()
            .into_iter()
            .chain((now < opened).then_some(now))
            .min();
        match lost {
            None => Ok(()),
            Some(offset) => Err(ReadError::Lost {
                path: self.path.clone(),
                offset,
                opened,
            }),
        }
    }
}

/// Whether it is a device that is no terminal, such as `/dev/zero`.
fn is_endless(file: &File, facts: &std::fs::Metadata) -> bool {
    let kind = facts.file_type();
    (kind.is_char_device() || kind.is_block_device()) && !file.is_terminal()
}

fn read_head(file: &mut File, head: &mut [u8]) -> io::Result<usize> {
    let mut read = 0;
    while read < head.len() {
        match file.read(&mut head[read..])? {
            0 => break,
            more => read += more,
        }
    }
    Ok(read)
}

/// A reader that knows how many bytes came.
struct Counted<R> {
    from: R,
    bytes: u64,
}

impl<R> Counted<R> {
    fn new(from: R) -> Self {
        Self { from, bytes: 0 }
    }
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, piece: &mut [u8]) -> io::Result<usize> {
        let read = self.from.read(piece)?;
        self.bytes += read as u64;
        Ok(read)
    }
}

/// What stops a stream on its way into a file.
enum Stopped {
    Reading(io::Error),
    Writing(io::Error),
}

fn unpack(from: &mut dyn Read, path: &Path, packing: Packing, place: &Place) -> Result<File, ReadError> {
    let mut from = Counted::new(from);
    keep(&mut from, place).map_err(|stopped| match stopped {
        Stopped::Reading(source) => ReadError::Packed {
            path: path.to_owned(),
            packing: packing.name(),
            offset: from.bytes,
            source,
        },
        Stopped::Writing(source) => no_room(path, "what it unpacks to", place, source),
    })
}

fn no_room(path: &Path, what: &'static str, place: &Place, source: io::Error) -> ReadError {
    ReadError::NoRoom {
        path: path.to_owned(),
        what,
        place: place.clone(),
        source,
    }
}

/// Reads to the end into an unnamed file.
fn keep(from: &mut dyn Read, place: &Place) -> Result<File, Stopped> {
    let mut to = place.file().map_err(Stopped::Writing)?;
    let mut piece = vec![0_u8; 1 << 18];
    loop {
        let read = match from.read(&mut piece) {
            Ok(0) => return Ok(to),
            Ok(read) => read,
            Err(source) if source.kind() == io::ErrorKind::Interrupted => continue,
            Err(source) => return Err(Stopped::Reading(source)),
        };
        to.write_all(&piece[..read]).map_err(Stopped::Writing)?;
    }
}
