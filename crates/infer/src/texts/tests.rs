//! Which blocks are texts.

use deadweight_heap::HeapBuilder;

use super::block_texts;

const CITIES: [&str; 5] = ["Rome", "Berlin", "Johannesburg", "Lima, Peru", "Ulm"];

/// How many blocks of these are texts, and how many different ones.
fn texts(blocks: impl IntoIterator<Item = Vec<u8>>) -> (usize, usize) {
    let mut heap = HeapBuilder::new();
    for block in blocks {
        heap.block("make", &block);
    }
    let found = block_texts(&heap.build());
    let mut values: Vec<u128> = found
        .places
        .iter()
        .flat_map(|(_, texts)| texts.iter().map(|text| text.text))
        .collect();
    let all = values.len();
    values.sort_unstable();
    values.dedup();
    (all, values.len())
}

fn closed(text: &str) -> Vec<u8> {
    format!("{text}\0").into_bytes()
}

#[test]
fn short_texts_that_end_with_their_blocks_need_no_longer_ones() {
    assert_eq!(texts((0..40).map(|_| closed("abc"))), (40, 1));
    let words = ["to", "be", "abc", "that", "lighter"];
    assert_eq!(texts((0..40).map(|i| closed(words[i % 5]))), (40, 5));
}

#[test]
fn numbers_and_flags_are_no_short_texts() {
    // Of two bytes nobody knows, and a number has zeros before its end.
    assert_eq!(texts((0..40).map(|_| closed("A"))), (0, 0));
    assert_eq!(texts((0..40).map(|i| vec![65 + i, 0, 0, 0])), (0, 0));
    assert_eq!(texts((0..40).map(|i| vec![65, 66, 67, i])), (0, 0));
    assert_eq!(texts((0..40).map(|_| b"abc\0\0\0\0\0".to_vec())), (0, 0));
}

#[test]
fn among_other_blocks_texts_are_those_that_fill_theirs() {
    let cities = [
        "Johannesburg",
        "Lima, Peru",
        "Buenos Aires, Argentina",
        "Stockholm",
    ];
    let mixed = |i: usize| match i % 2 {
        0 => closed(cities[i / 2 % 4]),
        _ => [(i as u64).to_le_bytes(); 4].concat(),
    };
    assert_eq!(texts((0..80).map(mixed)), (40, 4));
    // Of one size they may be objects that begin with a text.
    let mixed = |i: usize| match i % 2 {
        0 => closed(cities[0]),
        _ => mixed(i),
    };
    assert_eq!(texts((0..80).map(mixed)), (0, 0));
}

/// A string of Qt: references, length, room, the distance of its letters.
fn wide(references: u32, text: &str) -> Vec<u8> {
    let length = text.len() as u32;
    let header = [references, length, length + 1, 0, 24, 0];
    let mut block: Vec<u8> = header.into_iter().flat_map(u32::to_le_bytes).collect();
    block.extend(text.encode_utf16().chain([0]).flat_map(u16::to_le_bytes));
    block
}

/// A text behind four numbers of which the third is twice its length.
fn behind(numbers: [u32; 2], room: u32, text: &str) -> Vec<u8> {
    let header = [numbers[0], numbers[1], text.len() as u32 * 2, room];
    let mut block: Vec<u8> = header.into_iter().flat_map(u32::to_le_bytes).collect();
    block.extend(closed(text));
    block
}

#[test]
fn texts_behind_equal_headers_are_compared() {
    assert_eq!(texts((0..50).map(|i| wide(1, CITIES[i % 5]))), (50, 5));
    assert_eq!(texts((0..50).map(|i| behind([1, 0], 99, CITIES[i % 5]))), (50, 5));
    // How many refer to a text says nothing of it.
    assert_eq!(
        texts((0..50).map(|i| wide(1 + u32::from(i % 7 == 0), CITIES[i % 5]))),
        (50, 5)
    );
}

#[test]
fn other_numbers_before_a_text_make_it_another() {
    assert_eq!(
        texts((0..50_usize).map(|i| behind([1, i as u32], 99, CITIES[i % 5]))),
        (50, 50)
    );
    // Neither is a number that differs everywhere a count.
    assert_eq!(
        texts((0..50_usize).map(|i| behind([i as u32 + 1, 0], 99, CITIES[i % 5]))),
        (50, 50)
    );
}

#[test]
fn a_number_that_is_a_length_by_chance_and_fields_behind_a_name_are_no_headers() {
    assert_eq!(texts((0..50).map(|_| behind([1, 0], 99, CITIES[0]))), (0, 0));
    let record = |i: usize| [behind([1, 0], 99, CITIES[i % 5]), vec![i as u8 + 1; 16]].concat();
    assert_eq!(texts((0..50).map(record)), (0, 0));
}
