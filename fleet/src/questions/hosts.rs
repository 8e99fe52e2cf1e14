//! The latest weighing of each host: what a fleet is like now.

use crate::engine::Engine;
use crate::error::Result;
use crate::questions::{first_of, quoted};
use crate::tables::Table;

/// The name of the table that [`latest`] makes.
pub(super) const LATEST: &str = "latest";

/// Makes a table of the latest weighing of each host that was weighed in the last days of the dataset.
pub(super) async fn latest(engine: &Engine, days: u64, service: Option<&str>) -> Result<()> {
    let from = first_of(engine, days);
    // Where there is one service, none is named: a cluster loses that a column that is always the same is in order.
    let (of, partition) = match service {
        Some(service) => (format!("AND service = {}", quoted(service)), "host"),
        None => (String::new(), "service, host"),
    };
    engine.register("recent", Table::Weighings, |part| part.last_day >= from)?;
    let question = format!(
        "SELECT id, service, version, host, captured_at, day, held + external AS bytes, dead + external_dead AS dead,
                dead_sure + coalesce(external_dead_sure, 0) AS dead_sure
         FROM (SELECT *, row_number() OVER (PARTITION BY {partition} ORDER BY captured_at DESC, id DESC) AS place
               FROM recent WHERE day >= DATE '{from}' {of})
         WHERE place = 1"
    );
    engine.define(LATEST, &question).await
}

/// Makes the table `found` of the findings of parts that may have the latest weighings.
pub(super) fn recent_findings(engine: &Engine, days: u64) -> Result<()> {
    let from = first_of(engine, days);
    engine.register("found", Table::Findings, |part| part.last_day >= from)
}
