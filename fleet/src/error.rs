//! What can go wrong with a dataset.

use std::io;

use crate::tables::Table;

/// Why a dataset could not be read, written or asked.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file or folder of the dataset.
    #[error("{path}: {source}")]
    File {
        /// Where.
        path: String,
        /// What the system said.
        source: io::Error,
    },
    /// The object store.
    #[error("the object store: {0}")]
    Store(#[from] object_store::Error),
    /// A place that cannot be one of a dataset.
    #[error("{0} names no place for a dataset; use a folder or s3://BUCKET/FOLDER")]
    NoPlace(String),
    /// No dataset is there.
    #[error("{0} has no weighings yet: `deadweight fleet ingest` puts some there")]
    Empty(String),
    /// A file that the log lists is gone: without it answers would be wrong.
    #[error("{file} is not in {place}, although the log lists it: an answer would leave its rows out")]
    Lost {
        /// The file, from the root of the dataset.
        file: String,
        /// The dataset.
        place: String,
    },
    /// An entry of the log that is none.
    #[error("{path} is no entry of the log of a dataset: {source}")]
    Entry {
        /// Which.
        path: String,
        /// What JSON said.
        source: serde_json::Error,
    },
    /// A dataset of a later version.
    #[error("{path} was written by a later version, in format {format}")]
    LaterFormat {
        /// Which entry.
        path: String,
        /// The format it names.
        format: u32,
    },
    /// Files were written too long before they were to be committed.
    #[error("writing took longer than {0} s, and the files may be gone; nothing was taken: try again")]
    TooSlow(u64),
    /// Others commit all the time.
    #[error("other writers were faster {0} times in a row; nothing was taken: try again")]
    Contended(u32),
    /// Parquet.
    #[error("Parquet: {0}")]
    Parquet(#[from] parquet::errors::ParquetError),
    /// Columns.
    #[error("columns: {0}")]
    Arrow(#[from] datafusion::arrow::error::ArrowError),
    /// The engine.
    #[error(transparent)]
    Query(#[from] datafusion::error::DataFusionError),
    /// An address that cannot be one of a scheduler.
    #[error("{0:?} names no scheduler; use df://HOST:50050")]
    NoScheduler(String),
    /// A cluster is wanted of a program that knows none.
    #[error(
        "this deadweight-fleet was built without clusters; `cargo build --release --features ballista` in the folder \
         `fleet` builds one with them"
    )]
    WithoutClusters,
    /// Nobody listens where a scheduler should.
    #[error("no scheduler answers at {scheduler}: {why}")]
    Unreachable {
        /// Its address.
        scheduler: String,
        /// What the system said.
        why: io::Error,
    },
    /// A cluster.
    #[error("the cluster at {scheduler}: {why}")]
    Cluster {
        /// The address of its scheduler.
        scheduler: String,
        /// What it said.
        why: datafusion::error::DataFusionError,
    },
    /// A cluster that does not see what the log lists: it would leave rows out without a word.
    #[error(
        "the cluster at {scheduler} sees {seen} of {rows} rows of {table}: its scheduler and its executors must reach the \
         dataset under the same name, {place}"
    )]
    Blind {
        /// The address of its scheduler.
        scheduler: String,
        /// The table.
        table: Table,
        /// The rows that the log lists.
        rows: u64,
        /// The rows that the cluster counts.
        seen: u64,
        /// The dataset.
        place: String,
    },
    /// A question without an answer.
    #[error("{0}")]
    Question(String),
    /// A part of the work panicked.
    #[error("a part of the work ended early: {0}")]
    Ended(String),
}

/// The result of what may fail so.
pub type Result<T> = std::result::Result<T, Error>;

/// Puts the file's name before what the system said.
pub(crate) fn at(path: impl Into<String>) -> impl FnOnce(io::Error) -> Error {
    let path = path.into();
    move |source| Error::File { path, source }
}
