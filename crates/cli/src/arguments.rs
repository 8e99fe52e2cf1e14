//! The command line.

use std::ffi::OsString;
use std::net::SocketAddr;
use std::num::{NonZeroU64, NonZeroUsize};
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand, ValueEnum};
use deadweight_capture::{Choice, Trigger, parse_size};

use crate::help;

/// Finds the dead weight in a program's memory: what it holds and could do without, and what each fix saves.
#[derive(Debug, Parser)]
#[command(version, about, max_term_width = 100, after_help = help::ALL)]
pub struct Arguments {
    /// For all commands that read dumps, which take these options as well.
    #[command(flatten)]
    pub reading: Reading,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// How dumps are read, and what of them may be shown.
#[derive(Args, Clone, Copy, Debug, Default)]
pub struct Reading {
    /// Replace what the program's texts say by hashes, in every report; names of classes and fields stay
    #[arg(long)]
    pub redact: bool,
    /// How much room reading takes.
    #[command(flatten)]
    pub room: Room,
}

/// How much memory and how many words reading takes.
#[derive(Args, Clone, Copy, Debug, Default)]
pub struct Room {
    /// Use at most this much memory, such as 512MB; what does not fit goes to a temporary file (TMPDIR, else /var/tmp)
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub memory_limit: Option<u64>,
    /// Print only results and errors; `run` then prints its report only with `--output`
    #[arg(long, short)]
    pub quiet: bool,
}

impl Arguments {
    /// The options for reading, wherever they stand on the command line.
    pub fn reading(&self) -> Reading {
        let before = self.reading;
        let Some(behind) = self.command.reading() else {
            return before;
        };
        Reading {
            redact: before.redact || behind.redact,
            room: Room {
                memory_limit: behind.room.memory_limit.or(before.room.memory_limit),
                quiet: before.room.quiet || behind.room.quiet,
            },
        }
    }
}

impl Command {
    fn reading(&self) -> Option<Reading> {
        match self {
            Self::Run(run) => Some(run.show.reading),
            Self::Attach(attach) => Some(attach.show.reading),
            Self::Weigh(weigh) => Some(weigh.show.reading),
            Self::Prove(prove) => Some(prove.reading),
            Self::Fix(fix) => Some(fix.reading),
            Self::Diff(diff) => Some(diff.reading),
            Self::Check(check) => Some(check.reading),
            Self::View(view) => Some(view.reading),
            Self::Export(export) => Some(export.reading),
            // What it writes has no texts at all.
            Self::Strip(strip) => Some(Reading {
                redact: false,
                room: strip.room,
            }),
            // Agents are shown no texts unless asked for, and read notes nowhere.
            Self::Mcp(mcp) => Some(Reading {
                redact: false,
                room: Room {
                    memory_limit: mcp.memory_limit,
                    quiet: true,
                },
            }),
            Self::Clean(_)
            | Self::Fleet(_)
            | Self::Explain(_)
            | Self::Rules(_)
            | Self::Library(_)
            | Self::Completions(_)
            | Self::Man(_) => None,
        }
    }
}

/// What the tool does.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run a program with a recorder, capture its memory, and weigh it
    #[command(after_help = help::RUN)]
    Run(Run),
    /// Weigh a program that runs already, without a restart
    #[command(after_help = help::ATTACH)]
    Attach(Attach),
    /// Weigh heap dumps or captures
    #[command(after_help = help::WEIGH)]
    Weigh(Weigh),
    /// Measure what a change did: for each finding, the predicted saving beside the measured one
    #[command(after_help = help::PROVE)]
    Prove(Prove),
    /// Edit the source where a finding's fix is certain to be right: shown as a diff, or written
    #[command(after_help = help::FIX)]
    Fix(Fix),
    /// Compare moments of one program: what grew, and from three moments on, what seems to leak
    #[command(after_help = help::DIFF)]
    Diff(Diff),
    /// Check a program against the budgets and the baseline of deadweight.toml
    #[command(after_help = help::CHECK)]
    Check(Check),
    /// Show weighings in the browser: a page that needs no network, written to a temporary file
    #[command(after_help = help::VIEW)]
    View(View),
    /// Take the text out of a dump: it weighs the same afterwards, and can be sent to a stranger
    #[command(after_help = help::STRIP)]
    Strip(Strip),
    /// Remove captures that runs have left
    #[command(after_help = help::CLEAN)]
    Clean(Clean),
    /// Turn a record of allocations into a flame graph, a speedscope file or a pprof profile
    #[command(after_help = help::EXPORT)]
    Export(Export),
    /// Keep the weighings of many services, and ask what dead weight costs over all of them
    #[command(after_help = help::FLEET, disable_help_flag = true)]
    Fleet(Fleet),
    /// Show a rule's page: what it finds, how it predicts, how to fix it
    #[command(after_help = help::EXPLAIN)]
    Explain(Explain),
    /// List the rules
    #[command(after_help = help::RULES)]
    Rules(Look),
    /// Serve agents by the Model Context Protocol: they weigh, list findings, explain, check and prove
    #[command(after_help = help::MCP)]
    Mcp(Mcp),
    /// Unpack a library that records programs, and print where it is
    #[command(after_help = help::LIBRARY)]
    Library(Library),
    /// Print completions for a shell
    #[command(after_help = help::COMPLETIONS)]
    Completions(Completions),
    /// Print the manual page, or write those of all commands into a directory
    #[command(after_help = help::MAN)]
    Man(Man),
}

