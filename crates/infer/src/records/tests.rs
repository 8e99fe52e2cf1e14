//! What counts as nothing in a field.

use deadweight_heap::HeapBuilder;

use super::*;
use crate::splitmix::splitmix;

/// Records of an id and four texts, each empty as `empty` says for its own address, or else of two words.
fn texts(empty: impl Fn(u64) -> [u64; 4]) -> Vec<SparseRecords> {
    texts_of(empty, |place| [splitmix(place), 20, 30, 0])
}

fn texts_of(empty: impl Fn(u64) -> [u64; 4], set: impl Fn(u64) -> [u64; 4]) -> Vec<SparseRecords> {
    let mut heap = HeapBuilder::new();
    let before = heap.block("main", &[1; 8]);
    for record in 0..1000_u64 {
        let row = before + 1 + record as ObjectId;
        let mut words = vec![splitmix(record) | 1];
        for text in 0..4_u64 {
            let place = HeapBuilder::address(row) + 8 + text * 32;
            let is_set = splitmix(record * 4 + text).is_multiple_of(20);
            words.extend(if is_set { set(place) } else { empty(place) });
        }
        let words: Vec<u8> = words.into_iter().flat_map(u64::to_le_bytes).collect();
        assert_eq!(heap.block("new_record", &words), row);
    }
    let found = sparse_records(&heap.build());
    Arc::into_inner(found).expect("the heap is gone")
}

#[test]
fn empty_texts_of_cpp_and_missing_ones_of_rust_are_nothing() {
    let short = |place: u64| [place + 16, 0, 0, 0];
    let always_short = texts_of(short, |place| [place + 16, 3, 30, 0]);
    let places: Vec<(u64, u64)> = always_short[0]
        .fields
        .iter()
        .map(|field| (field.offset, field.bytes))
        .collect();
    assert_eq!(places, [(8, 32), (40, 32), (72, 32), (104, 32)]);
    for empty in [|place: u64| [place + 16, 0, 0, 0], |_| [1 << 63, 0, 0, 0]] {
        let found = texts(empty);
        let places: Vec<(u64, u64)> = found[0]
            .fields
            .iter()
            .map(|field| (field.offset, field.bytes))
            .collect();
        assert_eq!(places, [(8, 32), (40, 32), (72, 32), (104, 32)]);
    }
    let constant = texts(|_| [77, 77, 77, 77]);
    assert!(constant.is_empty(), "what always has a value is no rare field");
}

/// Records of an id, a text that is in use in all of them, and one in a few.
fn named(name: impl Fn(u64) -> [u64; 3]) -> usize {
    let mut heap = HeapBuilder::new();
    let before = heap.block("main", &[1; 8]);
    for record in 0..2000_u64 {
        let row = before + 1 + record as ObjectId;
        let text = [HeapBuilder::address(row) + 24].into_iter().chain(name(record));
        let words: Vec<u64> = [splitmix(record) | 1]
            .into_iter()
            .chain(text)
            .chain([0; 4])
            .collect();
        let words: Vec<u8> = words.into_iter().flat_map(u64::to_le_bytes).collect();
        assert_eq!(heap.block("new_record", &words), row);
    }
    let found = sparse_records(&heap.build());
    found.iter().map(|records| records.fields.len()).sum()
}

#[test]
fn parts_of_texts_in_use_are_no_fields() {
    // Short texts in place, of which few are longer than a word; what nobody uses behind them says nothing.
    let text = u64::from_le_bytes(*b"long nam");
    let name = |record: u64| {
        if splitmix(record * 3).is_multiple_of(10) {
            [12, text, 0x7061_7274]
        } else {
            [6, text >> 16, 0]
        }
    };
    assert_eq!(named(name), 0);
}

#[test]
fn the_place_of_a_text_in_use_is_no_field() {
    let mut heap = HeapBuilder::new();
    let before = heap.block("main", &[1; 8]);
    for record in 0..2000_u64 {
        let row = before + 1 + record as ObjectId;
        let is_long = splitmix(record * 3).is_multiple_of(10);
        let place = if is_long {
            1 << 41
        } else {
            HeapBuilder::address(row) + 24
        };
        let words = [
            splitmix(record) | 1,
            place,
            6,
            0x6E61_6D65,
            1,
            1,
            splitmix(record * 7) | 1,
        ];
        let words: Vec<u8> = words.into_iter().flat_map(u64::to_le_bytes).collect();
        assert_eq!(heap.block("new_record", &words), row);
    }
    assert!(sparse_records(&heap.build()).is_empty());
}
