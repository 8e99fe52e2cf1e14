//! Arrays of slots in blocks of which nothing is known but their contents.
//!
//! Words that are zero in the same blocks and not zero in the same blocks belong together: they are one slot. A few
//! blocks may differ. Slots of one form at even distances are an array, also when its parts stand in several parallel arrays. Arrays that are filled from
//! their beginning on have ends that no block uses: parallel ones are recognized by these.

mod array;
mod clusters;
mod contents;
mod parallel;
#[cfg(test)]
mod tests;
mod tolerance;

pub use array::{Part, SlotArray};
pub(crate) use contents::{may_be_slots, sample};

use std::borrow::Cow;

use deadweight_heap::{Heap, ObjectId};
use rayon::prelude::*;
use rustc_hash::FxHashSet;

use clusters::Clusters;
use contents::Contents;
use tolerance::Uses;

use crate::linked::refer_to_each_other;
use crate::place::Place;

/// Fewer blocks prove nothing.
pub const FEWEST_NODES: usize = 64;

/// Slots that a block has, and how many blocks use how many of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slots {
    /// Where they stand.
    pub array: SlotArray,
    /// How many slots each block uses, in the order of the blocks.
    pub used: Vec<u32>,
}

impl Slots {
    /// With the bytes beside the slots, of nodes of so many bytes; `None` where these are too few.
    pub(crate) fn with_header(self, node: u64) -> Option<(Self, u64)> {
        let header = node.checked_sub(self.array.slots as u64 * self.array.slot_bytes())?;
        Some((self, header))
    }
}

/// Looks for the array of slots in blocks of equal size; `None` where the evidence is not enough.
///
/// `is_object` says that the blocks are known to be objects, and no buffers; `is_address` whether a word is the
/// address of something the program holds.
pub(crate) fn find(
    blocks: &[impl AsRef<[u8]> + Sync],
    is_object: bool,
    is_address: impl Fn(u64) -> bool,
) -> Option<Slots> {
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
    (!is_data).then_some(Slots { array, used })
}

/// The widest array, and what stands in it, if that may be slots.
fn array_of(
    blocks: &[impl AsRef<[u8]> + Sync],
    is_address: impl Fn(u64) -> bool,
) -> Option<(SlotArray, Contents)> {
    let exact = Clusters::of(blocks)?;
    if let Some(found) = of_clusters(std::slice::from_ref(&exact), blocks, &is_address)
        && found.0.words() == exact.varying().iter().map(Vec::len).sum::<usize>()
    {
        return Some(found);
    }
    let uses = Uses::of(&exact, blocks);
    let joined = tolerance::LEVELS.map(|level| uses.joined(&exact, level));
    let [near, far] = joined;
    of_clusters(&[exact, near, far], blocks, is_address)
}

/// The array that takes most of the blocks, as one of some ways of sorting their words shows it: of equal ones the first.
fn of_clusters(
    ways: &[Clusters],
    blocks: &[impl AsRef<[u8]> + Sync],
    is_address: impl Fn(u64) -> bool,
) -> Option<(SlotArray, Contents)> {
    for clusters in ways {
        if let Some(array) = parallel::never_filled(clusters) {
            let contents = Contents::of(&array, blocks, &is_address);
            if contents.are_slots() && contents.have_addresses() {
                return Some((array, contents));
            }
        }
    }
    let mut arrays: Vec<SlotArray> = ways.iter().filter_map(array::widest).collect();
    arrays.sort_by_key(|array| std::cmp::Reverse(array.slots as u64 * array.slot_bytes()));
    arrays.into_iter().find_map(|array| {
        let array = contents::without_counts(array, blocks, &is_address)?;
        let contents = Contents::of(&array, blocks, &is_address);
        contents.are_slots().then_some((array, contents))
    })
}

/// Whether blocks of one size are nodes: so many that they are evidence, with an array of slots in each.
pub(crate) fn are_nodes(heap: &Heap, rows: &[ObjectId]) -> bool {
    let requested = |row: &ObjectId| heap.blocks.requested(*row);
    let is_one_size = |rows: &[ObjectId]| rows.iter().all(|row| requested(row) == requested(&rows[0]));
    if rows.len() < FEWEST_NODES || !is_one_size(rows) {
        return false;
    }
    let is_object = Place::of(heap, rows[0]).is_some_and(Place::is_type) || refer_to_each_other(heap, rows);
    let contents = rows.iter().filter_map(|&row| heap.blocks.content(row));
    let contents: Vec<Cow<'_, [u8]>> = contents.collect();
    find(&contents, is_object, |word| heap.blocks.is_address(word)).is_some()
}

/// Whether a block has words beside its slots that are no slots which all blocks use: not zero, and no reference.
fn has_other_words(array: &SlotArray, blocks: &[impl AsRef<[u8]>], is_address: impl Fn(u64) -> bool) -> bool {
    let slots: FxHashSet<usize> = (0..array.slots).flat_map(|slot| array.words_of(slot)).collect();
    let is_other = |(at, word): (usize, u64)| word != 0 && !slots.contains(&at) && !is_address(word);
    sample(blocks).any(|block| words(block.as_ref()).enumerate().any(is_other))
}

/// The words of a block; bytes behind the last whole one are left out.
fn words(block: &[u8]) -> impl ExactSizeIterator<Item = u64> + '_ {
    block
        .as_chunks::<8>()
        .0
        .iter()
        .map(|word| u64::from_le_bytes(*word))
}

/// A word of a block; none of those behind its end is in use.
fn word_at(block: &[u8], at: usize) -> u64 {
    let word = block.as_chunks::<8>().0.get(at);
    word.map_or(0, |word| u64::from_le_bytes(*word))
}
