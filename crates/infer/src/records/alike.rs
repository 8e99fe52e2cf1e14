//! Whether blocks of no known type are arrays: what stands in their values is of one sort at each place, also in those that
//! nearly all blocks use. A record has something that its rare fields have not.

use super::RARE;
use super::words::{Uses, is_used};

/// Blocks that are looked at of those that use anything rare, and of all.
const MOST_RARE: usize = 4096;
const MOST: usize = 256;

/// An array whose values take several words has at least this many values.
pub(super) const FEWEST_WIDE: usize = 4;
/// An array whose values take one word or half of one has at least this many values.
const FEWEST_NARROW: usize = 8;

/// At two places that are alike, the share of each sort of word differs by at most one part in this many.
const NEAR: u64 = 4;

/// Places with fewer words than this are not compared: their shares differ by chance.
pub(super) const FEWEST: u64 = 64;

/// Larger numbers are hashes and texts.
const SMALL: u32 = 1 << 16;

/// What stands at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sort {
    Reference,
    Small,
    Large,
}

impl Sort {
    pub fn of(word: u64, is_reference: bool) -> Self {
        if is_reference {
            Self::Reference
        } else if word >> 32 == 0 {
            Self::Small
        } else {
            Self::Large
        }
    }
}

/// How many of the values at a place, which are no zeros, are of each sort.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sorts([u64; 3]);

impl Sorts {
    pub fn add(&mut self, sort: Sort) {
        self.0[sort as usize] += 1;
    }

    pub fn with(mut self, more: Self) -> Self {
        self.0.iter_mut().zip(more.0).for_each(|(sum, more)| *sum += more);
        self
    }

    pub fn all(self) -> u64 {
        self.0.iter().sum()
    }

    /// Whether as much of either is of each sort.
    pub fn is_like(self, other: Self) -> bool {
        let pairs = self.0.into_iter().zip(other.0);
        let (all, others) = (self.all(), other.all());
        let differ = |(own, other): (u64, u64)| (own * others).abs_diff(other * all);
        pairs.map(differ).all(|differ| differ * NEAR <= all * others)
    }
}

/// Blocks of one group that show what stands in their words.
pub(super) struct Looked<'c> {
    blocks: Vec<(&'c [u8], u64)>,
}

impl<'c> Looked<'c> {
    /// A sample of blocks. `used` says which of them use anything rare.
    pub fn of(contents: &'c [impl AsRef<[u8]>], addresses: &[u64], used: &[u64]) -> Self {
        let all = contents.iter().map(AsRef::as_ref).zip(addresses.iter().copied());
        let all: Vec<(&[u8], u64)> = all.collect();
        let rare = all.iter().zip(used).filter(|(_, used)| **used != 0);
        let rare: Vec<(&[u8], u64)> = rare.map(|(block, _)| *block).collect();
        let mut blocks: Vec<(&[u8], u64)> = spread(&rare, MOST_RARE).collect();
        blocks.extend(spread(&all, MOST));
        Self { blocks }
    }

    /// Whether they are arrays of values of any size.
    pub fn are_alike(&self, uses: &Uses, is_address: impl Fn(u64) -> bool) -> bool {
        let words = uses.words();
        let mut whole = vec![Sorts::default(); words];
        let mut halves = vec![Sorts::default(); words * 2];
        for &(content, address) in &self.blocks {
            for (at, word) in content.as_chunks::<8>().0.iter().enumerate() {
                if !is_used(content, address, at, uses.usual(at)) {
                    continue;
                }
                let word = u64::from_le_bytes(*word);
                let is_reference = is_address(word);
                whole[at].add(Sort::of(word, is_reference));
                for half in [0, 1] {
                    let value = (word >> (32 * half)) as u32;
                    let magnitude = value.min(value.wrapping_neg());
                    match (is_reference, value) {
                        (true, _) => halves[at * 2 + half].add(Sort::Reference),
                        (false, 0) => {}
                        (false, _) if magnitude < SMALL => halves[at * 2 + half].add(Sort::Small),
                        (false, _) => halves[at * 2 + half].add(Sort::Large),
                    }
                }
            }
        }
        let count = |word: usize| uses.count(word);
        let of_words = (1..=words / FEWEST_WIDE).any(|step| {
            let is_enough = step > 1 || words >= FEWEST_NARROW;
            is_enough && words.is_multiple_of(step) && is_array(&whole, step, uses.records(), count)
        });
        // References have no halves; two numbers together may be one by chance.
        let has_halves = whole
            .iter()
            .all(|sorts| sorts.0[Sort::Reference as usize] * 2 <= sorts.all());
        let half = |half: usize| uses.count(half / 2);
        of_words || has_halves && halves.len() >= FEWEST_NARROW && is_array(&halves, 1, uses.records(), half)
    }
}

/// Whether places are an array of values that take `step` of them each: at each place in a value the same sort stands in
/// those that are rarely in use, of which there are several, and in all others.
fn is_array(places: &[Sorts], step: usize, records: usize, count: impl Fn(usize) -> usize) -> bool {
    let is_rare = |place: usize| count(place) * RARE <= records;
    let values = places.len() / step;
    let is_seen =
        |value: &usize| (value * step..(value + 1) * step).any(|at| is_rare(at) && places[at].all() > 0);
    if (0..values).filter(is_seen).count() * 2 < values {
        return false;
    }
    (0..step).all(|first| {
        let (rare, others): (Vec<usize>, Vec<usize>) =
            (first..places.len()).step_by(step).partition(|&at| is_rare(at));
        let of_rare = rare
            .iter()
            .fold(Sorts::default(), |all, &at| all.with(places[at]));
        let is_like = |&at: &usize| places[at].is_like(of_rare);
        let is_known = |at: &&usize| places[**at].all() >= FEWEST;
        (of_rare.all() > 0 || others.is_empty())
            && others.iter().all(is_like)
            && rare.iter().filter(is_known).all(is_like)
    })
}

/// At most so many of some blocks, evenly spread.
pub(super) fn spread<T: Copy>(blocks: &[T], most: usize) -> impl Iterator<Item = T> + '_ {
    blocks.iter().copied().step_by(blocks.len().div_ceil(most).max(1))
}
