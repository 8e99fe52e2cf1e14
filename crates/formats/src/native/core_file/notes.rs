//! What the notes of a core file say: what was mapped from which file, and what the kernel handed the program.

use std::ops::Range;

use crate::error::Malformed;

/// Notes are padded to this.
const ALIGNMENT: usize = 4;
const HEAD: usize = 12;
/// `NT_AUXV` and `NT_FILE` of the owner `CORE`.
const AUXV: u32 = 6;
const FILES: u32 = 0x4649_4C45;
/// The owner of what this project's own pictures add, and its only type.
const OWN: &[u8] = b"Deadweight";
const FACTS: u32 = 1;

/// A file's mapping.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileMapping {
    pub start: u64,
    pub end: u64,
    /// Where in the file it begins, in bytes.
    pub offset: u64,
    pub path: Vec<u8>,
}

/// What was found.
#[derive(Debug, Default)]
pub struct Notes {
    /// In order of address.
    pub files: Vec<FileMapping>,
    /// Type and value of each entry of the auxiliary vector.
    pub auxiliary: Vec<(u64, u64)>,
    /// Names and values as native dumps have them: `docs/formats/native.md`.
    pub facts: Option<Vec<u8>>,
}

impl Notes {
    /// A value of the auxiliary vector.
    pub fn auxiliary(&self, kind: u64) -> Option<u64> {
        let found = self.auxiliary.iter().find(|(known, _)| *known == kind);
        found.map(|(_, value)| *value)
    }

    /// Reads one segment of notes, which stands at `range` of the file.
    pub fn read(&mut self, file: &[u8], range: Range<usize>) -> Result<(), Malformed> {
        let mut at = range.start;
        while at < range.end {
            let cut = |what: &str| Malformed::new(at, what, "the end of the notes");
            let notes = &file[..range.end];
            let number = |at: usize| Some(u32::from_le_bytes(*notes.get(at..)?.first_chunk()?));
            let (Some(name), Some(len), Some(kind)) = (number(at), number(at + 4), number(at + 8)) else {
                return Err(cut("the 12 bytes of a note's head"));
            };
            let name_at = at + HEAD;
            let body_at = name_at.saturating_add((name as usize).next_multiple_of(ALIGNMENT));
            let owner = notes.get(name_at..name_at.saturating_add(name as usize));
            let body = notes.get(body_at..body_at.saturating_add(len as usize));
            let (Some(owner), Some(body)) = (owner, body) else {
                return Err(cut("a note's name and contents"));
            };
            match (owner.strip_suffix(b"\0").unwrap_or(owner), kind) {
                (b"CORE", AUXV) => self.auxiliary = pairs(body),
                (b"CORE", FILES) => self.files = files(body, body_at)?,
                (OWN, FACTS) => self.facts = Some(body.to_vec()),
                _ => {}
            }
            at = body_at + (len as usize).next_multiple_of(ALIGNMENT);
        }
        Ok(())
    }
}

fn pairs(body: &[u8]) -> Vec<(u64, u64)> {
    let (pairs, _) = body.as_chunks::<16>();
    let long = |bytes: &[u8]| bytes.first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes));
    pairs.iter().map(|pair| (long(pair), long(&pair[8..]))).collect()
}

/// `NT_FILE`: a count, the size of its unit, start, end and offset (in units) of each mapping, and their paths.
fn files(body: &[u8], at: usize) -> Result<Vec<FileMapping>, Malformed> {
    let long = |at: usize| {
        let bytes = body.get(at..)?.first_chunk()?;
        Some(u64::from_le_bytes(*bytes))
    };
    let wrong = |offset: usize, expected: &str, found: String| Malformed::new(at + offset, expected, found);
    let (Some(count), Some(unit)) = (long(0), long(8)) else {
        return Err(wrong(
            0,
            "a count of mapped files",
            format!("{} bytes", body.len()),
        ));
    };
    let rows = usize::try_from(count)
        .ok()
        .filter(|&rows| rows <= body.len() / 24)
        .ok_or_else(|| wrong(0, "as many mapped files as the note holds", count.to_string()))?;
    let mut paths = body.get(16 + rows * 24..).unwrap_or_default();
    let mut found: Vec<FileMapping> = Vec::with_capacity(rows);
    for row in 0..rows {
        let offset = 16 + row * 24;
        let (Some(start), Some(end), Some(first)) = (long(offset), long(offset + 8), long(offset + 16))
        else {
            return Err(wrong(offset, "a mapped file", "the end of the note".to_owned()));
        };
        if start >= end || found.last().is_some_and(|before| before.end > start) {
            let range = format!("0x{start:x} to 0x{end:x}");
            return Err(wrong(offset, "a mapping above the one before", range));
        }
        let len = memchr::memchr(0, paths).ok_or_else(|| {
            wrong(
                body.len(),
                "the path of a mapped file",
                "the end of the note".to_owned(),
            )
        })?;
        found.push(FileMapping {
            start,
            end,
            offset: first.saturating_mul(unit),
            path: paths[..len].to_vec(),
        });
        paths = &paths[len + 1..];
    }
    Ok(found)
}
