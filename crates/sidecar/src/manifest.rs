//! `manifest.json`: the files of a capture as they were when it was collected.

use serde::{Deserialize, Serialize};

/// The schema of `manifest.json` that this version writes and reads.
pub const MANIFEST_SCHEMA: &str = "deadweight/manifest/1";

/// All files of a capture.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq, Eq)]
pub struct Manifest {
    /// [`MANIFEST_SCHEMA`].
    pub schema: String,
    /// The files, by name.
    pub files: Vec<Listed>,
}

/// A file of a capture.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq, Eq)]
pub struct Listed {
    /// Its name in the capture's directory.
    pub name: String,
    /// Its size.
    pub bytes: u64,
    /// A hash of what is in it: XXH3 of 64 bits, in hexadecimal digits.
    pub digest: String,
}
