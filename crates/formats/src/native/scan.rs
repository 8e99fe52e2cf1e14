//! One pass over what stands in the blocks: references, zeros, hashes.

use std::hash::Hasher as _;

use deadweight_heap::{EdgeKind, Edges, ObjectId, TextId, Texts, Via};
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use siphasher::sip::SipHasher13;

use super::fields::Fields;
use super::raw::{Addresses, block_at};
use super::{Dump, Piece};

/// What one block's contents tell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Seen {
    /// The first word, 0 when there is none.
    pub first_word: u64,
    /// Whether any aligned word is an address of a block or of a mapped file.
    pub has_address: bool,
    /// Bytes that are zero.
    pub zeros: u64,
    /// Words of eight bytes that are not zero.
    pub words_used: u64,
    /// A hash of the contents, never 0.
    pub hash: u64,
}

/// What all blocks tell: one entry a block, `None` where the dump has no contents, and the references between them.
pub(super) struct Scan {
    pub seen: Vec<Option<Seen>>,
    /// Where the references of each block begin, and where the last ones end.
    starts: Vec<u32>,
    via: Vec<Via>,
    to: Vec<ObjectId>,
}

impl Scan {
    /// The references, with the names of the fields in which they stand.
    pub fn edges(mut self, fields: &Fields, texts: &mut Texts) -> Edges {
        let mut names: FxHashMap<&str, TextId> = FxHashMap::default();
        let blocks = if fields.is_empty() { 0 } else { self.seen.len() };
        for block in 0..blocks {
            let Some(members) = fields.of(block as ObjectId) else {
                continue;
            };
            for via in &mut self.via[self.starts[block] as usize..self.starts[block + 1] as usize] {
                let field = members.at(u64::from(via.name()) * 8);
                // A number that looks like an address is no reference.
                if let Some(field) = field.filter(|field| field.is_reference) {
                    let name = *names.entry(&field.name).or_insert_with(|| texts.add(&field.name));
                    *via = Via::new(EdgeKind::Field, name);
                }
            }
        }
        Edges::from_columns(self.starts, self.via, self.to)
    }
}

/// How many blocks one thread takes at a time.
const PIECE: usize = 1 << 14;

pub(super) fn scan(dump: &Dump, addresses: &Addresses) -> Scan {
    let blocks = dump.blocks().len();
    let pieces: Vec<_> = (0..blocks.div_ceil(PIECE))
        .into_par_iter()
        .map(|piece| {
            let mut edges = Found::default();
            let seen: Vec<_> = (piece * PIECE..((piece + 1) * PIECE).min(blocks))
                .map(|block| {
                    let seen = look(dump, addresses, block, &mut edges);
                    edges.ends.push(edges.to.len());
                    seen
                })
                .collect();
            (seen, edges)
        })
        .collect();
    let mut seen = Vec::with_capacity(blocks);
    let (mut starts, mut via, mut to) = (vec![0_u32], Vec::new(), Vec::new());
    for (of_piece, found) in pieces {
        seen.extend(of_piece);
        let base = to.len();
        // Beyond what the columns can number, references are left out.
        let room = (u32::MAX as usize).saturating_sub(base);
        let kept = found.to.len().min(room);
        starts.extend(found.ends.iter().map(|&end| (base + end.min(kept)) as u32));
        via.extend_from_slice(&found.via[..kept]);
        to.extend_from_slice(&found.to[..kept]);
    }
    Scan {
        seen,
        starts,
        via,
        to,
    }
}

#[derive(Default)]
struct Found {
    via: Vec<Via>,
    to: Vec<ObjectId>,
    ends: Vec<usize>,
}

fn look(dump: &Dump, addresses: &Addresses, block: usize, edges: &mut Found) -> Option<Seen> {
    let mut seen = Seen::default();
    let mut hasher = SipHasher13::new();
    let mut at = 0_u64;
    for piece in dump.content(block)? {
        match piece {
            // Untouched stretches are whole pages behind the beginning, so words stay where they are.
            Piece::Untouched(len) => {
                seen.zeros += len;
                hasher.write_u64(len);
                at += len;
            }
            Piece::Bytes(bytes) => {
                hasher.write(bytes);
                let (words, rest) = bytes.as_chunks::<8>();
                for word in words {
                    let value = u64::from_le_bytes(*word);
                    if at == 0 {
                        seen.first_word = value;
                    }
                    if value == 0 {
                        seen.zeros += 8;
                    } else {
                        seen.words_used += 1;
                        seen.zeros += zeros(word);
                        if addresses.may_have(value) {
                            seen.has_address = true;
                            if let Some(to) = block_at(dump, value) {
                                let index = u32::try_from(at / 8).unwrap_or(Via::MAX_NAME);
                                edges.via.push(Via::new(EdgeKind::Internal, index));
                                edges.to.push(to as ObjectId);
                            }
                        }
                    }
                    at += 8;
                }
                let zeros = zeros(rest);
                seen.zeros += zeros;
                seen.words_used += u64::from(zeros < rest.len() as u64);
                at += rest.len() as u64;
            }
        }
    }
    seen.hash = hasher.finish().max(1);
    Some(seen)
}

fn zeros(bytes: &[u8]) -> u64 {
    bytes.iter().map(|&byte| u64::from(byte == 0)).sum()
}
