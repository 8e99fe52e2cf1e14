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

/// What is found in 2,000 blocks of so many words, which `fill` writes: it is given the block's number and address.
fn blocks(words: usize, fill: impl Fn(u64, u64, &mut [u64])) -> usize {
    blocks_of(None, words, fill)
}

/// The same where somebody says how many bytes one value of their array has.
fn blocks_of(element: Option<u64>, words: usize, fill: impl Fn(u64, u64, &mut [u64])) -> usize {
    let mut heap = HeapBuilder::new();
    let before = heap.block("main", &[1; 8]);
    for block in 0..2000_u64 {
        let row = before + 1 + block as ObjectId;
        let mut content = vec![0; words];
        fill(block, HeapBuilder::address(before), &mut content);
        let content: Vec<u8> = content.into_iter().flat_map(u64::to_le_bytes).collect();
        let made = match element {
            Some(bytes) => heap.array_block("make", bytes, &content),
            None => heap.block("make", &content),
        };
        assert_eq!(made, row);
    }
    let found = sparse_records(&heap.build());
    found.iter().map(|records| records.fields.len()).sum()
}

/// The rare fields of nodes: a count, links to the left and the right as `link` gives them by the number of a node, and two
/// texts that few nodes have.
fn tree_nodes(link: impl Fn(u64) -> u64) -> Vec<u64> {
    let mut heap = HeapBuilder::new();
    let first = heap.block("main", &[1; 8]) + 1;
    for node in 0..1000_u64 {
        let is_one = |part: u64| splitmix(node * 4 + part).is_multiple_of(20);
        let mut words = vec![splitmix(node) | 1];
        for side in 0..2 {
            words.push(if is_one(side) { link(node + side) } else { 0 });
        }
        for text in 2..4_u64 {
            let of_text = [splitmix(node * text), 20, 30, 0];
            words.extend(if is_one(text) { of_text } else { [1 << 63, 0, 0, 0] });
        }
        let words: Vec<u8> = words.into_iter().flat_map(u64::to_le_bytes).collect();
        assert_eq!(heap.block("new_node", &words), first + node as ObjectId);
    }
    let found = sparse_records(&heap.build());
    let fields = found.iter().flat_map(|records| &records.fields);
    fields.map(|field| field.offset).collect()
}

/// One in so many, by the numbers of a block and of a place in it.
fn is_one_in(many: u64, block: u64, place: usize) -> bool {
    splitmix(block * 1024 + place as u64).is_multiple_of(many)
}

#[test]
fn buckets_are_no_records() {
    // The same key in each table, and others in some: an address and a count.
    let buckets = blocks(64, |block, address, words| {
        for bucket in 0..32 {
            if bucket == 11 || is_one_in(40, block, bucket) {
                words[bucket * 2..][..2].copy_from_slice(&[address, 1]);
            }
        }
    });
    assert_eq!(buckets, 0);
    // Addresses alone.
    let narrow = blocks(32, |block, address, words| {
        for (bucket, word) in words.iter_mut().enumerate() {
            if bucket == 5 || is_one_in(40, block, bucket) {
                *word = address;
            }
        }
    });
    assert_eq!(narrow, 0);
}

#[test]
fn numbers_that_are_mostly_zero_are_no_records() {
    let of_words = blocks(48, |block, _, words| {
        for (at, word) in words.iter_mut().enumerate() {
            if at == 0 || is_one_in(30, block, at) {
                *word = 1 + splitmix(block + at as u64) % 900;
            }
        }
    });
    assert_eq!(of_words, 0);
    // Two in each word, of all sizes.
    let of_halves = blocks(48, |block, _, words| {
        for half in 0..96 {
            if half < 2 || is_one_in(30, block, half) {
                let value = (splitmix(block + half as u64) >> 33) >> (block % 24);
                words[half / 2] |= value.max(1) << (half % 2 * 32);
            }
        }
    });
    assert_eq!(of_halves, 0);
}

