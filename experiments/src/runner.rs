//! Runs programs under `deadweight run` and reads what was recorded.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail, ensure};
use deadweight_weighing::Weighing;
use serde::Deserialize;

use crate::compare::{Bytes, median};
use crate::interpreter::Interpreter;
use deadweight_tools::shell::Shell;

/// Runs programs under the tool.
#[derive(Debug)]
pub struct Runner {
    /// The tool.
    pub deadweight: PathBuf,
}

/// One program to run.
#[derive(Clone, Copy, Debug)]
pub struct Run<'a> {
    /// What `node` or `python3` means in the command.
    pub on: &'a Interpreter,
    /// Where it runs.
    pub folder: &'a Path,
    /// Program and arguments, all filled in.
    pub command: &'a [String],
}

/// What a process said of itself at its end, after garbage collection.
#[derive(Clone, Copy, Debug)]
pub struct Totals {
    /// Heap and external bytes.
    pub bytes: Bytes,
    /// Resident bytes at the end.
    pub rss: u64,
    /// The most it ever had resident before the capture.
    pub peak_rss: u64,
}

/// A recorded run.
#[derive(Debug)]
pub struct Recorded {
    /// What the process said.
    pub totals: Totals,
    /// What the tool says, when a snapshot was taken.
    pub weighing: Option<Weighing>,
    /// What the program printed.
    pub output: Vec<u8>,
}

#[derive(Deserialize)]
struct Record {
    process: Process,
    cost: Cost,
}

#[derive(Deserialize)]
struct Process {
    heap_used: i64,
    external: i64,
    rss: u64,
}

#[derive(Deserialize)]
struct Cost {
    peak_rss_before: u64,
}

impl Runner {
    /// Runs a program with a snapshot, and weighs it.
    ///
    /// # Errors
    /// When it fails, or leaves no capture.
    pub fn weighed(&self, run: Run<'_>) -> anyhow::Result<(Recorded, Weighing)> {
        let mut recorded = self.run(run, true)?;
        let weighing = recorded.weighing.take().context("the capture was not weighed")?;
        ensure!(weighing.partial.is_none(), "the capture is not whole");
        Ok((recorded, weighing))
    }

    /// Runs a program and records its totals alone.
    ///
    /// # Errors
    /// When it fails, or leaves no capture.
    pub fn totals(&self, run: Run<'_>) -> anyhow::Result<Recorded> {
        self.run(run, false)
    }

    /// Runs a program as often as its heap needs it, with the medians of what it holds.
    ///
    /// # Errors
    /// When it fails, or leaves no capture.
    pub fn settled(&self, run: Run<'_>) -> anyhow::Result<Recorded> {
        let mut recorded = self.totals(run)?;
        let mut seen = vec![recorded.totals.bytes];
        while seen[0].held < SMALL_HEAP && seen.len() < 3 {
            seen.push(self.totals(run)?.totals.bytes);
        }
        recorded.totals.bytes = middle(&seen);
        Ok(recorded)
    }

    /// Runs two programs in turn and gives the medians of what they hold.
    ///
    /// # Errors
    /// When one fails, or leaves no capture.
    pub fn medians(&self, before: Run<'_>, after: Run<'_>) -> anyhow::Result<(Bytes, Bytes)> {
        let (mut seen_before, mut seen_after) = (Vec::new(), Vec::new());
        loop {
            seen_before.push(self.totals(before)?.totals.bytes);
            seen_after.push(self.totals(after)?.totals.bytes);
            let (held_before, held_after) = (middle(&seen_before), middle(&seen_after));
            if seen_before.len() >= runs_for((held_before - held_after).sum()) {
                return Ok((held_before, held_after));
            }
        }
    }

    fn run(&self, run: Run<'_>, snapshot: bool) -> anyhow::Result<Recorded> {
        let temporary = tempfile::tempdir()?;
        let captures = temporary.path().join("captures");
        let (program, arguments) = run.command.split_first().context("a command is empty")?;
        let mut shell = Shell::new(&self.deadweight).args(["run", "--all", "--format", "json", "--output"]);
        shell = shell
            .args([&temporary.path().join("report.json")])
            .args(["--dir"])
            .args([&captures]);
        if !snapshot {
            shell = shell.args(["--no-snapshot"]);
        }
        shell = shell.args(["--"]);
        let shell = shell
            .args([run.on.program(program)])
            .args(arguments)
            .current_dir(run.folder)
            .env("PATH", run.on.path())
            .env_remove("NODE_OPTIONS");
        let output = shell.output()?;
        let capture =
            only_capture(&captures).with_context(|| format!("{} was not captured", run.command.join(" ")))?;
        let record: Record = read(&capture.join(deadweight_sidecar::RECORD.name()))?;
        let weighing = if snapshot {
            Some(read(&capture.join(deadweight_sidecar::WEIGHING))?)
        } else {
            None
        };
        let Process {
            heap_used,
            external,
            rss,
        } = record.process;
        Ok(Recorded {
            totals: Totals {
                bytes: Bytes {
                    held: heap_used,
                    external,
                },
                rss,
                peak_rss: record.cost.peak_rss_before,
            },
            weighing,
            output,
        })
    }
}

/// Heaps below this are measured more than once.
const SMALL_HEAP: i64 = 10_000_000;

fn middle(seen: &[Bytes]) -> Bytes {
    let side = |of: fn(&Bytes) -> i64| median(&seen.iter().map(of).collect::<Vec<_>>()).unwrap_or(0);
    Bytes {
        held: side(|bytes| bytes.held),
        external: side(|bytes| bytes.external),
    }
}

/// How many runs the median needs: one reading is off by up to about 20 KB, which is more than half a percent of
/// savings below this.
fn runs_for(saved: i64) -> usize {
    if saved < 4_000_000 { 3 } else { 1 }
}

fn only_capture(directory: &Path) -> anyhow::Result<PathBuf> {
    let mut found: Vec<_> = fs::read_dir(directory)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<_, _>>()?;
    // What hides the directory from git is no capture.
    found.retain(|path| {
        !path
            .file_name()
            .is_some_and(|name| name.to_string_lossy().starts_with('.'))
    });
    match found.len() {
        1 => Ok(found.remove(0)),
        count => bail!("{count} captures instead of one"),
    }
}

fn read<T: for<'de> Deserialize<'de>>(path: &Path) -> anyhow::Result<T> {
    let text = fs::read(path).with_context(|| format!("{} could not be read", path.display()))?;
    serde_json::from_slice(&text).with_context(|| format!("{} is not as expected", path.display()))
}

/// Fills `{count}` and `{input}` in.
pub fn fill(command: &[String], count: u64, input: Option<&Path>) -> Vec<String> {
    let input = input
        .map(|input| input.to_string_lossy().into_owned())
        .unwrap_or_default();
    command
        .iter()
        .map(|word| {
            word.replace("{count}", &count.to_string())
                .replace("{input}", &input)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_filled_in() {
        let command = ["node", "before.js", "{input}", "--count={count}"].map(str::to_owned);
        let filled = fill(&command, 7, Some(Path::new("/x/y.json")));
        assert_eq!(filled, ["node", "before.js", "/x/y.json", "--count=7"]);
    }

    #[test]
    fn small_savings_are_measured_more_often() {
        assert_eq!(runs_for(100_000_000), 1);
        assert_eq!(runs_for(1_000_000), 3);
    }
}
