//! Where the contents of blocks end, as their holders say: three addresses side by side, of a block's beginning, of the end of
//! what is in it, and of its own end, as vectors of C++ have them.

use deadweight_heap::{Heap, ObjectId};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use super::SMALLEST_LIST;

/// Bytes that are in use.
pub(super) type Ends = FxHashMap<ObjectId, u64>;

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
    let said = words.windows(3).filter_map(|words| {
        let [begin, end, room] = [0, 1, 2].map(|at| u64::from_le_bytes(words[at]));
        // Most words are ruled out by their order.
        let bytes = room.checked_sub(begin)?;
        let is_order = begin <= end && end <= room && (SMALLEST_LIST..LARGEST).contains(&bytes);
        let (to, 0) = is_order.then(|| heap.blocks.locate(begin)).flatten()? else {
            return None;
        };
        (heap.blocks.requested(to) == Some(bytes)).then_some((to, end - begin))
    });
    said.collect()
}
