//! Writing a patch.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use crate::{FilePatch, Patch};

/// Why a patch is not written, or not to its end.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// A file changed after it was read.
    #[error("{}: it changed while it was read", .0.display())]
    Changed(PathBuf),
    /// A file cannot be written.
    #[error("{}", .0.display())]
    Io(PathBuf, #[source] io::Error),
}

impl Patch {
    /// Writes the files, each whole or not at all, with the rights it had.
    ///
    /// # Errors
    /// When a file is no longer as it was read, or cannot be written. The files before it are written then.
    pub fn write(&self) -> Result<(), WriteError> {
        for file in &self.files {
            file.write()?;
        }
        Ok(())
    }
}

impl FilePatch {
    fn write(&self) -> Result<(), WriteError> {
        let failed = |error| WriteError::Io(self.path.clone(), error);
        let now = fs::read(&self.path).map_err(failed)?;
        if now != self.before.as_bytes() {
            return Err(WriteError::Changed(self.path.clone()));
        }
        self.replace().map_err(failed)
    }

    fn replace(&self) -> io::Result<()> {
        let folder = self.path.parent().unwrap_or(Path::new("."));
        let mut file = tempfile::NamedTempFile::new_in(folder)?;
        file.write_all(self.after.as_bytes())?;
        file.as_file()
            .set_permissions(fs::metadata(&self.path)?.permissions())?;
        file.as_file().sync_all()?;
        file.persist(&self.path)?;
        Ok(())
    }
}
