//! Room that raw blocks never used: what stands in them ends long before they do.

mod counted;
mod ends;
mod lists;
mod look;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use deadweight_heap::{Heap, ObjectId};
use rustc_hash::FxHashMap;

use crate::gather::{Gathered, gather};
use crate::place::{Place, commonest_site};
use crate::records::sparse_records;
use crate::slots;
use counted::counted;
use ends::{Ends, said_ends};
use lists::Lists;
use look::{Look, charge, look};

/// In smaller blocks an unused end may be the last fields of an object…
const SMALLEST: u64 = 256;
/// … unless they are lists of references, of at least so many, or arrays of values, of at least so many bytes.
const SMALLEST_LIST: u64 = 8 * 8;

/// From so many blocks at one place on it is a habit…
const SEVERAL: usize = 16;
/// … unless they are objects: where most others have gaps, three in four must have room…
const MOST: (usize, usize) = (3, 4);
/// … when their room is one in so many bytes of all blocks there, as that of other containers…
const SHARE: u64 = 10;
/// … and it is worth this.
const LEAST: u64 = 4096;

/// Fewer blocks count from so many unused bytes on, when all of them use less than a quarter of their room.
const LARGE: u64 = 64 << 10;

/// Blocks of one place, of which some use less than half of their room.
#[derive(Debug)]
pub struct RoomAt {
    /// The type, or else the function that allocates.
    pub holder: String,
    /// Where most of them are allocated.
    pub site: Option<String>,
    /// Those that use less than half or nothing, in the order of rows.
    pub blocks: Vec<Room>,
    /// How many others are at that place.
    pub unaffected: u64,
    /// Whether a library's container makes them, of a size that no caller chooses.
    pub are_of_library: bool,
}

/// One block with room that it does not use.
#[derive(Clone, Copy, Debug)]
pub struct Room {
    /// The block.
    pub row: ObjectId,
    /// Bytes that were asked for.
    pub requested: u64,
    /// Bytes up to the end of the last value; 0 where nothing stands in the block.
    pub used: u64,
    /// What that end follows from.
    pub end: End,
    /// What a block of these bytes alone is charged; nothing where there need be no block.
    pub after: u64,
}

/// How it is known where the last value in a block ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Whoever holds the block keeps that address.
    Held,
    /// All values have one size, or are the characters of a text.
    Value,
    /// It is the last byte that is not zero: the value may end in zeros.
    InUse,
}

impl Room {
    /// A block whose holder keeps the address where its contents end.
    fn held(heap: &Heap, row: ObjectId, requested: u64, used: u64) -> Self {
        Self {
            row,
            requested,
            used,
            end: End::Held,
            after: if used == 0 { 0 } else { charge(heap, row, used) },
        }
    }

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
    /// … of which so many have something here and there.
    gaps: u64,
    /// Bytes of all.
    bytes: u64,
    hidden: u64,
    behind_others: u64,
    /// Of small blocks, what they hold.
    lists: Lists,
    /// Whether they are arrays, as somebody says of what size the values are.
    are_arrays: bool,
    /// The others of an array's blocks: what stands in them may have been left there.
    full: Vec<ObjectId>,
}

impl Looked {
    /// Whether these may be cut at their ends.
    fn may_be_cut(&self, heap: &Heap, are_small: bool) -> bool {
        let are_worth_it = self.is_habit(heap) || !are_small && self.are_large(heap);
        self.is_begun() && are_worth_it && (!are_small || self.are_arrays || self.lists.are_lists())
    }

    /// Whether any block was begun. Those of a place where none was are the next rule's.
    fn is_begun(&self) -> bool {
        self.open.iter().any(|block| block.used > 0)
    }

    /// Each block is weighed for itself: full ones beside it make the room of a block no smaller. Growth by doubling
    /// never leaves more than half of a block.
    fn is_habit(&self, heap: &Heap) -> bool {
        let slack = self.slack(heap);
        // What has something here and there is an object or a table, in which free words are no room: where most of the
        // others are so, few short ones say nothing.
        let all = self.open.len() + self.unaffected as usize;
        let are_buffers = self.gaps * 2 <= self.unaffected || self.open.len() * MOST.1 >= all * MOST.0;
        self.open.len() >= SEVERAL && are_buffers && slack >= self.bytes / SHARE && slack >= LEAST
    }

    fn are_large(&self, heap: &Heap) -> bool {
        self.unaffected == 0
            && self.open.iter().all(|block| block.used * 4 <= block.requested)
            && self.slack(heap) >= LARGE
    }

    fn slack(&self, heap: &Heap) -> u64 {
        self.open.iter().map(|block| block.slack(heap)).sum()
    }
}

impl Gathered for Looked {
    fn append(&mut self, mut later: Self) {
        self.open.append(&mut later.open);
        self.unaffected += later.unaffected;
        self.gaps += later.gaps;
        self.bytes += later.bytes;
        self.hidden += later.hidden;
        self.behind_others += later.behind_others;
        self.lists.append(&later.lists);
        self.are_arrays |= later.are_arrays;
        self.full.append(&mut later.full);
    }
}

impl Looked {
    /// Corrects blocks of which somebody else says where their contents end.
    fn heed(&mut self, heap: &Heap, ends: &Ends) {
        let before = self.open.len();
        self.open.retain_mut(|room| {
            // What stands behind that end was left there, or the addresses are of something else, as a deque has them.
            let Some(&used) = ends.get(&room.row).filter(|&&used| used >= room.used) else {
                return true;
            };
            *room = Room::held(heap, room.row, room.requested, used);
            used * 2 <= room.requested
        });
        self.unaffected += (before - self.open.len()) as u64;
        self.heed_full(heap, ends);
    }

