//! The table `findings`: a row for each finding of each weighing.

use std::sync::Arc;

use datafusion::arrow::array::{BooleanArray, RecordBatch, UInt32Array};
use datafusion::arrow::datatypes::{DataType, SchemaRef};
use datafusion::arrow::error::ArrowError;
use deadweight_weighing::{Confidence, Finding};

use super::labelled::{self, Labelled, figures, texts};
use crate::taken::Taken;

/// What a finding's bytes are a part of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Of {
    /// The heap: these add up to `dead` of the weighing.
    Held,
    /// Memory outside: these add up to `external_dead`.
    External,
    /// What the program makes and throws away: in neither.
    Made,
}

impl Of {
    const fn name(self) -> &'static str {
        match self {
            Self::Held => "held",
            Self::External => "external",
            Self::Made => "made",
        }
    }
}

struct Row<'t> {
    of: Of,
    /// From 0, in the weighing's order.
    rank: u32,
    finding: &'t Finding,
}

type Text = for<'f> fn(&'f Finding) -> Option<&'f str>;

const TEXTS: [(&str, bool, Text); 11] = [
    ("rule", false, |f| Some(&f.rule)),
    ("fingerprint", false, |f| Some(&f.fingerprint)),
    ("holder", false, |f| Some(&f.holder)),
    ("type", true, |f| {
        f.frees.first().map(|freed| freed.holds.as_str())
    }),
    ("site", true, |f| f.site.as_deref()),
    ("file", true, |f| f.line.as_ref().map(|line| line.file.as_str())),
    ("basis", false, |f| Some(f.tier.name())),
    ("confidence", false, |f| {
        Some(match f.confidence {
            Confidence::Exact => "exact",
            Confidence::Estimate => "estimate",
        })
    }),
    ("assumes", true, |f| f.assumes.as_deref()),
    ("title", false, |f| Some(&f.title)),
    ("fix", false, |f| Some(&f.fix)),
];

type Figure = fn(&Finding) -> Option<u64>;

const FIGURES: [(&str, bool, Figure); 7] = [
    ("line", true, |f| f.line.as_ref().map(|line| line.line)),
    ("objects", false, |f| Some(f.count)),
    ("unaffected", false, |f| Some(f.unaffected)),
    ("bytes_now", false, |f| Some(f.bytes_now)),
    ("bytes_after", false, |f| Some(f.bytes_after)),
    ("saves", false, |f| Some(f.saves)),
    ("saves_alone", false, |f| Some(f.saves_alone)),
];

pub(super) fn schema() -> SchemaRef {
    let mut own = vec![("of", DataType::Utf8, false), ("rank", DataType::UInt32, false)];
    own.extend(TEXTS.map(|(name, nullable, _)| (name, DataType::Utf8, nullable)));
    own.extend(FIGURES.map(|(name, nullable, _)| (name, DataType::UInt64, nullable)));
    own.push(("sure", DataType::Boolean, false));
    labelled::schema(&own)
}

pub(super) fn rows(of: &[Taken]) -> Result<RecordBatch, ArrowError> {
    let mut labels = Labelled::default();
    let mut rows = Vec::new();
    for taken in of {
        let weighing = &taken.weighing;
        let made = weighing.churned.iter().flat_map(|churned| &churned.findings);
        let made = made.map(|finding| (Of::Made, finding));
        let held = weighing.findings.iter();
        let held = held.map(|finding| (if finding.external { Of::External } else { Of::Held }, finding));
        for (rank, (of, finding)) in (0..).zip(held.chain(made)) {
            labels.push(taken);
            rows.push(Row { of, rank, finding });
        }
    }
    let mut columns = labels.finish();
    columns.push(texts(rows.iter().map(|row| Some(row.of.name()))));
    columns.push(Arc::new(UInt32Array::from_iter_values(
        rows.iter().map(|row| row.rank),
    )));
    for (_, _, text) in TEXTS {
        columns.push(texts(rows.iter().map(|row| text(row.finding))));
    }
    for (_, _, figure) in FIGURES {
        columns.push(figures(rows.iter().map(|row| figure(row.finding))));
    }
    let sure: Vec<bool> = rows
        .iter()
        .map(|row| row.finding.tier == deadweight_weighing::Tier::Sure)
        .collect();
    columns.push(Arc::new(BooleanArray::from(sure)));
    RecordBatch::try_new(schema(), columns)
}
