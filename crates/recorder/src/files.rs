//! Files that are there only when they are whole, and that only their owner can read.

use std::fs::{DirBuilder, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use crate::settings::Settings;

/// Writes a file of this process under a hidden name, and gives it its own when it is whole. What fails leaves none.
pub fn whole(
    settings: &Settings,
    process: i32,
    extension: &str,
    write: impl FnOnce(File) -> io::Result<()>,
) -> io::Result<()> {
    DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(&settings.directory)?;
    let name = format!("{}-{process}", program());
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    let now = now.map_or(0, |time| time.as_nanos());
    let hidden = settings.directory.join(format!(".{name}-{now:x}.partial"));
    let file = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(&hidden)?;
    let written = write(file).and_then(|()| publish(&hidden, settings, &name, extension));
    if written.is_err() {
        let _ = std::fs::remove_file(&hidden);
    }
    written
}

/// Adds a line for who started the program, if anyone listens.
pub fn note(settings: &Settings, line: &str) {
    let Some(journal) = &settings.journal else { return };
    if let Ok(mut file) = OpenOptions::new().append(true).open(journal) {
        // Nobody may listen any more. One write, so that lines of several processes stay whole.
        let _ = file.write_all(format!("{line}\n").as_bytes());
    }
}

/// The program's name as part of a file name.
fn program() -> String {
    let path = std::fs::read_link("/proc/self/exe").unwrap_or_default();
    let name = path.file_name().map_or(&b"program"[..], OsStrExt::as_bytes);
    let harmless = |byte: &u8| {
        if byte.is_ascii_alphanumeric() || b"._+".contains(byte) {
            char::from(*byte)
        } else {
            '_'
        }
    };
    name.iter()
        .take(80)
        .map(harmless)
        .collect::<String>()
        .trim_start_matches('.')
        .to_owned()
}

/// The first free name of the process: one may execute another program, or be asked more than once.
fn publish(hidden: &Path, settings: &Settings, name: &str, extension: &str) -> io::Result<()> {
    for number in 1..100_000 {
        let place: PathBuf = settings.directory.join(format!("{name}-{number}.{extension}"));
        // A hard link fails when the name is taken, and never replaces.
        match std::fs::hard_link(hidden, &place) {
            Ok(()) => {
                note(settings, &format!("dump {name}-{number}.{extension}"));
                return std::fs::remove_file(hidden);
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            // Some file systems have no links.
            Err(_) if !place.exists() => {
                note(settings, &format!("dump {name}-{number}.{extension}"));
                return std::fs::rename(hidden, place);
            }
            Err(error) => return Err(error),
        }
    }
    Err(io::Error::other("no free name"))
}
