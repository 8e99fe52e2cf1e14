//! A bit for each node, set by many threads.

use std::sync::atomic::{AtomicU64, Ordering};

/// One bit a node.
#[derive(Debug)]
pub(super) struct Marks(Vec<AtomicU64>);

impl Marks {
    pub(super) fn none(nodes: usize) -> Self {
        Self((0..nodes.div_ceil(64)).map(|_| AtomicU64::new(0)).collect())
    }

    pub(super) fn set(&self, node: u32) {
        // A plain look first: the same nodes are marked again and again.
        if !self.has(node) {
            self.0[node as usize / 64].fetch_or(1 << (node % 64), Ordering::Relaxed);
        }
    }

    pub(super) fn has(&self, node: u32) -> bool {
        self.0[node as usize / 64].load(Ordering::Relaxed) >> (node % 64) & 1 == 1
    }

    /// How many marked nodes come before each 64 of them.
    pub(super) fn ranks(&self) -> Vec<u32> {
        let words = self.0.iter().map(|word| word.load(Ordering::Relaxed));
        let before = words.scan(0, |before, word| {
            let here = *before;
            *before += word.count_ones();
            Some(here)
        });
        before.collect()
    }

    /// How many marked nodes come before this one, by what [`Self::ranks`] gave.
    pub(super) fn rank(&self, ranks: &[u32], node: u32) -> usize {
        let word = self.0[node as usize / 64].load(Ordering::Relaxed);
        let below = word & ((1 << (node % 64)) - 1);
        (ranks[node as usize / 64] + below.count_ones()) as usize
    }

    /// All marked nodes, how many they are.
    pub(super) fn count(&self) -> usize {
        let words = self.0.iter().map(|word| word.load(Ordering::Relaxed));
        words.map(|word| word.count_ones() as usize).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_count_the_marks_before() {
        let marks = Marks::none(200);
        let marked = [0, 1, 63, 64, 130, 199];
        for node in marked {
            marks.set(node);
        }
        let ranks = marks.ranks();
        for (rank, node) in marked.into_iter().enumerate() {
            assert!(marks.has(node));
            assert_eq!(marks.rank(&ranks, node), rank);
        }
        assert!(!marks.has(2));
        assert_eq!(marks.count(), marked.len());
    }
}
