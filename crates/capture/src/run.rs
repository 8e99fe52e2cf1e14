//! From a plan to an outcome.

use std::{
    collections::HashSet,
    env, fs, io,
    os::unix::fs::DirBuilderExt,
    path::{Path, PathBuf},
    process::{self, Child, Command},
    sync::mpsc,
    thread,
    time::{SystemTime, UNIX_EPOCH},
};

use deadweight_sidecar::HeldAt;
use nix::sys::resource::{UsageWho, getrusage};
use rustix::{
    io::Errno,
    process::{Pid, WaitId, WaitIdOptions, waitid},
};

use crate::{
    capture::{Capture, list, read_capture},
    error::CaptureError,
    journal::{Journal, Shown},
    limit, manifest,
    native::{self, Executable, NativeDump},
    plan::Plan,
    recorder::{install, lacks_instrument, recorders, settings},
    runtime::Runtime,
    signals::Forwarding,
    status::Status,
    strangers::{self, Stranger, Strangers},
    streams::Streams,
    trigger::Measure,
    unfinished,
    watch::{Observer, Watch},
};

/// What came of a plan.
#[derive(Debug)]
pub struct Outcome {
    /// How the program ended.
    pub status: Status,
    /// Its complete captures and those of its children, in the order in which they were taken.
    pub captures: Vec<Capture>,
    /// Dumps that native programs wrote meanwhile, by name.
    pub dumps: Vec<NativeDump>,
    /// Captures that appeared meanwhile and cannot be used, with the reason. One that is incomplete belongs to a
    /// process that was killed while it wrote it, or that is still running.
    pub unusable: Vec<CaptureError>,
    /// The highest values of what thresholds watch, as far as recorders told them.
    pub highest: Vec<(Measure, u64)>,
    /// Of dumps that show an earlier moment than the end, which it is.
    pub shown: Vec<Shown>,
    /// The most bytes that any of its processes had resident which ended before it; `None` where the system does not
    /// say, or where it may be what this process itself had when it started the program.
    pub peak_rss: Option<u64>,
    /// The most bytes that any process had resident which a recorder saw to its end.
    pub seen_rss: Option<u64>,
    /// The most bytes that any process held, where the plan was to measure it.
    pub most_held: Option<u64>,
    /// The highest that the curve of any process came to, captured or not.
    pub highest_seen: Option<HeldAt>,
    /// Snapshots that a runtime wrote by itself near the limit of its heap.
    pub near_limit: Vec<PathBuf>,
    /// Processes that loaded no recorder, as they had an environment of their own, the largest first. A process that lived
    /// for less than a moment is not among them.
    pub strangers: Vec<Stranger>,
    /// How many processes of the run still go on, as the program started them and left them: they write their captures later.
    pub running: usize,
    /// The program's process id.
    pub process: u32,
    /// Whether the recorder for native programs was loaded.
    pub native: bool,
    /// The runtime of the program, if its name or first line shows it.
    pub runtime: Option<Runtime>,
    /// Whether the program is an image of Java into which no recorder can be loaded.
    pub bare_java: bool,
    /// What the file of the program says of preloading, if it is no script.
    pub executable: Option<Executable>,
    /// Snapshots that are in memory: captures lead to them as long as this is there.
    _streams: Option<Streams>,
}

impl Outcome {
    /// The capture that holds most, heap and external together. Of a program with children this is usually the one
    /// that is meant; what runs tests comes after all that it started.
    pub fn largest(&self) -> Option<&Capture> {
        self.captures.iter().max_by_key(|capture| capture.rank())
    }

    /// Whether the program itself left a capture or a dump, and not only processes that it started.
    pub fn is_captured(&self) -> bool {
        let by_pid = |dump: &NativeDump| dump.process() == Some(self.process);
        self.captures
            .iter()
            .any(|capture| capture.record.process.pid == self.process)
            || self.dumps.iter().any(by_pid)
    }

    /// The dump that is largest.
    pub fn largest_dump(&self) -> Option<&NativeDump> {
        self.dumps.iter().max_by_key(|dump| dump.bytes)
    }
}

