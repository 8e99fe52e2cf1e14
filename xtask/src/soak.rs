//! `cargo xtask soak`: a busy server under the recorder for a long while, beside one without it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, bail, ensure};
use clap::Args;
use deadweight_formats::native::Dump;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde::Deserialize;

use deadweight_tools::shell::Shell;
use deadweight_tools::{debian, workspace};

use crate::marks;

/// `cargo xtask soak`.
#[derive(Args, Debug)]
pub struct Soak {
    /// Minutes of load on the recorded server; the other one gets as many
    #[arg(long, default_value_t = 10)]
    minutes: u64,
    /// Write no page
    #[arg(long)]
    dry: bool,
}

/// Requests of each kind in one turn.
const REQUESTS: u32 = 100_000;
/// Keys that the requests go to: the load has a bounded size.
const KEYS: u32 = 100_000;
/// What is asked of the server; none of these grows without bound.
const KINDS: &str = "set,get,incr,hset,sadd,spop";

/// How much more memory of its own the recorder may have at the end than when there first were as many live blocks, in
/// bytes.
const MOST_GROWTH: u64 = 4 << 20;

/// One kind of request in one turn, as redis-benchmark reports it.
#[derive(Clone, Debug, Deserialize)]
struct Row {
    test: String,
    rps: f64,
    p50_latency_ms: f64,
    p99_latency_ms: f64,
    max_latency_ms: f64,
}

/// A server on a port of its own.
struct Server {
    child: Child,
    port: u16,
    /// The server's own process: `deadweight run` stands before a recorded one.
    process: Pid,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = kill(self.process, Signal::SIGTERM);
        let _ = self.child.wait();
    }
}

