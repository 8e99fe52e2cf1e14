//! Values out of the engine's rows.

use datafusion::arrow::array::{Array as _, ArrayRef, AsArray as _, RecordBatch};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::{DataType, Float64Type, Int64Type, UInt64Type};
use datafusion::arrow::util::display::{ArrayFormatter, FormatOptions};
use serde_json::{Map, Value};

use crate::error::{Error, Result};

/// Rows whose columns are taken by name.
pub(crate) struct Rows {
    batches: Vec<RecordBatch>,
}

impl Rows {
    pub(crate) fn new(batches: Vec<RecordBatch>) -> Self {
        Self { batches }
    }

    fn column(&self, name: &str, of: &DataType) -> Result<Vec<ArrayRef>> {
        let arrays = self.batches.iter().map(|batch| {
            let column = batch.column_by_name(name);
            let column = column.ok_or_else(|| Error::Ended(format!("no column {name}")))?;
            Ok(cast(column, of)?)
        });
        arrays.collect()
    }

    /// A column of texts; null is empty.
    pub(crate) fn texts(&self, name: &str) -> Result<Vec<String>> {
        let arrays = self.column(name, &DataType::Utf8)?;
        let texts = arrays.iter().flat_map(|array| array.as_string::<i32>().iter());
        Ok(texts.map(|text| text.unwrap_or_default().to_owned()).collect())
    }

    /// A column of whole numbers; null is 0.
    pub(crate) fn numbers(&self, name: &str) -> Result<Vec<u64>> {
        let arrays = self.column(name, &DataType::UInt64)?;
        let numbers = arrays
            .iter()
            .flat_map(|array| array.as_primitive::<UInt64Type>().iter());
        Ok(numbers.map(Option::unwrap_or_default).collect())
    }

    /// A column of numbers.
    pub(crate) fn maybe_reals(&self, name: &str) -> Result<Vec<Option<f64>>> {
        let arrays = self.column(name, &DataType::Float64)?;
        Ok(arrays
            .iter()
            .flat_map(|array| array.as_primitive::<Float64Type>().iter())
            .collect())
    }

    /// A column of numbers; null is 0.
    pub(crate) fn reals(&self, name: &str) -> Result<Vec<f64>> {
        Ok(self
            .maybe_reals(name)?
            .into_iter()
            .map(Option::unwrap_or_default)
            .collect())
    }
}

/// All rows as texts, behind the names of the columns.
///
/// # Errors
/// When a value cannot be shown.
pub fn texts(batches: &[RecordBatch]) -> Result<(Vec<String>, Vec<Vec<String>>)> {
    let names = batches.first().map(RecordBatch::schema).into_iter();
    let names = names.flat_map(|schema| {
        schema
            .fields()
            .iter()
            .map(|field| field.name().clone())
            .collect::<Vec<_>>()
    });
    let options = FormatOptions::default();
    let mut rows = Vec::new();
    for batch in batches {
        let formats = batch
            .columns()
            .iter()
            .map(|column| ArrayFormatter::try_new(column, &options));
        let formats = formats.collect::<std::result::Result<Vec<_>, _>>()?;
        for row in 0..batch.num_rows() {
            rows.push(
                formats
                    .iter()
                    .map(|format| format.value(row).to_string())
                    .collect(),
            );
        }
    }
    Ok((names.collect(), rows))
}

/// All rows as objects of JSON: numbers and truth values as such, all else as text.
///
/// # Errors
/// When a value cannot be shown.
pub fn json_rows(batches: &[RecordBatch]) -> Result<Vec<Value>> {
    let mut rows = Vec::new();
    let options = FormatOptions::default();
    for batch in batches {
        let schema = batch.schema();
        let mut columns: Vec<Vec<Value>> = Vec::new();
        for column in batch.columns() {
            columns.push(json_column(column, &options)?);
        }
        for row in 0..batch.num_rows() {
            let values = columns.iter_mut().map(|column| column[row].take());
            let names = schema.fields().iter().map(|field| field.name().clone());
            rows.push(Value::Object(names.zip(values).collect::<Map<_, _>>()));
        }
    }
    Ok(rows)
}

fn json_column(column: &ArrayRef, options: &FormatOptions<'_>) -> Result<Vec<Value>> {
    // Numbers without a sign and such with one come together as decimal ones.
    let as_number = match column.data_type() {
        DataType::Decimal128(_, 0) => Some(DataType::Int64),
        DataType::Decimal128(_, _) => Some(DataType::Float64),
        _ => None,
    };
    if let Some(number) = as_number {
        return json_column(&cast(column, &number)?, options);
    }
    let of = column.data_type();
    let values = |value: &dyn Fn(usize) -> Value| -> Vec<Value> {
        let or_null = |row| {
            if column.is_null(row) {
                Value::Null
            } else {
                value(row)
            }
        };
        (0..column.len()).map(or_null).collect()
    };
    if *of == DataType::UInt64 {
        let whole = column.as_primitive::<UInt64Type>();
        return Ok(values(&|row| whole.value(row).into()));
    }
    if of.is_integer() {
        let whole = cast(column, &DataType::Int64)?;
        let whole = whole.as_primitive::<Int64Type>();
        return Ok(values(&|row| whole.value(row).into()));
    }
    if of.is_floating() {
        let real = cast(column, &DataType::Float64)?;
        let real = real.as_primitive::<Float64Type>();
        return Ok(values(&|row| real.value(row).into()));
    }
    if *of == DataType::Boolean {
        let truth = column.as_boolean();
        return Ok(values(&|row| truth.value(row).into()));
    }
    let format = ArrayFormatter::try_new(column, options)?;
    Ok(values(&|row| format.value(row).to_string().into()))
}
