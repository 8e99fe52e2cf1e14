//! Files that are read where they lie, also when another process cuts them shorter meanwhile.

use std::fs::File;
use std::io;
use std::ops::Deref;

use memmap2::Mmap;

#[cfg(unix)]
mod guard;

/// The bytes of a mapped file. They cost no memory of their own.
///
/// Touching a mapped page that its file no longer has ends a process with SIGBUS. Here such pages read as zeros, and
/// [`missing_from`](Self::missing_from) gives where they begin.
#[derive(Debug)]
pub struct MappedFile {
    // Before the mapping: what is unmapped is guarded no longer.
    #[cfg(unix)]
    guard: guard::Guard,
    bytes: Mmap,
}

impl MappedFile {
    /// Maps a file as long as it is now.
    ///
    /// # Errors
    /// When the system does not map it, or thousands of files are mapped already.
    #[expect(unsafe_code, reason = "mapping a file is unsafe by nature")]
    pub fn of(file: &File) -> io::Result<Self> {
        // SAFETY: the bytes are only read, and every reader checks each index and number it takes from them, so that a
        // file another process rewrites meanwhile gives wrong figures or an error, never a bad access. Pages that the
        // file loses are taken over by the guard.
        let bytes = unsafe { Mmap::map(file) }?;
        Ok(Self {
            #[cfg(unix)]
            guard: guard::Guard::of(&bytes)?,
            bytes,
        })
    }

    /// The offset of the first page that was asked for and could not be had: the file was cut, or the disk failed.
    /// Pages nobody asked for are not known.
    #[must_use]
    pub fn missing_from(&self) -> Option<u64> {
        #[cfg(unix)]
        return self.guard.missing_from();
        // Files that are mapped cannot be cut there.
        #[cfg(not(unix))]
        None
    }
}

impl Deref for MappedFile {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.bytes
    }
}

impl AsRef<[u8]> for MappedFile {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}
