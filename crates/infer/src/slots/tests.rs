//! What the first look lets pass.

use proptest::prelude::*;

use super::{array_of, may_be_slots};

const ADDRESSES: std::ops::Range<u64> = 0x5500_0000_0000..0x5500_0100_0000;

/// What stands at one word of all blocks: zero in some of them, in the rest of one kind, but for a few.
fn word() -> impl Strategy<Value = Vec<u64>> {
    let value = |kind: u8| match kind {
        0 => ADDRESSES.boxed(),
        1 => any::<u64>().boxed(),
        2 => (0x2020_2020_2020_2020_u64..0x7F7F_7F7F_7F7F_7F7F).boxed(),
        _ => (0_u64..300).boxed(),
    };
    (0_u8..4, 0_u8..4, 0_usize..12).prop_flat_map(move |(kind, other, strangers)| {
        let usual = prop_oneof![1 => Just(0), 2 => value(kind)];
        let stranger = value(other);
        (
            prop::collection::vec(usual, 160),
            prop::collection::vec((0_usize..160, stranger), strangers),
        )
            .prop_map(|(mut words, strangers)| {
                for (at, stranger) in strangers {
                    words[at] = stranger;
                }
                words
            })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn what_the_first_look_refuses_is_no_array_of_slots(
        kinds in prop::collection::vec(word(), 1..3),
        slots in 1_usize..24,
        fields in prop::collection::vec(word(), 0..3),
    ) {
        let is_address = |word: u64| ADDRESSES.contains(&word);
        let blocks: Vec<Vec<u8>> = (0..160)
            .map(|block| {
                let fields = fields.iter().map(|field| field[block]);
                // Each slot is another row of the same kinds of words.
                let slots = (0..slots).flat_map(|slot| {
                    let row = (block * 7 + slot * 31) % 160;
                    kinds.iter().map(move |kind| kind[row])
                });
                fields.chain(slots).flat_map(u64::to_le_bytes).collect()
            })
            .collect();
        let found = array_of(&blocks, is_address);
        prop_assert!(found.is_none() || may_be_slots(&blocks, is_address));
    }
}
