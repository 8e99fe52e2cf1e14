//! What prove, diff and check start from: dumps, captures and weighings, in any mix; and a directory of captures.

use std::borrow::Cow;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use deadweight_capture::read_capture;
use deadweight_rules::Options;
use deadweight_sidecar::WEIGHING;
use deadweight_weighing::{Finding, OTHERS, ReadError, Weighing};

use crate::{WeighError, Weigher};

/// Enough of a file to distinguish a weighing from a dump.
const HEAD: u64 = 256;

/// No weighing is larger than this many bytes.
const MOST: u64 = 256 << 20;

impl Weigher<'_> {
    /// Weighs a dump or a capture with every finding listed, or reads a weighing back. `operations` counts for records of
    /// allocations that do not say how many they stand for.
    ///
    /// # Errors
    /// When the input is not there, cannot be read, or is not what it must be.
    pub fn weighing(&self, path: &Path, operations: u64) -> Result<Weighing, WeighError> {
        match stored(path)? {
            Some(weighing) => Ok(self.shown(weighing)),
            None => self.weigh(path, None, operations, &Options::all()),
        }
    }

    /// The same of the side before a change. A capture has the findings about its source that it had when it was taken: where
    /// the source was changed since, as it is for every fix, it no longer shows them.
    ///
    /// # Errors
    /// When the input is not there, cannot be read, or is not what it must be.
    pub fn before(&self, path: &Path) -> Result<Weighing, WeighError> {
        let mut weighing = self.weighing(path, 0)?;
        let recorded = latest(path)?.join(WEIGHING);
        let recorded = if recorded.is_file() {
            stored(&recorded)?
        } else {
            None
        };
        let recorded = recorded.and_then(|recorded| self.shown(recorded).churned);
        if let (Some(now), Some(recorded)) = (&mut weighing.churned, recorded) {
            let is_lost = |finding: &Finding| {
                let mut findings = now.findings.iter().chain(&now.options);
                finding.rule != OTHERS && findings.all(|other| other.fingerprint != finding.fingerprint)
            };
            if recorded.findings.iter().any(is_lost) {
                *now = recorded;
            }
        }
        Ok(weighing)
    }

    /// The same for several.
    ///
    /// # Errors
    /// When the input is not there, cannot be read, or is not what it must be.
    pub fn weighings(&self, paths: &[PathBuf], operations: u64) -> Result<Vec<Weighing>, WeighError> {
        paths.iter().map(|path| self.weighing(path, operations)).collect()
    }

    /// The same, and says which it is.
    ///
    /// # Errors
    /// When the input is not there, cannot be read, or is not what it must be.
    pub fn named_latest<'p>(&self, path: &'p Path) -> Result<Cow<'p, Path>, WeighError> {
        let latest = latest(path)?;
        if let Cow::Owned(latest) = &latest {
            self.watch.note(format_args!(
                "{}: the latest capture of it is {}",
                path.display(),
                latest.display()
            ));
        }
        Ok(latest)
    }
}

/// What a path stands for: a directory in which `run` left captures stands for the latest of them.
///
/// # Errors
/// When the input is not there, cannot be read, or is not what it must be.
pub fn latest(path: &Path) -> Result<Cow<'_, Path>, WeighError> {
    let of_directory = if path.is_dir() {
        deadweight_capture::latest(path)?
    } else {
        None
    };
    Ok(of_directory.map_or(Cow::Borrowed(path), |(latest, _)| Cow::Owned(latest)))
}

/// Holds captures against the lists of their files: what was cut or changed since would pass for a change of the
/// program.
///
/// # Errors
/// When the input is not there, cannot be read, or is not what it must be.
pub fn verify<'p>(paths: impl IntoIterator<Item = &'p PathBuf>) -> Result<(), WeighError> {
    for path in paths {
        let path = latest(path)?;
        if path.is_dir() {
            read_capture(&path)?.verify()?;
        }
    }
    Ok(())
}

/// A weighing that was stored in a file, as it is; nothing for any other file.
///
/// # Errors
/// When the input is not there, cannot be read, or is not what it must be.
pub fn stored(path: &Path) -> Result<Option<Weighing>, WeighError> {
    if !path.is_file() || !may_be_weighing(path)? {
        return Ok(None);
    }
    let text = fs::read(path).map_err(|source| WeighError::Read {
        path: path.to_owned(),
        source,
    })?;
    match deadweight_weighing::read(&text) {
        // A dump that is JSON, too: its reader says what it lacks.
        Err(ReadError::NotAWeighing) => Ok(None),
        read => read.map(Some).map_err(|source| WeighError::Stored {
            path: path.to_owned(),
            source,
        }),
    }
}

/// Whether a file is JSON that does not start as a dump does: those of Ruby and records of allocations are many objects,
/// one a line. Other tools put a weighing's fields in an order of their own.
fn may_be_weighing(path: &Path) -> Result<bool, WeighError> {
    let mut head = Vec::new();
    let failed = |source| WeighError::Open {
        path: path.to_owned(),
        source,
    };
    let file = File::open(path).map_err(failed)?;
    let size = file.metadata().map_or(0, |file| file.len());
    file.take(HEAD).read_to_end(&mut head).map_err(failed)?;
    head.retain(|byte| !byte.is_ascii_whitespace());
    Ok(size <= MOST && head.starts_with(b"{") && !deadweight_formats::is_known(&head))
}
