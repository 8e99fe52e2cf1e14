//! Where slots are, and how those in use stand.

use deadweight_heap::{EdgeKind, HeapBuilder};

use super::*;
use crate::splitmix::splitmix;

#[test]
fn slots_begin_where_references_show() {
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

/// A block of slots of three words, the last of which is a reference, where `wanted` picks them.
fn found(wanted: impl Fn(u64) -> bool) -> (Heap, ReferenceTables) {
    let mut heap = HeapBuilder::new();
    let entry = heap.block("entry", &[1; 24]);
    let slot = |slot: u64| {
        let used = [7, slot, HeapBuilder::address(entry)];
        if wanted(slot) { used } else { [0; 3] }
    };
    let words: Vec<u8> = (0..4096).flat_map(slot).flat_map(u64::to_le_bytes).collect();
    let table = heap.block("map", &words);
    heap.edge(table, EdgeKind::Internal, 2, entry);
    let heap = heap.build();
    let found = ReferenceTables::among(&heap, &[table]).unwrap();
    (heap, found)
}

#[test]
fn slots_are_as_many_words_as_stand_between_references() {
    let wanted = |slot: u64| splitmix(slot).is_multiple_of(40);
    let (heap, tables) = found(wanted);
    let table = tables.tables[0];
    let used = (0..4096).filter(|&slot| wanted(slot)).count() as u64;
    assert_eq!((tables.slot_bytes(), table.slots, table.used), (24, 4096, used));
    assert!(tables.are_scattered(&heap) && !tables.are_nodes(&heap));
}

#[test]
fn what_stands_side_by_side_is_not_scattered() {
    let (heap, tables) = found(|slot| slot < 100);
    assert!(!tables.are_scattered(&heap));
    let (heap, tables) = found(|slot| matches!(slot % 40, 7 | 8));
    assert!(!tables.are_scattered(&heap));
}
