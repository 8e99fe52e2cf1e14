//! Which blocks hold contents that others hold, too.
//!
//! Of some blocks of each group every window of [`WINDOW`] bytes is looked for in all other blocks of the program, at
//! multiples of eight bytes: what is common to two blocks and has 23 bytes or more contains such a window, wherever it
//! stands in either. From there the contents are compared in both directions.

mod samples;
mod search;
mod vanishing;

pub(crate) use samples::{Piece, Samples};
pub(crate) use search::{Common, common};
pub(crate) use vanishing::{Vanishing, vanishing};

/// Bytes of a window: two words of the block in which it is looked for.
const WINDOW: usize = 16;

/// What is common to two blocks counts from so many bytes on: shorter stretches are found by chance in large texts,
/// and not all of them are found.
const SHORTEST: usize = 24;

/// Windows are telling that are not mostly zero and not a pattern: numbers that count up are the same in many places.
fn is_telling(window: &[u8]) -> bool {
    const MOST_ZEROS: usize = 4;
    const FEWEST_VALUES: u32 = 8;
    let mut values = [0_u64; 4];
    let mut zeros = 0;
    for &byte in window {
        values[usize::from(byte >> 6)] |= 1 << (byte & 63);
        zeros += usize::from(byte == 0);
    }
    let different: u32 = values.iter().map(|bits| bits.count_ones()).sum();
    zeros <= MOST_ZEROS && different >= FEWEST_VALUES
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_and_text_tell_and_counting_numbers_do_not() {
        assert!(is_telling(b"Once upon a time"));
        assert!(is_telling(&[
            7, 200, 31, 4, 99, 250, 18, 77, 3, 64, 129, 5, 91, 42, 13, 220
        ]));
        assert!(!is_telling(&[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 0, 0, 0, 0, 0]));
        let numbers: Vec<u8> = (1000..1004_u32).flat_map(u32::to_le_bytes).collect();
        assert!(!is_telling(&numbers));
        assert!(!is_telling(b"----------------"));
    }
}
