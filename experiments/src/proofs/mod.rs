//! The corpus of tiny programs.

mod java;

use crate::Cases;
use crate::compare::Failure;
use crate::compare::{Row, Rules, Selection, check_closed, check_error, check_must_find};
use crate::interpreter::Interpreter;
use crate::manifest::{Proof, Runtime};
use crate::report::{self, Results};
use crate::runner::{Run, Runner};
use crate::sides::{self, Side};
use deadweight_tools::nodes;
use deadweight_tools::parallel::in_parallel;
use deadweight_tools::workspace;
use deadweight_weighing::Weighing;

/// A proof at one size, on one version of what runs it.
struct Task<'a> {
    proof: &'a Proof,
    size: u64,
    on: Interpreter,
    /// The programs, each with its arguments.
    before: Vec<String>,
    after: Vec<String>,
    /// Options that a row names beside the version.
    options: Vec<String>,
    /// Whether what a process says that it holds differs from run to run, so that the median of several is taken.
    is_noisy: bool,
}

/// Runs the proofs that are asked for.
///
/// # Errors
/// When a version of Node.js is missing, or programs do not compile.
pub fn run(runner: &Runner, cases: &Cases, proofs: &[Proof], results: &mut Results) -> anyhow::Result<()> {
    let (of_java, of_node): (Vec<_>, Vec<_>) =
        proofs.iter().partition(|proof| proof.runtime == Runtime::Java);
    let mut tasks = Vec::new();
    for proof in of_node {
        for major in cases.nodes_or(&nodes::PROVEN) {
            let node = nodes::node(major)?;
            if !proof.node.contains(&node.version) {
                continue;
            }
            tasks.extend(sizes(cases, proof).iter().map(|&size| {
                let command = |program: &str| vec!["node".to_owned(), program.to_owned(), size.to_string()];
                Task {
                    proof,
                    size,
                    on: Interpreter::from(&node),
                    before: command("before.js"),
                    after: command("after.js"),
                    options: Vec::new(),
                    is_noisy: true,
                }
            }));
        }
    }
    tasks.extend(java::tasks(cases, &of_java)?);
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

/// The sizes at which a proof runs.
fn sizes<'p>(cases: &Cases, proof: &'p Proof) -> &'p [u64] {
    if cases.quick {
        &proof.sizes[..1]
    } else {
        &proof.sizes[..]
    }
}

fn prove(runner: &Runner, task: &Task<'_>) -> anyhow::Result<(Row, Vec<Failure>)> {
    let Task { proof, size, on, .. } = task;
    let run = |command| Run {
        on,
        folder: &proof.folder,
        command,
    };
    let (before, weighing) = runner.weighed(run(&task.before))?;
    let (after, after_weighing) = runner.weighed(run(&task.after))?;
    let left = after_weighing.findings.clone();
    let (before_bytes, after) = if task.is_noisy {
        runner.medians(run(&task.before), run(&task.after))?
    } else {
        (before.totals.bytes, after.totals.bytes)
    };
    let platform = task.platform(&weighing);
    let kept =
        workspace::target()
            .join("cases")
            .join(format!("{}-{size}-{}", proof.name, file_name(&platform)));
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
        node: platform,
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

impl Task<'_> {
    /// What the programs ran on: the version of Node.js, or the machine with its options.
    fn platform(&self, weighing: &Weighing) -> String {
        if self.proof.runtime == Runtime::Node {
            return self.on.version.clone();
        }
        let options = self.options.iter().map(|option| format!(" {option}"));
        format!("JDK {}{}", weighing.runtime.version, options.collect::<String>())
    }
}

/// A name for a file, of the letters, digits and dots of a text.
fn file_name(text: &str) -> String {
    let is_kept = |letter: char| letter.is_ascii_alphanumeric() || letter == '.';
    text.split(|letter| !is_kept(letter))
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join("-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn platforms_become_names_of_files() {
        assert_eq!(
            file_name("JDK 17.0.15 -XX:-UseCompressedOops"),
            "JDK-17.0.15-XX-UseCompressedOops"
        );
        assert_eq!(file_name("20.20.2"), "20.20.2");
    }
}
