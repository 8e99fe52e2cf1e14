//! The neutral record of allocations that recorders in any language write. `docs/formats/churn.md` describes it.

mod code;
mod crystal;
mod format;
mod lines;
mod logs;
mod read;
mod returns;
mod roles;
mod strip;

use std::path::Path;

use deadweight_heap::Churn;

pub(crate) use format::Allocations;
pub(crate) use logs::writes_logs;
pub(crate) use read::below;
pub(crate) use roles::{is_own_library, revealing_pieces, role};

use crate::ReadError;

/// Reads a record from its bytes.
///
/// # Errors
/// [`ReadError::Malformed`] with the byte offset when a line is not what the format says.
pub fn read(bytes: &[u8], path: &Path) -> Result<Churn, ReadError> {
    read::read(bytes).map_err(|error| error.in_file(path))
}
