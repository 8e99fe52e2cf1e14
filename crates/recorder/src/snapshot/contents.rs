//! What stands in the blocks: their bytes, or only hashes and which words are zero.

use std::fs::File;
use std::hash::Hasher;
use std::io;
use std::os::unix::fs::FileExt;

use siphasher::sip128::{Hasher128, SipHasher13};

use super::blocks::Place;
use super::write::Writer;

/// From here on a block's pages are looked up before they are read.
const LARGE: usize = 64 << 10;
const PRESENT_OR_SWAPPED: u64 = 0b11 << 62;

/// A stretch of a block that was never touched; all zeros, and not stored.
pub struct Hole {
    /// Index of the block.
    pub block: u64,
    /// Bytes from the block's beginning.
    pub offset: u64,
    /// Bytes.
    pub len: u64,
}

/// Looks for pages of large blocks that were never touched. Reading them would cost memory and time: a block may be
/// as large as the address space.
pub fn holes(blocks: &[Place]) -> Vec<Hole> {
    let mut holes = Vec::new();
    // SAFETY: no memory is touched.
    let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) } as u64;
    let Ok(pages) = File::open("/proc/self/pagemap") else {
        return holes;
    };
    let mut entries = vec![0_u8; 8 << 10];
    for (index, place) in blocks.iter().enumerate() {
        let contents = place.contents();
        let len = contents.len();
        if len < LARGE {
            continue;
        }
        let start = contents.as_ptr() as u64;
        let (first, last) = (start.div_ceil(page), (start + len as u64) / page);
        let mut at = first;
        while at < last {
            let wanted = ((last - at) as usize * 8).min(entries.len());
            if pages.read_exact_at(&mut entries[..wanted], at * 8).is_err() {
                break;
            }
            for (page_index, entry) in entries[..wanted].chunks_exact(8).enumerate() {
                let entry = u64::from_le_bytes(entry.try_into().unwrap_or([0xFF; 8]));
                if entry & PRESENT_OR_SWAPPED == 0 {
                    let offset = (at + page_index as u64) * page - start;
                    add(&mut holes, index as u64, offset, page);
                }
            }
            at += wanted as u64 / 8;
        }
    }
    holes
}

fn add(holes: &mut Vec<Hole>, block: u64, offset: u64, len: u64) {
    if let Some(last) = holes.last_mut()
        && last.block == block
        && last.offset + last.len == offset
    {
        last.len += len;
        return;
    }
    holes.push(Hole { block, offset, len });
}

/// The stretches of each block that are not holes.
fn pieces<'a>(
    blocks: &'a [Place],
    holes: &'a [Hole],
    mut each: impl FnMut(usize, Piece<'a>) -> io::Result<()>,
) -> io::Result<()> {
    let mut next = holes.iter().peekable();
    for (index, place) in blocks.iter().enumerate() {
        let contents = place.contents();
        let mut at = 0;
        while let Some(hole) = next.next_if(|hole| hole.block == index as u64) {
            let start = hole.offset as usize;
            each(index, Piece::Bytes(&contents[at..start]))?;
            each(index, Piece::Zeros(hole.len as usize))?;
            at = start + hole.len as usize;
        }
        each(index, Piece::Bytes(&contents[at..]))?;
    }
    Ok(())
}

enum Piece<'a> {
    Bytes(&'a [u8]),
    Zeros(usize),
}

/// Writes the bytes of every block, holes left out; how many.
pub fn write_bytes(writer: &mut Writer, blocks: &[Place], holes: &[Hole]) -> io::Result<u64> {
    let mut total = 0;
    pieces(blocks, holes, |_, piece| match piece {
        Piece::Bytes(bytes) => {
            total += bytes.len() as u64;
            writer.put(bytes)
        }
        Piece::Zeros(_) => Ok(()),
    })?;
    Ok(total)
}

/// Writes which words of each block hold anything, and gives the hashes: 16 bytes a block.
///
/// The hash is keyed with random bytes that are kept nowhere: equal blocks of one dump have equal hashes, and nobody
/// can find out from the dump what a block held by trying.
pub fn write_zero_maps(writer: &mut Writer, blocks: &[Place], holes: &[Hole]) -> io::Result<Vec<u8>> {
    let mut key = [0_u8; 16];
    // SAFETY: the buffer is valid for its length.
    let filled = unsafe { libc::syscall(libc::SYS_getrandom, key.as_mut_ptr(), key.len(), 0) };
    if filled != key.len() as i64 {
        return Err(io::Error::other("no random bytes"));
    }
    let fresh = SipHasher13::new_with_key(&key);
    let mut hashes = Vec::with_capacity(blocks.len() * 16);
    let mut states = State {
        hasher: fresh,
        bits: 0,
        bit: 0,
    };
    let mut current = 0;
    let zeros = [0_u8; 4096];
    // A block of zeros is equal to a hole: both are hashed as what they hold, so pieces are joined to whole words.
    let mut words = Words { held: [0; 8], len: 0 };
    pieces(blocks, holes, |index, piece| {
        while current < index {
            states.finish(&mut words, &mut hashes, writer, &fresh)?;
            current += 1;
        }
        match piece {
            Piece::Bytes(bytes) => {
                states.hasher.write(bytes);
                words.feed(bytes, |word| states.word(word, writer))
            }
            Piece::Zeros(mut len) => {
                while len > 0 {
                    let part = &zeros[..len.min(zeros.len())];
                    states.hasher.write(part);
                    words.feed(part, |word| states.word(word, writer))?;
                    len -= part.len();
                }
                Ok(())
            }
        }
    })?;
    while current < blocks.len() {
        states.finish(&mut words, &mut hashes, writer, &fresh)?;
        current += 1;
    }
    Ok(hashes)
}

struct Words {
    held: [u8; 8],
    len: usize,
}

impl Words {
    fn feed(&mut self, mut bytes: &[u8], mut each: impl FnMut(bool) -> io::Result<()>) -> io::Result<()> {
        if self.len > 0 {
            let take = bytes.len().min(8 - self.len);
            self.held[self.len..self.len + take].copy_from_slice(&bytes[..take]);
            self.len += take;
            bytes = &bytes[take..];
            if self.len < 8 {
                return Ok(());
            }
            each(self.held != [0; 8])?;
            self.len = 0;
        }
        let whole = bytes.chunks_exact(8);
        let rest = whole.remainder();
        for word in whole {
            each(word != [0; 8])?;
        }
        self.held[..rest.len()].copy_from_slice(rest);
        self.len = rest.len();
        Ok(())
    }
}

struct State {
    hasher: SipHasher13,
    bits: u8,
    bit: u32,
}

impl State {
    fn word(&mut self, holds: bool, writer: &mut Writer) -> io::Result<()> {
        self.bits |= u8::from(holds) << self.bit;
        self.bit += 1;
        if self.bit == 8 {
            writer.put(&[self.bits])?;
            (self.bits, self.bit) = (0, 0);
        }
        Ok(())
    }

    /// Ends a block: the last word may be cut, the last byte of the map may be.
    fn finish(
        &mut self,
        words: &mut Words,
        hashes: &mut Vec<u8>,
        writer: &mut Writer,
        fresh: &SipHasher13,
    ) -> io::Result<()> {
        if words.len > 0 {
            let holds = words.held[..words.len].iter().any(|byte| *byte != 0);
            words.len = 0;
            self.word(holds, writer)?;
        }
        if self.bit > 0 {
            writer.put(&[self.bits])?;
            (self.bits, self.bit) = (0, 0);
        }
        hashes.extend(self.hasher.finish128().as_bytes());
        self.hasher = *fresh;
        Ok(())
    }
}
