//! The `deadweight` command: how much of a program's memory is dead weight, where, and what each fix saves.

use std::process::ExitCode;

mod arguments;
mod attach;
mod check;
mod clean;
mod configured;
mod diff;
#[cfg(test)]
mod documented;
mod dump;
mod explain;
mod export;
mod fix;
mod fleet;
mod help;
mod inputs;
mod library;
mod manual;
mod mcp;
mod output;
mod post;
mod progress;
mod prove;
mod redact;
mod run;
mod strip;
mod view;
mod weigh;

use arguments::Command;
use configured::Configured;
use deadweight_formats::streams_to_disk;
use deadweight_spill::{Spilling, keep_to};

/// Gives large pieces from a file when memory is limited.
#[global_allocator]
static ALLOCATOR: Spilling = Spilling;

/// Input or arguments that cannot be used.
const UNUSABLE: u8 = 2;

fn main() -> ExitCode {
    let Configured { arguments, added } = match configured::read() {
        Ok(configured) => configured,
        Err(error) => {
            eprintln!("deadweight: {}", output::describe(&error));
            return ExitCode::from(UNUSABLE);
        }
    };
    let reading = arguments.reading();
    progress::quiet(reading.room.quiet);
    if let Some(added) = added {
        progress::note(format_args!("{added}"));
    }
    if reading.redact {
        redact::begin();
    }
    if let Some(limit) = reading.room.memory_limit {
        streams_to_disk();
        if let Err(error) = keep_to(limit, move |exceeded| progress::over_the_limit(limit, &exceeded)) {
            eprintln!("deadweight: {}", output::describe(&error.into()));
            return ExitCode::from(UNUSABLE);
        }
    }
    let done = match arguments.command {
        Command::Run(arguments) => run::run(arguments),
        Command::Attach(arguments) => attach::attach(&arguments),
        Command::Weigh(arguments) => weigh::weigh(&arguments),
        Command::Prove(arguments) => prove::prove(&arguments),
        Command::Fix(arguments) => fix::fix(&arguments),
        Command::Diff(arguments) => diff::diff(&arguments),
        Command::Check(arguments) => check::check(&arguments),
        Command::Library(arguments) => library::library(&arguments),
        Command::Completions(arguments) => manual::completions(&arguments),
        Command::Man(arguments) => manual::man(&arguments),
        Command::View(arguments) => view::view(&arguments),
        Command::Mcp(arguments) => mcp::mcp(&arguments),
        Command::Strip(arguments) => strip::strip(&arguments),
        Command::Clean(arguments) => clean::clean(&arguments),
        Command::Export(arguments) => export::export(&arguments),
        Command::Fleet(arguments) => fleet::fleet(&arguments),
        Command::Explain(arguments) => explain::explain(&arguments),
        Command::Rules(look) => explain::list(&look),
    };
    match done {
        Ok(code) => code,
        Err(error) if output::reader_has_gone(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("deadweight: {}", output::describe(&error));
            ExitCode::from(UNUSABLE)
        }
    }
}
