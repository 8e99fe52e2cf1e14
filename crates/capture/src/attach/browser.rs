//! A snapshot of what a browser, or another program with an open inspector, runs.

use std::io::Write;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::NamedTempFile;

use super::AttachError;
use super::protocol::{Client, Inspectable, inspectables};

/// How long a piece of a snapshot may take: the first comes when the whole heap was walked.
const PATIENCE: Duration = Duration::from_secs(300);

/// A snapshot that came.
#[derive(Debug)]
pub struct Browsed {
    /// The file, readable by its owner alone; removed with this.
    pub file: NamedTempFile,
    /// What was inspected: the title of a page.
    pub title: String,
    /// How long the page stood still, the time to fetch the snapshot included.
    pub pause: Duration,
}

/// Takes a snapshot of what is inspected at an address: `http://host:port` (its first page), or `ws://host:port/…`.
///
/// # Errors
/// [`AttachError::Protocol`] when nobody speaks the protocol there, or the snapshot breaks off.
pub fn browse(address: &str) -> Result<Browsed, AttachError> {
    let (url, title) = chosen(address)?;
    let failed = |error: std::io::Error| AttachError::Protocol {
        at: address.to_owned(),
        why: format!("the snapshot cannot be kept: {error}"),
    };
    let mut file = tempfile::Builder::new()
        .prefix("deadweight-")
        .suffix(".heapsnapshot")
        .tempfile()
        .map_err(failed)?;
    let mut client = Client::connect(&url)?;
    let mut call = |method: &str, parameters: &Value, out: &mut dyn Write| {
        client.call(method, parameters, PATIENCE, |chunk| {
            out.write_all(chunk.as_bytes())
        })
    };
    let nowhere = &mut std::io::sink();
    call("HeapProfiler.enable", &json!({}), nowhere)?;
    let start = Instant::now();
    call("HeapProfiler.collectGarbage", &json!({}), nowhere)?;
    let mut out = std::io::BufWriter::with_capacity(1 << 20, file.as_file_mut());
    let taken = call(
        "HeapProfiler.takeHeapSnapshot",
        &json!({ "reportProgress": false, "captureNumericValue": true }),
        &mut out,
    );
    let pause = start.elapsed();
    taken?;
    out.flush().map_err(failed)?;
    drop(out);
    Ok(Browsed { file, title, pause })
}

/// The address of the WebSocket, and what is there.
fn chosen(address: &str) -> Result<(String, String), AttachError> {
    if address.starts_with("ws://") {
        return Ok((address.to_owned(), address.to_owned()));
    }
    let authority = address.strip_prefix("http://").unwrap_or(address);
    let all = inspectables(authority.trim_end_matches('/'));
    let usable = |one: &&Inspectable| one.url.is_some();
    let page = |one: &&Inspectable| matches!(one.kind.as_str(), "page" | "node");
    let found = all.iter().filter(usable).find(page).or(all.iter().find(usable));
    let found = found.and_then(|one| Some((one.url.clone()?, one.title.clone())));
    found.ok_or_else(|| AttachError::Protocol {
        at: address.to_owned(),
        why: "nothing there lists pages that can be inspected; start the browser with --remote-debugging-port=9222".to_owned(),
    })
}
