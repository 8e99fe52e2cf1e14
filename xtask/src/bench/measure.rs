//! One run of a program: wall time, CPU time, and the most memory it had.

use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::process::{self, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Context;

use super::contestants::Command;
use deadweight_tools::cpu;

/// How often memory is looked at.
const PAUSE: Duration = Duration::from_millis(4);
/// Nobody waits longer.
const MOST: Duration = Duration::from_secs(15 * 60);

/// One run.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    pub wall: Duration,
    /// User and system time of the program and its children.
    pub cpu: Duration,
    /// The most bytes that were resident at a time.
    pub resident: u64,
    /// The same without pages of files.
    pub anonymous: u64,
}

/// Several runs.
#[derive(Clone, Debug, Default)]
pub struct Measured {
    runs: Vec<Run>,
    /// Why there are none.
    pub failure: Option<String>,
}

impl Measured {
    pub fn add(&mut self, run: Result<Run, String>) {
        match run {
            Ok(run) => self.runs.push(run),
            Err(failure) => self.failure = Some(failure),
        }
    }

    fn median<T: Ord + Copy>(&self, of: impl Fn(&Run) -> T) -> Option<T> {
        let mut all: Vec<T> = self.runs.iter().map(of).collect();
        all.sort_unstable();
        all.get(all.len() / 2).copied()
    }

    pub fn wall(&self) -> Option<Duration> {
        self.median(|run| run.wall)
    }

    pub fn cpu(&self) -> Option<Duration> {
        self.median(|run| run.cpu)
    }

    /// The most of all runs.
    pub fn resident(&self) -> Option<u64> {
        self.runs.iter().map(|run| run.resident).max()
    }

    /// The most of all runs.
    pub fn anonymous(&self) -> Option<u64> {
        self.runs.iter().map(|run| run.anonymous).max()
    }

    /// The least and the most wall time.
    pub fn spread(&self) -> Option<(Duration, Duration)> {
        let walls = || self.runs.iter().map(|run| run.wall);
        Some((walls().min()?, walls().max()?))
    }

    pub fn count(&self) -> usize {
        self.runs.len()
    }
}

/// Brings a file into the page cache.
pub fn read_once(path: &Path) -> anyhow::Result<()> {
    let mut file = File::open(path).with_context(|| path.display().to_string())?;
    io::copy(&mut file, &mut io::sink())?;
    Ok(())
}

/// Runs a program to its end, or says why it did not come to it.
pub fn run(command: &Command) -> anyhow::Result<Result<Run, String>> {
    let said = tempfile::tempfile()?;
    let before = cpu::of_children()?;
    let begun = Instant::now();
    let mut child = process::Command::new(&command.program)
        .args(&command.arguments)
        .envs(command.environment.iter().map(|(name, value)| (name, value)))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(said.try_clone()?)
        .spawn()
        .with_context(|| format!("{} could not be started", command.program.display()))?;
    let (mut resident, mut anonymous) = (0, 0);
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        if let Some((all, own)) = memory(child.id()) {
            (resident, anonymous) = (resident.max(all), anonymous.max(own));
        }
        if begun.elapsed() > MOST {
            child.kill()?;
            child.wait()?;
            return Ok(Err(format!("not done after {} minutes", MOST.as_secs() / 60)));
        }
        thread::sleep(PAUSE);
    };
    let wall = begun.elapsed();
    if !status.success() {
        return Ok(Err(failure(status, said)));
    }
    Ok(Ok(Run {
        wall,
        cpu: cpu::of_children()?.saturating_sub(before),
        resident,
        anonymous,
    }))
}

fn failure(status: process::ExitStatus, mut said: File) -> String {
    use std::io::{Read, Seek};
    let mut text = Vec::new();
    let read = said.rewind().and_then(|()| said.read_to_end(&mut text));
    let text = String::from_utf8_lossy(&text);
    let reported = text
        .lines()
        .map(str::trim)
        .find(|line| line.to_lowercase().contains("error"));
    match (read, reported) {
        (Ok(_), Some(line)) => format!("{status}: {}", line.chars().take(120).collect::<String>()),
        _ => status.to_string(),
    }
}

/// Bytes in memory of a process, and those of them that are of no file.
fn memory(process: u32) -> Option<(u64, u64)> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let of = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name))?;
        let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
        Some(kilobytes << 10)
    };
    Some((of("VmHWM:")?, of("RssAnon:")?))
}
