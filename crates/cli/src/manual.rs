//! `deadweight completions` and `deadweight man`.

use std::fs;
use std::io;
use std::process::ExitCode;

use anyhow::Context;
use clap::CommandFactory;

use crate::arguments::{Arguments, Completions, Man};
use crate::output;

/// Prints completions for a shell.
pub fn completions(arguments: &Completions) -> anyhow::Result<ExitCode> {
    let mut bytes = Vec::new();
    clap_complete::generate(
        arguments.shell,
        &mut Arguments::command(),
        "deadweight",
        &mut bytes,
    );
    output::deliver(&bytes, None)?;
    Ok(ExitCode::SUCCESS)
}

/// Prints the manual page, or writes those of all commands.
pub fn man(arguments: &Man) -> anyhow::Result<ExitCode> {
    if let Some(directory) = &arguments.directory {
        let write = || -> io::Result<()> {
            fs::create_dir_all(directory)?;
            clap_mangen::generate_to(Arguments::command().name("deadweight"), directory)
        };
        write().with_context(|| format!("{}: the pages could not be written", directory.display()))?;
    } else {
        let mut bytes = Vec::new();
        clap_mangen::Man::new(Arguments::command().name("deadweight")).render(&mut bytes)?;
        output::deliver(&bytes, None)?;
    }
    Ok(ExitCode::SUCCESS)
}
