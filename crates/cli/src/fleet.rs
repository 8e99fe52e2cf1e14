//! `deadweight fleet`, which is a program of its own: the engine that it has is larger than all else here.

use std::env;
use std::io::ErrorKind;
use std::os::unix::process::CommandExt as _;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

use anyhow::{Context as _, bail};

use crate::arguments::Fleet;

/// The program's name.
const PROGRAM: &str = "deadweight-fleet";

/// Becomes that program, with the arguments as they are: its exit code is the command's.
pub fn fleet(arguments: &Fleet) -> anyhow::Result<ExitCode> {
    for program in [beside(), Some(PathBuf::from(PROGRAM))].into_iter().flatten() {
        let error = Command::new(&program).args(&arguments.arguments).exec();
        if error.kind() != ErrorKind::NotFound {
            return Err(error).with_context(|| format!("{} could not be run", program.display()));
        }
    }
    bail!(
        "{PROGRAM} is not installed: it is a program of its own, and belongs beside this one or into a folder of PATH; \
         docs/guides/fleet.md says how to build it"
    )
}

/// Where it is when both were installed together.
fn beside() -> Option<PathBuf> {
    Some(env::current_exe().ok()?.parent()?.join(PROGRAM))
}
