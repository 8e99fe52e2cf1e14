//! The file's chunks: checked, unpacked into an unnamed temporary file, and found again by section.

use std::fs::File;
use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::path::Path;

use rayon::prelude::*;

use super::MAGIC;
use crate::error::Malformed;
use crate::mapped::MappedFile;
use crate::progress;
use crate::{Place, ReadError, Source};

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

/// The blocks in [`ORDER`].
const BLOCKS: usize = 3;

/// The contents in [`ORDER`]: all before them is small, and describes them.
const CONTENTS: usize = 5;

/// The unpacked sections.
#[derive(Debug)]
pub struct Sections {
    bytes: MappedFile,
    ranges: [Range<usize>; ORDER.len()],
    /// For each chunk: where its bytes begin unpacked, and its head in the file.
    chunks: Vec<(usize, usize)>,
    /// Where the file ends, when that is in the middle.
    cut: Option<usize>,
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
    /// Unpacks every chunk of a dump. While one thread looks at what stands before the contents, which `beside` does,
    /// the others unpack these; what it finds counts only when all could be unpacked.
    pub fn read<T: Send>(
        source: &Source,
        beside: impl FnOnce(&Self) -> T + Send,
    ) -> Result<(Self, T), ReadError> {
        unpack(&source.bytes, beside).map_err(|trouble| match trouble {
            Trouble::Malformed(malformed) => malformed.in_file(&source.path),
            Trouble::Io(error) => ReadError::NoRoom {
                path: source.path.clone(),
                what: "what it unpacks to",
                place: Place::disk(),
                source: error,
            },
        })
    }

    /// Bytes of the file, when it ends before its end is announced.
    pub fn cut(&self) -> Option<usize> {
        self.cut
    }

