//! Whole systems: one variant for each fix, and all of them one after the other.

mod play;
mod stage;
mod tables;

use std::iter;
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use deadweight_tools::packages::{CMAKE, CRYSTAL, LIBRARIES};
use deadweight_tools::parallel::in_parallel;
use deadweight_tools::shell::Shell;
use deadweight_tools::{debian, jdk, nodes, npm, pythons};

use self::stage::Stage;
use crate::compare::{Failure, Rules, Selection};
use crate::interpreter::Interpreter;
use crate::manifest::{Case, Fix, Runtime, Shape};
use crate::report::{self, Results, Section};
use crate::runner::Runner;
use crate::{Cases, allocated, native};

/// What is run on its own: a case on one platform, with one kind of input.
struct Task<'a> {
    folder: &'a Path,
    case: &'a Case,
    what: What<'a>,
}

enum What<'a> {
    /// What programs make.
    Churn,
    /// A native program, at one size.
    Native,
    /// Its ends alone, at full size.
    NativeEnds,
    /// A program on a managed heap.
    Managed(Interpreter, Option<&'a Shape>),
    /// Its ends alone, at full size.
    ManagedEnds(Interpreter),
}

/// Runs the cases that are asked for, some at a time.
///
/// # Errors
/// When a case cannot be run at all.
pub fn run(
    runner: &Runner,
    cases: &Cases,
    systems: &[(PathBuf, Case)],
    results: &mut Results,
) -> anyhow::Result<()> {
    let mut tasks = Vec::new();
    for (folder, case) in systems {
        install(folder, case).with_context(|| case.name.clone())?;
        tasks.extend(
            tasks_of(cases, case)?
                .into_iter()
                .map(|what| Task { folder, case, what }),
        );
    }
    // What is timed runs alone.
    let jobs = if cases.write { 1 } else { cases.jobs() };
    let mut outcomes = Vec::new();
    in_parallel(
        &tasks,
        jobs,
        |task| play(runner, cases, task).with_context(|| task.case.name.clone()),
        |task, outcome| {
            outcomes.push(outcome.map(|(section, failures)| keep(section, failures, task.case, results)));
        },
    );
    outcomes.into_iter().collect()
}

fn tasks_of<'a>(cases: &Cases, case: &'a Case) -> anyhow::Result<Vec<What<'a>>> {
    if case.runtime.is_of_churn() {
        return Ok(vec![What::Churn]);
    }
    if case.runtime == Runtime::Native {
        let ends = cases.full.then_some(What::NativeEnds);
        return Ok(iter::once(What::Native).chain(ends).collect());
    }
    let mut tasks = Vec::new();
    for on in interpreters(cases, case)? {
        tasks.push(What::Managed(on.clone(), None));
        tasks.extend(
            case.shapes
                .iter()
                .map(|shape| What::Managed(on.clone(), Some(shape))),
        );
        if cases.full && case.full.is_some() {
            tasks.push(What::ManagedEnds(on));
        }
    }
    Ok(tasks)
}

/// What a case runs on: the versions of Node.js that it names, or the oldest and the newest Python of this machine.
fn interpreters(cases: &Cases, case: &Case) -> anyhow::Result<Vec<Interpreter>> {
    if case.runtime == Runtime::Python {
        let all = pythons::all();
        let last = all.len().saturating_sub(1);
        let is_wanted = |at: usize| cases.full || at == 0 || at == last;
        let chosen = all.iter().enumerate().filter(|(at, _)| is_wanted(*at));
        let chosen: Vec<_> = chosen.map(|(_, python)| Interpreter::from(python)).collect();
        ensure!(!chosen.is_empty(), "there is no Python");
        return Ok(chosen);
    }
    let nodes = cases.nodes_or(&case.nodes).into_iter();
    nodes
        .map(|major| Ok(Interpreter::from(&nodes::node(major)?)))
        .collect()
}

fn play(runner: &Runner, cases: &Cases, task: &Task<'_>) -> anyhow::Result<(Section, Vec<Failure>)> {
    let &Task { folder, case, .. } = task;
    let timed = cases.write;
    let size = if cases.quick {
        case.sizes.quick
    } else {
        case.sizes.test
    };
    let stage = |on, shape| Stage {
        runner,
        folder,
        case,
        on,
        shape,
        timed,
    };
    match &task.what {
        What::Churn => {
            let size = if cases.full { case.sizes.full } else { size };
            allocated::compare(runner, folder, case, size, timed)
        }
        What::Native => {
            let asked = native::Asked {
                full: cases.full,
                timed,
            };
            native::compare(runner, folder, case, size, asked)
        }
        What::NativeEnds => native::ends(runner, folder, case, case.sizes.full),
        What::Managed(on, None) => stage(on, None).compare(size),
        What::Managed(on, Some(shape)) => stage(on, Some(shape))
            .compare(shape.size.map_or(size, |most| most.min(size)))
            .with_context(|| shape.name.clone()),
        What::ManagedEnds(on) => stage(on, None).full(),
    }
}

fn install(folder: &Path, case: &Case) -> anyhow::Result<()> {
    match case.runtime {
        Runtime::Native => {
            debian::ensure(CMAKE)?;
            debian::ensure(LIBRARIES)?;
        }
        Runtime::Ruby => debian::ensure(&["ruby"])?,
        Runtime::Crystal => debian::ensure(CRYSTAL)?,
        Runtime::Java => debian::ensure(jdk::packages())?,
        Runtime::Python => debian::ensure(&["python3"])?,
        Runtime::Node => {}
    }
    match case.install.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => Ok(()),
        ["npm", "ci"] => npm::install(folder),
        [program, ref arguments @ ..] => Shell::new(program).args(arguments).current_dir(folder).inherit(),
    }
}

fn keep(section: Section, failures: Vec<Failure>, case: &Case, results: &mut Results) {
    report::print_section(&section);
    for failure in failures {
        println!("  {failure}");
        results.failures.push(format!("{}: {failure}", case.name));
    }
    results.cases.push(section);
}

/// The findings that a fix mends.
pub fn selection(fix: &Fix) -> Selection<'_> {
    Selection {
        rules: Rules::Among(&fix.rules),
        holder: fix.holder.as_ref(),
        variant: fix.variant.as_deref(),
    }
}
