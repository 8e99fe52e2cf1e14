//! Reports of a [`Weighing`]: one module per output, all behind [`Report`].
//!
//! Nothing here looks at the environment: whether a terminal is there, how wide it is and whether colour is wanted
//! come in as parameters, so that the same weighing always gives the same bytes.

use std::io::{self, Write};

use deadweight_weighing::Weighing;

pub mod check;
pub mod cut;
pub mod diff;
mod explain;
pub mod figures;
mod html;
mod json;
mod line;
mod markdown;
pub mod palette;
pub mod profile;
pub mod proof;
mod redact;
pub mod terminal;
mod tiers;
mod unseen;
mod wrap;

pub use explain::explain;
pub use figures::bytes;
pub use html::Html;
pub use json::Json;
pub use redact::Redaction;
pub use terminal::Terminal;

/// One way to show a weighing.
pub trait Report {
    /// Writes the whole report.
    ///
    /// # Errors
    /// When the weighing cannot be put into this form, or the output takes no more.
    fn write(&self, weighing: &Weighing, out: &mut dyn Write) -> Result<(), WriteError>;
}

/// How text is laid out for a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// Columns to use.
    pub width: usize,
    /// Whether to send colours and bold.
    pub colour: bool,
}

/// Why a report was not written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// The output took no more; [`io::ErrorKind::BrokenPipe`] when its reader has gone away.
    #[error("the report could not be written: {0}")]
    Output(#[from] io::Error),
    /// What was made has no such form.
    #[error("the profile could not be made: {0}")]
    Profile(String),
    /// The weighing has no such form.
    #[error("the weighing could not be put into JSON: {0}")]
    Json(serde_json::Error),
}
