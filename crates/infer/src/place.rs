//! What a person would call blocks: their type, or where they are allocated.

use std::cmp::Reverse;

use deadweight_heap::{Heap, ObjectId, Site, SiteId, TypeId};
use rustc_hash::FxHashMap;

/// What a person would call blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Place {
    /// Blocks of a known type, wherever they were allocated.
    Type(TypeId),
    /// Blocks of one place of allocation.
    Site(SiteId),
}

impl Place {
    /// The place of a block of the program; `None` where nothing is known of it, and for what is no block.
    #[must_use]
    pub fn of(heap: &Heap, row: ObjectId) -> Option<Self> {
        Some(Self::sized(heap, row)?.0)
    }

    /// The same with the bytes that were asked for.
    #[must_use]
    pub fn sized(heap: &Heap, row: ObjectId) -> Option<(Self, u64)> {
        let requested = heap.blocks.requested(row)?;
        let label = heap.objects.label[row as usize];
        let place = if heap.types.name(label).is_empty() {
            Self::Site(heap.sites.id(row)?)
        } else {
            Self::Type(label)
        };
        heap.in_program(row).then_some((place, requested))
    }

    /// The type, or else the function that allocates, with what it allocates where that is known.
    #[must_use]
    pub fn name(self, heap: &Heap) -> String {
        match self {
            Self::Type(ty) => heap.types.name(ty).to_owned(),
            Self::Site(site) => heap.sites.get(site).map_or_else(String::new, Site::name),
        }
    }

    /// Whether it is a library's container or a node of one, whose size no caller chooses.
    #[must_use]
    pub fn is_of_library(self, heap: &Heap) -> bool {
        match self {
            Self::Type(ty) => heap.types.of_library(ty).is_some_and(|of| of.whole),
            Self::Site(site) => heap.sites.get(site).is_some_and(|site| site.of_library),
        }
    }

    /// Bytes of one value, where its blocks are arrays of values of one type, as far as somebody says.
    #[must_use]
    pub fn element(self, heap: &Heap) -> Option<u64> {
        match self {
            Self::Type(_) => None,
            Self::Site(site) => heap.sites.get(site)?.element.filter(|&bytes| bytes > 0),
        }
    }

    /// Whether the type is known.
    #[must_use]
    pub fn is_type(self) -> bool {
        matches!(self, Self::Type(_))
    }
}

/// Where most of some blocks were allocated, as it is shown.
#[must_use]
pub fn commonest_site(heap: &Heap, rows: impl IntoIterator<Item = ObjectId>) -> Option<String> {
    let mut counts: FxHashMap<SiteId, u64> = FxHashMap::default();
    for site in rows.into_iter().filter_map(|row| heap.sites.id(row)) {
        *counts.entry(site).or_default() += 1;
    }
    let most = counts
        .into_iter()
        .max_by_key(|&(site, count)| (count, Reverse(site)));
    heap.sites.get(most?.0).map(shown)
}

fn shown(site: &Site) -> String {
    if site.location == site.function {
        site.function.clone()
    } else {
        format!("{}, {}", site.function, site.location)
    }
}
