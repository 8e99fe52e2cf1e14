//! Lengths and capacities of texts, which rules read to know where a text ends.

use deadweight_heap::TextLength;

use crate::native::dump::Dump;

/// Puts those that stand beside an address back, as they were before the contents were made unreadable. They say no more
/// than the sizes of blocks do, or of a short text in place the zeros behind it, which stay as well. `address` is that of
/// the bytes.
pub(super) fn keep(dump: &Dump, address: u64, bytes: &[u8], made: &mut [u8]) {
    let words = bytes.as_chunks::<8>().0;
    for at in 0..words.len() {
        if TextLength::is_short_in_place(words, at, address) {
            made[8 * (at + 1)..8 * (at + 2)].copy_from_slice(&words[at + 1]);
        }
    }
    for (at, word) in words.iter().enumerate() {
        let address = u64::from_le_bytes(*word);
        let block = dump.addresses().block(dump.blocks(), address);
        let Some(block) = block.map(|block| dump.blocks()[block]) else {
            continue;
        };
        if block.address != address {
            continue;
        }
        for length in TextLength::all_beside(words, at, block.requested) {
            for at in [length.capacity_at, length.length_at] {
                made[8 * at..8 * at + 8].copy_from_slice(&words[at]);
            }
        }
    }
}
