//! Numbers before texts that say how long these are, which rules read to know where a text begins and ends.

use deadweight_heap::TextHeader;

/// Puts those of a block back, as they were before its contents were made unreadable. They say no more than the places of
/// zeros and characters do, which stay as well.
pub(super) fn keep(bytes: &[u8], made: &mut [u8]) {
    for (header, _) in TextHeader::all(bytes) {
        let length = usize::from(header.length_at)..usize::from(header.length_at) + 4;
        made[length.clone()].copy_from_slice(&bytes[length]);
    }
}

#[cfg(test)]
mod tests {
    use super::super::cipher::Cipher;
    use super::*;

    #[test]
    fn a_text_is_still_found_behind_its_header() {
        let block = [
            &1_u32.to_le_bytes(),
            &12_u32.to_le_bytes(),
            &b"Johannesburg\0"[..],
        ]
        .concat();
        let mut made = Cipher::new(|_| false).of(&block);
        keep(&block, &mut made);
        let (header, text) = TextHeader::all(&block).next().expect("it has one");
        assert_eq!(header.text(&made), Some(text));
        assert_ne!(made[8..], block[8..]);
    }
}
