//! `deadweight export`.

use std::process::ExitCode;

use deadweight_report::profile;

use crate::arguments::{Export, Exported};
use crate::{dump, output};

/// Writes what a record of allocations shows in a form that other tools show.
pub fn export(arguments: &Export) -> anyhow::Result<ExitCode> {
    let churn = dump::churn(&arguments.path)?;
    let mut bytes = Vec::new();
    match arguments.format {
        Exported::Flamegraph => profile::flamegraph(&churn, &mut bytes)?,
        Exported::Speedscope => profile::speedscope(&churn, &mut bytes)?,
        Exported::Pprof => profile::pprof(&churn, &mut bytes)?,
        Exported::Folded => profile::folded(&churn, &mut bytes)?,
    }
    output::deliver(&bytes, arguments.output.as_deref())?;
    Ok(ExitCode::SUCCESS)
}
