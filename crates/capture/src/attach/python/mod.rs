//! A capture of a running program of `CPython`. Its interpreter is handed a script, which loads the recorder; that takes the
//! capture as it would have taken one from the start.
//!
//! Since 3.14 an interpreter takes a script from outside (`sys.remote_exec`). An older one is asked by its own
//! `Py_AddPendingCall`, which the main thread is sent to call. Either runs the script as soon as the main thread executes Python
//! again; where that waits in C, it is sent to run the script itself.

mod functions;
mod interpreter;
mod main_thread;
mod trampoline;

use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use deadweight_sidecar::RECORD;
use serde::Deserialize;
use serde_json::json;

use super::crowd::share_of_a_core;
use super::exchange::Exchange;
use super::target::Target;
use super::{AttachError, AttachPlan, Attached, Estimate};

use functions::{Functions, mappings};
use interpreter::Interpreter;
use main_thread::{MainThread, Whereabouts};
use trampoline::Pages;

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

/// How long the main thread may stand at one place in C before it runs the script from there.
const BEFORE_IT_IS_SENT: Duration = Duration::from_secs(1);

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
    let functions = Functions::of(target, &mappings(target)?)?;
    let exchange = Exchange::with(target, &plan.directory, Some(&PythonRecorder))?;
    let estimate = estimate(target);
    before(&estimate);
    plan.allow(target.pid, &estimate)?;
    let library = exchange.hand_over_library(&python_library()?)?;
    let files = Files::with(target, &exchange, &library)?;
    let mut script = Script::hand_over(target, functions, &files)?;
    let answer = files.answer(target, estimate.pause, || script.run_where_it_waits());
    let (directory, pause) = answer?;
    script.clean();
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

/// The script on its way.
struct Script<'t> {
    main: MainThread<'t>,
    text: String,
    /// Where the main thread was when it was handed over; `None` once it has been sent to run it.
    was: Option<Whereabouts>,
    since: Instant,
    /// What is in the program's memory for it.
    pages: Vec<Pages>,
}

impl<'t> Script<'t> {
    /// The first version of 3 that takes scripts from outside.
    const TAKES_SCRIPTS: u8 = 14;

    fn hand_over(target: &'t Target, functions: Functions, files: &Files) -> Result<Self, AttachError> {
        let mut script = Self {
            main: MainThread::of(target, functions)?,
            text: files.text(),
            was: None,
            since: Instant::now(),
            pages: Vec::new(),
        };
        let interpreter = (functions.minor >= Self::TAKES_SCRIPTS).then(|| Interpreter::of(target));
        if let Some(interpreter) = interpreter.flatten() {
            interpreter.run(&files.script)?;
            // A debugger may hold the thread: then it is not sent.
            script.was = script.main.whereabouts().ok();
            return Ok(script);
        }
        let (was, pages) = script.main.ask(&script.text)?;
        script.was = Some(was);
        script.pages.push(pages);
        Ok(script)
    }

    /// Sends the main thread to run the script where it has been waiting in one system call since it was handed over. One that
    /// executes Python has come to the script meanwhile, and one that computes in C cannot be disturbed.
    fn run_where_it_waits(&mut self) -> Result<(), AttachError> {
        let Some(was) = self.was.filter(|_| self.since.elapsed() > BEFORE_IT_IS_SENT) else {
            return Ok(());
        };
        if let Some(pages) = self.main.run_from(was, &self.text)? {
            self.was = None;
            self.pages.push(pages);
        } else {
            (self.was, self.since) = (Some(self.main.whereabouts()?), Instant::now());
        }
        Ok(())
    }

    /// Takes the pages away. Those of a text that has not run stay, 68 kB, as the interpreter may still come to them.
    fn clean(&self) {
        for &pages in &self.pages {
            let _ = self.main.clean_after(pages);
        }
    }
}

/// The script and its answer. The script goes away when it is run, so that it runs once. Both are gone afterwards.
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
            "script": script,
            "pid": target.own_pid(),
        });
        let text = format!(
            "def _deadweight():\n    \
             import os, sys\n    \
             given = {arguments}\n    \
             try:\n        \
             os.remove(given[\"script\"])\n    \
             except OSError:\n        \
             return\n    \
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

    /// What has an interpreter run the script, if nobody has yet. An exception would be the program's, so that there is none;
    /// an interrupt that reached the program meanwhile reaches it afterwards.
    fn text(&self) -> String {
        let text = format!(
            "try:\n    \
             with open({script}, encoding=\"utf-8\") as script:\n        \
             text = script.read()\n    \
             exec(text, {{}})\n\
             except KeyboardInterrupt:\n    \
             import _thread\n    \
             _thread.interrupt_main()\n\
             except BaseException:\n    \
             pass\n",
            script = json!(self.script),
        );
        // In names of its own: those of the program's `__main__` stay as they are.
        format!("__import__(\"builtins\").exec({}, {{}})", json!(text))
    }

    /// Waits for the answer. `meanwhile` is called while there is none.
    fn answer(
        &self,
        target: &Target,
        pause: Duration,
        mut meanwhile: impl FnMut() -> Result<(), AttachError>,
    ) -> Result<(PathBuf, Duration), AttachError> {
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
            meanwhile()?;
            thread::sleep(POLL);
        }
        Err(refused(
            target,
            "its main thread runs no Python at the moment: it computes in C".to_owned(),
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
