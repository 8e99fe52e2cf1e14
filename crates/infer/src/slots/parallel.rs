//! Parallel arrays that are filled from their beginning on and never to their end: no word of theirs needs to vary.

use super::array::{Run, SlotArray};
use super::clusters::Clusters;

/// Shorter ends are fields that nobody needed.
const SHORTEST: usize = 8;

/// Ends that no block uses are one in so many words at least.
const SHARE: usize = 2;

/// Arrays of one length side by side, each with an end that no block uses; `None` when there are no two of them.
///
/// Ends of equal length at one distance from each other: what is between two is the beginning of an array.
pub(super) fn never_filled(clusters: &Clusters) -> Option<SlotArray> {
    let ends = never_used(clusters);
    let longest = ends.iter().map(|end| end.1).max()?;
    if longest < SHORTEST {
        return None;
    }
    let ends: Vec<usize> = ends
        .into_iter()
        .filter(|end| end.1 == longest)
        .map(|end| end.0)
        .collect();
    let slots = ends.get(1)? - ends[0];
    let is_even = ends.windows(2).all(|pair| pair[1] - pair[0] == slots);
    let filled = slots - longest;
    let is_long = ends.len() * longest * SHARE >= clusters.words();
    if !is_even || !is_long || filled > longest || ends[0] < filled {
        return None;
    }
    // Parts of one slot are in use in the same blocks.
    let same = |at: usize| {
        let mut parts = ends.iter().map(|end| clusters.signature(end - filled + at));
        let first = parts.next();
        parts.all(|part| Some(part) == first)
    };
    (0..filled).all(same).then(|| SlotArray {
        slots,
        runs: ends
            .iter()
            .map(|end| Run {
                start: end - filled,
                words: 1,
                stride: 1,
            })
            .collect(),
    })
}

/// Stretches of words that no block uses: first word and words.
fn never_used(clusters: &Clusters) -> Vec<(usize, usize)> {
    let mut found: Vec<(usize, usize)> = Vec::new();
    for word in (0..clusters.words()).filter(|&word| clusters.is_never_used(word)) {
        match found.last_mut() {
            Some(last) if last.0 + last.1 == word => last.1 += 1,
            _ => found.push((word, 1)),
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Blocks of so many words, of which block i uses those that `used` picks.
    fn clusters(words: usize, used: impl Fn(usize, usize) -> bool) -> Clusters {
        let block = |block: usize| -> Vec<u8> {
            (0..words)
                .flat_map(|word| u64::from(used(block, word)).to_le_bytes())
                .collect()
        };
        Clusters::of(&(0..100).map(block).collect::<Vec<_>>()).unwrap()
    }

    #[test]
    fn arrays_are_known_by_their_ends() {
        // Two words before two arrays of 32, of which each block uses the first one to four.
        let found = never_filled(&clusters(66, |block, word| {
            word < 2 || (word - 2) % 32 <= block % 4
        }));
        let found = found.unwrap();
        assert_eq!((found.slots, found.slot_bytes(), found.end()), (32, 16, 66 * 8));
        // Each uses two.
        let found = never_filled(&clusters(66, |_, word| word < 2 || (word - 2) % 32 < 2));
        assert_eq!(found.unwrap().slots, 32);
    }

    #[test]
    fn one_end_and_ends_of_several_lengths_reveal_nothing() {
        assert_eq!(never_filled(&clusters(66, |_, word| word < 4)), None);
        let several = |_, word| word < 2 || word == 20 || word == 50;
        assert_eq!(never_filled(&clusters(66, several)), None);
        // Each array has beginnings of its own.
        let apart = |block, word| word == 0 || word == 1 || word == 2 + 16 * (block % 2);
        assert_eq!(never_filled(&clusters(34, apart)), None);
    }
}
