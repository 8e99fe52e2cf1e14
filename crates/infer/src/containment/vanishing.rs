//! What goes when some blocks go: the blocks that do nothing but hold them.

use deadweight_heap::{Heap, ObjectId, RowSet};

use crate::gather::{Gathered, gather};
use crate::place::Place;

/// Steps from a block to what holds it: entry, table node, table and a list beside it.
const STEPS: usize = 6;

/// Blocks with so many references are tables, which may have some that lead elsewhere.
const TABLE: usize = 16;

/// Blocks that go together.
#[derive(Clone, Debug)]
pub struct Vanishing {
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

impl Gathered for Group {
    fn append(&mut self, mut later: Self) {
        self.blocks += later.blocks;
        self.holds_only.append(&mut later.holds_only);
    }
}

/// The groups of blocks that refer to `gone` or to blocks of these groups, and to nothing else; nearest first. `gone`
/// itself is not among them, nor is a group of which one block in ten does otherwise.
pub(super) fn vanishing(heap: &Heap, gone: &[ObjectId]) -> Vec<Vanishing> {
    let all = heap.row_set(gone.iter().copied());
    let mut found: Vec<Vanishing> = Vec::new();
    for _ in 0..STEPS {
        let step = holders(heap, &all);
        if step.is_empty() {
            break;
        }
        for group in step {
            all.extend(group.rows.iter().copied());
            match found.iter_mut().find(|known| known.key == group.key) {
                Some(known) => known.rows.extend(group.rows),
                None => found.push(group),
            }
        }
    }
    found
}

/// The groups one step further.
fn holders(heap: &Heap, gone: &RowSet) -> Vec<Vanishing> {
    let left = |row| {
        let key = Place::sized(heap, row).filter(|_| !gone.has(row))?;
        Some((key, key))
    };
    let groups = gather(heap, left, |group: &mut Group, row, key| {
        group.blocks += 1;
        if holds_only(heap, row, key, gone) {
            group.holds_only.push(row);
        }
    });
    let holders = groups
        .into_iter()
        .filter(|(_, group)| !group.holds_only.is_empty() && group.holds_only.len() * 10 >= group.blocks * 9);
    let mut found: Vec<Vanishing> = holders
        .map(|(key, group)| Vanishing {
            key,
            rows: group.holds_only,
        })
        .collect();
    found.sort_unstable_by_key(|group| group.rows[0]);
    found
}

/// Whether a block refers to what goes, and else to its own kind alone.
fn holds_only(heap: &Heap, row: ObjectId, own: (Place, u64), gone: &RowSet) -> bool {
    let (mut all, mut held, mut links) = (0_usize, 0_usize, 0_usize);
    for edge in heap.edges.of(row) {
        all += 1;
        if gone.has(edge.to) {
            held += 1;
        } else if Place::sized(heap, edge.to) == Some(own) {
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
