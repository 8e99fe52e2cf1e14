//! References collected one by one.

use super::Edges;
use crate::{ObjectId, Via};

/// Collects references in the order of their sources.
#[derive(Debug, Default)]
pub struct EdgesBuilder {
    starts: Vec<u32>,
    via: Vec<Via>,
    to: Vec<ObjectId>,
}

impl EdgesBuilder {
    /// Ends the row of the next object: every edge pushed since the last call belongs to it.
    pub fn end_row(&mut self) {
        if self.starts.is_empty() {
            self.starts.push(0);
        }
        self.starts.push(self.to.len() as u32);
    }

    /// Adds a reference to the current row.
    pub fn push(&mut self, via: Via, to: ObjectId) {
        self.via.push(via);
        self.to.push(to);
    }

    /// The finished table.
    #[must_use]
    pub fn finish(self) -> Edges {
        Edges::from_columns(self.starts, self.via, self.to)
    }
}
