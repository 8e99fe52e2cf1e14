//! `cargo xtask demo`: a real program, weighed.

use clap::Args;

use deadweight_tools::shell::Shell;
use deadweight_tools::{nodes, npm, workspace};

/// `cargo xtask demo`.
#[derive(Args, Debug)]
pub struct Demo {
    /// How many records the program reads
    #[arg(long, value_name = "N", default_value_t = 200_000)]
    records: u64,
    /// The major version of Node.js to run it on
    #[arg(long, value_name = "VERSION", default_value_t = 20)]
    node: u32,
}

/// Runs `deadweight run` on the case `spark-round` and shows its screen.
///
/// # Errors
/// When the tool does not build, a package is missing, or the program fails.
pub fn run(demo: &Demo) -> anyhow::Result<bool> {
    let node = nodes::node(demo.node)?;
    let deadweight = workspace::build_deadweight(workspace::Profile::Quick)?;
    let folder = workspace::root().join("cases/spark-round");
    npm::install(&folder)?;

    let temporary = tempfile::tempdir()?;
    let input = temporary.path().join("round.ndjson");
    eprintln!("generating {} records", demo.records);
    node.shell()
        .args(["generate.js", &demo.records.to_string()])
        .current_dir(&folder)
        .output_to(&input)?;

    eprintln!("$ deadweight run -- node cases/spark-round/before.js round.ndjson");
    Shell::new(deadweight)
        .args(["run", "--dir"])
        .args([temporary.path().join("captures")])
        .args(["--"])
        .args([&node.binary, &folder.join("before.js"), &input])
        // The program prints its statistics; the screen is the tool's.
        .output_to(&temporary.path().join("statistics.json"))?;
    Ok(true)
}
