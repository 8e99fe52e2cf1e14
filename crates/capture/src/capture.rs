//! A capture on disk: `capture.json` and the files it names.

use std::{
    fs,
    io::{self, ErrorKind},
    path::{Component, Path, PathBuf},
};

use deadweight_sidecar::{
    ARRAYS, BEFORE, BUFFERS, BufferRow, CAPTURE_EXTENSION, CLASSES, Counts, EQUAL, EXCERPTS, Encoding,
    FIELDS, GROUPS, HISTOGRAM, Histogram, Json, RECORD, Record, RubyContents, SCHEMA, STRINGS, SideFile,
    TABLES, TEXTS, VIEWS,
};
use serde::Deserialize;

use crate::{error::CaptureError, manifest, native};

/// The folder that captures are written to by default.
pub const CAPTURES: &str = "deadweight-captures";

/// A directory for captures within that for captures, which programs that watch files do not look into.
const HIDDEN: &str = ".nodemon";

/// A complete capture.
#[derive(Clone, Debug)]
pub struct Capture {
    /// Its directory, named `<program>-<pid>-<n>.deadweight`.
    pub directory: PathBuf,
    /// What `capture.json` says.
    pub record: Record,
}

impl Capture {
    /// Higher for the capture that is rather meant.
    pub fn rank(&self) -> (bool, u64) {
        let process = &self.record.process;
        (!process.runner, process.heap_used + process.external)
    }

    /// The heap snapshot, if one was taken.
    pub fn snapshot_path(&self) -> Option<PathBuf> {
        self.record
            .snapshot
            .as_ref()
            .map(|snapshot| self.directory.join(&snapshot.file))
    }

    /// Holds the files against the list that was made of them when the capture was collected; a capture without a list
    /// passes.
    ///
    /// # Errors
    ///
    /// [`CaptureError::Changed`] if a file is not as it was, [`CaptureError::Read`] if one is not there, and those of a
    /// list that cannot be used.
    pub fn verify(&self) -> Result<(), CaptureError> {
        self.verify_files(|_| true)
    }

    /// Holds what stands beside the dumps against the list, as [`Capture::verify`] does. Dumps say themselves where they
    /// were cut; a side file that lost its last rows does not.
    ///
    /// # Errors
    ///
    /// Those of [`Capture::verify`].
    pub fn verify_sidecar(&self) -> Result<(), CaptureError> {
        let record = &self.record;
        let snapshot = record.snapshot.as_ref().map(|snapshot| snapshot.file.as_str());
        let churn = record.churn.as_ref().map(|churn| churn.file.as_str());
        let dumps = [snapshot, churn];
        for path in dumps.into_iter().flatten().map(|name| self.directory.join(name)) {
            // A pipe would wait for somebody who writes.
            if path.exists() && !path.is_file() {
                return Err(CaptureError::Changed {
                    path,
                    expected: "a file".to_owned(),
                    found: "something else".to_owned(),
                });
            }
        }
        self.verify_files(|name| !dumps.contains(&Some(name)))
    }

    fn verify_files(&self, is_wanted: impl Fn(&str) -> bool) -> Result<(), CaptureError> {
        match manifest::read(&self.directory)? {
            Some(list) => manifest::verify(&self.directory, &self.record, &list, is_wanted),
            None => Ok(()),
        }
    }

    /// What the probe found in each buffer, in the order of the probe's array in the snapshot; `None` without a
    /// probe.
    ///
    /// # Errors
    ///
    /// [`CaptureError::Read`] if the file cannot be read, [`CaptureError::Damaged`] with the line if a row is not
    /// one.
    pub fn buffer_rows(&self) -> Result<Option<Vec<BufferRow>>, CaptureError> {
        let buffers = self.record.buffers.as_ref();
        buffers
            .map(|buffers| self.read(&BUFFERS, &buffers.file))
            .transpose()
    }