/// How to show the result.
#[derive(Args, Clone, Debug)]
pub struct Show {
    /// How to report
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
    /// List every finding, however small
    #[arg(long)]
    pub all: bool,
    /// Show what each place keeps alive: the bytes that would go with it
    #[arg(long)]
    pub retained: bool,
    /// Show how the objects of each finding are reached from a root; JSON and HTML do so unasked in all but large heaps
    #[arg(long = "paths")]
    pub reached: bool,
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

/// How text looks.
#[derive(Args, Clone, Debug)]
pub struct Look {
    /// When to use colour; `NO_COLOR` is honoured
    #[arg(long, value_enum, default_value_t, value_name = "WHEN")]
    pub color: Color,
}

/// A form of report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// One screen for a person
    #[default]
    Terminal,
    /// The weighing as JSON, for machines
    Json,
    /// One page for a browser that needs no network
    Html,
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

/// `deadweight weigh`.
#[derive(Args, Debug)]
pub struct Weigh {
    /// Heap snapshots, heap profiles, records of allocations, native dumps and core files (plain, .gz or .zst) or
    /// capture directories; a pipe is read to its end first, and `-` is standard input
    #[arg(required_unless_present = "pid", value_name = "FILE|CAPTURE")]
    pub paths: Vec<PathBuf>,
    /// Weigh a running program, as `deadweight attach` does
    #[arg(long, value_name = "PID", conflicts_with = "paths")]
    pub pid: Option<u32>,
    /// The file of the program that left a core file, where it is not at the path that the core file names
    #[arg(long, value_name = "FILE", conflicts_with = "pid")]
    pub program: Option<PathBuf>,
    /// Operations a record of allocations stands for, where it does not say
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    pub per: u64,
    /// How to show the result.
    #[command(flatten)]
    pub show: Show,
}

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

/// `deadweight fix`.
#[derive(Args, Debug)]
pub struct Fix {
    /// A capture directory, a dump, or a weighing as JSON [default: the latest capture in `deadweight-captures`]
    #[arg(value_name = "FILE|CAPTURE")]
    pub path: Option<PathBuf>,
    /// Only this finding, by its fingerprint or its rule; may be given several times
    #[arg(long = "finding", value_name = "FINGERPRINT|RULE")]
    pub findings: Vec<String>,
    /// Write the edits that hold for every input into the source: only in a git repository without uncommitted changes
    #[arg(long)]
    pub write: bool,
    /// With `--write`, also those that hold only under a condition, which then stands as a comment above the line
    #[arg(long, requires = "write")]
    pub conditional: bool,
    /// The program's directory, from which its files are seen [default: the one in which the captured program ran, or this
    /// one]
    #[arg(long, value_name = "DIR")]
    pub root: Option<PathBuf>,
    /// How to report
    #[arg(long, value_enum, default_value_t)]
    pub format: FixFormat,
    /// How dumps are read.
    #[command(flatten)]
    pub reading: Reading,
}

/// A form of edits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum FixFormat {
    /// A unified diff, for people, `git apply` and `patch`; nothing with `--write`
    #[default]
    Diff,
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

/// `deadweight mcp`.
#[derive(Args, Debug)]
pub struct Mcp {
    /// A folder in which agents may have files read, and programs started; may be given several times [default: the working
    /// directory]
    #[arg(long, value_name = "DIR")]
    pub root: Vec<PathBuf>,
    /// Let agents start programs with a recorder, as you and with all your rights; each time you are asked, where the client
    /// can ask
    #[arg(long)]
    pub allow_run: bool,
    /// Let agents capture programs that run already, which stand still meanwhile; each time you are asked, where the client can
    /// ask
    #[arg(long)]
    pub allow_attach: bool,
    /// Show what the texts of programs say; without it agents see hashes in their place
    #[arg(long)]
    pub show_texts: bool,
    /// Listen at a loopback address, such as 127.0.0.1:7341, in place of standard input and output; the address for clients is
    /// printed, with a secret in it that `DEADWEIGHT_MCP_SECRET` may name
    #[arg(long, value_name = "ADDRESS")]
    pub http: Option<SocketAddr>,
    /// Use at most this much memory, such as 512MB; what does not fit goes to a temporary file (TMPDIR, else /var/tmp)
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub memory_limit: Option<u64>,
}

/// `deadweight library`.
#[derive(Args, Debug)]
pub struct Library {
    /// What it records
    #[arg(value_enum)]
    pub of: Recorded,
}

/// Programs that a library records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Recorded {
    /// C, C++, Rust and Crystal: for `LD_PRELOAD`
    Native,
    /// What Ruby makes: for `DEADWEIGHT_RUBY_LIBRARY`
    Ruby,
    /// The heap of Python: for `DEADWEIGHT_PYTHON_LIBRARY`
    Python,
}

