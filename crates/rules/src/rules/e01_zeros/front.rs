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

#[cfg(test)]
mod tests {
    use deadweight_heap::{HeapBuilder, Representation};

    use super::*;

    #[test]
    fn what_is_filled_from_its_front_can_be_cut_there() {
        let cut_of = |values: &[i64], words_used: u64| {
            let mut heap = HeapBuilder::new();
            let row = heap.numbers(Representation::Integer(8), values);
            let heap = heap.build();
            let mut buffer = heap.buffer(row).copied().unwrap();
            buffer.words_used = words_used;
            cut(&heap, &buffer, heap.bytes(row))
        };
        let mut filled = [0; 128];
        filled[..30].fill(7);
        assert_eq!(cut_of(&filled, 30), Some(16 + 30 * 8));
        // One far behind leaves a gap.
        filled[100] = 7;
        assert_eq!(cut_of(&filled, 31), None);
        assert_eq!(cut_of(&[0; 128], 0), None);
    }
}
