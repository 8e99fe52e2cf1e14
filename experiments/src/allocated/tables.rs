//! Fix by fix, and one after the other.

use deadweight_compare::proof::AllocatedProof;
use deadweight_tools::workspace;
use deadweight_weighing::{Finding, Weighing};

use super::play::{Play, churned, found};
use crate::compare::{Bytes, Failure, Row, check_error};
use crate::manifest::Fix;
use crate::sides;
use crate::system::selection;

impl Play<'_> {
    pub(super) fn fixes(&mut self, platform: &str) -> anyhow::Result<Vec<Row>> {
        let case = self.case;
        let mut rows = Vec::new();
        for fix in &case.fixes {
            let before = fix.before.as_ref().unwrap_or(&case.before.command);
            let (proof, wanted) = self.proven(before, fix, &fix.name)?;
            let mut row = self.row(fix, platform, &proof);
            row.whole = churned(self.recorded(before)?)?.bytes.cast_signed();
            row.bound = Some(fix.bound.unwrap_or(case.bounds.fix));
            self.failures.extend(check_error(&row));
            self.failures
                .extend(sides::check_allocated(&proof, &wanted.iter().collect::<Vec<_>>()));
            self.check_own(before, fix, proof.measured)?;
            rows.push(row);
        }
        Ok(rows)
    }

    /// A program against the one it comes from, by the tool itself, and the findings the fix is of.
    fn proven(
        &mut self,
        before: &[String],
        fix: &Fix,
        name: &str,
    ) -> anyhow::Result<(AllocatedProof, Vec<Finding>)> {
        let first = self.recorded(before)?.clone();
        let second = self.recorded(&fix.command)?.clone();
        let kept = workspace::target()
            .join("cases")
            .join(format!("{}-{name}-{}", self.case.name, self.size));
        let proof = sides::prove_allocated(&self.runner.deadweight, &kept, &first, &second)?;
        Ok((proof, wanted(fix, &first)?))
    }

    /// All fixes of the chain at once: what the proof gives each is held against what it did by itself.
    pub(super) fn chain(&mut self, platform: &str) -> anyhow::Result<Vec<Row>> {
        let case = self.case;
        let Some(last) = case.chain.last() else {
            return Ok(Vec::new());
        };
        let before = &case.before.command;
        let (proof, _) = self.proven(before, last, "all")?;
        let first = self.recorded(before)?.clone();
        let mut from = churned(&first)?.bytes.cast_signed();
        let mut rows = Vec::new();
        for fix in &case.chain {
            let wanted = wanted(fix, &first)?;
            self.failures
                .extend(sides::check_allocated(&proof, &wanted.iter().collect::<Vec<_>>()));
            let to = churned(self.recorded(&fix.command)?)?.bytes.cast_signed();
            let alone = from - to;
            from = to;
            let own = proof.fixes.iter().filter(|fix| {
                wanted
                    .iter()
                    .any(|finding| finding.fingerprint == fix.fingerprint)
            });
            let (mut predicted, mut part, mut mended) = (0, 0, 0);
            for fix in own {
                predicted += fix.predicted;
                part += fix.measured.unwrap_or(0);
                mended += usize::from(fix.outcome.is_made());
            }
            let off = (part - alone).abs() as f64 / alone.max(1) as f64;
            if off > fix.bound.unwrap_or(case.bounds.chain) {
                self.failures.push(Failure::Demand(format!(
                    "{}: prove gives it {part} of all fixes at once, and by itself it did {alone}",
                    fix.name
                )));
            }
            self.notes.push(format!(
                "{}: {part} bytes of all fixes at once, {alone} by itself",
                fix.name
            ));
            rows.push(Row {
                findings: mended,
                predicted: of(predicted),
                measured: of(alone),
                whole: to + alone,
                ..self.row(fix, platform, &proof)
            });
        }
        let whole = Row {
            name: "all of them".into(),
            title: String::new(),
            bound: Some(case.bounds.chain),
            published: None,
            whole: churned(&first)?.bytes.cast_signed(),
            ..self.row(last, platform, &proof)
        };
        self.failures.extend(check_error(&whole));
        self.failures.extend(sides::disagrees(
            proof.error,
            whole.predicted.sum(),
            whole.measured.sum(),
        ));
        rows.push(whole);
        Ok(rows)
    }

    fn row(&self, fix: &Fix, platform: &str, proof: &AllocatedProof) -> Row {
        Row {
            name: fix.name.clone(),
            title: fix.title.clone().unwrap_or_default(),
            size: self.size,
            node: platform.to_owned(),
            findings: proof.fixes.iter().filter(|fix| fix.outcome.is_made()).count(),
            predicted: of(proof.predicted),
            measured: of(proof.measured),
            bound: None,
            published: fix.published.clone(),
            whole: 0,
            cpu: None,
        }
    }
}

fn of(bytes: i64) -> Bytes {
    Bytes {
        held: bytes,
        external: 0,
    }
}

fn wanted(fix: &Fix, weighing: &Weighing) -> anyhow::Result<Vec<Finding>> {
    let found = found(weighing)?;
    Ok(selection(fix).of(&found).into_iter().cloned().collect())
}
