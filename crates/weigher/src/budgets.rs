//! `deadweight.toml` and what it names.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use deadweight_compare::check::{Baseline, Config};
use deadweight_formats::jvm::Containers;
use deadweight_rules::rulebook;
use deadweight_weighing::{Weighing, harmless};

use crate::WeighError;

/// What a configuration is called.
pub const CONFIG: &str = "deadweight.toml";

/// A configuration, and where it is.
#[derive(Clone, Debug)]
pub struct Budgets {
    /// The file.
    pub path: PathBuf,
    /// What it says.
    pub config: Config,
}

impl Budgets {
    /// Reads a configuration. With `since` its baseline is left out, as that is of whole moments.
    ///
    /// # Errors
    /// When it cannot be read or used, or sets no budget and no baseline.
    pub fn read(path: &Path, since: bool) -> Result<Self, WeighError> {
        let text = fs::read_to_string(path).map_err(|source| WeighError::Read {
            path: path.to_owned(),
            source,
        })?;
        let mut config = Config::parse(&text, rulebook()).map_err(|source| WeighError::Config {
            path: path.to_owned(),
            source,
        })?;
        if since {
            config.baseline = None;
        }
        if config.is_empty() {
            return Err(WeighError::NothingToCheck {
                path: path.to_owned(),
            });
        }
        Ok(Self {
            path: path.to_owned(),
            config,
        })
    }

    /// Where the baseline is kept, if one is asked for: what a configuration names is beside it, wherever the check is
    /// started.
    #[must_use]
    pub fn kept(&self) -> Option<PathBuf> {
        let directory = self.path.parent().unwrap_or(Path::new(""));
        self.config.baseline.as_ref().map(|name| directory.join(name))
    }

    /// What was kept; nothing where there is no such file yet.
    ///
    /// # Errors
    /// When the file cannot be read or used.
    pub fn baseline(kept: &Path) -> Result<Option<Baseline>, WeighError> {
        let path = || kept.to_owned();
        let text = match fs::read(kept) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(source) => return Err(WeighError::Read { path: path(), source }),
        };
        let read = Baseline::parse(&text).map_err(|source| WeighError::Baseline { path: path(), source })?;
        Ok(Some(read))
    }

    /// What was cut off may be what breaks a budget: of a part nothing can be said.
    ///
    /// # Errors
    /// [`WeighError::Partial`] for a weighing of a part.
    pub fn whole(weighing: &Weighing) -> Result<(), WeighError> {
        match &weighing.partial {
            Some(why) => Err(WeighError::Partial {
                path: harmless(&weighing.source.path),
                why: harmless(why),
            }),
            None => Ok(()),
        }
    }
}

/// The containers on the JVM that the configuration of the working directory adds to those that are shipped; `None` where
/// there is no configuration.
///
/// # Errors
/// When it cannot be read, or does not say what a container needs.
pub(crate) fn containers() -> Result<Option<Containers>, WeighError> {
    let here = std::env::current_dir().ok();
    let Some(path) = here.and_then(|here| nearest(&here)) else {
        return Ok(None);
    };
    let text = fs::read_to_string(&path).map_err(|source| WeighError::Read {
        path: path.clone(),
        source,
    })?;
    let found = Containers::of_config(&text).map_err(|source| WeighError::Containers { path, source })?;
    Ok(Some(found))
}

/// The configuration of a directory: its own, or the one of the nearest directory above.
#[must_use]
pub fn nearest(start: &Path) -> Option<PathBuf> {
    let mut paths = start.ancestors().map(|directory| directory.join(CONFIG));
    paths.find(|path| path.is_file())
}
