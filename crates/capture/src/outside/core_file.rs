//! The picture as a core file (ELF(5), core(5)): a head, notes, and memory at multiples of a page.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use object::elf;

use super::maps::Mapping;
use super::pages::{PAGE, Segment, merged};

const HEAD: u64 = 64;
const ROW: u64 = 56;
/// A table of segments has no more rows, one of them for the notes.
const MOST_SEGMENTS: usize = 65_000;
/// Bytes copied at a time.
const PIECE: u64 = 1 << 20;
/// More threads copy no faster.
const MOST_THREADS: usize = 4;
/// The owner of the note with what is known of the process, and its type.
const OWNER: &[u8] = b"Deadweight";
const FACTS: u32 = 1;

/// Names and values as native dumps have them: `docs/formats/native.md`.
#[derive(Debug, Default)]
pub struct Facts(Vec<u8>);

impl Facts {
    /// Adds a value.
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

/// Where everything goes.
#[derive(Debug)]
pub struct Plan {
    segments: Vec<Segment>,
    /// Where each segment's bytes begin in the file.
    offsets: Vec<u64>,
    /// Where the notes begin: behind all memory, because some of them are known last.
    end: u64,
    notes: Vec<u8>,
}

/// Finds a place for each segment.
pub fn plan(segments: Vec<Segment>, mappings: &[Mapping], auxiliary: &[u8]) -> Plan {
    let mut segments = segments;
    let mut gap = PAGE;
    while segments.len() > MOST_SEGMENTS && gap < 1 << 40 {
        gap *= 4;
        segments = merged(segments, gap);
    }
    let mut notes = Vec::new();
    note(&mut notes, b"CORE", elf::NT_AUXV.0, auxiliary);
    note(&mut notes, b"CORE", elf::NT_FILE.0, &files(mappings));
    let mut end = (HEAD + ROW * (segments.len() as u64 + 1)).next_multiple_of(PAGE);
    let offsets = segments
        .iter()
        .map(|segment| {
            let offset = end;
            end += stored(segment);
            offset
        })
        .collect();
    Plan {
        segments,
        offsets,
        end,
        notes,
    }
}

fn stored(segment: &Segment) -> u64 {
    if segment.touched {
        segment.end - segment.start
    } else {
        0
    }
}

impl Plan {
    /// Copies the memory; says how many bytes there were.
    pub fn copy(&self, memory: &File, to: &File) -> io::Result<u64> {
        let mut pieces = Vec::new();
        for (segment, &offset) in self
            .segments
            .iter()
            .zip(&self.offsets)
            .filter(|(segment, _)| segment.touched)
        {
            let mut at = segment.start;
            while at < segment.end {
                let len = PIECE.min(segment.end - at);
                pieces.push((at, offset + (at - segment.start), len as usize));
                at += len;
            }
        }
        let next = AtomicUsize::new(0);
        let work = || {
            let mut buffer = vec![0; PIECE as usize];
            while let Some(&(at, offset, len)) = pieces.get(next.fetch_add(1, Relaxed)) {
                let buffer = &mut buffer[..len];
                memory.read_exact_at(buffer, at)?;
                to.write_all_at(buffer, offset)?;
            }
            io::Result::Ok(())
        };
        let threads = std::thread::available_parallelism()
            .map_or(1, usize::from)
            .min(MOST_THREADS);
        std::thread::scope(|scope| {
            let workers: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
            let mut done = work();
            for worker in workers {
                done = done.and(
                    worker
                        .join()
                        .unwrap_or_else(|_| Err(io::Error::other("a thread ended"))),
                );
            }
            done
        })?;
        Ok(self.segments.iter().map(stored).sum())
    }

    /// Writes notes and head: without them the file is no core file.
    pub fn finish(&self, facts: &Facts, to: &File) -> io::Result<()> {
        let mut notes = self.notes.clone();
        note(&mut notes, OWNER, FACTS, &facts.0);
        to.write_all_at(&notes, self.end)?;
        let mut rows = Vec::new();
        row(
            &mut rows,
            elf::PT_NOTE.0,
            0,
            [self.end, 0, notes.len() as u64, 0],
            4,
        );
        for (segment, &offset) in self.segments.iter().zip(&self.offsets) {
            let access = elf::PF_R.0 | if segment.writable { elf::PF_W.0 } else { 0 };
            let sizes = [
                offset,
                segment.start,
                stored(segment),
                segment.end - segment.start,
            ];
            row(&mut rows, elf::PT_LOAD.0, access, sizes, PAGE);
        }
        to.write_all_at(&rows, HEAD)?;
        to.write_all_at(&head(self.segments.len() as u16 + 1), 0)
    }
}

fn head(rows: u16) -> Vec<u8> {
    let machine = if cfg!(target_arch = "aarch64") {
        elf::EM_AARCH64
    } else {
        elf::EM_X86_64
    };
    let mut head = b"\x7FELF".to_vec();
    head.extend([elf::ELFCLASS64.0, elf::ELFDATA2LSB.0, elf::EV_CURRENT.0, 0]);
    head.extend([0; 8]);
    head.extend(elf::ET_CORE.0.to_le_bytes());
    head.extend(machine.0.to_le_bytes());
    head.extend(u32::from(elf::EV_CURRENT.0).to_le_bytes());
    // Entry, table of segments, table of sections; flags.
    for number in [0, HEAD, 0] {
        head.extend(number.to_le_bytes());
    }
    head.extend([0; 4]);
    for number in [HEAD as u16, ROW as u16, rows, 0, 0, 0] {
        head.extend(number.to_le_bytes());
    }
    head
}

/// `sizes` are the offset, the address, the bytes in the file and those in memory.
fn row(to: &mut Vec<u8>, kind: u32, access: u32, sizes: [u64; 4], alignment: u64) {
    let [offset, address, stored, len] = sizes;
    to.extend(kind.to_le_bytes());
    to.extend(access.to_le_bytes());
    for number in [offset, address, 0, stored, len, alignment] {
        to.extend(number.to_le_bytes());
    }
}

fn note(to: &mut Vec<u8>, owner: &[u8], kind: u32, body: &[u8]) {
    for number in [owner.len() as u32 + 1, body.len() as u32, kind] {
        to.extend(number.to_le_bytes());
    }
    for bytes in [&[owner, b"\0"].concat(), body] {
        to.extend(bytes);
        to.resize(to.len().next_multiple_of(4), 0);
    }
}

/// `NT_FILE`: a count, the size of its unit, start, end and offset of each mapping of a file, and their paths.
fn files(mappings: &[Mapping]) -> Vec<u8> {
    let files: Vec<&Mapping> = mappings.iter().filter(|mapping| mapping.is_file()).collect();
    let mut body = Vec::new();
    for number in [files.len() as u64, PAGE] {
        body.extend(number.to_le_bytes());
    }
    for file in &files {
        for number in [file.start, file.end, file.offset / PAGE] {
            body.extend(number.to_le_bytes());
        }
    }
    for file in &files {
        body.extend(&file.path);
        body.push(0);
    }
    body
}
