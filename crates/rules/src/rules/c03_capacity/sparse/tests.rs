//! What is left of tables that are nearly empty.

use deadweight_heap::HeapBuilder;
use deadweight_infer::splitmix;

use super::*;

#[test]
fn tables_keep_to_powers_of_two_where_they_had_one() {
    assert_eq!(room(1 << 20, 1000, 8), 2048);
    assert_eq!(room((1 << 20) + 2, 1025, 8), 4096);
    assert_eq!(room(1_000_003, 1025, 8), 2050);
    assert_eq!(room((1 << 20) + 510, 1025, 520), 4096);
}

/// Tables of 1,024 slots and seven words more, of which one in about fifty is in use; with a count in front, too.
fn heap_of(words_before: bool) -> Heap {
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
    heap.build()
}

#[test]
fn a_prime_near_a_power_of_two_is_distinguished_from_a_header() {
    for (words_before, exact) in [(false, true), (true, false)] {
        let heap = heap_of(words_before);
        let found = sparse_tables(&heap);
        assert_eq!(found.len(), 1);
        for table in &found[0].found.tables {
            let room = if exact {
                table.used * 2
            } else {
                (table.used * 2).next_power_of_two()
            };
            assert_eq!(found[0].after(&heap, table), room * 8);
        }
    }
}