/// Starts the program with every recorder loaded, passes signals on to it, waits for its end and collects its
/// captures. The program has this process's input and output.
///
/// # Errors
///
/// [`CaptureError::NoProgram`] and [`CaptureError::NoTrigger`] for a plan without them,
/// [`CaptureError::Directory`] and [`CaptureError::Recorder`] if files cannot be prepared,
/// [`CaptureError::NoLibrary`] and
/// [`CaptureError::LibraryPath`] if the native recorder is needed and cannot be loaded, [`CaptureError::Start`] if the program cannot be started, [`CaptureError::Watch`] if its end cannot be awaited.
/// A program that fails is no error: see [`Outcome::status`].
pub fn run(plan: &Plan) -> Result<Outcome, CaptureError> {
    run_observed(plan, &())
}

/// The same, and reports what happens meanwhile to an observer.
///
/// # Errors
///
/// Those of [`run`].
pub fn run_observed(plan: &Plan, observer: &dyn Observer) -> Result<Outcome, CaptureError> {
    let Some((program, arguments)) = plan.program.split_first() else {
        return Err(CaptureError::NoProgram);
    };
    if plan.when.is_empty() {
        return Err(CaptureError::NoTrigger);
    }
    let directory = prepare(&plan.directory)?;
    let before: HashSet<PathBuf> = list(&directory)?.into_iter().collect();
    let dumps_before: HashSet<PathBuf> = native::list(&directory)?
        .into_iter()
        .map(|dump| dump.path)
        .collect();
    // Where there are no files in memory the run goes on without one.
    let journal = Journal::open().ok();
    let run = run_id();

    let streams = if plan.in_memory && plan.snapshot {
        Some(Streams::open(&directory, &run)?)
    } else {
        None
    };

    let mut command = Command::new(program);
    command
        .args(arguments)
        .env_remove("DEADWEIGHT_ANCESTOR")
        .env_remove("DEADWEIGHT_STREAMS")
        .env_remove("DEADWEIGHT_JOURNAL")
        .envs(settings(plan, &directory, &run));
    if let Some(journal) = &journal {
        command.env("DEADWEIGHT_JOURNAL", journal.path());
    }
    if let Some(streams) = &streams {
        command.env("DEADWEIGHT_STREAMS", streams.directory());
    }
    let bare_java = lacks_instrument(program);
    let mut strangers = Strangers::of(&run);
    for recorder in recorders() {
        if plan.in_memory && recorder.runtime() != Runtime::Node
            || recorder.runtime() == Runtime::Java && bare_java
        {
            continue;
        }
        let installed = install(recorder.as_ref())?;
        command.envs(recorder.environment(&installed, plan.sites, &|name| env::var_os(name)));
        strangers.expect(
            recorder.runtime(),
            recorder.environment(&installed, false, &|_| None),
        );
        if plan.highest.is_some() {
            let helps = recorder.for_highest().iter();
            command.envs(helps.filter(|(name, _)| env::var_os(name).is_none()).copied());
        }
    }
    if !plan.in_memory {
        command.envs(native::python_environment());
    }
    if plan.churn.is_some() && !plan.in_memory {
        command.envs(native::ruby_environment());
        command.envs(native::java_environment());
    }
    let native = plan.is_native();
    if native {
        command.envs([native::environment()?]);
    }
    let forwarding = Forwarding::start(journal.as_ref()).map_err(CaptureError::Watch)?;
    let others = peak_of(UsageWho::RUSAGE_CHILDREN);
    let child = command.spawn().map_err(|source| CaptureError::Start {
        program: PathBuf::from(program),
        source,
    })?;
    let process = child.id();
    let watch = Watch {
        plan,
        directory: &directory,
        before: &before,
        run: &run,
        forwarding: &forwarding,
        journal: journal.as_ref(),
        observer,
    };
    let status = thread::scope(|scope| {
        let (end, ended) = mpsc::channel();
        let strangers = &mut strangers;
        scope.spawn(move || watch.until(&ended, process, strangers));
        let status = wait(child, &forwarding);
        drop(end);
        status
    })
    .map_err(CaptureError::Watch)?;
    drop(forwarding);
    // The most of all children ever: only what is more than before is this program's. A child begins with what its
    // parent had.
    let most = peak_of(UsageWho::RUSAGE_CHILDREN);
    let peak_rss = most.filter(|&most| Some(most) > others && Some(most) > peak_of(UsageWho::RUSAGE_SELF));

    if let Some(journal) = &journal {
        unfinished::wait(journal, &directory).map_err(CaptureError::Watch)?;
    }
    let (captures, unusable) = collect(&directory, &before, &run)?;
    let mut dumps = native::list(&directory)?;
    let told = journal.as_ref().map(Journal::entries).transpose();
    let told = told.map_err(CaptureError::Watch)?.unwrap_or_default();
    // Others may run in the same directory: a dump is of this run when its recorder said so here.
    dumps.retain(|dump| match &journal {
        Some(_) => dump
            .path
            .file_name()
            .is_some_and(|name| told.dumps.contains(name)),
        None => !dumps_before.contains(&dump.path),
    });
    let strangers = strangers.largest_first().into_iter().filter(|stranger| {
        let by_it = |capture: &Capture| capture.record.process.pid == stranger.process;
        !captures.iter().any(by_it) && !dumps.iter().any(|dump| dump.process() == Some(stranger.process))
    });
    Ok(Outcome {
        running: strangers::running(&run),
        strangers: strangers.collect(),
        status,
        highest: told.highest,
        shown: told.shown,
        peak_rss,
        seen_rss: told.peak,
        most_held: told.held,
        highest_seen: told.highest_seen,
        near_limit: limit::collect(&told.limits, &directory),
        process,
        native,
        captures,
        dumps,
        unusable,
        runtime: Runtime::detect(program),
        bare_java,
        executable: Executable::detect(program),
        _streams: streams,
    })
}

