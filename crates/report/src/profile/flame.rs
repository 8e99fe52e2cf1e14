//! A flame graph of bytes, and the folded stacks it is drawn from.

use std::io::Write;

use deadweight_heap::Churn;
use inferno::flamegraph::{self, Options};

use super::{outermost_first, shown};
use crate::WriteError;
use crate::figures::bytes;

/// One line for each stack and type: `outer;inner;type bytes`.
///
/// # Errors
/// When the output takes no more.
pub fn folded(churn: &Churn, out: &mut dyn Write) -> Result<(), WriteError> {
    for line in lines(churn) {
        writeln!(out, "{line}")?;
    }
    Ok(())
}

fn lines(churn: &Churn) -> Vec<String> {
    let rows = churn.rows.iter().filter(|row| row.bytes > 0);
    let mut lines: Vec<String> = rows
        .map(|row| {
            let mut frames: Vec<String> = outermost_first(churn, row.stack)
                .into_iter()
                .map(|id| shown(churn, id))
                .collect();
            let name = churn.type_name(row);
            if !name.is_empty() {
                frames.push(name.replace([';', '\n', '\r'], " "));
            }
            if frames.is_empty() {
                frames.push("(no stack)".to_owned());
            }
            format!("{} {}", frames.join(";"), row.bytes)
        })
        .collect();
    lines.sort_unstable();
    lines
}

/// An SVG that shows bytes made by call stack; a browser lets one search it and look closer.
///
/// # Errors
/// When nothing was made, or the output takes no more.
pub fn flamegraph(churn: &Churn, out: &mut dyn Write) -> Result<(), WriteError> {
    let lines = lines(churn);
    if lines.is_empty() {
        return Err(WriteError::Profile(
            "nothing was made, so there is nothing to draw".to_owned(),
        ));
    }
    let mut options = Options::default();
    options.title = format!("{} made", bytes(churn.bytes()));
    "bytes".clone_into(&mut options.count_name);
    options.hash = true;
    flamegraph::from_lines(&mut options, lines.iter().map(String::as_str), out)
        .map_err(|error| WriteError::Profile(error.to_string()))
}
