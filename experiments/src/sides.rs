//! A case's two sides, proven as anyone would prove them: with `deadweight prove`.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use deadweight_compare::Proof;
use deadweight_compare::proof::{AllocatedProof, Outcome, Saving};
use deadweight_weighing::{Finding, Weighing};

use crate::compare::{Bytes, Failure};
use deadweight_tools::shell::Shell;

/// A selected finding that promises less than this share of all that is selected may stay unseen.
const MATTERS: f64 = 0.02;

/// One side: what was weighed, and what the process held in the median of several runs.
#[derive(Clone, Debug)]
pub struct Side {
    /// The weighing, with the medians in place of what its own process said.
    pub weighing: Weighing,
}

impl Side {
    /// A weighing with the medians.
    pub fn new(mut weighing: Weighing, median: Bytes) -> Self {
        let mut process = weighing.process.unwrap_or_default();
        process.heap_used = u64::try_from(median.held).ok();
        process.external = u64::try_from(median.external).ok();
        weighing.process = Some(process);
        Self { weighing }
    }
}

/// Proves a fix by the tool itself; the two weighings stay, so that anyone can look. The way is named only where a
/// finding itself does not list it, as sizes of slots that are not the best of their number.
///
/// # Errors
/// When a weighing cannot be kept, or the tool fails.
pub fn prove(
    deadweight: &Path,
    kept: &Path,
    before: &Side,
    after: &Side,
    way: Option<&str>,
) -> anyhow::Result<Proof> {
    proved(deadweight, kept, [&before.weighing, &after.weighing], way)
}

/// The same of what two programs made.
///
/// # Errors
/// When a weighing cannot be kept, the tool fails, or it has doubts.
pub fn prove_allocated(
    deadweight: &Path,
    kept: &Path,
    before: &Weighing,
    after: &Weighing,
) -> anyhow::Result<AllocatedProof> {
    let proof = proved(deadweight, kept, [before, after], None)?;
    let made = proof
        .allocated
        .context("the proof says nothing of what is made")?;
    ensure!(
        made.notes.is_empty(),
        "the proof has doubts: {}",
        made.notes.join("; ")
    );
    Ok(made)
}

fn proved(deadweight: &Path, kept: &Path, both: [&Weighing; 2], way: Option<&str>) -> anyhow::Result<Proof> {
    fs::create_dir_all(kept)?;
    let write = |name: &str, weighing: &Weighing| -> anyhow::Result<PathBuf> {
        let path = kept.join(name);
        let mut text = Vec::new();
        deadweight_report::Report::write(&deadweight_report::Json, weighing, &mut text)?;
        fs::write(&path, text).with_context(|| format!("{} could not be written", path.display()))?;
        Ok(path)
    };
    let (before, after) = (write("before.json", both[0])?, write("after.json", both[1])?);
    let output = Shell::new(deadweight)
        .args(["prove", "--all", "--format", "json"])
        .args(way.iter().flat_map(|way| ["--way", way]))
        .args([&before, &after])
        .output()?;
    let proof: Proof = serde_json::from_slice(&output).context("the proof is not as expected")?;
    ensure!(
        proof.notes.is_empty(),
        "the proof has doubts: {}",
        proof.notes.join("; ")
    );
    Ok(proof)
}

/// The error that the proof prints is the one that the harness works out.
pub fn disagrees(printed: Option<f64>, predicted: i64, measured: i64) -> Option<Failure> {
    let ours = (predicted - measured).abs() as f64 / measured as f64;
    let same = printed.map_or(measured <= 0, |printed| (printed - ours).abs() <= 1e-6);
    (!same).then(|| Failure::Demand(format!("prove prints an error of {printed:?}, and it is {ours}")))
}

/// What the case says a fix mends must be what the proof finds mended.
pub fn check_allocated(proof: &AllocatedProof, wanted: &[&Finding]) -> Vec<Failure> {
    let all: u64 = wanted.iter().map(|finding| finding.saves_alone).sum();
    let matters = |finding: &&&Finding| finding.saves_alone as f64 >= MATTERS * all as f64;
    let outcome = |finding: &Finding| {
        let fix = proof
            .fixes
            .iter()
            .find(|fix| fix.fingerprint == finding.fingerprint);
        fix.map(|fix| fix.outcome)
    };
    let missed = wanted
        .iter()
        .filter(matters)
        .filter(|finding| !outcome(finding).is_some_and(Outcome::is_made))
        .map(|finding| {
            Failure::Demand(format!(
                "prove does not see {} at {} mended: {:?}",
                finding.rule,
                finding.holder,
                outcome(finding)
            ))
        });
    missed
        .chain(disagrees(proof.error, proof.predicted, proof.measured))
        .collect()
}

/// A saving in the harness's terms.
pub fn bytes(saving: Saving) -> Bytes {
    Bytes {
        held: saving.held,
        external: saving.external,
    }
}

/// How many findings a proof says were mended.
pub fn mended(proof: &Proof) -> usize {
    let mended = |outcome| matches!(outcome, Outcome::Mended | Outcome::Partly);
    proof.fixes.iter().filter(|fix| mended(fix.outcome)).count()
}

/// What the case says a fix mends, and in which way, must be what the proof finds mended, and the counts of records those of one input.
pub fn check(proof: &Proof, wanted: &[&Finding], way: Option<&str>) -> Vec<Failure> {
    let all: u64 = wanted.iter().map(|finding| finding.saves_alone).sum();
    let mut failures = Vec::new();
    for finding in wanted
        .iter()
        .filter(|finding| finding.saves_alone as f64 >= MATTERS * all as f64)
    {
        let fix = proof
            .fixes
            .iter()
            .find(|fix| fix.fingerprint == finding.fingerprint);
        let outcome = fix.map(|fix| fix.outcome);
        if !matches!(outcome, Some(Outcome::Mended | Outcome::Partly)) {
            failures.push(Failure::Demand(format!(
                "prove does not see {} at {} mended: {outcome:?}",
                finding.rule, finding.holder
            )));
        }
        let seen = fix.and_then(|fix| fix.way.as_deref());
        if way.is_some() && seen != way {
            failures.push(Failure::Demand(format!(
                "prove takes {} at {} for mended {}, not {}",
                finding.rule,
                finding.holder,
                seen.unwrap_or("the first way"),
                way.unwrap_or_default()
            )));
        }
    }
    // No fix is judged by what the runtime holds of its own.
    failures.extend(disagrees(
        proof.error,
        proof.predicted.sum(),
        (proof.measured - proof.runtime).sum(),
    ));
    if proof.counted != proof.measured {
        failures.push(Failure::Demand(format!(
            "prove takes one input for two: {:?}",
            proof.records
        )));
    }
    failures
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_that_prove_prints_otherwise_is_a_failure() {
        assert_eq!(disagrees(Some(0.01), 101, 100), None);
        assert_eq!(disagrees(None, 101, 0), None);
        assert!(disagrees(Some(0.02), 101, 100).is_some());
        assert!(disagrees(None, 101, 100).is_some());
    }
}
