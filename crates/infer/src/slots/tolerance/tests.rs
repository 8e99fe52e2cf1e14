//! Nodes of which some are incomplete.

use super::super::{Slots, find};
use crate::splitmix::splitmix;

const ADDRESS: u64 = 0x5500_0000_0000;

/// So many nodes of an id and 16 slots of a hash of four words and a reference; in one slot of so many of 1,000 nodes a
/// hash stands alone. With how many slots each node uses.
fn nodes(count: u64, odd: u64, one_odd: bool) -> (Vec<Vec<u8>>, Vec<u32>) {
    let mut all = Vec::new();
    let mut used = Vec::new();
    for node in 0..count {
        let mut words = vec![0_u64; 2 + 16 * 5];
        (words[0], words[1]) = (splitmix(node) | 1, 1);
        let hash = |slot: usize, words: &mut Vec<u64>| {
            (0..4).for_each(|at| {
                words[2 + slot * 4 + at] = splitmix(node * 977 + slot as u64 * 4 + at as u64) | 1;
            });
        };
        for slot in 0..16 {
            if splitmix(node * 31 + slot as u64).is_multiple_of(12) {
                hash(slot, &mut words);
                words[66 + slot] = ADDRESS + node * 64;
            }
        }
        if splitmix(node * 7 + 3) % 1000 < odd || one_odd && node == count / 2 {
            hash((splitmix(node * 5) % 16) as usize, &mut words);
        }
        used.push((0..16).filter(|slot| words[2 + slot * 4] != 0).count() as u32);
        all.push(words.into_iter().flat_map(u64::to_le_bytes).collect());
    }
    (all, used)
}

fn found(nodes: &[Vec<u8>]) -> Option<Slots> {
    find(nodes, false, |word| {
        (ADDRESS..ADDRESS + (1 << 32)).contains(&word)
    })
}

#[test]
fn nodes_with_exceptions_have_the_same_slots_and_their_own_counts() {
    for (odd, one) in [
        (0, false),
        (0, true),
        (1, false),
        (10, false),
        (50, false),
        (100, false),
    ] {
        let (nodes, used) = nodes(3000, odd, one);
        let found = found(&nodes).unwrap_or_else(|| panic!("{odd} of 1,000"));
        assert_eq!((found.array.slots, found.array.slot_bytes()), (16, 40), "{odd}");
        assert_eq!(found.used, used, "{odd}");
    }
}

#[test]
fn fields_that_vary_by_themselves_are_no_slots() {
    let blocks: Vec<Vec<u8>> = (0..2000_u64)
        .map(|block| {
            // Ten references, each missing in a tenth of the blocks of its own.
            let words = (0..12_u64).map(|at| match at {
                0 | 1 => splitmix(block) | 1,
                at if splitmix(block * 13 + at).is_multiple_of(10) => 0,
                at => ADDRESS + splitmix(block + at) % 1000 * 8,
            });
            words.flat_map(u64::to_le_bytes).collect()
        })
        .collect();
    let slots = found(&blocks);
    // One-word slots, as each varies by itself: tolerance joins none of them.
    assert!(slots.is_none_or(|slots| slots.array.slot_bytes() == 8));
}