    /// The path of the record of allocations, if there is one.
    pub fn churn_path(&self) -> Option<PathBuf> {
        let churn = self.record.churn.as_ref()?;
        Some(self.directory.join(&churn.file))
    }

    /// How many entries each map and set has, in the order of the array `tables` of the probe in the snapshot; `None`
    /// when nobody counted.
    ///
    /// # Errors
    ///
    /// [`CaptureError::Read`] if the file cannot be read, [`CaptureError::Damaged`] if it is not an array of numbers.
    pub fn table_counts(&self) -> Result<Option<Vec<u32>>, CaptureError> {
        self.counts(&TABLES, self.record.tables.as_ref())
    }

    /// Lengths of arrays that the snapshot does not state, in the order of the array `arrays` of the probe in the
    /// snapshot; `None` when nobody counted.
    ///
    /// # Errors
    ///
    /// [`CaptureError::Read`] if the file cannot be read, [`CaptureError::Damaged`] if it is not an array of numbers.
    pub fn array_counts(&self) -> Result<Option<Vec<u32>>, CaptureError> {
        self.counts(&ARRAYS, self.record.arrays.as_ref())
    }

    /// Bytes that each view on a buffer spans, in the order of the array `views` of the probe in the snapshot; `None`
    /// when nobody counted.
    ///
    /// # Errors
    ///
    /// [`CaptureError::Read`] if the file cannot be read, [`CaptureError::Damaged`] if it is not an array of numbers.
    pub fn view_bytes(&self) -> Result<Option<Vec<u32>>, CaptureError> {
        self.counts(&VIEWS, self.record.views.as_ref())
    }

    /// How long strings of a sample are, in UTF-16 units, in the order of the array `texts` of the probe in the
    /// snapshot; `None` when nobody counted.
    ///
    /// # Errors
    ///
    /// [`CaptureError::Read`] if the file cannot be read, [`CaptureError::Damaged`] if it is not an array of numbers.
    pub fn text_lengths(&self) -> Result<Option<Vec<u32>>, CaptureError> {
        self.counts(&TEXTS, self.record.texts.as_ref())
    }

    /// For each of these strings the place of the first that is equal: its own, when it is the first. `u32::MAX` stands for
    /// one that was not compared. `None` when none were.
    ///
    /// # Errors
    ///
    /// [`CaptureError::Read`] if the file cannot be read, [`CaptureError::Damaged`] if it is not an array of numbers.
    pub fn equal_texts(&self) -> Result<Option<Vec<u32>>, CaptureError> {
        self.counts(&EQUAL, self.record.equal.as_ref())
    }

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
        Ok(Some(RubyContents {
            groups: self.read(&GROUPS, &files.groups)?,
            fields: self.read(&FIELDS, &files.fields)?,
            strings: self.read(&STRINGS, &files.strings)?,
            excerpts: self.read(&EXCERPTS, &files.excerpts)?,
            before: self.read(&BEFORE, &files.before)?,
            classes: match &files.classes {
                Some(name) => self.read(&CLASSES, name)?,
                None => Vec::new(),
            },
        }))
    }

    /// Objects and bytes of each class, as a Java virtual machine counted them; `None` for other processes, and where
    /// nobody counted.
    ///
    /// # Errors
    ///
    /// [`CaptureError::Read`] if the file cannot be read, [`CaptureError::Damaged`] if it is no JSON of the form it should
    /// have.
    pub fn histogram(&self) -> Result<Option<Histogram>, CaptureError> {
        let jvm = self.record.jvm.as_ref();
        let name = jvm.and_then(|jvm| jvm.histogram.as_ref());
        name.map(|name| self.read(&HISTOGRAM, name)).transpose()
    }

    /// What is in a file that the record names.
    fn read<E: Encoding>(&self, file: &SideFile<E>, name: &str) -> Result<E::Contents, CaptureError> {
        Ok(file.read(&self.directory.join(name))?)
    }

    fn counts(
        &self,
        file: &SideFile<Json<Vec<u32>>>,
        counts: Option<&Counts>,
    ) -> Result<Option<Vec<u32>>, CaptureError> {
        counts.map(|counts| self.read(file, &counts.file)).transpose()
    }
}

