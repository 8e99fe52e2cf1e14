//! The rows of the heap, one for each block, filled on all threads.

use deadweight_allocators::Model;
use deadweight_heap::{
    Buffer, Flags, Kind, NONE, NOWHERE, ObjectId, Objects, Representation, SiteId, TypeId,
};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::Block;
use super::fields::UNKNOWN;
use super::scan::{PIECE, Piece};
use crate::joined::joined;

/// What is known of all blocks that are [alike](super::alike).
#[derive(Clone, Copy, Debug)]
pub(super) struct Description {
    pub label: TypeId,
    /// The number of the type whose fields they have, or [`UNKNOWN`].
    pub whole: u32,
    pub site: SiteId,
    pub flags: Flags,
    /// Whether they begin with the address of a virtual table.
    pub is_dynamic: bool,
}

impl Default for Description {
    fn default() -> Self {
        Self {
            label: 0,
            whole: UNKNOWN,
            site: NOWHERE,
            flags: Flags::default(),
            is_dynamic: false,
        }
    }
}

/// Columns, a row a block.
pub(super) struct Rows {
    pub objects: Objects,
    pub buffers: Vec<Buffer>,
    pub sites: Vec<SiteId>,
    /// As [`Description::whole`] has it.
    pub whole: Vec<u32>,
    /// What all blocks are charged.
    pub charged: u64,
}

impl Rows {
    /// Of blocks and what was seen of them in pieces, where `descriptions` has for each of a piece's likenesses what they are.
    pub fn of(
        blocks: &[Block],
        mut pieces: Vec<Piece>,
        descriptions: &[Vec<Description>],
        model: Option<&dyn Model>,
    ) -> Self {
        // An object is no buffer, whatever its contents.
        pieces
            .par_iter_mut()
            .zip(descriptions)
            .for_each(|(piece, descriptions)| {
                let Piece { alike, buffers } = piece;
                buffers.retain(|buffer| {
                    let likeness = alike.of[buffer.object as usize % PIECE];
                    !descriptions[likeness as usize].is_dynamic
                });
            });
        let mut first_buffer = 0;
        let firsts: Vec<u32> = pieces
            .iter()
            .map(|piece| {
                let first = first_buffer;
                first_buffer += piece.buffers.len() as u32;
                first
            })
            .collect();
        let len = blocks.len();
        let mut flags = vec![Flags::default(); len];
        let [mut bytes, mut label, mut fact, mut sites, mut whole] = [(); 5].map(|()| vec![0; len]);
        let columns = (
            bytes.par_chunks_mut(PIECE),
            flags.par_chunks_mut(PIECE),
            label.par_chunks_mut(PIECE),
            fact.par_chunks_mut(PIECE),
            sites.par_chunks_mut(PIECE),
            whole.par_chunks_mut(PIECE),
        );
        let input = (
            blocks.par_chunks(PIECE),
            pieces.par_iter(),
            descriptions.par_iter(),
            firsts.into_par_iter(),
        );
        let sums: Vec<(u64, Vec<(usize, u64)>)> = columns
            .into_par_iter()
            .zip(input)
            .map(|(columns, (blocks, piece, descriptions, first))| {
                let (bytes, flags, label, fact, sites, whole) = columns;
                let (mut all, mut large) = (0_u64, Vec::new());
                for (row, (block, &likeness)) in blocks.iter().zip(&piece.alike.of).enumerate() {
                    let charged = charged(model, block);
                    all = all.saturating_add(charged);
                    bytes[row] = u32::try_from(charged).unwrap_or(u32::MAX);
                    if bytes[row] == u32::MAX {
                        large.push((row, charged));
                    }
                    let known = descriptions[likeness as usize];
                    flags[row] = known.flags;
                    label[row] = known.label;
                    fact[row] = NONE;
                    sites[row] = known.site;
                    whole[row] = known.whole;
                }
                for (index, buffer) in (first..).zip(&piece.buffers) {
                    fact[buffer.object as usize % PIECE] = index;
                }
                (all, large)
            })
            .collect();
        let large = sums.iter().enumerate().flat_map(|(piece, (_, large))| {
            let row = move |row: usize| (piece * PIECE + row) as ObjectId;
            large.iter().map(move |&(at, charged)| (row(at), charged))
        });
        let large: FxHashMap<ObjectId, u64> = large.collect();
        let buffers = pieces.into_iter().map(|piece| piece.buffers).collect();
        Self {
            objects: Objects::from_columns(vec![Kind::Opaque; len], flags, bytes, large, label, fact),
            buffers: joined(buffers, NO_BUFFER),
            sites,
            whole,
            charged: sums
                .iter()
                .fold(0, |all, (charged, _)| all.saturating_add(*charged)),
        }
    }
}

/// What stands in the column before a buffer does.
const NO_BUFFER: Buffer = Buffer {
    object: NONE,
    backing: NONE,
    bytes: 0,
    zeros: 0,
    words_used: 0,
    hash: 0,
    is_backing: false,
    elements: Representation::Unsigned(1),
    gives_way: false,
};

fn charged(model: Option<&dyn Model>, block: &Block) -> u64 {
    match (model, block.usable()) {
        (Some(model), Some(usable)) => model.charged_for_usable(usable),
        (Some(model), None) => model.charged(block.requested),
        (None, usable) => usable.unwrap_or(block.requested),
    }
}
