//! Arrays of numbers that are filled from their front.

use deadweight_heap::{Buffer, Heap};

/// So much of the words up to the last one that is not zero are not zero either.
const FILLED: (u64, u64) = (3, 4);

/// Bytes of a buffer that ends behind the last of its words that is not zero; `None` where there are gaps before that, or where
/// the dump does not show the words.
pub(super) fn cut(heap: &Heap, buffer: &Buffer, now: u64) -> Option<u64> {
    let stored = heap.blocks.stored(buffer.object)?;
    let last = stored.bytes.iter().rposition(|&byte| byte != 0)?;
    let front = (last as u64 + 1).next_multiple_of(8);
    let is_filled = buffer.words_used * 8 * FILLED.1 >= front * FILLED.0;
    let beside = now.checked_sub(buffer.bytes)?;
    is_filled.then(|| heap.allocator.charged(beside + front))
}
