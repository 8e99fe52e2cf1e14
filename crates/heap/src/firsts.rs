//! The first of equal texts.

use rayon::prelude::*;

/// Texts of one shard are told apart by one thread, in a table that stays at hand.
const SHARDS: usize = 256;

/// No text.
const NONE: u32 = u32::MAX;

/// Hashes that one thread sorts by shard at once.
const PIECE: usize = 1 << 16;

/// For each text the position of the first that is equal to it: that has the same hash. All hashes have one key that no
/// stranger knows: of 2^32 different texts two have the same hash with a probability of 2^-65.
#[must_use]
pub fn firsts(mut hashes: Vec<u128>) -> Vec<u32> {
    let pieces = hashes.par_chunks_mut(PIECE).enumerate();
    let pieces: Vec<Sorted<'_>> = pieces
        .map_init(Vec::new, |room, (piece, hashes)| {
            Sorted::new(hashes, (piece * PIECE) as u32, room)
        })
        .collect();
    let equal: Vec<Vec<(u32, u32)>> = (0..SHARDS)
        .into_par_iter()
        .map(|shard| again(&pieces, shard))
        .collect();
    drop(pieces);
    let mut firsts: Vec<u32> = (0..hashes.len() as u32).collect();
    for (text, first) in equal.into_iter().flatten() {
        firsts[text as usize] = first;
    }
    firsts
}

/// The texts of a piece by shard, in their order within each.
struct Sorted<'h> {
    hashes: &'h [u128],
    /// Their positions among all.
    texts: Vec<u32>,
    ends: Vec<u32>,
}

impl<'h> Sorted<'h> {
    /// Sorts the hashes of the texts from `first` on, by way of `room`.
    fn new(hashes: &'h mut [u128], first: u32, room: &mut Vec<u128>) -> Self {
        let shard = |hash: u128| hash as usize % SHARDS;
        let mut ends = vec![0_u32; SHARDS];
        for &hash in &*hashes {
            ends[shard(hash)] += 1;
        }
        let mut before = 0;
        for end in &mut ends {
            before += std::mem::replace(end, before);
        }
        room.clear();
        room.extend_from_slice(hashes);
        // What is the beginning of each shard becomes its end as texts are put there.
        let mut texts = vec![0; hashes.len()];
        for (text, &hash) in (first..).zip(&*room) {
            let end = &mut ends[shard(hash)];
            texts[*end as usize] = text;
            hashes[*end as usize] = hash;
            *end += 1;
        }
        Self { hashes, texts, ends }
    }

    /// Hash and position of each text of a shard.
    fn of(&self, shard: usize) -> impl ExactSizeIterator<Item = (u128, u32)> {
        let start = if shard == 0 { 0 } else { self.ends[shard - 1] };
        let texts = start as usize..self.ends[shard] as usize;
        let hashes = self.hashes[texts.clone()].iter().copied();
        hashes.zip(self.texts[texts].iter().copied())
    }
}

/// The texts of a shard that come again, with their firsts.
fn again(pieces: &[Sorted<'_>], shard: usize) -> Vec<(u32, u32)> {
    let count: usize = pieces.iter().map(|piece| piece.of(shard).len()).sum();
    // Half of the places at least stay free, so that a search ends.
    let bits = (count * 2).max(2).next_power_of_two().trailing_zeros();
    let mut seen = vec![(0_u128, NONE); 1 << bits];
    let mut again = Vec::new();
    for (hash, text) in pieces.iter().flat_map(|piece| piece.of(shard)) {
        // The shard took the lowest bits, the place the highest.
        let mut place = (hash >> (u128::BITS - bits)) as usize;
        loop {
            let (known, first) = seen[place];
            if first == NONE {
                seen[place] = (hash, text);
                break;
            }
            if known == hash {
                again.push((text, first));
                break;
            }
            place = (place + 1) % seen.len();
        }
    }
    again
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_text_of_a_later_piece_finds_the_first_of_all() {
        let spread = |at: u128| at.wrapping_mul(0x9E37_79B9_7F4A_7C15_F39C_C060_5CED_C835);
        let mut hashes: Vec<u128> = (0..3 * PIECE as u128).map(spread).collect();
        let mut expected: Vec<u32> = (0..hashes.len() as u32).collect();
        for (again, first) in [(PIECE, 5), (2 * PIECE + 1, 5), (2 * PIECE + 2, PIECE + 7)] {
            hashes[again] = hashes[first];
            expected[again] = first as u32;
        }
        assert_eq!(firsts(hashes), expected);
        assert!(firsts(Vec::new()).is_empty());
    }

    proptest! {
        #[test]
        fn the_first_of_equal_hashes_stands_for_all(
            all in prop::collection::vec(prop_oneof![
                0..9_u128,
                // One shard, one place.
                (0..9_u128).prop_map(|at| at << 64),
                any::<u128>(),
            ], 0..400),
        ) {
            let first = |hash: &u128| all.iter().position(|other| other == hash).unwrap() as u32;
            let expected: Vec<u32> = all.iter().map(first).collect();
            prop_assert_eq!(firsts(all), expected);
        }
    }
}
