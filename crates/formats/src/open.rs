//! From a path to a heap.

use std::path::Path;

use deadweight_heap::{Churn, Heap};

use crate::error::Malformed;
use crate::format::{self, Contents, Known};
use crate::heapprofile::ProfileFacts;
use crate::{ReadError, Sidecar, Source};

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
pub fn open_any(path: &Path, sidecar: &Sidecar, profile: &ProfileFacts) -> Result<Input, ReadError> {
    let source = Source::open(path)?;
    let found = format::of(&source.bytes);
    let read = found.ok_or_else(|| unknown(&source)).and_then(|format| {
        let contents = format.read(&source, Known { sidecar, profile })?;
        Ok((contents, format.name()))
    });
    // What is wrong with a file that is being cut is that it is being cut.
    source.check()?;
    let (contents, format) = read?;
    if let Some(noted) = sidecar.bytes {
        at_most(&source, noted)?;
    }
    Ok(match contents {
        Contents::Held(heap) => Input::Held(Dump { heap, format, source }),
        Contents::Churned(churn) => Input::Churned(Record {
            churn,
            format,
            source,
        }),
    })
}

/// A dump that is longer than its recorder left it is another file. A shorter one is not whole, which its reader says.
fn at_most(source: &Source, noted: u64) -> Result<(), ReadError> {
    let found = source.bytes.len() as u64;
    if found <= noted {
        return Ok(());
    }
    let expected = "the end of the file, by the record of the capture";
    let more = format!("{} more bytes", found - noted);
    Err(Malformed::new(noted as usize, expected, more).in_file(&source.path))
}

/// Opens a dump of any known format.
///
/// # Errors
/// When the file cannot be read, its format is not known, its contents are not what the format says, or it says what a
/// process made and not what it held.
pub fn open(path: &Path, sidecar: &Sidecar) -> Result<Dump, ReadError> {
    match open_any(path, sidecar, &ProfileFacts::default())? {
        Input::Held(dump) => Ok(dump),
        Input::Churned(record) => {
            let expected = "a dump of what a process held";
            Err(Malformed::new(0, expected, format!("what one made ({})", record.format)).in_file(path))
        }
    }
}

fn unknown(source: &Source) -> ReadError {
    ReadError::UnknownFormat {
        path: source.path.clone(),
        found: describe(&source.bytes),
    }
}

fn describe(bytes: &[u8]) -> String {
    if bytes.is_empty() {
        "an empty file".to_owned()
    } else if bytes.trim_ascii_start().is_empty() {
        "only white space".to_owned()
    } else {
        let head = &bytes[..bytes.len().min(16)];
        format!("{:?}", String::from_utf8_lossy(head))
    }
}
