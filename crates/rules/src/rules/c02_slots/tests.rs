//! What the whole rule finds, in blocks of one node each.

use deadweight_heap::HeapBuilder;
use deadweight_infer::{FEWEST_NODES, splitmix};
use serde_json::json;

use super::*;

/// Numbers as random as a hash.
pub(super) struct Random(pub(super) u64);

impl Random {
    pub(super) fn next(&mut self) -> u64 {
        self.0 += 1;
        splitmix(self.0)
    }
    pub(super) fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }
}

pub(super) fn put(block: &mut [u8], word: usize, value: u64) {
    block[word * 8..word * 8 + 8].copy_from_slice(&value.to_le_bytes());
}

pub(super) fn look(heap: HeapBuilder) -> Vec<Candidate> {
    let verdict = Slots.look(&heap.build());
    assert!(verdict.not_measured.is_empty());
    verdict.candidates
}

/// Each of `count` blocks of `words` words is filled by `fill`, which gets the address of a leaf, too.
fn heap_of(count: usize, words: usize, mut fill: impl FnMut(&mut Random, &mut [u8], u64)) -> HeapBuilder {
    let mut heap = HeapBuilder::new();
    let leaf = heap.block("leaf", &[1; 40]);
    let mut random = Random(7);
    for _ in 0..count {
        let mut block = vec![0; words * 8];
        fill(&mut random, &mut block, HeapBuilder::address(leaf));
        heap.block("node", &block);
    }
    heap
}

/// A node: two words of header, 16 hashes of four words, 16 pairs of references.
pub(super) fn node(random: &mut Random, block: &mut [u8], leaf: u64) {
    put(block, 0, random.next());
    put(block, 1, 1);
    let uses = 1 + random.below(4);
    for _ in 0..uses {
        let slot = random.below(16);
        for word in 0..4 {
            put(block, 2 + slot * 4 + word, random.next());
        }
        put(block, 66 + slot * 2, leaf);
        put(block, 67 + slot * 2, leaf);
    }
}

/// How many slots of a [`node`] are in use.
pub(super) fn used_slots(block: &[u8]) -> usize {
    (0..16)
        .filter(|slot| block[(66 + slot * 2) * 8] != 0 || block[(66 + slot * 2) * 8 + 5] != 0)
        .count()
}

/// A finding of nodes whose slots are in use as `expected` counts them saves what the sizes it names leave of them.
///
/// The test's allocator charges what is asked: a node of 24 bytes, and slots of 48.
pub(super) fn assert_saves(found: &Candidate, expected: &[u64]) {
    assert_eq!(found.evidence["used_slots"], json!(expected));
    let best: Vec<u64> = serde_json::from_value(found.evidence["best_sizes"].clone()).unwrap();
    let after: u64 = expected
        .iter()
        .zip(0_u64..)
        .map(|(&nodes, used)| nodes * (24 + 48 * best.iter().find(|&&size| size >= used).unwrap()))
        .sum();
    assert_eq!(found.bytes_now - found.net().cast_unsigned(), after);
}

#[test]
fn parallel_arrays_are_one_and_the_histogram_is_exact() {
    let mut expected = vec![0_u64; 17];
    let heap = heap_of(500, 98, |random, block, leaf| {
        node(random, block, leaf);
        expected[used_slots(block)] += 1;
    });
    let found = look(heap);
    assert_eq!(found.len(), 1);
    let evidence = &found[0].evidence;
    assert_eq!(
        (&evidence["slots"], &evidence["slot_bytes"]),
        (&json!(16), &json!(48))
    );
    assert_eq!(
        evidence["parts"],
        json!([{"offset": 16, "bytes": 32}, {"offset": 528, "bytes": 16}])
    );
    assert_eq!(found[0].holder, "node");
    assert_eq!(found[0].site.as_deref(), Some("node, node.cpp:1"));
    assert_saves(&found[0], &expected);
}

