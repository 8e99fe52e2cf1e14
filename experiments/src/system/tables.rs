//! Fix by fix, one after the other, and what is advice alone.

use anyhow::Context;
use deadweight_compare::Proof;
use deadweight_tools::workspace;
use deadweight_weighing::{Finding, Weighing};

use super::play::Play;
use super::selection;
use crate::compare::{Row, check_error, predicted};
use crate::sides::{self, Side};

impl Play<'_> {
    pub(super) fn fixes(&mut self) -> anyhow::Result<Vec<Row>> {
        let case = self.stage.case;
        let here = &self.stage.on.version;
        let mut rows = Vec::new();
        for fix in case.fixes.iter().filter(|fix| fix.node.contains(here)) {
            let (weighing, held) = if let Some(command) = &fix.before {
                let command = self.fill(command);
                let (recorded, weighing) = self.stage.settled_and_weighed(self.stage.run(&command))?;
                (weighing, recorded.totals.bytes)
            } else {
                (self.weighing.clone(), self.before.totals.bytes)
            };
            let before = Side::new(weighing, held);
            let findings = selection(fix).of(&before.weighing.findings);
            let (row, proof) = self.within(&fix.command, |play| {
                let proof = play.proven(&before, &fix.command, &fix.name)?;
                let promised = sides::bytes(proof.predicted);
                let bound = if promised.external > promised.held {
                    case.bounds.external
                } else {
                    case.bounds.fix
                };
                let row = Row {
                    findings: sides::mended(&proof),
                    whole: held.sum(),
                    bound: Some(fix.bound.unwrap_or(bound)),
                    ..play.row(fix, &findings, promised, sides::bytes(proof.measured))
                };
                Ok((row, proof))
            })?;
            self.failures
                .extend(sides::check(&proof, &findings, fix.alternative.as_deref()));
            rows.push(row);
        }
        Ok(rows)
    }

    /// What is measured of a variant: twice, if one run of it is not within the bound.
    fn within(
        &mut self,
        command: &[String],
        mut measure: impl FnMut(&mut Self) -> anyhow::Result<(Row, Proof)>,
    ) -> anyhow::Result<(Row, Proof)> {
        loop {
            let (row, proof) = measure(self)?;
            let failure = check_error(&row);
            if failure.is_none() || !self.settle(command)? {
                self.failures.extend(failure);
                return Ok((row, proof));
            }
        }
    }

    fn weighed(&self, command: &[String]) -> anyhow::Result<Weighing> {
        let filled = self.fill(command);
        Ok(self.stage.runner.weighed(self.stage.run(&filled))?.1)
    }

    /// A variant against what it comes from, by the tool itself.
    fn proven(&mut self, before: &Side, command: &[String], name: &str) -> anyhow::Result<Proof> {
        let median = self.variant(command)?;
        let weighing = match self.weighings.get(command) {
            Some(weighing) => weighing.clone(),
            None => self.weighed(command)?,
        };
        let shape = self.stage.shape.map(|shape| format!("{}-", shape.name));
        let folder = format!(
            "{}-{name}-{}{}-on-{}",
            self.stage.case.name,
            shape.unwrap_or_default(),
            self.size,
            self.stage.on.version
        );
        let kept = workspace::target().join("cases").join(folder);
        sides::prove(
            &self.stage.runner.deadweight,
            &kept,
            before,
            &Side::new(weighing, median),
            None,
        )
    }

    pub(super) fn chain(&mut self) -> anyhow::Result<Vec<Row>> {
        let case = self.stage.case;
        let Some(last) = case.chain.last() else {
            return Ok(Vec::new());
        };
        let mut rows = Vec::new();
        let mut from = self.before.totals.bytes;
        for fix in &case.chain {
            let to = self.variant(&fix.command)?;
            let findings = selection(fix).of(&self.weighing.findings);
            rows.push(Row {
                whole: from.sum(),
                ..self.row(fix, &findings, predicted(&findings), from - to)
            });
            from = to;
        }
        // A finding that two steps mend must not count twice.
        let selections: Vec<_> = case.chain.iter().map(selection).collect();
        let taken = |finding: &&Finding| selections.iter().any(|selection| selection.takes(finding));
        let before = Side::new(self.weighing.clone(), self.before.totals.bytes);
        let findings: Vec<_> = before.weighing.findings.iter().filter(taken).collect();
        let (whole, proof) = self.within(&last.command, |play| {
            let proof = play.proven(&before, &last.command, "all")?;
            let (promised, measured) = (sides::bytes(proof.predicted), sides::bytes(proof.measured));
            let whole = Row {
                findings: sides::mended(&proof),
                name: "all of them".into(),
                title: String::new(),
                published: None,
                whole: play.before.totals.bytes.sum(),
                bound: Some(case.bounds.chain),
                ..play.row(last, &findings, promised, measured)
            };
            Ok((whole, proof))
        })?;
        self.failures.extend(sides::check(&proof, &findings, None));
        rows.push(whole);
        Ok(rows)
    }

    pub(super) fn options(&mut self) -> anyhow::Result<Vec<Row>> {
        let case = self.stage.case;
        let mut rows = Vec::new();
        for fix in &case.options {
            let from = match &fix.from {
                Some(name) => {
                    let step = case
                        .chain
                        .iter()
                        .chain(&case.fixes)
                        .find(|step| &step.name == name);
                    let step = step.with_context(|| format!("no step of the chain is called {name}"))?;
                    self.variant(&step.command)?
                }
                None => self.before.totals.bytes,
            };
            let measured = from - self.variant(&fix.command)?;
            let findings = selection(fix).of(&self.weighing.options);
            let promised = predicted(&findings);
            // Shown only: what an option saves depends on how far the program is written around it.
            rows.push(Row {
                whole: from.sum(),
                ..self.row(fix, &findings, promised, measured)
            });
        }
        Ok(rows)
    }
}
