//! Tables of references: blocks of slots with a reference in each that is in use. Where these stand distinguishes a table from
//! fields, from objects side by side and from nodes.

#[cfg(test)]
mod tests;

use deadweight_heap::{Heap, ObjectId, Presence};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::slots;

/// Of the slots in use so many have a reference: (three, in four).
const WITH_REFERENCE: (u64, u64) = (3, 4);

/// Slots of more words are objects.
const MOST_WORDS: u64 = 8;

/// Fewer slots in use are no evidence of where they stand.
const FEWEST_USED: usize = 8;
/// Of so many equal stretches of a table…
const STRETCHES: u64 = 16;
/// … the slots in use stand in at least so many: fields and their buffer, or a stack, have them side by side.
const FEWEST_STRETCHES: u32 = 4;

/// Objects side by side repeat themselves within so many slots.
const FARTHEST: usize = 512;
/// Slots in use for which that is tried.
const TRIED: usize = 4096;

/// Tables of references of one place, of which all have slots of one form.
#[derive(Debug)]
pub struct ReferenceTables {
    /// In the order of rows.
    pub tables: Vec<Table>,
    slots: Slots,
}

/// A block of slots, most of which have a reference where they are in use.
#[derive(Clone, Copy, Debug)]
pub struct Table {
    /// The block.
    pub row: ObjectId,
    /// Slots that it has room for.
    pub slots: u64,
    /// Slots in which anything stands, at least one.
    pub used: u64,
}

/// How words of a block make slots.
#[derive(Clone, Copy, Debug)]
struct Slots {
    /// Words of a slot.
    words: u64,
    /// The word at which slots begin, of as many as a slot has.
    begin: u64,
}

impl Slots {
    /// The slot of a word; what stands before the first slot is a slot of its own.
    fn of(self, word: u64) -> u64 {
        (word + (self.words - self.begin) % self.words) / self.words
    }
}

impl ReferenceTables {
    /// The tables among blocks of one place; `None` when their references are not those of slots.
    #[must_use]
    pub fn among(heap: &Heap, rows: &[ObjectId]) -> Option<Self> {
        let words = slot_words(heap, rows)?;
        // Where slots begin is where fewest are in use: elsewhere each would lie across two.
        let tried = (0..words).map(|begin| {
            let slots = Slots { words, begin };
            let looked: Vec<(u64, Option<Table>)> =
                rows.iter().filter_map(|&row| table(heap, row, slots)).collect();
            let used: u64 = looked.iter().map(|(used, _)| used).sum();
            let tables = looked.into_iter().filter_map(|(_, table)| table).collect();
            (used, Self { tables, slots })
        });
        let best = tried.reduce(|best, next| if next.0 < best.0 { next } else { best });
        best.map(|(_, tables)| tables)
    }

    /// Bytes of a slot.
    #[must_use]
    pub fn slot_bytes(&self) -> u64 {
        self.slots.words * 8
    }

    /// Whether tables that have a few slots more than a power of two use the words at both ends as they use all others,
    /// here and there: then those are slots, too, and their number was a prime near it. A header is in use in each table,
    /// or in none.
    #[must_use]
    pub fn have_nothing_beside(&self, heap: &Heap) -> bool {
        let beside = words_beside_slots(heap);
        let (mut front, mut back) = (FxHashMap::<u64, usize>::default(), FxHashMap::default());
        for table in &self.tables {
            let all = table.slots * self.slots.words;
            let more = (table.slots - (1 << table.slots.ilog2())) * self.slots.words;
            if more == 0 || more > beside {
                return false;
            }
            heap.blocks.each_used_word(table.row, &mut |at, _| {
                if at < more {
                    *front.entry(at).or_default() += 1;
                } else if at + more >= all {
                    *back.entry(all.saturating_sub(at)).or_default() += 1;
                }
            });
        }
        let here_and_there = |ends: &FxHashMap<u64, usize>| {
            !ends.is_empty()
                && ends
                    .values()
                    .all(|&tables_with| tables_with * 2 < self.tables.len())
        };
        here_and_there(&front) && here_and_there(&back)
    }

