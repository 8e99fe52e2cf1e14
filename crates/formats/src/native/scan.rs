//! One pass over what stands in the blocks: references, zeros, hashes.

use std::hash::Hasher as _;

use deadweight_heap::{
    Buffer, EdgeKind, Edges, Inside, Interior, NONE, ObjectId, Representation, Texts, Via,
};
use rayon::prelude::*;
use twox_hash::XxHash3_64;

use super::Dump;
use super::alike::{Alike, Likeness};
use super::content::Piece as Stored;
use super::fields::{Fields, Names};
use super::raw::Stretch;
use crate::joined::joined;

/// Smaller blocks are no buffers, in bytes.
pub(super) const SMALLEST_BUFFER: u64 = 64;

/// What all blocks show, and the references between them.
pub(super) struct Scan {
    /// What the blocks of each piece show.
    pub pieces: Vec<Piece>,
    /// Where the references of each block begin, and where the last ones end.
    starts: Vec<u32>,
    via: Vec<Via>,
    to: Vec<ObjectId>,
    inside: Vec<Inside>,
}

/// What some blocks show that follow each other.
#[derive(Default)]
pub(super) struct Piece {
    /// What they are.
    pub alike: Alike,
    /// Those that may be buffers: without any address.
    pub buffers: Vec<Buffer>,
}

impl Scan {
    /// The references, with the names of the fields in which they stand, and how far inside of blocks they lead.
    pub fn edges(mut self, fields: &Fields, texts: &mut Texts) -> (Edges, Interior) {
        if !fields.is_empty() {
            self.name(&fields.names(texts));
        }
        let edges = Edges::from_columns(self.starts, self.via, self.to);
        (edges, Interior::new(self.inside))
    }

    fn name(&mut self, names: &Names<'_>) {
        let starts = &self.starts;
        let (mut pieces, mut rest) = (Vec::new(), &mut self.via[..]);
        let blocks = starts.len() - 1;
        for first in (0..blocks).step_by(PIECE) {
            let blocks = first..(first + PIECE).min(blocks);
            let (piece, more) = rest.split_at_mut((starts[blocks.end] - starts[first]) as usize);
            pieces.push((blocks, piece));
            rest = more;
        }
        pieces.into_par_iter().for_each(|(blocks, mut rest)| {
            for block in blocks {
                let of_block;
                (of_block, rest) = rest.split_at_mut((starts[block + 1] - starts[block]) as usize);
                let Some(name) = names.of(block as ObjectId) else {
                    continue;
                };
                for via in of_block {
                    if let Some(name) = name(u64::from(via.name()) * 8) {
                        *via = Via::new(EdgeKind::Field, name);
                    }
                }
            }
        });
    }
}

/// How many blocks one thread takes at a time.
pub(super) const PIECE: usize = 1 << 14;

/// Goes over all blocks. `may_be_table` says of a block's first word that it may be the address of a virtual table.
pub(super) fn scan(dump: &Dump, may_be_table: impl Fn(u64) -> bool + Sync) -> Scan {
    let blocks = dump.blocks().len();
    let has_requests = dump.has_requests();
    let pieces: Vec<_> = (0..blocks.div_ceil(PIECE))
        .into_par_iter()
        .map(|piece| {
            let (mut words, mut seen) = (Words::default(), Piece::default());
            for index in piece * PIECE..((piece + 1) * PIECE).min(blocks) {
                let block = &dump.blocks()[index];
                let first_word = references(dump, index, &mut words);
                let has_address = first_word.is_some_and(|(_, has_address)| has_address);
                seen.alike.push(Likeness {
                    table: first_word
                        .map(|(word, _)| word)
                        .filter(|&word| may_be_table(word)),
                    stack: block.stack,
                    size: if has_requests { 0 } else { block.requested },
                });
                // Bytes are what holds no address: what refers to others has an identity, whatever its contents.
                if block.requested >= SMALLEST_BUFFER && !has_address {
                    seen.buffers.extend(buffer(dump, index));
                }
                words.ends.push(words.found.len());
            }
            (seen, words.resolved(dump, piece * PIECE))
        })
        .collect();
    let (mut seen, mut starts) = (Vec::new(), vec![vec![0_u32]]);
    let (mut via, mut to, mut inside, mut base) = (Vec::new(), Vec::new(), Vec::new(), 0);
    for (of_piece, mut found) in pieces {
        seen.push(of_piece);
        // Beyond what the columns can number, references are left out.
        let room = (u32::MAX as usize).saturating_sub(base);
        let kept = found.to.len().min(room);
        starts.push(
            found
                .ends
                .iter()
                .map(|&end| (base + end.min(kept)) as u32)
                .collect(),
        );
        found.via.truncate(kept);
        found.to.truncate(kept);
        via.push(found.via);
        to.push(found.to);
        inside.push(found.inside);
        base += kept;
    }
    Scan {
        pieces: seen,
        starts: joined(starts, 0),
        via: joined(via, Via::default()),
        to: joined(to, 0),
        inside: inside.concat(),
    }
}

