//! Words that are in use in nearly the same blocks.
//!
//! In real trees a few nodes are incomplete: a child that is not loaded yet has a hash and no reference. Words of one
//! slot may therefore differ in some blocks. What a node costs still follows from its own slots: one with anything in it
//! is in use.

#[cfg(test)]
mod tests;

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::clusters::{Clusters, Signature};
use super::contents::spread;
use super::words;

/// Words of one slot differ in at most one of so many blocks: of those that use either of them, and of those that leave
/// either free. The first lets single odd nodes pass. The second is the loosest that still distinguishes words of a slot
/// from neighbours: of two slots that are in use independently of each other, in half of the blocks each, the words
/// differ in two of three blocks that use either; nodes that were filled together agree more, and one in eight is far
/// from both.
pub(super) const LEVELS: [u32; 2] = [64, 8];

/// Steps of comparing words with each other that a group of blocks is worth.
const MOST_STEPS: usize = 1 << 28;

/// In which blocks the words of a group are in use, a bit each.
pub(super) struct Uses {
    /// Blocks that were looked at.
    blocks: u32,
    /// The words that vary, one for each signature.
    words: Vec<usize>,
    /// For each of these the blocks, 64 at a time.
    bits: Vec<Vec<u64>>,
}

impl Uses {
    /// Of blocks whose words are sorted into `clusters`; of many large ones a sample, evenly spread.
    pub fn of(clusters: &Clusters, blocks: &[impl AsRef<[u8]> + Sync]) -> Self {
        let varying: Vec<usize> = clusters.varying().iter().map(|words| words[0]).collect();
        let most = (MOST_STEPS / varying.len().pow(2).max(1)).max(4) * 64;
        let sample: Vec<_> = spread(blocks, most).collect();
        let columns: Vec<Vec<u64>> = sample
            .par_chunks(64)
            .map(|blocks| {
                let mut column = vec![0; varying.len()];
                for (bit, block) in blocks.iter().enumerate() {
                    let all: Vec<u64> = words(block.as_ref()).collect();
                    for (column, &word) in column.iter_mut().zip(&varying) {
                        *column |= u64::from(all.get(word).is_some_and(|&word| word != 0)) << bit;
                    }
                }
                column
            })
            .collect();
        let bits = (0..varying.len()).map(|word| columns.iter().map(|column| column[word]).collect());
        Self {
            blocks: sample.len() as u32,
            bits: bits.collect(),
            words: varying,
        }
    }

    /// The same clusters with words that differ in at most one of `level` blocks in one.
    pub fn joined(&self, clusters: &Clusters, level: u32) -> Clusters {
        let mut leaders: Vec<usize> = Vec::new();
        let mut same: FxHashMap<Signature, Signature> = FxHashMap::default();
        for index in 0..self.words.len() {
            let known = leaders
                .iter()
                .find(|&&leader| self.are_near(leader, index, level));
            let signature = |index: usize| clusters.signature(self.words[index]);
            match known {
                Some(&leader) => {
                    if let (Some(from), Some(to)) = (signature(index), signature(leader)) {
                        same.insert(from, to);
                    }
                }
                None => leaders.push(index),
            }
        }
        clusters.with_same(&same)
    }

    fn are_near(&self, a: usize, b: usize, level: u32) -> bool {
        let (mut differ, mut either, mut both) = (0, 0, 0);
        for (a, b) in self.bits[a].iter().zip(&self.bits[b]) {
            differ += (a ^ b).count_ones();
            either += (a | b).count_ones();
            both += (a & b).count_ones();
        }
        // A word that the sample shows in all blocks or none is like no other.
        let fewest = either.min(self.blocks - both);
        fewest > 0 && differ.saturating_mul(level) <= fewest
    }
}