/// The bytes by which a kernel counts what was resident.
const UNIT: u64 = if cfg!(target_vendor = "apple") { 1 } else { 1024 };

/// The most bytes that were resident, as the kernel noted it.
fn peak_of(who: UsageWho) -> Option<u64> {
    let most = getrusage(who).ok()?.max_rss();
    u64::try_from(most).ok().map(|most| most * UNIT)
}

/// The directory for captures. One that is made here is kept out of repositories: captures hold what programs hold.
fn prepare(directory: &Path) -> Result<PathBuf, CaptureError> {
    let is_new = !directory.exists();
    let made = make(directory)?;
    if is_new {
        // Captures are written all the same where this cannot be.
        let _ = fs::write(made.join(".gitignore"), "*\n");
    }
    Ok(made)
}

fn make(directory: &Path) -> Result<PathBuf, CaptureError> {
    fs::DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(directory)
        .and_then(|()| directory.canonicalize())
        .map_err(|source| CaptureError::Directory {
            path: directory.to_owned(),
            source,
        })
}

/// Tells the captures of this run from others in the same directory.
fn run_id() -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    format!("{:x}-{:x}", now.as_nanos(), process::id())
}

fn wait(mut child: Child, forwarding: &Forwarding) -> io::Result<Status> {
    let pid = Pid::from_child(&child);
    forwarding.aim(Some(pid));
    // The program stays a zombie, and its id its own, until nobody can signal it any more.
    loop {
        match waitid(WaitId::Pid(pid), WaitIdOptions::EXITED | WaitIdOptions::NOWAIT) {
            Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
            Ok(_) => break,
        }
    }
    forwarding.aim(None);
    child.wait().map(Status::from)
}

fn collect(
    directory: &Path,
    before: &HashSet<PathBuf>,
    run: &str,
) -> Result<(Vec<Capture>, Vec<CaptureError>), CaptureError> {
    let mut captures = Vec::new();
    let mut unusable = Vec::new();
    for path in list(directory)?.into_iter().filter(|path| !before.contains(path)) {
        match read_capture(&path) {
            Ok(capture) if capture.record.run.as_deref() == Some(run) => {
                unusable.extend(manifest::seal(&capture).err());
                captures.push(capture);
            }
            Ok(_) => {}
            Err(error) => unusable.push(error),
        }
    }
    captures.sort_by(|a, b| a.record.process.time.cmp(&b.record.process.time));
    Ok((captures, unusable))
}
