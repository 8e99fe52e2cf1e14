//! Files that are there whole or not at all.

use std::io::{self, Write};
use std::path::Path;

/// Writes a file that its owner alone may read; one of that name is replaced.
pub(crate) fn write(path: &Path, contents: &[u8]) -> io::Result<()> {
    // Temporary files are made with mode 0600.
    let mut file = tempfile::NamedTempFile::new_in(path.parent().unwrap_or(Path::new(".")))?;
    file.write_all(contents)?;
    file.persist(path)?;
    Ok(())
}
