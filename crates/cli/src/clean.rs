//! `deadweight clean`.

use std::fmt::Write;
use std::process::ExitCode;

use anyhow::Context;
use deadweight_capture::{Left, left};
use deadweight_report::bytes;

use crate::arguments::Clean;
use crate::output;

/// Removes captures, the oldest first, and says how many.
pub fn clean(arguments: &Clean) -> anyhow::Result<ExitCode> {
    let directory = &arguments.dir;
    let mut all = if directory.exists() {
        left(directory)?
    } else {
        Vec::new()
    };
    all.truncate(all.len().saturating_sub(arguments.keep));
    let size: u64 = all.iter().map(Left::bytes).sum();
    let mut said = String::new();
    for left in &all {
        if arguments.dry_run {
            writeln!(said, "{}", left.name().display())?;
        } else {
            left.remove()
                .with_context(|| format!("{} could not be removed", left.name().display()))?;
        }
    }
    let (verb, captures) = (
        if arguments.dry_run {
            "would remove"
        } else {
            "removed"
        },
        if all.len() == 1 { "capture" } else { "captures" },
    );
    if all.is_empty() {
        writeln!(said, "{}: there is nothing to remove", directory.display())?;
    } else {
        let (number, size) = (all.len(), bytes(size));
        writeln!(
            said,
            "{}: {verb} {number} {captures}, {size}",
            directory.display()
        )?;
    }
    output::deliver(said.as_bytes(), None)?;
    Ok(ExitCode::SUCCESS)
}
