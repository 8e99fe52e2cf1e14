//! Room that raw blocks never used: what stands in them ends long before they do.

#[cfg(test)]
mod tests;

use std::sync::Arc;

use deadweight_heap::{Heap, ObjectId, Presence, Request};
use rustc_hash::FxHashMap;

use crate::gather::{Gathered, gather};
use crate::place::{Place, commonest_site};
use crate::slots;
use crate::texts::is_text;

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

/// Blocks of one place, most of which use less than half of their room.
#[derive(Debug)]
pub struct RoomAt {
    /// The type, or else the function that allocates.
    pub holder: String,
    /// Where most of them are allocated.
    pub site: Option<String>,
    /// Those that use less than half, in the order of rows.
    pub blocks: Vec<Room>,
    /// How many others are at that place.
    pub unaffected: u64,
}

/// One block with room that it does not use.
#[derive(Clone, Copy, Debug)]
pub struct Room {
    /// The block.
    pub row: ObjectId,
    /// Bytes that were asked for.
    pub requested: u64,
    /// Bytes up to the last that is not zero.
    pub used: u64,
    /// What a block of these bytes alone is charged.
    pub after: u64,
}

impl Room {
    /// Bytes that go when the block is made for what it uses.
    #[must_use]
    pub fn slack(&self, heap: &Heap) -> u64 {
        heap.bytes(self.row).saturating_sub(self.after)
    }
}

/// What the blocks of a heap show.
#[derive(Debug, Default)]
pub struct Rooms {
    /// Places in the order of their first rows.
    pub places: Vec<RoomAt>,
    /// Such blocks of all other places, with what each is charged when it is made for what it uses.
    pub others: FxHashMap<ObjectId, u64>,
    /// Blocks whose contents are not in the dump.
    pub hidden: u64,
    /// Bytes of the blocks that seem to be in use: where memory is handed on as it was, their ends may be others'.
    pub behind_others: u64,
}

/// What the blocks of one place show.
#[derive(Default)]
struct Looked {
    /// Those with room…
    open: Vec<Room>,
    /// … and how many others there are.
    unaffected: u64,
    hidden: u64,
    behind_others: u64,
}

impl Gathered for Looked {
    fn append(&mut self, mut later: Self) {
        self.open.append(&mut later.open);
        self.unaffected += later.unaffected;
        self.hidden += later.hidden;
        self.behind_others += later.behind_others;
    }
}

/// Looks at all blocks of the program that are large enough. Nothing is found when the dump does not say what was
/// asked for.
#[must_use]
pub fn unused_room(heap: &Heap) -> Arc<Rooms> {
    heap.shared.get(|| find(heap))
}

fn find(heap: &Heap) -> Rooms {
    if !heap.blocks.any() || heap.coverage.requests == Presence::Absent {
        return Rooms::default();
    }
    let large = |row| Place::sized(heap, row).filter(|&(_, requested)| requested >= SMALLEST);
    let places = gather(heap, large, |looked: &mut Looked, row, requested| {
        let content = heap.blocks.content(row);
        looked.hidden += u64::from(content.is_none());
        if let Some(room) = content
            .as_ref()
            .and_then(|content| room(heap, row, requested, content))
        {
            looked.open.push(room);
            return;
        }
        looked.unaffected += 1;
        looked.behind_others += content.map_or(0, |_| heap.bytes(row));
    });
    let mut seen = Rooms::default();
    let mut found: Vec<(Place, Vec<Room>, u64)> = Vec::new();
    for (
        place,
        Looked {
            open,
            unaffected,
            hidden,
            behind_others,
        },
    ) in places
    {
        seen.hidden += hidden;
        seen.behind_others += behind_others;
        if !is_habit(heap, &open, unaffected) && !are_large(heap, &open, unaffected) {
            let others = open.iter().map(|block| (block.row, block.after));
            seen.others.extend(others);
        } else if !slots::are_nodes(heap, &rows_of(&open)) {
            // Free slots at the ends of nodes are no room of theirs.
            found.push((place, open, unaffected));
        }
    }
    found.sort_unstable_by_key(|(_, open, _)| open[0].row);
    seen.places = found
        .into_iter()
        .map(|(place, blocks, unaffected)| RoomAt {
            holder: place.name(heap),
            site: commonest_site(heap, rows_of(&blocks)),
            blocks,
            unaffected,
        })
        .collect();
    seen
}

/// The room of a block; `None` when it has none. One in which nothing stands is for another rule.
fn room(heap: &Heap, row: ObjectId, requested: u64, content: &[u8]) -> Option<Room> {
    let last = last_in_use(content)?;
    let used = last as u64 + 1;
    // A table has its entries anywhere: what is filled from its beginning on has few gaps.
    let (words, rest) = content[..=last].as_chunks::<8>();
    let rest = usize::from(!rest.is_empty());
    let in_use = || words.iter().filter(|&&word| word != [0; 8]).count() + rest;
    if used * 2 > requested || in_use() * 2 < words.len() + rest {
        return None;
    }
    // Texts end in a zero, and values where words do.
    let end = used + u64::from(is_text(&content[..=last]));
    let kept = end.next_multiple_of(8).min(requested);
    let refers = heap.edges.of(row).next().is_some();
    Some(Room {
        row,
        requested,
        used,
        after: heap.allocator.charge(Request::with(kept, refers)),
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

fn is_habit(heap: &Heap, open: &[Room], unaffected: u64) -> bool {
    let all = open.len() + unaffected as usize;
    let share = if heap.coverage.untouched == Presence::Present {
        SHARE
    } else {
        SHARE_HIDDEN
    };
    open.len() >= SEVERAL && open.len() * share.1 >= all * share.0 && slack(heap, open) >= LEAST
}

fn are_large(heap: &Heap, open: &[Room], unaffected: u64) -> bool {
    unaffected == 0
        && open.iter().all(|block| block.used * 4 <= block.requested)
        && slack(heap, open) >= LARGE
}

fn slack(heap: &Heap, open: &[Room]) -> u64 {
    open.iter().map(|block| block.slack(heap)).sum()
}

fn rows_of(rooms: &[Room]) -> Vec<ObjectId> {
    rooms.iter().map(|room| room.row).collect()
}
