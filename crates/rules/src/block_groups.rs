//! Blocks that the program would change together: of one type, or allocated at one place, and of one size.

use std::cmp::Reverse;

use deadweight_heap::{EdgeKind, Heap, HolderId, Holders, ObjectId, Site, SiteId, TypeId};
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use serde_json::{Value, json};

/// What a person would call the blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Place {
    /// Blocks of a known type, wherever they were allocated.
    Type(TypeId),
    /// Blocks of one place of allocation.
    Site(SiteId),
}

impl Place {
    /// The place of a block of the program; `None` where nothing is known of it, and for what is no block.
    pub fn of(heap: &Heap, row: ObjectId) -> Option<Self> {
        heap.blocks.requested(row)?;
        let label = heap.objects.label[row as usize];
        let place = if heap.types.name(label).is_empty() {
            Self::Site(heap.sites.id(row)?)
        } else {
            Self::Type(label)
        };
        heap.in_program(row).then_some(place)
    }

    /// The type, or else the function that allocates, with what it allocates where that is known.
    pub fn name(self, heap: &Heap) -> String {
        match self {
            Self::Type(ty) => heap.types.name(ty).to_owned(),
            Self::Site(site) => heap.sites.get(site).map_or_else(String::new, Site::name),
        }
    }
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
    let rows = heap.objects.len();
    let pieces = (0..rows.div_ceil(PIECE)).into_par_iter();
    let pieces: Vec<Groups> = pieces
        .map(|piece| groups(heap, piece * PIECE..((piece + 1) * PIECE).min(rows)))
        .collect();
    let mut groups = Groups::default();
    for piece in pieces {
        for (key, rows) in piece {
            groups.entry(key).or_default().extend(rows);
        }
    }
    groups.retain(|_, rows| rows.len() >= fewest);
    let mut groups: Vec<((Place, u64), Vec<ObjectId>)> = groups.into_iter().collect();
    groups.sort_unstable_by_key(|(key, rows)| (rows[0], *key));
    let mut found: Vec<BlockGroup> = groups
        .into_par_iter()
        .map(|((place, requested), rows)| BlockGroup {
            holder: place.name(heap),
            site: match place {
                Place::Type(_) => commonest(heap, &rows),
                Place::Site(site) => heap.sites.get(site).map(shown),
            },
            is_typed: matches!(place, Place::Type(_)),
            requested,
            rows,
        })
        .collect();
    tell_apart(&mut found);
    found
}

/// Rows that one thread takes at a time.
const PIECE: usize = 1 << 17;

type Groups = FxHashMap<(Place, u64), Vec<ObjectId>>;

fn groups(heap: &Heap, rows: std::ops::Range<usize>) -> Groups {
    let mut groups = Groups::default();
    for row in rows.map(|row| row as ObjectId) {
        if let (Some(place), Some(requested)) = (Place::of(heap, row), heap.blocks.requested(row)) {
            groups.entry((place, requested)).or_default().push(row);
        }
    }
    groups
}

/// Where most of the blocks were allocated, as it is shown.
pub(crate) fn commonest(heap: &Heap, rows: &[ObjectId]) -> Option<String> {
    let mut counts: FxHashMap<SiteId, u64> = FxHashMap::default();
    for site in rows.iter().filter_map(|&row| heap.sites.id(row)) {
        *counts.entry(site).or_default() += 1;
    }
    let most = counts
        .into_iter()
        .max_by_key(|&(site, count)| (count, std::cmp::Reverse(site)));
    heap.sites.get(most?.0).map(shown)
}

/// In which fields blocks of one place are held, the commonest first, with how many there are of each; empty where nobody
/// told of fields.
pub(crate) fn held_in(heap: &Heap, rows: &[ObjectId]) -> Vec<Value> {
    const MOST: usize = 3;
    let mut holders = Holders::new(heap);
    let mut counts: FxHashMap<HolderId, u64> = FxHashMap::default();
    for &row in rows {
        let referrer = heap.referrers.of(row);
        if referrer.is_some_and(|(_, via)| via.kind() == EdgeKind::Field) {
            *counts.entry(holders.of(row)).or_default() += 1;
        }
    }
    let mut counts: Vec<(HolderId, u64)> = counts.into_iter().collect();
    counts.sort_unstable_by_key(|&(holder, count)| (Reverse(count), holder));
    let shown = counts.into_iter().take(MOST);
    shown
        .map(|(holder, count)| json!({"field": holders.name(holder), "count": count}))
        .collect()
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
