//! The command line.

use std::net::SocketAddr;
use std::path::PathBuf;

use chrono::{DateTime, Utc};
use clap::{Args, Parser, Subcommand, ValueEnum};
use deadweight_fleet::cluster::Scheduler;
use deadweight_fleet::ingest::{BATCH, ByPath, Given};
use deadweight_fleet::labels::time;
use deadweight_fleet::questions::Price;

/// Keeps the weighings of many services, and answers what dead weight costs over all of them.
#[derive(Debug, Parser)]
#[command(
    name = "deadweight-fleet",
    bin_name = "deadweight fleet",
    version,
    max_term_width = 100
)]
#[command(
    after_help = "Exit codes: 0 done, 1 regressions were found (with --fail), 2 input or arguments that cannot be used."
)]
pub struct Arguments {
    /// Where the weighings are: a folder, or `s3://BUCKET/FOLDER` with the usual variables for keys and endpoint
    #[arg(
        long,
        short,
        value_name = "PLACE",
        env = "DEADWEIGHT_FLEET",
        global = true,
        default_value = "fleet"
    )]
    pub dataset: String,
    /// Let a cluster of Ballista answer: the address of its scheduler, `df://HOST:50050`
    #[arg(
        long,
        value_name = "ADDRESS",
        env = "DEADWEIGHT_FLEET_SCHEDULER",
        global = true
    )]
    pub scheduler: Option<Scheduler>,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What the tool does.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Take in weighings from folders, files, or lines of JSON on standard input
    Ingest(Ingest),
    /// Take in weighings over HTTP, and show the fleet as a page
    Serve(Serve),
    /// Show the dead weight of all services, and the findings that cost most over all
    Top(Top),
    /// Show dead weight by day
    Trend(Trend),
    /// Show services whose dead weight grew with their latest version
    Regressions(Regressions),
    /// Compare what was promised of a version with what came
    Rollout(Rollout),
    /// Show which hosts have a finding and so lack its fix
    Who(Who),
    /// Ask in SQL: the tables are weighings, findings and holdings
    Sql(Sql),
    /// Make fewer and larger files
    Compact(Compact),
    /// Remove old weighings
    Retain(Retain),
    /// Print the parts of the dataset: for other engines that read its files
    Parts(Look),
}

/// `ingest`.
#[derive(Args, Debug)]
pub struct Ingest {
    /// Folders, with all *.json files below them, or files; `-` is lines of JSON on standard input
    #[arg(required = true, value_name = "FOLDER|FILE|-")]
    pub from: Vec<PathBuf>,
    /// The service, where no envelope and no folder says it
    #[arg(long)]
    pub service: Option<String>,
    /// Its version
    #[arg(long = "service-version", value_name = "VERSION")]
    pub version: Option<String>,
    /// The host
    #[arg(long)]
    pub host: Option<String>,
    /// When it was captured: seconds since 1970 or 2026-03-01T12:00:00Z; of a file it is when the file changed last
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub captured_at: Option<DateTime<Utc>>,
    /// Which labels the folders above a file are, such as service/version/host; * is any folder
    #[arg(long, value_name = "LABELS", default_value = "")]
    pub by_path: String,
    /// Weighings of one commit
    #[arg(long, value_name = "N", default_value_t = BATCH as u32, value_parser = clap::value_parser!(u32).range(1..=65_536))]
    pub batch: u32,
    /// Store what the program's texts say; without it they become hashes
    #[arg(long)]
    pub with_texts: bool,
    /// How it is reported.
    #[command(flatten)]
    pub look: Look,
}

impl Ingest {
    /// Labels that hold for all input.
    pub fn given(&self) -> Given {
        Given {
            service: self.service.clone(),
            version: self.version.clone(),
            host: self.host.clone(),
            captured_at: self.captured_at,
        }
    }

    /// What the folders say.
    pub fn labels(&self) -> Result<ByPath, String> {
        if self.by_path.is_empty() {
            Ok(ByPath::default())
        } else {
            self.by_path.parse()
        }
    }
}

/// `serve`.
#[derive(Args, Debug)]
pub struct Serve {
    /// Where to listen; everybody who reaches the address can post and read
    #[arg(long, default_value = "127.0.0.1:7878", value_name = "ADDRESS")]
    pub listen: SocketAddr,
    /// The largest weighing that is taken, in bytes
    #[arg(long, default_value_t = 4 << 20, value_name = "BYTES")]
    pub largest: usize,
    /// A file with a secret that who posts must send as `Authorization: Bearer …`
    #[arg(long, value_name = "FILE")]
    pub token_file: Option<PathBuf>,
    /// Names by which this server is called, when it does not listen on loopback alone
    #[arg(long = "name", value_name = "HOST")]
    pub names: Vec<String>,
    /// Store what the program's texts say; without it they become hashes
    #[arg(long)]
    pub with_texts: bool,
    /// Remove weighings that are older than DAYS, every hour
    #[arg(long, value_name = "DAYS")]
    pub retain: Option<u64>,
    /// What 1 GB costs an hour
    #[arg(long, value_name = "PRICE", value_parser = price)]
    pub price_gb_hour: Option<Price>,
}

/// `top`.
#[derive(Args, Debug)]
pub struct Top {
    /// Count hosts that were weighed in the last DAYS days of the dataset
    #[arg(long, value_name = "DAYS", default_value_t = 7)]
    pub days: u64,
    /// How many findings to show
    #[arg(long, default_value_t = 10)]
    pub limit: usize,
    /// Only this service
    #[arg(long)]
    pub service: Option<String>,
    /// What 1 GB costs an hour
    #[arg(long, value_name = "PRICE", value_parser = price)]
    pub price_gb_hour: Option<Price>,
    /// How it looks.
    #[command(flatten)]
    pub look: Look,
}