impl Server {
    fn start(mut command: Command, port: u16, home: &Path) -> anyhow::Result<Self> {
        let pid_file = home.join(format!("{port}.pid"));
        let mut child = command
            .args([
                "redis-server",
                "--port",
                &port.to_string(),
                "--save",
                "",
                "--appendonly",
                "no",
            ])
            .args(["--bind", "127.0.0.1", "--pidfile"])
            .arg(&pid_file)
            .current_dir(home)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .spawn()
            .context("the server could not be started")?;
        let begun = Instant::now();
        loop {
            let written = fs::read_to_string(&pid_file).ok();
            if let Some(process) = written.and_then(|text| text.trim().parse().ok()) {
                return Ok(Self {
                    child,
                    port,
                    process: Pid::from_raw(process),
                });
            }
            if begun.elapsed() > Duration::from_secs(30) {
                child.kill()?;
                bail!("the server did not start within 30 seconds");
            }
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// One turn of load.
    fn load(&self) -> anyhow::Result<Vec<Row>> {
        let printed = Shell::new("redis-benchmark")
            .args(["-p", &self.port.to_string(), "-t", KINDS, "--csv"])
            .args(["-n", &REQUESTS.to_string(), "-r", &KEYS.to_string()])
            .args(["-c", "20", "-d", "200"])
            .output()?;
        rows(&String::from_utf8_lossy(&printed))
    }
}

/// Reads the table of redis-benchmark: names of columns, then a row for each kind, every field in quotes.
fn rows(text: &str) -> anyhow::Result<Vec<Row>> {
    let mut lines = text.lines().filter(|line| line.starts_with('"'));
    let fields = |line: &str| -> Vec<String> {
        line.trim()
            .trim_matches('"')
            .split("\",\"")
            .map(str::to_owned)
            .collect()
    };
    let names = fields(lines.next().context("redis-benchmark told nothing")?);
    lines
        .map(|line| {
            let values: serde_json::Map<String, serde_json::Value> = names
                .iter()
                .zip(fields(line))
                .map(|(name, value)| {
                    let value = value.parse::<f64>().map_or_else(|_| value.into(), Into::into);
                    (name.clone(), value)
                })
                .collect();
            Ok(serde_json::from_value(values.into())?)
        })
        .collect()
}

/// What one dump shows of the recorder.
#[derive(Clone, Copy, Debug)]
struct Moment {
    minutes: f64,
    blocks: usize,
    own_bytes: u64,
    lost: u64,
    pause_ms: f64,
}

/// Loads both servers in turns, and holds the recorder's dumps against what they must be.
///
/// # Errors
/// When a server or the load cannot be started.
pub fn run(soak: &Soak) -> anyhow::Result<bool> {
    debian::ensure(&["redis-server", "redis-tools"])?;
    let deadweight = workspace::build_deadweight(workspace::Profile::Release)?;
    let home = tempfile::tempdir()?;
    let dumps = home.path().join("dumps");
    let plain = Server::start(Command::new("env"), 7391, home.path())?;
    let mut command = Command::new(&deadweight);
    command.args(["--quiet", "run", "--when", "SIGUSR2", "--dir"]);
    command.arg(&dumps).arg("--");
    let recorded = Server::start(command, 7392, home.path())?;

    let (mut with, mut without) = (Vec::new(), Vec::new());
    let mut moments = Vec::new();
    let (mut loaded, asked) = (Duration::ZERO, Duration::from_secs(soak.minutes * 60));
    let mut turn = 0;
    while loaded < asked {
        without.extend(plain.load()?);
        let begun = Instant::now();
        with.extend(recorded.load()?);
        loaded += begun.elapsed();
        turn += 1;
        let is_due = loaded.as_secs_f64() / asked.as_secs_f64() >= moments.len() as f64 / 4.0;
        if is_due || loaded >= asked {
            let dump = dumped(&recorded, &dumps)?;
            moments.push(moment(&dump, loaded)?);
            fs::remove_file(dump)?;
        }
        eprintln!(
            "turn {turn}: {:.0} of {} s",
            loaded.as_secs_f64(),
            asked.as_secs()
        );
    }
    let text = report(&with, &without, &moments);
    print!("{text}");
    if !soak.dry {
        marks::write("soak", &text)?;
    }
    let last = moments.last().context("no dump was made")?;
    let as_many = |moment: &&Moment| moment.blocks.abs_diff(last.blocks) * 100 <= last.blocks;
    let first = moments.iter().find(as_many).unwrap_or(last);
    let lost = moments.iter().map(|moment| moment.lost).max().unwrap_or(0);
    ensure!(lost == 0, "{lost} blocks were lost");
    ensure!(
        last.own_bytes <= first.own_bytes + MOST_GROWTH,
        "the recorder grew from {} to {} bytes",
        first.own_bytes,
        last.own_bytes
    );
    Ok(true)
}

/// Asks for a dump and waits until it has its name.
fn dumped(server: &Server, dumps: &Path) -> anyhow::Result<PathBuf> {
    kill(server.process, Signal::SIGUSR2)?;
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_secs(60) {
        let found = fs::read_dir(dumps).into_iter().flatten().flatten();
        let mut found = found.map(|entry| entry.path());
        if let Some(path) = found.find(|path| path.extension().is_some_and(|extension| extension == "dwheap"))
        {
            return Ok(path);
        }
        // The recorder dumps at the next allocation.
        Shell::new("redis-cli")
            .args(["-p", &server.port.to_string(), "set", "wake", "up"])
            .output()?;
        thread::sleep(Duration::from_millis(50));
    }
    bail!("no dump within a minute of SIGUSR2")
}

fn moment(dump: &Path, loaded: Duration) -> anyhow::Result<Moment> {
    let dump = Dump::read(dump)?;
    let facts = dump.facts();
    Ok(Moment {
        minutes: loaded.as_secs_f64() / 60.0,
        blocks: dump.blocks().len(),
        own_bytes: facts.number("recorder_bytes").context("recorder_bytes")?,
        lost: facts.number("lost_blocks").context("lost_blocks")?,
        pause_ms: facts.number("pause_ns").context("pause_ns")? as f64 / 1e6,
    })
}

fn report(with: &[Row], without: &[Row], moments: &[Moment]) -> String {
    use std::fmt::Write as _;
    let median = |rows: &[Row], test: &str, of: fn(&Row) -> f64| {
        let mut all: Vec<f64> = rows.iter().filter(|row| row.test == test).map(of).collect();
        all.sort_by(f64::total_cmp);
        all.get(all.len() / 2).copied().unwrap_or(f64::NAN)
    };
    let mut kinds: Vec<&str> = with.iter().map(|row| row.test.as_str()).collect();
    kinds.sort_unstable();
    kinds.dedup();
    let mut text = format!(
        "{}\n\nMedians of {} turns of {REQUESTS} requests of each kind, 20 connections, {KEYS} keys.\n\n\
         | request | a second, plain | recorded | ratio | p50, ms, plain | recorded | p99, ms, plain | recorded | most, ms, plain | recorded |\n\
         |---|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n",
        deadweight_tools::machine::shown(),
        with.len() / kinds.len().max(1),
    );
    for kind in kinds {
        let both = |of: fn(&Row) -> f64| (median(without, kind, of), median(with, kind, of));
        let (plain, recorded) = both(|row| row.rps);
        let (p50, p50_recorded) = both(|row| row.p50_latency_ms);
        let (p99, p99_recorded) = both(|row| row.p99_latency_ms);
        let (most, most_recorded) = both(|row| row.max_latency_ms);
        let _ = writeln!(
            text,
            "| {kind} | {plain:.0} | {recorded:.0} | {:.2} | {p50:.2} | {p50_recorded:.2} | {p99:.2} | {p99_recorded:.2} | {most:.1} | {most_recorded:.1} |",
            recorded / plain
        );
    }
    text.push_str("\n| minutes of load | live blocks | the recorder's own memory | lost blocks | pause of the dump |\n|---:|---:|---:|---:|---:|\n");
    for moment in moments {
        let _ = writeln!(
            text,
            "| {:.1} | {} | {:.1} MB | {} | {:.1} ms |",
            moment.minutes,
            moment.blocks,
            moment.own_bytes as f64 / 1e6,
            moment.lost,
            moment.pause_ms
        );
    }
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::rows;

    #[test]
    fn tables_of_the_load_are_read() {
        let text = "\"test\",\"rps\",\"avg_latency_ms\",\"min_latency_ms\",\"p50_latency_ms\",\"p95_latency_ms\",\"p99_latency_ms\",\"max_latency_ms\"\n\
                    \"SET\",\"50000.50\",\"0.2\",\"0.1\",\"0.191\",\"0.3\",\"0.415\",\"1.5\"\n";
        let rows = rows(text).unwrap();
        assert_eq!((rows[0].test.as_str(), rows[0].rps), ("SET", 50_000.5));
        assert_eq!((rows[0].p50_latency_ms, rows[0].p99_latency_ms), (0.191, 0.415));
        assert!(super::rows("no table").is_err());
    }
}
