//! The file's chunks: checked, unpacked into an unnamed temporary file, and found again by section.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::ops::Range;
use std::path::Path;

use memmap2::Mmap;

use super::MAGIC;
use crate::error::Malformed;
use crate::source::map;
use crate::{ReadError, Source};

const VERSION: u32 = 1;
const FILE_HEAD: usize = 16;
const CHUNK_HEAD: usize = 24;
/// The most bytes of one chunk, unpacked.
const LARGEST: usize = 1 << 20;
/// One row of the table at the end.
const ROW: usize = 32;

/// Where sections stand, in the order the format has them.
const ORDER: [[u8; 4]; 10] = [
    *b"INFO", *b"MAPS", *b"STAK", *b"BLOK", *b"HOLE", *b"CONT", *b"ZERO", *b"HASH", *b"TAIL", *b"DONE",
];

/// The unpacked sections.
#[derive(Debug)]
pub struct Sections {
    bytes: Mmap,
    ranges: [Range<usize>; ORDER.len()],
    /// For each chunk: where its bytes begin unpacked, and its head in the file.
    chunks: Vec<(usize, usize)>,
}

enum Trouble {
    Malformed(Malformed),
    Io(std::io::Error),
}

impl From<Malformed> for Trouble {
    fn from(malformed: Malformed) -> Self {
        Self::Malformed(malformed)
    }
}

impl From<std::io::Error> for Trouble {
    fn from(error: std::io::Error) -> Self {
        Self::Io(error)
    }
}

fn number(bytes: &[u8], at: usize) -> usize {
    bytes
        .get(at..at + 4)
        .and_then(|bytes| bytes.try_into().ok())
        .map_or(0, |bytes| u32::from_le_bytes(bytes) as usize)
}

impl Sections {
    /// Unpacks every chunk of a dump.
    pub fn read(source: &Source) -> Result<Self, ReadError> {
        unpack(&source.bytes).map_err(|trouble| match trouble {
            Trouble::Malformed(malformed) => malformed.in_file(&source.path),
            Trouble::Io(error) => ReadError::Io {
                path: source.path.clone(),
                source: error,
            },
        })
    }

    /// The bytes of a section; empty when the dump has none.
    pub fn get(&self, tag: [u8; 4]) -> &[u8] {
        let at = ORDER.iter().position(|known| *known == tag).unwrap_or(0);
        &self.bytes[self.ranges[at].clone()]
    }

    /// An error at a byte of a section: the file's offset is that of the chunk the byte is packed in.
    pub fn malformed(
        &self,
        path: &Path,
        tag: [u8; 4],
        at: usize,
        expected: &str,
        found: impl Into<String>,
    ) -> ReadError {
        let section = ORDER.iter().position(|known| *known == tag).unwrap_or(0);
        let unpacked = self.ranges[section].start + at;
        let chunk = self
            .chunks
            .partition_point(|(start, _)| *start <= unpacked)
            .saturating_sub(1);
        let offset = self.chunks.get(chunk).map_or(0, |(_, offset)| *offset);
        let name = String::from_utf8_lossy(&tag).into_owned();
        Malformed::new(
            offset,
            format!("at byte {at} of section {name}, packed in this chunk, {expected}"),
            found,
        )
        .in_file(path)
    }
}

fn unpack(file: &[u8]) -> Result<Sections, Trouble> {
    if !file.starts_with(MAGIC) {
        return Err(Malformed::at(file, 0, "a native dump (DWNATIVE)").into());
    }
    if file.len() < FILE_HEAD {
        return Err(Malformed::at(file, file.len(), "the 16 bytes of the head").into());
    }
    if number(file, 8) != VERSION as usize {
        return Err(Malformed::new(
            8,
            "version 1 of the format",
            format!("version {}", number(file, 8)),
        )
        .into());
    }
    let mut to = BufWriter::new(tempfile::tempfile()?);
    let mut ranges: [Range<usize>; ORDER.len()] = std::array::from_fn(|_| 0..0);
    let mut firsts = [(0, 0); ORDER.len()];
    let mut chunks = Vec::new();
    let mut buffer = vec![0; LARGEST];
    let (mut at, mut unpacked, mut current) = (FILE_HEAD, 0_usize, 0);
    loop {
        let chunk = Chunk::read(file, at, chunks.len())?;
        let Some(section) = ORDER.iter().position(|tag| *tag == chunk.tag) else {
            return Err(Malformed::new(
                at,
                "a section's name",
                format!("{:?}", String::from_utf8_lossy(&chunk.tag)),
            )
            .into());
        };
        if section < current {
            let expected = format!(
                "sections in their order, not {0} again",
                String::from_utf8_lossy(&chunk.tag)
            );
            return Err(Malformed::at(file, at, expected).into());
        }
        if ranges[section].is_empty() {
            ranges[section] = unpacked..unpacked;
            firsts[section] = (at, chunks.len());
        }
        current = section;
        let raw = chunk.unpack(at, &mut buffer)?;
        to.write_all(raw)?;
        chunks.push((unpacked, at));
        unpacked += raw.len();
        ranges[section].end = unpacked;
        at += CHUNK_HEAD + chunk.body.len();
        if chunk.tag == *b"DONE" {
            break;
        }
    }
    if at != file.len() {
        return Err(Malformed::new(
            at,
            "the end of the file",
            format!("{} more bytes", file.len() - at),
        )
        .into());
    }
    let to: File = to.into_inner().map_err(std::io::IntoInnerError::into_error)?;
    let bytes = map(&to)?;
    let result = Sections {
        bytes,
        ranges,
        chunks,
    };
    check_table(&result, &firsts)?;
    Ok(result)
}