    /// What stands behind the end of an array was left there by others.
    fn heed_full(&mut self, heap: &Heap, ends: &Ends) {
        let before = self.open.len();
        for row in std::mem::take(&mut self.full) {
            let (Some(&used), Some(requested)) = (ends.get(&row), heap.blocks.requested(row)) else {
                continue;
            };
            self.behind_others = self.behind_others.saturating_sub(heap.bytes(row));
            if used * 2 <= requested {
                self.open.push(Room::held(heap, row, requested, used));
            }
        }
        let found = self.open.len() - before;
        self.unaffected -= found as u64;
        self.gaps = self.gaps.saturating_sub(found as u64);
        self.open.sort_unstable_by_key(|room| room.row);
    }

    /// Of small arrays with references, which may be tables, those of which somebody says where they end; unless all are
    /// filled from their beginning on.
    fn keep_known(&mut self) {
        if self.lists.are_empty() || self.lists.are_lists() {
            return;
        }
        let before = self.open.len();
        self.open.retain(|room| room.end == End::Held);
        self.unaffected += (before - self.open.len()) as u64;
    }
}

/// Looks at all blocks of the program that are large enough. Where the dump does not say what was asked for, blocks have
/// room for all that they may use.
#[must_use]
pub fn unused_room(heap: &Heap) -> Arc<Rooms> {
    heap.shared.get(|| find(heap))
}

fn find(heap: &Heap) -> Rooms {
    if !heap.blocks.any() {
        return Rooms::default();
    }
    // What a record has room for, its type decides.
    let records = sparse_records(heap);
    let records = heap.row_set(records.iter().flat_map(|records| records.rows.iter().copied()));
    let counted = counted(heap);
    let element = |row| {
        let sized = Place::sized(heap, row)?;
        let known = || counted.elements.get(&sized).copied();
        sized.0.element(heap).or_else(known)
    };
    let large_enough = |row| {
        let (place, requested) = Place::sized(heap, row).filter(|_| !records.has(row))?;
        let is_small = requested < SMALLEST;
        let counts =
            !is_small || requested >= SMALLEST_LIST && !place.is_type() && !place.is_of_library(heap);
        counts.then_some(((place, is_small), requested))
    };
    let mut places = gather(heap, large_enough, |looked: &mut Looked, row, requested| {
        let content = heap.blocks.content(row);
        let element = element(row);
        let is_array = element.is_some_and(|element| element < requested);
        if requested < SMALLEST {
            let content = content.as_deref().unwrap_or_default();
            // No reference fits into a value that is smaller.
            if !is_array || element >= Some(8) && refers(heap, content) {
                looked.lists.see(heap, content);
            }
            if looked.lists.are_others && !is_array {
                return;
            }
        }
        looked.are_arrays |= is_array;
        looked.bytes += heap.bytes(row);
        looked.hidden += u64::from(content.is_none());
        let look = |content: &[u8]| look(heap, row, requested, element, content);
        match content.as_deref().map_or(Look::Full, look) {
            Look::Open(room) => {
                looked.open.push(room);
                return;
            }
            Look::Gaps => looked.gaps += 1,
            Look::Full => {}
        }
        looked.unaffected += 1;
        if is_array || Place::of(heap, row).is_some_and(|place| place.is_of_library(heap)) {
            looked.full.push(row);
        }
        looked.behind_others += content.map_or(0, |_| heap.bytes(row));
    });
    // Who holds a block is looked for where that may change what is found.
    let may_change = |looked: &Looked| {
        !looked.full.is_empty() || looked.is_begun() && (looked.is_habit(heap) || looked.are_large(heap))
    };
    if places.values().any(may_change) {
        let mut ends = said_ends(heap);
        ends.extend(counted.ends);
        for looked in places.values_mut() {
            looked.heed(heap, &ends);
        }
    }
    for ((_, are_small), looked) in &mut places {
        if *are_small && looked.are_arrays {
            looked.keep_known();
        }
    }
    let mut seen = Rooms::default();
    let mut found: Vec<(Place, Vec<Room>, u64)> = Vec::new();
    for ((place, are_small), looked) in places {
        if !are_small {
            seen.hidden += looked.hidden;
            seen.behind_others += looked.behind_others;
        }
        if !looked.may_be_cut(heap, are_small) {
            if are_small {
                continue;
            }
            let begun = looked.open.iter().filter(|block| block.used > 0);
            seen.others.extend(begun.map(|block| (block.row, block.after)));
        } else if !slots::are_nodes(heap, &rows_of(&looked.open)) {
            // Free slots at the ends of nodes are no room of theirs.
            found.push((place, looked.open, looked.unaffected));
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
            are_of_library: place.is_of_library(heap),
        })
        .collect();
    seen
}

/// Whether a word of a block may be the address of another.
fn refers(heap: &Heap, content: &[u8]) -> bool {
    let words = content.as_chunks::<8>().0;
    words
        .iter()
        .any(|word| heap.blocks.is_address(u64::from_le_bytes(*word)))
}

fn rows_of(rooms: &[Room]) -> Vec<ObjectId> {
    rooms.iter().map(|room| room.row).collect()
}