    /// Whether slots in use stand all over the tables, without an order.
    #[must_use]
    pub fn are_scattered(&self, heap: &Heap) -> bool {
        let sizes = || self.tables.iter().map(|table| table.slots);
        let (most, fewest) = (sizes().max().unwrap_or(0) + 1, sizes().min().unwrap_or(0));
        let mut places = vec![0_u64; most as usize / 64 + 1];
        let (mut all, mut different, mut stretches) = (0_u64, 0_u64, 0_u32);
        for table in &self.tables {
            for slot in self.used(heap, table) {
                all += 1;
                stretches |= 1 << (slot * STRETCHES / (table.slots + 1));
                let (word, bit) = (slot as usize / 64, 1 << (slot % 64));
                different += u64::from(places[word] & bit == 0);
                places[word] |= bit;
            }
        }
        // Fields are in use at the same few places of all.
        let vary = different * 2 >= all.min(fewest);
        let largest = self.tables.iter().max_by_key(|table| (table.used, table.row));
        all >= FEWEST_USED as u64
            && stretches.count_ones() >= FEWEST_STRETCHES
            && vary
            && largest.is_some_and(|table| !repeats(&self.used(heap, table)))
    }

    /// Whether they are nodes of a tree, which is not made smaller by growing: they refer to each other, or have arrays
    /// of slots among other words.
    #[must_use]
    pub fn are_nodes(&self, heap: &Heap) -> bool {
        let rows: Vec<ObjectId> = self.tables.iter().map(|table| table.row).collect();
        let own: FxHashSet<ObjectId> = rows.iter().copied().collect();
        let (mut all, mut among) = (0_usize, 0_usize);
        for &row in &rows {
            for edge in heap.edges.of(row) {
                all += 1;
                among += usize::from(own.contains(&edge.to) && edge.to != row);
            }
        }
        among * 2 > all || slots::are_nodes(heap, &rows)
    }

    /// The slots in use, in order.
    fn used(&self, heap: &Heap, table: &Table) -> Vec<u64> {
        let mut used = Vec::with_capacity(table.used as usize);
        heap.blocks.each_used_word(table.row, &mut |at, _| {
            let slot = self.slots.of(at);
            if used.last() != Some(&slot) {
                used.push(slot);
            }
        });
        used
    }
}

/// So many words beside the slots of a table may be no slots: a few before them and, where the dump does not say what was
/// asked for, the rest of a page.
#[must_use]
pub fn words_beside_slots(heap: &Heap) -> u64 {
    const HEADER: u64 = 8;
    const PAGE: u64 = 512;
    if heap.coverage.requests == Presence::Absent {
        HEADER + PAGE
    } else {
        HEADER
    }
}

/// Words of a slot: references stand at one place of it, so they are multiples of it apart. `None` when that is no slot.
fn slot_words(heap: &Heap, rows: &[ObjectId]) -> Option<u64> {
    let (mut first, mut apart) = (None, 0);
    for &row in rows {
        heap.blocks.each_used_word(row, &mut |at, word| {
            if apart != 1 && heap.blocks.is_address(word) {
                apart = common_divisor(apart, at.abs_diff(*first.get_or_insert(at)));
            }
        });
        if apart == 1 {
            break;
        }
    }
    first?;
    (apart <= MOST_WORDS).then_some(apart.max(1))
}

fn common_divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { common_divisor(b, a % b) }
}

/// How many slots of a block are in use, and the block as a table if most of these have a reference.
fn table(heap: &Heap, row: ObjectId, of: Slots) -> Option<(u64, Option<Table>)> {
    let (mut used, mut with_reference) = (0_u64, 0_u64);
    let (mut last, mut last_reference) = (u64::MAX, u64::MAX);
    let is_known = heap.blocks.each_used_word(row, &mut |at, word| {
        let slot = of.of(at);
        if slot != last {
            used += 1;
            last = slot;
        }
        if slot != last_reference && heap.blocks.is_address(word) {
            with_reference += 1;
            last_reference = slot;
        }
    });
    let slots = heap.blocks.requested(row).unwrap_or(0) / 8 / of.words;
    let is_table = used > 0 && with_reference * WITH_REFERENCE.1 >= used * WITH_REFERENCE.0;
    is_known.then_some((used, is_table.then_some(Table { row, slots, used })))
}

/// Whether most slots in use have another at one distance from them, as the fields of objects side by side have.
fn repeats(used: &[u64]) -> bool {
    if used.len() < FEWEST_USED {
        return false;
    }
    let mut at = vec![0_usize; FARTHEST + 1];
    let tried = used.len().min(TRIED);
    for (index, slot) in used.iter().enumerate().take(tried) {
        let behind = used[index + 1..].iter().map(|other| (other - slot) as usize);
        behind
            .take_while(|&distance| distance <= FARTHEST)
            .for_each(|distance| at[distance] += 1);
    }
    at.iter().any(|&count| count * 2 > tried)
}
