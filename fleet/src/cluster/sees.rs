//! Whether a cluster sees the files that the log lists.
//!
//! A scheduler that does not find a file takes it for one without rows, so that a question would be answered by what is left.
//! The log has the number of rows of each part: the cluster counts them once, which it does by the ends of the files.

use std::collections::HashSet;
use std::sync::PoisonError;

use datafusion::arrow::array::AsArray as _;
use datafusion::arrow::datatypes::Int64Type;

use super::Cluster;
use crate::dataset::Part;
use crate::engine::Engine;
use crate::error::{Error, Result};
use crate::tables::Table;

/// Lets the cluster count the rows of the parts that it was not seen to read yet.
pub(crate) async fn sees_all(engine: &Engine, cluster: &Cluster) -> Result<()> {
    let known = cluster
        .seen()
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .clone();
    let parts = engine.state().parts.values();
    let parts: Vec<&Part> = parts.filter(|part| !known.contains(&part.name)).collect();
    if parts.is_empty() {
        return Ok(());
    }
    let new: HashSet<&str> = parts.iter().map(|part| part.name.as_str()).collect();
    for table in Table::ALL {
        let name = format!("all_{table}");
        engine.register(&name, table, |part| new.contains(part.name.as_str()))?;
        let counted = count(engine, cluster, &name).await;
        engine.deregister(&name)?;
        let seen = counted?;
        let rows = |part: &&Part| part.rows.get(&table).copied().unwrap_or_default();
        let rows = parts.iter().map(rows).sum();
        if seen != rows {
            return Err(Error::Blind {
                scheduler: cluster.scheduler().to_string(),
                table,
                rows,
                seen,
                place: engine.place(),
            });
        }
    }
    let mut seen = cluster.seen().lock().unwrap_or_else(PoisonError::into_inner);
    seen.extend(new.into_iter().map(str::to_owned));
    Ok(())
}

async fn count(engine: &Engine, cluster: &Cluster, table: &str) -> Result<u64> {
    let question = engine
        .planned(&format!("SELECT count(*) AS rows FROM {table}"))
        .await?;
    let rows = cluster.rows(question).await?;
    let counts = rows
        .iter()
        .map(|batch| batch.column(0).as_primitive::<Int64Type>());
    Ok(counts
        .flat_map(|counts| counts.values().iter())
        .map(|&count| count as u64)
        .sum())
}
