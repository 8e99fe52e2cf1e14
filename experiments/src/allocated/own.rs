//! What programs say themselves of what they made, by their runtime's own count.

use std::process::{Command, Stdio};

use anyhow::{Context, ensure};
use serde_json::Value;

use super::play::Play;
use crate::compare::Failure;
use crate::manifest::Fix;

impl Play<'_> {
    /// What a program says itself of what it made, when nobody records it; nothing where it does not.
    fn own(&mut self, command: &[String]) -> anyhow::Result<Option<i64>> {
        let Some(path) = &self.case.made.own_count else {
            return Ok(None);
        };
        if let Some(&bytes) = self.own.get(command) {
            return Ok(Some(bytes));
        }
        let runs = (0..self.runs()).map(|_| self.counted(command, path));
        let runs = runs.collect::<anyhow::Result<Vec<_>>>()?;
        let bytes = runs.into_iter().min().context("no run")?;
        self.own.insert(command.to_vec(), bytes);
        Ok(Some(bytes))
    }

    /// One such run.
    fn counted(&self, command: &[String], path: &str) -> anyhow::Result<i64> {
        let filled = self.fill(command);
        let (program, arguments) = filled.split_first().context("a command is empty")?;
        let output = Command::new(program)
            .args(arguments)
            .current_dir(self.folder)
            .envs(&self.case.made.own_environment)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .output()?;
        ensure!(output.status.success(), "{} failed", filled.join(" "));
        let counted: Value = serde_json::from_slice(&output.stderr)
            .with_context(|| format!("{} says no JSON", filled.join(" ")))?;
        let bytes = counted.pointer(path).and_then(Value::as_i64);
        bytes.with_context(|| format!("{} says nothing at {path}", filled.join(" ")))
    }

    /// What was recorded to be made less against the runtime's own count.
    pub(super) fn check_own(&mut self, before: &[String], fix: &Fix, measured: i64) -> anyhow::Result<()> {
        let (Some(first), Some(second)) = (self.own(before)?, self.own(&fix.command)?) else {
            return Ok(());
        };
        let own = first - second;
        // A run that waits for its server makes a little more: a share of all that was made.
        let off = (own - measured).abs() as f64 / first.unsigned_abs().max(1) as f64;
        self.notes.push(format!(
            "{}: {:.1} B an operation less by the runtime's own count, {:.1} recorded",
            fix.name,
            own as f64 / self.size as f64,
            measured as f64 / self.size as f64
        ));
        if off > self.case.bounds.own_count {
            self.failures.push(Failure::Demand(format!(
                "{}: the runtime itself counts {own} bytes less, and {measured} were recorded",
                fix.name
            )));
        }
        Ok(())
    }
}
