//! Whether blocks of no known type are arrays that are filled from their beginning on: the room behind the last value is no field.

use super::alike::{FEWEST, FEWEST_WIDE, Sort, Sorts, spread};
use super::words::NONE_OF_RUST;

/// Blocks that are looked at.
const MOST: usize = 2048;

/// A place may be in use more often than the same place of the value before, by one block in this many: earlier contents are left
/// behind in a few.
const LEFT_BEHIND: u64 = 16;

/// Whether values of several words come one after another: at most places in a value the same sort stands in all of them,
/// and at none is more than in the value before.
pub(super) fn are_filled(contents: &[impl AsRef<[u8]>], is_address: impl Fn(u64) -> bool) -> bool {
    let contents: Vec<&[u8]> = contents.iter().map(AsRef::as_ref).collect();
    let blocks: Vec<&[u8]> = spread(&contents, MOST).collect();
    let mut places = vec![Sorts::default(); blocks.first().map_or(0, |block| block.len() / 8)];
    for content in &blocks {
        for (place, word) in places.iter_mut().zip(content.as_chunks::<8>().0) {
            let word = u64::from_le_bytes(*word);
            if word != 0 && word != NONE_OF_RUST {
                place.add(Sort::of(word, is_address(word)));
            }
        }
    }
    let left_behind = blocks.len() as u64 / LEFT_BEHIND;
    let words = places.len();
    (2..=words / FEWEST_WIDE).any(|step| words.is_multiple_of(step) && is_filled(&places, step, left_behind))
}

fn is_filled(places: &[Sorts], step: usize, left_behind: u64) -> bool {
    let (mut compared, mut alike) = (0, 0);
    for first in 0..step {
        let of_place = || places[first..].iter().step_by(step);
        let mut pairs = of_place().zip(of_place().skip(1));
        if !pairs.all(|(before, next)| next.all() <= before.all() + left_behind) {
            return false;
        }
        let known: Vec<Sorts> = of_place()
            .copied()
            .filter(|place| place.all() >= FEWEST)
            .collect();
        if known.len() > 1 {
            let all = known.iter().fold(Sorts::default(), |all, &place| all.with(place));
            compared += 1;
            alike += usize::from(known.iter().all(|place| place.is_like(all)));
        }
    }
    // Half of the places tell. One of four may differ: two small numbers in one word are a large one unless the second is zero.
    compared * 2 >= step && alike * 4 >= compared * 3
}
