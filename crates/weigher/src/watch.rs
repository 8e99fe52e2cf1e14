//! Who sees the work while it lasts.

use std::any::Any;
use std::fmt;

use deadweight_capture::attach::Estimate;
use deadweight_rules::Looking;

/// Hears what a [`Weigher`](crate::Weigher) is at. What begins a work gets something back that is dropped at its end.
pub trait Watch: Sync {
    /// What is no result and no error, for people.
    fn note(&self, _what: fmt::Arguments<'_>) {}

    /// What people must know that a program of theirs went through, however quiet they want it.
    fn stood_still(&self, _what: fmt::Arguments<'_>) {}

    /// Work on a dump that has so many bytes as stored.
    fn work(&self, _what: String, _stored: u64) -> Box<dyn Any> {
        Box::new(())
    }

    /// A wait of unknown length.
    fn wait(&self, _what: String) -> Box<dyn Any> {
        Box::new(())
    }

    /// What a capture of a running process may cost it, before it does.
    fn estimate(&self, _pid: u32, _estimate: &Estimate) {}

    /// Whom rules tell that they look.
    fn looking(&self) -> Option<fn(Looking)> {
        None
    }
}

/// Nobody.
impl Watch for () {}
