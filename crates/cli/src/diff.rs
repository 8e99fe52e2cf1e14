//! `deadweight diff`.

use std::process::ExitCode;

use deadweight_report::diff;

use crate::arguments::{Diff, DiffFormat};
use crate::inputs;
use crate::output::{self, Stream};

/// Places shown unless all are asked for.
const LIMIT: usize = 12;

/// Weighs every moment and compares them.
pub fn diff(arguments: &Diff) -> anyhow::Result<ExitCode> {
    inputs::verify(&arguments.moments)?;
    let moments = inputs::weighings(&arguments.moments, 0)?;
    let made = deadweight_compare::diff::diff(&moments)?;
    let mut bytes = Vec::new();
    match arguments.format {
        DiffFormat::Terminal => {
            let look = output::look(&arguments.look, Stream::Out, arguments.output.is_some());
            diff::terminal(&made, look, (!arguments.all).then_some(LIMIT), &mut bytes)?;
        }
        DiffFormat::Json => diff::json(&made, &mut bytes)?,
    }
    output::deliver(&bytes, arguments.output.as_deref())?;
    Ok(ExitCode::SUCCESS)
}
