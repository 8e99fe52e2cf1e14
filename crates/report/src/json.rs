//! The weighing as JSON: what other tools read.

use std::io::Write;

use deadweight_weighing::Weighing;

use crate::{Report, WriteError};

/// Indented JSON with the fields of the published schema, and a line end.
#[derive(Clone, Copy, Debug, Default)]
pub struct Json;

impl Report for Json {
    fn write(&self, weighing: &Weighing, out: &mut dyn Write) -> Result<(), WriteError> {
        pretty(weighing, out)
    }
}

/// Indented, with a line end. Written whole, it never stops in the middle of a line for want of a flush.
pub(crate) fn pretty(value: &impl serde::Serialize, out: &mut dyn Write) -> Result<(), WriteError> {
    let mut text = serde_json::to_vec_pretty(value).map_err(WriteError::Json)?;
    text.push(b'\n');
    out.write_all(&text)?;
    Ok(())
}
