//! Records with texts that they hold by several words.

use deadweight_heap::{EdgeKind, Heap, HeapBuilder, ObjectId};

use super::{TextRecords, text_records};

/// The bytes by which records get shorter that have a number, then a member of these words for each text, then `behind`.
fn shorter(
    count: usize,
    short: bool,
    member: impl Fn(u64, u64) -> Vec<u64>,
    behind: u64,
) -> Vec<TextRecords> {
    shorter_of(
        b"a text that does not fit in place\0",
        count,
        short,
        member,
        behind,
    )
}

/// The same of texts in blocks of these bytes.
fn shorter_of(
    content: &[u8],
    count: usize,
    short: bool,
    member: impl Fn(u64, u64) -> Vec<u64>,
    behind: u64,
) -> Vec<TextRecords> {
    let mut heap = HeapBuilder::new();
    let mut texts: Vec<ObjectId> = Vec::new();
    for at in 0..count as u64 {
        let text = heap.block("text", content);
        texts.push(text);
        let mut words = vec![at + 1];
        words.extend(member(HeapBuilder::address(text), 33));
        words.push(behind);
        let words: Vec<u8> = words.into_iter().flat_map(u64::to_le_bytes).collect();
        let record = heap.block("record", &words);
        heap.edge(record, EdgeKind::Internal, 0, text);
        if short {
            // Somewhere a short text stands in place.
            let own = HeapBuilder::address(record + 1);
            let words = [own + 16, 3, u64::from(u32::from_le_bytes(*b"abc\0")), 0, 0];
            let words: Vec<u8> = words.into_iter().flat_map(u64::to_le_bytes).collect();
            let other = heap.block("other", &words);
            heap.edge(other, EdgeKind::Internal, 0, record);
        }
    }
    let heap: Heap = heap.build();
    let texts = heap.row_set(texts);
    text_records(&heap, &texts, &texts)
}

#[test]
fn members_are_known_by_their_words() {
    let rust = shorter(20, false, |at, length| vec![34, at, length], 7);
    assert_eq!((rust.len(), rust[0].rows.len()), (1, 20));
    assert_eq!((rust[0].member_bytes, rust[0].rows[0].1), (24, 8));
    // One less than the block: the text ends in a zero. What stands in the fourth word is a field of its own, as far as
    // anybody knows…
    let roomy = b"a text that does not fit in place\0\0\0\0\0\0\0";
    for behind in [7, 0] {
        let c = shorter_of(roomy, 20, false, |at, length| vec![at, length, 39], behind);
        assert_eq!((c[0].member_bytes, c[0].rows[0].1), (24, 8));
    }
    // … unless short texts stand in place somewhere.
    let cpp = shorter(20, true, |at, length| vec![at, length, 33], 7);
    assert_eq!((cpp[0].member_bytes, cpp[0].rows[0].1), (32, 16));
}

/// Two strings side by side, with nothing in the words where short texts would stand.
#[test]
fn strings_side_by_side_are_whole() {
    let mut heap = HeapBuilder::new();
    let mut texts: Vec<ObjectId> = Vec::new();
    for at in 0..20 {
        let mut words = vec![at + 1];
        let own: Vec<ObjectId> = (0..2)
            .map(|_| heap.block("text", b"a text that does not fit in place\0"))
            .collect();
        for &text in &own {
            words.extend([HeapBuilder::address(text), 33, 33, 0]);
        }
        let words: Vec<u8> = words.into_iter().flat_map(u64::to_le_bytes).collect();
        let record = heap.block("record", &words);
        for &text in &own {
            heap.edge(record, EdgeKind::Internal, 0, text);
        }
        texts.extend(own);
    }
    let heap: Heap = heap.build();
    let texts = heap.row_set(texts);
    let found = text_records(&heap, &texts, &texts);
    assert_eq!((found.len(), found[0].rows.len()), (1, 20));
    assert_eq!((found[0].member_bytes, found[0].rows[0].1), (32, 2 * 16));
}

#[test]
fn an_address_beside_numbers_of_the_record_is_no_member() {
    // A payload, when it expires, and its length; the same with how much of it was sent, or with what fits the block by
    // chance before it.
    assert!(shorter(20, false, |at, length| vec![at, 0, length], 0).is_empty());
    assert!(shorter(20, true, |at, length| vec![at, 0, length], 0).is_empty());
    assert!(shorter(20, true, |at, length| vec![at, 1, length], 0).is_empty());
    assert!(shorter(20, false, |at, length| vec![at, length, length], 0).is_empty());
    assert!(shorter(20, false, |at, length| vec![length, at, 2], 0).is_empty());
}

