//! What prove, diff and check start from: dumps, captures and weighings, in any mix.

use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

use anyhow::Context;
use deadweight_report::json;
use deadweight_rules::{Options, Weighing};

use crate::dump;

/// Enough of a file to tell a weighing from a dump: its schema is its first field.
const HEAD: u64 = 256;

/// Weighs a dump or a capture with every finding listed, or reads a weighing back.
pub fn weighing(path: &Path) -> anyhow::Result<Weighing> {
    if path.is_file() && is_weighing(path)? {
        let text = fs::read(path).with_context(|| format!("{} could not be read", path.display()))?;
        return json::read(&text).with_context(|| path.display().to_string());
    }
    dump::weigh(path, &Options { fold_below: 0.0 })
}

/// Whether a file starts as an object whose first field is a schema of ours. Dumps of V8 are JSON, too, and start
/// with their snapshot.
fn is_weighing(path: &Path) -> anyhow::Result<bool> {
    let mut head = Vec::new();
    let file = File::open(path).with_context(|| path.display().to_string())?;
    file.take(HEAD)
        .read_to_end(&mut head)
        .with_context(|| path.display().to_string())?;
    let head: Vec<u8> = head
        .into_iter()
        .filter(|byte| !byte.is_ascii_whitespace())
        .collect();
    Ok(head.starts_with(b"{\"schema\":\"deadweight/"))
}
