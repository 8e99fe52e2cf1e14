//! Holders of texts with room behind them.

use deadweight_heap::{EdgeKind, Heap, HeapBuilder};

use crate::texts::block_texts;

/// Texts in blocks of 64 bytes, each behind what a longer one left, that a holder of these words refers to.
fn heap(holder: impl Fn(u64, u64) -> Vec<u64>) -> Heap {
    let mut heap = HeapBuilder::new();
    for at in 0..60_usize {
        let mut content =
            format!("{:x<64}", format!("some longer text that was here before {at}")).into_bytes();
        content[40] = 0;
        let text = ["San Francisco, California", "New Orleans, Louisiana"][at % 2];
        content[..text.len()].copy_from_slice(text.as_bytes());
        let row = heap.block("city", &content);
        let words = holder(HeapBuilder::address(row), text.len() as u64);
        let place = words
            .iter()
            .position(|&word| word == HeapBuilder::address(row))
            .unwrap();
        let words: Vec<u8> = words.into_iter().flat_map(u64::to_le_bytes).collect();
        let owner = heap.block("row", &words);
        heap.edge(owner, EdgeKind::Internal, place as u32, row);
    }
    heap.build()
}

fn values(heap: &Heap) -> (usize, u64) {
    let found = block_texts(heap);
    let texts = found.places.iter().flat_map(|(_, texts)| texts);
    let mut values: Vec<u128> = texts.map(|text| text.text).collect();
    values.sort_unstable();
    values.dedup();
    (values.len(), found.uncompared)
}

#[test]
fn texts_end_where_their_holders_say() {
    assert_eq!(
        values(&heap(|at, length| vec![9, 64, at, length])),
        (2, 0),
        "Rust"
    );
    assert_eq!(values(&heap(|at, length| vec![9, at, length, 63])), (2, 0), "C++");
    assert_eq!(values(&heap(|at, length| vec![at, 64, length])), (2, 0), "C");
}

#[test]
fn texts_of_unknown_length_are_said_to_be_not_compared() {
    let (_, uncompared) = values(&heap(|at, _| vec![9, 9, at, 9]));
    assert_eq!(uncompared, 60);
}
