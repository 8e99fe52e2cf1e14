//! The bytes of a dump: a mapped file, or its unpacked contents.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use memmap2::Mmap;

use crate::ReadError;

/// A dump's bytes, mapped so that they cost no memory of their own.
#[derive(Clone, Debug)]
pub struct Source {
    /// The path as given.
    pub path: PathBuf,
    /// Size of the file as stored, in bytes.
    pub stored_bytes: u64,
    /// The unpacked contents.
    pub bytes: Arc<Mmap>,
}

const GZIP: &[u8] = &[0x1F, 0x8B];
const ZSTD: &[u8] = &[0x28, 0xB5, 0x2F, 0xFD];

impl Source {
    /// Maps a file; a gzip or zstd file is first unpacked into an unnamed temporary file, so that it too costs disk
    /// and not memory.
    ///
    /// # Errors
    /// [`ReadError::Io`] when the file cannot be opened or mapped, [`ReadError::Packed`] when it does not unpack.
    pub fn open(path: &Path) -> Result<Self, ReadError> {
        let fail = |source| ReadError::Io {
            path: path.to_owned(),
            source,
        };
        let mut file = File::open(path).map_err(fail)?;
        let stored_bytes = file.metadata().map_err(fail)?.len();
        let mut head = [0_u8; 4];
        let read = read_head(&mut file, &mut head).map_err(fail)?;
        let head = &head[..read];
        if head.starts_with(GZIP) {
            let mut decoder = flate2::read::MultiGzDecoder::new(reopen(path).map_err(fail)?);
            file = unpack(&mut decoder, path, "gzip")?;
        } else if head.starts_with(ZSTD) {
            let mut decoder = zstd::stream::read::Decoder::new(reopen(path).map_err(fail)?).map_err(fail)?;
            file = unpack(&mut decoder, path, "zstd")?;
        }
        let bytes = map(&file).map_err(fail)?;
        Ok(Self {
            path: path.to_owned(),
            stored_bytes,
            bytes: Arc::new(bytes),
        })
    }
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

fn reopen(path: &Path) -> io::Result<io::BufReader<File>> {
    Ok(io::BufReader::with_capacity(1 << 20, File::open(path)?))
}

fn unpack(from: &mut dyn Read, path: &Path, packing: &'static str) -> Result<File, ReadError> {
    let fail = |source| ReadError::Io {
        path: path.to_owned(),
        source,
    };
    let mut to = tempfile::tempfile().map_err(fail)?;
    let mut piece = vec![0_u8; 1 << 18];
    let mut offset = 0;
    loop {
        let read = match from.read(&mut piece) {
            Ok(0) => return Ok(to),
            Ok(read) => read,
            Err(source) if source.kind() == io::ErrorKind::Interrupted => continue,
            Err(source) => {
                return Err(ReadError::Packed {
                    path: path.to_owned(),
                    packing,
                    offset,
                    source,
                });
            }
        };
        to.write_all(&piece[..read]).map_err(fail)?;
        offset += read as u64;
    }
}

#[expect(unsafe_code, reason = "mapping a file is unsafe by nature")]
pub(crate) fn map(file: &File) -> io::Result<Mmap> {
    // SAFETY: the bytes are only read, and every reader checks each index and number it takes from them, so that a
    // file another process rewrites meanwhile gives wrong figures or an error, never a bad access. A file that is
    // cut shorter while it is mapped ends the process with SIGBUS; dumps are written once and renamed into place.
    unsafe { Mmap::map(file) }
}
