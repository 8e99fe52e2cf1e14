//! Where the contents of blocks end, as their holders say.
//!
//! A vector of C++ has three addresses side by side: of a block's beginning, of the end of what is in it, and of its own end. A
//! deque of GCC's library has two iterators side by side, of its first value and behind its last one. Each has four addresses:
//! of the value, of the beginning and the end of the block that it is in, and of the place that refers to this block.

use deadweight_heap::{Heap, ObjectId};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use super::SMALLEST_LIST;

/// Bytes that are in use.
pub(super) type Ends = FxHashMap<ObjectId, u64>;

/// Words of the two iterators of a deque.
const WORDS_OF_DEQUE: usize = 8;

/// Blocks larger than this are in no vector.
const LARGEST: u64 = 1 << 40;

/// Looks at all blocks that refer to others. A block of which two holders say different things has no such end.
pub(super) fn said_ends(heap: &Heap) -> Ends {
    let rows = heap.rows().into_par_iter().with_min_len(1024);
    let holders = rows.filter(|&row| heap.edges.count(row) > 0);
    let mut said: Vec<(ObjectId, u64)> = holders.flat_map_iter(|row| ends_in(heap, row)).collect();
    said.par_sort_unstable();
    said.dedup();
    let several: FxHashSet<ObjectId> = said
        .windows(2)
        .filter(|pair| pair[0].0 == pair[1].0)
        .map(|pair| pair[0].0)
        .collect();
    said.retain(|(row, _)| !several.contains(row));
    said.into_iter().collect()
}

/// What a block says of others.
fn ends_in(heap: &Heap, row: ObjectId) -> Vec<(ObjectId, u64)> {
    let content = heap.blocks.content(row).unwrap_or_default();
    let words = content.as_chunks::<8>().0;
    let deques: Vec<(usize, (ObjectId, u64))> = words
        .windows(WORDS_OF_DEQUE)
        .enumerate()
        .filter_map(|(at, words)| Some((at, end_of_deque(heap, words)?)))
        .collect();
    // An iterator at the beginning of its block looks like a vector without values.
    let is_of_deque = |at: usize| {
        let iterators = deques.iter().map(|(deque, _)| *deque..deque + WORDS_OF_DEQUE);
        iterators.into_iter().any(|words| words.contains(&at))
    };
    let vectors = words
        .windows(3)
        .enumerate()
        .filter_map(|(at, words)| (!is_of_deque(at)).then(|| end_of_vector(heap, words)).flatten());
    vectors.chain(deques.iter().map(|(_, said)| *said)).collect()
}

/// The block of a vector, and where its values end.
fn end_of_vector(heap: &Heap, words: &[[u8; 8]]) -> Option<(ObjectId, u64)> {
    let [begin, end, room] = [0, 1, 2].map(|at| u64::from_le_bytes(words[at]));
    // Most words are ruled out by their order.
    let bytes = room.checked_sub(begin)?;
    let is_order = begin <= end && end <= room && (SMALLEST_LIST..LARGEST).contains(&bytes);
    let (to, 0) = is_order.then(|| heap.blocks.locate(begin)).flatten()? else {
        return None;
    };
    (heap.blocks.requested(to) == Some(bytes)).then_some((to, end - begin))
}

/// The block in which a deque ends, and where.
fn end_of_deque(heap: &Heap, words: &[[u8; 8]]) -> Option<(ObjectId, u64)> {
    let word = |at: usize| u64::from_le_bytes(words[at]);
    // Small numbers are no addresses.
    if word(1) < 1 << 16 {
        return None;
    }
    // Most words are ruled out by their order.
    let is_order = [0, 4]
        .iter()
        .all(|&at| word(at + 1) <= word(at) && word(at) < word(at + 2));
    let bytes = word(6).checked_sub(word(5))?;
    let is_chunk = is_order && word(2) - word(1) == bytes && (SMALLEST_LIST..LARGEST).contains(&bytes);
    let (to, 0) = is_chunk.then(|| heap.blocks.locate(word(5))).flatten()? else {
        return None;
    };
    // Both places that refer to blocks are in one map.
    let map = |at: usize| heap.blocks.locate(word(at)).map(|(map, _)| map);
    let is_deque = heap.blocks.requested(to) == Some(bytes) && map(3).is_some() && map(3) == map(7);
    is_deque.then(|| (to, word(4) - word(5)))
}
