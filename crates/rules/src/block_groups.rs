//! Blocks that the program would change together: of one type, or allocated at one place, and of one size.

use deadweight_heap::{Heap, ObjectId, Site, SiteId, TypeId};
use rustc_hash::FxHashMap;

/// What blocks have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Key {
    /// Blocks of a known type, wherever they were allocated.
    Type(TypeId, u64),
    /// Blocks of a place.
    Site(SiteId, u64),
}

/// Blocks of one kind.
#[derive(Clone, Debug)]
pub(crate) struct BlockGroup {
    /// The type, or else the function that allocates.
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
pub(crate) fn block_groups(heap: &Heap, fewest: usize) -> Vec<BlockGroup> {
    if !heap.blocks.any() {
        return Vec::new();
    }
    let mut groups: FxHashMap<Key, Vec<ObjectId>> = FxHashMap::default();
    for row in heap.rows() {
        let Some(requested) = heap.blocks.requested(row) else {
            continue;
        };
        let label = heap.objects.label[row as usize];
        let key = if heap.types.name(label).is_empty() {
            heap.sites.id(row).map(|site| Key::Site(site, requested))
        } else {
            Some(Key::Type(label, requested))
        };
        if let Some(key) = key.filter(|_| heap.in_program(row)) {
            groups.entry(key).or_default().push(row);
        }
    }
    groups.retain(|_, rows| rows.len() >= fewest);
    let mut groups: Vec<(Key, Vec<ObjectId>)> = groups.into_iter().collect();
    groups.sort_unstable_by_key(|(key, rows)| (rows[0], *key));
    let mut found: Vec<BlockGroup> = groups
        .into_iter()
        .map(|(key, rows)| named(heap, key, rows))
        .collect();
    tell_apart(&mut found);
    found
}

fn named(heap: &Heap, key: Key, rows: Vec<ObjectId>) -> BlockGroup {
    let site = commonest(heap, &rows);
    let (holder, requested) = match key {
        Key::Type(ty, requested) => (heap.types.name(ty).to_owned(), requested),
        Key::Site(_, requested) => (
            site.map(|site| site.function.clone()).unwrap_or_default(),
            requested,
        ),
    };
    BlockGroup {
        holder,
        site: site.map(shown),
        is_typed: matches!(key, Key::Type(..)),
        requested,
        rows,
    }
}

fn commonest<'h>(heap: &'h Heap, rows: &[ObjectId]) -> Option<&'h Site> {
    let mut counts: FxHashMap<SiteId, u64> = FxHashMap::default();
    for site in rows.iter().filter_map(|&row| heap.sites.id(row)) {
        *counts.entry(site).or_default() += 1;
    }
    let most = counts
        .into_iter()
        .max_by_key(|&(site, count)| (count, std::cmp::Reverse(site)));
    heap.sites.get(most?.0)
}

fn shown(site: &Site) -> String {
    if site.location == site.function {
        site.function.clone()
    } else {
        format!("{}, {}", site.function, site.location)
    }
}

/// Groups of one name are told apart by their size.
fn tell_apart(groups: &mut [BlockGroup]) {
    let mut names: FxHashMap<String, u32> = FxHashMap::default();
    for group in groups.iter() {
        *names.entry(group.holder.clone()).or_default() += 1;
    }
    for group in groups.iter_mut().filter(|group| names[&group.holder] > 1) {
        group.holder = format!("{} ({} bytes)", group.holder, group.requested);
    }
}