#[derive(Deserialize)]
struct Versioned {
    schema: String,
}

/// Reads the capture in `directory`.
///
/// # Errors
///
/// [`CaptureError::Incomplete`] without a `capture.json`, [`CaptureError::Schema`] if it was written in a form this
/// version does not know, [`CaptureError::Damaged`] with line and column if it is not what it should be,
/// [`CaptureError::Outside`] if it names files elsewhere, [`CaptureError::Read`] if it cannot be read.
pub fn read_capture(directory: &Path) -> Result<Capture, CaptureError> {
    let path = directory.join(RECORD.name());
    let is_file = |facts: &fs::Metadata| -> io::Result<()> {
        let no_file = || io::Error::new(ErrorKind::InvalidInput, "not a file");
        facts.is_file().then_some(()).ok_or_else(no_file)
    };
    let text = fs::metadata(&path).and_then(|facts| is_file(&facts));
    let text = text.and_then(|()| fs::read(&path));
    let text = text.map_err(|source| match source.kind() {
        ErrorKind::NotFound if directory.is_dir() => CaptureError::Incomplete {
            directory: directory.to_owned(),
        },
        _ => CaptureError::Read {
            path: path.clone(),
            source,
        },
    })?;
    let damaged = |source: serde_json::Error| CaptureError::Damaged {
        path: path.clone(),
        line: source.line(),
        column: source.column(),
        source,
    };
    let Versioned { schema } = serde_json::from_slice(&text).map_err(damaged)?;
    if schema != SCHEMA {
        return Err(CaptureError::Schema {
            path,
            found: schema,
            expected: SCHEMA,
        });
    }
    let record: Record = serde_json::from_slice(&text).map_err(damaged)?;
    if let Some(name) = record.files().into_iter().find(|name| !is_plain(name)) {
        return Err(CaptureError::Outside {
            path,
            name: name.to_owned(),
        });
    }
    Ok(Capture {
        directory: directory.to_owned(),
        record,
    })
}

/// A capture may come from elsewhere: it must not make anyone open files outside of it.
pub(crate) fn is_plain(name: &str) -> bool {
    let mut parts = Path::new(name).components();
    matches!((parts.next(), parts.next()), (Some(Component::Normal(_)), None))
}

/// The captures in a directory of captures, each read or with the reason why it cannot be, by name.
///
/// # Errors
///
/// [`CaptureError::Directory`] if the directory cannot be listed.
pub fn read_captures(directory: &Path) -> Result<Vec<Result<Capture, CaptureError>>, CaptureError> {
    Ok(list(directory)?.iter().map(|path| read_capture(path)).collect())
}

/// The latest of a directory's captures and how many there are: a capture, or the dump of a native program. `None` when it is
/// none of captures, or a capture itself. One that is not complete counts as well: what is older is not what was asked for.
///
/// # Errors
///
/// [`CaptureError::Directory`] if the directory cannot be listed.
pub fn latest(directory: &Path) -> Result<Option<(PathBuf, usize)>, CaptureError> {
    if directory.join(RECORD.name()).exists() {
        return Ok(None);
    }
    let natives = native::list(directory)?.into_iter().map(|dump| dump.path);
    let all: Vec<PathBuf> = list(directory)?.into_iter().chain(natives).collect();
    let number = all.len();
    let written = |path: &PathBuf| fs::metadata(path).and_then(|facts| facts.modified()).ok();
    let latest = all
        .into_iter()
        .max_by(|a, b| (written(a), a).cmp(&(written(b), b)));
    Ok(latest.map(|latest| (latest, number)))
}

