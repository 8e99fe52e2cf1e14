//! Arrays of slots in blocks of which nothing is known but their contents.
//!
//! Words that are zero in the same blocks and not zero in the same blocks belong together: they are one slot. Slots of
//! one form at even distances are an array, also when its parts stand in several parallel arrays.

mod array;
mod clusters;
mod contents;

pub(crate) use array::SlotArray;

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
    blocks: impl Iterator<Item = &'b [u8]> + Clone,
    is_object: bool,
    is_address: impl Fn(u64) -> bool,
) -> Option<Found> {
    let clusters = Clusters::of(blocks.clone())?;
    let array = array::widest(&clusters)?;
    let contents = Contents::of(&array, blocks.clone(), &is_address);
    if !contents.are_slots() {
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
    // A block that is filled from its beginning is a buffer with room to grow, unless something stands before the
    // slots and they refer to others: a node.
    let is_sequence = filled_in_order * 100 >= used.len() * 99;
    let is_node = contents.have_addresses() && (is_object || has_header(&array, blocks.clone(), &is_address));
    (!is_sequence || is_node).then_some(Found { array, used })
}

/// Whether something else than further references, which are slots that all blocks use, stands before the slots.
fn has_header<'b>(
    array: &SlotArray,
    mut blocks: impl Iterator<Item = &'b [u8]>,
    is_address: impl Fn(u64) -> bool,
) -> bool {
    let before = (array.begins_at() / 8) as usize;
    blocks
        .next()
        .is_some_and(|block| words(block).take(before).any(|word| !is_address(word)))
}

/// The words of a block; bytes behind the last whole one are left out.
fn words(block: &[u8]) -> impl ExactSizeIterator<Item = u64> + '_ {
    block
        .as_chunks::<8>()
        .0
        .iter()
        .map(|word| u64::from_le_bytes(*word))
}
