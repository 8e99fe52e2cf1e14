//! What the user allows when the server starts.

use std::path::PathBuf;

use crate::Roots;

/// What the user allows when the server starts.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Where files may be read, and programs started.
    pub roots: Roots,
    /// Whether programs may be started.
    pub allow_run: bool,
    /// Whether programs that run already may be stopped for a capture.
    pub allow_attach: bool,
    /// Whether texts of programs are shown as they are; else hashes take their place.
    pub show_texts: bool,
    /// The file of the `deadweight` command, which starts programs with a recorder.
    pub command: PathBuf,
}
