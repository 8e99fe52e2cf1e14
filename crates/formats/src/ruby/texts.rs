//! Equal texts as one id.

use std::hash::{BuildHasher, RandomState};

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::row::{Span, of};

const SHARDS: u64 = 64;

/// For each text the position of the first that is equal to it. The hash has a key, for texts come from strangers.
pub(super) fn firsts(bytes: &[u8], spans: &[(u32, Span)]) -> Vec<u32> {
    let key = RandomState::new();
    let hashes: Vec<u64> = spans
        .par_iter()
        .with_min_len(4096)
        .map(|&(_, span)| key.hash_one(of(bytes, span)))
        .collect();
    let equal: Vec<Vec<(u32, u32)>> = (0..SHARDS)
        .into_par_iter()
        .map(|shard| in_shard(bytes, spans, &hashes, shard))
        .collect();
    let mut firsts: Vec<u32> = (0..spans.len() as u32).collect();
    for (text, first) in equal.into_iter().flatten() {
        firsts[text as usize] = first;
    }
    firsts
}

/// The texts of a shard that come again, with their firsts.
fn in_shard(bytes: &[u8], spans: &[(u32, Span)], hashes: &[u64], shard: u64) -> Vec<(u32, u32)> {
    let mut seen: FxHashMap<u64, u32> = FxHashMap::default();
    let mut again = Vec::new();
    for (text, &hash) in hashes.iter().enumerate() {
        if hash % SHARDS != shard {
            continue;
        }
        let mut place = hash;
        loop {
            match seen.get(&place) {
                None => {
                    seen.insert(place, text as u32);
                    break;
                }
                Some(&first) if of(bytes, spans[first as usize].1) == of(bytes, spans[text].1) => {
                    again.push((text as u32, first));
                    break;
                }
                // Two texts with one hash: the next place.
                Some(_) => place = place.wrapping_add(1),
            }
        }
    }
    again
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_equal_texts_stands_for_all() {
        let bytes = b"abcabcab";
        let spans = [
            (0, (0, 3)),
            (1, (3, 3)),
            (2, (0, 2)),
            (3, (6, 2)),
            (4, (0, 0)),
            (5, (99, 9)),
        ];
        assert_eq!(firsts(bytes, &spans), [0, 0, 2, 2, 4, 4]);
    }
}
