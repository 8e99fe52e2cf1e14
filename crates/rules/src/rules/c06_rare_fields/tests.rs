//! What the rule finds, and what it leaves alone.

use deadweight_heap::HeapBuilder;
use deadweight_infer::splitmix;

use super::*;
use crate::rules::c03_capacity::Capacity;

/// So many records of three common words and eight rare fields of five words, of which each is in use in so many of 1,000
/// records; and how many use any, and how many fields are in use in all.
fn heap_of(records: u64, permille: u64) -> (HeapBuilder, u64, u64) {
    let mut heap = HeapBuilder::new();
    let (mut any, mut all) = (0, 0);
    for record in 0..records {
        let mut words = vec![0_u64; 3 + 8 * 5];
        (0..3).for_each(|at| words[at] = splitmix(record * 3 + at as u64) | 1);
        let mut used = 0;
        for field in (0..8).filter(|&field| splitmix((record * 8 + field) ^ 0xF00) % 1000 < permille) {
            let at = 3 + field as usize * 5;
            // An address is not at hand, so texts are short: a length, the text, and whether there is one.
            words[at..at + 5].copy_from_slice(&[0x7478_6574, 12, 0x6574_7478, 0x7478, 1]);
            used += 1;
        }
        any += u64::from(used > 0);
        all += used;
        let words: Vec<u8> = words.into_iter().flat_map(u64::to_le_bytes).collect();
        heap.block("new_record", &words);
    }
    (heap, any, all)
}

fn look(heap: HeapBuilder) -> Vec<Candidate> {
    RareFields.look(&heap.build()).candidates
}

#[test]
fn rare_fields_move_to_where_they_cost_least() {
    for permille in [5, 10, 30, 100, 200] {
        let (heap, any, all) = heap_of(2000, permille);
        let found = look(heap);
        assert_eq!(found.len(), 1, "{permille}");
        assert_eq!(found[0].evidence["rare_fields"].as_array().unwrap().len(), 8);
        // The test's allocator charges what is asked.
        let beside = 2000 * (24 + 8) + any * 320;
        let apart = 2000 * (24 + 64) + all * 40;
        let net = i64::try_from(2000 * 344 - beside.min(apart)).unwrap();
        assert_eq!(found[0].net(), net, "{permille}");
        assert_eq!(
            found[0].evidence["form"] == "one record beside",
            beside <= apart,
            "{permille}"
        );
    }
}

#[test]
fn what_many_use_few_records_and_buffers_are_left_alone() {
    assert!(look(heap_of(2000, 600).0).is_empty());
    assert!(look(heap_of(90, 30).0).is_empty());
    let mut heap = HeapBuilder::new();
    for at in 0..2000_u64 {
        // Vectors, and texts in place: filled from the beginning on.
        let used = if splitmix(at).is_multiple_of(10) {
            splitmix(at * 3) % 40
        } else {
            2
        };
        let words = (0..43).map(|word| if word < used { splitmix(at + word) | 1 } else { 0 });
        heap.block("reserve", &words.flat_map(u64::to_le_bytes).collect::<Vec<u8>>());
        // Two types of one size at one place: what one uses the other does not.
        let other = splitmix(at * 5).is_multiple_of(10);
        let words = (0..43_u64).map(|word| {
            if word < 3 || other {
                splitmix(at + word) | 1
            } else {
                0
            }
        });
        heap.block("malloc", &words.flat_map(u64::to_le_bytes).collect::<Vec<u8>>());
    }
    assert!(look(heap).is_empty());
}

#[test]
fn records_with_rare_fields_are_not_told_to_ask_for_less() {
    let (heap, ..) = heap_of(2000, 30);
    assert!(Capacity.look(&heap.build()).candidates.is_empty());
}
