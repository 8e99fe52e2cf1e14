//! A dump's blocks as the model asks for them.

use std::borrow::Cow;

use deadweight_heap::{Blocks, ObjectId};

use super::fields::Fields;
use super::{Dump, Piece};

/// Untouched stretches are put together with the rest of a block up to so many bytes: a dump may claim any number.
const LARGEST_WHOLE: u64 = 1 << 24;

/// Addresses that blocks and mapped files take.
#[derive(Debug, Default)]
pub(super) struct Addresses {
    /// Stretches that mappings and runs of near blocks take, in order, not overlapping.
    stretches: Vec<(u64, u64)>,
}

/// Blocks nearer to each other than this are one stretch.
const NEAR: u64 = 1 << 20;

impl Addresses {
    pub fn of(dump: &Dump) -> Self {
        let blocks = dump
            .blocks()
            .iter()
            .map(|block| (block.address, block.address + block.requested));
        let files = dump.mappings().map(|mapping| (mapping.start, mapping.end));
        let mut all: Vec<(u64, u64)> = blocks.chain(files).collect();
        all.sort_unstable();
        let mut stretches: Vec<(u64, u64)> = Vec::new();
        for (start, end) in all {
            match stretches.last_mut() {
                Some(last) if start.saturating_sub(last.1) < NEAR => last.1 = last.1.max(end),
                _ => stretches.push((start, end)),
            }
        }
        Self { stretches }
    }

    /// Whether an address may be one of them: most words are not.
    pub fn may_have(&self, word: u64) -> bool {
        let after = self.stretches.partition_point(|&(start, _)| start <= word);
        after.checked_sub(1).is_some_and(|at| word < self.stretches[at].1)
    }
}

/// The block at or around an address.
pub(super) fn block_at(dump: &Dump, address: u64) -> Option<usize> {
    let blocks = dump.blocks();
    let after = blocks.partition_point(|block| block.address <= address);
    let index = after.checked_sub(1)?;
    let block = &blocks[index];
    // A block of no bytes has its address all the same.
    (address - block.address < block.requested.max(1)).then_some(index)
}

/// The blocks of a dump: row i is block i.
#[derive(Debug)]
pub(super) struct Raw {
    pub dump: Dump,
    pub addresses: Addresses,
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

    fn locate(&self, address: u64) -> Option<(ObjectId, u64)> {
        let block = block_at(&self.dump, address).filter(|_| self.addresses.may_have(address))?;
        Some((block as ObjectId, address - self.dump.blocks()[block].address))
    }

    fn is_address(&self, word: u64) -> bool {
        self.addresses.may_have(word) && (block_at(&self.dump, word).is_some() || self.is_mapped(word))
    }

    fn field(&self, object: ObjectId, offset: u64) -> Option<&str> {
        Some(&self.fields.of(object)?.at(offset)?.name)
    }
}
