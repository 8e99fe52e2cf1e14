//! The list of a capture's files: written when the capture is collected, and held against the files later.

use std::fs::{self, File};
use std::hash::Hasher;
use std::io::{self, ErrorKind, Read};
use std::path::Path;

use deadweight_sidecar::{Listed, MANIFEST, MANIFEST_SCHEMA, Manifest, RECORD, Record, SideFileError};
use twox_hash::XxHash3_64;

use crate::capture::{Capture, is_plain};
use crate::error::CaptureError;
use crate::whole_file;

/// Lists the files of a capture beside them. One that is in memory has no list: it is gone with this process.
pub(crate) fn seal(capture: &Capture) -> Result<(), CaptureError> {
    let is_streamed = |record: &Record| record.snapshot.as_ref().is_some_and(|snapshot| snapshot.streamed);
    if is_streamed(&capture.record) {
        return Ok(());
    }
    let mut names = capture.record.files();
    names.push(RECORD.name());
    names.sort_unstable();
    names.dedup();
    let files = names
        .into_iter()
        .map(|name| listed(&capture.directory, name))
        .collect::<Result<Vec<_>, _>>()?;
    let manifest = Manifest {
        schema: MANIFEST_SCHEMA.to_owned(),
        files,
    };
    let path = capture.directory.join(MANIFEST.name());
    let write = || -> io::Result<()> {
        let mut text = serde_json::to_vec_pretty(&manifest)?;
        text.push(b'\n');
        whole_file::write(&path, &text)
    };
    write().map_err(|source| CaptureError::Read {
        path: path.clone(),
        source,
    })
}

