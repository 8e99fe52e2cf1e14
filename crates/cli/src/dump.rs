//! How this process weighs: with its redaction, and its progress on standard error.

use std::any::Any;
use std::fmt;
use std::path::Path;

use deadweight_capture::Capture;
use deadweight_capture::attach::Estimate;
use deadweight_heap::Churn;
use deadweight_rules::{Looking, Options};
use deadweight_weigher::{Seen, Watch, Weigher};
use deadweight_weighing::Weighing;

use crate::{attach, progress, redact};

/// What people see of the work.
struct Progress;

impl Watch for Progress {
    fn note(&self, what: fmt::Arguments<'_>) {
        progress::note(what);
    }

    fn stood_still(&self, what: fmt::Arguments<'_>) {
        eprintln!("deadweight: {what}");
    }

    fn work(&self, what: String, stored: u64) -> Box<dyn Any> {
        Box::new(progress::work(what, stored))
    }

    fn wait(&self, what: String) -> Box<dyn Any> {
        Box::new(progress::Spinner::new(what))
    }

    fn estimate(&self, pid: u32, estimate: &Estimate) {
        attach::announce(pid, estimate);
    }

    fn looking(&self) -> Option<fn(Looking)> {
        Some(progress::look)
    }
}

/// The one of this process, which ends once it has reported.
pub fn weigher() -> Weigher<'static> {
    Weigher {
        redaction: redact::asked(),
        may_read: &|_| true,
        ends: true,
        watch: &Progress,
    }
}

/// Weighs a dump, a record of allocations, or a capture.
pub fn weigh(
    path: &Path,
    program: Option<&Path>,
    operations: u64,
    options: &Options,
) -> anyhow::Result<Weighing> {
    Ok(weigher().weigh(path, program, operations, options)?)
}

/// The same, and lets somebody look at its heap.
pub fn weigh_seen(
    path: &Path,
    operations: u64,
    options: &Options,
    seen: Seen<'_>,
) -> anyhow::Result<Weighing> {
    Ok(weigher().weigh_seen(path, None, operations, options, seen)?)
}

/// Weighs a capture with all that was recorded beside its snapshot.
pub fn weigh_capture(capture: &Capture, options: &Options, seen: Seen<'_>) -> anyhow::Result<Weighing> {
    Ok(weigher().weigh_capture(capture, options, seen)?)
}

/// A record of allocations, as it may be shown.
pub fn churn(path: &Path) -> anyhow::Result<Churn> {
    let mut churn = weigher().churn(path)?;
    redact::churn(&mut churn);
    Ok(churn)
}
