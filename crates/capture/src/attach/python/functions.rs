//! Where an interpreter's functions are in a running process.

use std::fs::{self, File};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::FileExt;
use std::path::PathBuf;

use object::{Object, ObjectSegment, ObjectSymbol, read::elf::ElfFile64};

use super::refused;
use crate::attach::target::Target;
use crate::attach::{AttachError, Running};
use crate::outside::maps::{self, Mapping};

/// Addresses of functions that every `CPython` since 3.2 has.
#[derive(Clone, Copy, Debug)]
pub(super) struct Functions {
    /// `int Py_AddPendingCall(int (*)(void *), void *)`
    pub add_pending_call: u64,
    /// `int PyRun_SimpleString(const char *)`
    pub run_text: u64,
    /// `PyGILState_STATE PyGILState_Ensure(void)`
    pub take_lock: u64,
    /// `void PyGILState_Release(PyGILState_STATE)`
    pub give_lock: u64,
    /// 3 and this; 0 before 3.11, which has no variable of its version.
    pub minor: u8,
}

impl Functions {
    /// Looks in the program's file and in `libpython3`.
    pub fn of(target: &Target, mappings: &[Mapping]) -> Result<Self, AttachError> {
        let executable = target.executable().as_os_str().as_bytes();
        let mut seen: Vec<&[u8]> = Vec::new();
        for mapping in mappings.iter().filter(|mapping| mapping.is_file()) {
            let is_program = mapping.path == executable;
            if seen.contains(&mapping.path.as_slice())
                || !is_program && !mapping.name().starts_with(b"libpython3.")
            {
                continue;
            }
            seen.push(&mapping.path);
            let path = if is_program {
                // It is there even when the file has been replaced.
                target.proc("exe")
            } else {
                let path = std::ffi::OsStr::from_bytes(&mapping.path);
                let below = PathBuf::from(path);
                target
                    .proc("root")
                    .join(below.strip_prefix("/").unwrap_or(&below))
            };
            let bytes = fs::read(&path)
                .map_err(|error| refused(target, format!("{} cannot be read: {error}", path.display())))?;
            let of_file: Vec<&Mapping> = mappings
                .iter()
                .filter(|other| other.path == mapping.path)
                .collect();
            if let Some(found) = in_file(target, &bytes, &of_file) {
                return Ok(found);
            }
        }
        Err(AttachError::NoWay {
            pid: target.pid,
            other: Running::Python,
        })
    }
}

fn in_file(target: &Target, bytes: &[u8], mappings: &[&Mapping]) -> Option<Functions> {
    let file: ElfFile64 = ElfFile64::parse(bytes).ok()?;
    let find = |name: &str| {
        let mut symbols = file.dynamic_symbols();
        let symbol = symbols.find(|symbol| symbol.is_definition() && symbol.name() == Ok(name))?;
        address(&file, symbol.address(), mappings)
    };
    let minor = find("Py_Version").and_then(|at| {
        let mut version = [0; 4];
        let memory = File::open(target.proc("mem")).ok()?;
        memory.read_exact_at(&mut version, at).ok()?;
        Some(version[2])
    });
    Some(Functions {
        add_pending_call: find("Py_AddPendingCall")?,
        run_text: find("PyRun_SimpleString")?,
        take_lock: find("PyGILState_Ensure")?,
        give_lock: find("PyGILState_Release")?,
        minor: minor.unwrap_or_default(),
    })
}

/// Where an address of a file is in memory: by the place in the file that both have.
fn address(file: &ElfFile64, of_file: u64, mappings: &[&Mapping]) -> Option<u64> {
    let segment = file
        .segments()
        .find(|segment| (segment.address()..segment.address() + segment.size()).contains(&of_file))?;
    let offset = of_file - segment.address() + segment.file_range().0;
    let mapping = mappings
        .iter()
        .find(|mapping| (mapping.offset..mapping.offset + (mapping.end - mapping.start)).contains(&offset))?;
    Some(mapping.start + (offset - mapping.offset))
}

/// What the process has mapped.
pub(super) fn mappings(target: &Target) -> Result<Vec<Mapping>, AttachError> {
    maps::read(&target.proc("maps")).map_err(|source| AttachError::Process {
        pid: target.pid,
        what: "its memory may not be looked into",
        source,
    })
}
