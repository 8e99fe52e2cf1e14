//! Puts the files of a recorder where the program can load them.
//!
//! They stay there: a program, or a child of it, may outlive this process and would not start if the file its
//! environment names had gone.

use std::{
    env, fs,
    hash::Hasher,
    io::{self, Write},
    os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt},
    path::{Path, PathBuf},
};

use deadweight_recorders::Library;
use twox_hash::XxHash3_64;

use super::Recorder;
use crate::error::CaptureError;

/// Why nothing could be put anywhere.
#[derive(Debug)]
pub(crate) struct Refused {
    /// The place that was tried last.
    pub path: PathBuf,
    pub source: io::Error,
}

impl From<Refused> for CaptureError {
    fn from(Refused { path, source }: Refused) -> Self {
        Self::Recorder { path, source }
    }
}

/// Writes the files of a recorder, unless they are there already, and returns their directory: one per content, in the
/// user's cache, or in the temporary directory if that cannot be used.
pub(crate) fn install(recorder: &dyn Recorder) -> Result<PathBuf, CaptureError> {
    let name = format!("deadweight-recorder-{}", recorder.runtime().name());
    Ok(put(&name, recorder.files(), &|_| Ok(()))?)
}

/// The same for a library, whose path is returned; `None` where this binary carries none. `fits` says what is wrong with
/// a directory, if anything is.
pub(crate) fn install_library(
    library: &Library,
    fits: &dyn Fn(&Path) -> io::Result<()>,
) -> Result<Option<PathBuf>, Refused> {
    let damaged = |source| Refused {
        path: PathBuf::from(library.name),
        source,
    };
    let Some(bytes) = library.bytes().map_err(damaged)? else {
        return Ok(None);
    };
    let directory = put("deadweight-library", &[(library.name, &bytes)], &|path| {
        is_executable(path)?;
        fits(path)
    })?;
    Ok(Some(directory.join(library.name)))
}

fn put(
    name: &str,
    files: &[(&str, &[u8])],
    fits: &dyn Fn(&Path) -> io::Result<()>,
) -> Result<PathBuf, Refused> {
    let name = format!("{name}-{:016x}", digest(files));
    let mut refused = None;
    for home in homes() {
        let path = home.join(&name);
        match write(files, &path).and_then(|()| fits(&path)) {
            Ok(()) => return Ok(path),
            Err(source) => refused = Some(Refused { path, source }),
        }
    }
    Err(refused.expect("the temporary directory is always tried"))
}

fn digest(files: &[(&str, &[u8])]) -> u64 {
    let mut hasher = XxHash3_64::new();
    for (name, bytes) in files {
        for part in [name.as_bytes(), bytes] {
            hasher.write(&part.len().to_le_bytes());
            hasher.write(part);
        }
    }
    hasher.finish()
}

/// On a file system that is mounted `noexec` the dynamic linker maps no library, and the program would run unrecorded.
fn is_executable(path: &Path) -> io::Result<()> {
    let mounted = rustix::fs::statvfs(path)?;
    if mounted.f_flag.contains(rustix::fs::StatVfsMountFlags::NOEXEC) {
        return Err(io::Error::new(
            io::ErrorKind::PermissionDenied,
            "nothing can be executed from there",
        ));
    }
    Ok(())
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

/// What is there already must be the same to the last byte.
fn write(files: &[(&str, &[u8])], path: &Path) -> io::Result<()> {
    if let Some(parent) = path.parent() {
        make_private(parent)?;
    }
    make_private(path)?;
    for (name, bytes) in files {
        let file = path.join(name);
        if fs::read(&file).is_ok_and(|there| there == *bytes) {
            continue;
        }
        let mut part = tempfile::NamedTempFile::new_in(path)?;
        part.write_all(bytes)?;
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
            "it belongs to another user",
        ));
    }
    if facts.mode() & 0o077 != 0 {
        fs::set_permissions(path, fs::Permissions::from_mode(0o700))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    const FILES: &[(&str, &[u8])] = &[("recorder.so", b"\x7fELF, say"), ("other", b"text")];

    #[test]
    fn files_are_private_and_a_changed_one_is_mended() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("deadweight/node-0");
        write(FILES, &path).unwrap();
        assert_eq!(fs::metadata(&path).unwrap().mode() & 0o777, 0o700);
        let (name, bytes) = FILES[0];
        fs::write(path.join(name), "changed").unwrap();
        write(FILES, &path).unwrap();
        assert_eq!(fs::read(path.join(name)).unwrap(), bytes);
        assert_eq!(fs::metadata(path.join(name)).unwrap().mode() & 0o777, 0o600);
    }

    #[test]
    fn several_at_once_leave_whole_files_and_nothing_else() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("deadweight/library-0");
        thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| write(FILES, &path).unwrap());
            }
        });
        assert_eq!(fs::read_dir(&path).unwrap().count(), FILES.len());
        for (name, bytes) in FILES {
            assert_eq!(fs::read(path.join(name)).unwrap(), *bytes);
        }
    }

    #[test]
    fn another_content_has_another_name() {
        assert_ne!(digest(FILES), digest(&FILES[..1]));
        assert_ne!(digest(&[("a", b"bc")]), digest(&[("ab", b"c")]));
    }

    #[test]
    fn a_link_is_not_followed() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("link");
        std::os::unix::fs::symlink(home.path(), &path).unwrap();
        assert_eq!(
            write(FILES, &path).unwrap_err().kind(),
            io::ErrorKind::PermissionDenied
        );
    }
}