/// The references of some blocks that follow each other.
#[derive(Default)]
struct Found {
    via: Vec<Via>,
    to: Vec<ObjectId>,
    inside: Vec<Inside>,
    ends: Vec<usize>,
}

/// Words that are addresses, of some blocks that follow each other.
#[derive(Default)]
struct Words {
    /// Each with its bucket and its index in its block.
    found: Vec<(u64, u32, u32)>,
    ends: Vec<usize>,
    /// Where the last one leads to: most lead to where the one before did.
    near: Stretch,
}

impl Words {
    /// Which of the words of blocks from `first` on lead to blocks. Blocks are looked up together, so that memory finds several at a time.
    fn resolved(self, dump: &Dump, first: usize) -> Found {
        const AT_A_TIME: usize = 256;
        let (blocks, addresses) = (dump.blocks(), dump.addresses());
        let mut to: Vec<ObjectId> = Vec::with_capacity(self.found.len());
        for words in self.found.chunks(AT_A_TIME) {
            // Nothing waits for any of these, and when they are looked at one after the other they are at hand.
            let firsts = words.iter().map(|&(_, bucket, _)| addresses.first(bucket));
            std::hint::black_box(firsts.fold(0, |any, first| any | first));
            for &(word, bucket, _) in words {
                let block = addresses.block_of_bucket(blocks, bucket, word);
                to.push(block.map_or(NONE, |block| block as ObjectId));
            }
        }
        let mut found = Found::default();
        let mut begin = 0;
        for (from, end) in (first as ObjectId..).zip(self.ends) {
            let before = found.to.len();
            for (&(word, _, index), &to) in self.found[begin..end].iter().zip(&to[begin..end]) {
                if to != NONE {
                    let offset = word - blocks[to as usize].address;
                    if offset > 0 {
                        found.inside.push(Inside {
                            from,
                            place: (found.to.len() - before) as u32,
                            offset,
                        });
                    }
                    found.via.push(Via::new(EdgeKind::Internal, index));
                    found.to.push(to);
                }
            }
            found.ends.push(found.to.len());
            begin = end;
        }
        found
    }
}

/// Notes the words of a block that are addresses of blocks or of mapped files. Gives its first word, 0 when there is none,
/// and whether any word is such an address; nothing where the dump has no contents.
fn references(dump: &Dump, block: usize, words: &mut Words) -> Option<(u64, bool)> {
    let addresses = dump.addresses();
    let before = words.found.len();
    let (mut first_word, mut at) = (0, 0_u64);
    for piece in dump.content(block)? {
        // Untouched stretches are whole pages behind the beginning, so words stay where they are.
        if let Stored::Bytes(bytes) = piece {
            let all = bytes.as_chunks::<8>().0;
            if at == 0
                && let Some(word) = all.first()
            {
                first_word = u64::from_le_bytes(*word);
            }
            for (index, word) in (at / 8..).zip(all) {
                let word = u64::from_le_bytes(*word);
                // Text and small numbers are above or below all of them.
                if !addresses.may_span(word) {
                    continue;
                }
                if !words.near.has(word) {
                    match addresses.stretch(word) {
                        Some(stretch) => words.near = *stretch,
                        None => continue,
                    }
                }
                let index = u32::try_from(index).unwrap_or(Via::MAX_NAME);
                words
                    .found
                    .push((word, addresses.bucket(&words.near, word), index));
            }
        }
        at += piece.len();
    }
    Some((first_word, words.found.len() > before))
}

