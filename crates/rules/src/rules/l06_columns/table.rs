//! One type as a table.

use deadweight_heap::TextId;
use rustc_hash::FxHashMap;

use super::plan::Plan;

/// One type as a table.
pub(super) struct Table {
    pub(super) records: u32,
    pub(super) fields: u32,
    pub(super) regular: bool,
    /// Whether some column holds numbers or dates.
    pub(super) boxed: bool,
    pub(super) columns: FxHashMap<TextId, Plan>,
}

impl Table {
    pub(super) fn new(records: u32, fields: u32) -> Self {
        Self {
            records,
            fields,
            regular: true,
            boxed: false,
            columns: FxHashMap::default(),
        }
    }
}