#[test]
fn what_another_use_left_all_over_blocks_makes_no_records() {
    // A chunk with one number, and in a few what stood there before.
    let left = blocks(64, |block, address, words| {
        if block.is_multiple_of(30) {
            for (at, word) in words.iter_mut().enumerate() {
                if !is_one_in(3, block, at) {
                    *word = [address, splitmix(block + at as u64), at as u64 + 1][at % 3];
                }
            }
        }
        words[0] = 1 + block % 40;
    });
    assert_eq!(left, 0);
}

/// An id, an address, a time, and seven values of which each says whether it is there.
fn optional(block: u64, address: u64, words: &mut [u64]) {
    words[..3].copy_from_slice(&[block + 1, address, splitmix(block)]);
    for field in (0..7).filter(|&field| is_one_in(20, block, field)) {
        words[3 + field * 2..][..2].copy_from_slice(&[splitmix(block * 7) | 1, 1]);
    }
}

#[test]
fn records_with_values_that_few_have_are_found() {
    assert_eq!(blocks(17, optional), 7);
    // A large variant, which few are, and a message that few others have.
    let variants = blocks(24, |block, address, words| {
        words[..3].copy_from_slice(&[block + 1, address, 2]);
        if is_one_in(20, block, 0) {
            words[4..20].fill(splitmix(block) | 1);
        }
        if is_one_in(10, block, 1) {
            words[20..23].copy_from_slice(&[address, 30, 31]);
        }
    });
    assert_eq!(variants, 2);
}

#[test]
fn values_of_an_array_are_no_fields_and_one_alone_is_a_record() {
    for (element, found) in [(17 * 8, 7), (16, 7), (8, 0), (4, 0)] {
        assert_eq!(blocks_of(Some(element), 17, optional), found, "{element}");
    }
}

/// An id and three texts of C++, each in a block of its own: what was left behind their capacities is nobody's.
#[test]
fn what_long_texts_leave_behind_their_capacity_is_no_field() {
    let mut heap = HeapBuilder::new();
    for record in 0..1000_u64 {
        let texts: Vec<ObjectId> = (0..3).map(|_| heap.block("new_text", &[b'x'; 31])).collect();
        let mut words = vec![splitmix(record) | 1];
        for (at, text) in texts.iter().enumerate() {
            let left = u64::from(is_one_in(40, record, at)) * splitmix(record);
            words.extend([HeapBuilder::address(*text), 30, 30, left]);
        }
        let words: Vec<u8> = words.into_iter().flat_map(u64::to_le_bytes).collect();
        let row = heap.block("new_record", &words);
        for text in texts {
            heap.edge(row, deadweight_heap::EdgeKind::Internal, 0, text);
        }
    }
    let found = sparse_records(&heap.build());
    assert!(found.is_empty(), "{found:?}");
}

#[test]
fn links_at_the_front_are_the_librarys() {
    let address = |node: u64| HeapBuilder::address(1 + (node % 1000) as ObjectId);
    assert_eq!(tree_nodes(address), [24, 56]);
    assert_eq!(tree_nodes(|node| 1_000_000 + node), [8, 16, 24, 56]);
}

/// Each block has room for eight values, of which five or six are there: a hash, a number and a text that is mostly missing. A
/// few blocks still have what others left behind.
#[test]
fn the_room_behind_values_of_several_words_is_no_field() {
    let mut heap = HeapBuilder::new();
    let target = heap.block("main", &[1; 8]);
    for block in 0..1000_u64 {
        let values = 5 + block % 2 + 2 * u64::from(block.is_multiple_of(40));
        let mut words = Vec::new();
        for value in 0..values {
            let hash = splitmix(block * 8 + value);
            // A text of Rust that is mostly missing.
            let text = if hash.is_multiple_of(20) {
                [9, HeapBuilder::address(target)]
            } else {
                [1 << 63, 0]
            };
            words.extend([hash, value + 1, text[0], text[1]]);
        }
        words.resize(8 * 4, 0);
        let words: Vec<u8> = words.into_iter().flat_map(u64::to_le_bytes).collect();
        heap.block("push", &words);
    }
    assert!(sparse_records(&heap.build()).is_empty());
}
