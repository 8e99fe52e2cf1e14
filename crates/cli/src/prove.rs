//! `deadweight prove`.

use std::path::Path;
use std::process::ExitCode;

use anyhow::ensure;
use deadweight_compare::prove::{Options, prove as compare};
use deadweight_report::proof;
use deadweight_sidecar::WEIGHING;
use deadweight_weighing::{Finding, OTHERS, Weighing};

use crate::arguments::{ProofFormat, Prove};
use crate::output::{self, Stream};
use crate::{inputs, redact};

/// Findings shown unless all are asked for.
const LIMIT: usize = 15;

/// Weighs both sides and compares them.
pub fn prove(arguments: &Prove) -> anyhow::Result<ExitCode> {
    inputs::verify([&arguments.before, &arguments.after])?;
    let mut both = inputs::weighings(&[arguments.before.clone(), arguments.after.clone()], 0)?;
    as_recorded(&arguments.before, &mut both[0])?;
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

/// Gives a capture the findings about its source that it had when it was taken: where the source was changed since, as it is
/// for every fix, it no longer shows them.
fn as_recorded(path: &Path, weighing: &mut Weighing) -> anyhow::Result<()> {
    let path = inputs::latest(path)?.join(WEIGHING);
    if !path.is_file() {
        return Ok(());
    }
    let recorded = inputs::stored(&path)?
        .map(redact::apply)
        .and_then(|recorded| recorded.churned);
    if let (Some(now), Some(recorded)) = (&mut weighing.churned, recorded) {
        let is_lost = |finding: &Finding| {
            let mut findings = now.findings.iter().chain(&now.options);
            finding.rule != OTHERS && findings.all(|other| other.fingerprint != finding.fingerprint)
        };
        if recorded.findings.iter().any(is_lost) {
            *now = recorded;
        }
    }
    Ok(())
}

/// The fingerprints of the findings that are named.
fn mended(before: &Weighing, names: &[String]) -> anyhow::Result<Option<Vec<String>>> {
    if names.is_empty() {
        return Ok(None);
    }
    let mut mended = Vec::new();
    for name in names {
        let (rule, holder) = name
            .split_once(':')
            .map_or((name.as_str(), None), |(rule, holder)| (rule, Some(holder)));
        let made = before.churned.iter();
        let made = made.flat_map(|churned| churned.findings.iter().chain(&churned.options));
        let found: Vec<String> = before
            .findings
            .iter()
            .chain(&before.options)
            .chain(made)
            .filter(|finding| {
                finding.fingerprint == *name
                    || (finding.rule.eq_ignore_ascii_case(rule)
                        && holder.is_none_or(|holder| {
                            finding.holder == holder || finding.site.as_deref() == Some(holder)
                        }))
            })
            .map(|finding| finding.fingerprint.clone())
            .collect();
        ensure!(!found.is_empty(), "--mended {name}: before has no such finding");
        mended.extend(found);
    }
    Ok(Some(mended))
}
