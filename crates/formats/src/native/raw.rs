//! A dump's blocks as the model asks for them.

use std::borrow::Cow;
use std::ops::Range;

use deadweight_heap::{Blocks, ObjectId, used_words};

use super::fields::Fields;
use super::{Block, Dump, Mapping, Piece};

/// Untouched stretches are put together with the rest of a block up to so many bytes: a dump may claim any number.
const LARGEST_WHOLE: u64 = 1 << 24;

/// Addresses that blocks and mapped files take.
#[derive(Debug, Default)]
pub(super) struct Addresses {
    /// From the first to the last.
    span: Range<u64>,
    /// What mappings and runs of near blocks take, in order, not overlapping.
    stretches: Vec<Stretch>,
    /// For each bucket of addresses the first block that does not begin before it, and the number of blocks.
    firsts: Vec<u32>,
    /// Addresses of a bucket, as a power of two.
    shift: u32,
}

/// A stretch of the address space.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Stretch {
    start: u64,
    end: u64,
    /// Its first bucket.
    bucket: u32,
}

impl Stretch {
    /// Whether an address is in it.
    #[inline]
    pub fn has(&self, address: u64) -> bool {
        (self.start..self.end).contains(&address)
    }

    fn buckets(&self, shift: u32) -> u64 {
        ((self.end - self.start) >> shift) + 1
    }
}

/// Blocks nearer to each other than this are one stretch.
const NEAR: u64 = 1 << 20;

/// The upper half of the address space is the kernel's. Of what is mapped there (`[vsyscall]`) programs keep no addresses,
/// and with it all text would lie between the first address and the last.
const KERNELS: u64 = 1 << 63;

impl Addresses {
    /// Of blocks in order of address.
    pub fn of<'m>(mappings: impl Iterator<Item = Mapping<'m>>, blocks: &[Block]) -> Self {
        let mut files: Vec<(u64, u64)> = mappings
            .map(|mapping| (mapping.start, mapping.end))
            .filter(|&(start, _)| start < KERNELS)
            .collect();
        files.sort_unstable();
        let mut files = files.into_iter().peekable();
        let mut stretches: Vec<Stretch> = Vec::new();
        let mut add = |(start, end): (u64, u64)| match stretches.last_mut() {
            Some(last) if start.saturating_sub(last.end) < NEAR => last.end = last.end.max(end),
            _ => stretches.push(Stretch {
                start,
                end,
                bucket: 0,
            }),
        };
        for block in blocks {
            while let Some(file) = files.next_if(|file| file.0 < block.address) {
                add(file);
            }
            add((block.address, block.address + block.requested));
        }
        files.for_each(add);
        let begin = stretches.first().map_or(0, |first| first.start);
        let mut addresses = Self {
            span: begin..stretches.last().map_or(begin, |last| last.end),
            stretches,
            ..Self::default()
        };
        addresses.sort_into_buckets(blocks);
        addresses
    }

    /// About as many buckets as blocks, wherever these are.
    fn sort_into_buckets(&mut self, blocks: &[Block]) {
        let most = (blocks.len() + self.stretches.len()) as u64;
        let buckets = |shift: u32| {
            let all = self.stretches.iter().map(|stretch| stretch.buckets(shift));
            all.fold(0, u64::saturating_add)
        };
        self.shift = (4..u64::BITS).find(|&shift| buckets(shift) <= most).unwrap_or(63);
        self.firsts.reserve_exact(buckets(self.shift) as usize + 1);
        let mut block = 0;
        for stretch in &mut self.stretches {
            stretch.bucket = self.firsts.len() as u32;
            for bucket in 0..stretch.buckets(self.shift) {
                let begin = stretch.start + (bucket << self.shift);
                while blocks.get(block).is_some_and(|block| block.address < begin) {
                    block += 1;
                }
                self.firsts.push(block as u32);
            }
        }
        self.firsts.push(blocks.len() as u32);
    }

    /// Whether an address may be one of them: most words are not.
    pub fn may_have(&self, word: u64) -> bool {
        self.stretch(word).is_some()
    }

    /// Whether a word is between the first and the last of them: text and small numbers are not.
    #[inline]
    pub fn may_span(&self, word: u64) -> bool {
        // One comparison: what is below the first wraps to large numbers.
        word.wrapping_sub(self.span.start) < self.span.end - self.span.start
    }

    /// The stretch an address is in.
    #[inline]
    pub fn stretch(&self, word: u64) -> Option<&Stretch> {
        if !self.may_span(word) {
            return None;
        }
        let after = self.stretches.partition_point(|stretch| stretch.start <= word);
        let stretch = &self.stretches[after.checked_sub(1)?];
        stretch.has(word).then_some(stretch)
    }

    /// The block at or around an address of a stretch.
    #[inline]
    pub fn block_in(&self, blocks: &[Block], stretch: &Stretch, address: u64) -> Option<usize> {
        self.block_of_bucket(blocks, self.bucket(stretch, address), address)
    }

    /// The bucket of an address of a stretch.
    #[inline]
    pub fn bucket(&self, stretch: &Stretch, address: u64) -> u32 {
        stretch.bucket + ((address - stretch.start) >> self.shift) as u32
    }

    /// The first block that does not begin before a bucket.
    #[inline]
    pub fn first(&self, bucket: u32) -> u32 {
        self.firsts[bucket as usize]
    }

    /// The block at or around an address of a bucket.
    #[inline]
    pub fn block_of_bucket(&self, blocks: &[Block], bucket: u32, address: u64) -> Option<usize> {
        let bucket = bucket as usize;
        // Those of the bucket, and the one before, which may reach into it.
        let (first, end) = (self.firsts[bucket] as usize, self.firsts[bucket + 1] as usize);
        let after = first + blocks[first..end].partition_point(|block| block.address <= address);
        let index = after.checked_sub(1)?;
        let block = &blocks[index];
        // A block of no bytes has its address all the same.
        (address - block.address < block.requested.max(1)).then_some(index)
    }

    /// The block at or around an address.
    pub fn block(&self, blocks: &[Block], address: u64) -> Option<usize> {
        self.block_in(blocks, self.stretch(address)?, address)
    }
}

