//! How long the texts in blocks are, as the objects that hold them say: an address, a length and a capacity side by side.

#[cfg(test)]
mod tests;

use deadweight_heap::{Heap, ObjectId};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

/// Where capacity and length stand, in words from the address: as in Rust's `String` and `Vec`, C++'s `std::string`, and
/// the order in which most would write it in C.
const FORMS: [(isize, isize); 4] = [(-1, 1), (2, 1), (1, 2), (-2, -1)];

/// Lengths in bytes of what stands in those blocks that somebody refers to so. The capacity must be what the block was
/// made for, or one less: a C++ string ends in a zero that does not count. A block of which two holders say different
/// things has no length.
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
    let mut found = Vec::new();
    let Some(content) = heap.blocks.content(row) else {
        return found;
    };
    let words = content.as_chunks::<8>().0;
    let word = |at: usize, by: isize| {
        let word = words.get(at.checked_add_signed(by)?)?;
        Some(u64::from_le_bytes(*word))
    };
    for at in 0..words.len() {
        let Some((to, 0)) = word(at, 0)
            .filter(|&address| address > 1 << 16)
            .and_then(|address| heap.blocks.locate(address))
        else {
            continue;
        };
        let Some(requested) = heap.blocks.requested(to) else {
            continue;
        };
        let of_form = |&(capacity, length): &(isize, isize)| {
            let (capacity, length) = (word(at, capacity)?, word(at, length)?);
            let is_room = capacity == requested || capacity + 1 == requested;
            (is_room && length <= capacity).then_some(length)
        };
        found.extend(FORMS.iter().find_map(of_form).map(|length| (to, length)));
    }
    found
}
