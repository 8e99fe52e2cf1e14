//! What a capture recorded beside the dump.

use std::path::PathBuf;

use deadweight_heap::Totals;

/// Facts a recorder wrote next to a dump; empty for a dump that stands alone.
#[derive(Clone, Debug, Default)]
pub struct Beside {
    /// Totals the process reported.
    pub totals: Totals,
    /// Version of the runtime, empty when unknown.
    pub version: String,
    /// Name of the runtime, empty when unknown.
    pub runtime: String,
    /// Characters after which the dump cuts text off, when the capture says.
    pub string_limit: Option<u64>,
    /// Contents of buffers, in the order of the recorder's probe; empty when not probed.
    pub buffers: Vec<BufferContents>,
    /// Whether the probe saw every buffer.
    pub buffers_complete: bool,
    /// Entries of maps and sets, in the order of the recorder's probe; empty when not counted.
    pub tables: Vec<u32>,
    /// Lengths of arrays of which the dump may not tell, in the order of the recorder's probe; empty when not counted.
    pub arrays: Vec<u32>,
    /// Bytes that views on buffers span, in the order of the recorder's probe; empty when not counted, `u32::MAX` for
    /// one that is longer than that.
    pub views: Vec<u32>,
    /// Bytes that went from inside the heap to outside because the recorder looked at it; `None` when it does not say.
    pub moved: Option<u64>,
    /// Lengths of strings in UTF-16 units, in the order of the recorder's probe; empty when not recorded.
    pub texts: Vec<u32>,
    /// The program's file, for a core file whose program is not where it ran.
    pub program: Option<PathBuf>,
    /// What the recorder of a Ruby process wrote; `None` for all others.
    pub ruby: Option<RubyFacts>,
}

/// Names and values that a dump of Ruby does not have. Addresses are those of the dump.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RubyFacts {
    /// Lists of names, which `fields` refers to.
    pub groups: Vec<RubyGroup>,
    /// Records one behind the other: the address of an object (1 for the table of global variables), the number of its
    /// group, and for each name of the group the word that stands there: an address, or a value as Ruby packs it.
    pub fields: Vec<u64>,
    /// Three words for each string that is not plain ASCII or shares its characters: address, bytes, a hash of the
    /// contents.
    pub strings: Vec<u64>,
    /// The beginnings of texts, by their hash.
    pub excerpts: Vec<(u64, String)>,
    /// Addresses of what was there before the program began.
    pub before: Vec<u64>,
}

/// A list of names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RubyGroup {
    /// In the order of the values.
    pub names: Vec<String>,
}

/// What a probe saw in one buffer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BufferContents {
    /// Its length in bytes.
    pub bytes: u64,
    /// Bytes that are zero.
    pub zeros: u64,
    /// Eight-byte words that are not zero.
    pub words_used: u64,
    /// A hash of the contents, 0 when none was made.
    pub hash: u64,
}

impl BufferContents {
    /// A buffer nobody looked into.
    pub const UNKNOWN: Self = Self {
        bytes: 0,
        zeros: u64::MAX,
        words_used: u64::MAX,
        hash: 0,
    };
}
