//! A capture of a running program of `CPython`: since 3.14 the interpreter runs a script that it is handed from outside
//! (`sys.remote_exec`), as soon as its main thread executes Python again. The script loads the recorder, which takes the
//! capture as it would have taken one from the start.

use std::fs;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use deadweight_sidecar::RECORD;
use serde::Deserialize;
use serde_json::json;

use super::crowd::share_of_a_core;
use super::exchange::Exchange;
use super::target::{Running, Target};
use super::{AttachError, AttachPlan, Attached, Estimate};
use crate::capture::read_capture;
use crate::native::python_library;
use crate::recorder::PythonRecorder;

/// How long a program stands still for each megabyte of its memory, in microseconds, while its copy is made: see the
/// recorder's README.
const PAUSE_PER_MEGABYTE: u64 = 100;
/// What the recorder needs to be loaded.
const LOADING: Duration = Duration::from_millis(200);

/// How long the script may take to begin, and the capture to be written, before the program is left alone.
const PATIENCE: Duration = Duration::from_secs(60);

/// How often is looked for what the program writes.
const POLL: Duration = Duration::from_millis(20);

/// The files between this process and the program, beside the capture.
const SCRIPT: &str = "attach.py";
const ANSWER: &str = "attach.json";

/// What the script leaves behind.
#[derive(Deserialize)]
#[serde(untagged)]
enum Answer {
    Taken { directory: PathBuf, pause: f64 },
    Failed { error: String },
}

pub(super) fn capture(
    target: &Target,
    plan: &AttachPlan,
    mut before: impl FnMut(&Estimate),
) -> Result<Attached, AttachError> {
    let interpreter = Interpreter::of(target)?;
    let exchange = Exchange::with(target, &plan.directory, Some(&PythonRecorder))?;
    let estimate = estimate(target);
    before(&estimate);
    plan.allow(target.pid, &estimate)?;
    let library = exchange.hand_over_library(&python_library()?)?;
    let files = Files::with(target, &exchange, &library)?;
    interpreter.run(&files.script)?;
    let (directory, pause) = files.answer(target, estimate.pause)?;
    wait_until_written(target, &exchange.seen_from_here(&directory))?;
    Ok(Attached {
        capture: read_capture(&exchange.fetch(&directory)?)?,
        pause,
    })
}

/// The copy takes what the program changes while it is written: at worst all of it.
fn estimate(target: &Target) -> Estimate {
    let resident = target.bytes("VmRSS");
    let idle_pause = LOADING + Duration::from_micros(resident.div_ceil(1_000_000) * PAUSE_PER_MEGABYTE);
    Estimate {
        heap: resident,
        memory: resident,
        available: None,
        idle_pause,
        pause: idle_pause.div_f64(share_of_a_core(target.pid)),
    }
}

/// The program's own interpreter, which has to hand over the script: both must be of one version.
struct Interpreter<'t> {
    target: &'t Target,
}

impl<'t> Interpreter<'t> {
    fn of(target: &'t Target) -> Result<Self, AttachError> {
        let interpreter = Self { target };
        let asks = "import sys; print(sys.implementation.name, hasattr(sys, 'remote_exec'))";
        match interpreter.said(&["-c", asks]) {
            Ok(answer) if answer == "cpython True" => Ok(interpreter),
            Ok(_) => Err(AttachError::NoWay {
                pid: target.pid,
                other: Running::Python,
            }),
            Err(why) => {
                let program = target.executable().display();
                let why = format!("its program {program} is no interpreter that can be asked: {why}");
                Err(refused(target, why))
            }
        }
    }

    fn run(&self, script: &Path) -> Result<(), AttachError> {
        let pid = self.target.own_pid().to_string();
        let hands = "import sys; sys.remote_exec(int(sys.argv[1]), sys.argv[2])";
        let script = script.to_string_lossy();
        match self.said(&["-c", hands, &pid, &script]) {
            Ok(_) => Ok(()),
            Err(why) => Err(refused(self.target, why)),
        }
    }

    /// What it prints, or why it prints nothing.
    fn said(&self, arguments: &[&str]) -> Result<String, String> {
        let output = self
            .command()
            .arg("-I")
            .args(arguments)
            .stdin(Stdio::null())
            .output()
            .map_err(|error| error.to_string())?;
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
        if output.status.success() {
            return Ok(text(&output.stdout));
        }
        let said = text(&output.stderr);
        Err(said
            .lines()
            .last()
            .unwrap_or("it ended without a word")
            .to_owned())
    }

