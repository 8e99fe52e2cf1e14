//! From a path to a heap.

use std::path::Path;

use deadweight_heap::{Churn, Heap};

use crate::heapprofile::{self, ProfileFacts};
use crate::{Beside, ReadError, Source, churn, native, passed, ruby, v8};

/// A dump that was read.
#[derive(Debug)]
pub struct Dump {
    /// The heap.
    pub heap: Heap,
    /// The format's name.
    pub format: &'static str,
    /// The file: the heap's texts stand in it.
    pub source: Source,
}

/// A record of allocations that was read.
#[derive(Debug)]
pub struct Record {
    /// What was made.
    pub churn: Churn,
    /// The format's name.
    pub format: &'static str,
    /// The file.
    pub source: Source,
}

/// What a file turned out to be.
#[derive(Debug)]
#[expect(
    clippy::large_enum_variant,
    reason = "there is one, and it is taken apart at once"
)]
pub enum Input {
    /// What a process held.
    Held(Dump),
    /// What a process made.
    Churned(Record),
}

/// Opens a dump or a record of allocations, of any known format.
///
/// # Errors
/// When the file cannot be read, its format is not known, or its contents are not what the format says.
pub fn open_any(path: &Path, beside: &Beside, facts: &ProfileFacts) -> Result<Input, ReadError> {
    let source = Source::open(path)?;
    let bytes: &[u8] = &source.bytes;
    let (churn, format) = if bytes.starts_with(churn::MAGIC) {
        (churn::read(bytes, path), churn::FORMAT)
    } else if heapprofile::is_profile(bytes) {
        (heapprofile::read(bytes, facts, path), heapprofile::FORMAT)
    } else {
        return read(path, source, beside).map(Input::Held);
    };
    source.check()?;
    Ok(Input::Churned(Record {
        churn: churn?,
        format,
        source,
    }))
}

/// Opens a dump of any known format.
///
/// # Errors
/// When the file cannot be read, its format is not known, or its contents are not what the format says.
pub fn open(path: &Path, beside: &Beside) -> Result<Dump, ReadError> {
    read(path, Source::open(path)?, beside)
}

fn read(path: &Path, source: Source, beside: &Beside) -> Result<Dump, ReadError> {
    let read = heap(path, &source, beside);
    // What is wrong with a file that is being cut is that it is being cut.
    source.check()?;
    let (heap, format) = read?;
    Ok(Dump { heap, format, source })
}

fn heap(path: &Path, source: &Source, beside: &Beside) -> Result<(Heap, &'static str), ReadError> {
    let bytes: &[u8] = &source.bytes;
    let first = bytes.iter().position(|byte| !byte.is_ascii_whitespace());
    match first.map(|at| bytes[at]) {
        Some(b'{') if ruby::is_dump(&bytes[first.unwrap_or(0)..]) => {
            let heap = ruby::read(&source.bytes, beside).map_err(|error| error.in_file(path))?;
            Ok((heap, ruby::FORMAT))
        }
        Some(b'{') => {
            passed::twice();
            let heap = v8::read(source.bytes.clone(), beside).map_err(|error| error.in_file(path))?;
            Ok((heap, v8::FORMAT))
        }
        _ if bytes.starts_with(native::MAGIC) => {
            Ok((native::heap(native::Dump::of(source)?, path)?, native::FORMAT))
        }
        _ if native::is_core(bytes) => {
            let dump = native::read_core(source, beside.program.as_deref())?;
            Ok((native::heap(dump, path)?, native::CORE))
        }
        found => Err(ReadError::UnknownFormat {
            path: path.to_owned(),
            found: describe(found, bytes),
        }),
    }
}

fn describe(first: Option<u8>, bytes: &[u8]) -> String {
    match first {
        None if bytes.is_empty() => "an empty file".to_owned(),
        None => "only white space".to_owned(),
        Some(_) => {
            let head = &bytes[..bytes.len().min(16)];
            format!("{:?}", String::from_utf8_lossy(head))
        }
    }
}
