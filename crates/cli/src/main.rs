//! The `deadweight` command: how much of a program's memory is dead weight, where, and what each fix saves.

use std::process::ExitCode;

use clap::Parser;

mod arguments;
mod dump;
mod explain;
mod inputs;
mod output;
mod progress;
mod prove;
mod run;
mod weigh;

use arguments::{Arguments, Command};

/// Input or arguments that cannot be used.
const UNUSABLE: u8 = 2;

fn main() -> ExitCode {
    let done = match Arguments::parse().command {
        Command::Run(arguments) => run::run(arguments),
        Command::Weigh(arguments) => weigh::weigh(&arguments),
        Command::Prove(arguments) => prove::prove(&arguments),
        Command::Explain(arguments) => explain::explain(&arguments),
        Command::Rules(look) => explain::list(&look),
    };
    match done {
        Ok(code) => code,
        Err(error) if output::reader_has_gone(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("deadweight: {}", output::told(&error));
            ExitCode::from(UNUSABLE)
        }
    }
}
