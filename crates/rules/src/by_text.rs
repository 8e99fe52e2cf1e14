//! Rows in the order of their texts.

use deadweight_heap::{Heap, ObjectId, TextId};

/// Fewer words are sorted by comparing.
const FEW: usize = 2048;

/// Bits that one pass sorts by, at most.
const DIGIT: u32 = 12;

/// A row with its text: the text's number above the row's.
pub(crate) fn word(heap: &Heap, row: ObjectId) -> u64 {
    u64::from(heap.objects.label[row as usize]) << 32 | u64::from(row)
}

/// The text of a word.
pub(crate) fn text(word: u64) -> TextId {
    (word >> 32) as TextId
}

/// The row of a word.
pub(crate) fn row(word: u64) -> ObjectId {
    word as ObjectId
}

/// Sorts words by text, and by row among equal texts. Numbers of texts and rows are dense, so a few passes over their
/// digits beat comparing.
pub(crate) fn sort(mut words: Vec<u64>) -> Vec<u64> {
    if words.len() < FEW {
        words.sort_unstable();
        return words;
    }
    let rows_sorted = words.is_sorted_by_key(|&word| row(word));
    let all = words.iter().fold(0, |all, word| all | word);
    let mut room = vec![0; words.len()];
    let halves = [(0, if rows_sorted { 0 } else { row(all) }), (32, text(all))];
    for (low, used) in halves {
        let bits = u32::BITS - used.leading_zeros();
        let passes = bits.div_ceil(DIGIT);
        for pass in 0..passes {
            let digit = bits.div_ceil(passes);
            pass_over(&words, &mut room, low + pass * digit, digit);
            std::mem::swap(&mut words, &mut room);
        }
    }
    words
}

/// Writes the words in the order of one digit, equal ones in the order they have.
fn pass_over(words: &[u64], into: &mut [u64], shift: u32, digit: u32) {
    let mask = (1_u64 << digit) - 1;
    let mut next = vec![0_u32; 1 << digit];
    for word in words {
        next[(word >> shift & mask) as usize] += 1;
    }
    let mut before = 0;
    for count in &mut next {
        before += std::mem::replace(count, before);
    }
    for &word in words {
        let at = &mut next[(word >> shift & mask) as usize];
        into[*at as usize] = word;
        *at += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_order_is_that_of_comparing(
            seed in any::<u64>(),
            len in 0_usize..6000,
            texts in prop_oneof![Just(1_u64), Just(300), Just(1 << 20), Just(u64::from(u32::MAX))],
            by_row in any::<bool>(),
        ) {
            let mut state = seed | 1;
            let mut random = move |below: u64| {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                state % below
            };
            let row = |i: u64, random: &mut dyn FnMut(u64) -> u64| if by_row { i } else { random(1 << 32) };
            let words: Vec<u64> = (0..len as u64).map(|i| random(texts) << 32 | row(i, &mut random)).collect();
            let mut expected = words.clone();
            expected.sort_unstable();
            prop_assert_eq!(sort(words), expected);
        }
    }
}
