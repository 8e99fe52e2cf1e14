//! All weighings below a folder.

use std::fs;
use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};

use super::item::{Bad, Given, Item, Why};

/// Which labels the folders above a file are: `service/version/host` says that the first below the root is the service.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ByPath(Vec<Label>);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Label {
    Service,
    Version,
    Host,
    /// Something else.
    Passed,
}

impl std::str::FromStr for ByPath {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let label = |name| match name {
            "service" => Ok(Label::Service),
            "version" => Ok(Label::Version),
            "host" => Ok(Label::Host),
            "*" => Ok(Label::Passed),
            _ => Err(format!(
                "{name:?} is no label: service, version, host, or * for any folder"
            )),
        };
        Ok(Self(text.split('/').map(label).collect::<Result<_, _>>()?))
    }
}

impl ByPath {
    /// What the folders say, over what is given.
    fn labels(&self, below: &Path, given: &Given) -> Given {
        let mut given = given.clone();
        let folders = below.parent().into_iter().flat_map(Path::components);
        for (label, folder) in self.0.iter().zip(folders) {
            let name = || Some(folder.as_os_str().to_string_lossy().into_owned());
            match label {
                Label::Service => given.service = name(),
                Label::Version => given.version = name(),
                Label::Host => given.host = name(),
                Label::Passed => {}
            }
        }
        given
    }
}

/// Hands on every `*.json` file below a folder, or the one file that it is, and what cannot be read. In the order of their
/// names. Stops when nobody takes any more.
pub(super) fn walk(
    root: &Path,
    by_path: &ByPath,
    given: &Given,
    hand_on: &mut dyn FnMut(Result<(PathBuf, Given), Bad>) -> bool,
) {
    if root.is_file() {
        hand_on(Ok((root.to_owned(), given.clone())));
        return;
    }
    below(root, root, by_path, given, hand_on);
}

fn below(
    root: &Path,
    folder: &Path,
    by_path: &ByPath,
    given: &Given,
    hand_on: &mut dyn FnMut(Result<(PathBuf, Given), Bad>) -> bool,
) -> bool {
    let entries = fs::read_dir(folder).and_then(Iterator::collect::<Result<Vec<_>, _>>);
    let mut entries = match entries {
        Ok(entries) => entries,
        Err(error) => {
            return hand_on(Err(Bad {
                name: folder.display().to_string(),
                why: Why::Unread(error.to_string()),
            }));
        }
    };
    entries.sort_unstable_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let path = entry.path();
        // A link to a folder may lead above it.
        let is_folder = entry.file_type().is_ok_and(|of| of.is_dir());
        let goes_on = if is_folder {
            below(root, &path, by_path, given, hand_on)
        } else if path.extension().is_some_and(|extension| extension == "json") {
            let given = by_path.labels(path.strip_prefix(root).unwrap_or(&path), given);
            hand_on(Ok((path, given)))
        } else {
            true
        };
        if !goes_on {
            return false;
        }
    }
    true
}

/// What is in a file. The time of its last change is when it was captured, unless that is known otherwise.
pub(super) fn item(path: &Path, mut given: Given) -> Result<Item, Bad> {
    let name = path.display().to_string();
    let unread = |error: std::io::Error| Bad {
        name: name.clone(),
        why: Why::Unread(error.to_string()),
    };
    let content = fs::read(path).map_err(unread)?;
    if given.captured_at.is_none() {
        let modified = fs::metadata(path)
            .and_then(|about| about.modified())
            .map_err(unread)?;
        given.captured_at = Some(DateTime::<Utc>::from(modified));
    }
    Ok(Item { name, given, content })
}