#[test]
fn references_alone_and_few_texts_are_no_such_members() {
    assert!(shorter(20, false, |at, length| vec![at, length], 7).is_empty());
    assert!(shorter(15, false, |at, length| vec![34, at, length], 7).is_empty());
}

/// Two texts of each record, of which every second has none of the first; or arrays of four and eight.
#[test]
fn several_members_and_arrays_add_up() {
    let mut heap = HeapBuilder::new();
    let mut texts = Vec::new();
    for at in 0..40_usize {
        let mut own: Vec<ObjectId> = Vec::new();
        let mut member = |heap: &mut HeapBuilder, is_empty: bool| {
            if is_empty {
                return vec![0, 1, 0];
            }
            let text = heap.block("text", b"some text");
            own.push(text);
            vec![9, HeapBuilder::address(text), 9]
        };
        let mut record = member(&mut heap, at % 2 == 0);
        record.extend(member(&mut heap, false));
        record.extend([1, 2]);
        let slots = 4 << (at % 2);
        let mut array = member(&mut heap, false);
        array.resize(slots * 3, 0);
        let in_array = own.len() - 1;
        for (function, words, held) in [
            ("record", record, 0..in_array),
            ("push", array, in_array..own.len()),
        ] {
            let words: Vec<u8> = words.into_iter().flat_map(u64::to_le_bytes).collect();
            let block = heap.block(function, &words);
            for &text in &own[held] {
                heap.edge(block, EdgeKind::Internal, 0, text);
            }
        }
        texts.append(&mut own);
    }
    let heap = heap.build();
    let texts = heap.row_set(texts);
    let found = text_records(&heap, &texts, &texts);
    let mut shorter: Vec<Vec<u32>> = found
        .iter()
        .map(|records| records.rows.iter().map(|row| row.1).collect())
        .collect();
    shorter.sort();
    assert_eq!(shorter, [vec![16; 40], [32, 64].repeat(20)]);
}

#[test]
fn what_another_block_left_is_no_member() {
    let mut heap = HeapBuilder::new();
    let mut texts = Vec::new();
    for _ in 0..20 {
        let text = heap.block("text", b"some text");
        let words = [9, HeapBuilder::address(text), 9, 1]
            .map(u64::to_le_bytes)
            .concat();
        for function in ["record", "buffer"] {
            let block = heap.block(function, &words);
            heap.edge(block, EdgeKind::Internal, 0, text);
        }
        texts.push(text);
    }
    let heap = heap.build();
    let texts = heap.row_set(texts);
    assert!(text_records(&heap, &texts, &texts).is_empty());
}

/// A number and a text in room for one value, or for two: the type of the values changes.
#[test]
fn values_side_by_side_get_shorter_as_single_ones_do() {
    let mut heap = HeapBuilder::new();
    let mut texts = Vec::new();
    for at in 0..40_u64 {
        let text = heap.block("text", b"some text");
        let mut words = vec![at + 1, 9, HeapBuilder::address(text), 9];
        words.resize(4 << (at % 2), 0);
        let words: Vec<u8> = words.into_iter().flat_map(u64::to_le_bytes).collect();
        let block = heap.array_block("push", 32, &words);
        heap.edge(block, EdgeKind::Internal, 0, text);
        texts.push(text);
    }
    let heap = heap.build();
    let texts = heap.row_set(texts);
    let found = text_records(&heap, &texts, &texts);
    let shorter: Vec<u32> = found[0].rows.iter().map(|row| row.1).collect();
    assert_eq!((found.len(), shorter), (1, [8, 16].repeat(20)));
}

/// 512 bytes of values of 64 bytes each, as a deque of C++ has them.
#[test]
fn chunks_of_a_deque_stay_as_large_as_they_are() {
    let found = |words: usize| {
        let mut heap = HeapBuilder::new();
        let mut texts = Vec::new();
        for _ in 0..20 {
            let (mut block, mut own) = (Vec::new(), Vec::new());
            for at in 0..words as u64 / 8 {
                let text = heap.block("text", b"some text");
                block.extend([at + 1, 9, HeapBuilder::address(text), 9, 5, 5, 5, 5]);
                own.push(text);
            }
            block.resize(words, 0);
            let block: Vec<u8> = block.into_iter().flat_map(u64::to_le_bytes).collect();
            let block = heap.block("push", &block);
            for &text in &own {
                heap.edge(block, EdgeKind::Internal, 0, text);
            }
            texts.append(&mut own);
        }
        let heap = heap.build();
        let texts = heap.row_set(texts);
        text_records(&heap, &texts, &texts)
    };
    assert!(found(64).is_empty());
    assert_eq!(found(72)[0].rows.len(), 20);
}
