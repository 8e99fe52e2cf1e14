//! The log of commits: what the dataset is made of. `fleet/README.md` says why it is safe.

use std::collections::BTreeMap;
use std::time::SystemTime;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::part::Part;
use super::place::{Place, random};
use crate::error::{Error, Result};
use crate::tables::Table;

/// Where entries are.
pub(crate) const FOLDER: &str = "log";

/// The format of entries that this version writes, and the latest that it reads.
const FORMAT: u32 = 1;

/// After how many entries one has the whole state beside it.
const CHECKPOINT_EVERY: u64 = 32;

/// Files that nothing lists any more stay for this many seconds: a reader may have begun before.
pub const GRACE: u64 = 3600;

/// Who knows the log for longer than this, in seconds, looks at it from the beginning. A quarter of the grace, so that no
/// entry that it has not seen can have been removed.
pub(crate) const FRESH: u64 = GRACE / 4;

/// Why a commit was made.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub enum Why {
    /// Weighings came in.
    Ingest,
    /// Parts became fewer.
    Compact,
    /// Old weighings went.
    Retain,
}

/// One commit: parts that come and parts that go, at once.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Entry {
    /// The format.
    pub format: u32,
    /// Its number, from 1.
    pub version: u64,
    /// When.
    pub at: DateTime<Utc>,
    /// Known to its writer alone, who so finds out whether an entry is the one it wrote.
    pub writer: String,
    /// Why.
    pub why: Why,
    /// Parts that come.
    pub add: Vec<Part>,
    /// Names of parts that go.
    pub remove: Vec<String>,
}

/// The whole state behind one commit, so that nobody needs the entries up to it.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Checkpoint {
    format: u32,
    version: u64,
    add: Vec<Part>,
}

/// What the dataset is made of at one version.
#[derive(Clone, Debug)]
pub struct State {
    /// The number of the last commit; 0 before the first.
    pub version: u64,
    /// The parts, by name.
    pub parts: BTreeMap<String, Part>,
    read: SystemTime,
}

/// What became of a commit.
#[derive(Debug, PartialEq, Eq)]
pub enum Committed {
    /// It is durable, and the state has it.
    Done,
    /// Another one came first.
    Overtaken,
}

impl State {
    /// Reads the log.
    ///
    /// # Errors
    /// When it cannot be read, or has an entry of a later version of this program.
    pub async fn read(place: &Place) -> Result<Self> {
        // What is listed may be removed before it is read, when a later checkpoint has it.
        let mut missing = None;
        for _ in 0..8 {
            match Self::read_once(place).await? {
                Ok(state) => return Ok(state),
                Err(path) => missing = Some(path),
            }
        }
        Err(Error::File {
            path: missing.unwrap_or_default(),
            source: std::io::ErrorKind::NotFound.into(),
        })
    }

    async fn read_once(place: &Place) -> Result<std::result::Result<Self, String>> {
        let read = SystemTime::now();
        let files = place.list(FOLDER).await?;
        let checkpoint = files.iter().rev().find(|file| is_checkpoint(&file.path));
        let mut state = Self {
            version: 0,
            parts: BTreeMap::new(),
            read,
        };
        if let Some(file) = checkpoint {
            let Some(content) = place.get(&file.path).await? else {
                return Ok(Err(file.path.clone()));
            };
            let checkpoint: Checkpoint = parsed(&file.path, &content)?;
            known_format(&file.path, checkpoint.format)?;
            state.version = checkpoint.version;
            state.parts = checkpoint
                .add
                .into_iter()
                .map(|part| (part.name.clone(), part))
                .collect();
        }
        let first = state.version + 1;
        let mut entries: Vec<&str> = Vec::new();
        for file in &files {
            if !is_checkpoint(&file.path) && version_of(&file.path).is_some_and(|version| version >= first) {
                entries.push(&file.path);
            }
        }
        for path in entries {
            let Some(content) = place.get(path).await? else {
                return Ok(Err(path.to_owned()));
            };
            let entry = entry_of(path, &content)?;
            if entry.version != state.version + 1 {
                return Ok(Err(name_of(state.version + 1)));
            }
            state.apply(&entry);
        }
        Ok(Ok(state))
    }

    /// Takes in what others have committed since. Returns their entries; `None` when all was read again.
    ///
    /// # Errors
    /// When the log cannot be read.
    pub async fn refresh(&mut self, place: &Place) -> Result<Option<Vec<Entry>>> {
        if is_stale(self.read) {
            *self = Self::read(place).await?;
            return Ok(None);
        }
        let read = SystemTime::now();
        let mut news = Vec::new();
        loop {
            let path = name_of(self.version + 1);
            let Some(content) = place.get(&path).await? else {
                break;
            };
            let entry = entry_of(&path, &content)?;
            self.apply(&entry);
            news.push(entry);
        }
        self.read = read;
        Ok(Some(news))
    }

