//! What captures that are taken at times may cost the program and its machine. One that would cost more is skipped.

use std::fmt;
use std::fs;
use std::path::Path;
use std::time::Duration;

use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike;

use crate::capture::Capture;
use crate::left::size;
use crate::process_files;

/// The most that captures at times may cost; `None` allows anything.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Allowance {
    /// How long a capture may stop the program.
    pub pause: Option<Duration>,
    /// How much of one processor capturing and weighing may take, as a share of the time since the start.
    pub cpu: Option<f64>,
    /// Bytes of the captures that are kept.
    pub bytes: Option<u64>,
}

/// Why a capture was not asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Skipped {
    /// The last one is not there yet.
    Awaited,
    /// It would stop the program for too long.
    Pause {
        /// How long, by the last capture and what the process has in memory now.
        expected: Duration,
        /// What is allowed.
        allowed: Duration,
    },
    /// Captures have taken too much of a processor.
    Cpu {
        /// What they and one more have taken, as a share of the time since the start.
        share: f64,
        /// What is allowed.
        allowed: f64,
    },
    /// Captures take too much room.
    Bytes {
        /// Bytes of those that are kept and of one more.
        bytes: u64,
        /// What is allowed.
        allowed: u64,
    },
}

impl fmt::Display for Skipped {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let megabytes = |bytes: u64| bytes.div_ceil(1_000_000);
        match *self {
            Self::Awaited => out.write_str("the last capture is not complete yet"),
            Self::Pause { expected, allowed } => write!(
                out,
                "it would stop the program for about {:.2} s, and {:.2} s are allowed (--max-pause)",
                expected.as_secs_f64(),
                allowed.as_secs_f64()
            ),
            Self::Cpu { share, allowed } => write!(
                out,
                "captures would have taken {:.1} % of a processor since the start, and {:.1} % are allowed (--max-cpu)",
                share * 100.0,
                allowed * 100.0
            ),
            Self::Bytes { bytes, allowed } => write!(
                out,
                "captures would take {} MB, and {} MB are allowed (--max-size)",
                megabytes(bytes),
                megabytes(allowed)
            ),
        }
    }
}

/// What one request for captures cost: one capture, or one of each process.
#[derive(Clone, Copy, Debug, Default)]
struct Round {
    /// The longest pause, and bytes that were resident then; `None` where no capture says it.
    pause: Option<(Duration, u64)>,
    cpu: Duration,
    bytes: u64,
    /// A process that was captured.
    process: Option<u32>,
}

/// What captures have cost so far.
#[derive(Debug, Default)]
pub(crate) struct Spent {
    now: Round,
    last: Round,
    cpu: Duration,
    /// What this process had taken of a processor when the round began.
    own: Duration,
    /// When captures were asked for last, since the start.
    asked: Option<Duration>,
}

/// How long a capture is waited for before the next request: only then is known what one costs. A program that has taken SIGUSR2
/// for itself never answers.
const ANSWERED_WITHIN: Duration = Duration::from_secs(60);

/// What is known of the moment when a capture is due.
#[derive(Clone, Copy, Debug)]
struct Moment {
    /// Time since the start.
    elapsed: Duration,
    /// What this process has taken of a processor.
    own_cpu: Duration,
    /// Bytes resident of the process that was captured last; 0 where it is gone.
    resident: u64,
    /// Bytes of the captures that are kept.
    kept: u64,
}

impl Spent {
    /// Adds a capture.
    pub fn add(&mut self, capture: &Capture) {
        let process = &capture.record.process;
        let cost = capture.record.cost.as_ref();
        let took = cost.map_or(0.0, |cost| cost.seconds);
        let stopped = cost.map(|cost| cost.pause_seconds.unwrap_or(cost.seconds));
        let time = |seconds: f64| Duration::try_from_secs_f64(seconds).unwrap_or_default();
        let pause = stopped.map(|seconds| (time(seconds), process.rss));
        self.now.pause = self.now.pause.max(pause);
        self.now.process = Some(process.pid);
        self.add_file(&capture.directory, time(took));
    }

    /// Adds what is a file, or has no record of its cost.
    pub fn add_file(&mut self, path: &Path, cpu: Duration) {
        self.now.cpu += cpu;
        self.now.bytes += size(path);
        self.cpu += cpu;
    }

