//! Room that raw blocks never used: what stands in them ends long before they do.

use std::sync::Arc;

use deadweight_heap::{Heap, ObjectId, Presence};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use crate::block_groups::{Place, commonest};
use crate::block_texts::is_text;
use crate::slots;

/// In smaller blocks an unused end may be the last fields of an object.
const SMALLEST: u64 = 256;

/// From so many blocks at one place on it is a habit…
const SEVERAL: usize = 16;
/// … when three in four have it…
const SHARE: (usize, usize) = (3, 4);
/// … or half of them, where memory is handed on as it was: what others left hides the room of many…
const SHARE_HIDDEN: (usize, usize) = (1, 2);
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
    /// Such blocks of all other places, with what each is charged when it is made for what it uses.
    pub others: FxHashMap<ObjectId, u64>,
    /// Blocks whose contents are not in the dump.
    pub hidden: u64,
    /// Bytes of the blocks that seem to be in use: where memory is handed on as it was, their ends may be others'.
    pub behind_others: u64,
}

/// Rows that one thread takes at a time.
const PIECE: usize = 1 << 14;

/// What the blocks of some rows tell.
#[derive(Default)]
struct Looked {
    /// Blocks with room, and how many others there are.
    places: FxHashMap<Place, (Vec<Block>, u64)>,
    hidden: u64,
    behind_others: u64,
}

impl Looked {
    fn at(heap: &Heap, rows: std::ops::Range<usize>) -> Self {
        let mut looked = Self::default();
        for row in rows.map(|row| row as ObjectId) {
            let requested = heap.blocks.requested(row).filter(|&bytes| bytes >= SMALLEST);
            let (Some(requested), Some(place)) = (requested, Place::of(heap, row)) else {
                continue;
            };
            let (open, good) = looked.places.entry(place).or_default();
            match look(heap, row, requested) {
                Look::Open(block) => open.push(block),
                Look::Good => {
                    *good += 1;
                    looked.behind_others += heap.bytes(row);
                }
                Look::Hidden => {
                    *good += 1;
                    looked.hidden += 1;
                }
            }
        }
        looked
    }
}

enum Look {
    Hidden,
    Good,
    Open(Block),
}

/// Looks at all blocks of the program that are large enough. Nothing is found when the dump does not tell what was
/// asked for.
pub(crate) fn unused_room(heap: &Heap) -> Arc<Seen> {
    heap.shared.get(|| find(heap))
}

fn find(heap: &Heap) -> Seen {
    if !heap.blocks.any() || heap.coverage.requests == Presence::Absent {
        return Seen::default();
    }
    let rows = heap.objects.len();
    let pieces: Vec<Looked> = (0..rows.div_ceil(PIECE))
        .into_par_iter()
        .map(|piece| Looked::at(heap, piece * PIECE..((piece + 1) * PIECE).min(rows)))
        .collect();
    let mut seen = Seen::default();
    let mut places: FxHashMap<Place, (Vec<Block>, u64)> = FxHashMap::default();
    for looked in pieces {
        seen.hidden += looked.hidden;
        seen.behind_others += looked.behind_others;
        for (place, (open, good)) in looked.places {
            let known = places.entry(place).or_default();
            known.0.extend(open);
            known.1 += good;
        }
    }
    let mut found: Vec<(Place, Vec<Block>, u64)> = Vec::new();
    for (place, (open, good)) in places {
        if !is_habit(heap, &open, good) && !are_large(heap, &open, good) {
            let others = open.iter().map(|block| (block.row, block.after));
            seen.others.extend(others);
        } else if !have_slots(heap, place, &open) {
            found.push((place, open, good));
        }
    }
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
    let Some(last) = last_in_use(&content) else {
        // Nothing stands in it: another rule's.
        return Look::Good;
    };
    let used = last as u64 + 1;
    if used * 2 > requested {
        return Look::Good;
    }
    // A table has its entries anywhere: what is filled from its beginning on has few gaps.
    let (words, rest) = content[..=last].as_chunks::<8>();
    let in_use = words.iter().filter(|&&word| word != [0; 8]).count() + usize::from(!rest.is_empty());
    let all = words.len() + usize::from(!rest.is_empty());
    if in_use * 2 < all {
        return Look::Good;
    }
    // Texts end in a zero, and values where words do.
    let end = used + u64::from(is_text(&content[..=last]));
    let kept = end.next_multiple_of(8).min(requested);
    Look::Open(Block {
        row,
        requested,
        used,
        after: heap.allocator.charged(kept),
    })
}

/// The last byte that is not zero. Long stretches of zeros are looked at many bytes at a time.
fn last_in_use(content: &[u8]) -> Option<usize> {
    const STRETCH: usize = 128;
    let (head, stretches) = content.as_rchunks::<STRETCH>();
    let is_zero = |stretch: &[u8; STRETCH]| stretch.iter().fold(0, |any, byte| any | byte) == 0;
    let last = |bytes: &[u8]| bytes.iter().rposition(|&byte| byte != 0);
    match stretches.iter().rposition(|stretch| !is_zero(stretch)) {
        Some(at) => Some(head.len() + at * STRETCH + last(&stretches[at])?),
        None => last(head),
    }
}

fn is_habit(heap: &Heap, open: &[Block], good: u64) -> bool {
    let all = open.len() + good as usize;
    let share = if heap.coverage.untouched == Presence::Present {
        SHARE
    } else {
        SHARE_HIDDEN
    };
    open.len() >= SEVERAL && open.len() * share.1 >= all * share.0 && slack(heap, open) >= LEAST
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
    let is_typed = matches!(place, Place::Type(_));
    slots::find(&contents, is_typed, |word| heap.blocks.is_address(word)).is_some()
}

#[cfg(test)]
mod tests {
    use super::last_in_use;

    #[test]
    fn the_last_byte_in_use_is_found_wherever_it_stands() {
        for len in [0, 1, 127, 128, 129, 300, 1000] {
            let mut content = vec![0; len];
            assert_eq!(last_in_use(&content), None);
            for at in 0..len {
                content[at] = 7;
                assert_eq!(last_in_use(&content), Some(at));
                if at % 3 == 0 {
                    content[at] = 0;
                }
            }
        }
    }
}