#[test]
fn arrays_of_which_all_nodes_use_the_beginning_alone_are_known_by_their_ends() {
    for most in [1, 4] {
        let found = look(heap_of(500, 66, move |random, block, leaf| {
            put(block, 0, random.next());
            put(block, 1, 2);
            for slot in 0..=random.below(most) {
                put(block, 2 + slot, random.next());
                put(block, 34 + slot, leaf);
            }
        }));
        let evidence = &found[0].evidence;
        assert_eq!(
            (
                &evidence["slots"],
                &evidence["slot_bytes"],
                &evidence["header_bytes"]
            ),
            (&json!(32), &json!(16), &json!(16))
        );
        assert_eq!(evidence["used_slots"][0], 0);
    }
}

#[test]
fn two_buffers_of_an_object_are_no_slots() {
    // Each has a length and text, of which none is long.
    let found = look(heap_of(500, 66, |random, block, leaf| {
        put(block, 0, leaf);
        put(block, 1, 2);
        for buffer in [2, 34] {
            put(block, buffer, 1 + random.next() % 20);
            put(block, buffer + 1, 0x6162_6364_6566_6768);
        }
    }));
    assert!(found.is_empty());
}

#[test]
fn slots_of_references_alone_need_eight_of_them() {
    let tree = |slots: usize| {
        heap_of(500, 2 + slots, move |random, block, leaf| {
            put(block, 0, leaf);
            put(block, 1, 3);
            for slot in 0..slots {
                if random.below(4) == 0 {
                    put(block, 2 + slot, leaf);
                }
            }
        })
    };
    assert_eq!(look(tree(26))[0].evidence["slots"], json!(26));
    // A binary tree's, and an object with some references that may be empty.
    assert!(look(tree(2)).is_empty() && look(tree(5)).is_empty());
}

#[test]
fn a_mask_beside_the_slots_is_none_of_them() {
    for before in [false, true] {
        let (mask, first) = if before { (0, 1) } else { (16, 0) };
        let found = look(heap_of(500, 17, move |random, block, leaf| {
            for slot in 0..16 {
                if random.below(6) == 0 {
                    put(block, first + slot, leaf);
                    // Only a few slots lead to nodes, which the mask shows: it is often zero, too.
                    if slot < 3 {
                        put(block, mask, 1 << slot);
                    }
                }
            }
        }));
        assert_eq!(found[0].evidence["slots"], json!(16));
        assert_eq!(found[0].evidence["header_bytes"], json!(8));
        assert_eq!(
            found[0].evidence["parts"],
            json!([{"offset": first * 8, "bytes": 8}])
        );
    }
}

#[test]
fn nodes_filled_from_the_beginning_count_and_vectors_do_not() {
    let filled = |header: usize| {
        heap_of(500, header + 16, move |random, block, leaf| {
            (0..header).for_each(|word| put(block, word, 5));
            (0..=random.below(6)).for_each(|slot| put(block, header + slot, leaf));
            if random.below(20) == 0 {
                (0..16).for_each(|slot| put(block, header + slot, leaf));
            }
        })
    };
    assert!(look(filled(0)).is_empty());
    assert_eq!(look(filled(2)).len(), 1);
}

#[test]
fn vectors_with_stale_tails_and_buckets_are_left_alone() {
    let vectors = heap_of(500, 32, |random, block, leaf| {
        // Zeroed memory in which longer vectors stood before.
        for word in 0..random.below(32) {
            put(block, word, leaf);
        }
        let stale = random.below(32);
        put(block, stale, leaf);
    });
    assert!(look(vectors).is_empty());
    let buckets = heap_of(500, 13, |random, block, leaf| {
        (0..4).for_each(|_| put(block, random.below(12), leaf));
    });
    assert!(look(buckets).is_empty());
}

