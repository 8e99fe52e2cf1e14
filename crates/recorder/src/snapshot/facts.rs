//! What is said of the process beside its blocks.

use std::sync::atomic::{
    AtomicU64,
    Ordering::{Acquire, Relaxed},
};

use super::maps::Mapping;
use super::{Reason, allocator, clock};
use crate::settings::Settings;
use crate::stack::TREE;
use crate::{TABLE, counts, process, record, stack};

/// Names and values; a name may come more than once.
#[derive(Default)]
pub struct Facts(pub Vec<u8>);

impl Facts {
    /// Adds a value: length of the name, length of the value, both.
    pub fn bytes(&mut self, name: &str, value: &[u8]) {
        self.0.extend((name.len() as u32).to_le_bytes());
        self.0.extend((value.len() as u32).to_le_bytes());
        self.0.extend(name.as_bytes());
        self.0.extend(value);
    }

    /// Adds a number in decimal.
    pub fn number(&mut self, name: &str, value: u64) {
        self.bytes(name, value.to_string().as_bytes());
    }
}

/// Resident bytes by a `statm` file, and how many of them are no file's.
fn resident(path: &str) -> Option<(u64, u64)> {
    let text = std::fs::read(path).ok()?;
    let mut fields = std::str::from_utf8(&text).ok()?.split(' ').skip(1);
    let mut pages = || fields.next()?.parse::<u64>().ok();
    let (resident, shared) = (pages()?, pages()?);
    // SAFETY: no memory is touched.
    let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) } as u64;
    Some((resident * page, resident.saturating_sub(shared) * page))
}

/// Resident bytes by a `statm` file.
pub fn resident_bytes(path: &str) -> Option<u64> {
    Some(resident(path)?.0)
}

/// The most bytes that were ever resident, by a `status` file.
pub fn peak_resident(path: &str) -> Option<u64> {
    let text = std::fs::read_to_string(path).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}

/// What is resident of a process.
#[derive(Clone, Copy, Default)]
pub struct Resident {
    bytes: u64,
    anonymous: u64,
    peak: u64,
}

static NOTED: [AtomicU64; 3] = [const { AtomicU64::new(0) }; 3];

impl Resident {
    /// By the process's folder in `/proc`.
    fn of(folder: &str) -> Option<Self> {
        let (bytes, anonymous) = resident(&format!("{folder}/statm"))?;
        Some(Self {
            bytes,
            anonymous,
            peak: peak_resident(&format!("{folder}/status"))?,
        })
    }

    /// Notes it for a clone that may write when the process holds something else, or is gone.
    pub fn note() {
        let Self {
            bytes,
            anonymous,
            peak,
        } = Self::of("/proc/self").unwrap_or_default();
        for (place, value) in NOTED.iter().zip([bytes, anonymous, peak]) {
            place.store(value, Relaxed);
        }
    }

    fn noted() -> Option<Self> {
        let [bytes, anonymous, peak] = [0, 1, 2].map(|place: usize| NOTED[place].load(Relaxed));
        (bytes > 0).then_some(Self {
            bytes,
            anonymous,
            peak,
        })
    }

    fn facts(self) -> [(&'static str, u64); 3] {
        [
            ("resident_bytes", self.bytes),
            ("anonymous_bytes", self.anonymous),
            ("peak_resident_bytes", self.peak),
        ]
    }
}

/// The languages whose memory is mostly not visible here.
fn runtimes(mappings: &[Mapping], executable: &[u8]) -> Vec<&'static str> {
    let base = |path: &[u8]| {
        path.rsplit(|byte| *byte == b'/')
            .next()
            .unwrap_or_default()
            .to_vec()
    };
    let mut found = Vec::new();
    if mappings
        .iter()
        .any(|mapping| mapping.go && mapping.path == executable)
    {
        found.push("go");
    }
    let python = |path: &[u8]| base(path).starts_with(b"libpython");
    // Asked to, it takes every object from the allocator.
    let by_malloc = std::env::var_os("PYTHONMALLOC").is_some_and(|value| value == "malloc");
    if !by_malloc
        && (base(executable).starts_with(b"python") || mappings.iter().any(|mapping| python(&mapping.path)))
    {
        found.push("cpython");
    }
    found
}

