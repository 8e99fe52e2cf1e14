//! Commands that capture programs.

use std::ffi::OsString;
use std::num::{NonZeroU64, NonZeroUsize};
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use deadweight_capture::{CAPTURES, Choice, Trigger, parse_size};

use super::Show;

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
    /// With --every, skip a capture that would stop the program for longer than this, by what the last one took
    #[arg(long, value_name = "SECONDS", requires = "every", value_parser = seconds)]
    pub max_pause: Option<Duration>,
    /// With --every, skip captures as long as capturing and weighing would have taken more than this percentage of one processor
    /// since the start
    #[arg(long, value_name = "PERCENT", requires = "every", value_parser = share)]
    pub max_cpu: Option<f64>,
    /// With --every, skip captures as long as those that are kept would take more room than this, such as 500MB
    #[arg(long, value_name = "SIZE", requires = "every", value_parser = parse_size)]
    pub max_size: Option<u64>,
    /// Of the captures that a running program was asked for keep the latest N, and remove those before
    #[arg(long, value_name = "N")]
    pub keep: Option<NonZeroUsize>,
    /// Which recorder to load: by the program, that of Node.js, or the one for native programs, which shells and other
    /// wrappers do not get by themselves
    #[arg(long, value_enum, default_value_t)]
    pub runtime: Runtime,
    /// Where captures are written
    #[arg(long, value_name = "DIR", default_value = CAPTURES)]
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
    /// later) and Java (11 and later; --churn=1 records every object); in Python, Ruby and Crystal everything is recorded,
    /// in Python and Ruby unless --sample is given
    #[arg(
        long,
        value_name = "BYTES",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "131072"
    )]
    pub churn: Option<NonZeroU64>,
    /// The same for production: in Ruby record what is made in PERCENT of the program's time, chosen at random, in
    /// Python one block each BYTES of --churn, and say how far each figure may be off
    #[arg(
        long,
        value_name = "PERCENT",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "3",
        value_parser = per_mille
    )]
    pub sample: Option<NonZeroU64>,
    /// Note where Node.js, Python and Ruby allocate each object, so that findings name the function (Node.js) or line
    /// (Python, Ruby) that does; the program is slower meanwhile
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
pub(super) fn address(text: &str) -> Result<String, String> {
    if text.starts_with("http://") {
        Ok(text.to_owned())
    } else {
        Err("expected an address that begins with http://; a proxy on this machine can encrypt what leaves it".to_owned())
    }
}

/// A share in percent, as a number of thousandths.
/// A percentage as a share of one.
fn share(text: &str) -> Result<f64, String> {
    let percent = text.strip_suffix('%').unwrap_or(text).trim().parse::<f64>();
    let percent = percent
        .ok()
        .filter(|percent| *percent > 0.0 && percent.is_finite());
    percent
        .map(|percent| percent / 100.0)
        .ok_or_else(|| "expected a percentage above 0, such as 1 or 0.5%".to_owned())
}

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
    /// The process: Node.js, whose inspector takes the capture and is closed again, Python, which loads the
    /// recorder, a Java virtual machine, which writes its dump itself, or a native program that allocates with glibc, whose
    /// memory is copied from outside
    #[arg(required_unless_present = "cdp", value_name = "PID")]
    pub pid: Option<u32>,
    /// Weigh what runs behind an open inspector instead, such as a browser's first page at `http://127.0.0.1:9222`, or
    /// one page at its `ws://` address
    #[arg(long, value_name = "ADDRESS", conflicts_with = "pid")]
    pub cdp: Option<String>,
    /// Where the capture is written
    #[arg(long, value_name = "DIR", default_value = CAPTURES)]
    pub dir: PathBuf,
    /// Do not start anything that may stop the program for longer than this
    #[arg(long, value_name = "SECONDS", default_value = "30", value_parser = seconds)]
    pub max_pause: Duration,
    /// Capture even if the machine seems to have too little memory left for it
    #[arg(long)]
    pub force: bool,
    /// Also send the weighing to this address, as `run --post` does; an address that does not take it is an error
    #[arg(long, value_name = "URL", value_parser = address)]
    pub post: Option<String>,
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
