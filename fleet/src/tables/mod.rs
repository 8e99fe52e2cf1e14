//! The three tables, and the rows of weighings in them.

mod findings;
mod holdings;
mod labelled;
mod parquet;
mod weighings;

use std::fmt;

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::arrow::error::ArrowError;
use serde::{Deserialize, Serialize};

use crate::taken::Taken;

pub(crate) use parquet::{Bytes, column_of_days, day_of, encoded, read, span};

/// A table of the dataset.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[serde(rename_all = "snake_case")]
pub enum Table {
    /// A row for each weighing.
    Weighings,
    /// A row for each finding of each weighing.
    Findings,
    /// A row for each type that stands in the heap of each weighing.
    Holdings,
}

impl Table {
    /// Each.
    pub const ALL: [Self; 3] = [Self::Weighings, Self::Findings, Self::Holdings];

    /// Its name in SQL, and of its folder.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Weighings => "weighings",
            Self::Findings => "findings",
            Self::Holdings => "holdings",
        }
    }

    /// Its columns.
    #[must_use]
    pub fn schema(self) -> SchemaRef {
        match self {
            Self::Weighings => weighings::schema(),
            Self::Findings => findings::schema(),
            Self::Holdings => holdings::schema(),
        }
    }

    /// The rows of weighings, in their order.
    ///
    /// # Errors
    /// When there are more than a batch can have.
    pub fn rows(self, of: &[Taken]) -> Result<RecordBatch, ArrowError> {
        match self {
            Self::Weighings => weighings::rows(of),
            Self::Findings => findings::rows(of),
            Self::Holdings => holdings::rows(of),
        }
    }
}

impl fmt::Display for Table {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}
