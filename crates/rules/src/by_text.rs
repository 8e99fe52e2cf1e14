//! Rows by their texts.

use deadweight_heap::{Heap, ObjectId, TextId};

/// Fewer words are sorted by comparing.
const FEW: usize = 2048;

/// Bits that one pass sorts by, at most.
const DIGIT: u32 = 12;

/// The places of `rows` in their list, sorted by the text of the row: each a word of text and place.
pub(crate) fn places(heap: &Heap, rows: &[ObjectId]) -> Vec<u64> {
    let text = |row: ObjectId| u64::from(heap.objects.label[row as usize]);
    let words = rows.iter().enumerate();
    sort(
        words
            .map(|(place, &row)| text(row) << 32 | place as u64)
            .collect(),
    )
}

/// The text of a word.
pub(crate) fn text(word: u64) -> TextId {
    (word >> 32) as TextId
}

/// The place of a word.
pub(crate) fn place(word: u64) -> usize {
    (word & 0xFFFF_FFFF) as usize
}

/// Sorts words by text. Numbers of texts are dense, so a few passes over their digits beat comparing.
fn sort(mut words: Vec<u64>) -> Vec<u64> {
    if words.len() < FEW {
        words.sort_unstable();
        return words;
    }
    let used = text(words.iter().fold(0, |all, word| all | word));
    let bits = u32::BITS - used.leading_zeros();
    let passes = bits.div_ceil(DIGIT);
    let mut room = vec![0; words.len()];
    for pass in 0..passes {
        let digit = bits.div_ceil(passes);
        pass_over(&words, &mut room, 32 + pass * digit, digit);
        std::mem::swap(&mut words, &mut room);
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
        ) {
            let mut state = seed | 1;
            let mut random = move |below: u64| {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                state % below
            };
            let words: Vec<u64> = (0..len as u64).map(|place| random(texts) << 32 | place).collect();
            let mut expected = words.clone();
            expected.sort_unstable();
            prop_assert_eq!(sort(words), expected);
        }
    }
}
