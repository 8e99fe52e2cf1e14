//! The programs of a case: built, run and recorded, each once.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use deadweight_tools::shell::Shell;
use deadweight_weighing::{Churned, Finding, Weighing};

use crate::compare::{Failure, check_must_find, check_must_not_find};
use crate::manifest::{Case, Runtime};
use crate::report::thousands;
use crate::runner::{Runner, fill};

/// A case, and what its programs made as far as they were run.
pub(super) struct Play<'a> {
    pub(super) runner: &'a Runner,
    pub(super) folder: &'a Path,
    pub(super) case: &'a Case,
    pub(super) size: u64,
    pub(super) input: PathBuf,
    pub(super) port: u16,
    pub(super) build: PathBuf,
    pub(super) recorded: BTreeMap<Vec<String>, Weighing>,
    /// What programs say themselves of what they made, by their command.
    pub(super) own: BTreeMap<Vec<String>, i64>,
    pub(super) failures: Vec<Failure>,
    pub(super) notes: Vec<String>,
}

impl Play<'_> {
    pub(super) fn fill(&self, command: &[String]) -> Vec<String> {
        let filled = fill(command, self.size, Some(&self.input)).into_iter();
        filled
            .map(|word| {
                word.replace("{port}", &self.port.to_string())
                    .replace("{build}", &self.build.to_string_lossy())
            })
            .collect()
    }

    pub(super) fn prepare(&self) -> anyhow::Result<()> {
        let made = &self.case.made;
        let run = |command: &[String]| {
            let (program, arguments) = command.split_first().context("a command is empty")?;
            let shell = Shell::new(program).args(arguments).current_dir(self.folder);
            shell.output()
        };
        if !made.prepare.is_empty() {
            run(&self.fill(&made.prepare))?;
        }
        fs::create_dir_all(&self.build)?;
        for (name, command) in &made.builds {
            let out = self.build.join(name);
            let command: Vec<String> = command
                .iter()
                .map(|word| word.replace("{out}", &out.to_string_lossy()))
                .collect();
            run(&command)?;
        }
        Ok(())
    }

    /// What a program makes, recorded once.
    pub(super) fn recorded(&mut self, command: &[String]) -> anyhow::Result<&Weighing> {
        if !self.recorded.contains_key(command) {
            let runs = (0..self.runs()).map(|_| self.record(command));
            let runs = runs.collect::<anyhow::Result<Vec<_>>>()?;
            let bytes = |weighing: &Weighing| weighing.churned.as_ref().map(|churned| churned.bytes);
            let least = runs.into_iter().min_by_key(bytes).context("no run")?;
            self.recorded.insert(command.to_vec(), least);
        }
        Ok(&self.recorded[command])
    }

    /// Runs of a program that waits for a server: how often it waits is left to chance, and a wait makes objects. The
    /// run that makes least waits least.
    pub(super) fn runs(&self) -> usize {
        if self.port == 0 { 1 } else { 3 }
    }

    pub(super) fn record(&self, command: &[String]) -> anyhow::Result<Weighing> {
        let filled = self.fill(command);
        let temporary = tempfile::tempdir()?;
        let report = temporary.path().join("report.json");
        let deadweight = &self.runner.deadweight;
        let alone: &[&str] = if self.case.runtime == Runtime::Ruby {
            &["--no-snapshot"]
        } else {
            &[]
        };
        Shell::new(deadweight)
            .args(["run", "--churn", "--all", "--format", "json", "--per"])
            .args([self.size.to_string()])
            .args(alone)
            .args([Path::new("--output"), &report, Path::new("--dir")])
            .args([temporary.path().join("captures")])
            .args(["--"])
            .args(&filled)
            .current_dir(self.folder)
            .output()?;
        let text = fs::read(&report).with_context(|| format!("{} was not recorded", filled.join(" ")))?;
        let weighing: Weighing = serde_json::from_slice(&text)?;
        ensure!(weighing.partial.is_none(), "the record is not whole");
        ensure!(weighing.churned.is_some(), "nothing is said of what was made");
        Ok(weighing)
    }

    pub(super) fn check_findings(&mut self, before: &Weighing) -> anyhow::Result<()> {
        let found = found(before)?;
        for wanted in &self.case.must_find {
            self.failures
                .extend(check_must_find(&wanted.rule, &wanted.holder, &found));
        }
        for unwanted in &self.case.must_not_find {
            self.failures
                .extend(check_must_not_find(&unwanted.rule, &unwanted.holder, &found));
        }
        Ok(())
    }

    /// A program without a recorder.
    pub(super) fn program(&self, command: &[String]) -> Shell {
        let filled = self.fill(command);
        let shell = Shell::new(filled.first().map_or("", String::as_str));
        shell.args(filled.iter().skip(1)).current_dir(self.folder)
    }

    pub(super) fn ends(&mut self) -> anyhow::Result<()> {
        let case = self.case;
        let mut ends = vec![("before", &case.before)];
        ends.extend(case.after.as_ref().map(|after| ("after", after)));
        for (name, program) in ends {
            let made = churned(self.recorded(&program.command)?)?.clone();
            let each = made.bytes as f64 / self.size as f64;
            let published = program.published.as_ref();
            let published = published.map(|published| format!(" (published: {published})"));
            self.notes.push(format!(
                "{name}: {:.1} MB made in {} objects, {each:.1} B an operation{}",
                made.bytes as f64 / 1e6,
                thousands(made.objects.unwrap_or(0)),
                published.unwrap_or_default()
            ));
        }
        Ok(())
    }
}

pub(super) fn churned(weighing: &Weighing) -> anyhow::Result<&Churned> {
    weighing
        .churned
        .as_ref()
        .context("nothing is said of what was made")
}

/// Findings and options about what is made.
pub(super) fn found(weighing: &Weighing) -> anyhow::Result<Vec<Finding>> {
    let churned = churned(weighing)?;
    Ok(churned.findings.iter().chain(&churned.options).cloned().collect())
}
