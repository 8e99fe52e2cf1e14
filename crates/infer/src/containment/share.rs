//! How much of a group is elsewhere.

use deadweight_heap::{ObjectId, RowSet};
use rustc_hash::{FxHashMap, FxHashSet};

use super::search::Search;
use super::{CONTAINED, CONTAINED_BLOCKS};

/// More bytes than this before the first that are elsewhere are contents of their own: more than a form's header.
const HEADER: usize = 24;

/// How much of a group is elsewhere.
#[derive(Clone, Copy, Debug, Default)]
pub struct Share {
    /// Blocks that were looked at…
    pub blocks: usize,
    /// … and those of them that other blocks contain.
    pub contained: usize,
    /// Bytes that are not zero…
    pub content: usize,
    /// … and those of them that are elsewhere.
    pub covered: usize,
}

impl Share {
    pub(super) fn with(self, more: Self) -> Self {
        Self {
            blocks: self.blocks + more.blocks,
            contained: self.contained + more.contained,
            content: self.content + more.content,
            covered: self.covered + more.covered,
        }
    }

    pub(super) fn is_enough(&self) -> bool {
        self.contained > 0 && self.contained * 100 >= self.blocks * CONTAINED_BLOCKS
    }
}

impl Search<'_> {
    /// How much of a group is in blocks that are neither its own, nor in `without`, nor copies already.
    pub(super) fn share(&self, group: usize, without: &RowSet) -> Share {
        let own = self.heap.row_set(self.groups[group].rows.iter().copied());
        let mut share = Share::default();
        let pieces = self.groups[group].pieces.clone().collect::<Vec<_>>();
        for block in self.looked.by_block(&pieces) {
            let places = self.places(block);
            let counts = |row: ObjectId| !own.has(row) && !without.has(row) && places.contains(&row);
            let (mut content, mut covered, mut before) = (0, 0, 0);
            for &piece in block {
                let bytes = &self.looked.samples.pieces[piece].bytes;
                for (byte, is_covered) in bytes.iter().zip(self.looked.covered(piece, counts)) {
                    content += usize::from(*byte != 0);
                    covered += usize::from(*byte != 0 && is_covered);
                    before += usize::from(*byte != 0 && covered == 0);
                }
            }
            share.blocks += 1;
            share.content += content;
            share.covered += covered;
            let is_contained = covered > 0 && before <= HEADER && covered * 100 >= content * CONTAINED;
            share.contained += usize::from(is_contained);
        }
        share
    }

    /// The blocks in which contents of a block stand that stay when the copies go. One without references must be in
    /// the copy nearly whole: what is a part of a larger text was read out of it, or is left there of something freed.
    pub(super) fn places(&self, pieces: &[usize]) -> FxHashSet<ObjectId> {
        let mut common: FxHashMap<ObjectId, usize> = FxHashMap::default();
        for stretch in pieces.iter().flat_map(|&piece| self.looked.of_piece(piece)) {
            *common.entry(stretch.row).or_default() += stretch.at.len();
        }
        let of = |&piece: &usize| &self.looked.samples.pieces[piece];
        let looked_at: usize = pieces.iter().map(|piece| of(piece).bytes.len()).sum();
        let first = pieces.first();
        let whole = first.and_then(|piece| self.heap.blocks.requested(of(piece).row));
        let is_whole = |row: ObjectId, bytes: usize| {
            // Of a large copy only a part is looked at.
            let bytes = bytes as u128 * u128::from(whole.unwrap_or(0)) / looked_at.max(1) as u128;
            let most = usize::try_from(bytes * 100 / CONTAINED as u128).unwrap_or(usize::MAX);
            let there = self.heap.blocks.content(row);
            there.is_some_and(|there| there.iter().filter(|&&byte| byte != 0).nth(most).is_none())
        };
        let holds_references = |row: ObjectId| self.heap.edges.count(row) > 0;
        common
            .into_iter()
            .filter(|&(row, bytes)| !self.gone.has(row) && (holds_references(row) || is_whole(row, bytes)))
            .map(|(row, _)| row)
            .collect()
    }
}

/// Bytes that are not zero.
pub(super) fn content(bytes: &[u8]) -> usize {
    bytes.iter().filter(|&&byte| byte != 0).count()
}
