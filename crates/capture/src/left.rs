//! What runs left in a directory of captures, to be removed.

use std::{
    collections::BTreeMap,
    ffi::OsStr,
    fs, io,
    path::{Path, PathBuf},
    time::SystemTime,
};

use deadweight_sidecar::{CURVE, NATIVE_CHURN_EXTENSION, NATIVE_DUMP_EXTENSION, RECORD, WEIGHING};

use crate::{capture::list, error::CaptureError, unfinished::lives};

/// What is written as a file of its own, with what stands beside it under the same name.
const BESIDE: [&str; 2] = [NATIVE_DUMP_EXTENSION, NATIVE_CHURN_EXTENSION];

/// Snapshots that were taken near the limit of a heap.
const NEAR_LIMIT: &str = "heapsnapshot";

/// A capture, or a dump with what stands beside it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Left {
    paths: Vec<PathBuf>,
    bytes: u64,
    written: SystemTime,
}

impl Left {
    /// Its directory, or the first of its files.
    pub fn name(&self) -> &Path {
        &self.paths[0]
    }

    /// What it takes on the disk.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Removes it.
    ///
    /// # Errors
    ///
    /// When the system refuses; what was removed until then is gone.
    pub fn remove(&self) -> io::Result<()> {
        self.paths.iter().try_for_each(|path| {
            if fs::symlink_metadata(path)?.is_dir() {
                fs::remove_dir_all(path)
            } else {
                fs::remove_file(path)
            }
        })
    }
}

/// All in a directory, the oldest first. What has another name stays, and so does what a process is still writing.
///
/// # Errors
///
/// [`CaptureError::Directory`] if the directory cannot be listed.
pub fn left(directory: &Path) -> Result<Vec<Left>, CaptureError> {
    let mut all: Vec<Left> = list(directory)?
        .into_iter()
        .filter(|path| path.join(RECORD.name()).exists() || !process(path).is_some_and(lives))
        .map(|path| Left {
            bytes: size(&path),
            written: written(&path),
            paths: vec![path],
        })
        .collect();
    let failed = |source| CaptureError::Directory {
        path: directory.to_owned(),
        source,
    };
    let mut files: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
    for entry in fs::read_dir(directory).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if let Some(stem) = stem(&path).filter(|_| path.is_file()) {
            files.entry(stem.to_owned()).or_default().push(path);
        }
    }
    for (_, mut paths) in files {
        paths.sort();
        all.push(Left {
            bytes: paths.iter().map(|path| size(path)).sum(),
            written: paths
                .iter()
                .map(|path| written(path))
                .max()
                .unwrap_or(SystemTime::UNIX_EPOCH),
            paths,
        });
    }
    all.sort_by(|a, b| (a.written, &a.paths).cmp(&(b.written, &b.paths)));
    Ok(all)
}

/// The name without what says which of its files it is; `None` for what no run writes. One under a hidden name is still
/// being written.
fn stem(path: &Path) -> Option<&str> {
    let name = path.file_name()?.to_str().filter(|name| !name.starts_with('.'))?;
    let known = [WEIGHING, CURVE.name(), NEAR_LIMIT].into_iter().chain(BESIDE);
    let mut stems = known.filter_map(|extension| name.strip_suffix(extension)?.strip_suffix('.'));
    stems.next().filter(|stem| process(Path::new(stem)).is_some())
}

/// The process that a name tells: `<program>-<pid>-<n>`, with `limit` before the last for those near a limit.
fn process(path: &Path) -> Option<u32> {
    let name = path.file_name().and_then(OsStr::to_str)?;
    let name = name.split_once('.').map_or(name, |(stem, _)| stem);
    let mut parts = name.rsplit('-');
    parts.next()?.parse::<u32>().ok()?;
    let pid = match parts.next()? {
        "limit" => parts.next()?,
        pid => pid,
    };
    parts.next()?;
    pid.parse().ok()
}

fn written(path: &Path) -> SystemTime {
    let modified = fs::symlink_metadata(path).and_then(|facts| facts.modified());
    modified.unwrap_or(SystemTime::UNIX_EPOCH)
}

/// Bytes of a file, or of all in a directory.
pub(crate) fn size(path: &Path) -> u64 {
    let Ok(facts) = fs::symlink_metadata(path) else {
        return 0;
    };
    let entries = facts
        .is_dir()
        .then(|| fs::read_dir(path))
        .into_iter()
        .flatten()
        .flatten();
    let within: u64 = entries.flatten().map(|entry| size(&entry.path())).sum();
    within + if facts.is_dir() { 0 } else { facts.len() }
}

#[cfg(test)]
mod tests {
    use std::{process::id, time::Duration};

    use super::*;

    #[test]
    fn captures_go_with_what_stands_beside_them_and_nothing_else_does() {
        let home = tempfile::tempdir().unwrap();
        let at = |name: &str| home.path().join(name);
        for name in ["app-7-1.deadweight", &format!("app-{}-1.deadweight", id())] {
            fs::create_dir(at(name)).unwrap();
        }
        fs::write(at("app-7-1.deadweight/capture.json"), "{}").unwrap();
        let ours = [
            "a-tool-8-1.dwheap",
            "a-tool-8-1.curve.json",
            "a-tool-8-1.weighing.json",
            "app-9-limit-1.heapsnapshot",
            "app-9-limit-1.weighing.json",
        ];
        let theirs = [
            ".gitignore",
            "mine.heapsnapshot",
            "notes.weighing.json",
            ".x-1-2-0.partial",
        ];
        for name in ours.iter().chain(&theirs) {
            fs::write(at(name), "12345").unwrap();
        }
        let newest = fs::File::options().write(true).open(at(ours[3])).unwrap();
        newest
            .set_modified(SystemTime::now() + Duration::from_secs(60))
            .unwrap();
        let all = left(home.path()).unwrap();
        let sizes: Vec<u64> = all.iter().map(Left::bytes).collect();
        assert_eq!(all.len(), 3, "{all:?}");
        assert!(
            sizes.contains(&2) && sizes.contains(&15) && sizes.contains(&10),
            "{all:?}"
        );
        assert_eq!(all[2].name(), at(ours[3]));
        all.iter().try_for_each(Left::remove).unwrap();
        let mut names: Vec<_> = fs::read_dir(home.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name())
            .collect();
        names.sort();
        // This process lives, so that its capture may still be being written.
        let mut stay: Vec<_> = theirs.map(std::ffi::OsString::from).to_vec();
        stay.push(format!("app-{}-1.deadweight", id()).into());
        stay.sort();
        assert_eq!(names, stay);
        assert!(left(home.path()).unwrap().is_empty());
    }
}
