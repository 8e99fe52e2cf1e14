//! How the files are written, and how they are read back.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use thiserror::Error;

/// Why a file beside a dump cannot be used.
#[derive(Debug, Error)]
pub enum SideFileError {
    /// It cannot be read, or is no list of words.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// It is not what it should be.
    #[error("{} is damaged at line {line}, column {column}: {source}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The line, counted from 1.
        line: usize,
        /// The column in bytes, counted from 1; 0 when the line ended too early.
        column: usize,
        /// What was expected.
        source: serde_json::Error,
    },
}

/// A file of a capture: the name that recorders give it, and how it is written.
#[derive(Debug)]
pub struct SideFile<E> {
    name: &'static str,
    encoding: PhantomData<fn() -> E>,
}

impl<E> SideFile<E> {
    pub(crate) const fn new(name: &'static str) -> Self {
        Self {
            name,
            encoding: PhantomData,
        }
    }

    /// Its name in the capture's directory.
    pub const fn name(&self) -> &'static str {
        self.name
    }
}

impl<E: Encoding> SideFile<E> {
    /// What is in such a file; the record of a capture says where it is.
    ///
    /// # Errors
    ///
    /// [`SideFileError`] if it cannot be read or is not of this form.
    pub fn read(&self, path: &Path) -> Result<E::Contents, SideFileError> {
        E::read(path)
    }
}

/// How a file is written.
pub trait Encoding {
    /// What is in it.
    type Contents;

    /// Reads a file that is written so.
    ///
    /// # Errors
    ///
    /// [`SideFileError::Read`] if it cannot be read, [`SideFileError::Damaged`] with line and column if it is not what
    /// it should be.
    fn read(path: &Path) -> Result<Self::Contents, SideFileError>;
}

/// One JSON value.
#[derive(Debug)]
pub struct Json<T>(PhantomData<fn() -> T>);

impl<T: DeserializeOwned> Encoding for Json<T> {
    type Contents = T;

    fn read(path: &Path) -> Result<T, SideFileError> {
        let text = read_file(path)?;
        serde_json::from_slice(&text).map_err(|source| damaged(path, source.line(), source))
    }
}

/// A JSON value a line.
#[derive(Debug)]
pub struct Lines<T>(PhantomData<fn() -> T>);

impl<T: DeserializeOwned> Encoding for Lines<T> {
    type Contents = Vec<T>;

    fn read(path: &Path) -> Result<Vec<T>, SideFileError> {
        let file = open_file(path)?;
        let lines = BufReader::new(file).lines().enumerate();
        lines
            .map(|(number, line)| {
                let line = line.map_err(unreadable(path))?;
                serde_json::from_str(&line).map_err(|source| damaged(path, number + 1, source))
            })
            .collect()
    }
}

/// Words of 64 bits, the lowest byte first.
#[derive(Debug)]
pub struct Words;

impl Encoding for Words {
    type Contents = Vec<u64>;

    fn read(path: &Path) -> Result<Vec<u64>, SideFileError> {
        let bytes = read_file(path)?;
        let (words, rest) = bytes.as_chunks::<8>();
        if !rest.is_empty() {
            let message = format!(
                "at byte {}: expected a word of 8 bytes, found {}",
                bytes.len() - rest.len(),
                rest.len()
            );
            return Err(unreadable(path)(io::Error::new(
                io::ErrorKind::InvalidData,
                message,
            )));
        }
        Ok(words.iter().map(|word| u64::from_le_bytes(*word)).collect())
    }
}

/// Opens a file and nothing else: a pipe would wait for somebody who writes, and a device may have no end.
fn open_file(path: &Path) -> Result<File, SideFileError> {
    let facts = fs::metadata(path).map_err(unreadable(path))?;
    if !facts.is_file() {
        return Err(unreadable(path)(io::Error::new(
            io::ErrorKind::InvalidInput,
            "not a file",
        )));
    }
    File::open(path).map_err(unreadable(path))
}

fn read_file(path: &Path) -> Result<Vec<u8>, SideFileError> {
    let mut bytes = Vec::new();
    let mut file = open_file(path)?;
    file.read_to_end(&mut bytes).map_err(unreadable(path))?;
    Ok(bytes)
}

fn unreadable(path: &Path) -> impl Fn(io::Error) -> SideFileError {
    move |source| SideFileError::Read {
        path: path.to_owned(),
        source,
    }
}

fn damaged(path: &Path, line: usize, source: serde_json::Error) -> SideFileError {
    SideFileError::Damaged {
        path: path.to_owned(),
        line,
        column: source.column(),
        source,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_file_is_not_read() {
        for path in ["/dev/zero", "/dev/stdin", "/"] {
            if fs::metadata(path).is_ok_and(|facts| facts.is_file()) {
                continue;
            }
            let path = Path::new(path);
            assert!(Words::read(path).is_err(), "{}", path.display());
            assert!(Json::<Vec<u32>>::read(path).is_err(), "{}", path.display());
            assert!(Lines::<u32>::read(path).is_err(), "{}", path.display());
        }
    }

    #[test]
    fn words_are_whole() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("words");
        fs::write(&path, [1, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 1]).unwrap();
        assert_eq!(Words::read(&path).unwrap(), [1, 2 | 1 << 56]);
        fs::write(&path, [1, 0, 0, 0, 0, 0, 0, 0, 2]).unwrap();
        let error = Words::read(&path).unwrap_err();
        let SideFileError::Read { source, .. } = error else {
            panic!("{error}");
        };
        assert!(source.to_string().contains("at byte 8"), "{source}");
    }
}
