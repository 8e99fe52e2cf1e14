//! What is said while a program runs.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::{Mutex, PoisonError};

use deadweight_capture::{Capture, NativeDump, Observer, Skipped};
use deadweight_report::bytes;
use deadweight_sidecar::WEIGHING;
use deadweight_weighing::Weighing;
use indicatif::ProgressBar;

use super::{keep, weigh_and_keep};
use crate::arguments::Show;
use crate::output::{self, Stream};
use crate::post::Post;
use crate::{dump, progress};

/// Reports each capture when it is taken.
pub struct Live<'a> {
    show: &'a Show,
    has_dumps: bool,
    operations: u64,
    reported: Mutex<HashSet<PathBuf>>,
    post: Option<Post<'a>>,
    /// Shown while a capture is being written.
    writing: Mutex<Option<ProgressBar>>,
}

impl<'a> Live<'a> {
    /// `has_dumps` says whether captures are dumps that can be weighed, `operations` how many of them one stands for that
    /// does not say.
    /// `post` is where weighings go beside the report.
    pub fn new(show: &'a Show, has_dumps: bool, operations: u64, post: Option<&'a str>) -> Self {
        Self {
            show,
            post: post.map(Post::new),
            has_dumps,
            operations,
            reported: Mutex::default(),
            writing: Mutex::default(),
        }
    }

    /// Whether a capture or a dump was reported while the program ran.
    pub fn has_reported(&self, path: &Path) -> bool {
        let reported = self.reported.lock().unwrap_or_else(PoisonError::into_inner);
        reported.contains(path)
    }

    /// What is shown, and how.
    pub fn asked(&self) -> &'a Show {
        self.show
    }

    /// Writes the report of a weighing, and sends the weighing where it is wanted. What becomes of that is no matter of
    /// the program's.
    pub fn deliver(&self, weighing: Weighing) -> anyhow::Result<()> {
        if let Some(Err(error)) = self.post.as_ref().map(|post| post.send(&weighing)) {
            eprintln!("deadweight: {}", output::describe(&error));
        }
        output::write(&[weighing], self.show, Stream::Error)
    }

    fn report(&self, capture: &Capture) -> anyhow::Result<()> {
        let weighing = weigh_and_keep(capture, &output::options(self.show), &mut |_| (), |_| ())?;
        self.deliver(weighing)
    }

    fn report_dump(&self, path: &Path) -> anyhow::Result<()> {
        let weighing = dump::weigh(path, None, self.operations, &output::options(self.show))?;
        keep(&path.with_extension(WEIGHING), &weighing)?;
        self.deliver(weighing)
    }

    /// Says that something was captured, and reports it.
    fn announce(&self, path: &Path, report: impl FnOnce() -> anyhow::Result<()>) {
        progress::note(format_args!("captured {}", path.display()));
        if let Some(Err(error)) = self.has_dumps.then(report) {
            eprintln!("deadweight: {}", output::describe(&error));
        }
        let mut reported = self.reported.lock().unwrap_or_else(PoisonError::into_inner);
        reported.insert(path.to_owned());
    }
}

impl Observer for Live<'_> {
    fn runs(&self, asked: bool) {
        if asked {
            let pid = process::id();
            progress::note(format_args!(
                "the program runs; `kill -USR2 {pid}` captures it now, and the report appears here"
            ));
        }
    }

    fn writes(&self, written: Option<u64>) {
        let mut writing = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(written) = written {
            let spinner = writing.get_or_insert_with(|| progress::spinner("capturing".to_owned()));
            spinner.set_message(format!("capturing, {} written", bytes(written)));
        } else if let Some(spinner) = writing.take() {
            spinner.finish_and_clear();
        }
    }

    fn captured(&self, capture: &Capture) {
        self.announce(&capture.directory, || self.report(capture));
    }

    fn dumped(&self, dump: &NativeDump) {
        self.announce(&dump.path, || self.report_dump(&dump.path));
    }

    fn skipped(&self, why: &Skipped) {
        progress::note(format_args!("no capture this time: {why}"));
    }
}