    /// The bytes of a section; empty when the dump has none.
    #[inline]
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

fn unpack<T: Send>(
    file: &[u8],
    beside: impl FnOnce(&Sections) -> T + Send,
) -> Result<(Sections, T), Trouble> {
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
    let mut outline = Outline::default();
    let end = outline.read(file);
    let to = tempfile::tempfile()?;
    let contents_at = outline.ranges[..CONTENTS].iter().map(|range| range.end).max();
    let contents = outline
        .chunks
        .partition_point(|(_, unpacked, _)| Some(*unpacked) < contents_at);
    let (before, contents) = outline.chunks.split_at(contents);
    write(before, &to)?;
    // As long as it will be, since it is mapped before all of it is written.
    let mapped = to
        .set_len(outline.bytes() as u64)
        .and_then(|()| MappedFile::of(&to));
    if mapped.is_err() {
        // Heads may claim more than there can be: then that is what is wrong.
        write(contents, &to)?;
    }
    let result = Sections {
        bytes: mapped?,
        ranges: outline.ranges.clone(),
        chunks: outline
            .chunks
            .iter()
            .map(|(_, unpacked, at)| (*unpacked, *at))
            .collect(),
        cut: matches!(end, Err(End::Cut(_))).then_some(file.len()),
    };
    let (found, written) = rayon::join(|| beside(&result), || write(contents, &to));
    written?;
    match end {
        Ok(()) => check_table(&result, &outline.firsts)?,
        // What comes after the blocks describes them; without blocks there is nothing to weigh.
        Err(End::Cut(_)) if !outline.ranges[BLOCKS].is_empty() => {}
        Err(End::Cut(malformed) | End::Wrong(malformed)) => return Err(malformed.into()),
    }
    Ok((result, found))
}

/// Unpacks chunks to their places in a file.
fn write(chunks: &[(Chunk<'_>, usize, usize)], to: &File) -> Result<(), Trouble> {
    let written: Vec<Result<(), Trouble>> = chunks
        .par_iter()
        .map_init(
            || vec![0; LARGEST],
            |buffer, (chunk, unpacked, at)| {
                let raw = chunk.unpack(*at, buffer)?;
                to.write_all_at(raw, *unpacked as u64)?;
                progress::add(CHUNK_HEAD + chunk.body.len());
                Ok(())
            },
        )
        .collect();
    // In the order of the file, so that of several faults the first is reported, as if all were read one after the other.
    written.into_iter().collect()
}

/// Where chunks stand in the file, and where each will stand unpacked.
#[derive(Default)]
struct Outline<'a> {
    ranges: [Range<usize>; ORDER.len()],
    /// For each section: where its first chunk is, and which one that is.
    firsts: [(usize, usize); ORDER.len()],
    /// Chunks with their places unpacked and in the file.
    chunks: Vec<(Chunk<'a>, usize, usize)>,
}

/// Why an outline ends before the file says so.
enum End {
    /// The file ends in the middle.
    Cut(Malformed),
    /// Something else stands there.
    Wrong(Malformed),
}

impl<'a> Outline<'a> {
    /// What all chunks unpack to.
    fn bytes(&self) -> usize {
        self.chunks
            .last()
            .map_or(0, |(chunk, unpacked, _)| unpacked + chunk.len)
    }

    /// Goes from head to head.
    fn read(&mut self, file: &'a [u8]) -> Result<(), End> {
        let (mut at, mut unpacked, mut current) = (FILE_HEAD, 0_usize, 0);
        loop {
            let chunk = Chunk::read(file, at, self.chunks.len())?;
            let Some(section) = ORDER.iter().position(|tag| *tag == chunk.tag) else {
                return Err(End::Wrong(Malformed::new(
                    at,
                    "a section's name",
                    format!("{:?}", String::from_utf8_lossy(&chunk.tag)),
                )));
            };
            if section < current {
                let expected = format!(
                    "sections in their order, not {0} again",
                    String::from_utf8_lossy(&chunk.tag)
                );
                return Err(End::Wrong(Malformed::at(file, at, expected)));
            }
            if self.ranges[section].is_empty() {
                self.ranges[section] = unpacked..unpacked;
                self.firsts[section] = (at, self.chunks.len());
            }
            current = section;
            let (len, is_last) = (chunk.len, chunk.tag == *b"DONE");
            let next = at + CHUNK_HEAD + chunk.body.len();
            self.chunks.push((chunk, unpacked, at));
            unpacked += len;
            self.ranges[section].end = unpacked;
            at = next;
            if is_last {
                break;
            }
        }
        if at != file.len() {
            return Err(End::Wrong(Malformed::new(
                at,
                "the end of the file",
                format!("{} more bytes", file.len() - at),
            )));
        }
        Ok(())
    }
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
    sum: usize,
    body: &'a [u8],
}

impl<'a> Chunk<'a> {
    /// The chunk at an offset; its bytes are checked when they are unpacked.
    fn read(file: &'a [u8], at: usize, index: usize) -> Result<Self, End> {
        let Some(head) = file.get(at..at.saturating_add(CHUNK_HEAD)) else {
            return Err(End::Cut(Malformed::new(
                at,
                "another chunk: the dump was not written to its end",
                "the end of the file",
            )));
        };
        let tag = [head[0], head[1], head[2], head[3]];
        let (method, len, packed) = (number(head, 4), number(head, 8), number(head, 12));
        let (sum, chunk) = (number(head, 16), number(head, 20));
        if chunk != index {
            return Err(End::Wrong(Malformed::new(
                at + 20,
                format!("chunk number {index}"),
                chunk.to_string(),
            )));
        }
        if len == 0 || len > LARGEST {
            return Err(End::Wrong(Malformed::new(
                at + 8,
                "1 to 1048576 bytes in a chunk",
                len.to_string(),
            )));
        }
        // What does not pack takes a little more than it has.
        if packed > 2 * LARGEST {
            return Err(End::Wrong(Malformed::new(
                at + 12,
                "a chunk's packed bytes",
                packed.to_string(),
            )));
        }
        let start = at + CHUNK_HEAD;
        let Some(body) = file.get(start..start.saturating_add(packed)) else {
            let found = format!("{} bytes up to the end of the file", file.len() - start);
            return Err(End::Cut(Malformed::new(
                start,
                format!("{packed} bytes of this chunk"),
                found,
            )));
        };
        Ok(Self {
            tag,
            method,
            len,
            sum,
            body,
        })
    }

    /// The chunk's bytes.
    fn unpack<'b>(&self, at: usize, buffer: &'b mut [u8]) -> Result<&'b [u8], Malformed> {
        let wrong = |expected: String, found: String| Malformed::new(at + CHUNK_HEAD, expected, found);
        let sum = crc32fast::hash(self.body);
        if sum as usize != self.sum {
            return Err(wrong(
                format!("bytes with the checksum {:08x}", self.sum),
                format!("{sum:08x}"),
            ));
        }
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
