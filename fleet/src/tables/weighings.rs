//! The table `weighings`: a row for each.

use std::sync::Arc;

use datafusion::arrow::array::{BooleanArray, RecordBatch};
use datafusion::arrow::datatypes::{DataType, SchemaRef};
use datafusion::arrow::error::ArrowError;
use deadweight_weighing::Weighing;

use super::labelled::{self, Labelled, figures, texts};
use crate::taken::Taken;

/// A figure of a weighing, in bytes where its name does not say otherwise; null where the weighing does not say it.
type Figure = fn(&Weighing) -> Option<u64>;

/// The figures, by the name of their column, with whether they may be null.
const FIGURES: [(&str, bool, Figure); 22] = [
    ("held", false, |w| Some(w.held.bytes)),
    ("content", false, |w| Some(w.held.content)),
    ("runtime_bytes", false, |w| Some(w.held.runtime)),
    ("dead", false, |w| Some(w.held.dead)),
    ("dead_sure", true, |w| w.held.dead_sure),
    ("objects", false, |w| Some(w.held.objects)),
    ("external", false, |w| Some(w.external.bytes)),
    ("external_dead", false, |w| Some(w.external.dead)),
    ("external_dead_sure", true, |w| w.external.dead_sure),
    ("rss", true, |w| w.process.as_ref()?.rss),
    ("rss_peak", true, |w| w.process.as_ref()?.rss_peak),
    ("heap_used", true, |w| w.process.as_ref()?.heap_used),
    ("heap_total", true, |w| w.process.as_ref()?.heap_total),
    ("heap_peak", true, |w| w.process.as_ref()?.heap_peak),
    ("made", true, |w| w.churned.as_ref().map(|churned| churned.bytes)),
    ("made_needlessly", true, |w| {
        w.churned.as_ref().map(|churned| churned.dead)
    }),
    ("operations", true, |w| {
        w.churned.as_ref().map(|churned| churned.operations)
    }),
    ("findings", false, |w| Some(w.findings.len() as u64)),
    ("options", false, |w| Some(w.options.len() as u64)),
    ("not_measured", false, |w| Some(w.not_measured.len() as u64)),
    ("dump_bytes", false, |w| Some(w.source.bytes)),
    ("word_bytes", false, |w| Some(u64::from(w.runtime.word_bytes))),
];

/// A text of a weighing.
type Text = fn(&Weighing) -> &str;

const TEXTS: [(&str, Text); 4] = [
    ("runtime", |w| &w.runtime.name),
    ("runtime_version", |w| &w.runtime.version),
    ("allocator", |w| &w.runtime.allocator),
    ("format", |w| &w.source.format),
];

/// What a figure of a weighing is not.
type Mark = fn(&Weighing) -> bool;

const MARKS: [(&str, Mark); 3] = [
    ("partial", |w| w.partial.is_some()),
    ("estimated", |w| w.estimated.is_some()),
    ("mostly_unseen", |w| w.unseen.is_some()),
];

pub(super) fn schema() -> SchemaRef {
    let mut own = Vec::new();
    own.extend(TEXTS.map(|(name, _)| (name, DataType::Utf8, false)));
    own.extend(FIGURES.map(|(name, nullable, _)| (name, DataType::UInt64, nullable)));
    own.extend(MARKS.map(|(name, _)| (name, DataType::Boolean, false)));
    labelled::schema(&own)
}

pub(super) fn rows(of: &[Taken]) -> Result<RecordBatch, ArrowError> {
    let mut labels = Labelled::default();
    for taken in of {
        labels.push(taken);
    }
    let mut columns = labels.finish();
    for (_, text) in TEXTS {
        columns.push(texts(of.iter().map(|taken| Some(text(&taken.weighing)))));
    }
    for (_, _, figure) in FIGURES {
        columns.push(figures(of.iter().map(|taken| figure(&taken.weighing))));
    }
    for (_, mark) in MARKS {
        let marks: Vec<bool> = of.iter().map(|taken| mark(&taken.weighing)).collect();
        columns.push(Arc::new(BooleanArray::from(marks)));
    }
    RecordBatch::try_new(schema(), columns)
}