/// The directories that are captures by their name, sorted.
pub(crate) fn list(directory: &Path) -> Result<Vec<PathBuf>, CaptureError> {
    let failed = |source| CaptureError::Directory {
        path: directory.to_owned(),
        source,
    };
    let mut found = Vec::new();
    let mut entries: Vec<_> = fs::read_dir(directory).map_err(failed)?.collect();
    // It is there only below nodemon.
    entries.extend(fs::read_dir(directory.join(HIDDEN)).into_iter().flatten());
    for entry in entries {
        let path = entry.map_err(failed)?.path();
        if path
            .extension()
            .is_some_and(|extension| extension == CAPTURE_EXTENSION)
            && path.is_dir()
        {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use deadweight_sidecar::Reason;

    use super::*;

    fn written(text: &str) -> (tempfile::TempDir, Result<Capture, CaptureError>) {
        let home = tempfile::tempdir().unwrap();
        fs::write(home.path().join(RECORD.name()), text).unwrap();
        let read = read_capture(home.path());
        (home, read)
    }

    fn record(extra: &str) -> String {
        format!(
            r#"{{"schema":"deadweight/capture/1",
                "runtime":{{"name":"node","version":"20.1.2","word_bytes":8,"future":[]}},
                "process":{{"pid":7,"reason":"vision","heap_used":1,"heap_total":2,"external":3,"rss":4}}{extra}}}"#
        )
    }

    #[test]
    fn the_least_record_is_enough_and_unknown_fields_are_ignored() {
        let (_home, read) = written(&record(r#","future":{"deep":[1]}"#));
        let read = read.unwrap();
        assert_eq!(read.record.process.reason, Reason::Other);
        assert_eq!(read.record.process.rss, 4);
        assert_eq!(read.snapshot_path(), None);
        assert!(read.buffer_rows().unwrap().is_none());
        assert!(read.table_counts().unwrap().is_none() && read.array_counts().unwrap().is_none());
        assert!(read.text_lengths().unwrap().is_none());
    }

    #[test]
    fn what_runs_tests_comes_after_what_it_started() {
        let (_home, runner) = written(&record("").replace("\"pid\":7", "\"pid\":7,\"runner\":true"));
        let (_other, child) = written(&record("").replace("\"heap_used\":1", "\"heap_used\":0"));
        assert!(runner.unwrap().rank() < child.unwrap().rank());
    }

    #[test]
    fn captures_below_nodemon_are_listed_with_the_others() {
        let home = tempfile::tempdir().unwrap();
        for name in ["a-1-1.deadweight", ".nodemon/b-2-1.deadweight", ".nodemon/other"] {
            fs::create_dir_all(home.path().join(name)).unwrap();
        }
        let names = ["a-1-1.deadweight", ".nodemon/b-2-1.deadweight"].map(|name| home.path().join(name));
        assert_eq!(
            HashSet::from_iter(list(home.path()).unwrap()),
            HashSet::from(names)
        );
    }

    #[test]
    fn another_schema_is_named() {
        let (_home, read) = written(r#"{"schema":"deadweight/capture/9","runtime":0}"#);
        let error = read.unwrap_err();
        assert!(error.to_string().contains("deadweight/capture/9"), "{error}");
        assert!(matches!(error, CaptureError::Schema { .. }));
    }

    #[test]
    fn damage_has_a_place() {
        let (_home, read) = written("{\n\"schema\": tru");
        assert!(matches!(read.unwrap_err(), CaptureError::Damaged { line: 2, .. }));
        let (_home, read) = written(r#"{"schema":"deadweight/capture/1"}"#);
        assert!(matches!(read.unwrap_err(), CaptureError::Damaged { line: 1, .. }));
    }

    #[test]
    fn files_outside_of_the_capture_are_refused() {
        for name in ["../secret", "/etc/passwd", "a/b", "", "."] {
            for extra in [
                format!(r#","snapshot":{{"file":"{name}","string_limit":1024,"numeric_values":true}}"#),
                format!(r#","arrays":{{"file":"{name}","count":0,"complete":true}}"#),
                format!(r#","churn":{{"file":"{name}"}}"#),
            ] {
                let (_home, read) = written(&record(&extra));
                assert!(
                    matches!(read.unwrap_err(), CaptureError::Outside { .. }),
                    "{name}"
                );
            }
        }
    }

    #[test]
    fn a_directory_without_a_record_is_incomplete() {
        let home = tempfile::tempdir().unwrap();
        assert!(matches!(
            read_capture(home.path()).unwrap_err(),
            CaptureError::Incomplete { .. }
        ));
        let gone = home.path().join("gone");
        assert!(matches!(
            read_capture(&gone).unwrap_err(),
            CaptureError::Read { .. }
        ));
    }

    #[test]
    fn counts_are_read_and_damage_has_a_place() {
        let extra = r#","tables":{"file":"t","count":3,"complete":true},"arrays":{"file":"a","count":1,"complete":false}"#;
        let (home, read) = written(&record(extra));
        let capture = read.unwrap();
        fs::write(home.path().join("t"), "[0,3,\n17]\n").unwrap();
        assert_eq!(capture.table_counts().unwrap().unwrap(), [0, 3, 17]);
        for damaged in ["[0,\n-1]", "[0,\n1", "[0,\n4294967296]", "[0,\n1]]"] {
            fs::write(home.path().join("a"), damaged).unwrap();
            let error = capture.array_counts().unwrap_err();
            assert!(
                matches!(error, CaptureError::Damaged { line: 2, .. }),
                "{damaged}: {error}"
            );
        }
        fs::remove_file(home.path().join("a")).unwrap();
        assert!(matches!(
            capture.array_counts().unwrap_err(),
            CaptureError::Read { .. }
        ));
    }

    #[test]
    fn a_bad_row_is_named_by_its_line() {
        let extra = r#","buffers":{"file":"b","count":2,"complete":true}"#;
        let (home, read) = written(&record(extra));
        let row = r#"{"index":0,"bytes":8,"zero_bytes":0,"nonzero_words":1,"zero_page_bytes":0,"zero_lines":0,"hash":"00000000000000ff"}"#;
        fs::write(home.path().join("b"), format!("{row}\n")).unwrap();
        let capture = read.unwrap();
        assert_eq!(capture.buffer_rows().unwrap().unwrap()[0].hash, 0xff);
        fs::write(home.path().join("b"), format!("{row}\n{{\n")).unwrap();
        assert!(matches!(
            capture.buffer_rows().unwrap_err(),
            CaptureError::Damaged { line: 2, .. }
        ));
    }

    #[test]
    fn the_latest_capture_of_a_directory_is_the_one_written_last() {
        let home = tempfile::tempdir().unwrap();
        let at = |name: &str| home.path().join(name);
        assert_eq!(latest(home.path()).unwrap(), None);
        fs::create_dir(at("b-1-1.deadweight")).unwrap();
        fs::create_dir(at("a-2-1.deadweight")).unwrap();
        fs::write(at("c-3-1.dwheap"), "").unwrap();
        fs::write(at("notes.txt"), "").unwrap();
        let hour = std::time::Duration::from_secs(3600);
        let age = |name: &str, hours: u32| {
            let file = fs::File::open(at(name)).unwrap();
            file.set_modified(std::time::SystemTime::now() - hour * hours)
                .unwrap();
        };
        for (ages, expected) in [
            ([3, 2, 1], "c-3-1.dwheap"),
            ([1, 2, 3], "b-1-1.deadweight"),
            ([2, 1, 3], "a-2-1.deadweight"),
        ] {
            for (name, hours) in ["b-1-1.deadweight", "a-2-1.deadweight", "c-3-1.dwheap"]
                .into_iter()
                .zip(ages)
            {
                age(name, hours);
            }
            assert_eq!(latest(home.path()).unwrap(), Some((at(expected), 3)));
        }
        fs::write(at(RECORD.name()), "{}").unwrap();
        assert_eq!(latest(home.path()).unwrap(), None);
    }
}
