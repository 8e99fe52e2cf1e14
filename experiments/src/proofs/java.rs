//! Proofs that are written in Java.

use std::path::{Path, PathBuf};

use deadweight_tools::shell::Shell;
use deadweight_tools::{debian, jdk, workspace};

use super::{Task, sizes};
use crate::Cases;
use crate::interpreter::Interpreter;
use crate::manifest::{JVM, Machine, Proof};

/// Each of the proofs on each of its machines, or on the first where it is to be quick. What no JDK of this machine can run is left out, and said.
///
/// # Errors
/// When programs do not compile.
pub(super) fn tasks<'a>(cases: &Cases, proofs: &[&'a Proof]) -> anyhow::Result<Vec<Task<'a>>> {
    if proofs.is_empty() {
        return Ok(Vec::new());
    }
    debian::ensure(jdk::packages())?;
    let classes = compile()?;
    let mut tasks = Vec::new();
    let mut absent = Vec::new();
    for proof in proofs {
        let machines = if cases.quick {
            &proof.machines[..1]
        } else {
            &proof.machines[..]
        };
        for machine in machines {
            let Some(jdk) = jdk::find(machine.jdk) else {
                absent.push(machine.jdk);
                continue;
            };
            tasks.extend(sizes(cases, proof).iter().map(|&size| {
                let command = |side| command(machine, &classes.join(side), &main_of(proof), size);
                Task {
                    proof,
                    size,
                    on: Interpreter::from(&jdk),
                    before: command("before"),
                    after: command("after"),
                    options: machine.options.clone(),
                    // The machine counts its classes right after a full collection.
                    is_noisy: false,
                }
            }));
        }
    }
    absent.sort_unstable();
    for left_out in absent.chunk_by(|a, b| a == b) {
        println!(
            "no JDK {} is there: {} proofs are left out",
            left_out[0],
            left_out.len()
        );
    }
    Ok(tasks)
}

/// Compiles all programs at once, and says where their classes are.
fn compile() -> anyhow::Result<PathBuf> {
    let classes = workspace::target().join("cases").join("jvm-classes");
    Shell::new("java")
        .args(["Build.java"])
        .args([&classes])
        .current_dir(workspace::root().join("cases/proofs").join(JVM))
        .inherit()?;
    Ok(classes)
}

fn command(machine: &Machine, classes: &Path, main: &str, size: u64) -> Vec<String> {
    let classes = classes.to_string_lossy().into_owned();
    let mut command = vec!["java".to_owned()];
    command.extend(machine.arguments());
    command.extend(["-cp".to_owned(), classes, main.to_owned(), size.to_string()]);
    command
}

/// The class that starts a proof: of `d01-customers` it is `d01.customers.Main`.
fn main_of(proof: &Proof) -> String {
    let folder = proof.folder.file_name().unwrap_or_default().to_string_lossy();
    format!("{}.Main", folder.replacen('-', ".", 1))
}
