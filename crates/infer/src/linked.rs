//! Groups of blocks of one size that refer to each other: nodes of one tree, which several places allocate.

#[cfg(test)]
mod tests;

use deadweight_heap::{Heap, NONE, ObjectId};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use crate::groups::BlockGroup;

/// Groups belong together where one in so many references of each leads to the other. Leaves refer to nothing.
const SHARE: u64 = 10;

/// Blocks are nodes when one in so many of their references leads to another of them.
const OWN_SHARE: u64 = 2;

/// References between groups, by their numbers.
type Between = FxHashMap<(u32, u32), u64>;

/// For each set of groups that belong together their numbers, the one with most blocks first. Groups alone are in none.
pub(crate) fn linked(heap: &Heap, groups: &[BlockGroup]) -> Vec<Vec<usize>> {
    // A column of all rows is not filled for nothing: most heaps have no blocks.
    if groups.is_empty() {
        return Vec::new();
    }
    let mut of = vec![NONE; heap.objects.len()];
    for (number, group) in (0..).zip(groups) {
        group.rows.iter().for_each(|&row| of[row as usize] = number);
    }
    let size = |group: u32| groups[group as usize].requested;
    let between: Between = (0_u32..)
        .zip(groups)
        .par_bridge()
        .flat_map_iter(|(from, group)| {
            let mut counts = Between::default();
            let edges = group.rows.iter().flat_map(|&row| heap.edges.of(row));
            for to in edges.map(|edge| of[edge.to as usize]) {
                if to != NONE && size(to) == size(from) {
                    *counts.entry((from, to)).or_default() += 1;
                }
            }
            counts
        })
        .collect();
    let mut all = vec![0_u64; groups.len()];
    for (&(from, _), count) in &between {
        all[from as usize] += count;
    }
    let leads = |from: u32, to: u32| {
        let count = between.get(&(from, to)).copied().unwrap_or(0);
        all[from as usize] == 0 || count * SHARE >= all[from as usize]
    };
    // The first of each set stands for it.
    let mut first: Vec<usize> = (0..groups.len()).collect();
    let mut pairs: Vec<(u32, u32)> = between.keys().copied().filter(|(a, b)| a != b).collect();
    pairs.sort_unstable();
    for (a, b) in pairs.into_iter().filter(|&(a, b)| leads(a, b) && leads(b, a)) {
        let (a, b) = (first[a as usize], first[b as usize]);
        first
            .iter_mut()
            .filter(|at| **at == a.max(b))
            .for_each(|at| *at = a.min(b));
    }
    let mut sets: Vec<Vec<usize>> = vec![Vec::new(); groups.len()];
    for (group, &first) in first.iter().enumerate() {
        sets[first].push(group);
    }
    sets.retain(|set| set.len() > 1);
    for set in &mut sets {
        set.sort_by_key(|&group| std::cmp::Reverse(groups[group].rows.len()));
    }
    sets
}

/// Whether blocks are nodes, whatever else stands in them: most references of theirs lead to others of them. Those of
/// vectors and tables lead to what these hold.
pub(crate) fn refer_to_each_other(heap: &Heap, rows: &[ObjectId]) -> bool {
    let own = heap.row_set(rows.iter().copied());
    let (mut all, mut among) = (0_u64, 0_u64);
    for &row in rows {
        for edge in heap.edges.of(row) {
            all += 1;
            among += u64::from(own.has(edge.to) && edge.to != row);
        }
    }
    among > 0 && among * OWN_SHARE >= all
}