/// What is known before anything is written.
pub fn before(
    settings: &Settings,
    reason: Reason,
    process: i32,
    milliseconds: u64,
    mappings: &[Mapping],
    host_bytes: usize,
) -> Facts {
    let mut facts = Facts::default();
    facts.bytes("recorder", env!("CARGO_PKG_VERSION").as_bytes());
    facts.bytes("reason", reason.name().as_bytes());
    facts.bytes("run", &settings.run);
    facts.number("process", process as u64);
    facts.number("forked", u64::from(process::is_forked()));
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    facts.number("unix_seconds", now.map_or(0, |time| time.as_secs()));
    let executable =
        std::fs::read_link("/proc/self/exe").map(|path| path.into_os_string().into_encoded_bytes());
    let executable = executable.unwrap_or_default();
    facts.bytes("executable", &executable);
    let arguments = std::fs::read("/proc/self/cmdline").unwrap_or_default();
    let arguments = arguments.strip_suffix(b"\0").unwrap_or(&arguments);
    for argument in arguments.split(|byte| *byte == 0) {
        facts.bytes("argument", argument);
    }
    facts.bytes("machine", std::env::consts::ARCH.as_bytes());
    facts.number("word_bytes", size_of::<usize>() as u64);
    // SAFETY: no memory is touched.
    facts.number("page_bytes", unsafe { libc::sysconf(libc::_SC_PAGESIZE) } as u64);
    for runtime in runtimes(mappings, &executable) {
        facts.bytes("runtime", runtime.as_bytes());
    }
    if let Some(identity) = allocator::get() {
        facts.bytes("allocator", identity.name.as_bytes());
        facts.bytes("allocator_version", &identity.version);
        facts.bytes("allocator_path", &identity.path);
        facts.bytes("libc_version", &identity.libc);
        facts.number("interposed", u64::from(identity.interposed));
    }
    facts.number("contents", u64::from(settings.contents));
    facts.number("zero_fill", u64::from(record::zero_fill()));
    facts.number("depth", stack::depth() as u64);
    let noted = match reason {
        Reason::Highest | Reason::Failure => Resident::noted(),
        _ => Resident::of(&format!("/proc/{process}")),
    };
    for (name, bytes) in noted.into_iter().flat_map(Resident::facts) {
        facts.number(name, bytes);
    }
    facts.number("live_bytes", counts::live_bytes());
    facts.number("since_start_ms", milliseconds);
    if counts::peak_bytes() > 0 {
        facts.number("peak_live_bytes", counts::peak_bytes());
    }
    let (blocks, table) = TABLE.size();
    facts.number("allocations", counts::allocations());
    facts.number("live_blocks", blocks as u64);
    facts.number("lost_blocks", TABLE.lost.load(Acquire));
    facts.number("lost_stacks", counts::LOST_STACKS.load(Acquire));
    facts.number("stack_nodes", TREE.len() as u64);
    facts.number("recorder_bytes", host_bytes as u64);
    facts.number("recorder_table_bytes", table as u64);
    facts
}

/// What is known when everything else is written.
pub fn after(pause: &AtomicU64, began: u64, unreadable: u64) -> Facts {
    let mut facts = Facts::default();
    for (name, value) in allocator::totals().into_iter().flatten() {
        facts.number(name, value);
    }
    let pause = pause.load(Acquire);
    if pause != 0 {
        facts.number("pause_ns", pause);
    }
    facts.number("write_ns", clock() - began);
    facts.number("unreadable_blocks", unreadable);
    facts
}
