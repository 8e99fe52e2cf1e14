//! What the frames of a program of Crystal say of what it made.

mod allocated;
mod names;
mod sources;

use std::path::Path;

pub(super) use allocated::allocated;
pub(super) use names::{last, method};
pub(super) use sources::Sources;

/// The runtime's name in a record.
pub(super) const RUNTIME: &str = "crystal";

/// Whether a file is source of Crystal.
pub(super) fn is_source(file: &str) -> bool {
    Path::new(file)
        .extension()
        .is_some_and(|extension| extension == "cr")
}
