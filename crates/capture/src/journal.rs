//! What recorders tell the process that started the program, besides their captures.
//!
//! A file in this process's memory, to which each recorder adds lines: `dump NAME` for each dump it has written,
//! `asked NAME` when one is whole that a signal or a threshold asked for while the program goes on,
//! `held PID MS BYTES` for each point of a curve, `launcher PID` from a process that only starts others, `limit PID NAME DIRECTORY` where a snapshot is to come near the limit of a
//! heap, `writing PID PROCESS` when a copy of a process is made that will write a dump, `shown BYTES MS END NAME` at the end
//! of a process whose dump shows an earlier moment, `peak BYTES` at its process's end for the most that was resident,
//! `highest PID BYTES` where it measures what is held, and `rss BYTES` or the like each time a watched measure is higher than
//! before. It has no name and is gone with this process; what a recorder reported is kept however its own process ends.

use std::{
    collections::HashSet,
    ffi::{OsStr, OsString},
    fs::File,
    io,
    os::{
        fd::AsRawFd,
        unix::{ffi::OsStrExt, fs::FileExt},
    },
    path::PathBuf,
    process,
};

use deadweight_sidecar::HeldAt;

use crate::trigger::Measure;

/// More than this is not read: a program that writes there itself gets nothing by it.
const MOST: u64 = 16 << 20;

/// The file.
#[derive(Debug)]
pub(crate) struct Journal(File);

/// What was told.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Entries {
    /// Names of dumps in the directory of captures.
    pub(crate) dumps: HashSet<OsString>,
    /// Those of them that were asked for, and are whole, in their order.
    pub(crate) asked: Vec<OsString>,
    /// The highest value of each measure that was watched.
    pub(crate) highest: Vec<(Measure, u64)>,
    /// The most bytes that a process had resident which a recorder saw to its end.
    pub(crate) peak: Option<u64>,
    /// The most bytes that any process was measured to hold.
    pub(crate) held: Option<u64>,
    /// The highest point of all curves.
    pub(crate) highest_seen: Option<HeldAt>,
    /// Processes that write a snapshot when their heap comes near its limit.
    pub(crate) limits: Vec<Limit>,
    /// Copies of processes that write dumps, and the processes.
    pub(crate) writers: Vec<Writer>,
    /// Moments that dumps show.
    pub(crate) shown: Vec<Shown>,
    /// Processes that only start others, and are not captured.
    pub(crate) launchers: HashSet<u32>,
}

/// The moment that a dump shows of a process that has come to its end since.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// The dump's name.
    pub dump: OsString,
    /// Bytes that were alive, as requested.
    pub bytes: u64,
    /// Milliseconds after the process's start.
    pub ms: u64,
    /// Bytes that were alive at its end.
    pub end: u64,
}

/// Where a process leaves the snapshot that it writes near the limit of its heap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Limit {
    pub(crate) pid: u32,
    /// Its name in captures.
    pub(crate) program: String,
    /// Its working directory.
    pub(crate) directory: PathBuf,
}

/// A copy of a process that writes a dump, and outlives it where it is killed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Writer {
    pub(crate) pid: u32,
    pub(crate) process: u32,
}

impl Journal {
    /// An empty one.
    pub(crate) fn open() -> io::Result<Self> {
        in_memory("deadweight journal").map(Self)
    }

    /// Where recorders find it. By this process's number: any process of the same user may open it.
    pub(crate) fn path(&self) -> PathBuf {
        PathBuf::from(format!("/proc/{}/fd/{}", process::id(), self.0.as_raw_fd()))
    }

    /// The same file, for another thread.
    pub(crate) fn again(&self) -> io::Result<Self> {
        self.0.try_clone().map(Self)
    }

    /// All that was told until now.
    pub(crate) fn entries(&self) -> io::Result<Entries> {
        let length = self.0.metadata()?.len().min(MOST);
        let mut bytes = vec![0; usize::try_from(length).unwrap_or(0)];
        self.0.read_exact_at(&mut bytes, 0)?;
        Ok(parse(&bytes))
    }
}

fn parse(bytes: &[u8]) -> Entries {
    let mut entries = Entries::default();
    for line in bytes.split(|&byte| byte == b'\n') {
        if let Some(name) = line.strip_prefix(b"dump ") {
            entries.dumps.insert(OsStr::from_bytes(name).to_owned());
        } else if let Some(name) = line.strip_prefix(b"asked ") {
            entries.asked.push(OsStr::from_bytes(name).to_owned());
        } else if let Some(peak) = line.strip_prefix(b"peak ") {
            let peak = std::str::from_utf8(peak).ok().and_then(|peak| peak.parse().ok());
            entries.peak = entries.peak.max(peak);
        } else if let Some(held) = line.strip_prefix(b"highest ") {
            entries.held = entries.held.max(most_held(held));
        } else if let Some(point) = line.strip_prefix(b"held ") {
            let seen = point_of(point).into_iter().chain(entries.highest_seen);
            entries.highest_seen = seen.max_by_key(|point| point.bytes);
        } else if let Some(pid) = line.strip_prefix(b"launcher ") {
            let pid = std::str::from_utf8(pid).ok().and_then(|pid| pid.parse().ok());
            entries.launchers.extend::<Option<u32>>(pid);
        } else if let Some(of) = line.strip_prefix(b"limit ") {
            entries.limits.extend(limit(of));
        } else if let Some(writer) = line.strip_prefix(b"writing ") {
            entries.writers.extend(writing(writer));
        } else if let Some(moment) = line.strip_prefix(b"shown ") {
            entries.shown.extend(shown(moment));
        } else if let Some((measure, bytes)) = highest(line) {
            match entries.highest.iter_mut().find(|(known, _)| *known == measure) {
                Some((_, most)) => *most = bytes.max(*most),
                None => entries.highest.push((measure, bytes)),
            }
        }
    }
    entries
}

