//! Room that raw blocks never used: what stands in them ends long before they do.

use deadweight_heap::{Heap, ObjectId, Presence};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use crate::block_groups::{Place, commonest};
use crate::slots;

/// In smaller blocks an unused end may be the last fields of an object.
const SMALLEST: u64 = 256;

/// From so many blocks at one place on it is a habit…
const SEVERAL: usize = 16;
/// … when three in four have it…
const SHARE: (usize, usize) = (3, 4);
/// … and it is worth this.
const LEAST: u64 = 4096;

/// Fewer blocks count from so many unused bytes on, when all of them use less than a quarter of their room.
const LARGE: u64 = 64 << 10;

/// More of one size may be nodes with slots.
const NODES: usize = 64;

/// Blocks of one place, most of which use less than half of their room.
#[derive(Debug)]
pub(crate) struct Unused {
    /// The type, or else the function that allocates.
    pub holder: String,
    /// Where most of them are allocated.
    pub site: Option<String>,
    /// Those that use less than half, in the order of rows.
    pub blocks: Vec<Block>,
    /// How many others are at that place.
    pub good: u64,
}

/// One block with room that it does not use.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Block {
    pub row: ObjectId,
    /// Bytes that were asked for.
    pub requested: u64,
    /// Bytes up to the last that is not zero.
    pub used: u64,
    /// What a block of these bytes alone is charged.
    pub after: u64,
}

impl Block {
    /// Bytes that go when the block is made for what it uses.
    pub fn slack(&self, heap: &Heap) -> u64 {
        heap.bytes(self.row).saturating_sub(self.after)
    }
}

/// What the blocks of a heap tell.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    /// Places in the order of their first rows.
    pub places: Vec<Unused>,
    /// Blocks whose contents are not in the dump.
    pub hidden: u64,
    /// Bytes of the blocks that seem to be in use: where memory is handed on as it was, their ends may be others'.
    pub behind_others: u64,
}

enum Look {
    Hidden,
    Good,
    Open(Block),
}

/// Looks at all blocks of the program that are large enough. Nothing is found when the dump does not tell what was
/// asked for.
pub(crate) fn unused_room(heap: &Heap) -> Seen {
    if !heap.blocks.any() || heap.coverage.requests == Presence::Absent {
        return Seen::default();
    }
    let looked: Vec<(Place, ObjectId, Look)> = heap
        .rows()
        .into_par_iter()
        .with_min_len(4096)
        .filter_map(|row| {
            let requested = heap.blocks.requested(row).filter(|&bytes| bytes >= SMALLEST)?;
            Some((Place::of(heap, row)?, row, look(heap, row, requested)))
        })
        .collect();
    let mut seen = Seen::default();
    let mut places: FxHashMap<Place, (Vec<Block>, u64)> = FxHashMap::default();
    for (place, row, look) in looked {
        let (open, good) = places.entry(place).or_default();
        match look {
            Look::Open(block) => open.push(block),
            Look::Good => {
                *good += 1;
                seen.behind_others += heap.bytes(row);
            }
            Look::Hidden => {
                *good += 1;
                seen.hidden += 1;
            }
        }
    }
    let mut found: Vec<(Place, Vec<Block>, u64)> = places
        .into_iter()
        .filter(|(_, (open, good))| is_habit(heap, open, *good) || are_large(heap, open, *good))
        .map(|(place, (open, good))| (place, open, good))
        .collect();
    found.retain(|(place, open, _)| !have_slots(heap, *place, open));
    found.sort_unstable_by_key(|(_, open, _)| open[0].row);
    seen.places = found
        .into_iter()
        .map(|(place, blocks, good)| {
            let rows: Vec<ObjectId> = blocks.iter().map(|block| block.row).collect();
            Unused {
                holder: place.name(heap),
                site: commonest(heap, &rows),
                blocks,
                good,
            }
        })
        .collect();
    seen
}

fn look(heap: &Heap, row: ObjectId, requested: u64) -> Look {
    let Some(content) = heap.blocks.content(row) else {
        return Look::Hidden;
    };
    let Some(last) = content.iter().rposition(|&byte| byte != 0) else {
        // Nothing stands in it: another rule's.
        return Look::Good;
    };
    let used = last as u64 + 1;
    let words = content[..=last].chunks(8);
    let (all, in_use) = (
        words.len(),
        words.filter(|word| word.iter().any(|&byte| byte != 0)).count(),
    );
    // A table has its entries anywhere: what is filled from its beginning on has few gaps.
    if used * 2 > requested || in_use * 2 < all {
        return Look::Good;
    }
    // The last value may end in a zero, as texts do, and ends where words do.
    let kept = (used + 1).next_multiple_of(8).min(requested);
    Look::Open(Block {
        row,
        requested,
        used,
        after: heap.allocator.charged(kept),
    })
}

fn is_habit(heap: &Heap, open: &[Block], good: u64) -> bool {
    let all = open.len() + good as usize;
    open.len() >= SEVERAL && open.len() * SHARE.1 >= all * SHARE.0 && slack(heap, open) >= LEAST
}

fn are_large(heap: &Heap, open: &[Block], good: u64) -> bool {
    good == 0 && open.iter().all(|block| block.used * 4 <= block.requested) && slack(heap, open) >= LARGE
}

fn slack(heap: &Heap, open: &[Block]) -> u64 {
    open.iter().map(|block| block.slack(heap)).sum()
}

/// Whether they are nodes with slots, of which those at the end are free: C02 makes them smaller.
fn have_slots(heap: &Heap, place: Place, open: &[Block]) -> bool {
    let first = open[0].requested;
    if open.len() < NODES || open.iter().any(|block| block.requested != first) {
        return false;
    }
    let contents: Vec<_> = open
        .iter()
        .filter_map(|block| heap.blocks.content(block.row))
        .collect();
    let blocks = contents.iter().map(AsRef::as_ref);
    let is_typed = matches!(place, Place::Type(_));
    slots::find(&blocks, is_typed, |word| heap.blocks.is_address(word)).is_some()
}
