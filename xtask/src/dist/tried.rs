//! Wasteful programs, weighed by what was installed.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, ensure};
use deadweight_tools::shell::Shell;
use deadweight_tools::{workspace, zig};
use tempfile::TempDir;

use super::debian;
use super::platform::Platform;

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
    /// The native one for older systems, with its libraries in it.
    portable: Option<PathBuf>,
}

impl Wasteful {
    pub fn compile(platform: &Platform) -> anyhow::Result<Self> {
        let folder = tempfile::tempdir()?;
        let (native, rows) = (folder.path().join("program"), folder.path().join("rows.cjs"));
        let source = workspace::root().join("crates/cli/tests/programs/tree.cpp");
        Shell::new("c++")
            .args(["-O1", "-o"])
            .args([&native, &source])
            .output()?;
        let portable = match platform.zig() {
            Some(target) => {
                let program = folder.path().join("portable");
                // Zig has no name of a vendor in its targets.
                let target = target.replace("-unknown", "");
                zig::cxx()?
                    .args(["-O1", "-target", &target, "-o"])
                    .args([&program, &source])
                    .output()?;
                Some(program)
            }
            None => None,
        };
        fs::write(&rows, ROWS)?;
        let commands = [vec![native.into()], vec!["node".into(), rows.into()]];
        Ok(Self {
            _folder: folder,
            commands,
            portable,
        })
    }

    /// Weighs each with an installed command, in an empty home.
    pub fn weigh(&self, command: &Path, arguments: &[&str], path: &Path) -> anyhow::Result<()> {
        for program in &self.commands {
            let home = tempfile::tempdir()?;
            let mut installed = Command::new(command);
            installed
                .args(arguments)
                .args(["run", "--"])
                .args(program)
                .current_dir(home.path())
                .env("HOME", home.path())
                .env("PATH", deadweight_tools::shell::path_with(path))
                .env_remove("XDG_CACHE_HOME")
                .env_remove("DEADWEIGHT_RECORDER");
            check(installed)?;
        }
        Ok(())
    }

    /// Weighs the native one with what is installed in the system of another root.
    pub fn weigh_within(&self, root: &Path) -> anyhow::Result<()> {
        let portable = self
            .portable
            .as_ref()
            .context("there is no program for other systems")?;
        fs::copy(portable, root.join("tmp/program"))?;
        let arguments = [
            "deadweight",
            "run",
            "--dir",
            "/tmp/captures",
            "--",
            "/tmp/program",
        ];
        let done = check(debian::within(root).args(arguments).into());
        for left in ["tmp/home", "tmp/captures"] {
            // What was not written is not there.
            let _ = fs::remove_dir_all(root.join(left));
        }
        done
    }
}

fn check(mut command: Command) -> anyhow::Result<()> {
    let shown = command.get_program().to_string_lossy().into_owned();
    let output = command
        .output()
        .with_context(|| format!("{shown} cannot be started"))?;
    let report = String::from_utf8_lossy(&output.stderr);
    ensure!(
        output.status.code() == Some(ITS_OWN) && report.contains("after all fixes"),
        "{shown} ended with {} and said {report}",
        output.status
    );
    Ok(())
}
