//! The experiments: real programs before and after each fix; what was predicted, and what is measured. `cargo xtask cases`
//! runs them.

mod allocated;
mod compare;
mod cpu;
mod figures;
mod healthy;
mod interpreter;
mod manifest;
mod native;
mod proofs;
mod published;
mod report;
mod runner;
mod sides;
mod system;

use clap::Args;

use deadweight_tools::workspace::Profile;
use deadweight_tools::{nodes, workspace};

use self::manifest::Case;
use self::report::Results;
use self::runner::Runner;

/// `cargo xtask cases`.
#[derive(Args, Clone, Debug, Default)]
pub struct Cases {
    /// Cases, proofs, healthy programs, or `proofs` and `healthy` for all of these; a name stands for all that begin
    /// with it
    #[arg(value_name = "NAME")]
    pub names: Vec<String>,
    /// The full size of cases, too
    #[arg(long, conflicts_with = "quick")]
    pub full: bool,
    /// Small inputs only
    #[arg(long)]
    pub quick: bool,
    /// Major versions of Node.js
    #[arg(long, value_name = "VERSIONS", value_delimiter = ',')]
    pub node: Vec<u32>,
    /// How many programs run at a time [default: the number of cores; cases one at a time with --write, as they are timed]
    #[arg(long, value_name = "N")]
    pub jobs: Option<usize>,
    /// Write docs/cases.md; what is not run now stays there as an earlier run on this machine found it
    #[arg(long)]
    pub write: bool,
    /// How the tool is built.
    #[arg(skip)]
    pub profile: Profile,
}

impl Cases {
    /// Whether something is asked for, by its own name or the one of its group.
    fn wants(&self, group: &str, name: &str) -> bool {
        self.names.is_empty()
            || self
                .names
                .iter()
                .any(|wanted| wanted == group || name.starts_with(wanted.as_str()))
    }

    /// How many programs run at a time.
    fn jobs(&self) -> usize {
        self.jobs
            .unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from))
    }

    fn nodes_or(&self, otherwise: &[u32]) -> Vec<u32> {
        if self.node.is_empty() {
            otherwise.to_vec()
        } else {
            self.node.clone()
        }
    }
}

/// Runs what is asked for. Returns what is not as it must be.
///
/// # Errors
/// When something could not be run at all.
pub fn run(cases: &Cases) -> anyhow::Result<Vec<String>> {
    let root = workspace::root().join("cases");
    let all = manifest::cases(&root)?;
    let proofs: Vec<_> = manifest::proofs(&root)?
        .into_iter()
        .filter(|proof| cases.wants("proofs", &proof.name))
        .collect();
    let healthy: Vec<_> = manifest::healthy(&root)?
        .into_iter()
        .filter(|program| cases.wants("healthy", &program.name))
        .collect();
    let stories: Vec<Case> = all.iter().map(|(_, case)| case.clone()).collect();
    let systems: Vec<_> = all
        .into_iter()
        .filter(|(_, case)| cases.wants("systems", &case.name))
        .collect();
    anyhow::ensure!(
        !(systems.is_empty() && proofs.is_empty() && healthy.is_empty()),
        "nothing is called {}",
        cases.names.join(" or ")
    );
    for major in cases.nodes_or(&nodes::PROVEN) {
        nodes::node(major)?;
    }
    let runner = Runner {
        deadweight: workspace::build_deadweight(cases.profile)?,
    };
    let mut results = Results::default();
    system::run(&runner, cases, &systems, &mut results)?;
    proofs::run(&runner, cases, &proofs, &mut results)?;
    healthy::run(&runner, cases, &healthy, &mut results)?;
    if cases.write {
        for (folder, case) in &systems {
            let figures = figures::measured(&runner.deadweight, folder, case)?;
            results.figures.insert(case.name.clone(), figures);
        }
        let kept = workspace::target().join("cases.json");
        report::write(
            &workspace::root().join("docs/cases.md"),
            &kept,
            &results,
            &stories,
        )?;
    }
    for failure in &results.failures {
        eprintln!("FAILED {failure}");
    }
    println!();
    if results.failures.is_empty() {
        println!("all as they must be");
    } else {
        println!("{} not as they must be", results.failures.len());
    }
    Ok(results.failures)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stand_for_what_begins_with_them() {
        let cases = Cases {
            names: vec!["d01".into(), "healthy".into()],
            ..Cases::default()
        };
        assert!(cases.wants("proofs", "d01-arrays"));
        assert!(!cases.wants("proofs", "d02-buffers"));
        assert!(cases.wants("healthy", "cache"));
        assert!(Cases::default().wants("proofs", "d02-buffers"));
    }
}
