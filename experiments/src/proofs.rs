//! The corpus of tiny programs.

use crate::Cases;
use crate::compare::Failure;
use crate::compare::{Row, Rules, Selection, check_closed, check_error, check_must_find};
use crate::interpreter::Interpreter;
use crate::manifest::Proof;
use crate::report::{self, Results};
use crate::runner::{Run, Runner};
use crate::sides::{self, Side};
use deadweight_tools::nodes;
use deadweight_tools::parallel::in_parallel;
use deadweight_tools::workspace;

struct Task<'a> {
    proof: &'a Proof,
    size: u64,
    on: Interpreter,
}

/// Runs the proofs that are asked for.
///
/// # Errors
/// When a version of Node.js is missing.
pub fn run(runner: &Runner, cases: &Cases, proofs: &[Proof], results: &mut Results) -> anyhow::Result<()> {
    let mut tasks = Vec::new();
    for proof in proofs {
        let sizes = if cases.quick {
            &proof.sizes[..1]
        } else {
            &proof.sizes[..]
        };
        for major in cases.nodes_or(&nodes::PROVEN) {
            let node = nodes::node(major)?;
            if !proof.node.contains(&node.version) {
                continue;
            }
            tasks.extend(sizes.iter().map(|&size| Task {
                proof,
                size,
                on: Interpreter::from(&node),
            }));
        }
    }
    if tasks.is_empty() {
        return Ok(());
    }
    println!("\nproofs");
    in_parallel(
        &tasks,
        cases.jobs(),
        |task| prove(runner, task),
        |task, outcome| match outcome {
            Ok((row, failures)) => {
                report::print_proof(&row);
                for failure in failures {
                    println!("        {failure}");
                    results.failures.push(format!("{}: {failure}", task.proof.name));
                }
                results.proofs.push(row);
            }
            Err(error) => {
                println!(
                    "  {} at {} on {}: {error:#}",
                    task.proof.name,
                    task.size,
                    task.on.title()
                );
                results.failures.push(format!("{}: {error:#}", task.proof.name));
            }
        },
    );
    report::print_spread(&results.proofs);
    Ok(())
}

fn prove(runner: &Runner, task: &Task<'_>) -> anyhow::Result<(Row, Vec<Failure>)> {
    let Task { proof, size, on } = task;
    let command = |program: &str| ["node".to_owned(), program.to_owned(), size.to_string()];
    let (before, after) = (command("before.js"), command("after.js"));
    let run = |command| Run {
        on,
        folder: &proof.folder,
        command,
    };
    let (_, weighing) = runner.weighed(run(&before))?;
    let (_, after_weighing) = runner.weighed(run(&after))?;
    let left = after_weighing.findings.clone();
    let (before_bytes, after) = runner.medians(run(&before), run(&after))?;
    let kept = workspace::target()
        .join("cases")
        .join(format!("{}-{size}-node-{}", proof.name, on.version));
    let proven = sides::prove(
        &runner.deadweight,
        &kept,
        &Side::new(weighing.clone(), before_bytes),
        &Side::new(after_weighing, after),
        None,
    )?;

    let offered = if proof.option {
        &weighing.options
    } else {
        &weighing.findings
    };
    let selection = Selection {
        rules: Rules::Like(&proof.rule),
        holder: Some(&proof.holder),
        variant: proof.variant.as_deref(),
    };
    let findings = selection.of(offered);
    let row = Row {
        name: proof.name.clone(),
        title: proof.title.clone(),
        size: *size,
        node: on.version.clone(),
        findings: sides::mended(&proven),
        predicted: sides::bytes(proven.predicted),
        measured: sides::bytes(proven.measured),
        bound: Some(proof.bound),
        published: None,
        whole: before_bytes.sum(),
        cpu: None,
    };
    let mut failures = Vec::new();
    failures.extend(check_must_find(&proof.rule, &proof.holder, offered));
    if failures.is_empty() {
        failures.extend(sides::check(&proven, &findings, proof.alternative.as_deref()));
        failures.extend(check_error(&row));
        failures.extend(check_closed(&findings, &weighing.findings, &left));
    }
    Ok((row, failures))
}
