//! `deadweight view`.

use std::env;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::SystemTime;

use anyhow::Context;
use deadweight_capture::CAPTURES;
use deadweight_sidecar::WEIGHING;

use crate::arguments::View;
use crate::{inputs, output};

/// Writes the page and opens it.
pub fn view(arguments: &View) -> anyhow::Result<ExitCode> {
    let latest;
    let paths = if arguments.paths.is_empty() {
        latest = [latest_weighing(Path::new(CAPTURES)).with_context(|| {
            format!(
                "there is no weighed capture in {CAPTURES}: name a dump, a capture directory, or a weighing"
            )
        })?];
        &latest[..]
    } else {
        &arguments.paths
    };
    let weighings = paths
        .iter()
        .map(|path| inputs::weighing(path, 0))
        .collect::<anyhow::Result<Vec<_>>>()?;
    let mut bytes = Vec::new();
    output::html().write_all(&weighings, &mut bytes)?;
    let path = match &arguments.output {
        Some(path) => {
            output::write_file(path, &bytes)?;
            path.clone()
        }
        None => write_temporary(&bytes)?,
    };
    output::deliver(format!("{}\n", path.display()).as_bytes(), None)?;
    if !arguments.no_open {
        // The page is there all the same: where no browser can be started, its path is on the screen.
        if let Err(error) = open::that_detached(&path) {
            eprintln!(
                "deadweight: no browser could be started ({error}); open {} in one",
                path.display()
            );
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Writes a file that stays, readable by its owner alone, as temporary files are.
fn write_temporary(bytes: &[u8]) -> anyhow::Result<PathBuf> {
    let write = || -> io::Result<PathBuf> {
        let mut file = tempfile::Builder::new()
            .prefix("deadweight-")
            .suffix(".html")
            .tempfile()?;
        file.write_all(bytes)?;
        let (_, path) = file.keep()?;
        Ok(path)
    };
    write().with_context(|| format!("no file could be written in {}", env::temp_dir().display()))
}

/// The weighing that was made last: `deadweight run` leaves one beside each capture it shows.
fn latest_weighing(captures: &Path) -> Option<PathBuf> {
    let weighings = fs::read_dir(captures).ok()?.flatten().map(|entry| {
        let path = entry.path();
        if path.is_dir() { path.join(WEIGHING) } else { path }
    });
    let made = |path: &Path| -> Option<SystemTime> {
        let is_weighing = path.file_name()?.to_str()?.ends_with(WEIGHING);
        is_weighing.then(|| path.metadata().ok()?.modified().ok())?
    };
    weighings
        .filter_map(|path| Some((made(&path)?, path)))
        .max()
        .map(|(_, path)| path)
}
