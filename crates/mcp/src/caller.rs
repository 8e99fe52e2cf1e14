//! Who waits for a tool's answer.

use std::sync::atomic::{AtomicBool, Ordering};

/// Whether the client still waits: it may take its request back.
#[derive(Debug, Default)]
pub(crate) struct Caller(AtomicBool);

impl Caller {
    /// The request was taken back.
    pub(crate) fn give_up(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether nobody waits any more.
    pub(crate) fn has_given_up(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