/// `deadweight completions`.
#[derive(Args, Debug)]
pub struct Completions {
    /// The shell
    pub shell: clap_complete::Shell,
}

/// `deadweight man`.
#[derive(Args, Debug)]
pub struct Man {
    /// Where to write the pages of all commands
    #[arg(value_name = "DIR")]
    pub directory: Option<PathBuf>,
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

/// `deadweight view`.
#[derive(Args, Debug)]
pub struct View {
    /// Dumps, capture directories, or weighings as JSON [default: the latest capture in `deadweight-captures`]
    #[arg(value_name = "FILE|CAPTURE")]
    pub paths: Vec<PathBuf>,
    /// Write the page to this file instead, readable by its owner alone
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Write the page and print its path, but open no browser
    #[arg(long)]
    pub no_open: bool,
    /// How dumps are read.
    #[command(flatten)]
    pub reading: Reading,
}

/// `deadweight strip`.
#[derive(Args, Debug)]
pub struct Strip {
    /// A dump of any kind but a core file (plain, .gz or .zst), a record of allocations, a capture directory, or a weighing
    #[arg(value_name = "FILE|CAPTURE")]
    pub path: PathBuf,
    /// Where the stripped dump goes; a capture becomes a directory
    #[arg(long, short, value_name = "PATH")]
    pub output: PathBuf,
    /// How much room reading takes.
    #[command(flatten)]
    pub room: Room,
}

/// `deadweight clean`.
#[derive(Args, Debug)]
pub struct Clean {
    /// Where the captures are; nothing else there is touched, nor what is still being written
    #[arg(value_name = "DIR", default_value = "deadweight-captures")]
    pub dir: PathBuf,
    /// Keep the latest N
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    pub keep: usize,
    /// Only list what would be removed
    #[arg(long)]
    pub dry_run: bool,
}

/// `deadweight run`.
#[derive(Args, Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a switch of its own on the command line"
)]
pub struct Run {
    /// When to capture: exit, peak, climb, SIGUSR2, or a threshold such as 'rss>500MB', 'heap>1.5GB', 'external>200MB'; may
    /// be given several times. `peak` is the moment at which a native program held most, or its end if that holds nearly
    /// as much. It runs a program of Node.js or Ruby twice: once to learn how much it holds at its highest, and again to
    /// capture there. `climb` is for programs that cannot run twice: it captures on the way up and keeps the highest
    /// [default: peak and SIGUSR2; exit and SIGUSR2 for managed runtimes]
    #[arg(long, value_name = "TRIGGER")]
    pub when: Vec<Trigger>,
    /// Also capture each time this much time has passed, such as 10m, 30s or 2h
    #[arg(long, value_name = "TIME", value_parser = stretch)]
    pub every: Option<Duration>,
    /// Of the captures that a running program was asked for keep the latest N, and remove those before
    #[arg(long, value_name = "N")]
    pub keep: Option<NonZeroUsize>,
    /// Which recorder to load: by the program, that of Node.js, or the one for native programs, which shells and other
    /// wrappers do not get by themselves
    #[arg(long, value_enum, default_value_t)]
    pub runtime: Runtime,
    /// Where captures are written
    #[arg(long, value_name = "DIR", default_value = "deadweight-captures")]
    pub dir: PathBuf,
    /// Record only the totals after garbage collection, without a snapshot
    #[arg(long)]
    pub no_snapshot: bool,
    /// Keep no snapshot on disk: those of Node.js come straight into memory, are weighed and are gone, and only the
    /// weighings stay; no other runtime is recorded then
    #[arg(long, conflicts_with = "no_snapshot", conflicts_with = "runtime")]
    pub in_memory: bool,
    /// How long the probe of buffer contents may take, in milliseconds; 0 leaves it out
    #[arg(long, value_name = "MS", default_value = "5000", value_parser = milliseconds)]
    pub probe: Duration,
    /// Do not count the entries of maps, sets and arrays of numbers, for which the recorder walks the heap once
    #[arg(long)]
    pub no_tables: bool,
    /// Record too what the program makes and throws away, with one sample each BYTES on average in Node.js (20 and
    /// later); in Ruby and Crystal every object is recorded, in Ruby unless --sample is given
    #[arg(
        long,
        value_name = "BYTES",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "131072"
    )]
    pub churn: Option<NonZeroU64>,
    /// The same for production: in Ruby record what is made in PERCENT of the program's time, chosen at random, and say
    /// how far each figure may be off
    #[arg(
        long,
        value_name = "PERCENT",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "3",
        value_parser = per_mille
    )]
    pub sample: Option<NonZeroU64>,
    /// Let Node.js and Ruby note where they allocate each object, so that findings name the function (Node.js) or line
    /// (Ruby) that does; the program is slower meanwhile
    #[arg(long, conflicts_with = "no_snapshot")]
    pub sites: bool,
    /// Also send each weighing to this address, without the program's texts: that of `deadweight fleet serve`, with the service
    /// and its version, such as `http://fleet:7878/weighings?service=api&version=1.4.0`. A server that cannot be reached
    /// changes nothing for the program
    #[arg(long, value_name = "URL", value_parser = address)]
    pub post: Option<String>,
    /// Operations the program does in all, so that bytes an operation are shown; a program that marks them, with
    /// `process.emit('deadweight:operation')` in Node.js, `Deadweight.operation` in Ruby and Crystal or `dw_operation()`
    /// in C and C++, counts them itself
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    pub per: u64,
    /// The file whose table [run] has options for this command, which those given here go before [default: deadweight.toml here or
    /// in the nearest directory above]
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// How to show the result. The report goes to standard error, so that the program's own output stays as it is.
    #[command(flatten)]
    pub show: Show,
    /// The program and its arguments
    #[arg(
        trailing_var_arg = true,
        allow_hyphen_values = true,
        required = true,
        value_name = "PROGRAM"
    )]
    pub program: Vec<OsString>,
}

