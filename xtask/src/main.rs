//! Chores of the project: `cargo xtask CHORE`.

mod cases;
mod debian;
mod demo;
mod docs;
mod fuzz;
mod nodes;
mod npm;
mod shell;
mod test;
mod workspace;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Chores of the project
#[derive(Debug, Parser)]
#[command(bin_name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    chore: Chore,
}

#[derive(Debug, Subcommand)]
enum Chore {
    /// Run the cases before and after each fix, and compare what was predicted with what is measured
    Cases(cases::Cases),
    /// Run the example of the README: a real program, weighed
    Demo(demo::Demo),
    /// Write the pages that are made from code: the rules and the schema
    Docs(docs::Docs),
    /// Try the readers with broken and hostile input, made by libFuzzer
    Fuzz(fuzz::Fuzz),
    /// Check everything: format, lints, tests in every language, pages, cases
    Test(test::Test),
}

fn main() -> ExitCode {
    let result = match Arguments::parse().chore {
        Chore::Cases(cases) => cases::run(&cases),
        Chore::Demo(demo) => demo::run(&demo),
        Chore::Docs(docs) => docs::run(&docs),
        Chore::Fuzz(fuzz) => fuzz::run(&fuzz),
        Chore::Test(test) => test::run(&test),
    };
    match result {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::from(2)
        }
    }
}
