//! What a captured process and its runtime said of themselves.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::Deserialize;

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
    /// The worker thread whose heap it is; 0 for that of the process.
    #[serde(default)]
    pub thread: u64,
    /// Whether it runs tests: what it started holds what they make.
    #[serde(default)]
    pub runner: bool,
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
    /// Resident memory before the program's first line ran, with what the recorder's own tables have taken since; of a Java virtual machine also what it has since taken for code,
    /// classes and garbage.
    #[serde(default)]
    pub rss_base: Option<u64>,
    /// The most memory it had resident until the capture; absent when an earlier capture may have taken more.
    #[serde(default)]
    pub rss_peak: Option<u64>,
    /// Bytes in use as the program came to its end, before garbage was collected for the capture: the managed heap, and what it
    /// keeps outside. Absent where the runtime does not say it, and in captures on the way.
    #[serde(default)]
    pub in_use_before: Option<u64>,
    /// Whether it ended because its `main` and all its threads had: what their local variables held is gone then. Absent
    /// where the runtime's captures do not depend on it.
    #[serde(default)]
    pub main_returned: Option<bool>,
    /// How many worker threads, each with a heap of its own, it has started.
    #[serde(default)]
    pub workers: Option<u64>,
    /// What the engine took from malloc for itself.
    #[serde(default)]
    pub malloced: Option<u64>,
    /// The largest the managed heap may become.
    #[serde(default)]
    pub heap_limit: Option<u64>,
    /// The spaces of the managed heap.
    #[serde(default)]
    pub heap_spaces: Vec<HeapSpace>,
    /// The sums of the process's mappings (`rss`, `pss`, `private_dirty` …), where the system reports them.
    #[serde(default)]
    pub smaps: Option<BTreeMap<String, u64>>,
}

impl Process {
    /// Its fields that say of the machine where things lie and how the program was called.
    pub const OF_THE_MACHINE: [&str; 4] = ["argv", "exec_argv", "exec_path", "cwd"];
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
    /// The process held most.
    Peak,
    /// Somebody asked the running program.
    Attached,
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
