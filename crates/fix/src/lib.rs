//! Findings as edits of the source.
//!
//! [`edits`] takes from a weighing what can be written without a person: each [`Edit`] replaces whole lines of one file
//! and names the conditions under which the program goes on as before. [`Patch::new`] holds the edits against the files
//! at hand and leaves out what no longer fits; a patch is shown as a diff ([`Patch::diff`]) or written
//! ([`Patch::write`]), the latter only into files that git can restore ([`git`]).

mod edit;
pub mod git;
mod joined;
mod offered;
mod patch;
mod write;

pub use edit::{Edit, Hunk};
pub use offered::edits;
pub use patch::{FilePatch, Left, Patch, Why};
pub use write::WriteError;