/// Of a line with a process and bytes, the bytes.
fn most_held(line: &[u8]) -> Option<u64> {
    let (_, bytes) = std::str::from_utf8(line).ok()?.split_once(' ')?;
    bytes.parse().ok()
}

fn point_of(line: &[u8]) -> Option<HeldAt> {
    let mut words = std::str::from_utf8(line).ok()?.split(' ').skip(1);
    Some(HeldAt {
        ms: words.next()?.parse().ok()?,
        bytes: words.next()?.parse().ok()?,
    })
}

fn limit(line: &[u8]) -> Option<Limit> {
    let mut words = line.splitn(3, |&byte| byte == b' ');
    let pid = std::str::from_utf8(words.next()?).ok()?.parse().ok()?;
    let program = std::str::from_utf8(words.next()?).ok()?.to_owned();
    let directory = PathBuf::from(OsStr::from_bytes(words.next()?));
    Some(Limit {
        pid,
        program,
        directory,
    })
}

fn writing(line: &[u8]) -> Option<Writer> {
    let (pid, process) = std::str::from_utf8(line).ok()?.split_once(' ')?;
    Some(Writer {
        pid: pid.parse().ok()?,
        process: process.parse().ok()?,
    })
}

fn shown(line: &[u8]) -> Option<Shown> {
    let mut parts = line.splitn(4, |&byte| byte == b' ');
    let mut number = || std::str::from_utf8(parts.next()?).ok()?.parse().ok();
    let (bytes, ms, end) = (number()?, number()?, number()?);
    let dump = OsStr::from_bytes(parts.next()?).to_owned();
    Some(Shown { dump, bytes, ms, end })
}

fn highest(line: &[u8]) -> Option<(Measure, u64)> {
    let (measure, bytes) = std::str::from_utf8(line).ok()?.split_once(' ')?;
    Some((Measure::by_name(measure)?, bytes.parse().ok()?))
}

/// A file without a name, in memory.
#[cfg(target_os = "linux")]
pub(crate) fn in_memory(label: &str) -> io::Result<File> {
    let file = rustix::fs::memfd_create(label, rustix::fs::MemfdFlags::CLOEXEC)?;
    Ok(File::from(file))
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn in_memory(_: &str) -> io::Result<File> {
    Err(io::Error::new(
        io::ErrorKind::Unsupported,
        "files in memory are known on Linux alone",
    ))
}

#[cfg(test)]
mod tests {
    use std::{fs::OpenOptions, io::Write, path::Path};

    use super::*;

    #[test]
    fn what_is_added_by_its_path_is_read() {
        let journal = Journal::open().unwrap();
        let mut recorder = OpenOptions::new().append(true).open(journal.path()).unwrap();
        recorder
            .write_all(b"rss 5\ndump a-7-1.dwheap\nasked a-7-1.dwheap\nrss 9\nheap 3\n")
            .unwrap();
        let mut other = OpenOptions::new().append(true).open(journal.path()).unwrap();
        other
            .write_all(b"rss 7\nlauncher 6\nlauncher\nrss \npeak 11\npeak 2\npeak\nhighest 7 40\nhighest 8 30\nhighest 9\nheld 7 5 20\nheld 8 6 10\nheld 8 6\nlimit 7 app /a b\nlimit 8 app\nwriting 8 7\nwriting 8\nnonsense 4\nshown 9 2 1 a-7-1.dwheap\nshown 9 2\n\xff")
            .unwrap();
        let entries = journal.entries().unwrap();
        assert_eq!(entries.highest, [(Measure::Rss, 9), (Measure::Heap, 3)]);
        assert_eq!(entries.launchers, HashSet::from([6]));
        assert_eq!(entries.peak, Some(11));
        assert_eq!(entries.held, Some(40));
        assert_eq!(entries.highest_seen, Some(HeldAt { ms: 5, bytes: 20 }));
        let [limit] = &entries.limits[..] else {
            panic!("{entries:?}")
        };
        assert_eq!((limit.pid, limit.directory.as_path()), (7, Path::new("/a b")));
        let shown = Shown {
            dump: "a-7-1.dwheap".into(),
            bytes: 9,
            ms: 2,
            end: 1,
        };
        assert_eq!(entries.shown, [shown]);
        assert_eq!(entries.writers, [Writer { pid: 8, process: 7 }]);
        assert_eq!(entries.dumps, HashSet::from(["a-7-1.dwheap".into()]));
        assert_eq!(entries.asked, ["a-7-1.dwheap"]);
    }
}
