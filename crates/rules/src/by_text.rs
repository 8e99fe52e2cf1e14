//! Rows by their texts.

use std::sync::{Mutex, MutexGuard, PoisonError};

use deadweight_heap::{Heap, ObjectId, TextId};

/// No place.
const NONE: u32 = u32::MAX;

/// Fewer words are sorted by comparing.
const FEW: usize = 2048;

/// Texts of the heap for each of the rows, up to which a table of them is taken.
const TABLE: usize = 4;

/// Bits that one pass sorts by, at most.
const DIGIT: u32 = 12;

/// Tables of texts, for one list of rows after another: pages that were used are cheaper than new ones.
#[derive(Debug, Default)]
pub(crate) struct Tables(Mutex<Vec<Vec<u32>>>);

impl Tables {
    /// For each of `rows` the place in their list of the first one with the same text: its own, when it is the first.
    pub(crate) fn firsts(&self, heap: &Heap, rows: &[ObjectId]) -> Vec<u32> {
        let texts = || rows.iter().map(|&row| heap.objects.label[row as usize]);
        // A table of all texts takes no more room than sorting would, and is filled in one go.
        if heap.texts.len() > TABLE * rows.len() {
            return by_sorting(texts());
        }
        let mut table = self.all().pop().unwrap_or_default();
        let firsts = in_table(&mut table, heap.texts.len(), texts());
        self.all().push(table);
        firsts
    }

    fn all(&self) -> MutexGuard<'_, Vec<Vec<u32>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn in_table(first_of: &mut Vec<u32>, len: usize, texts: impl Iterator<Item = TextId>) -> Vec<u32> {
    // Written before it is read: to write to a page of zeros that was read is dearer than to write to a new one.
    first_of.clear();
    first_of.resize(len, NONE);
    let places = (0..).zip(texts).map(|(place, text)| {
        let Some(first) = first_of.get_mut(text as usize) else {
            return place;
        };
        if *first == NONE {
            *first = place;
        }
        *first
    });
    places.collect()
}

fn by_sorting(texts: impl Iterator<Item = TextId>) -> Vec<u32> {
    let words: Vec<u64> = (0_u64..)
        .zip(texts)
        .map(|(place, text)| u64::from(text) << 32 | place)
        .collect();
    let mut firsts = vec![0; words.len()];
    for same in sort(words).chunk_by(|&a, &b| text(a) == text(b)) {
        for &word in same {
            firsts[place(word)] = place(same[0]) as u32;
        }
    }
    firsts
}

/// The text of a word.
fn text(word: u64) -> TextId {
    (word >> 32) as TextId
}

/// The place of a word.
fn place(word: u64) -> usize {
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

        #[test]
        fn the_table_finds_what_sorting_finds(texts in proptest::collection::vec(0_u32..50, 0..3000)) {
            let naive: Vec<u32> = texts
                .iter()
                .map(|text| texts.iter().position(|other| other == text).unwrap() as u32)
                .collect();
            prop_assert_eq!(&by_sorting(texts.iter().copied()), &naive);
            prop_assert_eq!(&in_table(&mut vec![7; 60], 50, texts.iter().copied()), &naive);
        }
    }
}
