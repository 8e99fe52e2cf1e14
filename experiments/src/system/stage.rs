//! A case on one version of what runs it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::Context;
use deadweight_weighing::Weighing;

use super::play::Play;
use crate::compare::{Failure, Row};
use crate::cpu;
use crate::interpreter::Interpreter;
use crate::manifest::{Case, Runtime, Shape};
use crate::report::{Section, thousands};
use crate::runner::{Recorded, Run, Runner, fill};

/// A case on one version of what runs it.
#[derive(Clone, Copy)]
pub(super) struct Stage<'a> {
    pub(super) runner: &'a Runner,
    pub(super) folder: &'a Path,
    pub(super) case: &'a Case,
    pub(super) on: &'a Interpreter,
    /// What kind of input the programs get, where it is not the case's own.
    pub(super) shape: Option<&'a Shape>,
    /// Whether it is measured what fixes cost in CPU time.
    pub(super) timed: bool,
}

impl Stage<'_> {
    /// The title of a section; `on` is what the programs ran on.
    fn title(&self, size: u64, on: &str) -> String {
        let shape = self.shape.map(|shape| format!("{} · ", shape.title));
        format!("{}{} · {on}", shape.unwrap_or_default(), thousands(size))
    }

    /// A command with its arguments filled in, and those of the shape behind them.
    pub(super) fn fill(&self, command: &[String], size: u64, input: Option<&Path>) -> Vec<String> {
        let mut filled = fill(command, size, input);
        filled.extend(self.shape.iter().flat_map(|shape| shape.arguments.clone()));
        filled
    }

    fn generate(&self, size: u64, directory: &Path) -> anyhow::Result<Option<PathBuf>> {
        let Some((program, arguments)) = self.case.generate.split_first() else {
            return Ok(None);
        };
        let input = directory.join("input");
        let arguments = self.fill(arguments, size, Some(&input));
        let shell = self.on.shell(program);
        shell.args(arguments).current_dir(self.folder).output_to(&input)?;
        Ok(Some(input))
    }

    pub(super) fn run<'r>(&'r self, command: &'r [String]) -> Run<'r> {
        Run {
            on: self.on,
            folder: self.folder,
            command,
        }
    }

    /// Runs a program, and measures what it holds. Gives its weighing as well, if that needs one.
    pub(super) fn settled(&self, run: Run<'_>) -> anyhow::Result<(Recorded, Option<Weighing>)> {
        if self.case.runtime != Runtime::Python {
            return Ok((self.runner.settled(run)?, None));
        }
        // A capture collects no garbage first, so only the dump separates garbage from what is held.
        let (mut recorded, weighing) = self.runner.weighed(run)?;
        let used = weighing.process.as_ref().and_then(|process| process.heap_used);
        recorded.totals.bytes.held = used
            .context("the process does not say what it holds")?
            .try_into()?;
        Ok((recorded, Some(weighing)))
    }

    /// Runs a program, measures what it holds, and weighs it.
    pub(super) fn settled_and_weighed(&self, run: Run<'_>) -> anyhow::Result<(Recorded, Weighing)> {
        let (recorded, weighing) = self.settled(run)?;
        let weighing = match weighing {
            Some(weighing) => weighing,
            None => self.runner.weighed(run)?.1,
        };
        Ok((recorded, weighing))
    }

    /// Every variant, each against what was predicted of it.
    pub(super) fn compare(&self, size: u64) -> anyhow::Result<(Section, Vec<Failure>)> {
        let temporary = tempfile::tempdir()?;
        let input = self.generate(size, temporary.path())?;
        let command = self.fill(&self.case.before.command, size, input.as_deref());
        let (before, weighing) = self.settled_and_weighed(self.run(&command))?;
        let on = match self.case.runtime {
            Runtime::Java => format!("JDK {}", weighing.runtime.version),
            _ => self.on.title(),
        };
        let mut play = Play {
            stage: self,
            size,
            input,
            before,
            weighing,
            held: BTreeMap::new(),
            weighings: BTreeMap::new(),
            failures: Vec::new(),
            worst_estimate: None,
        };
        if self.shape.is_none() {
            play.check_findings();
        }
        let mut tables = Vec::new();
        let mut table = |title: &str, rows: Vec<Row>| {
            if !rows.is_empty() {
                tables.push((title.to_owned(), rows));
            }
        };
        let mut fixes = play.fixes()?;
        if self.timed {
            cpu::time(&mut fixes, self.case, |command| play.program(command))?;
        }
        table("One fix each", fixes);
        table("One fix after the other", play.chain()?);
        table("Options, after all fixes", play.options()?);
        let mut notes = vec![format!(
            "before: {:.1} MB of heap, {:.1} MB external, {:.0} MB resident",
            play.before.totals.bytes.held as f64 / 1e6,
            play.before.totals.bytes.external as f64 / 1e6,
            play.before.totals.rss as f64 / 1e6
        )];
        if let Some(after) = &self.case.after {
            let held = play.variant(&after.command)?;
            notes.push(format!(
                "after: {:.1} MB of heap, {:.1} MB external{}",
                held.held as f64 / 1e6,
                held.external as f64 / 1e6,
                after
                    .published
                    .as_ref()
                    .map(|published| format!(" (published: {published})"))
                    .unwrap_or_default()
            ));
        }
        if let Some((path, error)) = &play.worst_estimate {
            notes.push(format!(
                "estimates printed differ by up to {:.2} % ({path})",
                error * 100.0
            ));
        }
        let section = Section {
            case: self.case.name.clone(),
            shape: self.shape.map(|shape| shape.name.clone()),
            title: self.title(size, &on),
            description: self.case.description.clone(),
            tables,
            notes,
        };
        Ok((section, play.failures))
    }

    /// The ends alone, at full size: a snapshot of so much memory would take several times as much.
    pub(super) fn full(&self) -> anyhow::Result<(Section, Vec<Failure>)> {
        let size = self.case.sizes.full;
        let mut section = Section {
            case: self.case.name.clone(),
            shape: None,
            title: self.title(size, &self.on.title()),
            description: format!(
                "{}, at full size: resident memory at its peak.",
                self.case.description
            ),
            tables: Vec::new(),
            notes: Vec::new(),
        };
        let (Some(full), Some(after)) = (self.case.full, &self.case.after) else {
            section.notes.push("nothing is demanded at full size".into());
            return Ok((section, Vec::new()));
        };
        let temporary = tempfile::tempdir()?;
        let input = self.generate(size, temporary.path())?;
        let mut peaks = [0, 0];
        for (peak, (name, command)) in peaks
            .iter_mut()
            .zip([("before", &self.case.before.command), ("after", &after.command)])
        {
            let command = self.fill(command, size, input.as_deref());
            let totals = self.runner.totals(self.run(&command))?.totals;
            *peak = totals.peak_rss;
            section.notes.push(format!(
                "{name}: {:.0} MB resident at its peak; {:.0} MB of heap and {:.0} MB external at its end",
                totals.peak_rss as f64 / 1e6,
                totals.bytes.held as f64 / 1e6,
                totals.bytes.external as f64 / 1e6
            ));
        }
        let saved = 1.0 - peaks[1] as f64 / peaks[0] as f64;
        section.notes.push(format!("{:.1} % less", saved * 100.0));
        let mut failures = Vec::new();
        let mut demand = |holds: bool, what: String| {
            if !holds {
                failures.push(Failure::Demand(what));
            }
        };
        if let Some(least) = full.before_rss_at_least {
            demand(
                peaks[0] >= least,
                format!("before: {} bytes resident, not even {least}", peaks[0]),
            );
        }
        if let Some(most) = full.after_rss_at_most {
            demand(
                peaks[1] <= most,
                format!("after: {} bytes resident, more than {most}", peaks[1]),
            );
        }
        if let Some(least) = full.rss_saved_at_least {
            demand(
                saved >= least,
                format!("resident memory: {saved:.3} saved, less than {least}"),
            );
        }
        Ok((section, failures))
    }
}
