//! The programs of a case: run and weighed, each once.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, ensure};
use deadweight_tools::shell::Shell;
use deadweight_weighing::Weighing;
use serde_json::Value;

use crate::compare::{Failure, outputs};
use crate::manifest::{Case, Measure, Preloaded};
use crate::runner::{Runner, fill};

/// What a program says at its end.
#[derive(Clone, Debug)]
pub(super) struct Said {
    pub(super) whole: Value,
    pub(super) held: i64,
    pub(super) resident: i64,
}

/// What the tool says of a program.
#[derive(Debug)]
pub(super) struct Weighed {
    pub(super) weighing: Weighing,
    pub(super) output: Value,
}

/// A program and the allocator under it.
type Variant = (Vec<String>, Option<String>);

/// A case, and what its programs said as far as they were run.
pub(super) struct Play<'a> {
    pub(super) runner: &'a Runner,
    pub(super) folder: &'a Path,
    pub(super) case: &'a Case,
    pub(super) measure: &'a Measure,
    pub(super) size: u64,
    pub(super) said: BTreeMap<Variant, Said>,
    pub(super) weighed: BTreeMap<Variant, Weighed>,
    pub(super) failures: Vec<Failure>,
    pub(super) notes: Vec<String>,
}

impl<'a> Play<'a> {
    pub(super) fn new(
        runner: &'a Runner,
        folder: &'a Path,
        case: &'a Case,
        size: u64,
    ) -> anyhow::Result<Self> {
        Ok(Self {
            runner,
            folder,
            case,
            measure: case
                .measure
                .as_ref()
                .context("the case does not say how its programs measure themselves")?,
            size,
            said: BTreeMap::new(),
            weighed: BTreeMap::new(),
            failures: Vec::new(),
            notes: Vec::new(),
        })
    }

    fn shell(&self, program: &Path, under: Option<&Preloaded>) -> Shell {
        let shell = Shell::new(program).current_dir(self.folder);
        match under {
            Some(allocator) => shell.env("LD_PRELOAD", &allocator.library),
            None => shell,
        }
    }

    /// Runs a program and reads what it says of itself.
    pub(super) fn run(&self, command: &[String], under: Option<&Preloaded>) -> anyhow::Result<Said> {
        let filled = fill(command, self.size, None);
        let (program, arguments) = filled.split_first().context("a command is empty")?;
        let shell = self.shell(&self.folder.join(program), under);
        let output = shell.args(arguments).args(&self.measure.arguments).output()?;
        let whole: Value = serde_json::from_slice(&output)
            .with_context(|| format!("{} prints no JSON", filled.join(" ")))?;
        let figure = |path: &str| {
            whole
                .pointer(path)
                .and_then(Value::as_i64)
                .with_context(|| format!("{} says nothing at {path}", filled.join(" ")))
        };
        Ok(Said {
            held: figure(&self.measure.held)?,
            resident: figure(&self.measure.resident)?,
            whole,
        })
    }

    /// The same, once for each program; what it prints must be what `before` prints.
    pub(super) fn said(&mut self, command: &[String], under: Option<&Preloaded>) -> anyhow::Result<Said> {
        let variant = variant(command, under);
        if let Some(said) = self.said.get(&variant) {
            return Ok(said.clone());
        }
        let said = self.run(command, under)?;
        if self.case.output.same && self.is_of_this_size(command) {
            let before = self.reference()?;
            let proper = proper(said.whole.clone(), &self.measure.section);
            for path in outputs(&before, &proper, None).wrong {
                self.failures.push(Failure::Demand(format!(
                    "{} prints another {path}",
                    command.join(" ")
                )));
            }
        }
        self.said.insert(variant, said.clone());
        Ok(said)
    }

    /// Other programs of the case may be run on an input of their own.
    fn is_of_this_size(&self, command: &[String]) -> bool {
        command.get(1..) == self.case.before.command.get(1..)
    }

    /// What `before` prints.
    fn reference(&mut self) -> anyhow::Result<Value> {
        let command = &self.case.before.command;
        if !self.said.contains_key(&variant(command, None)) {
            let said = self.run(command, None)?;
            self.said.insert(variant(command, None), said);
        }
        let said = &self.said[&variant(command, None)];
        Ok(proper(said.whole.clone(), &self.measure.section))
    }

    /// Weighs a program, once.
    pub(super) fn weighed(
        &mut self,
        command: &[String],
        under: Option<&Preloaded>,
    ) -> anyhow::Result<&Weighed> {
        let variant = variant(command, under);
        if !self.weighed.contains_key(&variant) {
            let weighed = self.weigh(command, under)?;
            self.weighed.insert(variant.clone(), weighed);
        }
        Ok(&self.weighed[&variant])
    }

    fn weigh(&self, command: &[String], under: Option<&Preloaded>) -> anyhow::Result<Weighed> {
        let filled = fill(command, self.size, None);
        let temporary = tempfile::tempdir()?;
        let report = temporary.path().join("report.json");
        let shell = self
            .shell(&self.runner.deadweight, under)
            // What a program says that it holds, it says at its end.
            .args(["run", "--when", "exit", "--all", "--format", "json", "--output"])
            .args([&report])
            .args(["--dir"])
            .args([temporary.path().join("captures")])
            .args(["--"])
            .args(&filled);
        let output = shell.output()?;
        let text = fs::read(&report).with_context(|| format!("{} was not weighed", filled.join(" ")))?;
        let weighing: Weighing = serde_json::from_slice(&text)?;
        ensure!(weighing.partial.is_none(), "the capture is not whole");
        if let Some(allocator) = under {
            ensure!(
                weighing.runtime.allocator == allocator.name,
                "{} ran under {} instead of {}",
                filled.join(" "),
                weighing.runtime.allocator,
                allocator.name
            );
        }
        Ok(Weighed {
            weighing,
            output: serde_json::from_slice(&output)
                .with_context(|| format!("{} prints no JSON", filled.join(" ")))?,
        })
    }

    pub(super) fn pass_over(&mut self, name: &str, why: &str) {
        self.notes.push(format!("{name}: passed over, as {why}"));
    }

    /// A program without a recorder.
    pub(super) fn program(&self, command: &[String]) -> Shell {
        let filled = fill(command, self.size, None);
        let program = self.folder.join(filled.first().map_or("", String::as_str));
        self.shell(&program, None).args(filled.into_iter().skip(1))
    }
}

fn variant(command: &[String], under: Option<&Preloaded>) -> Variant {
    (command.to_vec(), under.map(|allocator| allocator.name.clone()))
}

/// What is printed without what was measured.
fn proper(mut whole: Value, section: &str) -> Value {
    if let Some(object) = whole.as_object_mut() {
        object.remove(section);
    }
    whole
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_was_measured_is_no_output() {
        let whole = json!({"root": "AB", "measured": {"find_ms": 3}});
        assert_eq!(proper(whole, "measured"), json!({"root": "AB"}));
    }
}
