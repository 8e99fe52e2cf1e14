//! Speedscope's file format: <https://www.speedscope.app/file-format-schema.json>.

use std::io::Write;

use deadweight_heap::Churn;
use serde_json::json;

use super::outermost_first;
use crate::WriteError;

/// Weights are bytes; a sample is a stack.
///
/// # Errors
/// When the output takes no more.
pub fn speedscope(churn: &Churn, out: &mut dyn Write) -> Result<(), WriteError> {
    let frames: Vec<_> = churn
        .frames
        .iter()
        .map(|frame| {
            let name = if frame.function.is_empty() {
                "(top of the file)"
            } else {
                &frame.function
            };
            json!({"name": name, "file": frame.file, "line": frame.line, "col": frame.column})
        })
        .collect();
    let nobody = frames.len() as u32;
    let mut samples = Vec::with_capacity(churn.rows.len());
    let mut weights = Vec::with_capacity(churn.rows.len());
    for row in churn.rows.iter().filter(|row| row.bytes > 0) {
        let mut stack = outermost_first(churn, row.stack);
        if stack.is_empty() {
            stack.push(nobody);
        }
        samples.push(stack);
        weights.push(row.bytes);
    }
    let mut frames = frames;
    frames.push(json!({"name": "(no stack)"}));
    let end: u64 = weights.iter().sum();
    let file = json!({
        "$schema": "https://www.speedscope.app/file-format-schema.json",
        "exporter": concat!("deadweight ", env!("CARGO_PKG_VERSION")),
        "name": "bytes made",
        "activeProfileIndex": 0,
        "shared": {"frames": frames},
        "profiles": [{
            "type": "sampled",
            "name": "bytes made",
            "unit": "bytes",
            "startValue": 0,
            "endValue": end,
            "samples": samples,
            "weights": weights,
        }],
    });
    serde_json::to_writer(&mut *out, &file).map_err(WriteError::Json)?;
    writeln!(out)?;
    Ok(())
}
