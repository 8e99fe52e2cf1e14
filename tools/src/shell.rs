//! Commands, and what to say when one fails.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};

use anyhow::{Context, bail};

use crate::workspace;

/// A command that runs in the root of the checkout unless told otherwise.
#[derive(Debug)]
#[must_use = "nothing runs before it is told how"]
pub struct Shell {
    command: Command,
}

impl Shell {
    /// The program alone.
    pub fn new(program: impl AsRef<OsStr>) -> Self {
        let mut command = Command::new(program);
        command.current_dir(workspace::root());
        Self { command }
    }

    /// Adds arguments.
    pub fn args<S: AsRef<OsStr>>(mut self, args: impl IntoIterator<Item = S>) -> Self {
        self.command.args(args);
        self
    }

    /// Runs it elsewhere.
    pub fn current_dir(mut self, directory: impl AsRef<Path>) -> Self {
        self.command.current_dir(directory);
        self
    }

    /// Sets an environment variable.
    pub fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.command.env(name, value);
        self
    }

    /// Takes an environment variable away.
    pub fn env_remove(mut self, name: &str) -> Self {
        self.command.env_remove(name);
        self
    }

    /// What it would look like to a person.
    pub fn shown(&self) -> String {
        let words = std::iter::once(self.command.get_program()).chain(self.command.get_args());
        let words: Vec<_> = words.map(OsStr::to_string_lossy).collect();
        words.join(" ")
    }

    /// Runs it with this process's own output.
    ///
    /// # Errors
    /// When it cannot be started or fails.
    pub fn inherit(mut self) -> anyhow::Result<()> {
        let status = self
            .command
            .status()
            .with_context(|| format!("{} could not be started", self.shown()))?;
        if !status.success() {
            bail!("{} ended with {status}", self.shown());
        }
        Ok(())
    }

    /// Runs it and shows each line of its output as it comes, after `look` has looked at it.
    ///
    /// # Errors
    /// When it cannot be started or fails.
    pub fn watched(mut self, mut look: impl FnMut(&str)) -> anyhow::Result<()> {
        let shown = self.shown();
        // One pipe for both keeps their order.
        let (reader, writer) = io::pipe()?;
        self.command.stdout(writer.try_clone()?).stderr(writer);
        let started = self.command.spawn();
        // What it holds of the pipe would keep the reader waiting for more.
        drop(self);
        let mut child = started.with_context(|| format!("{shown} could not be started"))?;
        for line in BufReader::new(reader).split(b'\n') {
            let line = line?;
            let line = String::from_utf8_lossy(&line);
            println!("{line}");
            look(&line);
        }
        let status = child.wait()?;
        if !status.success() {
            bail!("{shown} ended with {status}");
        }
        Ok(())
    }

    /// Runs it with all that it prints in a file; how it ended.
    ///
    /// # Errors
    /// When the file cannot be made, or it cannot be started.
    pub fn logged(mut self, log: &Path) -> anyhow::Result<ExitStatus> {
        let file = File::create(log).with_context(|| format!("{} could not be made", log.display()))?;
        self.command
            .stdin(Stdio::null())
            .stdout(file.try_clone()?)
            .stderr(file);
        self.command
            .status()
            .with_context(|| format!("{} could not be started", self.shown()))
    }

    /// Runs it and gives its standard output. What it says on standard error is shown only when it fails.
    ///
    /// # Errors
    /// When it cannot be started or fails.
    pub fn output(mut self) -> anyhow::Result<Vec<u8>> {
        self.command.stdin(Stdio::null());
        let output = self
            .command
            .output()
            .with_context(|| format!("{} could not be started", self.shown()))?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr);
            let tail: Vec<_> = said.lines().rev().take(20).collect();
            let tail: Vec<_> = tail.into_iter().rev().collect();
            bail!(
                "{} ended with {}\n{}",
                self.shown(),
                output.status,
                tail.join("\n")
            );
        }
        Ok(output.stdout)
    }

    /// Runs it with its standard output in a file.
    ///
    /// # Errors
    /// When it cannot be started or fails, or the file cannot be made.
    pub fn output_to(mut self, path: &Path) -> anyhow::Result<()> {
        let file = File::create(path).with_context(|| format!("{} could not be made", path.display()))?;
        self.command.stdout(file);
        self.inherit()
    }
}

impl From<Shell> for Command {
    fn from(shell: Shell) -> Self {
        shell.command
    }
}

/// Directories before those of PATH.
pub fn path_with(first: &Path) -> OsString {
    let rest = std::env::var_os("PATH").unwrap_or_default();
    let all = std::iter::once(first.to_path_buf()).chain(std::env::split_paths(&rest));
    std::env::join_paths(all).unwrap_or(rest)
}