    /// Starts it where the program's files and the numbers of its processes are, and as the program's user: that user may
    /// have put anything in the interpreter's place.
    fn command(&self) -> Command {
        let (target, executable) = (self.target, self.target.executable());
        let (user, group) = target.user();
        if !target.is_apart("mnt") && !target.is_apart("pid") {
            let mut command = Command::new(executable);
            if user != rustix::process::geteuid().as_raw() {
                command.uid(user).gid(group);
            }
            return command;
        }
        let mut command = Command::new("nsenter");
        command
            .args(["--target", &target.pid.to_string(), "--mount", "--pid"])
            .args([
                "--setuid",
                &user.to_string(),
                "--setgid",
                &group.to_string(),
                "--",
            ])
            .arg(executable);
        command
    }
}

/// The script and its answer. Both are gone afterwards.
struct Files {
    /// As the program names it.
    script: PathBuf,
    /// As this process names them.
    script_here: PathBuf,
    answer_here: PathBuf,
}

impl Files {
    fn with(target: &Target, exchange: &Exchange, library: &Path) -> Result<Self, AttachError> {
        let place = exchange.captures.join(format!(".attach-{}", std::process::id()));
        let here = exchange.make_private(&place)?;
        let (script, answer) = (place.join(SCRIPT), place.join(ANSWER));
        // JSON's strings are Python's, too.
        let arguments = json!({
            "recorder": exchange.recorder,
            "library": library,
            "directory": exchange.captures,
            "answer": answer,
            "pid": target.own_pid(),
        });
        let text = format!(
            "def _deadweight():\n    \
             import sys\n    \
             given = {arguments}\n    \
             known = set(sys.modules)\n    \
             sys.path.insert(0, given[\"recorder\"])\n    \
             try:\n        \
             import deadweight_recorder_attach\n        \
             deadweight_recorder_attach.take(given, known)\n    \
             finally:\n        \
             sys.path.remove(given[\"recorder\"])\n\n\n\
             try:\n    _deadweight()\nfinally:\n    del _deadweight\n"
        );
        let files = Self {
            script,
            script_here: here.join(SCRIPT),
            answer_here: here.join(ANSWER),
        };
        exchange.write(&files.script_here, text.as_bytes())?;
        Ok(files)
    }

    /// Waits for the answer. A program that stands still in C never comes to the script.
    fn answer(&self, target: &Target, pause: Duration) -> Result<(PathBuf, Duration), AttachError> {
        let start = Instant::now();
        while start.elapsed() < PATIENCE + pause {
            if let Ok(text) = fs::read(&self.answer_here) {
                return match serde_json::from_slice(&text) {
                    Ok(Answer::Taken { directory, pause }) => {
                        Ok((directory, Duration::try_from_secs_f64(pause).unwrap_or_default()))
                    }
                    Ok(Answer::Failed { error }) => Err(failed(target, error)),
                    Err(error) => Err(failed(target, format!("its answer cannot be read: {error}"))),
                };
            }
            if Target::of(target.pid).is_err() {
                return Err(failed(target, "the process ended".to_owned()));
            }
            thread::sleep(POLL);
        }
        Err(refused(
            target,
            "its main thread runs no Python at the moment: it waits, or computes, in C".to_owned(),
        ))
    }
}

impl Drop for Files {
    fn drop(&mut self) {
        // Who comes to it later finds nothing to run.
        if let Some(place) = self.script_here.parent() {
            let _ = fs::remove_dir_all(place);
        }
    }
}

/// The copy of the program writes the record last, and removes what it cannot finish.
fn wait_until_written(target: &Target, directory: &Path) -> Result<(), AttachError> {
    let record = directory.join(RECORD.name());
    let mut start = Instant::now();
    let mut seen = 0;
    while !record.is_file() {
        let bytes = size(directory).ok_or_else(|| failed(target, "its copy wrote no capture".to_owned()))?;
        if bytes > seen {
            (seen, start) = (bytes, Instant::now());
        }
        if start.elapsed() > PATIENCE {
            return Err(failed(target, "its copy does not go on writing".to_owned()));
        }
        thread::sleep(POLL);
    }
    Ok(())
}

/// Bytes of the files in a directory; `None` when it is gone.
fn size(directory: &Path) -> Option<u64> {
    let files = fs::read_dir(directory).ok()?.flatten();
    Some(files.filter_map(|file| Some(file.metadata().ok()?.len())).sum())
}

fn refused(target: &Target, why: String) -> AttachError {
    AttachError::Handed { pid: target.pid, why }
}

fn failed(target: &Target, why: String) -> AttachError {
    AttachError::Recorder { pid: target.pid, why }
}
