//! Groups of blocks that may be copies.

use std::cmp::Reverse;
use std::ops::Range;

use deadweight_heap::{Heap, ObjectId};

use crate::gather::rows_by;
use crate::place::Place;

/// Smaller blocks are parts of objects: keys and names.
const SMALLEST: u64 = 64;

/// Fewer blocks are no cache.
const FEWEST: usize = 64;

/// So many groups are looked at, those with most bytes.
const MOST_GROUPS: usize = 32;

/// Blocks without references, by the place that allocates them and what refers to them.
#[derive(Clone, Debug)]
pub struct CopyGroup {
    pub(super) place: Place,
    /// What refers to them; `None` where nothing is known.
    pub(super) held_by: Option<Place>,
    pub(super) rows: Vec<ObjectId>,
    /// Which pieces of the samples are its, once there are any.
    pub(super) pieces: Range<usize>,
}

/// The groups of at least 64 blocks and `least` bytes, those with most bytes first, a few dozen at most.
#[must_use]
pub fn copy_groups(heap: &Heap, least: u64) -> Vec<CopyGroup> {
    if !heap.blocks.any() {
        return Vec::new();
    }
    let groups = rows_by(heap, |row| {
        let is_large = heap.blocks.requested(row).is_some_and(|bytes| bytes >= SMALLEST);
        if !is_large || heap.edges.count(row) > 0 {
            return None;
        }
        let place = Place::of(heap, row).filter(|place| !place.is_type())?;
        let referrer = heap.referrers.of(row);
        Some((place, referrer.and_then(|(from, _)| Place::of(heap, from))))
    });
    let bytes = |rows: &[ObjectId]| rows.iter().map(|&row| heap.bytes(row)).sum::<u64>();
    let mut found: Vec<(u64, CopyGroup)> = groups
        .into_iter()
        .map(|((place, held_by), rows)| {
            let group = CopyGroup {
                place,
                held_by,
                rows,
                pieces: 0..0,
            };
            (bytes(&group.rows), group)
        })
        .filter(|(bytes, group)| group.rows.len() >= FEWEST && *bytes >= least)
        .collect();
    found.sort_unstable_by_key(|(bytes, group)| (Reverse(*bytes), group.rows[0]));
    found.truncate(MOST_GROUPS);
    found.into_iter().map(|(_, group)| group).collect()
}
