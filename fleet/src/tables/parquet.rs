//! Rows to Parquet and back.

use std::collections::BTreeSet;
use std::fs::File;
use std::path::Path;

use chrono::{Days, NaiveDate};
use datafusion::arrow::array::{Array as _, Date32Array, RecordBatch};
use datafusion::arrow::error::ArrowError;
use parquet::arrow::ArrowWriter;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::WriterProperties;
use parquet::file::reader::ChunkReader;

use super::Table;
use crate::error::{Error, Result, at};

/// Rows of a row group: a question about a few days passes over the others, which are sorted by time.
const GROUP: usize = 32_768;

/// A whole file.
///
/// # Errors
/// When the rows are not of the table.
pub(crate) fn encoded(table: Table, batches: &[RecordBatch]) -> Result<Vec<u8>> {
    let properties = WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::try_new(1)?))
        .set_max_row_group_row_count(Some(GROUP))
        .set_created_by(concat!("deadweight-fleet ", env!("CARGO_PKG_VERSION")).to_owned())
        .build();
    let mut writer = ArrowWriter::try_new(Vec::new(), table.schema(), Some(properties))?;
    for batch in batches {
        writer.write(batch)?;
    }
    Ok(writer.into_inner()?)
}

/// The bytes of a file of a dataset, where they are.
pub(crate) enum Bytes<'p> {
    /// On the disk.
    File(&'p Path),
    /// In memory.
    Memory(Vec<u8>),
}

/// All rows of a file, or the columns of these names alone.
///
/// # Errors
/// When it is not a file of the table.
pub(crate) fn read(bytes: Bytes<'_>, columns: Option<&[&str]>) -> Result<Vec<RecordBatch>> {
    match bytes {
        Bytes::File(path) => read_from(File::open(path).map_err(at(path.display().to_string()))?, columns),
        Bytes::Memory(content) => read_from(axum::body::Bytes::from(content), columns),
    }
}

fn read_from<R: ChunkReader + 'static>(from: R, columns: Option<&[&str]>) -> Result<Vec<RecordBatch>> {
    let mut builder = ParquetRecordBatchReaderBuilder::try_new(from)?.with_batch_size(GROUP);
    if let Some(columns) = columns {
        let mask = ProjectionMask::columns(builder.parquet_schema(), columns.iter().copied());
        builder = builder.with_projection(mask);
    }
    let batches: std::result::Result<Vec<RecordBatch>, ArrowError> = builder.build()?.collect();
    Ok(batches?)
}

/// The days of rows.
///
/// # Errors
/// When the rows have no such column.
pub(crate) fn column_of_days(batch: &RecordBatch) -> Result<&Date32Array> {
    let column = batch.column_by_name("day");
    let days = column.and_then(|column| column.as_any().downcast_ref::<Date32Array>());
    days.ok_or_else(|| Error::Arrow(ArrowError::SchemaError("no column of days".to_owned())))
}

/// A day as it stands in a column.
pub(crate) fn day_of(days: i32) -> NaiveDate {
    let epoch = NaiveDate::default();
    let distance = Days::new(u64::from(days.unsigned_abs()));
    let day = if days < 0 {
        epoch.checked_sub_days(distance)
    } else {
        epoch.checked_add_days(distance)
    };
    day.unwrap_or_default()
}

/// The first and the last day of rows.
pub(crate) fn span(batches: &[RecordBatch]) -> Result<Option<(NaiveDate, NaiveDate)>> {
    let mut days = BTreeSet::new();
    for batch in batches {
        days.extend(column_of_days(batch)?.iter().flatten());
    }
    Ok(days
        .first()
        .zip(days.last())
        .map(|(first, last)| (day_of(*first), day_of(*last))))
}
