//! The variants of a case: run once each, and what they print compared.

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::Context;
use deadweight_tools::shell::Shell;
use deadweight_weighing::{Finding, Weighing};
use serde_json::Value;

use super::stage::Stage;
use crate::compare::{Bytes, Failure, Row, check_error, check_must_find, check_must_not_find, outputs};
use crate::manifest::{Fix, Runtime};
use crate::runner::Recorded;

/// What a run of all variants needs to know.
pub(super) struct Play<'a> {
    pub(super) stage: &'a Stage<'a>,
    pub(super) size: u64,
    pub(super) input: Option<PathBuf>,
    pub(super) before: Recorded,
    pub(super) weighing: Weighing,
    /// What variants hold, by their command: some are in several tables.
    pub(super) held: BTreeMap<Vec<String>, Bytes>,
    /// Weighings of variants, by their command, if what they hold needed one.
    pub(super) weighings: BTreeMap<Vec<String>, Weighing>,
    pub(super) failures: Vec<Failure>,
    pub(super) worst_estimate: Option<(String, f64)>,
}

impl Play<'_> {
    pub(super) fn fill(&self, command: &[String]) -> Vec<String> {
        self.stage.fill(command, self.size, self.input.as_deref())
    }

    /// A program without a recorder.
    pub(super) fn program(&self, command: &[String]) -> Shell {
        let filled = self.fill(command);
        self.stage
            .on
            .shell(filled.first().map_or("", String::as_str))
            .args(filled.into_iter().skip(1))
            .current_dir(self.stage.folder)
    }

    pub(super) fn check_findings(&mut self) {
        let case = self.stage.case;
        let here = &self.stage.on.version;
        let found: Vec<Finding> = self
            .weighing
            .findings
            .iter()
            .chain(&self.weighing.options)
            .cloned()
            .collect();
        for wanted in case.must_find.iter().filter(|wanted| wanted.node.contains(here)) {
            self.failures
                .extend(check_must_find(&wanted.rule, &wanted.holder, &found));
        }
        for unwanted in case
            .must_not_find
            .iter()
            .filter(|unwanted| unwanted.node.contains(here))
        {
            self.failures
                .extend(check_must_not_find(&unwanted.rule, &unwanted.holder, &found));
        }
    }

    /// Runs a variant unless it was run, and compares what it prints.
    pub(super) fn variant(&mut self, command: &[String]) -> anyhow::Result<Bytes> {
        if let Some(&held) = self.held.get(command) {
            return Ok(held);
        }
        let filled = self.fill(command);
        let (recorded, weighing) = self.stage.settled(self.stage.run(&filled))?;
        self.weighings
            .extend(weighing.map(|weighing| (command.to_vec(), weighing)));
        let output = &self.stage.case.output;
        if output.same {
            let parse = |text: &[u8]| serde_json::from_slice::<Value>(text);
            let reference = parse(&self.before.output).context("`before` prints no JSON")?;
            let other =
                parse(&recorded.output).with_context(|| format!("{} prints no JSON", filled.join(" ")))?;
            let difference = outputs(&reference, &other, output.estimates.as_ref());
            for path in &difference.wrong {
                self.failures.push(Failure::Demand(format!(
                    "{} prints another {path}",
                    command.join(" ")
                )));
            }
            if let Some((path, error)) = difference.worst_estimate
                && self
                    .worst_estimate
                    .as_ref()
                    .is_none_or(|(_, worst)| error > *worst)
            {
                self.worst_estimate = Some((path, error));
            }
        }
        self.held.insert(command.to_vec(), recorded.totals.bytes);
        Ok(recorded.totals.bytes)
    }

    pub(super) fn row(&self, fix: &Fix, findings: &[&Finding], predicted: Bytes, measured: Bytes) -> Row {
        Row {
            name: fix.name.clone(),
            title: fix.title.clone().unwrap_or_default(),
            size: self.size,
            node: match self.stage.case.runtime {
                Runtime::Java => format!("JDK {}", self.weighing.runtime.version),
                Runtime::Python => self.stage.on.title(),
                _ => self.stage.on.version.clone(),
            },
            findings: findings.len(),
            predicted,
            measured,
            bound: None,
            published: fix.published.clone(),
            whole: 0,
            cpu: None,
        }
    }

    pub(super) fn bounded(&mut self, mut row: Row, bound: f64) -> Row {
        row.bound = Some(bound);
        self.failures.extend(check_error(&row));
        row
    }
}
