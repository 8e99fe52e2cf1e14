//! Which weighings the dataset has already. A weighing's identity decides its day, so only days that are written to are
//! looked at.

use std::collections::{HashMap, HashSet};

use chrono::NaiveDate;
use datafusion::arrow::array::{Array as _, StringArray};

use super::log::{Entry, State, Why};
use super::part::Part;
use super::place::{Place, apart};
use crate::error::Result;
use crate::tables::{Bytes, Table, column_of_days, day_of, read};

/// More identities than this, of 16 bytes each and about as much for the table, are forgotten and read again.
const MOST: usize = 4_000_000;

/// The identities of all weighings of some days.
#[derive(Debug, Default)]
pub(super) struct Known {
    days: HashMap<NaiveDate, HashSet<u128>>,
}

impl Known {
    /// Whether the dataset has it. Its day must have been learned.
    pub(super) fn has(&self, day: NaiveDate, id: &str) -> bool {
        self.days.get(&day).is_some_and(|ids| ids.contains(&number(id)))
    }

    /// It was committed.
    pub(super) fn insert(&mut self, day: NaiveDate, id: &str) {
        if let Some(ids) = self.days.get_mut(&day) {
            ids.insert(number(id));
        }
    }

    /// Others have changed the dataset in a way that is not known.
    pub(super) fn forget(&mut self) {
        self.days.clear();
    }

    /// Others have committed.
    ///
    /// # Errors
    /// When a part cannot be read.
    pub(super) async fn take_in(&mut self, news: &[Entry], place: &Place) -> Result<()> {
        for entry in news {
            match entry.why {
                // The same weighings in other parts.
                Why::Compact => {}
                Why::Retain => self.forget(),
                Why::Ingest => {
                    for part in &entry.add {
                        add_ids(&mut self.days, place, part).await?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Reads the identities of days that are not known yet.
    ///
    /// # Errors
    /// When a part cannot be read.
    pub(super) async fn learn(
        &mut self,
        days: impl Iterator<Item = NaiveDate>,
        place: &Place,
        state: &State,
    ) -> Result<()> {
        if self.days.values().map(HashSet::len).sum::<usize>() > MOST {
            self.forget();
        }
        let missing: HashSet<NaiveDate> = days.filter(|day| !self.days.contains_key(day)).collect();
        if missing.is_empty() {
            return Ok(());
        }
        let mut learned: HashMap<NaiveDate, HashSet<u128>> =
            missing.iter().map(|day| (*day, HashSet::new())).collect();
        for part in state.parts.values() {
            let overlaps = |day: &&NaiveDate| (part.first_day..=part.last_day).contains(*day);
            if !missing.iter().any(|day| overlaps(&day)) {
                continue;
            }
            add_ids(&mut learned, place, part).await?;
        }
        self.days.extend(learned);
        Ok(())
    }
}

/// Adds the identities of a part's weighings to those days that are there.
async fn add_ids(days: &mut HashMap<NaiveDate, HashSet<u128>>, place: &Place, part: &Part) -> Result<()> {
    for batch in read_columns(place, &part.file(Table::Weighings), &["id", "day"]).await? {
        let of = column_of_days(&batch)?;
        let ids = batch.column_by_name("id");
        let Some(ids) = ids.and_then(|ids| ids.as_any().downcast_ref::<StringArray>()) else {
            continue;
        };
        for row in 0..batch.num_rows() {
            if let Some(known) = days.get_mut(&day_of(of.value(row))) {
                known.insert(number(ids.value(row)));
            }
        }
    }
    Ok(())
}

/// Reads a file of a table, wherever it is.
pub(super) async fn read_columns(
    place: &Place,
    path: &str,
    columns: &'static [&'static str],
) -> Result<Vec<datafusion::arrow::array::RecordBatch>> {
    let columns = (!columns.is_empty()).then_some(columns);
    if let Some(folder) = place.folder() {
        let file = folder.join(path);
        return apart(move || read(Bytes::File(&file), columns)).await;
    }
    let content = place.get(path).await?.ok_or_else(|| crate::error::Error::File {
        path: path.to_owned(),
        source: std::io::ErrorKind::NotFound.into(),
    })?;
    apart(move || read(Bytes::Memory(content), columns)).await
}

fn number(id: &str) -> u128 {
    u128::from_str_radix(id, 16).unwrap_or_default()
}
