//! Fix by fix, one after the other, and what is advice alone.

use anyhow::Context;
use deadweight_compare::Proof;
use deadweight_tools::workspace;
use deadweight_weighing::Finding;

use super::play::Play;
use super::selection;
use crate::compare::{Row, predicted};
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
            let proof = self.proven(&before, &fix.command, &fix.name)?;
            self.failures
                .extend(sides::check(&proof, &findings, fix.alternative.as_deref()));
            let promised = sides::bytes(proof.predicted);
            let mut row = self.row(fix, &findings, promised, sides::bytes(proof.measured));
            row.findings = sides::mended(&proof);
            row.whole = held.sum();
            let bound = if promised.external > promised.held {
                case.bounds.external
            } else {
                case.bounds.fix
            };
            rows.push(self.bounded(row, fix.bound.unwrap_or(bound)));
        }
        Ok(rows)
    }

    /// A variant against what it comes from, by the tool itself.
    fn proven(&mut self, before: &Side, command: &[String], name: &str) -> anyhow::Result<Proof> {
        let median = self.variant(command)?;
        let weighing = if let Some(weighing) = self.weighings.get(command) {
            weighing.clone()
        } else {
            let filled = self.fill(command);
            self.stage.runner.weighed(self.stage.run(&filled))?.1
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
        let proof = self.proven(&before, &last.command, "all")?;
        self.failures.extend(sides::check(&proof, &findings, None));
        let whole = self.row(
            last,
            &findings,
            sides::bytes(proof.predicted),
            sides::bytes(proof.measured),
        );
        let whole = Row {
            findings: sides::mended(&proof),
            name: "all of them".into(),
            title: String::new(),
            published: None,
            whole: self.before.totals.bytes.sum(),
            ..whole
        };
        rows.push(self.bounded(whole, case.bounds.chain));
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
