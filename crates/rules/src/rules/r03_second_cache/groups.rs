//! Groups of blocks that may be copies.

use deadweight_heap::{Heap, ObjectId};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::{LEAST, SHARE};
use crate::block_groups::Place;

/// Smaller blocks are parts of objects: keys and names.
const SMALLEST: u64 = 64;

/// Fewer blocks are no cache.
const FEWEST: usize = 64;

/// So many groups are looked at, those with most bytes.
const MOST_GROUPS: usize = 32;

/// Blocks without references, by the place that allocates them and what refers to them.
pub(super) struct Group {
    pub(super) place: Place,
    /// What refers to them; `None` where nothing is known.
    pub(super) held_by: Option<Place>,
    pub(super) rows: Vec<ObjectId>,
}

/// The groups that are worth a search, in the order of their first rows.
pub(super) fn groups(heap: &Heap) -> Vec<Group> {
    let rows = heap.objects.len();
    let pieces: Vec<Groups> = (0..rows.div_ceil(PIECE))
        .into_par_iter()
        .map(|piece| groups_of(heap, piece * PIECE..((piece + 1) * PIECE).min(rows)))
        .collect();
    let mut groups = Groups::default();
    for (key, rows) in pieces.into_iter().flatten() {
        groups.entry(key).or_default().extend(rows);
    }
    let least = LEAST.max(heap.held_bytes() / SHARE);
    let mut found: Vec<(u64, Group)> = groups
        .into_iter()
        .map(|((place, held_by), rows)| (bytes(heap, &rows), Group { place, held_by, rows }))
        .filter(|(bytes, group)| group.rows.len() >= FEWEST && *bytes >= least)
        .collect();
    found.sort_unstable_by_key(|(bytes, group)| (std::cmp::Reverse(*bytes), group.rows[0]));
    found.truncate(MOST_GROUPS);
    found.into_iter().map(|(_, group)| group).collect()
}

/// Rows that one thread takes at a time.
const PIECE: usize = 1 << 17;

type Groups = FxHashMap<(Place, Option<Place>), Vec<ObjectId>>;

fn groups_of(heap: &Heap, rows: std::ops::Range<usize>) -> Groups {
    let mut groups = Groups::default();
    for row in rows.map(|row| row as ObjectId) {
        let is_large = heap.blocks.requested(row).is_some_and(|bytes| bytes >= SMALLEST);
        if !is_large || heap.edges.count(row) > 0 {
            continue;
        }
        if let Some(place @ Place::Site(_)) = Place::of(heap, row) {
            let referrer = heap.referrers.of(row);
            let held_by = referrer.and_then(|(from, _)| Place::of(heap, from));
            groups.entry((place, held_by)).or_default().push(row);
        }
    }
    groups
}

pub(super) fn bytes(heap: &Heap, rows: &[ObjectId]) -> u64 {
    rows.iter().map(|&row| heap.bytes(row)).sum()
}
