//! Reports of a [`Proof`]: what was predicted, what came, what grew instead.

use std::io::Write;

use deadweight_compare::Proof;

use crate::{Look, WriteError};

mod markdown;
mod terminal;
mod words;

pub(crate) use words::change;

/// Writes a proof for a person at a terminal: the first `limit` findings, or all.
///
/// # Errors
/// When the output takes no more.
pub fn terminal(
    proof: &Proof,
    look: Look,
    limit: Option<usize>,
    out: &mut dyn Write,
) -> Result<(), WriteError> {
    Ok(out.write_all(terminal::screen(proof, look, limit).as_bytes())?)
}

/// Writes a proof as a Markdown page, for a pull request.
///
/// # Errors
/// When the output takes no more.
pub fn markdown(proof: &Proof, out: &mut dyn Write) -> Result<(), WriteError> {
    Ok(out.write_all(markdown::page(proof).as_bytes())?)
}

/// Writes a proof as JSON, as its schema says.
///
/// # Errors
/// When the output takes no more.
pub fn json(proof: &Proof, out: &mut dyn Write) -> Result<(), WriteError> {
    crate::json::pretty(proof, out)
}
