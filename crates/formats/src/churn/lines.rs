//! The lines of a record as JSON has them. Fields that are not named here are passed over.

use deadweight_heap::churn::{Returns, Role};
use serde::{Deserialize, Serialize};

#[derive(Debug, Deserialize)]
pub(super) struct Header {
    pub version: u32,
    #[serde(default)]
    pub runtime: RuntimeFacts,
    /// The directory that relative paths start from.
    #[serde(default)]
    pub root: String,
    #[serde(default)]
    pub sampling: Option<SamplingFacts>,
    /// Whether `main` had returned when those alive were counted.
    #[serde(default)]
    pub main_returned: bool,
    /// `calls`, or `functions` when a frame has the line where its function begins.
    #[serde(default)]
    pub lines: Granularity,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct RuntimeFacts {
    pub name: String,
    pub version: String,
    pub word_bytes: Option<u32>,
    pub allocator: String,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct SamplingFacts {
    pub every_bytes: Option<u64>,
    pub every_objects: Option<u64>,
    pub windows: Option<WindowFacts>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct WindowFacts {
    /// All objects there were, seen or not.
    pub objects: u64,
    /// Objects seen in each window.
    pub seen: Vec<u64>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Granularity {
    #[default]
    Calls,
    Functions,
}

/// One line after the first: one of its fields is there.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Line {
    pub module: Option<ModuleLine>,
    pub frame: Option<FrameLine>,
    /// The caller's stack, if any, and the frame.
    pub stack: Option<(Option<u32>, u32)>,
    #[serde(rename = "type")]
    pub of_type: Option<TypeLine>,
    pub row: Option<RowLine>,
    pub end: Option<End>,
}

/// A mapping of an object of code, for frames that are addresses.
#[derive(Debug, Deserialize)]
pub(super) struct ModuleLine {
    pub path: String,
    pub start: u64,
    pub end: u64,
    /// Where in the file the mapping begins.
    #[serde(default)]
    pub offset: u64,
    /// The GNU build id in hexadecimal digits, where an object begins that has one.
    #[serde(default)]
    pub build_id: String,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct FrameLine {
    /// Where compiled code returns to; it says all else.
    pub address: Option<u64>,
    pub function: String,
    pub file: String,
    pub line: u32,
    pub column: u32,
    /// `own`, `library` or `runtime`; by the path when absent.
    pub role: Option<RoleName>,
    /// By the path when absent.
    pub logs: Option<bool>,
    /// By the name when absent.
    pub returns: Option<ReturnsName>,
}

#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum ReturnsName {
    Anything,
    New,
    Listed,
}

impl ReturnsName {
    pub fn returns(self) -> Returns {
        match self {
            Self::Anything => Returns::Anything,
            Self::New => Returns::New,
            Self::Listed => Returns::Listed,
        }
    }
}

impl From<Returns> for ReturnsName {
    fn from(returns: Returns) -> Self {
        match returns {
            Returns::Anything => Self::Anything,
            Returns::New => Self::New,
            Returns::Listed => Self::Listed,
        }
    }
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum RoleName {
    Own,
    Library,
    Runtime,
}

impl RoleName {
    pub fn role(self) -> Role {
        match self {
            Self::Own => Role::Own,
            Self::Library => Role::Library,
            Self::Runtime => Role::Runtime,
        }
    }
}

#[derive(Debug, Deserialize)]
pub(super) struct TypeLine {
    pub name: String,
    #[serde(default)]
    pub kind: KindName,
    /// Whether these are pieces of other objects.
    #[serde(default)]
    pub part: bool,
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum KindName {
    Record,
    String,
    Array,
    Table,
    Buffer,
    Number,
    Date,
    Closure,
    #[default]
    Opaque,
}

#[derive(Debug, Deserialize)]
pub(super) struct RowLine {
    pub stack: Option<u32>,
    #[serde(rename = "type")]
    pub type_id: Option<u32>,
    /// Which objects since their call made a collection: the first, from 0, and the one behind the last.
    pub among: Option<(u64, u64)>,
    pub count: u64,
    pub bytes: u64,
    pub largest: Option<u64>,
    pub kept: Option<u64>,
    pub kept_bytes: Option<u64>,
    pub empty: Option<u64>,
    pub empty_bytes: Option<u64>,
    pub distinct: Option<u64>,
    /// References that arrays held, when they died or at the end.
    pub entries: Option<u64>,
    /// What was made in each window: its number, objects, bytes.
    #[serde(default)]
    pub windows: Vec<(u32, u64, u64)>,
    /// Whether the language's own library made them for itself.
    #[serde(default)]
    pub internal: bool,
    /// Bytes that were asked for.
    pub requested: Option<u64>,
    /// The first four bytes of each, where they are the same.
    pub head: Option<u32>,
    /// Those that died with nothing but zeros behind their first four bytes.
    pub blank: Option<u64>,
    pub blank_bytes: Option<u64>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct End {
    pub operations: u64,
    pub rows: Option<u64>,
    pub heap_used: Option<u64>,
    pub heap_total: Option<u64>,
    pub external: Option<u64>,
    pub rss: Option<u64>,
    /// Blocks for which the recorder had no memory.
    pub lost_blocks: u64,
    /// Collections whose dead could not be counted.
    pub missed_collections: u64,
}