    /// Commits, if nobody has committed since the state was read.
    ///
    /// # Errors
    /// When the entry cannot be written.
    pub async fn commit(
        &mut self,
        place: &Place,
        why: Why,
        add: Vec<Part>,
        remove: Vec<String>,
    ) -> Result<Committed> {
        if is_stale(self.read) {
            return Ok(Committed::Overtaken);
        }
        if add.iter().any(|part| part.written.is_some_and(is_stale)) {
            return Err(Error::TooSlow(FRESH));
        }
        let entry = Entry {
            format: FORMAT,
            version: self.version + 1,
            at: Utc::now(),
            writer: format!("{:016x}", random()),
            why,
            add,
            remove,
        };
        let path = name_of(entry.version);
        let content = serde_json::to_vec(&entry).map_err(|source| Error::Entry {
            path: path.clone(),
            source,
        })?;
        if !place.put_new(&path, content).await? {
            // A store may have written it and lost its answer, and then found the name taken when it tried again.
            let there = place.get(&path).await?;
            let is_ours = there
                .and_then(|content| entry_of(&path, &content).ok())
                .is_some_and(|there| there.writer == entry.writer);
            if !is_ours {
                return Ok(Committed::Overtaken);
            }
        }
        // This process may have slept between its look at the clock and the entry.
        if is_stale(self.read) && !self.holds_after_sleep(place, &entry).await? {
            return Ok(Committed::Overtaken);
        }
        self.apply(&entry);
        if self.version.is_multiple_of(CHECKPOINT_EVERY) {
            // The commit is made: that a checkpoint cannot be written must not take it back.
            let _ = self.checkpoint(place).await;
        }
        Ok(Committed::Done)
    }

    /// Whether an entry counts that was written late: behind it others may have swept entries and files. One that does not
    /// is taken back.
    async fn holds_after_sleep(&mut self, place: &Place, entry: &Entry) -> Result<bool> {
        *self = Self::read(place).await?;
        if entry.add.iter().any(|part| !self.parts.contains_key(&part.name)) || entry.version > self.version {
            // It stands before a checkpoint that knows nothing of it.
            place.remove(&name_of(entry.version)).await?;
            return Ok(false);
        }
        for part in &entry.add {
            for table in Table::ALL {
                if !place.has(&part.file(table)).await? {
                    let names = entry.add.iter().map(|part| part.name.clone()).collect();
                    Box::pin(self.commit(place, Why::Retain, Vec::new(), names)).await?;
                    return Err(Error::TooSlow(FRESH));
                }
            }
        }
        Ok(true)
    }

    /// Writes the whole state beside the last entry.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(crate) async fn checkpoint(&self, place: &Place) -> Result<()> {
        let path = format!("{FOLDER}/{:020}.checkpoint.json", self.version);
        let checkpoint = Checkpoint {
            format: FORMAT,
            version: self.version,
            add: self.parts.values().cloned().collect(),
        };
        let content = serde_json::to_vec(&checkpoint).map_err(|source| Error::Entry {
            path: path.clone(),
            source,
        })?;
        place.put_new(&path, content).await?;
        Ok(())
    }

    fn apply(&mut self, entry: &Entry) {
        // Not when all was read again since.
        if entry.version <= self.version {
            return;
        }
        self.version = entry.version;
        for name in &entry.remove {
            self.parts.remove(name);
        }
        for part in &entry.add {
            self.parts.insert(part.name.clone(), part.clone());
        }
    }

    /// How many weighings there are.
    #[must_use]
    pub fn weighings(&self) -> u64 {
        self.parts.values().map(Part::weighings).sum()
    }
}

/// Whether what was seen then must be looked at again. A clock that was set back says nothing, and counts as stale.
pub(crate) fn is_stale(then: SystemTime) -> bool {
    then.elapsed().map_or(true, |age| age.as_secs() >= FRESH)
}

/// The file of an entry.
pub(crate) fn name_of(version: u64) -> String {
    format!("{FOLDER}/{version:020}.json")
}

/// Whether a file of the log has a whole state.
pub(crate) fn is_checkpoint(path: &str) -> bool {
    path.ends_with(".checkpoint.json")
}

/// The version in a file's name.
pub(crate) fn version_of(path: &str) -> Option<u64> {
    path.rsplit('/').next()?.split('.').next()?.parse().ok()
}

pub(crate) fn entry_of(path: &str, content: &[u8]) -> Result<Entry> {
    let entry: Entry = parsed(path, content)?;
    known_format(path, entry.format)?;
    Ok(entry)
}

