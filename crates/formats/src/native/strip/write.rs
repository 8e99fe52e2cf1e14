//! The dump file, as `docs/formats/native.md` has it.

use std::io::{self, Write};

use lz4_flex::block::compress;

use super::super::MAGIC;

const CHUNK: usize = 1 << 20;
const STORED: u32 = 0;
const LZ4: u32 = 1;

struct Section {
    tag: [u8; 4],
    first_chunk: u32,
    chunks: u32,
    offset: u64,
    raw_bytes: u64,
}

/// Cuts sections into packed chunks.
pub(super) struct Writer<'o> {
    out: &'o mut dyn Write,
    written: u64,
    chunk: Vec<u8>,
    chunks: u32,
    sections: Vec<Section>,
}

impl<'o> Writer<'o> {
    pub fn new(out: &'o mut dyn Write) -> io::Result<Self> {
        out.write_all(MAGIC)?;
        out.write_all(&[1, 0, 0, 0, 0, 0, 0, 0])?;
        Ok(Self {
            out,
            written: 16,
            chunk: Vec::with_capacity(CHUNK),
            chunks: 0,
            sections: Vec::new(),
        })
    }

    /// Begins a section; what is put from now on belongs to it. The one before must have been flushed.
    pub fn begin(&mut self, tag: [u8; 4]) {
        self.sections.push(Section {
            tag,
            first_chunk: self.chunks,
            chunks: 0,
            offset: self.written,
            raw_bytes: 0,
        });
    }

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

    /// A whole section.
    pub fn section(&mut self, tag: [u8; 4], bytes: &[u8]) -> io::Result<()> {
        self.flush()?;
        if bytes.is_empty() {
            return Ok(());
        }
        self.begin(tag);
        self.put(bytes)?;
        self.flush()
    }

    fn flush(&mut self) -> io::Result<()> {
        let Some(section) = self.sections.last_mut().filter(|_| !self.chunk.is_empty()) else {
            return Ok(());
        };
        let packed = compress(&self.chunk);
        // The table of blocks is always stored: readers bound its size by the file's.
        let (method, body) = if &section.tag != b"BLOK" && packed.len() < self.chunk.len() {
            (LZ4, &packed[..])
        } else {
            (STORED, &self.chunk[..])
        };
        let head = [
            method,
            self.chunk.len() as u32,
            body.len() as u32,
            crc32fast::hash(body),
            self.chunks,
        ];
        self.out.write_all(&section.tag)?;
        for number in head {
            self.out.write_all(&number.to_le_bytes())?;
        }
        self.out.write_all(body)?;
        section.chunks += 1;
        section.raw_bytes += self.chunk.len() as u64;
        self.chunks += 1;
        self.written += 24 + body.len() as u64;
        self.chunk.clear();
        Ok(())
    }

    /// Writes the table of sections, which makes the dump whole.
    pub fn finish(mut self) -> io::Result<()> {
        self.flush()?;
        let mut table = Vec::new();
        for section in self.sections.iter().filter(|section| section.chunks > 0) {
            table.extend(section.tag);
            table.extend(section.first_chunk.to_le_bytes());
            table.extend(section.chunks.to_le_bytes());
            table.extend(0_u32.to_le_bytes());
            table.extend(section.offset.to_le_bytes());
            table.extend(section.raw_bytes.to_le_bytes());
        }
        self.begin(*b"DONE");
        self.put(&table)?;
        self.flush()
    }
}
