//! The table `holdings`: a row for each type that stands in the heap of each weighing. They add up to all that is held.

use std::collections::BTreeMap;
use std::sync::Arc;

use datafusion::arrow::array::{BooleanArray, RecordBatch};
use datafusion::arrow::datatypes::{DataType, SchemaRef};
use datafusion::arrow::error::ArrowError;
use deadweight_weighing::Holdings;

use super::labelled::{self, Labelled, figures, texts};
use crate::taken::Taken;

/// A type, and whether it is the runtime's own; the places too small to list have none.
type Key<'t> = (Option<&'t str>, bool);

#[derive(Clone, Copy, Default)]
struct Sum {
    places: u64,
    objects: u64,
    bytes: u64,
    external: u64,
}

type Figure = fn(&Sum) -> u64;

const FIGURES: [(&str, Figure); 4] = [
    ("places", |sum| sum.places),
    ("objects", |sum| sum.objects),
    ("bytes", |sum| sum.bytes),
    ("external", |sum| sum.external),
];

pub(super) fn schema() -> SchemaRef {
    let mut own = vec![
        ("type", DataType::Utf8, true),
        ("runtime", DataType::Boolean, false),
    ];
    own.extend(FIGURES.map(|(name, _)| (name, DataType::UInt64, false)));
    labelled::schema(&own)
}

pub(super) fn rows(of: &[Taken]) -> Result<RecordBatch, ArrowError> {
    let mut labels = Labelled::default();
    let mut rows: Vec<(Key<'_>, Sum)> = Vec::new();
    for taken in of {
        let Some(holdings) = &taken.weighing.holdings else {
            continue;
        };
        let sums = sums(holdings);
        for _ in &sums {
            labels.push(taken);
        }
        rows.extend(sums);
    }
    let mut columns = labels.finish();
    columns.push(texts(rows.iter().map(|((holds, _), _)| *holds)));
    let runtime: Vec<bool> = rows.iter().map(|((_, runtime), _)| *runtime).collect();
    columns.push(Arc::new(BooleanArray::from(runtime)));
    for (_, figure) in FIGURES {
        columns.push(figures(rows.iter().map(|(_, sum)| Some(figure(sum)))));
    }
    RecordBatch::try_new(schema(), columns)
}

fn sums(holdings: &Holdings) -> BTreeMap<Key<'_>, Sum> {
    let mut sums = BTreeMap::<Key<'_>, Sum>::new();
    for place in &holdings.places {
        let sum = sums.entry((Some(&place.holds), place.runtime)).or_default();
        sum.places += 1;
        sum.objects = sum.objects.saturating_add(place.count);
        sum.bytes = sum.bytes.saturating_add(place.bytes);
        sum.external = sum.external.saturating_add(place.external);
    }
    let folded = &holdings.folded;
    if folded.places > 0 {
        let sum = Sum {
            places: folded.places,
            objects: folded.count,
            bytes: folded.bytes,
            external: folded.external,
        };
        sums.insert((None, false), sum);
    }
    sums
}
