//! What was found of some samples.

use deadweight_heap::{Heap, ObjectId};

use super::common::{Common, common};
use super::samples::Samples;

/// What was found of some samples.
pub(super) struct Looked {
    pub(super) samples: Samples,
    pub(super) common: Vec<Common>,
}

impl Looked {
    /// Looks for pieces of several groups; gives for each group which pieces are its.
    pub(super) fn of<'r>(
        heap: &Heap,
        groups: impl Iterator<Item = &'r [ObjectId]>,
    ) -> (Self, Vec<std::ops::Range<usize>>) {
        let (samples, pieces) = Samples::of(heap, &groups.collect::<Vec<_>>());
        let common = common(heap, &samples);
        (Self { samples, common }, pieces)
    }

    /// Which bytes of a piece stand in blocks that `counts` takes, too.
    pub(super) fn covered(&self, piece: usize, counts: impl Fn(ObjectId) -> bool) -> Vec<bool> {
        let mut covered = vec![false; self.samples.pieces[piece].bytes.len()];
        for common in self.of_piece(piece).iter().filter(|common| counts(common.row)) {
            covered[common.at.clone()].fill(true);
        }
        covered
    }

    /// The pieces of each block.
    pub(super) fn by_block<'p>(&self, pieces: &'p [usize]) -> impl Iterator<Item = &'p [usize]> {
        let row = |piece: usize| self.samples.pieces[piece].row;
        pieces.chunk_by(move |&a, &b| row(a) == row(b))
    }

    pub(super) fn of_piece(&self, piece: usize) -> &[Common] {
        let first = |piece| {
            self.common
                .partition_point(|common| (common.piece as usize) < piece)
        };
        &self.common[first(piece)..first(piece + 1)]
    }
}
