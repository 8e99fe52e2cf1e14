//! Wasteful programs, weighed by what was installed.

use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, ensure};
use deadweight_tools::shell::Shell;
use deadweight_tools::workspace;
use tempfile::TempDir;

/// What the program ends with, which must pass through.
const ITS_OWN: i32 = 5;

/// Rows that hold forty texts, each its own copy.
const ROWS: &str = "
const rows = [];
for (let i = 0; i < 20000; i++) rows.push({ id: i, text: Buffer.from(`a text of many rows: ${i % 40}`).toString() });
globalThis.rows = rows;
process.exitCode = 5;
";

/// Programs that waste memory, a native one and one of Node.js. The recorder must get into each from the cache of its user.
#[derive(Debug)]
pub(super) struct Wasteful {
    /// Kept while the programs are in use.
    _folder: TempDir,
    commands: [Vec<OsString>; 2],
}

impl Wasteful {
    pub fn compile() -> anyhow::Result<Self> {
        let folder = tempfile::tempdir()?;
        let (native, rows) = (folder.path().join("program"), folder.path().join("rows.cjs"));
        Shell::new("c++")
            .args(["-O1", "-o"])
            .args([&native])
            .args([workspace::root().join("crates/cli/tests/programs/tree.cpp")])
            .output()?;
        fs::write(&rows, ROWS)?;
        let commands = [vec![native.into()], vec!["node".into(), rows.into()]];
        Ok(Self {
            _folder: folder,
            commands,
        })
    }

    /// Weighs each with an installed command, in an empty home.
    pub fn weigh(&self, command: &Path, arguments: &[&str], path: &Path) -> anyhow::Result<()> {
        let mut programs = self.commands.iter();
        programs.try_for_each(|program| weigh(command, arguments, path, program))
    }
}

fn weigh(command: &Path, arguments: &[&str], path: &Path, program: &[OsString]) -> anyhow::Result<()> {
    let home = tempfile::tempdir()?;
    let output = Command::new(command)
        .args(arguments)
        .args(["run", "--"])
        .args(program)
        .current_dir(home.path())
        .env("HOME", home.path())
        .env("PATH", deadweight_tools::shell::path_with(path))
        .env_remove("XDG_CACHE_HOME")
        .env_remove("DEADWEIGHT_RECORDER")
        .output()
        .with_context(|| format!("{} cannot be started", command.display()))?;
    let report = String::from_utf8_lossy(&output.stderr);
    ensure!(
        output.status.code() == Some(ITS_OWN) && report.contains("after all fixes"),
        "{} ended with {} and said {report}",
        command.display(),
        output.status
    );
    Ok(())
}
