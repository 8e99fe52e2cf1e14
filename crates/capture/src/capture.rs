//! A capture on disk: `capture.json` and the files it names.

use std::{
    collections::BTreeMap,
    fs,
    io::{BufRead, BufReader, ErrorKind},
    path::{Component, Path, PathBuf},
};

use serde::Deserialize;

use crate::{buffers::BufferRow, error::CaptureError, ruby::RubyFiles};

/// The schema of `capture.json` that this version reads.
pub const SCHEMA: &str = "deadweight/capture/1";

const RECORD: &str = "capture.json";
const EXTENSION: &str = "deadweight";

/// A complete capture.
#[derive(Clone, Debug)]
pub struct Capture {
    /// Its directory, named `<program>-<pid>-<n>.deadweight`.
    pub directory: PathBuf,
    /// What `capture.json` says.
    pub record: Record,
}

impl Capture {
    /// The heap snapshot, if one was taken.
    pub fn snapshot_path(&self) -> Option<PathBuf> {
        self.record
            .snapshot
            .as_ref()
            .map(|snapshot| self.directory.join(&snapshot.file))
    }

    /// What the probe found in each buffer, in the order of the probe's array in the snapshot; `None` without a
    /// probe.
    ///
    /// # Errors
    ///
    /// [`CaptureError::Read`] if the file cannot be read, [`CaptureError::Damaged`] with the line if a row is not
    /// one.
    pub fn buffer_rows(&self) -> Result<Option<Vec<BufferRow>>, CaptureError> {
        let Some(buffers) = &self.record.buffers else {
            return Ok(None);
        };
        let path = self.directory.join(&buffers.file);
        let failed = |source| CaptureError::Read {
            path: path.clone(),
            source,
        };
        let file = fs::File::open(&path).map_err(failed)?;
        let mut rows = Vec::new();
        for (number, line) in BufReader::new(file).lines().enumerate() {
            let row =
                serde_json::from_str(&line.map_err(failed)?).map_err(|source| CaptureError::Damaged {
                    path: path.clone(),
                    line: number + 1,
                    column: source.column(),
                    source,
                })?;
            rows.push(row);
        }
        Ok(Some(rows))
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
        read_counts(&self.directory, self.record.tables.as_ref())
    }

    /// How long arrays are of which a snapshot does not tell, in the order of the array `arrays` of the probe in the
    /// snapshot; `None` when nobody counted.
    ///
    /// # Errors
    ///
    /// [`CaptureError::Read`] if the file cannot be read, [`CaptureError::Damaged`] if it is not an array of numbers.
    pub fn array_counts(&self) -> Result<Option<Vec<u32>>, CaptureError> {
        read_counts(&self.directory, self.record.arrays.as_ref())
    }

    /// Bytes that each view on a buffer spans, in the order of the array `views` of the probe in the snapshot; `None`
    /// when nobody counted.
    ///
    /// # Errors
    ///
    /// [`CaptureError::Read`] if the file cannot be read, [`CaptureError::Damaged`] if it is not an array of numbers.
    pub fn view_bytes(&self) -> Result<Option<Vec<u32>>, CaptureError> {
        read_counts(&self.directory, self.record.views.as_ref())
    }

    /// How long strings of a sample are, in UTF-16 units, in the order of the array `texts` of the probe in the
    /// snapshot; `None` when nobody counted.
    ///
    /// # Errors
    ///
    /// [`CaptureError::Read`] if the file cannot be read, [`CaptureError::Damaged`] if it is not an array of numbers.
    pub fn text_lengths(&self) -> Result<Option<Vec<u32>>, CaptureError> {
        read_counts(&self.directory, self.record.texts.as_ref())
    }
}

/// The numbers of one side file.
fn read_counts(directory: &Path, counts: Option<&Counts>) -> Result<Option<Vec<u32>>, CaptureError> {
    let Some(counts) = counts else { return Ok(None) };
    let path = directory.join(&counts.file);
    let file = fs::File::open(&path).map_err(|source| CaptureError::Read {
        path: path.clone(),
        source,
    })?;
    let numbers = serde_json::from_reader(BufReader::new(file));
    numbers.map(Some).map_err(|source| CaptureError::Damaged {
        path,
        line: source.line(),
        column: source.column(),
        source,
    })
}

