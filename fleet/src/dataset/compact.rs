//! Fewer and larger parts: what came in together is split by service, and small parts of a service become one.

use std::collections::BTreeMap;
use std::sync::Arc;

use datafusion::arrow::array::{Array as _, RecordBatch, StringArray, UInt32Array};
use datafusion::arrow::compute::{
    SortColumn, concat_batches, lexsort_to_indices, partition, take_record_batch,
};

use super::known::read_columns;
use super::log::{Committed, State, Why};
use super::part::Part;
use super::place::{Place, apart};
use super::writer::write_part;
use crate::error::{Error, Result};
use crate::tables::Table;

/// Weighings that are rewritten at once. It bounds the memory of compaction.
const AT_ONCE: u64 = 32_768;

/// Parts with fewer weighings are small: two of them can be rewritten at once.
const SMALL: u64 = AT_ONCE / 2;

/// What compaction did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Compacted {
    /// Parts before.
    pub before: u64,
    /// Parts after.
    pub after: u64,
    /// Commits it took.
    pub commits: u64,
    /// Times that another commit took away what was rewritten.
    pub overtaken: u64,
}

/// Makes fewer parts of many. `least` is how many parts of a sort there must be before it is worth it. Readers and writers
/// may work meanwhile.
///
/// # Errors
/// When files cannot be read or written. The dataset is then as it was, or a step further.
pub async fn compact(place: &Place, least: usize) -> Result<Compacted> {
    let mut state = State::read(place).await?;
    let mut done = Compacted {
        before: state.parts.len() as u64,
        ..Compacted::default()
    };
    while let Some(chosen) = choose(&state, least.max(1)) {
        let add = rewrite(place, state.version, &chosen).await?;
        if replace(place, &mut state, Why::Compact, add, &chosen).await? {
            done.commits += 1;
        } else {
            done.overtaken += 1;
        }
    }
    done.after = state.parts.len() as u64;
    Ok(done)
}

/// The parts to rewrite next.
fn choose(state: &State, least: usize) -> Option<Vec<Part>> {
    let new: Vec<&Part> = state.parts.values().filter(|part| part.is_new()).collect();
    if new.len() >= least {
        return Some(bounded(new));
    }
    let mut small = BTreeMap::<&str, Vec<&Part>>::new();
    for part in state.parts.values().filter(|part| part.weighings() < SMALL) {
        if let Some(service) = &part.service {
            small.entry(service).or_default().push(part);
        }
    }
    let of_one = small.into_values().find(|parts| parts.len() >= least.max(2))?;
    Some(bounded(of_one))
}

/// As many as may be rewritten at once, and two at least where there are two.
fn bounded(mut parts: Vec<&Part>) -> Vec<Part> {
    parts.sort_by_key(|part| (part.first_day, part.last_day));
    let mut sum = 0;
    let mut chosen = Vec::new();
    for part in parts {
        sum += part.weighings();
        if sum > AT_ONCE && chosen.len() >= 2 {
            break;
        }
        chosen.push(part.clone());
    }
    chosen
}

/// Commits parts in the place of others, unless others did something with these. Then it is for nothing.
pub(super) async fn replace(
    place: &Place,
    state: &mut State,
    why: Why,
    add: Vec<Part>,
    remove: &[Part],
) -> Result<bool> {
    loop {
        let names: Vec<String> = remove.iter().map(|part| part.name.clone()).collect();
        if names.iter().any(|name| !state.parts.contains_key(name)) {
            return Ok(false);
        }
        if state.commit(place, why, add.clone(), names).await? == Committed::Done {
            return Ok(true);
        }
        state.refresh(place).await?;
    }
}

/// The rows of these parts, in one new part for each service.
async fn rewrite(place: &Place, version: u64, parts: &[Part]) -> Result<Vec<Part>> {
    let mut by_service = BTreeMap::<String, Vec<(Table, Vec<RecordBatch>)>>::new();
    for table in Table::ALL {
        let mut batches = Vec::new();
        for part in parts {
            batches.extend(read_columns(place, &part.file(table), &[]).await?);
        }
        let split = apart(move || by_service_and_time(table, batches)).await?;
        for (service, rows) in split {
            by_service.entry(service).or_default().push((table, vec![rows]));
        }
    }
    let mut written = Vec::new();
    for (service, mut rows) in by_service {
        // A table that has no row of a service still has a file.
        for table in Table::ALL {
            if rows.iter().all(|(of, _)| *of != table) {
                rows.push((table, vec![RecordBatch::new_empty(table.schema())]));
            }
        }
        written.extend(write_part(place, version, Some(&service), rows).await?);
    }
    Ok(written)
}

/// Sorted rows, in one batch for each service.
fn by_service_and_time(table: Table, batches: Vec<RecordBatch>) -> Result<Vec<(String, RecordBatch)>> {
    let all = concat_batches(&table.schema(), &batches)?;
    // Two copies of the rows are enough.
    drop(batches);
    if all.num_rows() == 0 {
        return Ok(Vec::new());
    }
    let keys: &[&str] = match table {
        Table::Weighings => &["service", "captured_at", "id"],
        Table::Findings => &["service", "captured_at", "id", "rank"],
        Table::Holdings => &["service", "captured_at", "id", "type", "runtime"],
    };
    let column = |name: &str| {
        let values = all.column_by_name(name).cloned();
        values.ok_or_else(|| Error::Ended(format!("no column {name}")))
    };
    let mut columns = Vec::new();
    for key in keys {
        columns.push(SortColumn {
            values: column(key)?,
            options: None,
        });
    }
    let indices: UInt32Array = lexsort_to_indices(&columns, None)?;
    let sorted = take_record_batch(&all, &indices)?;
    drop((columns, all));
    let services = sorted.column_by_name("service").cloned();
    let services = services.ok_or_else(|| Error::Ended("no column service".to_owned()))?;
    let ranges = partition(&[Arc::clone(&services)])?.ranges();
    let names = services.as_any().downcast_ref::<StringArray>();
    let names = names.ok_or_else(|| Error::Ended("services are no texts".to_owned()))?;
    let split = ranges.into_iter();
    Ok(split
        .map(|range| {
            (
                names.value(range.start).to_owned(),
                sorted.slice(range.start, range.len()),
            )
        })
        .collect())
}
