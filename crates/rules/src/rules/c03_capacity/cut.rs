//! Raw blocks that would be cut.

use deadweight_heap::{Heap, ObjectId};

use crate::Candidate;

/// What it saves at a place that raw blocks are cut, each with the bytes that go.
pub(super) fn cut_blocks(
    heap: &Heap,
    holder: &str,
    blocks: impl Iterator<Item = (ObjectId, u64)>,
) -> Candidate {
    let mut candidate = Candidate::at(holder);
    for (row, slack) in blocks {
        candidate.count += 1;
        candidate.bytes_now += heap.bytes(row);
        candidate.claim(row, slack);
    }
    candidate
}

/// The three of which most goes.
pub(super) fn most_cut<T>(blocks: &[T], cut: impl Fn(&T) -> (ObjectId, u64)) -> impl Iterator<Item = &T> {
    let mut largest: Vec<&T> = blocks.iter().collect();
    largest.sort_unstable_by_key(|block| {
        let (row, slack) = cut(block);
        (std::cmp::Reverse(slack), row)
    });
    largest.into_iter().take(3)
}
