//! The command line.

mod compare;
mod run;
mod show;

use std::ffi::OsString;
use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use deadweight_capture::{CAPTURES, parse_size};

pub use compare::{Check, CheckFormat, Diff, DiffFormat, ProofFormat, Prove};
pub use run::{Attach, Run};
pub use show::{Color, Format, Look, Show};

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
    /// Also send each weighing to this address, as `run --post` does; an address that does not take it is an error
    #[arg(long, value_name = "URL", value_parser = run::address)]
    pub post: Option<String>,
    /// How to show the result.
    #[command(flatten)]
    pub show: Show,
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
    /// What programs on a Java virtual machine make: for `DEADWEIGHT_JAVA_LIBRARY`
    Java,
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
    #[arg(value_name = "DIR", default_value = CAPTURES)]
    pub dir: PathBuf,
    /// Keep the latest N
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    pub keep: usize,
    /// Only list what would be removed
    #[arg(long)]
    pub dry_run: bool,
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
