//! What is said while a program runs.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::{Mutex, PoisonError};

use deadweight_capture::{Capture, Observer};
use deadweight_report::bytes;
use indicatif::ProgressBar;

use super::weigh_and_keep;
use crate::arguments::Show;
use crate::output::{self, Stream};
use crate::progress;

/// Reports each capture when it is taken.
pub struct Live<'a> {
    show: &'a Show,
    has_dumps: bool,
    reported: Mutex<HashSet<PathBuf>>,
    /// Shown while a capture is being written.
    writing: Mutex<Option<ProgressBar>>,
}

impl<'a> Live<'a> {
    /// `has_dumps` says whether captures are dumps that can be weighed.
    pub fn new(show: &'a Show, has_dumps: bool) -> Self {
        Self {
            show,
            has_dumps,
            reported: Mutex::default(),
            writing: Mutex::default(),
        }
    }

    /// Whether a capture was reported while the program ran.
    pub fn has_reported(&self, directory: &Path) -> bool {
        let reported = self.reported.lock().unwrap_or_else(PoisonError::into_inner);
        reported.contains(directory)
    }

    fn report(&self, capture: &Capture) -> anyhow::Result<()> {
        let weighing = weigh_and_keep(capture, &output::options(self.show), |_| ())?;
        output::write(&[weighing], self.show, Stream::Error)
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
        progress::note(format_args!("captured {}", capture.directory.display()));
        if let Some(Err(error)) = self.has_dumps.then(|| self.report(capture)) {
            eprintln!("deadweight: {}", output::describe(&error));
        }
        let mut reported = self.reported.lock().unwrap_or_else(PoisonError::into_inner);
        reported.insert(capture.directory.clone());
    }
}
