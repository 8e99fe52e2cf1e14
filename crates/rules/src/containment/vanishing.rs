//! What goes when some blocks go: the blocks that do nothing but hold them.

use deadweight_heap::{Heap, ObjectId};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use crate::block_groups::Place;
use crate::elsewhere::Rows;

/// Steps from a block to what holds it: entry, table node, table and a list beside it.
const STEPS: usize = 6;

/// Blocks with so many references are tables, which may have some that lead elsewhere.
const TABLE: usize = 16;

/// Blocks that go together.
#[derive(Clone, Debug)]
pub(crate) struct Vanishing {
    /// What they are called, and what was asked for.
    pub key: (Place, u64),
    /// The blocks, in the order of rows.
    pub rows: Vec<ObjectId>,
}

#[derive(Default)]
struct Group {
    blocks: usize,
    holds_only: Vec<ObjectId>,
}

/// The groups of blocks that refer to `gone` or to blocks of these groups, and to nothing else; nearest first. `gone`
/// itself is not among them, nor is a group of which one block in ten does otherwise.
pub(crate) fn vanishing(heap: &Heap, gone: &[ObjectId]) -> Vec<Vanishing> {
    let all = Rows::of(heap, gone);
    let mut found: Vec<Vanishing> = Vec::new();
    for _ in 0..STEPS {
        let step = holders(heap, &all);
        if step.is_empty() {
            break;
        }
        for group in step {
            all.extend(&group.rows);
            match found.iter_mut().find(|known| known.key == group.key) {
                Some(known) => known.rows.extend(group.rows),
                None => found.push(group),
            }
        }
    }
    found
}

/// The groups one step further.
fn holders(heap: &Heap, gone: &Rows) -> Vec<Vanishing> {
    let rows = heap.rows().into_par_iter().with_min_len(16_384);
    let of_pieces = rows
        .fold(FxHashMap::default, |mut groups: FxHashMap<_, Group>, row| {
            if let Some(key) = key(heap, row).filter(|_| !gone.has(row)) {
                let group = groups.entry(key).or_default();
                group.blocks += 1;
                if holds_only(heap, row, key, gone) {
                    group.holds_only.push(row);
                }
            }
            groups
        })
        .collect::<Vec<_>>();
    let mut groups: FxHashMap<(Place, u64), Group> = FxHashMap::default();
    for piece in of_pieces {
        for (key, group) in piece {
            let known = groups.entry(key).or_default();
            known.blocks += group.blocks;
            known.holds_only.extend(group.holds_only);
        }
    }
    let holders = groups
        .into_iter()
        .filter(|(_, group)| !group.holds_only.is_empty() && group.holds_only.len() * 10 >= group.blocks * 9);
    let mut found: Vec<Vanishing> = holders
        .map(|(key, group)| Vanishing {
            key,
            rows: group.holds_only,
        })
        .collect();
    for group in &mut found {
        group.rows.sort_unstable();
    }
    found.sort_unstable_by_key(|group| group.rows[0]);
    found
}

fn key(heap: &Heap, row: ObjectId) -> Option<(Place, u64)> {
    Some((Place::of(heap, row)?, heap.blocks.requested(row)?))
}

/// Whether a block refers to what goes, and else to its own kind alone.
fn holds_only(heap: &Heap, row: ObjectId, own: (Place, u64), gone: &Rows) -> bool {
    let (mut all, mut held, mut links) = (0_usize, 0_usize, 0_usize);
    for edge in heap.edges.of(row) {
        all += 1;
        if gone.has(edge.to) {
            held += 1;
        } else if key(heap, edge.to) == Some(own) {
            links += 1;
        }
    }
    let others = all - held - links;
    held > 0
        && if all >= TABLE {
            others * 10 <= all
        } else {
            others == 0
        }
}