#[test]
fn text_with_stale_tails_is_left_alone() {
    let text = heap_of(500, 32, |random, block, _| {
        // An earlier, longer text was cut and overwritten.
        for _ in 0..2 {
            let length = random.below(256);
            for byte in &mut block[..length] {
                *byte = b' ' + random.below(90) as u8;
            }
            if let Some(end) = block.get_mut(length) {
                *end = 0;
            }
        }
    });
    assert!(look(text).is_empty());
}

#[test]
fn references_left_behind_a_text_are_no_slots() {
    let text = heap_of(3000, 32, |random, block, leaf| {
        let length = 8 + random.below(112);
        for byte in &mut block[..length] {
            *byte = b' ' + random.below(90) as u8;
        }
        for word in 16..32 {
            if random.below(16) == 0 {
                put(block, word, leaf);
            }
        }
    });
    assert!(look(text).is_empty());
}

#[test]
fn random_data_whole_and_cut_is_left_alone() {
    let whole = heap_of(500, 64, |random, block, _| {
        (0..64).for_each(|word| put(block, word, random.next()));
    });
    assert!(look(whole).is_empty());
    let cut = heap_of(500, 64, |random, block, _| {
        (0..random.below(64)).for_each(|word| put(block, word, random.next()));
    });
    assert!(look(cut).is_empty());
    let with_length = heap_of(500, 65, |random, block, _| {
        let length = random.below(64);
        put(block, 0, length as u64 + 1);
        (0..length).for_each(|word| put(block, 1 + word, random.next()));
    });
    assert!(look(with_length).is_empty());
}

#[test]
fn numbers_that_are_often_zero_are_left_alone() {
    let rows = heap_of(500, 40, |random, block, _| {
        for word in 0..40 {
            if random.below(3) == 0 {
                put(block, word, 1 + random.next() % 1000);
            }
        }
    });
    assert!(look(rows).is_empty());
    let doubles = heap_of(500, 40, |random, block, _| {
        for word in 0..40 {
            if random.below(3) == 0 {
                put(block, word, (random.next() as f64 / 1e15).to_bits());
            }
        }
    });
    assert!(look(doubles).is_empty());
}

#[test]
fn full_and_few_nodes_are_left_alone() {
    let full = heap_of(500, 98, |random, block, leaf| {
        (0..40).for_each(|_| node(random, block, leaf));
    });
    assert!(look(full).is_empty());
    assert!(look(heap_of(FEWEST_NODES - 1, 98, node)).is_empty());
}

#[test]
fn a_dump_without_contents_says_so() {
    let mut heap = heap_of(100, 98, node);
    heap.hide_contents();
    assert_eq!(Slots.look(&heap.build()).not_measured.len(), 1);
}

#[test]
fn a_reference_of_two_words_beside_the_slots_is_none_of_them() {
    for at_front in [false, true] {
        let found = look(heap_of(2000, 40, move |random, block, leaf| {
            let (slots, pair) = if at_front { (2, 0) } else { (0, 37) };
            for _ in 0..=random.below(2) {
                put(block, slots + random.below(37), leaf);
            }
            if random.below(6) == 0 {
                put(block, pair, leaf);
                put(block, pair + 1, leaf + 16);
            }
            put(block, 39, 1 + random.next() % 9);
        }));
        assert_eq!((found.len(), &found[0].evidence["slots"]), (1, &json!(37)));
    }
}

#[test]
fn nodes_of_a_librarys_container_are_not_the_programs_to_make_smaller() {
    let nodes = |of_library: bool| {
        let mut heap = HeapBuilder::new();
        let leaf = heap.block("leaf", &[1; 40]);
        let mut random = Random(7);
        for _ in 0..500 {
            let mut block = vec![0; 98 * 8];
            node(&mut random, &mut block, HeapBuilder::address(leaf));
            if of_library {
                heap.node_of_library("insert", &block);
            } else {
                heap.block("insert", &block);
            }
        }
        look(heap).len()
    };
    assert_eq!((nodes(false), nodes(true)), (1, 0));
}
