//! Appends weighings: each once, and durable before it says so.

use std::collections::{BTreeMap, HashSet};
use std::time::SystemTime;

use datafusion::arrow::array::RecordBatch;

use super::known::Known;
use super::log::{Committed, State, Why, is_stale};
use super::part::{Part, name_for};
use super::place::{Place, apart};
use crate::error::{Error, Result};
use crate::tables::{Table, encoded, span};
use crate::taken::Taken;

/// How often others may come first.
const TRIES: u32 = 200;

/// What became of weighings that were to be appended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Appended {
    /// For each in its order, whether it is new; the others were there already. All are durable.
    pub new: Vec<bool>,
}

/// Appends to a dataset. Several processes may do so at once.
#[derive(Debug)]
pub struct Writer {
    place: Place,
    state: State,
    known: Known,
}

impl Writer {
    /// A writer to the dataset at that place.
    ///
    /// # Errors
    /// When its log cannot be read.
    pub async fn open(place: Place) -> Result<Self> {
        let state = State::read(&place).await?;
        let known = Known::default();
        Ok(Self { place, state, known })
    }

    /// What the dataset is made of, as far as this writer knows.
    #[must_use]
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Appends those that the dataset has not yet, in one commit. When it returns, all of them are durable.
    ///
    /// # Errors
    /// When they could not be written. What was appended is then not known; to append the same again doubles nothing.
    pub async fn append(&mut self, mut taken: Vec<Taken>) -> Result<Appended> {
        let order: Vec<String> = taken.iter().map(|taken| taken.id.clone()).collect();
        taken.sort_unstable_by(|one, other| key(one).cmp(&key(other)));
        // The same twice in one batch.
        taken.dedup_by(|one, other| one.id == other.id);
        let mut written: Option<Part> = None;
        for _ in 0..TRIES {
            let news = self.state.refresh(&self.place).await?;
            let known = match &news {
                Some(news) => self.known.take_in(news, &self.place).await,
                None => Err(Error::Ended("the log was read again".to_owned())),
            };
            // A part may be gone already, when others have compacted since.
            if known.is_err() {
                self.known.forget();
            }
            let days = taken.iter().map(|taken| taken.labels.day());
            self.known.learn(days, &self.place, &self.state).await?;
            let before = taken.len();
            taken.retain(|taken| !self.known.has(taken.labels.day(), &taken.id));
            if taken.is_empty() {
                return Ok(Appended {
                    new: vec![false; order.len()],
                });
            }
            // Others have committed some of them, or the files may be swept away soon.
            let is_old = |part: &Part| part.written.is_some_and(is_stale);
            if before != taken.len() || written.as_ref().is_some_and(is_old) {
                written = None;
            }
            let part = if let Some(part) = &written {
                part.clone()
            } else {
                let part;
                (part, taken) = write_rows(&self.place, self.state.version, taken).await?;
                written = Some(part.clone());
                part
            };
            let committed = self
                .state
                .commit(&self.place, Why::Ingest, vec![part], Vec::new())
                .await?;
            if committed == Committed::Done {
                let mut new: HashSet<&str> = HashSet::new();
                for taken in &taken {
                    self.known.insert(taken.labels.day(), &taken.id);
                    new.insert(&taken.id);
                }
                // Of the same twice in one batch the first is the new one.
                let new = order.iter().map(|id| new.remove(id.as_str())).collect();
                return Ok(Appended { new });
            }
        }
        Err(Error::Contended(TRIES))
    }
}

/// In which order weighings stand in a part: all of one service together, by time.
fn key(taken: &Taken) -> (&str, i64, &str) {
    let labels = &taken.labels;
    (&labels.service, labels.captured_at.timestamp_micros(), &taken.id)
}

async fn write_rows(place: &Place, version: u64, taken: Vec<Taken>) -> Result<(Part, Vec<Taken>)> {
    let (rows, taken) = apart(move || {
        let mut rows = Vec::new();
        for table in Table::ALL {
            rows.push((table, vec![table.rows(&taken)?]));
        }
        Ok((rows, taken))
    })
    .await?;
    let part = write_part(place, version, None, rows)
        .await?
        .ok_or_else(|| Error::Ended("no rows".to_owned()))?;
    Ok((part, taken))
}

/// Writes the files of a part. Nobody sees them before a commit names the part. `None` when there is no weighing in it.
pub(super) async fn write_part(
    place: &Place,
    version: u64,
    service: Option<&str>,
    rows: Vec<(Table, Vec<RecordBatch>)>,
) -> Result<Option<Part>> {
    let weighings = rows.iter().find(|(table, _)| *table == Table::Weighings);
    let Some((first_day, last_day)) = weighings.map(|(_, rows)| span(rows)).transpose()?.flatten() else {
        return Ok(None);
    };
    let mut part = Part {
        name: name_for(service, version),
        service: service.map(str::to_owned),
        first_day,
        last_day,
        rows: BTreeMap::new(),
        bytes: 0,
        written: Some(SystemTime::now()),
    };
    let mut writes = Vec::new();
    for (table, batches) in rows {
        let count = batches.iter().map(|batch| batch.num_rows() as u64).sum();
        part.rows.insert(table, count);
        let path = part.file(table);
        let place = place.clone();
        writes.push(tokio::spawn(async move {
            let content = apart(move || encoded(table, &batches)).await?;
            let bytes = content.len() as u64;
            place.put_new(&path, content).await?;
            Ok::<u64, Error>(bytes)
        }));
    }
    for write in writes {
        part.bytes += write.await.map_err(|error| Error::Ended(error.to_string()))??;
    }
    Ok(Some(part))
}
