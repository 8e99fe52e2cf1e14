//! What stands beside a dump in a capture: each file by its name and with a type for what is in it.
//!
//! Recorders write these files, in languages of their own; whoever collects captures and whoever reads dumps both go by
//! this crate, so that a name is spelled once. A test compares the names with those in the recorders.

mod buffers;
mod curve;
mod encoding;
mod files;
mod jvm;
mod manifest;
mod process;
mod record;
mod ruby;

pub use buffers::BufferRow;
pub use curve::{CURVE_SCHEMA, Counted, CurveFile, HeldAt};
pub use encoding::{Encoding, Json, Lines, SideFile, SideFileError, Words};
pub use files::{
    ARRAYS, BEFORE, BUFFERS, CAPTURE_EXTENSION, CLASSES, CURVE, EQUAL, EXCERPTS, FIELDS, GROUPS, HISTOGRAM,
    HPROF, MADE, MANIFEST, NATIVE_CHURN_EXTENSION, NATIVE_DUMP_EXTENSION, OBJECTS, PROFILE,
    PYTHON_DUMP_EXTENSION, RECORD, SNAPSHOT, STRINGS, TABLES, TEXTS, VIEWS, WEIGHING,
};
pub use jvm::{HISTOGRAM_SCHEMA, Histogram, JvmFacts};
pub use manifest::{Listed, MANIFEST_SCHEMA, Manifest};
pub use process::{HeapSpace, Process, Reason, RuntimeFacts};
pub use record::{Buffers, ChurnFile, Cost, Counts, Record, SCHEMA, Snapshot};
pub use ruby::{RubyContents, RubyFiles};
