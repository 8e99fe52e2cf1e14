//! Puts the files of a recorder where the program can load them.
//!
//! They stay there: a program, or a child of it, may outlive this process and would not start if the file its
//! environment names had gone.

use std::{
    env, fs,
    hash::{DefaultHasher, Hash, Hasher},
    io::{self, Write},
    os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt},
    path::{Path, PathBuf},
};

use super::Recorder;
use crate::error::CaptureError;

/// Writes the files, unless they are there already, and returns their directory: one per content, in the user's
/// cache, or in the temporary directory if that cannot be used.
pub(crate) fn install(recorder: &dyn Recorder) -> Result<PathBuf, CaptureError> {
    let mut hasher = DefaultHasher::new();
    recorder.files().hash(&mut hasher);
    let name = format!(
        "deadweight-recorder-{}-{:016x}",
        recorder.runtime().name(),
        hasher.finish()
    );
    let mut refused = None;
    for home in homes() {
        let path = home.join(&name);
        match write(recorder, &path) {
            Ok(()) => return Ok(path),
            Err(source) => refused = Some(CaptureError::Recorder { path, source }),
        }
    }
    Err(refused.expect("the temporary directory is always tried"))
}

fn homes() -> Vec<PathBuf> {
    let absolute = |name| {
        env::var_os(name)
            .map(PathBuf::from)
            .filter(|path| path.is_absolute())
    };
    let cache = absolute("XDG_CACHE_HOME").or_else(|| Some(absolute("HOME")?.join(".cache")));
    let user = rustix::process::geteuid().as_raw();
    let temporary = env::temp_dir().join(format!("deadweight-{user}"));
    cache
        .map(|cache| cache.join("deadweight"))
        .into_iter()
        .chain([temporary])
        .collect()
}

fn write(recorder: &dyn Recorder, path: &Path) -> io::Result<()> {
    if let Some(parent) = path.parent() {
        make_private(parent)?;
    }
    make_private(path)?;
    for (name, text) in recorder.files() {
        let file = path.join(name);
        if fs::read(&file).is_ok_and(|there| there == text.as_bytes()) {
            continue;
        }
        let mut part = tempfile::NamedTempFile::new_in(path)?;
        part.write_all(text.as_bytes())?;
        part.persist(&file).map_err(|error| error.error)?;
    }
    Ok(())
}

/// Makes a directory that nobody else can write to, or makes sure that the one which is there is such a one: what
/// lies in it will be run.
fn make_private(path: &Path) -> io::Result<()> {
    fs::DirBuilder::new().recursive(true).mode(0o700).create(path)?;
    let facts = fs::symlink_metadata(path)?;
    if !facts.is_dir() || facts.uid() != rustix::process::geteuid().as_raw() {
        return Err(io::Error::new(
            io::ErrorKind::PermissionDenied,
            "it belongs to somebody else",
        ));
    }
    if facts.mode() & 0o077 != 0 {
        fs::set_permissions(path, fs::Permissions::from_mode(0o700))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recorder::NodeRecorder;

    #[test]
    fn files_are_private_and_a_changed_one_is_mended() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("deadweight/node-0");
        write(&NodeRecorder, &path).unwrap();
        assert_eq!(fs::metadata(&path).unwrap().mode() & 0o777, 0o700);
        let (name, text) = NodeRecorder.files()[0];
        fs::write(path.join(name), "changed").unwrap();
        write(&NodeRecorder, &path).unwrap();
        assert_eq!(fs::read_to_string(path.join(name)).unwrap(), text);
        assert_eq!(fs::metadata(path.join(name)).unwrap().mode() & 0o777, 0o600);
    }

    #[test]
    fn a_link_is_not_followed() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("link");
        std::os::unix::fs::symlink(home.path(), &path).unwrap();
        assert_eq!(
            write(&NodeRecorder, &path).unwrap_err().kind(),
            io::ErrorKind::PermissionDenied
        );
    }
}
