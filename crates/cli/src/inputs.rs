//! What prove, diff and check start from: dumps, captures and weighings, in any mix.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use deadweight_weighing::Weighing;

use crate::dump::weigher;

pub use deadweight_weigher::{stored, verify};

/// Weighs a dump or a capture with every finding listed, or reads a weighing back.
pub fn weighing(path: &Path, operations: u64) -> anyhow::Result<Weighing> {
    Ok(weigher().weighing(path, operations)?)
}

/// The same of the side before a change.
pub fn before(path: &Path) -> anyhow::Result<Weighing> {
    Ok(weigher().before(path)?)
}

/// The same for several.
pub fn weighings(paths: &[PathBuf], operations: u64) -> anyhow::Result<Vec<Weighing>> {
    Ok(weigher().weighings(paths, operations)?)
}

/// What a path stands for: a directory in which `run` left captures stands for the latest of them, and says which it is.
pub fn named_latest(path: &Path) -> anyhow::Result<Cow<'_, Path>> {
    Ok(weigher().named_latest(path)?)
}
