//! What can go wrong with a dataset.

use std::io;

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
    #[error("{0}")]
    Query(#[from] datafusion::error::DataFusionError),
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
