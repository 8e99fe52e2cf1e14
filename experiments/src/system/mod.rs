//! Whole systems: one variant for each fix, and all of them one after the other.

mod play;
mod stage;
mod tables;

use std::path::{Path, PathBuf};

use anyhow::Context;
use deadweight_tools::packages::{CMAKE, CRYSTAL, LIBRARIES};
use deadweight_tools::shell::Shell;
use deadweight_tools::{debian, jdk, nodes, npm};

use self::stage::Stage;
use crate::compare::{Failure, Rules, Selection};
use crate::manifest::{Case, Fix, Runtime};
use crate::report::{self, Results, Section};
use crate::runner::Runner;
use crate::{Cases, allocated, native};

/// Runs the cases that are asked for.
///
/// # Errors
/// When a case cannot be run at all.
pub fn run(
    runner: &Runner,
    cases: &Cases,
    systems: &[(PathBuf, Case)],
    results: &mut Results,
) -> anyhow::Result<()> {
    for (folder, case) in systems {
        install(folder, case).with_context(|| case.name.clone())?;
        if case.runtime.is_of_churn() {
            let size = match (cases.quick, cases.full) {
                (true, _) => case.sizes.quick,
                (_, true) => case.sizes.full,
                _ => case.sizes.test,
            };
            let (section, failures) = allocated::compare(runner, folder, case, size, cases.write)
                .with_context(|| case.name.clone())?;
            keep(section, failures, case, results);
            continue;
        }
        if case.runtime == Runtime::Native {
            let size = if cases.quick {
                case.sizes.quick
            } else {
                case.sizes.test
            };
            let asked = native::Asked {
                full: cases.full,
                timed: cases.write,
            };
            let (section, failures) =
                native::compare(runner, folder, case, size, asked).with_context(|| case.name.clone())?;
            keep(section, failures, case, results);
            if cases.full {
                let (section, failures) =
                    native::ends(runner, folder, case, case.sizes.full).with_context(|| case.name.clone())?;
                keep(section, failures, case, results);
            }
            continue;
        }
        for major in cases.nodes_or(&case.nodes) {
            let node = nodes::node(major)?;
            let size = if cases.quick {
                case.sizes.quick
            } else {
                case.sizes.test
            };
            let stage = Stage {
                runner,
                folder,
                case,
                node: &node,
                shape: None,
                timed: cases.write,
            };
            let (section, failures) = stage.compare(size).with_context(|| case.name.clone())?;
            keep(section, failures, case, results);
            for shape in &case.shapes {
                let stage = Stage {
                    shape: Some(shape),
                    ..stage
                };
                let size = shape.size.map_or(size, |most| most.min(size));
                let (section, failures) = stage
                    .compare(size)
                    .with_context(|| format!("{}, {}", case.name, shape.name))?;
                keep(section, failures, case, results);
            }
            if cases.full {
                let (section, failures) = stage.full().with_context(|| case.name.clone())?;
                keep(section, failures, case, results);
            }
        }
    }
    Ok(())
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
