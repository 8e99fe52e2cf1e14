//! Where the recorder and the capture lie, so that a running process can read the one and write the other.
//!
//! A process of the same user with the same files reads and writes where this one does. Any other gets a directory of
//! its own below its `/tmp`, from which the capture is fetched afterwards.

use std::fs;
use std::io;
use std::os::unix::fs::{DirBuilderExt, PermissionsExt, lchown};
use std::path::{Path, PathBuf};

use super::AttachError;
use super::target::Target;
use deadweight_sidecar::CAPTURE_EXTENSION;

use crate::error::CaptureError;
use crate::recorder::{Recorder, install};
use crate::whole_file;

/// The two places, as the process names them.
pub(super) struct Exchange {
    /// The directory of the recorder.
    pub recorder: PathBuf,
    /// Where captures go.
    pub captures: PathBuf,
    /// What has to be fetched and removed; `None` when the process writes to its place at once.
    apart: Option<PathBuf>,
    /// Where the captures belong.
    directory: PathBuf,
    /// The user and the group as which the process writes.
    user: (u32, u32),
    /// Its id, by which captures are named.
    pid: u32,
}

impl Exchange {
    /// `recorder` is what the process is to load, if anything.
    pub fn with(
        target: &Target,
        directory: &Path,
        recorder: Option<&dyn Recorder>,
    ) -> Result<Self, AttachError> {
        let made = fs::DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(directory)
            .and_then(|()| directory.canonicalize());
        let directory = made.map_err(|source| CaptureError::Directory {
            path: directory.to_owned(),
            source,
        })?;
        let user = target.user();
        let own = rustix::process::geteuid().as_raw();
        if user.0 == own && !target.is_apart("mnt") {
            return Ok(Self {
                recorder: recorder.map(install).transpose()?.unwrap_or_default(),
                captures: directory.clone(),
                apart: None,
                directory,
                user,
                pid: target.pid,
            });
        }
        let inside = PathBuf::from(format!("/tmp/deadweight-attach-{}", std::process::id()));
        let outside = target
            .proc("root")
            .join(inside.strip_prefix("/").expect("it starts so"));
        let exchange = Self {
            recorder: inside.clone(),
            captures: inside,
            apart: Some(outside.clone()),
            directory,
            user,
            pid: target.pid,
        };
        exchange.fill(&outside, recorder)?;
        Ok(exchange)
    }

    /// Makes a directory that belongs to the process's user alone, with the recorder in it.
    fn fill(&self, outside: &Path, recorder: Option<&dyn Recorder>) -> Result<(), AttachError> {
        // Not recursive: a directory that somebody else made there is an error.
        let made = fs::DirBuilder::new().mode(0o700).create(outside);
        made.map_err(files(outside))?;
        for (name, text) in recorder.into_iter().flat_map(Recorder::files) {
            self.write(&outside.join(name), text)?;
        }
        // Last, as from now on the user can change what is in it.
        self.give(outside).map_err(files(outside))
    }

    /// Makes a directory for files that are no capture, and returns it as this process names it.
    pub fn make_private(&self, path: &Path) -> Result<PathBuf, AttachError> {
        let here = self.seen_from_here(path);
        let made = fs::DirBuilder::new().mode(0o700).create(&here);
        made.and_then(|()| self.give(&here)).map_err(files(&here))?;
        Ok(here)
    }

    /// Writes a file that the process can read, and nobody else. `here` is its place as this process names it.
    pub fn write(&self, here: &Path, contents: &[u8]) -> Result<(), AttachError> {
        let made = whole_file::write(here, contents);
        made.and_then(|()| self.give(here)).map_err(files(here))
    }

    /// A library where the process can load it, as the process names it.
    pub fn hand_over_library(&self, library: &Path) -> Result<PathBuf, AttachError> {
        if self.apart.is_none() {
            return Ok(library.to_owned());
        }
        let inside = self.captures.join(library.file_name().unwrap_or_default());
        let bytes = fs::read(library).map_err(files(library))?;
        self.write(&self.seen_from_here(&inside), &bytes)?;
        Ok(inside)
    }

    /// Makes a file the process's own. A link that its user has put there in the meantime is not followed.
    fn give(&self, here: &Path) -> io::Result<()> {
        match (&self.apart, self.user) {
            (Some(_), (user, group)) => lchown(here, Some(user), Some(group)),
            (None, _) => Ok(()),
        }
    }

    /// Makes the directory of a capture, for a process that makes none itself, and returns it as the process names it.
    pub fn make(&self, program: &str) -> Result<PathBuf, AttachError> {
        let free = |name: &String| {
            let here = self.seen_from_here(&self.captures.join(name));
            !here.exists() && !self.directory.join(name).exists()
        };
        let names = (1..).map(|number: u32| format!("{program}-{}-{number}.{CAPTURE_EXTENSION}", self.pid));
        let name = names.into_iter().find(free).unwrap_or_default();
        let path = self.captures.join(name);
        self.make_private(&path)?;
        Ok(path)
    }

    /// Where this process finds what the process names so.
    pub fn seen_from_here(&self, path: &Path) -> PathBuf {
        match (&self.apart, path.strip_prefix(&self.captures)) {
            (Some(outside), Ok(inside)) => outside.join(inside),
            _ => path.to_owned(),
        }
    }

    /// Removes the directory of a capture that came to nothing.
    pub fn forget(&self, capture: &Path) {
        let _ = fs::remove_dir_all(self.seen_from_here(capture));
    }

    /// The directory of a capture as this process names it, once it is where it belongs.
    pub fn fetch(&self, capture: &Path) -> Result<PathBuf, AttachError> {
        let Some(outside) = &self.apart else {
            return Ok(capture.to_owned());
        };
        let name = capture.file_name().unwrap_or_default();
        let to = self.directory.join(name);
        move_directory(&outside.join(name), &to).map_err(files(&to))?;
        Ok(to)
    }
}

impl Drop for Exchange {
    fn drop(&mut self) {
        if let Some(outside) = &self.apart {
            let _ = fs::remove_dir_all(outside);
        }
    }
}

/// What the system said of a file.
fn files(path: &Path) -> impl FnOnce(io::Error) -> AttachError {
    let path = path.to_owned();
    |source| AttachError::Files { path, source }
}

/// Copies a capture, for it comes from another mount.
fn move_directory(from: &Path, to: &Path) -> io::Result<()> {
    fs::DirBuilder::new().mode(0o700).create(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        // What the process left there must not lead elsewhere.
        if !entry.file_type()?.is_file() {
            continue;
        }
        let file = to.join(entry.file_name());
        fs::copy(entry.path(), &file)?;
        fs::set_permissions(&file, fs::Permissions::from_mode(0o600))?;
        fs::remove_file(entry.path())?;
    }
    Ok(())
}