fn known_format(path: &str, format: u32) -> Result<()> {
    if format > FORMAT {
        return Err(Error::LaterFormat {
            path: path.to_owned(),
            format,
        });
    }
    Ok(())
}

fn parsed<T: for<'de> Deserialize<'de>>(path: &str, content: &[u8]) -> Result<T> {
    serde_json::from_slice(content).map_err(|source| Error::Entry {
        path: path.to_owned(),
        source,
    })
}

#[cfg(test)]
mod tests {
    use chrono::NaiveDate;

    use super::*;

    fn part(name: &str) -> Part {
        Part {
            name: name.to_owned(),
            service: None,
            first_day: NaiveDate::default(),
            last_day: NaiveDate::default(),
            rows: BTreeMap::new(),
            bytes: 0,
            written: None,
        }
    }

    #[tokio::test]
    async fn of_two_writers_one_is_overtaken() {
        let folder = tempfile::tempdir().unwrap();
        let place = Place::open(folder.path().to_str().unwrap()).unwrap();
        let mut one = State::read(&place).await.unwrap();
        let mut other = one.clone();
        let add = |name| vec![part(name)];
        let done = one
            .commit(&place, Why::Ingest, add("a"), Vec::new())
            .await
            .unwrap();
        assert_eq!(done, Committed::Done);
        let late = other
            .commit(&place, Why::Ingest, add("b"), Vec::new())
            .await
            .unwrap();
        assert_eq!(late, Committed::Overtaken);
        assert_eq!(other.refresh(&place).await.unwrap().unwrap().len(), 1);
        let then = other
            .commit(&place, Why::Ingest, add("b"), vec!["a".to_owned()])
            .await
            .unwrap();
        assert_eq!(then, Committed::Done);
        let read = State::read(&place).await.unwrap();
        assert_eq!(
            (read.version, read.parts.into_keys().collect::<Vec<_>>()),
            (2, vec!["b".to_owned()])
        );
    }

    #[tokio::test]
    async fn a_checkpoint_stands_for_all_before_it() {
        let folder = tempfile::tempdir().unwrap();
        let place = Place::open(folder.path().to_str().unwrap()).unwrap();
        let mut state = State::read(&place).await.unwrap();
        for at in 0..CHECKPOINT_EVERY + 3 {
            let add = vec![part(&format!("part {at}"))];
            state.commit(&place, Why::Ingest, add, Vec::new()).await.unwrap();
        }
        for version in 1..=CHECKPOINT_EVERY {
            place.remove(&name_of(version)).await.unwrap();
        }
        let read = State::read(&place).await.unwrap();
        assert_eq!(read.version, state.version);
        assert_eq!(read.parts, state.parts);
    }

    #[tokio::test]
    async fn who_slept_behind_a_sweep_commits_nothing_that_is_lost() {
        let folder = tempfile::tempdir().unwrap();
        let place = Place::open(folder.path().to_str().unwrap()).unwrap();
        let mut state = State::read(&place).await.unwrap();
        let mut slept = state.clone();
        for at in 0..CHECKPOINT_EVERY {
            let add = vec![part(&format!("part {at}"))];
            state.commit(&place, Why::Ingest, add, Vec::new()).await.unwrap();
        }
        place.remove(&name_of(1)).await.unwrap();
        let late = Entry {
            format: FORMAT,
            version: 1,
            at: Utc::now(),
            writer: String::new(),
            why: Why::Ingest,
            add: vec![part("late")],
            remove: Vec::new(),
        };
        place
            .put_new(&name_of(1), serde_json::to_vec(&late).unwrap())
            .await
            .unwrap();
        assert!(!slept.holds_after_sleep(&place, &late).await.unwrap());
        assert!(!place.has(&name_of(1)).await.unwrap());
        // One that knows the log from too long ago looks at it again before it commits.
        slept.read = SystemTime::UNIX_EPOCH;
        let late = slept
            .commit(&place, Why::Ingest, Vec::new(), Vec::new())
            .await
            .unwrap();
        assert_eq!(late, Committed::Overtaken);
    }

    #[tokio::test]
    async fn a_hole_in_the_log_is_no_state() {
        let folder = tempfile::tempdir().unwrap();
        let place = Place::open(folder.path().to_str().unwrap()).unwrap();
        let mut state = State::read(&place).await.unwrap();
        for _ in 0..3 {
            state
                .commit(&place, Why::Ingest, Vec::new(), Vec::new())
                .await
                .unwrap();
        }
        place.remove(&name_of(2)).await.unwrap();
        assert!(State::read(&place).await.is_err());
    }
}
