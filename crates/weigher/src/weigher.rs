//! What all ways to a weighing have in common.

use std::path::Path;

use deadweight_heap::Heap;
use deadweight_report::Redaction;
use deadweight_rules::Options;
use deadweight_weighing::Weighing;

use crate::Watch;

/// Who looks at a heap that is weighed, as it is gone afterwards.
pub type Seen<'a> = &'a mut dyn FnMut(&Heap);

/// Weighs dumps, captures and processes, and reads stored weighings.
#[derive(Clone, Copy)]
pub struct Weigher<'w> {
    /// Replaces what the program's texts say, before anything else sees a weighing; nothing is replaced without one.
    pub redaction: Option<&'w Redaction>,
    /// Whether a file of source that a dump or a record names may be read. Who names it may be anybody.
    pub may_read: &'w dyn Fn(&Path) -> bool,
    /// Whether the process ends soon: heaps are then left to the system.
    pub ends: bool,
    /// Who watches the work.
    pub watch: &'w dyn Watch,
}

impl Weigher<'_> {
    /// The weighing as it may be shown.
    #[must_use]
    pub fn shown(&self, weighing: Weighing) -> Weighing {
        match self.redaction {
            Some(redaction) => redaction.weighing(weighing),
            None => weighing,
        }
    }

    pub(crate) fn watched(&self, options: &Options) -> Options {
        Options {
            observer: self.watch.looking(),
            ..options.clone()
        }
    }
}
