//! Fix by fix.

use deadweight_compare::Proof;
use deadweight_tools::workspace;
use deadweight_weighing::Finding;

use super::checks::is_any_rule;
use super::play::Play;
use crate::compare::{Bytes, Row, check_error};
use crate::manifest::{Fix, Preloaded};
use crate::sides::{self, Side};
use crate::system::selection;

impl Play<'_> {
    /// Rows of bytes in use, and of resident memory.
    pub(super) fn fixes(&mut self, under: Option<&Preloaded>) -> anyhow::Result<(Vec<Row>, Vec<Row>)> {
        let case = self.case;
        let (mut held, mut resident) = (Vec::new(), Vec::new());
        for fix in &case.fixes {
            if under.is_some_and(|allocator| !allocator.fixes.contains(&fix.name)) {
                continue;
            }
            if !is_known(fix) {
                if under.is_none() {
                    self.pass_over(&fix.name, "there is no such rule");
                }
                continue;
            }
            let command = fix.before.as_ref().unwrap_or(&case.before.command);
            let (before, after) = (self.said(command, under)?, self.said(&fix.command, under)?);
            let weighed = self.weighed(command, under)?;
            let platform = weighed.weighing.runtime.version.clone();
            let wanted: Vec<Finding> = selection(fix)
                .of(&weighed.weighing.findings)
                .into_iter()
                .cloned()
                .collect();
            let way = way(fix);
            let proof = self.proven(command, &fix.command, under, way.as_deref(), &fix.name)?;
            self.failures.extend(sides::check(
                &proof,
                &wanted.iter().collect::<Vec<_>>(),
                way.as_deref(),
            ));
            let row = |measured, bound, whole| Row {
                bound,
                whole,
                ..self.row(
                    fix,
                    &platform,
                    sides::mended(&proof),
                    proof.predicted.sum(),
                    measured,
                )
            };
            let rows = [
                row(
                    proof.measured.sum(),
                    Some(fix.bound.unwrap_or(case.bounds.fix)),
                    before.held,
                ),
                // Resident memory moves by pages and by what the allocator keeps for later: of a small input that is
                // more than the bound, so it is shown and bound to nothing.
                row(
                    before.resident - after.resident,
                    (self.size >= case.sizes.test).then_some(case.bounds.resident),
                    before.resident,
                ),
            ];
            self.failures.extend(rows.iter().filter_map(check_error));
            let [in_use, rss] = rows;
            held.push(in_use);
            resident.push(rss);
        }
        Ok((held, resident))
    }

    /// A program against the one it comes from, by the tool itself: as weighed, with what each says it holds when
    /// nobody records it.
    pub(super) fn proven(
        &mut self,
        before: &[String],
        after: &[String],
        under: Option<&Preloaded>,
        way: Option<&str>,
        name: &str,
    ) -> anyhow::Result<Proof> {
        let mut side = |command: &[String]| -> anyhow::Result<Side> {
            let held = self.said(command, under)?.held;
            let weighing = self.weighed(command, under)?.weighing.clone();
            Ok(Side::new(weighing, Bytes { held, external: 0 }))
        };
        let (before, after) = (side(before)?, side(after)?);
        let allocator = under.map_or("own", |allocator| &allocator.name);
        let folder = format!("{}-{name}-{}-{allocator}", self.case.name, self.size);
        let kept = workspace::target().join("cases").join(folder);
        sides::prove(&self.runner.deadweight, &kept, &before, &after, way)
    }

    pub(super) fn row(
        &self,
        fix: &Fix,
        platform: &str,
        findings: usize,
        promised: i64,
        measured: i64,
    ) -> Row {
        let held = |held| Bytes { held, external: 0 };
        Row {
            name: fix.name.clone(),
            title: fix.title.clone().unwrap_or_default(),
            size: self.size,
            node: platform.to_owned(),
            findings,
            predicted: held(promised),
            measured: held(measured),
            bound: None,
            published: fix.published.clone(),
            whole: 0,
            cpu: None,
        }
    }
}

/// How a fix mends its findings, where that is to be said.
pub(super) fn way(fix: &Fix) -> Option<String> {
    let sizes = fix.sizes.as_ref().map(|sizes| {
        let sizes: Vec<String> = sizes.iter().map(u64::to_string).collect();
        sizes.join(",")
    });
    sizes.or_else(|| fix.alternative.clone())
}

/// Whether there is a rule for the fix at all.
pub(super) fn is_known(fix: &Fix) -> bool {
    is_any_rule(|code| fix.rules.iter().any(|rule| rule == code))
}