/// The list of a capture, if it has one: those that no `deadweight run` collected do not.
pub(crate) fn read(directory: &Path) -> Result<Option<Manifest>, CaptureError> {
    let path = directory.join(MANIFEST.name());
    let manifest = match MANIFEST.read(&path) {
        Ok(manifest) => manifest,
        Err(SideFileError::Read { source, .. }) if source.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    if manifest.schema != MANIFEST_SCHEMA {
        return Err(CaptureError::Schema {
            path,
            found: manifest.schema,
            expected: MANIFEST_SCHEMA,
        });
    }
    if let Some(file) = manifest.files.iter().find(|file| !is_plain(&file.name)) {
        return Err(CaptureError::Outside {
            path,
            name: file.name.clone(),
        });
    }
    Ok(Some(manifest))
}

/// Holds the files of a capture against its list, those that `is_wanted` names.
pub(crate) fn verify(
    directory: &Path,
    record: &Record,
    manifest: &Manifest,
    is_wanted: impl Fn(&str) -> bool,
) -> Result<(), CaptureError> {
    let is_listed = |name: &&str| manifest.files.iter().any(|file| file.name == **name);
    if let Some(name) = record.files().into_iter().find(|name| !is_listed(name)) {
        return Err(CaptureError::Changed {
            path: directory.join(name),
            expected: format!("a file that {} lists", MANIFEST.name()),
            found: "one that it does not".to_owned(),
        });
    }
    for file in manifest.files.iter().filter(|file| is_wanted(&file.name)) {
        let is = listed(directory, &file.name)?;
        let (expected, found) = if is.bytes == file.bytes {
            (file.digest.clone(), is.digest)
        } else {
            (format!("{} bytes", file.bytes), format!("{} bytes", is.bytes))
        };
        if expected != found {
            return Err(CaptureError::Changed {
                path: directory.join(&file.name),
                expected,
                found,
            });
        }
    }
    Ok(())
}

fn listed(directory: &Path, name: &str) -> Result<Listed, CaptureError> {
    let path = directory.join(name);
    let read = || -> io::Result<Listed> {
        // A pipe would wait for somebody who writes.
        if !fs::metadata(&path)?.is_file() {
            return Err(io::Error::new(ErrorKind::InvalidInput, "not a file"));
        }
        let mut file = File::open(&path)?;
        let mut hasher = XxHash3_64::new();
        let mut piece = vec![0_u8; 1 << 18];
        let mut bytes = 0;
        loop {
            match file.read(&mut piece) {
                Ok(0) => break,
                Ok(read) => {
                    hasher.write(&piece[..read]);
                    bytes += read as u64;
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(Listed {
            name: name.to_owned(),
            bytes,
            digest: format!("{:016x}", hasher.finish()),
        })
    };
    read().map_err(|source| CaptureError::Read {
        path: path.clone(),
        source,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read_capture;

    fn sealed() -> (tempfile::TempDir, Capture) {
        let home = tempfile::tempdir().unwrap();
        let record = r#"{"schema":"deadweight/capture/1",
            "runtime":{"name":"ruby","version":"3.4.1","word_bytes":8},
            "process":{"pid":7,"reason":"exit","heap_used":1,"heap_total":2,"external":3,"rss":4},
            "snapshot":{"file":"objects.ndjson","string_limit":1024,"numeric_values":true},
            "tables":{"file":"tables.json","count":2,"complete":true}}"#;
        fs::write(home.path().join(RECORD.name()), record).unwrap();
        fs::write(home.path().join("objects.ndjson"), "{}\n{}\n").unwrap();
        fs::write(home.path().join("tables.json"), "[1,2]").unwrap();
        let capture = read_capture(home.path()).unwrap();
        capture.verify().unwrap();
        seal(&capture).unwrap();
        (home, capture)
    }

    #[test]
    fn what_is_as_it_was_is_whole() {
        let (home, capture) = sealed();
        capture.verify().unwrap();
        // What is weighed of it later is no part of it.
        fs::write(home.path().join("weighing.json"), "{}").unwrap();
        capture.verify().unwrap();
    }

    #[test]
    fn every_change_is_seen() {
        for name in ["objects.ndjson", "tables.json", "capture.json"] {
            for (change, said) in [
                (None, "cannot read"),
                (Some("{}\n"), "bytes"),
                (Some(""), "bytes"),
                (Some("{}\n{]\n"), ""),
                (Some("[1,3]"), ""),
            ] {
                let (home, capture) = sealed();
                let path = home.path().join(name);
                match change {
                    None => fs::remove_file(&path).unwrap(),
                    Some(text) => fs::write(&path, text).unwrap(),
                }
                let error = capture.verify().unwrap_err().to_string();
                assert!(error.contains(name) && error.contains(said), "{error}");
            }
        }
    }

    /// Weighing does not need a hash of the dump, which says itself that it was cut; rows beside it do not.
    #[test]
    fn what_stands_beside_a_dump_is_held_against_the_list_before_it_is_read() {
        let (home, capture) = sealed();
        fs::write(home.path().join("objects.ndjson"), "{}\n").unwrap();
        capture.verify_sidecar().unwrap();
        fs::write(home.path().join("tables.json"), "[1]").unwrap();
        let error = capture.verify_sidecar().unwrap_err().to_string();
        assert!(
            error.contains("tables.json") && error.contains("5 bytes"),
            "{error}"
        );
    }

    #[test]
    fn a_dump_is_a_file() {
        let (home, capture) = sealed();
        let dump = home.path().join("objects.ndjson");
        fs::remove_file(&dump).unwrap();
        fs::create_dir(&dump).unwrap();
        let error = capture.verify_sidecar().unwrap_err().to_string();
        assert!(error.contains("objects.ndjson"), "{error}");
    }

    #[test]
    fn a_list_that_is_cut_or_leads_elsewhere_is_refused() {
        let (home, capture) = sealed();
        let path = home.path().join(MANIFEST.name());
        let text = fs::read_to_string(&path).unwrap();
        for changed in [
            text[..text.len() / 2].to_owned(),
            text.replace("tables.json", "../tables.json"),
            text.replace("manifest/1", "manifest/9"),
            text.replace("tables.json", "tablet.json"),
        ] {
            fs::write(&path, changed).unwrap();
            assert!(capture.verify().is_err());
        }
    }
}
