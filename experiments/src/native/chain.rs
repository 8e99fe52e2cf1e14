//! One fix after the other.

use super::fixes::{is_known, way};
use super::play::Play;
use crate::compare::{Failure, Row, check_error, predicted};
use crate::manifest::Fix;
use crate::sides;
use crate::system::selection;
use anyhow::{Context, ensure};
use deadweight_compare::Proof;
use deadweight_compare::proof::Saving;
use deadweight_compare::prove::slots::saves_with;
use deadweight_weighing::Finding;

impl Play<'_> {
    pub(super) fn chain(&mut self) -> anyhow::Result<Vec<Row>> {
        let case = self.case;
        let Some(last) = case.chain.last() else {
            return Ok(Vec::new());
        };
        if !case.chain.iter().all(is_known) {
            self.pass_over("one fix after the other", "there is no rule for one of them");
            return Ok(Vec::new());
        }
        let before = &case.before.command;
        let platform = self.weighed(before, None)?.weighing.runtime.version.clone();
        let ways: Vec<String> = case.chain.iter().filter_map(way).collect();
        ensure!(ways.len() <= 1, "prove takes one way at a time");
        let proof = self.proven(
            before,
            &last.command,
            None,
            ways.first().map(String::as_str),
            "all",
        )?;
        let mut from = self.said(before, None)?.held;
        let mut rows = Vec::new();
        for fix in &case.chain {
            let (findings, promised) = self.promised(fix, before)?;
            let to = self.said(&fix.command, None)?.held;
            let row = Row {
                whole: from,
                ..self.row(fix, &platform, findings.len(), promised, from - to)
            };
            self.failures.extend(sides::check(
                &proof,
                &findings.iter().collect::<Vec<_>>(),
                way(fix).as_deref(),
            ));
            self.failures.extend(split(
                &proof,
                &findings,
                row.measured.sum(),
                &fix.name,
                case.bounds.chain,
            ));
            rows.push(row);
            from = to;
        }
        let whole = Row {
            name: "all of them".into(),
            title: String::new(),
            bound: Some(case.bounds.chain),
            published: None,
            whole: self.said(before, None)?.held,
            ..self.row(
                last,
                &platform,
                sides::mended(&proof),
                proof.predicted.sum(),
                proof.measured.sum(),
            )
        };
        self.failures.extend(check_error(&whole));
        rows.push(whole);
        Ok(rows)
    }

    /// The findings that a step mends in a program, and what they promise given those before them.
    fn promised(&mut self, fix: &Fix, command: &[String]) -> anyhow::Result<(Vec<Finding>, i64)> {
        let weighing = &self.weighed(command, None)?.weighing;
        let findings = selection(fix).of(&weighing.findings);
        let promised = if let Some(sizes) = &fix.sizes {
            let name = &weighing.runtime.allocator;
            let allocator = deadweight_allocators::by_name(name)
                .with_context(|| format!("the allocator {name} has no model"))?;
            let each = findings.iter().map(|finding| {
                saves_with(finding, sizes, &*allocator)
                    .with_context(|| format!("{} says nothing of sizes", finding.rule))
            });
            each.sum::<anyhow::Result<i64>>()?
        } else {
            predicted(&findings).sum()
        };
        Ok((findings.into_iter().cloned().collect(), promised))
    }
}

/// Of all fixes made at once, the part of one must be what it did by itself.
fn split(proof: &Proof, findings: &[Finding], alone: i64, name: &str, bound: f64) -> Option<Failure> {
    let own = proof.fixes.iter().filter(|fix| {
        findings
            .iter()
            .any(|finding| finding.fingerprint == fix.fingerprint)
    });
    let part: i64 = own.filter_map(|fix| fix.measured).map(Saving::sum).sum();
    let off = (part - alone).abs() as f64 / alone.max(1) as f64;
    (off > bound).then(|| {
        Failure::Demand(format!(
            "{name}: prove gives it {part} of all fixes at once, and by itself it did {alone}"
        ))
    })
}
