//! What the recorder of a Ruby process writes beside its dump.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use serde::{Deserialize, de::DeserializeOwned};

use crate::{capture::Capture, error::CaptureError};

/// The files, by what is in them.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
pub struct RubyFiles {
    /// Lists of names, as JSON.
    pub groups: String,
    /// Owners with their group and values, in words of 64 bits.
    pub fields: String,
    /// Address, bytes and hash of strings that are not plain ASCII or share their characters.
    pub strings: String,
    /// The beginnings of texts by their hash, as JSON.
    pub excerpts: String,
    /// Addresses of what was there before the program.
    pub before: String,
}

impl RubyFiles {
    pub(crate) fn names(&self) -> [&String; 5] {
        [
            &self.groups,
            &self.fields,
            &self.strings,
            &self.excerpts,
            &self.before,
        ]
    }
}

/// The contents of [`RubyFiles`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RubyContents {
    /// Lists of names.
    pub groups: Vec<Vec<String>>,
    /// Owners with their group and values.
    pub fields: Vec<u64>,
    /// Address, bytes and hash of strings.
    pub strings: Vec<u64>,
    /// The beginnings of texts by their hash.
    pub excerpts: Vec<(u64, String)>,
    /// Addresses of what was there before the program.
    pub before: Vec<u64>,
}

impl Capture {
    /// What the recorder noted in a Ruby process; `None` for other processes.
    ///
    /// # Errors
    ///
    /// [`CaptureError::Read`] if a file cannot be read or is no list of words, [`CaptureError::Damaged`] if it is no
    /// JSON of the form it should have.
    pub fn ruby_contents(&self) -> Result<Option<RubyContents>, CaptureError> {
        let Some(files) = &self.record.ruby else {
            return Ok(None);
        };
        let path = |name: &String| self.directory.join(name);
        Ok(Some(RubyContents {
            groups: json(path(&files.groups))?,
            fields: words(&path(&files.fields))?,
            strings: words(&path(&files.strings))?,
            excerpts: json(path(&files.excerpts))?,
            before: words(&path(&files.before))?,
        }))
    }
}

fn words(path: &Path) -> Result<Vec<u64>, CaptureError> {
    let failed = |source| CaptureError::Read {
        path: path.to_owned(),
        source,
    };
    let bytes = fs::read(path).map_err(failed)?;
    let (words, rest) = bytes.as_chunks::<8>();
    if !rest.is_empty() {
        let message = format!(
            "at byte {}: expected a word of 8 bytes, found {}",
            bytes.len() - rest.len(),
            rest.len()
        );
        return Err(failed(io::Error::new(io::ErrorKind::InvalidData, message)));
    }
    Ok(words.iter().map(|word| u64::from_le_bytes(*word)).collect())
}

fn json<T: DeserializeOwned>(path: PathBuf) -> Result<T, CaptureError> {
    let text = fs::read(&path).map_err(|source| CaptureError::Read {
        path: path.clone(),
        source,
    })?;
    serde_json::from_slice(&text).map_err(|source| CaptureError::Damaged {
        path,
        line: source.line(),
        column: source.column(),
        source,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_whole() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("words");
        fs::write(&path, [1, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 1]).unwrap();
        assert_eq!(words(&path).unwrap(), [1, 2 | 1 << 56]);
        fs::write(&path, [1, 0, 0, 0, 0, 0, 0, 0, 2]).unwrap();
        let error = words(&path).unwrap_err();
        let CaptureError::Read { source, .. } = error else {
            panic!("{error}");
        };
        assert!(source.to_string().contains("at byte 8"), "{source}");
    }
}
