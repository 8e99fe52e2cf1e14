//! How long the texts in blocks are, as the objects that hold them say: an address, a length and a capacity side by side.

#[cfg(test)]
mod tests;

use deadweight_heap::{Heap, ObjectId, TextLength};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

/// Lengths in bytes of what stands in those blocks whose holder says it. A block of which two holders say different things has
/// no length.
pub(crate) fn known_lengths(heap: &Heap) -> FxHashMap<ObjectId, u64> {
    let rows = heap.rows().into_par_iter().with_min_len(1024);
    let holders = rows.filter(|&row| heap.edges.count(row) > 0);
    let mut said: Vec<(ObjectId, u64)> = holders.flat_map_iter(|row| lengths_in(heap, row)).collect();
    said.par_sort_unstable();
    said.dedup();
    let same = said.chunk_by(|a, b| a.0 == b.0);
    same.filter(|said| said.len() == 1).map(|said| said[0]).collect()
}

/// What a block says of others.
fn lengths_in(heap: &Heap, row: ObjectId) -> Vec<(ObjectId, u64)> {
    let content = heap.blocks.content(row).unwrap_or_default();
    let said = lengths_beside(heap, content.as_chunks().0);
    said.map(|(_, to, length)| (to, length.bytes)).collect()
}

/// The words with the address of a block that have its length and capacity beside them, and what they say.
pub(crate) fn lengths_beside<'a>(
    heap: &'a Heap,
    words: &'a [[u8; 8]],
) -> impl Iterator<Item = (usize, ObjectId, TextLength)> + 'a {
    words.iter().enumerate().filter_map(|(at, word)| {
        let address = u64::from_le_bytes(*word);
        let (to, 0) = (address > 1 << 16)
            .then(|| heap.blocks.locate(address))
            .flatten()?
        else {
            return None;
        };
        let length = TextLength::beside(words, at, heap.blocks.requested(to)?)?;
        Some((at, to, length))
    })
}
