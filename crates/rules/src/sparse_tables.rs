//! Tables of references far larger than what is in them: a hash table made for entries that never came, a vector of
//! empty places. Their slots in use stand anywhere, so that nothing can be cut off at an end.

use deadweight_heap::{Heap, HolderId, Holders, ObjectId, Presence};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::block_groups::commonest;
use crate::pooled::cut_up;
use crate::slots;

/// Smaller blocks are objects, or tables that just begin.
const SMALLEST: u64 = 256;

/// Tables that use one in so many slots or more are left alone: growth by doubling never leaves less than a quarter, and
/// growth by four an eighth.
const LOAD: u64 = 8;

/// Of the slots in use so many have a reference: (three, in four).
const WITH_REFERENCE: (u64, u64) = (3, 4);

/// Slots of more words are objects.
const MOST_WORDS: u64 = 8;

/// A table that shrinks keeps room for so many slots for each in use: half full, as tables of open addressing are, or a
/// sorted list of indices and references.
const ROOM: u64 = 2;

/// From so many tables at one place on it is a habit…
const SEVERAL: usize = 16;
/// … when three in four are nearly empty…
const SHARE: (usize, usize) = (3, 4);
/// … and it is worth this.
const LEAST: u64 = 4096;
/// A single table counts when so much of it goes.
const LARGE: u64 = 64 << 10;

/// Fewer slots in use tell nothing of where they stand.
const FEWEST_USED: usize = 8;
/// Of so many equal stretches of a table…
const STRETCHES: u64 = 16;
/// … the slots in use stand in at least so many: fields and their buffer, or a stack, have them side by side.
const FEWEST_STRETCHES: u32 = 4;

/// Objects side by side repeat themselves within so many slots.
const FARTHEST: usize = 512;
/// Slots in use for which that is tried.
const TRIED: usize = 4096;

/// More of one size may be nodes with slots.
const NODES: usize = 64;

/// Tables of one place that are nearly empty.
#[derive(Debug)]
pub(crate) struct Sparse {
    /// The field that holds them, or the function that allocates them.
    pub holder: String,
    /// Where most of them are allocated.
    pub site: Option<String>,
    /// Those that are nearly empty, in the order of rows.
    pub tables: Vec<Table>,
    /// How many others with references are at that place.
    pub good: u64,
    /// Bytes of a slot.
    pub slot_bytes: u64,
}

/// One such table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Table {
    pub row: ObjectId,
    pub slots: u64,
    pub used: u64,
    /// What one with room for what is in it is charged.
    pub after: u64,
}

impl Table {
    /// Bytes that go when the table is made for what is in it.
    pub fn slack(&self, heap: &Heap) -> u64 {
        heap.bytes(self.row).saturating_sub(self.after)
    }
}

