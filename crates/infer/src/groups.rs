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
    /// Whether they are nodes of a library's container, whose size no caller chooses.
    pub is_of_library: bool,
    /// How many values of one type each has, where somebody says that they are arrays of these.
    pub values: Option<u64>,
    /// Bytes the program asked for, for each.
    pub requested: u64,
    /// The blocks, in the order of rows.
    pub rows: Vec<ObjectId>,
}

/// The groups of at least `fewest` blocks, in the order of their first rows. Blocks of no known type and place are in
/// none, nor are those of the runtime.
#[must_use]
pub fn block_groups(heap: &Heap, fewest: usize) -> Vec<BlockGroup> {
    let mut groups = all_groups(heap, fewest);
    name_apart(groups.iter_mut());
    groups
}

/// Smaller groups, too, which bear their names as if they were alone.
pub(crate) fn small_groups(heap: &Heap, fewest: usize) -> Vec<BlockGroup> {
    let mut groups = all_groups(heap, 1);
    name_apart(groups.iter_mut().filter(|group| group.rows.len() >= fewest));
    groups
}

fn all_groups(heap: &Heap, fewest: usize) -> Vec<BlockGroup> {
    if !heap.blocks.any() {
        return Vec::new();
    }
    let mut groups = rows_by(heap, |row| Place::sized(heap, row));
    groups.retain(|_, rows| rows.len() >= fewest);
    let mut groups: Vec<((Place, u64), Vec<ObjectId>)> = groups.into_iter().collect();
    groups.sort_unstable_by_key(|(key, rows)| (rows[0], *key));
    groups
        .into_par_iter()
        .map(|((place, requested), rows)| BlockGroup {
            holder: place.name(heap),
            site: commonest_site(heap, rows.iter().copied()),
            is_typed: place.is_type(),
            is_of_library: place.is_of_library(heap),
            // Of a type that has the name of another one nobody knows the size.
            values: place
                .element(heap)
                .filter(|&element| requested.is_multiple_of(element))
                .map(|element| requested / element),
            requested,
            rows,
        })
        .collect()
}

/// Groups of one name are distinguished by their size.
fn name_apart<'g>(groups: impl Iterator<Item = &'g mut BlockGroup>) {
    let mut names: FxHashMap<String, Vec<&mut BlockGroup>> = FxHashMap::default();
    for group in groups {
        names.entry(group.holder.clone()).or_default().push(group);
    }
    for group in names.into_values().filter(|groups| groups.len() > 1).flatten() {
        group.holder = format!("{} ({} bytes)", group.holder, group.requested);
    }
}
