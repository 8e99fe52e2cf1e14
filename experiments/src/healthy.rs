//! Programs in which there is nothing to find.

use crate::Cases;
use crate::compare::{Failure, check_healthy};
use crate::interpreter::Interpreter;
use crate::manifest::Healthy;
use crate::report::{self, HealthyRow, Results};
use crate::runner::{Run, Runner, fill};
use deadweight_tools::nodes;
use deadweight_tools::npm;
use deadweight_tools::parallel::in_parallel;

/// Runs the healthy programs that are asked for.
///
/// # Errors
/// When a version of Node.js or a package is missing.
pub fn run(
    runner: &Runner,
    cases: &Cases,
    programs: &[Healthy],
    results: &mut Results,
) -> anyhow::Result<()> {
    let mut tasks = Vec::new();
    for program in programs {
        npm::install(&program.folder)?;
        for major in cases.nodes_or(&nodes::PROVEN) {
            let node = nodes::node(major)?;
            if program.node.contains(&node.version) {
                tasks.push((program, Interpreter::from(&node)));
            }
        }
    }
    if tasks.is_empty() {
        return Ok(());
    }
    println!("\nhealthy programs");
    in_parallel(
        &tasks,
        cases.jobs(),
        |(program, on)| look(runner, program, on),
        |(program, _), outcome| match outcome {
            Ok((row, failures)) => {
                report::print_healthy(&row);
                for failure in failures {
                    println!("        {failure}");
                    results
                        .failures
                        .push(format!("{} on Node.js {}: {failure}", program.name, row.node));
                }
                results.healthy.push(row);
            }
            Err(error) => {
                println!("  {}: {error:#}", program.name);
                results.failures.push(format!("{}: {error:#}", program.name));
            }
        },
    );
    Ok(())
}

fn look(runner: &Runner, program: &Healthy, on: &Interpreter) -> anyhow::Result<(HealthyRow, Vec<Failure>)> {
    let command = fill(&program.command, program.size, None);
    let (_, weighing) = runner.weighed(Run {
        on,
        folder: &program.folder,
        command: &command,
    })?;
    let held = weighing.held.bytes;
    let largest = weighing.findings.iter().max_by_key(|finding| finding.saves);
    let row = HealthyRow {
        name: program.name.clone(),
        title: program.title.clone(),
        node: on.version.clone(),
        held,
        largest: largest.map(|finding| {
            (
                finding.saves as f64 / held as f64,
                format!("{} at {}", finding.rule, finding.holder),
            )
        }),
    };
    Ok((row, check_healthy(&weighing.findings, held, program.share)))
}