/// `capture.json`. Fields this version does not know are ignored.
#[derive(Clone, Debug, Deserialize, PartialEq)]
pub struct Record {
    /// [`SCHEMA`].
    pub schema: String,
    /// Which start of a program it belongs to; absent when the recorder was loaded by hand.
    #[serde(default)]
    pub run: Option<String>,
    /// The runtime of the process.
    pub runtime: RuntimeFacts,
    /// What the process said of itself.
    pub process: Process,
    /// The heap snapshot, if one was taken.
    #[serde(default)]
    pub snapshot: Option<Snapshot>,
    /// Why no snapshot was taken although one was asked for.
    #[serde(default)]
    pub no_snapshot: Option<String>,
    /// The probe of buffer contents, if there was one.
    #[serde(default)]
    pub buffers: Option<Buffers>,
    /// The entries of maps and sets, if they were counted.
    #[serde(default)]
    pub tables: Option<Counts>,
    /// The lengths of arrays that are empty, begin with a number or with a gap, if they were counted.
    #[serde(default)]
    pub arrays: Option<Counts>,
    /// The lengths of typed arrays and other views on buffers, if they were counted.
    #[serde(default)]
    pub views: Option<Counts>,
    /// The lengths of strings, of a sample where there are many, if they were recorded.
    #[serde(default)]
    pub texts: Option<Counts>,
    /// Names and values that a dump of Ruby lacks, if they were noted.
    #[serde(default)]
    pub ruby: Option<RubyFiles>,
    /// What the program made until then, if it was recorded.
    #[serde(default)]
    pub churn: Option<ChurnFile>,
    /// What the capture cost the process.
    #[serde(default)]
    pub cost: Option<Cost>,
}

/// A record of allocations in a capture.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
pub struct ChurnFile {
    /// Its name in the capture's directory.
    pub file: String,
    /// Bytes from one sample to the next, on average; absent when every object was recorded.
    #[serde(default)]
    pub every_bytes: Option<u64>,
    /// Whether objects that were collected meanwhile are in it.
    #[serde(default)]
    pub collected: Option<bool>,
    /// Operations the program marked, or was said to do.
    #[serde(default)]
    pub operations: u64,
}

/// The runtime of a captured process.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
pub struct RuntimeFacts {
    /// `node`.
    pub name: String,
    /// Its version, without a leading `v`.
    pub version: String,
    /// Engine and its version, as `v8 11.3.244.8-node.38`.
    #[serde(default)]
    pub engine: Option<String>,
    /// The processor, as the runtime names it: `x64`, `arm64` …
    #[serde(default)]
    pub arch: Option<String>,
    /// Bytes of a machine word.
    pub word_bytes: u32,
    /// Whether references in the heap are 4 bytes although a word is 8.
    #[serde(default)]
    pub pointer_compression: bool,
}

/// What a process said of itself after garbage collection, just before its snapshot. Sizes are bytes.
#[derive(Clone, Debug, Deserialize, PartialEq)]
pub struct Process {
    /// Its process id.
    pub pid: u32,
    /// The process id of its parent.
    #[serde(default)]
    pub ppid: Option<u32>,
    /// Its arguments, the runtime's binary first.
    #[serde(default)]
    pub argv: Vec<String>,
    /// The working directory; absent if it was deleted.
    #[serde(default)]
    pub cwd: Option<PathBuf>,
    /// The runtime's binary.
    #[serde(default)]
    pub exec_path: Option<PathBuf>,
    /// Seconds since it started.
    #[serde(default)]
    pub uptime_seconds: f64,
    /// Why the capture was taken.
    pub reason: Reason,
    /// The trigger itself: `exit`, the signal's name, or the threshold.
    #[serde(default)]
    pub trigger: Option<String>,
    /// When, in UTC, as ISO 8601.
    #[serde(default)]
    pub time: Option<String>,
    /// The managed heap in use.
    pub heap_used: u64,
    /// The managed heap taken from the system.
    pub heap_total: u64,
    /// Memory outside the managed heap charged to objects in it; includes `array_buffers`.
    pub external: u64,
    /// Contents of buffers.
    #[serde(default)]
    pub array_buffers: u64,
    /// Resident memory.
    pub rss: u64,
    /// What the engine took from malloc for itself.
    #[serde(default)]
    pub malloced: Option<u64>,
    /// The largest the managed heap may become.
    #[serde(default)]
    pub heap_limit: Option<u64>,
    /// The spaces of the managed heap.
    #[serde(default)]
    pub heap_spaces: Vec<HeapSpace>,
    /// The sums of the process's mappings (`rss`, `pss`, `private_dirty` …), where the system tells them.
    #[serde(default)]
    pub smaps: Option<BTreeMap<String, u64>>,
}

/// Why a capture was taken.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Reason {
    /// The program ended.
    Exit,
    /// A signal arrived.
    Signal,
    /// A measure went over its threshold.
    Threshold,
    /// A reason this version does not know.
    #[serde(other)]
    Other,
}