    /// Whether one more capture is within what is allowed; then it counts as asked for. `kept` are bytes of the captures that are
    /// kept, `elapsed` is the time since the start.
    pub fn ask(&mut self, allowance: &Allowance, kept: u64, elapsed: Duration) -> Result<(), Skipped> {
        let has_limits = *allowance != Allowance::default();
        let is_awaited = self.asked.is_some_and(|asked| elapsed < asked + ANSWERED_WITHIN);
        if has_limits && is_awaited && self.now.bytes == 0 {
            return Err(Skipped::Awaited);
        }
        let own_cpu = own_cpu();
        if self.now.bytes > 0 {
            self.now.cpu += own_cpu.saturating_sub(self.own);
            self.last = std::mem::take(&mut self.now);
        }
        let moment = Moment {
            elapsed,
            own_cpu,
            resident: self.last.process.map_or(0, resident),
            kept,
        };
        self.permits(allowance, moment)?;
        self.own = own_cpu;
        self.asked = Some(elapsed);
        Ok(())
    }

    fn permits(&self, allowance: &Allowance, moment: Moment) -> Result<(), Skipped> {
        if let (Some(allowed), Some((pause, resident))) = (allowance.pause, self.last.pause) {
            let growth = if resident == 0 || moment.resident == 0 {
                1.0
            } else {
                moment.resident as f64 / resident as f64
            };
            let expected = pause.mul_f64(growth);
            if expected > allowed {
                return Err(Skipped::Pause { expected, allowed });
            }
        }
        if let Some(allowed) = allowance.cpu {
            let would = (self.cpu + moment.own_cpu + self.last.cpu).as_secs_f64();
            let share = would / moment.elapsed.as_secs_f64().max(1e-3);
            if share > allowed && self.last.bytes > 0 {
                return Err(Skipped::Cpu { share, allowed });
            }
        }
        if let Some(allowed) = allowance.bytes {
            let bytes = moment.kept + self.last.bytes;
            if bytes > allowed {
                return Err(Skipped::Bytes { bytes, allowed });
            }
        }
        Ok(())
    }
}

/// What this process has taken of a processor.
fn own_cpu() -> Duration {
    let usage = getrusage(UsageWho::RUSAGE_SELF);
    usage.map_or(Duration::ZERO, |usage| {
        let times = usage.user_time() + usage.system_time();
        Duration::from_micros(u64::try_from(times.num_microseconds()).unwrap_or_default())
    })
}

fn resident(process: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status"));
    process_files::bytes(&status.unwrap_or_default(), "VmRSS").unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOMENT: Moment = Moment {
        elapsed: Duration::from_secs(100),
        own_cpu: Duration::from_millis(500),
        resident: 300 << 20,
        kept: 40_000_000,
    };

    fn spent() -> Spent {
        Spent {
            last: Round {
                pause: Some((Duration::from_millis(400), 200 << 20)),
                cpu: Duration::from_secs(1),
                bytes: 20_000_000,
                process: None,
            },
            cpu: Duration::from_secs(2),
            ..Spent::default()
        }
    }

    fn why_not(allowance: Allowance) -> Option<String> {
        spent()
            .permits(&allowance, MOMENT)
            .err()
            .map(|skipped| skipped.to_string())
    }

    #[test]
    fn what_a_capture_would_cost_is_judged_by_the_last_one() {
        let pause = |milliseconds| Allowance {
            pause: Some(Duration::from_millis(milliseconds)),
            ..Allowance::default()
        };
        // Half as much again is resident: 0.6 s.
        assert_eq!(why_not(pause(600)), None);
        assert!(why_not(pause(599)).unwrap().contains("about 0.60 s"));
        let cpu = |share| Allowance {
            cpu: Some(share),
            ..Allowance::default()
        };
        // 2 s of captures, 0.5 s of this process, and 1 s more, in 100 s.
        assert_eq!(why_not(cpu(0.035)), None);
        assert!(why_not(cpu(0.034)).unwrap().contains("3.5 % of a processor"));
        let bytes = |bytes| Allowance {
            bytes: Some(bytes),
            ..Allowance::default()
        };
        assert_eq!(why_not(bytes(60_000_000)), None);
        assert!(why_not(bytes(59_999_999)).unwrap().contains("60 MB"));
        assert_eq!(why_not(Allowance::default()), None);
    }

    #[test]
    fn the_first_capture_shows_what_one_costs() {
        let strict = Allowance {
            pause: Some(Duration::ZERO),
            cpu: Some(0.0),
            bytes: Some(0),
        };
        let first = Moment { kept: 0, ..MOMENT };
        assert_eq!(Spent::default().permits(&strict, first), Ok(()));
    }

    #[test]
    fn this_process_takes_time() {
        let before = own_cpu();
        let sum: u64 = (0..20_000_000_u64).fold(0, |sum, n| sum ^ std::hint::black_box(n));
        std::hint::black_box(sum);
        assert!(own_cpu() > before);
    }
}
