//! Files that are there only when they are whole, and that only their owner can read.

use std::fs::{DirBuilder, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use crate::settings::Settings;
use crate::snapshot::room;

/// Writes a file of this process under a hidden name, and gives it its own when it is whole: the first free one, or in
/// place of the file of the number `replaces`, if that is not 0. Gives the file's number. What fails leaves none.
pub fn whole(
    settings: &Settings,
    process: i32,
    extension: &str,
    replaces: u32,
    write: impl FnOnce(File) -> io::Result<()>,
) -> io::Result<u32> {
    DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(&settings.directory)?;
    let name = format!("{}-{process}", program());
    // SAFETY: no arguments.
    let writer = unsafe { libc::getpid() };
    let hidden = hidden(settings, process, writer, NEXT.fetch_add(1, Relaxed));
    // One that was ended while it wrote, and had the same id.
    let _ = std::fs::remove_file(&hidden);
    let file = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(&hidden)?;
    room::give_up_with(&hidden);
    let written = write(file).and_then(|()| {
        if replaces == 0 {
            return publish(&hidden, settings, &name, extension);
        }
        let place = settings.directory.join(self::name(process, replaces, extension));
        std::fs::rename(&hidden, place).map(|()| replaces)
    });
    if written.is_err() {
        let _ = std::fs::remove_file(&hidden);
    }
    written
}

/// Tells files apart that one process writes at the same time; a clone writes one alone.
static NEXT: AtomicU32 = AtomicU32::new(0);

/// The file of a process with that number.
pub fn name(process: i32, number: u32, extension: &str) -> String {
    format!("{}-{process}-{number}.{extension}", program())
}

/// Writes a small file beside the dump of that number, in place of one that is there.
pub fn beside(
    settings: &Settings,
    process: i32,
    number: u32,
    extension: &str,
    contents: &[u8],
) -> io::Result<()> {
    whole(settings, process, extension, number, |mut file| {
        file.write_all(contents)
    })
    .map(|_| ())
}

/// Where `writer` writes what it has not finished.
fn hidden(settings: &Settings, process: i32, writer: i32, number: u32) -> PathBuf {
    let name = format!(".{}-{process}-{writer}-{number}.partial", program());
    settings.directory.join(name)
}

/// Takes away what a writer left that was ended.
pub fn discard(settings: &Settings, process: i32, writer: i32) {
    let _ = std::fs::remove_file(hidden(settings, process, writer, 0));
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
fn publish(hidden: &Path, settings: &Settings, name: &str, extension: &str) -> io::Result<u32> {
    for number in 1..100_000 {
        let place: PathBuf = settings.directory.join(format!("{name}-{number}.{extension}"));
        // A hard link fails when the name is taken, and never replaces.
        match std::fs::hard_link(hidden, &place) {
            Ok(()) => {
                note(settings, &format!("dump {name}-{number}.{extension}"));
                return std::fs::remove_file(hidden).map(|()| number);
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            // Some file systems have no links.
            Err(_) if !place.exists() => {
                note(settings, &format!("dump {name}-{number}.{extension}"));
                return std::fs::rename(hidden, place).map(|()| number);
            }
            Err(error) => return Err(error),
        }
    }
    Err(io::Error::other("no free name"))
}
