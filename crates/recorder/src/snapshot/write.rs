//! The dump file: `docs/formats/native.md`.

use std::fs::File;
use std::io::{self, Write};
use std::sync::atomic::AtomicU64;

use lz4_flex::block::{CompressTable, compress_into_with_table, get_maximum_output_size};

use super::facts::Facts;
use super::maps::Mapping;
use super::{Reason, Standing, blocks, clock, contents, facts, maps};
use crate::curve::CURVE;
use crate::settings::{self, Settings};
use crate::stack::TREE;
use crate::{files, peak, process};

const MAGIC: &[u8; 8] = b"DWNATIVE";
const VERSION: u32 = 1;
/// Bytes of one chunk before it is packed.
const CHUNK: usize = 1 << 20;
/// The part of a chunk that is tried.
const SAMPLE: usize = 32 << 10;
/// What one try decides about: neighbours in memory are alike, and trying costs more than leaving out zero words.
const CHUNKS_A_TRY: u32 = 4;
const STORED: u32 = 0;
const LZ4: u32 = 1;
const WORDS: u32 = 2;

/// What the end of the file says of each section.
struct Section {
    tag: [u8; 4],
    first_chunk: u32,
    chunks: u32,
    /// Where the first chunk begins.
    offset: u64,
    raw_bytes: u64,
}

/// Cuts sections into packed chunks.
pub struct Writer {
    file: File,
    written: u64,
    chunk: Vec<u8>,
    packed: Vec<u8>,
    table: CompressTable,
    /// What the last try said, in this section.
    repeats: bool,
    chunks: u32,
    sections: Vec<Section>,
}

impl Writer {
    fn new(file: File) -> io::Result<Self> {
        let mut writer = Self {
            file,
            written: 0,
            chunk: Vec::with_capacity(CHUNK),
            packed: vec![0; get_maximum_output_size(CHUNK)],
            table: CompressTable::large(),
            repeats: false,
            chunks: 0,
            sections: Vec::new(),
        };
        let mut head = [0; 16];
        head[..8].copy_from_slice(MAGIC);
        head[8..12].copy_from_slice(&VERSION.to_le_bytes());
        writer.send(&head)?;
        Ok(writer)
    }

    fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.written += bytes.len() as u64;
        self.file.write_all(bytes)
    }

    /// Begins a section; what is put from now on belongs to it.
    fn begin(&mut self, tag: [u8; 4]) -> io::Result<()> {
        self.flush()?;
        self.sections.push(Section {
            tag,
            first_chunk: self.chunks,
            chunks: 0,
            offset: self.written,
            raw_bytes: 0,
        });
        Ok(())
    }

    /// Adds bytes to the section.
    pub fn put(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        while !bytes.is_empty() {
            let take = bytes.len().min(CHUNK - self.chunk.len());
            self.chunk.extend_from_slice(&bytes[..take]);
            bytes = &bytes[take..];
            if self.chunk.len() == CHUNK {
                self.flush()?;
            }
        }
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        let Some(section) = self.sections.last_mut() else {
            return Ok(());
        };
        if self.chunk.is_empty() {
            return Ok(());
        }
        // Blocks are packed already; looking for repetitions in them costs more than all else.
        let (method, body) = if &section.tag == b"BLOK" {
            (STORED, &self.chunk[..])
        } else {
            if section.chunks.is_multiple_of(CHUNKS_A_TRY) {
                self.repeats = repeats(&self.chunk, &mut self.packed, &mut self.table);
            }
            pack(&self.chunk, &mut self.packed, &mut self.table, self.repeats)
        };
        let mut head = [0; 24];
        head[..4].copy_from_slice(&section.tag);
        let numbers = [
            method,
            self.chunk.len() as u32,
            body.len() as u32,
            crc32fast::hash(body),
            self.chunks,
        ];
        for (place, number) in head[4..].chunks_exact_mut(4).zip(numbers) {
            place.copy_from_slice(&number.to_le_bytes());
        }
        section.chunks += 1;
        section.raw_bytes += self.chunk.len() as u64;
        self.chunks += 1;
        self.written += (head.len() + body.len()) as u64;
        self.file.write_all(&head)?;
        self.file.write_all(body)?;
        self.chunk.clear();
        Ok(())
    }

    /// Writes the table of sections, which makes the dump whole.
    fn finish(mut self) -> io::Result<()> {
        self.flush()?;
        let mut table = Vec::new();
        for section in &self.sections {
            table.extend(section.tag);
            table.extend(section.first_chunk.to_le_bytes());
            table.extend(section.chunks.to_le_bytes());
            table.extend(0_u32.to_le_bytes());
            table.extend(section.offset.to_le_bytes());
            table.extend(section.raw_bytes.to_le_bytes());
        }
        self.begin(*b"DONE")?;
        self.put(&table)?;
        self.flush()
    }
}

fn zero_words(bytes: &[u8]) -> usize {
    bytes
        .as_chunks::<8>()
        .0
        .iter()
        .filter(|word| **word == [0; 8])
        .count()
}

