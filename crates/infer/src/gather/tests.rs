//! Rows by key, across what several threads take.

use deadweight_heap::HeapBuilder;

use super::*;

#[test]
fn rows_of_a_key_come_in_their_order_from_all_pieces() {
    let mut heap = HeapBuilder::new();
    let first = heap.block("", &[]);
    for _ in 0..3 * PIECE {
        heap.block("", &[]);
    }
    let heap = heap.build();
    let key = |row: ObjectId| (row >= first && row % 5 > 1).then_some(row % 3);
    let found = rows_by(&heap, key);
    assert_eq!(found.len(), 3);
    for (of, rows) in found {
        assert!(heap.rows().filter(|&row| key(row) == Some(of)).eq(rows));
    }
}
