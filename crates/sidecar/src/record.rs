//! `capture.json`: what a capture holds, and in which files.

use serde::Deserialize;

use crate::jvm::JvmFacts;
use crate::process::{Process, RuntimeFacts};
use crate::ruby::RubyFiles;

/// The schema of `capture.json` that this version reads.
pub const SCHEMA: &str = "deadweight/capture/1";

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
    /// Which of these strings are equal, if they were compared: at the program's end.
    #[serde(default)]
    pub equal: Option<Counts>,
    /// Names and values that a dump of Ruby lacks, if they were noted.
    #[serde(default)]
    pub ruby: Option<RubyFiles>,
    /// What a Java virtual machine said of itself.
    #[serde(default)]
    pub jvm: Option<JvmFacts>,
    /// What the program made until then, if it was recorded.
    #[serde(default)]
    pub churn: Option<ChurnFile>,
    /// The name of the file with what the process held over time, if that was noted.
    #[serde(default)]
    pub curve: Option<String>,
    /// What the capture cost the process.
    #[serde(default)]
    pub cost: Option<Cost>,
}

impl Record {
    /// All files that it names.
    pub fn files(&self) -> Vec<&str> {
        let dumps = [
            self.snapshot.as_ref().map(|snapshot| &snapshot.file),
            self.churn.as_ref().map(|churn| &churn.file),
        ];
        let named = self.ruby.as_ref().map(|files| [&files.groups, &files.excerpts]);
        let classes = self.ruby.as_ref().and_then(|files| files.classes.as_ref());
        let text = dumps
            .into_iter()
            .flatten()
            .chain(named.into_iter().flatten())
            .chain(classes)
            .chain(self.jvm.as_ref().and_then(|jvm| jvm.histogram.as_ref()));
        self.files_without_text()
            .into_iter()
            .chain(text.map(String::as_str))
            .collect()
    }

    /// Those that have no text of the program: numbers, addresses, and hashes of buffers and strings.
    pub fn files_without_text(&self) -> Vec<&str> {
        let counts = [&self.tables, &self.arrays, &self.views, &self.texts, &self.equal];
        let counts = counts.into_iter().flatten().map(|counts| &counts.file);
        let buffers = self.buffers.as_ref().map(|buffers| &buffers.file);
        let ruby = self.ruby.as_ref();
        let words = ruby.map(|files| [&files.fields, &files.strings, &files.before]);
        let all = counts.chain(buffers).chain(words.into_iter().flatten());
        let all = all.chain(&self.curve);
        all.map(String::as_str).collect()
    }
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
    /// 262,144.
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
    /// How long it took.
    pub seconds: f64,
    /// How long the program stood still, where that is less: where a copy of the process wrote the capture.
    #[serde(default)]
    pub pause_seconds: Option<f64>,
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
