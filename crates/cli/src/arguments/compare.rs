//! Commands that compare weighings, with one another or with budgets.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::{Look, Reading};

/// `deadweight prove`.
#[derive(Args, Debug)]
pub struct Prove {
    /// The program before the change: a dump, a capture directory, or a weighing as JSON
    #[arg(value_name = "BEFORE")]
    pub before: PathBuf,
    /// The program after it
    #[arg(value_name = "AFTER")]
    pub after: PathBuf,
    /// How many records the two sides hold, such as 200000:150000 [default: as counted in both]
    #[arg(long, value_name = "BEFORE:AFTER", value_parser = records)]
    pub records: Option<(u64, u64)>,
    /// How many operations the two sides did, such as 20000 or 20000:15000, for records of what is made that do not say it
    /// [default: as recorded]
    #[arg(long, value_name = "BEFORE[:AFTER]", value_parser = operations)]
    pub per: Option<(u64, u64)>,
    /// The findings that were mended, by rule, fingerprint, or RULE:HOLDER, for what is made also RULE:FILE:LINE; may be given several times [default: those
    /// that are gone]
    #[arg(long, value_name = "FINDING")]
    pub mended: Vec<String>,
    /// The way that was taken where a finding knows several: its name in the evidence, such as packed, or sizes of slots
    /// such as 6,16 [default: of those in the finding, the nearest to what was measured]
    #[arg(long, value_name = "WAY")]
    pub way: Option<String>,
    /// How to report
    #[arg(long, value_enum, default_value_t)]
    pub format: ProofFormat,
    /// List every finding and place, however small
    #[arg(long)]
    pub all: bool,
    /// Write the report to a file, readable by its owner alone
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// How it looks.
    #[command(flatten)]
    pub look: Look,
    /// How dumps are read.
    #[command(flatten)]
    pub reading: Reading,
}

/// A form of a comparison of moments.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum DiffFormat {
    /// One screen for a person
    #[default]
    Terminal,
    /// For machines
    Json,
}

/// `deadweight diff`.
#[derive(Args, Debug)]
pub struct Diff {
    /// Dumps, capture directories or weighings as JSON, the earliest first
    #[arg(required = true, num_args = 2.., value_name = "MOMENT")]
    pub moments: Vec<PathBuf>,
    /// How to report
    #[arg(long, value_enum, default_value_t)]
    pub format: DiffFormat,
    /// List every place, however small
    #[arg(long)]
    pub all: bool,
    /// Write the report to a file, readable by its owner alone
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// How it looks.
    #[command(flatten)]
    pub look: Look,
    /// How dumps are read.
    #[command(flatten)]
    pub reading: Reading,
}

/// `deadweight check`.
#[derive(Args, Debug)]
pub struct Check {
    /// Dumps, capture directories or weighings as JSON of one program; of figures that several have the largest counts
    #[arg(required_unless_present = "explain", value_name = "FILE|CAPTURE")]
    pub paths: Vec<PathBuf>,
    /// The configuration [default: deadweight.toml here or in the nearest directory above]
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Check only what came since this earlier moment of the program: budgets then limit what one test adds
    #[arg(long, value_name = "FILE|CAPTURE", conflicts_with = "update_baseline")]
    pub since: Option<PathBuf>,
    /// Operations a record of allocations stands for, where it does not say
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    pub per: u64,
    /// Write what is better than the baseline into it; a worse figure never gets in
    #[arg(long, conflicts_with = "allow_partial")]
    pub update_baseline: bool,
    /// Check a dump or weighing that is not whole all the same: what is missing counts as nothing
    #[arg(long)]
    pub allow_partial: bool,
    /// Explain a key of the configuration, such as budget.rules
    #[arg(long, value_name = "KEY", num_args = 0..=1, default_missing_value = "")]
    pub explain: Option<String>,
    /// How to report
    #[arg(long, value_enum, default_value_t)]
    pub format: CheckFormat,
    /// Write the report to a file, readable by its owner alone
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// How it looks.
    #[command(flatten)]
    pub look: Look,
    /// How dumps are read.
    #[command(flatten)]
    pub reading: Reading,
}

/// A form of a check's report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum CheckFormat {
    /// A line for each broken budget
    #[default]
    Terminal,
    /// For machines
    Json,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// Annotations in a GitHub workflow
    Github,
}

/// A form of a comparison.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ProofFormat {
    /// One screen for a person
    #[default]
    Terminal,
    /// For machines
    Json,
    /// For a pull request
    Markdown,
    /// One page for a browser that needs no network
    Html,
}

fn records(text: &str) -> Result<(u64, u64), String> {
    let counts = text.split_once(':').and_then(|(before, after)| {
        let count = |text: &str| text.trim().parse().ok().filter(|count| *count > 0);
        Some((count(before)?, count(after)?))
    });
    counts.ok_or_else(|| "two counts above 0 are expected, such as 200000:150000".to_owned())
}

/// One number for both sides, or one for each.
fn operations(text: &str) -> Result<(u64, u64), String> {
    let count = |text: &str| text.trim().parse().ok().filter(|count| *count > 0);
    let counts = match text.split_once(':') {
        Some((before, after)) => count(before).zip(count(after)),
        None => count(text).map(|both| (both, both)),
    };
    counts.ok_or_else(|| "one or two numbers above 0 are expected, such as 20000 or 20000:15000".to_owned())
}
