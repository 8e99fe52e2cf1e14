//! `cargo xtask bench`: what Deadweight and its peers take on the same dumps, in turns, in one run.

mod contestants;
mod growth;
mod inputs;
mod jvm_peers;
mod measure;
mod page;

use std::env;
use std::time::Duration;

use anyhow::Context as _;
use clap::Args;

use contestants::Contestant;
use inputs::{Dump, Format};
use measure::Measured;

use deadweight_tools::shell::Shell;
use deadweight_tools::workspace::{self, Profile};
use deadweight_tools::{nodes, pythons};

/// `cargo xtask bench`.
#[derive(Args, Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a switch of its own on the command line"
)]
pub struct Bench {
    /// Dumps of a hundredth of the size, two runs each, and no page: whether all of it still works
    #[arg(long)]
    small: bool,
    /// Runs of each contestant; those that take longer than 20 seconds get two
    #[arg(long, default_value_t = 5)]
    runs: usize,
    /// Only dumps of this format
    #[arg(long)]
    format: Option<Format>,
    /// Time and memory over dumps from 10 MB to 5 GB instead, 2 GB of V8: half an hour, and 12 GB of memory while they are
    /// made
    #[arg(long, conflicts_with_all = ["small", "alone", "runs"])]
    growth: bool,
    /// The hot parts one at a time instead, on dumps of a hundredth of the size: readers, rules, walks over the graph
    #[arg(long, conflicts_with_all = ["small", "growth", "alone", "format"])]
    hot: bool,
    /// What `deadweight attach` costs a server under load instead, with heaps of about 20 and 100 MB
    #[arg(long, conflicts_with_all = ["small", "growth", "alone", "format", "hot"])]
    attach: bool,
    /// What it costs to capture a Python process of five million objects instead, beside guppy3, pympler and memray
    #[arg(long, conflicts_with_all = ["small", "growth", "alone", "format", "hot", "attach"])]
    python: bool,
    /// Leave the peers out
    #[arg(long)]
    alone: bool,
}

impl Bench {
    /// What the whole test run has time for.
    pub fn small() -> Self {
        Self {
            small: true,
            runs: 2,
            format: None,
            growth: false,
            hot: false,
            attach: false,
            python: false,
            alone: true,
        }
    }
}

/// The version of Node.js that a server under load runs on, and the records that it holds.
const SERVER: u32 = 22;
const RECORDS: [&str; 2] = ["100000", "1000000"];

/// Who takes longer runs twice only.
const LONG: Duration = Duration::from_secs(20);

/// One dump, and what each contestant took for it.
pub struct Round {
    dump: Dump,
    results: Vec<(Contestant, Measured)>,
}

/// Makes the dumps, runs everybody, and writes the page.
///
/// # Errors
/// When a dump cannot be made, or Deadweight fails on one. Peers may fail: the page says so.
pub fn run(bench: &Bench) -> anyhow::Result<bool> {
    if bench.hot {
        return hot();
    }
    if bench.attach {
        return attach();
    }
    if bench.python {
        return python(bench.runs);
    }
    // Small dumps show that it works, not how fast it is.
    let profile = if bench.small {
        Profile::Tests
    } else {
        Profile::Release
    };
    let deadweight = workspace::build_deadweight(profile)?;
    if bench.growth {
        page::write_growth(&growth::measure(&deadweight, bench.format)?)?;
        return Ok(true);
    }
    let mut rounds = Vec::new();
    for format in Format::ALL {
        if bench.format.is_some_and(|wanted| wanted != format) {
            continue;
        }
        let bytes = if bench.small {
            format.full_bytes() / 100
        } else {
            format.full_bytes()
        };
        let dump = inputs::made(format, bytes, &deadweight)?;
        let contestants = contestants::of(format, &dump, &deadweight, bench.alone)?;
        rounds.push(compare(dump, contestants, bench)?);
    }
    print!("{}", page::tables(&rounds));
    if !bench.small {
        page::write(&rounds)?;
    }
    Ok(true)
}

/// The benches of single parts.
fn hot() -> anyhow::Result<bool> {
    let deadweight = workspace::build_deadweight(Profile::Quick)?;
    let dumps = Format::ALL.map(|format| inputs::made(format, format.full_bytes() / 100, &deadweight));
    let dumps = dumps.into_iter().collect::<anyhow::Result<Vec<_>>>()?;
    let paths = env::join_paths(dumps.iter().map(|dump| &dump.path))?;
    Shell::new(workspace::cargo())
        .current_dir(workspace::root())
        .args(["bench", "--package", "deadweight-bench"])
        .env("DEADWEIGHT_BENCH_DUMPS", paths)
        .inherit()?;
    Ok(true)
}

/// A server of Node.js that was started without a recorder, asked all the time while it is captured.
fn attach() -> anyhow::Result<bool> {
    let deadweight = workspace::build_deadweight(Profile::Release)?;
    for records in RECORDS {
        nodes::node(SERVER)?
            .shell()
            .current_dir(workspace::root())
            .args(["bench/attach/load.mjs".as_ref(), deadweight.as_os_str()])
            .args([records])
            .inherit()?;
    }
    Ok(true)
}

/// Tools that look at the heap of a Python process.
const PYTHON_PEERS: [&str; 3] = ["guppy3==3.1.7", "pympler==1.1", "memray==1.20.0"];

/// A process that looks at itself, or is captured.
fn python(runs: usize) -> anyhow::Result<bool> {
    let deadweight = workspace::build_deadweight(Profile::Release)?;
    let all = pythons::all();
    let python = all.last().context("no Python was found")?;
    let folder = workspace::target().join(format!("tools/python-{}-peers", python.version.0));
    let peers = folder.join("bin/python3");
    if !peers.is_file() {
        Shell::new(&python.binary)
            .args(["-m".as_ref(), "venv".as_ref(), folder.as_os_str()])
            .output()?;
    }
    Shell::new(&peers)
        .args(["-m", "pip", "install", "--quiet"])
        .args(PYTHON_PEERS)
        .output()?;
    Shell::new(&peers)
        .args([
            "bench/python/measure.py".as_ref(),
            deadweight.as_os_str(),
            peers.as_os_str(),
        ])
        .args([runs.to_string()])
        .inherit()?;
    Ok(true)
}

/// Everybody once, then everybody again: what else the machine does hits all alike.
fn compare(dump: Dump, contestants: Vec<Contestant>, bench: &Bench) -> anyhow::Result<Round> {
    measure::read_once(&dump.path)?;
    let mut results: Vec<_> = contestants
        .into_iter()
        .map(|contestant| (contestant, Measured::default()))
        .collect();
    for turn in 0..bench.runs.max(1) {
        for (contestant, measured) in &mut results {
            if turn >= 2 && measured.wall().is_none_or(|wall| wall > LONG) {
                continue;
            }
            eprintln!("{}: {}, run {}", dump.shown(), contestant.name, turn + 1);
            measured.add(measure::run(&contestant.command)?);
            anyhow::ensure!(
                !contestant.is_ours || measured.failure.is_none(),
                "{}: {}",
                contestant.name,
                measured.failure.as_deref().unwrap_or_default()
            );
        }
    }
    Ok(Round { dump, results })
}
