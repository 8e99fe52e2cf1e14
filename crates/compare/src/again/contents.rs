//! What stands at each place of a heap, by digests that are equal in other heaps.

use std::cmp::Reverse;

use deadweight_heap::{Flags, Heap, HolderId, Holders, Kind, ObjectId};
use rustc_hash::FxHashMap;

use super::digests::Digests;

/// No more is kept of a heap, beside what is large: then a sample, which is the same in all heaps.
const MOST: usize = 1 << 18;

/// So large a thing is in every sample.
const LARGE: u64 = 4096;

/// The contents of one heap.
#[derive(Clone, Debug)]
pub struct Contents {
    /// One for each digest.
    items: Vec<Item>,
    /// Places with the types of what stands there.
    places: Vec<(String, String)>,
    /// Of small things those are here whose digests have so many zeros at one place.
    coarseness: u32,
    /// Bytes of the program's, and those of them whose contents are known.
    held: u64,
    known: u64,
    /// How to make a dump that shows more.
    recapture: String,
}

/// Something that a heap holds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Item {
    pub(super) digest: u64,
    pub(super) bytes: u64,
    pub(super) place: u32,
}

impl Item {
    /// How many things it stands for in a sample.
    pub(super) fn stands_for(self, coarseness: u32) -> u64 {
        if self.bytes >= LARGE { 1 } else { 1 << coarseness }
    }

    fn is_in(&self, coarseness: u32) -> bool {
        // The lowest bit is the same in all.
        self.bytes >= LARGE || (self.digest >> 1).trailing_zeros() >= coarseness
    }
}

impl Contents {
    /// Looks at all that the program holds. Buffers whose contents have one of the hashes `in_common` are left out: several
    /// heaps stand on the same memory.
    #[must_use]
    pub fn of(heap: &Heap, in_common: &[u64]) -> Self {
        let digests = Digests::of(heap, in_common);
        let holders = Holders::new(heap);
        let (mut held, mut known, mut count) = (0, 0, 0_usize);
        let mut parts: FxHashMap<ObjectId, u64> = FxHashMap::default();
        for row in heap.rows() {
            let owner = heap.owner(row);
            if !heap.in_program(owner) {
                continue;
            }
            let bytes = heap.bytes(row);
            held += bytes;
            if digests.is_known(owner) {
                known += bytes;
            }
            if digests.telling(owner).is_some() {
                if heap.objects.has(row, Flags::PART) {
                    *parts.entry(owner).or_default() += bytes;
                } else {
                    count += 1;
                }
            }
        }
        let coarseness = count.div_ceil(MOST).next_power_of_two().trailing_zeros();
        let mut places = Places::default();
        let mut items = Vec::new();
        for row in heap.rows().filter(|&row| heap.in_program(row)) {
            let Some(digest) = digests.telling(row) else {
                continue;
            };
            let mut item = Item {
                digest,
                bytes: heap.bytes(row) + parts.get(&row).copied().unwrap_or(0),
                place: 0,
            };
            if item.bytes > 0 && item.is_in(coarseness) {
                item.place = places.at(heap, &holders, row);
                items.push(item);
            }
        }
        // Twice in one heap is a finding of that heap's.
        items.sort_by_key(|item| (item.digest, Reverse(item.bytes)));
        items.dedup_by_key(|item| item.digest);
        Self {
            items,
            places: places.names,
            coarseness,
            held,
            known,
            recapture: recapture(heap),
        }
    }

    /// Bytes that the program holds.
    #[must_use]
    pub fn held(&self) -> u64 {
        self.held
    }

    /// Those of them whose contents the dump shows.
    #[must_use]
    pub fn known(&self) -> u64 {
        self.known
    }

    /// How to make a dump that shows more.
    #[must_use]
    pub fn recapture(&self) -> &str {
        &self.recapture
    }

    pub(super) fn coarseness(&self) -> u32 {
        self.coarseness
    }

    /// What is in a sample that is no finer than this one.
    pub(super) fn at(&self, coarseness: u32) -> impl Iterator<Item = Item> + '_ {
        self.items
            .iter()
            .filter(move |item| item.is_in(coarseness))
            .copied()
    }

    /// The place of an item, and the type of what stands there.
    pub(super) fn place(&self, at: u32) -> (&str, &str) {
        let (holder, holds) = &self.places[at as usize];
        (holder, holds)
    }
}

/// No dump shows where in a raw block references end and numbers begin.
fn recapture(heap: &Heap) -> String {
    if heap.blocks.any() {
        "not possible, as raw blocks that refer to others are not compared".to_owned()
    } else {
        heap.runtime.recapture.clone()
    }
}

/// Places in the order in which they were met.
#[derive(Default)]
struct Places {
    known: FxHashMap<(HolderId, u32), u32>,
    names: Vec<(String, String)>,
}

impl Places {
    fn at(&mut self, heap: &Heap, holders: &Holders<'_>, row: ObjectId) -> u32 {
        let holder = holders.of(row);
        // Strings have their texts where others have their types.
        let label = match heap.kind(row) {
            Kind::String => u32::MAX,
            _ => heap.objects.label[row as usize],
        };
        *self.known.entry((holder, label)).or_insert_with(|| {
            self.names
                .push((holders.name(holder), heap.type_name(row).to_owned()));
            self.names.len() as u32 - 1
        })
    }
}
