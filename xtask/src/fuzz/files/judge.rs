//! One command over a changed seed, and what it must not do.

use std::fs::{self, File};
use std::io::{Read, Seek};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use deadweight_sidecar::{MANIFEST, OBJECTS, SNAPSHOT, WEIGHING};
use fastrand::Rng;
use nix::sys::resource::{UsageWho, getrusage};
use wait4::Wait4;

use super::change::{Change, Harm, Stand};
use super::seeds::{Kind, Seed};

/// A command that takes longer hangs.
const SECONDS: &str = "60";

/// What each command takes beside four times its input.
const MEMORY: u64 = 64 << 20;

/// A command over a dump, a capture or a weighing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verb {
    Check,
    Learn,
    Weigh,
    Prove,
}

impl Verb {
    pub fn pick(kind: Kind, rng: &mut Rng) -> Self {
        match (rng.u8(..8), kind) {
            (0, _) => Self::Learn,
            (1, Kind::Weighing) => Self::Prove,
            (1..=3, Kind::Dump | Kind::Rows | Kind::Capture) => Self::Weigh,
            _ => Self::Check,
        }
    }
}

/// Where a worker puts what it changes.
#[derive(Debug)]
pub struct Bench<'a> {
    pub deadweight: &'a Path,
    pub directory: PathBuf,
}

/// What came of a command.
#[derive(Clone, Copy, Debug)]
pub struct Outcome {
    pub code: i32,
    /// The most memory it had, in bytes.
    pub most: u64,
}

impl Bench<'_> {
    /// Runs a command over a changed seed.
    ///
    /// # Errors
    /// The inner one says what it did that it must not do; the outer one, that it could not be tried.
    pub fn judge(&self, seed: &Seed, change: &Change, verb: Verb) -> anyhow::Result<Result<Outcome, String>> {
        let subject = self.lay(seed, change)?;
        let configuration = self.directory.join("deadweight.toml");
        let baseline = self.directory.join("baseline.json");
        let learns = match verb {
            Verb::Learn => "[baseline]\nfile = \"baseline.json\"\n",
            _ => "",
        };
        fs::write(&configuration, format!("{}{learns}", seed.budget))?;
        // `timeout` is the parent: what the system counts for it is what its child took.
        let mut command = Command::new("timeout");
        command.args(["--signal=KILL", SECONDS]).arg(self.deadweight);
        match verb {
            Verb::Check => command.arg("check").arg("--config").arg(&configuration),
            Verb::Learn => command
                .args(["check", "--update-baseline", "--config"])
                .arg(&configuration),
            Verb::Weigh => command.args(["weigh", "--format", "json"]),
            Verb::Prove => command.arg("prove").arg(&subject),
        };
        let (mut said, mut complaint) = (tempfile::tempfile()?, tempfile::tempfile()?);
        let child = command
            .arg(&subject)
            .stdin(Stdio::null())
            .stdout(said.try_clone()?)
            .stderr(complaint.try_clone()?)
            .spawn()?;
        let usage = child.wait4()?;
        let (said, complaint) = (text(&mut said)?, text(&mut complaint)?);
        let Some(code) = usage.status.code() else {
            return Ok(Err(format!(
                "ended by signal {:?}: {complaint}",
                usage.status.signal()
            )));
        };
        let outcome = Outcome {
            code,
            most: usage.rusage.maxrss,
        };
        let learned = baseline.exists();
        if learned {
            fs::remove_file(&baseline)?;
        }
        let fault = fault(seed, change, verb, outcome, &said, &complaint).or_else(|| {
            (learned && is_missed(seed, change)).then(|| "a baseline learned from it".to_owned())
        });
        Ok(fault.map_or(Ok(outcome), Err))
    }

    /// Writes the seed with its change and says where it is.
    fn lay(&self, seed: &Seed, change: &Change) -> anyhow::Result<PathBuf> {
        let place = self.directory.join(&seed.name);
        if place.is_dir() {
            fs::remove_dir_all(&place)?;
        }
        if seed.kind != Kind::Capture {
            fs::write(&place, &change.bytes)?;
            return Ok(place);
        }
        fs::create_dir(&place)?;
        for (index, (name, bytes)) in seed.files.iter().enumerate() {
            let path = place.join(name);
            if name == MANIFEST.name() && !change.has_list {
                continue;
            }
            match change.stand {
                _ if index != change.file => fs::write(path, bytes)?,
                Stand::Bytes => fs::write(path, &change.bytes)?,
                Stand::Missing => {}
                Stand::Directory => fs::create_dir(path)?,
                Stand::Device => std::os::unix::fs::symlink("/dev/zero", path)?,
                Stand::Pipe => nix::unistd::mkfifo(&path, nix::sys::stat::Mode::S_IRUSR)?,
            }
        }
        Ok(place)
    }
}

