//! V8's sampling heap profiles: `.heapprofile` files, as `node --heap-prof`, Chrome's `DevTools` and our recorder write.

mod build;
mod distance;
mod flat;
mod format;
mod nodes;
mod strip;

pub(crate) use build::path_of;

use std::path::Path;

use deadweight_heap::Churn;

pub(crate) use format::Profile;

use crate::ReadError;

/// What a recorder noted beside a profile; all unknown for a file that stands alone.
#[derive(Clone, Debug, Default)]
pub struct ProfileFacts {
    /// The average distance between samples, in bytes.
    pub every_bytes: Option<u64>,
    /// Operations the program marked.
    pub operations: u64,
    /// Version of the runtime, empty when unknown.
    pub version: String,
    /// The directory the program ran in, empty when unknown.
    pub root: String,
    /// What the process said of itself.
    pub totals: deadweight_heap::Totals,
    /// Whether objects that were collected meanwhile are in the profile; `None` when unknown.
    pub collected: Option<bool>,
}

/// Reads a profile from its bytes.
///
/// # Errors
/// [`ReadError::Malformed`] with the byte offset when it is not what V8 writes.
pub fn read(bytes: &[u8], facts: &ProfileFacts, path: &Path) -> Result<Churn, ReadError> {
    let profile = nodes::read(bytes).map_err(|error| error.in_file(path))?;
    build::churn(&profile, facts).map_err(|error| error.in_file(path))
}
