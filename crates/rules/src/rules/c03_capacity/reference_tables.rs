//! Tables of references that are nearly empty.

use deadweight_heap::Heap;
use deadweight_infer::Table;
use serde_json::json;

use super::cut::{cut_blocks, most_cut};
use super::sparse::Sparse;
use crate::count::Count;
use crate::untouched::say_untouched;
use crate::{Basis, Candidate};

/// What cutting a table rests on.
const ASSUMED: &str = "they do not fill up later, and twice the slots in use are room enough";

/// Tables of references at one place that are nearly empty.
pub(super) fn of_tables(heap: &Heap, place: &Sparse) -> Candidate {
    let tables = &place.found.tables;
    let cut = |table: &Table| (table.row, place.slack(heap, table));
    let mut candidate = cut_blocks(heap, &place.holder, tables.iter().map(cut)).assuming(ASSUMED);
    // Slots of a table that is indexed may be filled later, as those of a node.
    candidate.basis = Some(Basis::Behaviour(ASSUMED));
    candidate.variant = "table";
    candidate.site.clone_from(&place.site);
    candidate.unaffected = place.unaffected;
    let sum = |of: &dyn Fn(&Table) -> u64| tables.iter().map(of).sum::<u64>();
    let (slots, used) = (sum(&|table| table.slots), sum(&|table| table.used));
    candidate.title = format!(
        "{} {} {} of {} slots",
        Count(candidate.count).of("table of references", "tables of references"),
        if candidate.count == 1 { "uses" } else { "use" },
        Count(used),
        Count(slots),
    );
    say_untouched(heap, &mut candidate, tables.iter().map(|table| table.row));
    candidate.fix =
        "make them for the entries that come, let them double, and make a smaller one when most are gone; \
                     where the index is an id, keep pairs of id and reference"
            .into();
    candidate.show("slots", slots);
    candidate.show("used_slots", used);
    candidate.show("slot_bytes", place.found.slot_bytes());
    let examples: Vec<_> = most_cut(tables, cut)
        .map(|table| {
            json!({"slots": table.slots, "used_slots": table.used, "bytes": heap.bytes(table.row),
                "bytes_after": place.after(heap, table)})
        })
        .collect();
    candidate.show("examples", examples);
    candidate
}

#[cfg(test)]
mod tests {
    use deadweight_heap::{EdgeKind, HeapBuilder, ObjectId};
    use deadweight_infer::splitmix;

    use super::super::tests::look;

    /// A table of so many words with references in slots of some words: in those that `wanted` picks.
    fn table(heap: &mut HeapBuilder, site: &str, words: usize, slot: usize, wanted: impl Fn(usize) -> bool) {
        let entry = heap.block("entry", &[1; 24]);
        let address = HeapBuilder::address(entry).to_le_bytes();
        let mut content = vec![0; words * 8];
        for at in (0..words / slot).filter(|&at| wanted(at)) {
            let last = (at * slot + slot - 1) * 8;
            content[at * slot * 8..last].fill(0xA5);
            content[last..last + 8].copy_from_slice(&address);
        }
        let table = heap.block(site, &content);
        heap.edge(table, EdgeKind::Internal, slot as u32 - 1, entry);
    }

    /// One in so many, without an order.
    fn one_in(many: u64) -> impl Fn(usize) -> bool {
        move |at| splitmix(at as u64).is_multiple_of(many)
    }

    #[test]
    fn a_table_of_references_keeps_twice_the_slots_in_use() {
        for (words, slot) in [(1 << 16, 1), (100_003, 1), (3 << 15, 3)] {
            let mut heap = HeapBuilder::new();
            table(&mut heap, "map", words, slot, one_in(40));
            let found = look(heap);
            assert_eq!(found.len(), 1, "{words}");
            let used = (0..words / slot).filter(|&at| one_in(40)(at)).count();
            let room = if words == 100_003 {
                2 * used
            } else {
                (2 * used).next_power_of_two()
            };
            let freed = (words - room * slot) * 8;
            assert_eq!(found[0].net(), i64::try_from(freed).unwrap());
            assert_eq!(found[0].evidence["slot_bytes"], slot * 8);
            assert_eq!(found[0].evidence["used_slots"], used);
        }
    }

    #[test]
    fn small_tables_count_where_most_of_a_place_are_nearly_empty() {
        let tables = |sparse: usize, full: usize| {
            let mut heap = HeapBuilder::new();
            for at in 0..sparse + full {
                let many = if at < sparse { 50 } else { 3 };
                table(&mut heap, "map", 509, 1, |slot| one_in(many)(slot + at * 1000));
            }
            look(heap)
        };
        assert_eq!((tables(30, 5)[0].count, tables(30, 5)[0].unaffected), (30, 5));
        assert!(tables(15, 0).is_empty() && tables(30, 30).is_empty());
    }

    #[test]
    fn tables_that_grew_fields_and_objects_side_by_side_are_no_empty_tables() {
        let mut heap = HeapBuilder::new();
        table(&mut heap, "half full", 1 << 16, 1, one_in(2));
        table(&mut heap, "just doubled", 1 << 16, 1, one_in(4));
        table(&mut heap, "grown by four", 1 << 16, 1, one_in(7));
        table(&mut heap, "small", 1 << 12, 1, one_in(40));
        // Objects of 100 words with references in the same two fields.
        table(&mut heap, "objects", 1 << 16, 1, |at| matches!(at % 100, 3 | 54));
        // Fields at both ends of a buffer.
        table(&mut heap, "buffer", 1 << 16, 1, |at| {
            !(20..(1 << 16) - 20).contains(&at)
        });
        for _ in 0..200 {
            table(&mut heap, "record", 256, 1, |at| at % 60 == 7);
        }
        assert!(look(heap).is_empty());
    }

    #[test]
    fn a_block_that_references_lead_into_is_a_pool() {
        let pool = |refers: bool| {
            let mut heap = HeapBuilder::new();
            table(&mut heap, "pool", 1 << 16, 1, one_in(40));
            let pool = 1;
            let inside = (0..10_u64).flat_map(|at| (HeapBuilder::address(pool) + at * 88).to_le_bytes());
            let index = heap.block("index", &inside.collect::<Vec<u8>>());
            for at in (0..10).filter(|_| refers) {
                heap.edge(index, EdgeKind::Internal, at, pool);
            }
            look(heap).len()
        };
        assert_eq!((pool(false), pool(true)), (1, 0));
    }

    #[test]
    fn blocks_that_refer_to_each_other_are_nodes() {
        let mut heap = HeapBuilder::new();
        let first = heap.block("node", &[1; 8]);
        for at in 0..200_u64 {
            let mut content = vec![0; 2048];
            for child in 0..3 {
                let slot = splitmix(at * 3 + child) as usize % 256 * 8;
                let child = first + 1 + (splitmix(at + child) % 200) as ObjectId;
                content[slot..slot + 8].copy_from_slice(&HeapBuilder::address(child).to_le_bytes());
            }
            let node = heap.block("node", &content);
            heap.edge(
                node,
                EdgeKind::Internal,
                0,
                first + 1 + (splitmix(at) % 200) as ObjectId,
            );
        }
        assert!(look(heap).is_empty());
    }
}