/// `trend`.
#[derive(Args, Debug)]
pub struct Trend {
    /// The last DAYS days of the dataset
    #[arg(long, value_name = "DAYS", default_value_t = 90)]
    pub days: u64,
    /// Only this service
    #[arg(long)]
    pub service: Option<String>,
    /// What 1 GB costs an hour
    #[arg(long, value_name = "PRICE", value_parser = price)]
    pub price_gb_hour: Option<Price>,
    /// How it looks.
    #[command(flatten)]
    pub look: Look,
}

/// `regressions`.
#[derive(Args, Debug)]
pub struct Regressions {
    /// Compare weighings of the last DAYS days of the dataset
    #[arg(long, value_name = "DAYS", default_value_t = 30)]
    pub days: u64,
    /// Only this service
    #[arg(long)]
    pub service: Option<String>,
    /// How probable it must be that no interval is wrong
    #[arg(long, default_value_t = 0.95, value_parser = confidence)]
    pub confidence: f64,
    /// End with exit code 1 when there are any
    #[arg(long)]
    pub fail: bool,
    /// How it looks.
    #[command(flatten)]
    pub look: Look,
}

/// `rollout`.
#[derive(Args, Debug)]
pub struct Rollout {
    /// The service
    pub service: String,
    /// The version before; without it the last two versions of two hosts or more are compared
    #[arg(long, requires = "after")]
    pub before: Option<String>,
    /// The version after
    #[arg(long, requires = "before")]
    pub after: Option<String>,
    /// Compare weighings of the last DAYS days of the dataset
    #[arg(long, value_name = "DAYS", default_value_t = 30)]
    pub days: u64,
    /// How probable it must be that the true figure lies within the interval
    #[arg(long, default_value_t = 0.95, value_parser = confidence)]
    pub confidence: f64,
    /// How it looks.
    #[command(flatten)]
    pub look: Look,
}

/// `who`.
#[derive(Args, Debug)]
pub struct Who {
    /// The finding, or how its fingerprint begins
    pub fingerprint: String,
    /// Count hosts that were weighed in the last DAYS days of the dataset
    #[arg(long, value_name = "DAYS", default_value_t = 7)]
    pub days: u64,
    /// How it looks.
    #[command(flatten)]
    pub look: Look,
}

/// `sql`.
#[derive(Args, Debug)]
pub struct Sql {
    /// The question; it can only read
    pub question: String,
    /// How it looks.
    #[command(flatten)]
    pub look: Look,
}

/// `compact`.
#[derive(Args, Debug)]
pub struct Compact {
    /// How it is reported.
    #[command(flatten)]
    pub look: Look,
}

/// `retain`.
#[derive(Args, Debug)]
pub struct Retain {
    /// Keep weighings of the last DAYS days, today among them
    #[arg(long, value_name = "DAYS", value_parser = clap::value_parser!(u64).range(1..))]
    pub days: u64,
    /// How it is reported.
    #[command(flatten)]
    pub look: Look,
}

/// How an answer looks.
#[derive(Args, Clone, Copy, Debug)]
pub struct Look {
    /// How to answer
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
    /// When to use colour; `NO_COLOR` is honoured
    #[arg(long, value_enum, default_value_t, value_name = "WHEN")]
    pub color: Color,
}

/// A form of answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Tables for a person
    #[default]
    Terminal,
    /// JSON for machines
    Json,
}

/// When to use colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// On a terminal
    #[default]
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

fn price(text: &str) -> Result<Price, String> {
    let per_gb_hour: f64 = text.parse().map_err(|error| format!("{error}"))?;
    let is_price = per_gb_hour.is_finite() && per_gb_hour >= 0.0;
    is_price
        .then_some(Price { per_gb_hour })
        .ok_or_else(|| "a price is 0 or more".to_owned())
}

fn confidence(text: &str) -> Result<f64, String> {
    let confidence: f64 = text.parse().map_err(|error| format!("{error}"))?;
    let is_one = (0.5..1.0).contains(&confidence);
    is_one
        .then_some(confidence)
        .ok_or_else(|| "a confidence is from 0.5 to below 1".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = include_str!("../../docs/guides/fleet.md");

    const MANIFEST: &str = include_str!("../examples/kubernetes.yaml");

    #[test]
    fn every_command_of_the_guide_can_be_given() {
        let commands = PAGE
            .lines()
            .filter_map(|line| line.strip_prefix("    deadweight fleet "));
        let mut count = 0;
        for command in commands {
            // One text between quotes, and no comment.
            let command = command.split("    #").next().unwrap_or(command);
            let (bare, quoted) = match command.split_once('"') {
                Some((bare, quoted)) => (bare, quoted.strip_suffix('"')),
                None => (command, None),
            };
            let words = bare
                .split_whitespace()
                .take_while(|word| *word != "<")
                .chain(quoted);
            let parsed = Arguments::try_parse_from(["deadweight-fleet"].into_iter().chain(words));
            assert!(parsed.is_ok(), "{command}: {}", parsed.unwrap_err());
            count += 1;
        }
        assert!(count > 10, "{count}");
    }

    #[test]
    fn the_manifest_starts_the_server() {
        let (_, arguments) = MANIFEST.split_once("          args:\n").expect("arguments");
        let arguments = arguments
            .lines()
            .map_while(|line| line.trim_start().strip_prefix("- "));
        let parsed = Arguments::try_parse_from(["deadweight-fleet"].into_iter().chain(arguments));
        let Ok(Command::Serve(serve)) = parsed.map(|parsed| parsed.command) else {
            panic!("the manifest does not serve");
        };
        assert_eq!((serve.listen.port(), serve.retain), (7878, Some(90)));
    }
}