/// An address that weighings can be sent to.
fn address(text: &str) -> Result<String, String> {
    if text.starts_with("http://") {
        Ok(text.to_owned())
    } else {
        Err("expected an address that begins with http://; a proxy on this machine can encrypt what leaves it".to_owned())
    }
}

/// A share in percent, as a number of thousandths.
fn per_mille(text: &str) -> Result<NonZeroU64, String> {
    let share = text.parse::<f64>().map_err(|error| error.to_string())?;
    let share = (share * 10.0).round();
    // A thousand stretches hold a part of one at the least, and half of all costs nearly as much as all.
    if !(1.0..=500.0).contains(&share) {
        return Err("expected a percentage from 0.1 to 50".to_owned());
    }
    NonZeroU64::new(share as u64).ok_or_else(|| "expected more than 0".to_owned())
}

/// Which recorder is loaded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Runtime {
    /// By the program
    #[default]
    Auto,
    /// Node.js alone
    Node,
    /// C, C++, Rust and other native programs
    Native,
}

impl From<Runtime> for Choice {
    fn from(runtime: Runtime) -> Self {
        match runtime {
            Runtime::Auto => Self::Auto,
            Runtime::Node => Self::Managed,
            Runtime::Native => Self::Native,
        }
    }
}

/// `deadweight attach`.
#[derive(Args, Debug)]
pub struct Attach {
    /// The process: Node.js, whose inspector takes the capture and is closed again, Python from 3.14 on, which loads the
    /// recorder, a Java virtual machine, which writes its dump itself, or a native program that allocates with glibc, whose
    /// memory is copied from outside
    #[arg(required_unless_present = "cdp", value_name = "PID")]
    pub pid: Option<u32>,
    /// Weigh what runs behind an open inspector instead, such as a browser's first page at `http://127.0.0.1:9222`, or
    /// one page at its `ws://` address
    #[arg(long, value_name = "ADDRESS", conflicts_with = "pid")]
    pub cdp: Option<String>,
    /// Where the capture is written
    #[arg(long, value_name = "DIR", default_value = "deadweight-captures")]
    pub dir: PathBuf,
    /// Do not start anything that may stop the program for longer than this
    #[arg(long, value_name = "SECONDS", default_value = "30", value_parser = seconds)]
    pub max_pause: Duration,
    /// Capture even if the machine seems to have too little memory left for it
    #[arg(long)]
    pub force: bool,
    /// How to show the result.
    #[command(flatten)]
    pub show: Show,
}

