//! What a capture recorded beside the dump.

use std::path::PathBuf;

use deadweight_heap::Totals;
use deadweight_sidecar::{BufferRow, RubyContents};

use crate::jvm::Containers;

/// Facts a recorder wrote next to a dump; empty for a dump that stands alone.
#[derive(Clone, Debug, Default)]
pub struct Sidecar {
    /// Bytes of the dump as its recorder left it; `None` when nobody noted them.
    pub bytes: Option<u64>,
    /// Whether the recorder had garbage collected for the dump, and dumped live objects alone; false when unknown.
    pub is_live: bool,
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
    /// Lengths of arrays that the dump may not state, in the order of the recorder's probe; empty when not counted.
    pub arrays: Vec<u32>,
    /// Bytes that views on buffers span, in the order of the recorder's probe; empty when not counted, `u32::MAX` for
    /// one that is longer than that.
    pub views: Vec<u32>,
    /// Bytes that went from inside the heap to outside because the recorder looked at it; `None` when it does not say.
    pub moved: Option<u64>,
    /// Lengths of strings in UTF-16 units, in the order of the recorder's probe; empty when not recorded.
    pub texts: Vec<u32>,
    /// For each of these strings the place of the first that is equal; `u32::MAX` for one that was not compared, and empty
    /// when none were.
    pub equal: Vec<u32>,
    /// The program's file, for a core file whose program is not where it ran.
    pub program: Option<PathBuf>,
    /// The directory from which paths of the program are shown; empty when unknown.
    pub root: String,
    /// What the recorder of a Ruby process wrote; `None` for all others.
    pub ruby: Option<RubyContents>,
    /// Classes of containers on the JVM; those that are shipped when `None`.
    pub containers: Option<Containers>,
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

    /// Rows of a probe by their index; a buffer the probe did not reach stays without contents.
    pub fn by_index(rows: &[BufferRow]) -> Vec<Self> {
        let count = rows.iter().map(|row| row.index as usize + 1).max().unwrap_or(0);
        let mut contents = vec![Self::UNKNOWN; count.min(rows.len() * 2)];
        for row in rows {
            if let Some(buffer) = contents.get_mut(row.index as usize) {
                *buffer = Self {
                    bytes: row.bytes,
                    zeros: row.zero_bytes,
                    words_used: row.nonzero_words,
                    hash: row.hash,
                };
            }
        }
        contents
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_stand_at_their_index_and_one_far_out_takes_no_room() {
        let row = |index| BufferRow {
            index,
            bytes: 8,
            zero_bytes: 7,
            nonzero_words: 1,
            zero_page_bytes: 0,
            zero_lines: 0,
            hash: 5,
            shared: false,
        };
        let seen = BufferContents {
            bytes: 8,
            zeros: 7,
            words_used: 1,
            hash: 5,
        };
        let unknown = BufferContents::UNKNOWN;
        assert_eq!(BufferContents::by_index(&[]), []);
        assert_eq!(
            BufferContents::by_index(&[row(3), row(1)]),
            [unknown, seen, unknown, seen]
        );
        assert_eq!(
            BufferContents::by_index(&[row(0), row(u32::MAX)]),
            [seen, unknown, unknown, unknown]
        );
    }
}