/// A block as a buffer; nothing where the dump has no contents.
fn buffer(dump: &Dump, block: usize) -> Option<Buffer> {
    let (mut zeros, mut words_used) = (0, 0);
    for piece in dump.content(block)? {
        match piece {
            Stored::Untouched(len) => zeros += len,
            Stored::Bytes(bytes) => {
                let found = count(bytes);
                zeros += found.0;
                words_used += found.1;
            }
        }
    }
    Some(Buffer {
        object: block as ObjectId,
        backing: NONE,
        bytes: dump.blocks()[block].requested,
        zeros,
        words_used,
        hash: hash(dump, block)?,
        is_backing: true,
        elements: Representation::Unsigned(1),
        gives_way: false,
    })
}

/// Equal for equal contents, whether they are stored in one piece or in several.
fn hash(dump: &Dump, block: usize) -> Option<u64> {
    let hash = if let Some(bytes) = dump.whole(block) {
        XxHash3_64::oneshot(bytes)
    } else {
        let mut hasher = XxHash3_64::new();
        for piece in dump.content(block)? {
            match piece {
                Stored::Untouched(len) => hasher.write_u64(len),
                Stored::Bytes(bytes) => hasher.write(bytes),
            }
        }
        hasher.finish()
    };
    Some(hash.max(1))
}

/// Bytes that are zero, and words of eight bytes that are not; the last one may be shorter.
fn count(bytes: &[u8]) -> (u64, u64) {
    // A sum of so many bits still fits into a byte.
    const MOST: usize = 255;
    const LOW: u64 = 0x7F7F_7F7F_7F7F_7F7F;
    let (words, rest) = bytes.as_chunks::<8>();
    let (mut bytes_used, mut words_used) = (0_u64, 0_u64);
    for words in words.chunks(MOST) {
        // Of each byte of all words, how often it is not zero. Without a branch, several words are looked at at a time.
        let mut sums = 0_u64;
        for word in words {
            let word = u64::from_le_bytes(*word);
            // A byte with any bit set ends with its highest bit set.
            let used = (((word & LOW) + LOW) | word) & !LOW;
            sums += used >> 7;
            words_used += (word | word.wrapping_neg()) >> 63;
        }
        bytes_used += sums.to_le_bytes().into_iter().map(u64::from).sum::<u64>();
    }
    let of_rest = rest.iter().map(|&byte| u64::from(byte != 0)).sum::<u64>();
    (
        bytes.len() as u64 - bytes_used - of_rest,
        words_used + u64::from(of_rest > 0),
    )
}

#[cfg(test)]
mod tests {
    use super::count;

    #[test]
    fn words_are_counted_together_as_one_byte_after_the_other() {
        let values = [0, 1, 0x7F, 0x80, 0xFF, 0, 0];
        let mut state = 1_u64;
        let mut bytes = Vec::new();
        for len in 0..5_000 {
            let zeros: u64 = bytes.iter().map(|&byte| u64::from(byte == 0)).sum();
            let words = bytes.chunks(8).filter(|word| word.iter().any(|&byte| byte != 0));
            assert_eq!(count(&bytes), (zeros, words.count() as u64), "{len} bytes");
            state = state.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(1);
            // Stretches of zeros, too, so that there are whole words of them.
            let is_zero = len / 40 % 3 == 1;
            bytes.push(if is_zero {
                0
            } else {
                values[(state >> 60) as usize % 7]
            });
        }
        assert_eq!(count(&[0xFF; 8 * 300]), (0, 300));
    }
}
