//! Blocks that the program would change together: of one type, or allocated at one place, and of one size.

use deadweight_heap::{Heap, ObjectId};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use crate::gather::rows_by;
use crate::place::{Place, commonest_site};

/// Blocks of one kind and size.
#[derive(Clone, Debug)]
pub struct BlockGroup {
    /// The type, or else the function that allocates; with the size, where groups of several sizes have that name.
    pub holder: String,
    /// Where they are allocated; of several places the one with most.
    pub site: Option<String>,
    /// Whether the type is known.
    pub is_typed: bool,
    /// Bytes the program asked for, for each.
    pub requested: u64,
    /// The blocks, in the order of rows.
    pub rows: Vec<ObjectId>,
}

/// The groups of at least `fewest` blocks, in the order of their first rows. Blocks of no known type and place are in
/// none, nor are those of the runtime.
#[must_use]
pub fn block_groups(heap: &Heap, fewest: usize) -> Vec<BlockGroup> {
    if !heap.blocks.any() {
        return Vec::new();
    }
    let mut groups = rows_by(heap, |row| Place::sized(heap, row));
    groups.retain(|_, rows| rows.len() >= fewest);
    let mut groups: Vec<((Place, u64), Vec<ObjectId>)> = groups.into_iter().collect();
    groups.sort_unstable_by_key(|(key, rows)| (rows[0], *key));
    let mut found: Vec<BlockGroup> = groups
        .into_par_iter()
        .map(|((place, requested), rows)| BlockGroup {
            holder: place.name(heap),
            site: commonest_site(heap, rows.iter().copied()),
            is_typed: place.is_type(),
            requested,
            rows,
        })
        .collect();
    name_apart(&mut found);
    found
}

/// Groups of one name are told apart by their size.
fn name_apart(groups: &mut [BlockGroup]) {
    let mut names: FxHashMap<String, u32> = FxHashMap::default();
    for group in groups.iter() {
        *names.entry(group.holder.clone()).or_default() += 1;
    }
    for group in groups.iter_mut().filter(|group| names[&group.holder] > 1) {
        group.holder = format!("{} ({} bytes)", group.holder, group.requested);
    }
}