/// A number of seconds, with or without an `s` behind it.
fn seconds(text: &str) -> Result<Duration, String> {
    let number = text.strip_suffix('s').unwrap_or(text).parse::<f64>();
    number
        .ok()
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
        .ok_or_else(|| "expected a number of seconds, such as 5 or 0.5s".to_owned())
}

/// A stretch of time, with its unit: s, m or h.
fn stretch(text: &str) -> Result<Duration, String> {
    let unit = |seconds: f64, unit| text.strip_suffix(unit).map(|number| (number, seconds));
    let known = unit(1.0, "s").or(unit(60.0, "m")).or(unit(3600.0, "h"));
    let stretch = known.and_then(|(number, seconds)| Some(number.trim().parse::<f64>().ok()? * seconds));
    let stretch = stretch.filter(|seconds| *seconds >= 1.0);
    let stretch = stretch.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    stretch.ok_or_else(|| "expected a time of a second or more, such as 30s, 10m or 2h".to_owned())
}

fn milliseconds(text: &str) -> Result<Duration, std::num::ParseIntError> {
    text.parse().map(Duration::from_millis)
}

/// `deadweight export`.
#[derive(Args, Debug)]
pub struct Export {
    /// A record of allocations, a heap profile, or a capture with one
    #[arg(value_name = "FILE|CAPTURE")]
    pub path: PathBuf,
    /// What to make
    #[arg(long, value_enum, default_value_t)]
    pub format: Exported,
    /// Where to write it, readable by its owner alone; standard output when absent
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// How dumps are read.
    #[command(flatten)]
    pub reading: Reading,
}

/// A form of profile.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Exported {
    /// An SVG that a browser shows and searches
    #[default]
    Flamegraph,
    /// A file for speedscope
    Speedscope,
    /// A gzipped profile for `pprof`
    Pprof,
    /// One line a stack, for other flame graph tools
    Folded,
}

/// `deadweight fleet`.
#[derive(Args, Debug)]
pub struct Fleet {
    /// What `deadweight-fleet` is asked, which is installed apart; `deadweight fleet --help` says what it can be
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGUMENTS")]
    pub arguments: Vec<OsString>,
}

/// `deadweight explain`.
#[derive(Args, Debug)]
pub struct Explain {
    /// A rule's code, such as D01
    pub code: String,
    /// How it looks.
    #[command(flatten)]
    pub look: Look,
}