/// One space of the managed heap. Sizes are bytes.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
pub struct HeapSpace {
    /// Its name in the engine.
    pub name: String,
    /// Taken from the system.
    pub size: u64,
    /// In use by objects.
    pub used: u64,
    /// Left for objects.
    #[serde(default)]
    pub available: u64,
    /// Resident, as far as the engine knows.
    #[serde(default)]
    pub physical: u64,
}

/// The heap snapshot of a capture.
#[derive(Clone, Debug, Deserialize, PartialEq)]
pub struct Snapshot {
    /// Its name in the capture's directory.
    pub file: String,
    /// Its size.
    #[serde(default)]
    pub bytes: Option<u64>,
    /// How many UTF-16 units of each string it holds.
    pub string_limit: u64,
    /// Whether it was written into the memory of who asked for it: it is gone with that process.
    #[serde(default)]
    pub streamed: bool,
    /// Whether it has the numbers in fields.
    pub numeric_values: bool,
    /// How long it took.
    #[serde(default)]
    pub seconds: f64,
}

/// The probe of a capture's buffers.
#[derive(Clone, Debug, Deserialize, PartialEq)]
pub struct Buffers {
    /// Its name in the capture's directory.
    pub file: String,
    /// How many rows it has.
    pub count: u64,
    /// Whether it has every buffer; if not, the largest are in it. Of a heap over 20 MB, buffers that make up less
    /// than 0.1 % of it may be left out all the same.
    pub complete: bool,
    /// The bytes of the buffers in it; to be compared with [`Process::array_buffers`].
    #[serde(default)]
    pub bytes: u64,
    /// How long it took, without the walk over the heap.
    #[serde(default)]
    pub seconds: f64,
}

/// Counts the probe took of containers.
#[derive(Clone, Debug, Deserialize, PartialEq)]
pub struct Counts {
    /// The file with the numbers, in the capture's directory.
    pub file: String,
    /// How many containers were counted.
    pub count: u64,
    /// Whether these are all there are; beyond four million of a sort none are kept, and of strings never more than
    /// 65,536.
    pub complete: bool,
    /// How long the walk over the heap took that found them, one walk for all that is probed.
    #[serde(default)]
    pub walk_seconds: f64,
    /// How long counting and writing took.
    #[serde(default)]
    pub seconds: f64,
    /// For views: bytes of small typed arrays that the walk moved out of the heap.
    #[serde(default)]
    pub moved_bytes: Option<u64>,
}

/// What a capture cost the process.
#[derive(Clone, Debug, Deserialize, PartialEq)]
pub struct Cost {
    /// How long the program stood still.
    pub seconds: f64,
    /// How much of that was the first garbage collection.
    #[serde(default)]
    pub gc_seconds: f64,
    /// The most bytes it had resident until the capture began.
    #[serde(default)]
    pub peak_rss_before: u64,
    /// The most bytes it had resident until the capture was written.
    pub peak_rss: u64,
    /// The managed heap in use right after the snapshot, with what the snapshot itself left there.
    #[serde(default)]
    pub heap_used_after: u64,
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
    let path = directory.join(RECORD);
    let text = fs::read(&path).map_err(|source| match source.kind() {
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
    let files = [
        record.snapshot.as_ref().map(|it| &it.file),
        record.buffers.as_ref().map(|it| &it.file),
        record.tables.as_ref().map(|it| &it.file),
        record.arrays.as_ref().map(|it| &it.file),
        record.views.as_ref().map(|it| &it.file),
        record.texts.as_ref().map(|it| &it.file),
        record.churn.as_ref().map(|it| &it.file),
    ];
    let ruby = record.ruby.iter().flat_map(RubyFiles::names);
    if let Some(name) = files
        .into_iter()
        .flatten()
        .chain(ruby)
        .find(|name| !is_plain(name))
    {
        return Err(CaptureError::Outside {
            path,
            name: name.clone(),
        });
    }
    Ok(Capture {
        directory: directory.to_owned(),
        record,
    })
}

/// A capture may come from elsewhere: it must not make anyone open files outside of it.
fn is_plain(name: &str) -> bool {
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

/// The directories that are captures by their name, sorted.
pub(crate) fn list(directory: &Path) -> Result<Vec<PathBuf>, CaptureError> {
    let failed = |source| CaptureError::Directory {
        path: directory.to_owned(),
        source,
    };
    let mut found = Vec::new();
    for entry in fs::read_dir(directory).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path.extension().is_some_and(|extension| extension == EXTENSION) && path.is_dir() {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(text: &str) -> (tempfile::TempDir, Result<Capture, CaptureError>) {
        let home = tempfile::tempdir().unwrap();
        fs::write(home.path().join(RECORD), text).unwrap();
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
}
