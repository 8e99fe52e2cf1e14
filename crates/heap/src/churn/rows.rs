//! What was made, aggregated.

use crate::{Kind, TypeId};

use super::StackId;

/// A row's number in [`Rows`].
pub type RowId = u32;

/// All objects of one type that one call stack made. Where sampled, counts and bytes are already scaled up to what
/// there was.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Row {
    /// Who made them; `None` when no stack was recorded.
    pub stack: Option<StackId>,
    /// Their type, if known.
    pub type_id: Option<TypeId>,
    /// What they are; [`Kind::Opaque`] when unknown.
    pub kind: Kind,
    /// How many were made.
    pub count: u64,
    /// What they were charged, what they grew to included, in bytes.
    pub bytes: u64,
    /// Bytes of the largest of them.
    pub largest: Option<u64>,
    /// How many were alive when the record ended.
    pub kept: Option<u64>,
    /// Bytes of those.
    pub kept_bytes: Option<u64>,
    /// How many, being containers, never held anything.
    pub empty: Option<u64>,
    /// Bytes of those.
    pub empty_bytes: Option<u64>,
    /// How many different contents they had.
    pub distinct: Option<u64>,
    /// How many references they held when they died or at the end; `None` when unknown.
    pub entries: Option<u64>,
    /// Which objects they are of those that a call has made since it made the collection that it fills: the first, from
    /// 0, and the one behind the last. `None` when that was not recorded.
    pub among: Option<(u64, u64)>,
    /// Whether they are pieces of other objects, as the bytes of a text are where the text is another object: they have
    /// bytes, and are no elements by themselves.
    pub part: bool,
    /// Whether the language's own library made them for itself: the line that called it never holds them.
    pub internal: bool,
    /// Whether they may be copies of what the call was handed, in a form in which it can be read: another call that reads
    /// it would make them as well.
    pub operand: bool,
    /// How many of them were seen; `count` when all were.
    pub samples: u64,
}

impl Row {
    /// Average bytes of one object; 0 for none.
    #[must_use]
    pub fn mean(&self) -> u64 {
        self.bytes.checked_div(self.count).unwrap_or_default()
    }

    /// Bytes of those that were not alive when the record ended; `None` when that was not seen.
    #[must_use]
    pub fn dropped_bytes(&self) -> Option<u64> {
        self.kept_bytes.map(|kept| self.bytes.saturating_sub(kept))
    }

    /// Bytes of those that were among the first `most` of their collection; `None` when that was not recorded. Within
    /// the row's range, objects are taken to be alike.
    #[must_use]
    pub fn among_first(&self, most: u64) -> Option<u64> {
        let (from, to) = self.among?;
        let reached = most.clamp(from, to) - from;
        Some((self.bytes as f64 * reached as f64 / (to - from).max(1) as f64).round() as u64)
    }

    /// Whether all are of one size.
    #[must_use]
    pub fn has_one_size(&self) -> bool {
        self.largest
            .is_some_and(|largest| largest.checked_mul(self.count) == Some(self.bytes))
    }
}

/// The rows of a churn.
#[derive(Clone, Debug, Default)]
pub struct Rows {
    rows: Vec<Row>,
}

impl Rows {
    /// Adds a row.
    pub fn add(&mut self, row: Row) -> RowId {
        self.rows.push(row);
        (self.rows.len() - 1) as RowId
    }

    /// A row by its number.
    #[must_use]
    pub fn get(&self, id: RowId) -> Option<&Row> {
        self.rows.get(id as usize)
    }

    /// Changes a row that is there.
    pub fn change(&mut self, id: RowId, change: impl FnOnce(&mut Row)) {
        if let Some(row) = self.rows.get_mut(id as usize) {
            change(row);
        }
    }

    /// All rows, by number.
    pub fn iter(&self) -> impl Iterator<Item = &Row> {
        self.rows.iter()
    }

    /// Number of rows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether nothing was made.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }
}
