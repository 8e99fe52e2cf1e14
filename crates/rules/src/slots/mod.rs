//! Arrays of slots in blocks of which nothing is known but their contents.
//!
//! Words that are zero in the same blocks and not zero in the same blocks belong together: they are one slot. Slots of
//! one form at even distances are an array, also when its parts stand in several parallel arrays. Arrays that are filled from
//! their beginning on have ends that no block uses: parallel ones are told by these.

mod array;
mod clusters;
mod contents;
mod parallel;

pub(crate) use array::{Part, SlotArray};
pub(crate) use contents::{may_be_slots, sample};

use rayon::prelude::*;
use rustc_hash::FxHashSet;

use clusters::Clusters;
use contents::Contents;

/// Slots that a block has, and how many blocks use how many of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    /// Where they stand.
    pub array: SlotArray,
    /// How many slots each block uses, in the order of the blocks.
    pub used: Vec<u32>,
}

/// Looks for the array of slots in blocks of equal size; `None` where the evidence is not enough.
///
/// `is_object` says that the blocks are known to be objects of a type, and no buffers; `is_address` whether a word is the
/// address of something the program holds.
pub(crate) fn find(
    blocks: &[impl AsRef<[u8]> + Sync],
    is_object: bool,
    is_address: impl Fn(u64) -> bool,
) -> Option<Found> {
    if !may_be_slots(blocks, &is_address) {
        return None;
    }
    let (array, contents) = array_of(blocks, &is_address)?;
    // Blocks of slots alone are the buffers of vectors and the buckets of tables: their owner decides how many there are.
    if !is_object && !has_other_words(&array, blocks, &is_address) {
        return None;
    }
    let (used, in_order): (Vec<u32>, Vec<bool>) = blocks
        .par_iter()
        .with_min_len(1024)
        .map(|block| {
            let slots = array.used(block.as_ref());
            let count = slots.iter().filter(|&&used| used).count();
            (count as u32, slots[..count].iter().all(|&used| used))
        })
        .unzip();
    let filled_in_order = in_order.into_iter().filter(|&is_in_order| is_in_order).count();
    // Random data of some length looks like hashes, which it fills from the beginning.
    let is_data = !contents.have_addresses() && (array.slot_words() < 2 || filled_in_order * 2 >= used.len());
    (!is_data).then_some(Found { array, used })
}

/// The widest array, and what stands in it, if that may be slots.
fn array_of(
    blocks: &[impl AsRef<[u8]> + Sync],
    is_address: impl Fn(u64) -> bool,
) -> Option<(SlotArray, Contents)> {
    let clusters = Clusters::of(blocks)?;
    if let Some(array) = parallel::never_filled(&clusters) {
        let contents = Contents::of(&array, blocks, &is_address);
        if contents.are_slots() && contents.have_addresses() {
            return Some((array, contents));
        }
    }
    let array = array::widest(&clusters)?;
    let array = contents::without_counts(array, blocks, &is_address)?;
    let contents = Contents::of(&array, blocks, is_address);
    contents.are_slots().then_some((array, contents))
}

/// Whether a block has words beside its slots that are no slots which all blocks use: not zero, and no reference.
fn has_other_words(array: &SlotArray, blocks: &[impl AsRef<[u8]>], is_address: impl Fn(u64) -> bool) -> bool {
    const SAMPLE: usize = 64;
    let slots: FxHashSet<usize> = (0..array.slots).flat_map(|slot| array.words_of(slot)).collect();
    let is_other = |(at, word): (usize, u64)| word != 0 && !slots.contains(&at) && !is_address(word);
    let mut sample = blocks.iter().take(SAMPLE);
    sample.any(|block| words(block.as_ref()).enumerate().any(is_other))
}

/// The words of a block; bytes behind the last whole one are left out.
fn words(block: &[u8]) -> impl ExactSizeIterator<Item = u64> + '_ {
    block
        .as_chunks::<8>()
        .0
        .iter()
        .map(|word| u64::from_le_bytes(*word))
}

#[cfg(test)]
mod tests {
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
}