fn fault(
    seed: &Seed,
    change: &Change,
    verb: Verb,
    outcome: Outcome,
    said: &str,
    complaint: &str,
) -> Option<String> {
    let Outcome { code, most } = outcome;
    if !(0..=2).contains(&code) {
        return Some(format!("exit code {code}: {complaint}"));
    }
    if complaint.contains("panicked at") {
        return Some(format!("a panic: {complaint}"));
    }
    if code == 2 && complaint.trim().is_empty() {
        return Some("exit code 2 without a word".to_owned());
    }
    if code == 1 && verb == Verb::Weigh {
        return Some("weigh has nothing to break".to_owned());
    }
    let input = |index: usize, bytes: &[u8]| {
        if index == change.file {
            change.bytes.len()
        } else {
            bytes.len()
        }
    };
    let inputs = seed.files.iter().enumerate();
    let bytes: usize = inputs.map(|(index, (_, bytes))| input(index, bytes)).sum();
    let readings = if verb == Verb::Prove { 2 } else { 1 };
    let bound = 4 * readings * bytes as u64 + MEMORY;
    // A child begins with what its parent had, and the system counts that, too.
    if most > bound.max(resident_at_most()) {
        return Some(format!("{most} bytes of memory, where {bound} are promised"));
    }
    if code == 2 || !is_missed(seed, change) {
        return None;
    }
    match verb {
        Verb::Weigh if says_partial(said) => None,
        _ => Some(format!(
            "{verb:?} took it for whole, exit code {code}: {said}{complaint}"
        )),
    }
}

/// Whether a command would miss what the change took. A capture's own weighing is for people. A capture that no
/// `deadweight run` collected has no list of files: then dumps alone say where they were cut.
fn is_missed(seed: &Seed, change: &Change) -> bool {
    if change.harm == Harm::Altered || is_open(seed, change) {
        return false;
    }
    let name = seed.files[change.file].0.as_str();
    let has_list = change.has_list && !(name == MANIFEST.name() && change.stand == Stand::Missing);
    let is_dump = [SNAPSHOT, OBJECTS].contains(&name);
    name != WEIGHING && (seed.kind != Kind::Capture || has_list || is_dump)
}

/// A dump without an end mark may end behind each of its rows.
fn is_open(seed: &Seed, change: &Change) -> bool {
    seed.kind == Kind::Rows
        && change.harm == Harm::Cut
        && change.bytes.last().is_none_or(|&byte| byte == b'\n')
}

fn says_partial(json: &str) -> bool {
    serde_json::from_str::<serde_json::Value>(json).is_ok_and(|weighing| weighing["partial"].is_string())
}

fn text(file: &mut File) -> anyhow::Result<String> {
    let mut bytes = Vec::new();
    file.rewind()?;
    file.read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The most memory this process had, in bytes.
fn resident_at_most() -> u64 {
    let usage = getrusage(UsageWho::RUSAGE_SELF);
    usage.map_or(0, |usage| usage.max_rss().unsigned_abs() << 10)
}
