//! Chores of the project: `cargo xtask CHORE`.

mod bench;
mod demo;
mod dist;
mod docs;
mod failures;
mod fuzz;
mod marks;
mod site;
mod soak;
mod test;

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use deadweight_experiments as experiments;
use deadweight_tools::consent;

/// Chores of the project
#[derive(Debug, Parser)]
#[command(bin_name = "cargo xtask")]
struct Arguments {
    /// Install what is missing, such as packages of the system, without a question
    #[arg(long, global = true)]
    install: bool,
    #[command(subcommand)]
    chore: Chore,
}

#[derive(Debug, Subcommand)]
enum Chore {
    /// Time and memory of Deadweight and its peers on large dumps
    Bench(bench::Bench),
    /// Run the cases before and after each fix, and compare what was predicted with what is measured
    Cases(experiments::Cases),
    /// Run the example of the README: a real program, weighed
    Demo(demo::Demo),
    /// Make packages of the binary in target/dist, and try each where nothing else is installed
    Dist(dist::Dist),
    /// Write the pages that are made from code: the rules and the schema
    Docs(docs::Docs),
    /// Try the readers with broken and hostile input, made by libFuzzer
    Fuzz(fuzz::Fuzz),
    /// Make the site of the docs in target/site/book, with all links checked
    Site(site::Site),
    /// A busy server under the recorder for minutes, beside one without it
    Soak(soak::Soak),
    /// Check everything: format, lints, tests in every language, pages, cases
    Test(test::Test),
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    if arguments.install {
        consent::give();
    }
    let result = match arguments.chore {
        Chore::Bench(bench) => bench::run(&bench),
        Chore::Cases(cases) => experiments::run(&cases).map(|failures| failures.is_empty()),
        Chore::Demo(demo) => demo::run(&demo),
        Chore::Dist(dist) => dist::run(&dist),
        Chore::Docs(docs) => docs::run(&docs),
        Chore::Fuzz(fuzz) => fuzz::run(&fuzz),
        Chore::Site(site) => site::run(&site),
        Chore::Soak(soak) => soak::run(&soak),
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
