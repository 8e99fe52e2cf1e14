//! A program while it runs: captures that are complete are told at once, others are asked for at times.

use std::{
    collections::HashSet,
    fs,
    path::{Path, PathBuf},
    sync::mpsc::{Receiver, RecvTimeoutError},
    time::{Duration, Instant},
};

use deadweight_sidecar::Reason;

use crate::{
    capture::{Capture, list, read_capture},
    plan::Plan,
    signals::Forwarding,
};

/// How often the directory is looked at.
const LOOK: Duration = Duration::from_millis(250);

/// A program that runs longer has somebody who waits beside it.
const LONG: Duration = Duration::from_secs(2);

/// Who is told what happens while a program runs.
pub trait Observer: Sync {
    /// The program is one that goes on; SIGUSR2 to this process captures it, if `asked` says that it was to be.
    fn runs(&self, _asked: bool) {}

    /// A capture that was asked for is complete, and the program goes on.
    fn captured(&self, _capture: &Capture) {}
}

/// Tells nobody.
impl Observer for () {}

pub(crate) struct Watch<'a> {
    pub(crate) plan: &'a Plan,
    pub(crate) directory: &'a Path,
    pub(crate) before: &'a HashSet<PathBuf>,
    pub(crate) run: &'a str,
    pub(crate) forwarding: &'a Forwarding,
    pub(crate) observer: &'a dyn Observer,
}

impl Watch<'_> {
    /// Looks until the other side of `ended` is dropped.
    pub(crate) fn until(&self, ended: &Receiver<()>) {
        let began = Instant::now();
        let mut told = false;
        let mut asked = began;
        let mut known: HashSet<PathBuf> = HashSet::new();
        let mut kept: Vec<PathBuf> = Vec::new();
        while ended.recv_timeout(LOOK) == Err(RecvTimeoutError::Timeout) {
            if !told && began.elapsed() > LONG {
                told = true;
                self.observer.runs(self.plan.takes_signal());
            }
            if let Some(every) = self.plan.every.filter(|every| asked.elapsed() >= *every) {
                asked += every;
                self.forwarding.ask();
            }
            for capture in self.news(&mut known) {
                self.observer.captured(&capture);
                kept.push(capture.directory);
            }
            if let Some(keep) = self.plan.keep {
                for oldest in kept.drain(..kept.len().saturating_sub(keep.get())) {
                    // One that is gone already is gone.
                    let _ = fs::remove_dir_all(oldest);
                }
            }
        }
    }

    /// Complete captures of this run that were asked for, in the order in which they were taken.
    fn news(&self, known: &mut HashSet<PathBuf>) -> Vec<Capture> {
        // What cannot be listed or read now is told at the end.
        let paths = list(self.directory).unwrap_or_default().into_iter();
        let paths = paths.filter(|path| !self.before.contains(path) && !known.contains(path));
        let read = paths.filter_map(|path| read_capture(&path).ok());
        let mut complete: Vec<Capture> = read
            .filter(|capture| capture.record.run.as_deref() == Some(self.run))
            .collect();
        known.extend(complete.iter().map(|capture| capture.directory.clone()));
        complete.retain(is_asked_for);
        complete.sort_by(|a, b| a.record.process.time.cmp(&b.record.process.time));
        complete
    }
}

/// Whether the process was to go on after it.
fn is_asked_for(capture: &Capture) -> bool {
    let process = &capture.record.process;
    match process.reason {
        Reason::Threshold => true,
        Reason::Signal => process.trigger.as_deref() == Some("SIGUSR2"),
        _ => false,
    }
}
