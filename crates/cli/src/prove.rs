//! `deadweight prove`.

use std::process::ExitCode;

use deadweight_compare::prove::{Options, prove as compare};
use deadweight_report::proof;
use deadweight_weigher::mended;

use crate::arguments::{ProofFormat, Prove};
use crate::inputs;
use crate::output::{self, Stream};

/// Findings shown unless all are asked for.
const LIMIT: usize = 15;

/// Weighs both sides and compares them.
pub fn prove(arguments: &Prove) -> anyhow::Result<ExitCode> {
    inputs::verify([&arguments.before, &arguments.after])?;
    let mut both = [
        inputs::before(&arguments.before)?,
        inputs::weighing(&arguments.after, 0)?,
    ];
    if let Some((before, after)) = arguments.per {
        for (weighing, operations) in both.iter_mut().zip([before, after]) {
            // What a program counted itself stands.
            let uncounted = weighing
                .churned
                .as_mut()
                .filter(|churned| churned.operations == 0);
            if let Some(churned) = uncounted {
                churned.operations = operations;
            }
        }
    }
    let (before, after) = (&both[0], &both[1]);
    let options = Options {
        mended: mended(before, &arguments.mended)?,
        way: arguments.way.clone(),
        records: arguments.records,
    };
    let made = compare(before, after, &options);
    let mut bytes = Vec::new();
    match arguments.format {
        ProofFormat::Terminal => {
            let look = output::look(&arguments.look, Stream::Out, arguments.output.is_some());
            let limit = (!arguments.all).then_some(LIMIT);
            proof::terminal(&made, look, limit, &mut bytes)?;
        }
        ProofFormat::Json => proof::json(&made, &mut bytes)?,
        ProofFormat::Html => output::html().write_proof(&made, &mut bytes)?,
        ProofFormat::Markdown => proof::markdown(&made, &mut bytes)?,
    }
    output::deliver(&bytes, arguments.output.as_deref())?;
    Ok(ExitCode::SUCCESS)
}