/// The blocks of a dump: row i is block i.
#[derive(Debug)]
pub(super) struct Raw {
    pub dump: Dump,
    pub fields: Fields,
}

impl Raw {
    fn is_mapped(&self, address: u64) -> bool {
        let mut mappings = self.dump.mappings();
        mappings.any(|mapping| mapping.start <= address && address < mapping.end)
    }
}

impl Blocks for Raw {
    fn any(&self) -> bool {
        !self.dump.blocks().is_empty()
    }

    fn requested(&self, object: ObjectId) -> Option<u64> {
        let block = self.dump.blocks().get(object as usize)?;
        Some(block.requested)
    }

    fn content(&self, object: ObjectId) -> Option<Cow<'_, [u8]>> {
        if let Some(whole) = self.dump.whole(object as usize) {
            return Some(Cow::Borrowed(whole));
        }
        let mut pieces = self.dump.content(object as usize)?;
        let Some(first) = pieces.next() else {
            return Some(Cow::Borrowed(&[]));
        };
        let requested = self.requested(object)?;
        match first {
            Piece::Bytes(bytes) if bytes.len() as u64 == requested => return Some(Cow::Borrowed(bytes)),
            _ if requested > LARGEST_WHOLE => return None,
            _ => {}
        }
        let mut whole = Vec::with_capacity(requested as usize);
        for piece in std::iter::once(first).chain(pieces) {
            match piece {
                Piece::Bytes(bytes) => whole.extend_from_slice(bytes),
                Piece::Untouched(len) => whole.resize(whole.len() + len as usize, 0),
            }
        }
        Some(Cow::Owned(whole))
    }

    fn each_used_word(&self, object: ObjectId, look: &mut dyn FnMut(u64, u64)) -> bool {
        let Some(pieces) = self.dump.content(object as usize) else {
            return false;
        };
        let mut at = 0;
        for piece in pieces {
            // Untouched stretches are whole pages behind the beginning, so words stay where they are.
            if let Piece::Bytes(bytes) = piece {
                used_words(at / 8, bytes, look);
            }
            at += piece.len();
        }
        true
    }

    fn untouched(&self, object: ObjectId) -> u64 {
        let pieces = self.dump.content(object as usize).into_iter().flatten();
        let untouched = pieces.map(|piece| match piece {
            Piece::Untouched(len) => len,
            Piece::Bytes(_) => 0,
        });
        untouched.sum()
    }

    fn address(&self, object: ObjectId) -> Option<u64> {
        Some(self.dump.blocks().get(object as usize)?.address)
    }

    fn locate(&self, address: u64) -> Option<(ObjectId, u64)> {
        let block = self.dump.addresses().block(self.dump.blocks(), address)?;
        Some((block as ObjectId, address - self.dump.blocks()[block].address))
    }

    fn is_address(&self, word: u64) -> bool {
        let addresses = self.dump.addresses();
        let stretch = addresses.stretch(word);
        let block = stretch.map(|stretch| addresses.block_in(self.dump.blocks(), stretch, word));
        block.is_some_and(|block| block.is_some() || self.is_mapped(word))
    }

    fn field(&self, object: ObjectId, offset: u64) -> Option<&str> {
        Some(&self.fields.of(object)?.at(offset)?.name)
    }
}

#[cfg(test)]
mod tests {
    use super::{Addresses, Mapping};

    fn mapping(start: u64, end: u64) -> Mapping<'static> {
        Mapping {
            start,
            end,
            offset: 0,
            readable: true,
            executable: true,
            go: false,
            path: b"a file",
            build_id: b"",
        }
    }

    #[test]
    fn text_is_no_address_though_the_kernel_maps_a_page_above_it() {
        let library = mapping(0x7F00_0000_0000, 0x7F00_0000_1000);
        let calls = mapping(0xFFFF_FFFF_FF60_0000, 0xFFFF_FFFF_FF60_1000);
        let addresses = Addresses::of([library, calls].into_iter(), &[]);
        assert!(addresses.may_have(library.start) && !addresses.may_have(library.end));
        assert!(!addresses.may_span(u64::from_le_bytes(*b"some tex")));
        assert!(!addresses.may_have(calls.start));
    }
}
