//! A program while it runs: captures that are complete are told at once, others are asked for at times.

use std::{
    collections::HashSet,
    fs,
    path::{Path, PathBuf},
    sync::mpsc::{Receiver, RecvTimeoutError},
    time::{Duration, Instant},
};

use deadweight_sidecar::{CURVE, RECORD, Reason, WEIGHING};

use crate::{
    allowance::{Skipped, Spent},
    capture::{Capture, list, read_capture},
    journal::Journal,
    left::size,
    native::{self, NativeDump},
    plan::Plan,
    signals::Forwarding,
    strangers::Strangers,
};

/// How often the directory is looked at.
const LOOK: Duration = Duration::from_millis(250);

/// A program that runs longer has somebody who waits beside it.
const LONG: Duration = Duration::from_secs(2);

/// Who is told what happens while a program runs.
pub trait Observer: Sync {
    /// The program is one that goes on; SIGUSR2 to this process captures it, if `asked` says that it was to be.
    fn runs(&self, _asked: bool) {}

    /// A capture is being written, of which so many bytes are there; `None` once none is any more.
    fn writes(&self, _bytes: Option<u64>) {}

    /// A capture that was asked for is complete, and the program goes on.
    fn captured(&self, _capture: &Capture) {}

    /// The same of a native program's dump.
    fn dumped(&self, _dump: &NativeDump) {}

    /// It was time for a capture, which would have cost more than is allowed.
    fn skipped(&self, _why: &Skipped) {}
}

/// Tells nobody.
impl Observer for () {}

pub(crate) struct Watch<'a> {
    pub(crate) plan: &'a Plan,
    pub(crate) directory: &'a Path,
    pub(crate) before: &'a HashSet<PathBuf>,
    pub(crate) run: &'a str,
    pub(crate) forwarding: &'a Forwarding,
    pub(crate) journal: Option<&'a Journal>,
    pub(crate) observer: &'a dyn Observer,
}

impl Watch<'_> {
    /// Looks until the other side of `ended` is dropped. `strangers` are looked for among what `program` starts.
    pub(crate) fn until(&self, ended: &Receiver<()>, program: u32, strangers: &mut Strangers) {
        let began = Instant::now();
        let mut told = false;
        let mut asked = began;
        let mut known: HashSet<PathBuf> = HashSet::new();
        let mut dumps = 0;
        let mut kept: Vec<PathBuf> = Vec::new();
        let mut was_writing = false;
        let mut spent = Spent::default();
        while ended.recv_timeout(LOOK) == Err(RecvTimeoutError::Timeout) {
            if self.plan.children {
                strangers.look(program);
            }
            if !told && began.elapsed() > LONG {
                told = true;
                self.observer.runs(self.plan.takes_signal());
            }
            if let Some(every) = self.plan.every.filter(|every| asked.elapsed() >= *every) {
                // What was missed while a capture was weighed is not made up for.
                asked += every;
                asked = asked.max(Instant::now().checked_sub(every).unwrap_or(asked));
                let of_kept = kept.iter().map(|path| size(path)).sum();
                match spent.ask(&self.plan.allowance, of_kept, began.elapsed()) {
                    Ok(()) => self.forwarding.ask(),
                    Err(why) => self.observer.skipped(&why),
                }
            }
            let writing = self.unfinished();
            if writing.is_some() || was_writing {
                self.observer.writes(writing);
            }
            was_writing = writing.is_some();
            for capture in self.news(&mut known) {
                spent.add(&capture);
                self.observer.captured(&capture);
                kept.push(capture.directory);
            }
            for dump in self.dumps(&mut dumps) {
                // What its clone took is in no record.
                spent.add_file(&dump.path, Duration::ZERO);
                self.observer.dumped(&dump);
                kept.push(dump.path);
            }
            if let Some(keep) = self.plan.keep {
                for oldest in kept.drain(..kept.len().saturating_sub(keep.get())) {
                    remove(&oldest);
                }
            }
        }
        if was_writing {
            self.observer.writes(None);
        }
    }

    /// Bytes of captures that are not complete yet, if there are any.
    fn unfinished(&self) -> Option<u64> {
        let paths = list(self.directory).unwrap_or_default().into_iter();
        let new = paths.filter(|path| !self.before.contains(path) && !path.join(RECORD.name()).exists());
        let dumps = native::partial(self.directory).into_iter();
        new.chain(dumps).map(|path| size(&path)).reduce(|a, b| a + b)
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

    /// Dumps that were asked for and are whole, behind the first `known` of them.
    fn dumps(&self, known: &mut usize) -> Vec<NativeDump> {
        let entries = self.journal.and_then(|journal| journal.entries().ok());
        let asked = entries.unwrap_or_default().asked;
        let new = asked.iter().skip(*known);
        let found = new.filter_map(|name| {
            // A line that a program wrote itself leads nowhere else.
            let path = self.directory.join(Path::new(name).file_name()?);
            let bytes = fs::metadata(&path).ok().filter(fs::Metadata::is_file)?.len();
            Some(NativeDump { path, bytes })
        });
        let found = found.collect();
        *known = asked.len();
        found
    }
}

/// Takes away a capture, or a dump with what stands beside it. What is gone already is gone.
fn remove(capture: &Path) {
    if capture.is_dir() {
        let _ = fs::remove_dir_all(capture);
        return;
    }
    for path in [
        capture.to_owned(),
        capture.with_extension(CURVE.name()),
        capture.with_extension(WEIGHING),
    ] {
        let _ = fs::remove_file(path);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_being_written_is_told_until_it_is_complete() {
        let home = tempfile::tempdir().unwrap();
        let of_before = home.path().join("app-1-1.deadweight");
        let new = home.path().join("app-2-1.deadweight");
        for path in [&of_before, &new] {
            fs::create_dir(path).unwrap();
            fs::write(path.join("heap.heapsnapshot.part"), "12345").unwrap();
        }
        let partial = home.path().join(".app-3-4-0.partial");
        fs::write(&partial, "123").unwrap();
        let (plan, before) = (Plan::new(["app"], home.path()), HashSet::from([of_before]));
        let forwarding = Forwarding::start(None).unwrap();
        let watch = Watch {
            plan: &plan,
            directory: home.path(),
            before: &before,
            run: "a run",
            forwarding: &forwarding,
            journal: None,
            observer: &(),
        };
        assert_eq!(watch.unfinished(), Some(8));
        fs::write(new.join(RECORD.name()), "{}").unwrap();
        assert_eq!(watch.unfinished(), Some(3));
        fs::remove_file(partial).unwrap();
        assert_eq!(watch.unfinished(), None);
    }
}
