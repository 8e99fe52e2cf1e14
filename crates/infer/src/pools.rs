//! Nodes that a pool cuts out of larger blocks.
//!
//! A pool's nodes are recognized by who refers to them: references from elsewhere lead to places at one distance from each
//! other, again and again. What no reference leads to is free, or no node: the cells of a table, which nobody keeps the
//! address of, are none.

#[cfg(test)]
mod tests;

use deadweight_heap::{Heap, ObjectId, RowSet};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use crate::place::{Place, commonest_site};

/// Smaller blocks hold no nodes.
const SMALLEST_BLOCK: u64 = 2048;

/// Nodes of other sizes are not looked for.
const STRIDES: std::ops::RangeInclusive<u64> = 48..=65_536;

/// A node is referred to at so many of its bytes at most: its beginning, what its count of references counts, bases.
const MOST_PLACES: usize = 4;

/// A buffer is referred to at its beginning, its end, and where somebody reads or writes.
const FEWEST_PIECES: usize = 8;

/// One in so many references may lead elsewhere, and one in each block: contents happen to look like one, and pools keep
/// their own notes behind the nodes of a block.
const ODD: usize = 50;

/// Nodes of one size in blocks of one place.
pub(crate) struct Pool {
    /// The type of the first node, or else the function that allocates the blocks.
    pub holder: String,
    /// Where that is.
    pub site: Option<String>,
    /// Bytes from one node to the next.
    pub stride: u64,
    /// Each node's block, and where in it the node begins.
    pub nodes: Vec<(ObjectId, u64)>,
}

/// The pools of at least `fewest` nodes, in the order of their first blocks.
pub(crate) fn pools(heap: &Heap, fewest: usize) -> Vec<Pool> {
    if !heap.blocks.any() {
        return Vec::new();
    }
    let is_large = |row: ObjectId| {
        let requested = heap.blocks.requested(row);
        requested.is_some_and(|bytes| bytes >= SMALLEST_BLOCK)
    };
    let targets = targets(heap, is_large);
    let mut pools: FxHashMap<(Place, u64), Vec<(ObjectId, u64)>> = FxHashMap::default();
    for of_block in targets.chunk_by(|a, b| a.0 == b.0) {
        let row = of_block[0].0;
        let offsets: Vec<u64> = of_block.iter().map(|target| target.1).collect();
        let (Some(place), Some((stride, starts))) = (Place::of(heap, row), nodes(&offsets)) else {
            continue;
        };
        let end = heap.blocks.requested(row).unwrap_or(0);
        let whole = starts.into_iter().filter(|start| start + stride <= end);
        let nodes = whole.map(|start| (row, start));
        pools.entry((place, stride)).or_default().extend(nodes);
    }
    let mut found: Vec<_> = pools
        .into_iter()
        .filter(|(_, nodes)| nodes.len() >= fewest)
        .collect();
    found.sort_unstable_by_key(|((_, stride), nodes)| (nodes[0], *stride));
    let pool = |((place, stride), nodes): ((Place, u64), Vec<(ObjectId, u64)>)| Pool {
        holder: place.name(heap),
        site: commonest_site(heap, nodes.iter().map(|node| node.0)),
        stride,
        nodes,
    };
    found.into_iter().map(pool).collect()
}

/// Which of some blocks are pools, whatever the sizes of what they are cut into: references lead to many places in them.
#[must_use]
pub fn cut_up(heap: &Heap, blocks: impl IntoIterator<Item = ObjectId>) -> RowSet {
    let mut blocks = blocks.into_iter().peekable();
    if !heap.blocks.any() || blocks.peek().is_none() {
        return heap.no_rows();
    }
    let asked = heap.row_set(blocks);
    let targets = targets(heap, |row| asked.has(row));
    let of_blocks = targets.chunk_by(|a, b| a.0 == b.0);
    let cut = of_blocks.filter(|places| places.len() >= FEWEST_PIECES);
    heap.row_set(cut.map(|places| places[0].0))
}

/// Where in blocks references lead to, in order, each place once. A block whose first node has a virtual table has its type.
fn targets(heap: &Heap, is_wanted: impl Fn(ObjectId) -> bool + Sync) -> Vec<(ObjectId, u64)> {
    let rows = heap.rows().into_par_iter().with_min_len(4096);
    let targets = rows.flat_map_iter(|from| {
        let wanted = heap.references_of(from).filter(|(edge, _)| is_wanted(edge.to));
        wanted
            .filter(|(_, offset)| offset % 8 == 0)
            .map(|(edge, offset)| (edge.to, offset))
    });
    let mut targets: Vec<(ObjectId, u64)> = targets.collect();
    targets.par_sort_unstable();
    targets.dedup();
    targets
}

/// How far nodes stand from each other, and where they begin; `offsets` are in order, each once. `None` when they are
/// not at one distance.
fn nodes(offsets: &[u64]) -> Option<(u64, Vec<u64>)> {
    let mut distances: FxHashMap<u64, usize> = FxHashMap::default();
    for reach in 1..=MOST_PLACES {
        for pair in offsets.iter().zip(offsets.iter().skip(reach)) {
            let distance = pair.1 - pair.0;
            if STRIDES.contains(&distance) {
                *distances.entry(distance).or_default() += 1;
            }
        }
    }
    let mut distances: Vec<(u64, usize)> = distances.into_iter().collect();
    distances.sort_unstable_by_key(|&(distance, count)| (std::cmp::Reverse(count), distance));
    // At a multiple of the true distance there are more places, at a part of it as many.
    let places = distances.iter().take(16).filter_map(|&(distance, _)| {
        let places = places(offsets, distance)?;
        Some((places.len(), std::cmp::Reverse(distance), places))
    });
    let (_, std::cmp::Reverse(stride), places) =
        places.min_by_key(|(count, distance, _)| (*count, *distance))?;
    let first = first(&places, stride);
    let starts = offsets
        .iter()
        .filter(|&offset| places.binary_search(&(offset % stride)).is_ok());
    let mut starts: Vec<u64> = starts
        .filter_map(|&offset| offset.checked_sub((offset % stride + stride - first) % stride))
        .collect();
    starts.dedup();
    Some((stride, starts))
}

/// At which bytes of nodes at this distance references lead, in order; `None` when there are too many.
fn places(offsets: &[u64], stride: u64) -> Option<Vec<u64>> {
    let mut counts: FxHashMap<u64, usize> = FxHashMap::default();
    for offset in offsets {
        *counts.entry(offset % stride).or_default() += 1;
    }
    let mut counts: Vec<(u64, usize)> = counts.into_iter().collect();
    counts.sort_unstable_by_key(|&(place, count)| (std::cmp::Reverse(count), place));
    let mut left = offsets.len();
    let mut places = Vec::new();
    for (place, count) in counts {
        if left * ODD <= offsets.len().max(ODD) {
            break;
        }
        places.push(place);
        left -= count;
    }
    places.sort_unstable();
    // Of a short distance few places are free of chance.
    let most = MOST_PLACES.min(1 + stride as usize / 8 / 8);
    (places.len() <= most).then_some(places)
}

/// The place behind the widest gap: where nodes begin, as far as references show.
fn first(places: &[u64], stride: u64) -> u64 {
    let gap = |at: usize| {
        let before = places[(at + places.len() - 1) % places.len()];
        let gap = (places[at] + stride - before) % stride;
        if gap == 0 { stride } else { gap }
    };
    let widest = (0..places.len()).max_by_key(|&at| (gap(at), std::cmp::Reverse(at)));
    widest.map_or(0, |at| places[at])
}