/// Looks at all blocks of the program that have references, in the order of their places' first rows.
pub(crate) fn sparse_tables(heap: &Heap) -> Vec<Sparse> {
    if !heap.blocks.any() {
        return Vec::new();
    }
    let mut holders = Holders::new(heap);
    let places = holders.group(|row| {
        let bytes = heap.blocks.requested(row).unwrap_or(0);
        bytes >= SMALLEST && heap.edges.count(row) > 0 && heap.in_program(row)
    });
    let found = places.into_par_iter().filter_map(|(holder, rows)| {
        let (tables, slots) = nearly_empty(heap, &rows)?;
        Some((holder, tables, slots, rows.len()))
    });
    let mut found: Vec<(HolderId, Vec<Table>, Slots, usize)> = found.collect();
    let rows: FxHashSet<ObjectId> = found
        .iter()
        .flat_map(|(_, tables, ..)| tables.iter().map(|table| table.row))
        .collect();
    // Nobody keeps the address of a slot: what references lead into is a pool of objects, or a stack.
    let cut = cut_up(heap, &rows);
    for (_, tables, ..) in &mut found {
        tables.retain(|table| !cut.contains(&table.row));
    }
    found.retain(|(_, tables, slots, _)| {
        !tables.is_empty() && are_tables(heap, tables, slots) && !are_nodes(heap, tables)
    });
    let sparse = found.into_iter().map(|(holder, tables, slots, all)| {
        let rows: Vec<ObjectId> = tables.iter().map(|table| table.row).collect();
        Sparse {
            holder: holders.name(holder),
            site: commonest(heap, &rows),
            good: (all - tables.len()) as u64,
            slot_bytes: slots.words * 8,
            tables,
        }
    });
    sparse.collect()
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

/// The tables of a place that are nearly empty, if that is a habit there or they are large.
fn nearly_empty(heap: &Heap, rows: &[ObjectId]) -> Option<(Vec<Table>, Slots)> {
    // What is full of references needs no look.
    let open: Vec<ObjectId> = rows
        .iter()
        .copied()
        .filter(|&row| heap.edges.count(row) as u64 * LOAD < words(heap, row))
        .collect();
    let saved: u64 = open.iter().map(|&row| heap.bytes(row)).sum();
    if saved < LEAST {
        return None;
    }
    let slot_words = slot_words(heap, &open)?;
    let mut best: Option<(u64, Slots, Vec<Table>)> = None;
    for begin in 0..slot_words {
        let slots = Slots {
            words: slot_words,
            begin,
        };
        let tables: Vec<(u64, Option<Table>)> =
            open.iter().filter_map(|&row| table(heap, row, slots)).collect();
        let used = tables.iter().map(|(used, _)| used).sum();
        // Where slots begin is where fewest are in use: elsewhere each would lie across two.
        if best.as_ref().is_none_or(|(least, ..)| used < *least) {
            let tables = tables.into_iter().filter_map(|(_, table)| table).collect();
            best = Some((used, slots, tables));
        }
    }
    let (_, slots, mut tables) = best?;
    if tables.len() >= SEVERAL && have_nothing_beside(heap, &tables, slots) {
        for table in &mut tables {
            table.after = after(heap, table.slots, table.used, slots, 0);
        }
    }
    let slack: u64 = tables.iter().map(|table| table.slack(heap)).sum();
    let is_habit =
        tables.len() >= SEVERAL && tables.len() * SHARE.1 >= rows.len() * SHARE.0 && slack >= LEAST;
    if !is_habit {
        tables.retain(|table| table.slack(heap) >= LARGE);
    }
    (!tables.is_empty()).then_some((tables, slots))
}

fn words(heap: &Heap, row: ObjectId) -> u64 {
    heap.blocks.requested(row).unwrap_or(0) / 8
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

/// How many slots of a block are in use, and the block as a table if it is a nearly empty one.
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
    if !is_known {
        return None;
    }
    let slots = words(heap, row) / of.words;
    let is_sparse =
        used * LOAD < slots && with_reference * WITH_REFERENCE.1 >= used * WITH_REFERENCE.0 && used > 0;
    let table = Table {
        row,
        slots,
        used,
        after: after(heap, slots, used, of, beside(heap)),
    };
    Some((used, is_sparse.then_some(table)))
}

/// What a table made for what is in it is charged.
fn after(heap: &Heap, slots: u64, used: u64, of: Slots, beside: u64) -> u64 {
    heap.allocator.charged(room(slots, used, beside) * of.words * 8)
}

/// Whether tables that have a few slots more than a power of two use the words at both ends as they use all others, here
/// and there: then those are slots, too, and their number was a prime near it. A header is in use in each table, or in none.
fn have_nothing_beside(heap: &Heap, tables: &[Table], of: Slots) -> bool {
    let beside = beside(heap);
    let (mut front, mut back) = (FxHashMap::<u64, usize>::default(), FxHashMap::default());
    for table in tables {
        let all = table.slots * of.words;
        let more = (table.slots - (1 << table.slots.ilog2())) * of.words;
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
        !ends.is_empty() && ends.values().all(|&tables_with| tables_with * 2 < tables.len())
    };
    here_and_there(&front) && here_and_there(&back)
}

/// So many words beside the slots may be no slots: a few before them and, where the dump does not tell what was asked for,
/// the rest of a page.
fn beside(heap: &Heap) -> u64 {
    const HEADER: u64 = 8;
    const PAGE: u64 = 512;
    if heap.coverage.requests == Presence::Absent {
        HEADER + PAGE
    } else {
        HEADER
    }
}

/// Slots that a table for those in use has. Tables whose sizes are powers of two keep to that.
fn room(slots: u64, used: u64, beside: u64) -> u64 {
    let power = 1 << slots.ilog2();
    let room = used * ROOM;
    if slots - power <= beside {
        room.next_power_of_two()
    } else {
        room
    }
}

/// Whether slots in use stand all over the tables, without an order.
fn are_tables(heap: &Heap, tables: &[Table], of: &Slots) -> bool {
    let most = tables.iter().map(|table| table.slots).max().unwrap_or(0) + 1;
    let fewest = tables.iter().map(|table| table.slots).min().unwrap_or(0);
    let mut places = vec![0_u64; most as usize / 64 + 1];
    let (mut all, mut different, mut stretches) = (0_u64, 0_u64, 0_u32);
    for table in tables {
        for slot in used(heap, table, *of) {
            all += 1;
            stretches |= 1 << (slot * STRETCHES / (table.slots + 1));
            let (word, bit) = (slot as usize / 64, 1 << (slot % 64));
            different += u64::from(places[word] & bit == 0);
            places[word] |= bit;
        }
    }
    // Fields are in use at the same few places of all.
    let vary = different * 2 >= all.min(fewest);
    let largest = tables.iter().max_by_key(|table| (table.used, table.row));
    all >= FEWEST_USED as u64
        && stretches.count_ones() >= FEWEST_STRETCHES
        && vary
        && largest.is_some_and(|table| !repeats(&used(heap, table, *of)))
}

/// The slots in use, in order.
fn used(heap: &Heap, table: &Table, of: Slots) -> Vec<u64> {
    let mut used = Vec::with_capacity(table.used as usize);
    heap.blocks.each_used_word(table.row, &mut |at, _| {
        let slot = of.of(at);
        if used.last() != Some(&slot) {
            used.push(slot);
        }
    });
    used
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

/// Whether they are nodes of a tree, which is not made smaller by growing: they refer to each other, or C02 finds the
/// slots in them.
fn are_nodes(heap: &Heap, tables: &[Table]) -> bool {
    let rows: FxHashSet<ObjectId> = tables.iter().map(|table| table.row).collect();
    let (mut all, mut among) = (0_usize, 0_usize);
    for table in tables {
        for edge in heap.edges.of(table.row) {
            all += 1;
            among += usize::from(rows.contains(&edge.to) && edge.to != table.row);
        }
    }
    if among * 2 > all {
        return true;
    }
    let requested = |table: &Table| heap.blocks.requested(table.row);
    let first = requested(&tables[0]);
    if tables.len() < NODES || tables.iter().any(|table| requested(table) != first) {
        return false;
    }
    let label = heap.objects.label[tables[0].row as usize];
    let is_typed = !heap.types.name(label).is_empty();
    let contents: Vec<_> = tables
        .iter()
        .filter_map(|table| heap.blocks.content(table.row))
        .collect();
    slots::find(&contents, is_typed, |word| heap.blocks.is_address(word)).is_some()
}

#[cfg(test)]
mod tests {
    use deadweight_heap::HeapBuilder;

    use super::*;
    use crate::splitmix::splitmix;

    #[test]
    fn tables_keep_to_powers_of_two_where_they_had_one() {
        assert_eq!(room(1 << 20, 1000, 8), 2048);
        assert_eq!(room((1 << 20) + 2, 1025, 8), 4096);
        assert_eq!(room(1_000_003, 1025, 8), 2050);
        assert_eq!(room((1 << 20) + 510, 1025, 520), 4096);
    }

    /// Tables of 1,024 slots and seven words more, of which one in about fifty is in use; with a count in front, too.
    fn tables_of(words_before: bool) -> Vec<Table> {
        let mut heap = HeapBuilder::new();
        let entry = heap.block("entry", &[1; 8]);
        for at in 0..40_u64 {
            let mut content = vec![0; 1031 * 8];
            if words_before {
                content[..8].copy_from_slice(&20_u64.to_le_bytes());
            }
            let mixed = |slot: u64| splitmix(at * 1031 + slot);
            let first = if words_before { 7 } else { 0 };
            for slot in (first..1031).filter(|&slot| mixed(slot).is_multiple_of(50)) {
                let at = slot as usize * 8;
                content[at..at + 8].copy_from_slice(&HeapBuilder::address(entry).to_le_bytes());
            }
            let table = heap.block("map", &content);
            heap.edge(table, deadweight_heap::EdgeKind::Internal, 0, entry);
        }
        let mut found = sparse_tables(&heap.build());
        assert_eq!(found.len(), 1);
        found.remove(0).tables
    }

    #[test]
    fn a_prime_near_a_power_of_two_is_told_from_a_header() {
        for (words_before, exact) in [(false, true), (true, false)] {
            for table in tables_of(words_before) {
                let room = if exact {
                    table.used * 2
                } else {
                    (table.used * 2).next_power_of_two()
                };
                assert_eq!(table.after, room * 8);
            }
        }
    }

    #[test]
    fn slots_begin_where_references_tell() {
        let slots = Slots { words: 3, begin: 2 };
        let of: Vec<u64> = (0..8).map(|word| slots.of(word)).collect();
        assert_eq!(of, [0, 0, 1, 1, 1, 2, 2, 2]);
    }

    #[test]
    fn what_has_an_order_repeats() {
        let even: Vec<u64> = (0..100)
            .flat_map(|object| [object * 50, object * 50 + 7])
            .collect();
        assert!(repeats(&even));
        let odd: Vec<u64> = (0..100_u64).map(|at| at * at * 5).collect();
        assert!(!repeats(&odd));
    }
}
