//! Arrays of slots in blocks of which nothing is known but their contents.
//!
//! Words that are zero in the same blocks and not zero in the same blocks belong together: they are one slot. Slots of
//! one form at even distances are an array, also when its parts stand in several parallel arrays.

mod array;
mod clusters;
mod contents;

pub(crate) use array::{Part, SlotArray};

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
pub(crate) fn find<'b>(
    blocks: &(impl Iterator<Item = &'b [u8]> + Clone),
    is_object: bool,
    is_address: impl Fn(u64) -> bool,
) -> Option<Found> {
    let clusters = Clusters::of(blocks.clone())?;
    let array = array::widest(&clusters)?;
    let contents = Contents::of(&array, blocks.clone(), &is_address);
    if !contents.are_slots() {
        return None;
    }
    // Blocks of slots alone are the buffers of vectors and the buckets of tables: their owner decides how many there are.
    if !is_object && !has_other_words(&array, blocks.clone(), &is_address) {
        return None;
    }
    let mut filled_in_order = 0_usize;
    let used: Vec<u32> = blocks
        .clone()
        .map(|block| {
            let slots = array.used(block);
            let count = slots.iter().filter(|&&used| used).count();
            filled_in_order += usize::from(slots[..count].iter().all(|&used| used));
            count as u32
        })
        .collect();
    // Random data of some length looks like hashes, which it fills from the beginning.
    let is_data = !contents.have_addresses() && (array.slot_words() < 2 || filled_in_order * 2 >= used.len());
    (!is_data).then_some(Found { array, used })
}

/// Whether a block has words beside its slots that are no slots which all blocks use: not zero, and no reference.
fn has_other_words<'b>(
    array: &SlotArray,
    blocks: impl Iterator<Item = &'b [u8]>,
    is_address: impl Fn(u64) -> bool,
) -> bool {
    const SAMPLE: usize = 64;
    let slots: FxHashSet<usize> = (0..array.slots).flat_map(|slot| array.words_of(slot)).collect();
    let is_other = |(at, word): (usize, u64)| word != 0 && !slots.contains(&at) && !is_address(word);
    blocks
        .take(SAMPLE)
        .any(|block| words(block).enumerate().any(is_other))
}

/// The words of a block; bytes behind the last whole one are left out.
fn words(block: &[u8]) -> impl ExactSizeIterator<Item = u64> + '_ {
    block
        .as_chunks::<8>()
        .0
        .iter()
        .map(|word| u64::from_le_bytes(*word))
}
