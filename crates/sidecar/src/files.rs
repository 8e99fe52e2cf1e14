//! The files of a capture, by name. A capture names its own files in its record; these are the names recorders give them.

use crate::buffers::BufferRow;
use crate::curve::CurveFile;
use crate::encoding::{Json, Lines, SideFile, Words};
use crate::jvm::Histogram;
use crate::manifest::Manifest;
use crate::record::Record;

/// What the name of a capture's directory ends with.
pub const CAPTURE_EXTENSION: &str = "deadweight";

/// What a capture holds, written last: without it a capture is not complete.
pub const RECORD: SideFile<Json<Record>> = SideFile::new("capture.json");

/// The files of a capture as they were when it was collected.
pub const MANIFEST: SideFile<Json<Manifest>> = SideFile::new("manifest.json");

/// The heap snapshot of a Node.js process.
pub const SNAPSHOT: &str = "heap.heapsnapshot";
/// What a Node.js process made, as V8 samples it.
pub const PROFILE: &str = "churn.heapprofile";
/// The object dump of a Ruby process.
pub const OBJECTS: &str = "objects.ndjson";
/// What a process of Ruby, Python or Java made.
pub const MADE: &str = "made.churn";
/// The heap dump of a Java virtual machine.
pub const HPROF: &str = "heap.hprof";
/// What the name of a Python process's dump ends with.
pub const PYTHON_DUMP_EXTENSION: &str = "dwpython";
/// What the name of a native program's dump ends with: of blocks alive.
pub const NATIVE_DUMP_EXTENSION: &str = "dwheap";
/// The same of what a program of Crystal made.
pub const NATIVE_CHURN_EXTENSION: &str = "dwchurn";

/// What a probe saw in each buffer of a Node.js process.
pub const BUFFERS: SideFile<Lines<BufferRow>> = SideFile::new("buffers.ndjson");
/// Entries of each map and set, in the order of the array `tables` of the probe in the snapshot.
pub const TABLES: SideFile<Json<Vec<u32>>> = SideFile::new("tables.json");
/// Lengths of arrays that a snapshot does not state, in the order of the array `arrays` of the probe.
pub const ARRAYS: SideFile<Json<Vec<u32>>> = SideFile::new("arrays.json");
/// Bytes that each view on a buffer spans, in the order of the array `views` of the probe.
pub const VIEWS: SideFile<Json<Vec<u32>>> = SideFile::new("views.json");
/// Lengths of strings of a sample, in UTF-16 units, in the order of the array `texts` of the probe.
pub const TEXTS: SideFile<Json<Vec<u32>>> = SideFile::new("texts.json");
/// For each of these strings the place of the first that is equal, its own when it is the first; `u32::MAX` for one that was
/// not compared.
pub const EQUAL: SideFile<Json<Vec<u32>>> = SideFile::new("equal.json");

/// What the process held over time; beside a native dump under the dump's name with this ending.
pub const CURVE: SideFile<Json<CurveFile>> = SideFile::new("curve.json");

/// Objects and bytes of each class of a Java virtual machine.
pub const HISTOGRAM: SideFile<Json<Histogram>> = SideFile::new("histogram.json");

/// Lists of names of a Ruby process.
pub const GROUPS: SideFile<Json<Vec<Vec<String>>>> = SideFile::new("groups.json");
/// Owners with their group and values.
pub const FIELDS: SideFile<Words> = SideFile::new("fields.bin");
/// Address, bytes and hash of strings that are not plain ASCII or share their characters.
pub const STRINGS: SideFile<Words> = SideFile::new("strings.bin");
/// The beginnings of texts by their hash.
pub const EXCERPTS: SideFile<Json<Vec<(u64, String)>>> = SideFile::new("excerpts.json");
/// Name, file and line of each class of a Ruby process.
pub const CLASSES: SideFile<Json<Vec<(String, String, u32)>>> = SideFile::new("classes.json");
/// Addresses of what was there before the program.
pub const BEFORE: SideFile<Words> = SideFile::new("before.bin");

/// The weighing that is left in a capture, or beside a native dump under the dump's name with this ending.
pub const WEIGHING: &str = "weighing.json";
