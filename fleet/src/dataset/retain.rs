//! Old weighings go.

use chrono::NaiveDate;
use datafusion::arrow::array::{BooleanArray, RecordBatch};
use datafusion::arrow::compute::filter_record_batch;

use super::compact::replace;
use super::known::read_columns;
use super::log::{State, Why};
use super::part::Part;
use super::place::{Place, apart};
use super::writer::write_part;
use crate::error::Result;
use crate::tables::{Table, column_of_days, day_of};

/// What went.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Retained {
    /// Weighings before.
    pub before: u64,
    /// Weighings after.
    pub after: u64,
}

/// Removes all weighings of days before that one. Readers and writers may work meanwhile.
///
/// # Errors
/// When files cannot be read or written. The dataset is then as it was, or a step further.
pub async fn retain(place: &Place, from: NaiveDate) -> Result<Retained> {
    let mut state = State::read(place).await?;
    let before = state.weighings();
    // What lies before the day as a whole goes in one commit.
    loop {
        let old: Vec<Part> = state
            .parts
            .values()
            .filter(|part| part.last_day < from)
            .cloned()
            .collect();
        if old.is_empty() || replace(place, &mut state, Why::Retain, Vec::new(), &old).await? {
            break;
        }
    }
    while let Some(part) = state.parts.values().find(|part| part.first_day < from).cloned() {
        let mut rows = Vec::new();
        for table in Table::ALL {
            let batches = read_columns(place, &part.file(table), &[]).await?;
            let kept = apart(move || {
                batches
                    .iter()
                    .map(|batch| since(batch, from))
                    .collect::<Result<Vec<_>>>()
            });
            rows.push((table, kept.await?));
        }
        let add = write_part(place, state.version, part.service.as_deref(), rows).await?;
        let add = add.into_iter().collect();
        replace(place, &mut state, Why::Retain, add, std::slice::from_ref(&part)).await?;
    }
    Ok(Retained {
        before,
        after: state.weighings(),
    })
}

fn since(batch: &RecordBatch, from: NaiveDate) -> Result<RecordBatch> {
    let days = column_of_days(batch)?;
    let kept: BooleanArray = days
        .iter()
        .map(|day| day.map(|day| day_of(day) >= from))
        .collect();
    Ok(filter_record_batch(batch, &kept)?)
}