/// Holds the table at the end against what was read.
fn check_table(read: &Sections, firsts: &[(usize, usize); ORDER.len()]) -> Result<(), Malformed> {
    let table = read.get(*b"DONE");
    let (rows, rest) = table.as_chunks::<ROW>();
    let end = read.chunks.last().map_or(0, |(_, offset)| *offset);
    if !rest.is_empty() {
        return Err(Malformed::new(
            end,
            "a table of whole rows",
            format!("{} bytes", table.len()),
        ));
    }
    let long = |row: &[u8; ROW], at: usize| number(row, at) | number(row, at + 4) << 32;
    let mut seen = 0;
    for row in rows {
        let section = ORDER.iter().position(|tag| tag[..] == row[..4]);
        let agrees = section.is_some_and(|section| {
            let len = read.ranges[section].len();
            let chunks = len.div_ceil(LARGEST);
            seen += usize::from(len > 0);
            long(row, 24) == len
                && number(row, 8) == chunks
                && (len == 0 || (long(row, 16), number(row, 4)) == firsts[section])
        });
        if !agrees {
            let name = String::from_utf8_lossy(&row[..4]).into_owned();
            return Err(Malformed::new(
                end,
                "a table that agrees with the sections",
                format!("another {name}"),
            ));
        }
    }
    // All but the table itself.
    if seen + 1 != read.ranges.iter().filter(|section| !section.is_empty()).count() {
        return Err(Malformed::new(
            end,
            "a row for each section",
            format!("{} rows", rows.len()),
        ));
    }
    Ok(())
}

struct Chunk<'a> {
    tag: [u8; 4],
    method: usize,
    len: usize,
    body: &'a [u8],
}

impl<'a> Chunk<'a> {
    fn read(file: &'a [u8], at: usize, index: usize) -> Result<Self, Malformed> {
        let Some(head) = file.get(at..at.saturating_add(CHUNK_HEAD)) else {
            return Err(Malformed::new(
                at,
                "another chunk: the dump was not written to its end",
                "the end of the file",
            ));
        };
        let tag = [head[0], head[1], head[2], head[3]];
        let (method, len, packed) = (number(head, 4), number(head, 8), number(head, 12));
        let (sum, chunk) = (number(head, 16), number(head, 20));
        if chunk != index {
            return Err(Malformed::new(
                at + 20,
                format!("chunk number {index}"),
                chunk.to_string(),
            ));
        }
        if len == 0 || len > LARGEST {
            return Err(Malformed::new(
                at + 8,
                "1 to 1048576 bytes in a chunk",
                len.to_string(),
            ));
        }
        let start = at + CHUNK_HEAD;
        let Some(body) = file.get(start..start.saturating_add(packed)) else {
            let found = format!("{} bytes up to the end of the file", file.len() - start);
            return Err(Malformed::new(
                start,
                format!("{packed} bytes of this chunk"),
                found,
            ));
        };
        if crc32fast::hash(body) as usize != sum {
            return Err(Malformed::new(
                start,
                format!("bytes with the checksum {sum:08x}"),
                format!("{:08x}", crc32fast::hash(body)),
            ));
        }
        Ok(Self {
            tag,
            method,
            len,
            body,
        })
    }

    /// The chunk's bytes.
    fn unpack<'b>(&self, at: usize, buffer: &'b mut [u8]) -> Result<&'b [u8], Malformed> {
        let wrong = |expected: String, found: String| Malformed::new(at + CHUNK_HEAD, expected, found);
        let buffer = &mut buffer[..self.len];
        // The table of blocks is read into memory: it must not be larger there than a small multiple of the file.
        if self.tag == *b"BLOK" && self.method != 0 {
            return Err(Malformed::new(
                at + 4,
                "blocks stored as they are",
                format!("packing {}", self.method),
            ));
        }
        match self.method {
            0 if self.body.len() == self.len => buffer.copy_from_slice(self.body),
            0 => {
                return Err(wrong(
                    format!("{} stored bytes", self.len),
                    self.body.len().to_string(),
                ));
            }
            1 => match lz4_flex::block::decompress_into(self.body, buffer) {
                Ok(len) if len == self.len => {}
                Ok(len) => {
                    return Err(wrong(
                        format!("{} bytes packed with LZ4", self.len),
                        len.to_string(),
                    ));
                }
                Err(error) => return Err(wrong("bytes packed with LZ4".to_owned(), error.to_string())),
            },
            2 => words(self.body, buffer).ok_or_else(|| {
                wrong(
                    format!("{} bytes without their zero words", self.len),
                    self.body.len().to_string(),
                )
            })?,
            other => return Err(Malformed::new(at + 4, "packing 0, 1 or 2", other.to_string())),
        }
        Ok(buffer)
    }
}

/// Puts zero words back: a bit for each word of 8 bytes, the words that are not zero, and what is left at the end.
fn words(body: &[u8], to: &mut [u8]) -> Option<()> {
    let (words, tail) = to.as_chunks_mut::<8>();
    let (bits, mut rest) = body.split_at_checked(words.len().div_ceil(8))?;
    for (index, word) in words.iter_mut().enumerate() {
        if bits[index / 8] >> (index % 8) & 1 == 1 {
            let (next, after) = rest.split_first_chunk::<8>()?;
            *word = *next;
            rest = after;
        } else {
            *word = [0; 8];
        }
    }
    if rest.len() != tail.len() {
        return None;
    }
    tail.copy_from_slice(rest);
    Some(())
}
