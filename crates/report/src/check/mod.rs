//! Reports of a [`Check`]: a line for each broken budget, GitHub annotations, SARIF.

use std::io::Write;

use deadweight_compare::check::Check;
use deadweight_weighing::Rulebook;

use crate::{Look, WriteError};

mod github;
mod lines;
mod sarif;

pub use lines::{sentence, stale_sentence};

/// What a check was made with, as messages name it.
#[derive(Clone, Copy, Debug)]
pub struct Names<'n> {
    /// The configuration.
    pub config: &'n str,
    /// The baseline.
    pub baseline: &'n str,
}

/// Writes one line for each broken budget and each stale suppression, and one that sums up unless `quiet`.
///
/// # Errors
/// When the output takes no more.
pub fn terminal(
    check: &Check,
    names: Names<'_>,
    look: Look,
    quiet: bool,
    out: &mut dyn Write,
) -> Result<(), WriteError> {
    Ok(out.write_all(lines::lines(check, names, look, quiet).as_bytes())?)
}

/// Writes workflow commands that GitHub shows beside the source line, where it is known.
///
/// # Errors
/// When the output takes no more.
pub fn github(check: &Check, names: Names<'_>, out: &mut dyn Write) -> Result<(), WriteError> {
    Ok(out.write_all(github::commands(check, names).as_bytes())?)
}

/// Writes SARIF 2.1.0, with the rules' pages as help.
///
/// # Errors
/// When the output takes no more.
pub fn sarif(
    check: &Check,
    names: Names<'_>,
    rules: &Rulebook,
    out: &mut dyn Write,
) -> Result<(), WriteError> {
    crate::json::pretty(&sarif::log(check, names, rules), out)
}

/// Writes the check as JSON.
///
/// # Errors
/// When the output takes no more.
pub fn json(check: &Check, out: &mut dyn Write) -> Result<(), WriteError> {
    crate::json::pretty(check, out)
}
