//! The columns that every table begins with: which weighing a row is of. They repeat in each table, so that no question
//! needs a join to know of which service and day a row is.

use std::sync::Arc;

use chrono::Datelike as _;
use datafusion::arrow::array::{
    ArrayRef, Date32Builder, StringBuilder, TimestampMicrosecondBuilder, UInt64Builder,
};
use datafusion::arrow::datatypes::{DataType, Field, Schema, SchemaRef, TimeUnit};

use crate::taken::Taken;

/// The zone of all times.
const ZONE: &str = "UTC";

/// Days from the first day of the common era to 1970-01-01.
const EPOCH: i32 = 719_163;

/// A schema with these columns and the table's own.
pub(super) fn schema(own: &[(&str, DataType, bool)]) -> SchemaRef {
    let text = |name: &str| Field::new(name, DataType::Utf8, false);
    let mut fields = vec![
        text("id"),
        text("service"),
        text("version"),
        text("host"),
        Field::new(
            "captured_at",
            DataType::Timestamp(TimeUnit::Microsecond, Some(ZONE.into())),
            false,
        ),
        Field::new("day", DataType::Date32, false),
    ];
    let own = own
        .iter()
        .map(|(name, of, nullable)| Field::new(*name, of.clone(), *nullable));
    fields.extend(own);
    Arc::new(Schema::new(fields))
}

/// Builds these columns.
#[derive(Default)]
pub(super) struct Labelled {
    id: StringBuilder,
    service: StringBuilder,
    version: StringBuilder,
    host: StringBuilder,
    captured_at: TimestampMicrosecondBuilder,
    day: Date32Builder,
}

impl Labelled {
    /// One more row of that weighing.
    pub(super) fn push(&mut self, of: &Taken) {
        let labels = &of.labels;
        self.id.append_value(&of.id);
        self.service.append_value(&labels.service);
        self.version.append_value(&labels.version);
        self.host.append_value(&labels.host);
        self.captured_at
            .append_value(labels.captured_at.timestamp_micros());
        self.day.append_value(labels.day().num_days_from_ce() - EPOCH);
    }

    pub(super) fn finish(mut self) -> Vec<ArrayRef> {
        vec![
            Arc::new(self.id.finish()),
            Arc::new(self.service.finish()),
            Arc::new(self.version.finish()),
            Arc::new(self.host.finish()),
            Arc::new(self.captured_at.finish().with_timezone(ZONE)),
            Arc::new(self.day.finish()),
        ]
    }
}

/// Figures of many rows.
pub(super) fn figures(values: impl Iterator<Item = Option<u64>>) -> ArrayRef {
    let mut column = UInt64Builder::new();
    values.for_each(|value| column.append_option(value));
    Arc::new(column.finish())
}

/// Texts of many rows.
pub(super) fn texts<'t>(values: impl Iterator<Item = Option<&'t str>>) -> ArrayRef {
    let mut column = StringBuilder::new();
    values.for_each(|value| column.append_option(value));
    Arc::new(column.finish())
}