/// Whether LZ4 halves what leaving out zero words gives, which costs a tenth of the time; a part of the chunk is tried.
fn repeats(chunk: &[u8], packed: &mut [u8], table: &mut CompressTable) -> bool {
    let sample = &chunk[..chunk.len().min(SAMPLE)];
    let by_words = sample.len() - zero_words(sample) * 8;
    let by_lz4 = compress_into_with_table(sample, packed, table).unwrap_or(usize::MAX);
    by_lz4.saturating_mul(2) < by_words
}

/// Packs a chunk: with LZ4 where it repeats itself, else without its zero words where that is worth it.
fn pack<'a>(
    chunk: &'a [u8],
    packed: &'a mut [u8],
    table: &mut CompressTable,
    repeats: bool,
) -> (u32, &'a [u8]) {
    if repeats
        && let Ok(len) = compress_into_with_table(chunk, packed, table)
        && len < chunk.len()
    {
        return (LZ4, &packed[..len]);
    }
    // A bit for each word must be worth it.
    if zero_words(chunk) * 32 < chunk.len() / 8 {
        return (STORED, chunk);
    }
    let (words, tail) = chunk.as_chunks::<8>();
    let mut at = words.len().div_ceil(8);
    packed[..at].fill(0);
    for (index, word) in words.iter().enumerate() {
        let holds = *word != [0; 8];
        packed[index / 8] |= u8::from(holds) << (index % 8);
        // Always stored, kept only when it holds something: no branch to mispredict.
        packed[at..at + 8].copy_from_slice(word);
        at += usize::from(holds) * 8;
    }
    packed[at..at + tail.len()].copy_from_slice(tail);
    (WORDS, &packed[..at + tail.len()])
}

/// Writes a dump under a temporary name and gives it its own when it is whole.
///
/// `standing`: the file it replaces. `host_bytes`: what the recorder held in the program itself.
pub fn dump(
    reason: Reason,
    ask: bool,
    pause: &AtomicU64,
    standing: Option<&Standing>,
    host_bytes: usize,
) -> io::Result<()> {
    let settings = settings::get().ok_or_else(|| io::Error::other("no settings"))?;
    let began = clock();
    let process = process::recorded();
    let replaces = standing.map_or(0, Standing::number);
    let mut began = began;
    let captured = peak::now();
    let number = files::whole(settings, process, "dwheap", replaces, |file| {
        if let Some(standing) = standing {
            standing.hold(process);
            began = clock();
        }
        let mappings = maps::read()?;
        let facts = facts::before(settings, reason, process, captured.ms, &mappings, host_bytes);
        sections(file, settings, &mappings, &facts, ask, pause, began)?;
        standing.map_or(Ok(()), Standing::publish)
    })?;
    if let Some(standing) = standing {
        standing.written(number, captured, clock() - began);
    }
    if settings.peak {
        let text = CURVE.json(captured, captured);
        files::beside(settings, process, number, "curve.json", text.as_bytes())?;
    }
    if matches!(reason, Reason::Signal | Reason::Threshold) {
        let dump = files::name(process, number, "dwheap");
        files::note(settings, &format!("asked {dump}"));
    }
    Ok(())
}

fn sections(
    file: File,
    settings: &Settings,
    mappings: &[Mapping],
    facts: &Facts,
    ask: bool,
    pause: &AtomicU64,
    began: u64,
) -> io::Result<()> {
    let mut writer = Writer::new(file)?;
    writer.begin(*b"INFO")?;
    writer.put(&facts.0)?;

    writer.begin(*b"MAPS")?;
    for mapping in mappings.iter().filter(|mapping| !mapping.path.is_empty()) {
        let access =
            u32::from(mapping.readable) | u32::from(mapping.executable) << 1 | u32::from(mapping.go) << 2;
        writer.put(&mapping.start.to_le_bytes())?;
        writer.put(&mapping.end.to_le_bytes())?;
        writer.put(&mapping.offset.to_le_bytes())?;
        writer.put(&access.to_le_bytes())?;
        writer.put(&(mapping.path.len() as u16).to_le_bytes())?;
        writer.put(&(mapping.build_id.len() as u16).to_le_bytes())?;
        writer.put(&mapping.path)?;
        writer.put(&mapping.build_id)?;
    }

    writer.begin(*b"STAK")?;
    for id in 1..TREE.len() {
        let node = TREE.node(id as u32);
        writer.put(&node.address.to_le_bytes())?;
        writer.put(&node.parent.to_le_bytes())?;
    }

    writer.begin(*b"BLOK")?;
    let blocks = blocks::write(&mut writer, mappings, ask)?;

    let holes = contents::holes(&blocks.places);
    writer.begin(*b"HOLE")?;
    for hole in &holes {
        for number in [hole.block, hole.offset, hole.len] {
            writer.put(&number.to_le_bytes())?;
        }
    }

    if settings.contents {
        writer.begin(*b"CONT")?;
        contents::write_bytes(&mut writer, &blocks.places, &holes)?;
    } else {
        writer.begin(*b"ZERO")?;
        let hashes = contents::write_zero_maps(&mut writer, &blocks.places, &holes)?;
        writer.begin(*b"HASH")?;
        writer.put(&hashes)?;
    }

    writer.begin(*b"TAIL")?;
    writer.put(&facts::after(pause, began, blocks.unreadable).0)?;
    writer.finish()
}
