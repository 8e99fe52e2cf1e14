//! Removes files that nothing lists any more, once nobody can be reading them.

use std::collections::HashSet;

use super::log::{FOLDER, State, entry_of, is_checkpoint, version_of};
use super::place::Place;
use crate::error::Result;
use crate::tables::Table;

/// What was removed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Swept {
    /// Files of tables: of parts that were removed, and of writers that died.
    pub files: u64,
    /// Entries of the log and checkpoints that a later checkpoint stands for.
    pub entries: u64,
    /// Files that were never finished.
    pub unfinished: u64,
}

/// Removes what no state lists any more and what nobody has begun to read or write within `grace` seconds.
///
/// # Errors
/// When files cannot be listed or removed. It can be tried again.
pub async fn sweep(place: &Place, grace: u64) -> Result<Swept> {
    // In this order: a part that is committed after the state was read may be among the files, but is younger than the grace.
    let files = {
        let mut files = Vec::new();
        for table in Table::ALL {
            files.extend(place.list(table.name()).await?);
        }
        files
    };
    let state = State::read(place).await?;
    let log = place.list(FOLDER).await?;
    let mut kept: HashSet<String> = HashSet::new();
    let mut keep = |name: &str| kept.extend(Table::ALL.map(|table| format!("{table}/{name}.parquet")));
    state.parts.keys().for_each(|name| keep(name));
    // A reader that began before a part was removed may still read it.
    for file in log
        .iter()
        .filter(|file| file.age < grace && !is_checkpoint(&file.path))
    {
        if let Some(content) = place.get(&file.path).await? {
            let entry = entry_of(&file.path, &content)?;
            entry.remove.iter().for_each(|name| keep(name));
        }
    }
    let mut swept = Swept::default();
    for file in files {
        if file.age >= grace && !kept.contains(&file.path) {
            place.remove(&file.path).await?;
            swept.files += 1;
        }
    }
    // The next reader needs no entry up to the latest checkpoint. Those before it go in their order, checkpoints first: who
    // adds up what is there, as other engines do, then never finds a part whose removal is gone but whose coming is not.
    let latest = log.iter().rev().find(|file| is_checkpoint(&file.path));
    let version = latest.and_then(|file| version_of(&file.path)).unwrap_or_default();
    for checkpoints in [true, false] {
        for file in log.iter().filter(|file| is_checkpoint(&file.path) == checkpoints) {
            let is_old =
                version_of(&file.path).is_some_and(|of| of < version || !checkpoints && of == version);
            if !is_old || file.age < grace {
                // The log has no holes: what comes behind this one stays as well.
                if checkpoints {
                    continue;
                }
                break;
            }
            place.remove(&file.path).await?;
            swept.entries += 1;
        }
    }
    swept.unfinished = place.remove_unfinished(grace).await?;
    Ok(swept)
}
