//! What stands in slots: references and hashes, or text and numbers that only happen to be zero together.

use super::array::SlotArray;
use super::{word_at, words};

/// Blocks that are looked at, evenly spread.
const SAMPLE: usize = 256;

/// The same where a word is rarely in use.
const LARGE_SAMPLE: usize = 4096;

/// Fewer words are no evidence.
const FEWEST: usize = 64;

/// Two slots that fewer blocks use may be in the same ones by chance.
const FEWEST_TOGETHER: usize = 16;

/// One word of some blocks, or words at one place of all their slots.
#[derive(Clone, Copy, Debug, Default)]
struct Word {
    count: usize,
    addresses: usize,
    /// For each byte how often its highest bit is set.
    high: [usize; 8],
}

impl Word {
    fn add(&mut self, word: u64, is_address: bool) {
        self.count += 1;
        self.addresses += usize::from(is_address);
        for (high, byte) in self.high.iter_mut().zip(word.to_le_bytes()) {
            *high += usize::from(byte >= 0x80);
        }
    }

    /// Nine in ten are addresses of what the program holds.
    fn are_addresses(&self) -> bool {
        self.addresses * 10 >= self.count * 9
    }

    /// Whether a byte has its highest bit as often as one that is drawn at random.
    fn is_even(&self, byte: usize) -> bool {
        self.high[byte] * 10 >= self.count * 3
    }
}

/// Words at one place of all slots.
#[derive(Clone, Debug)]
struct Words {
    all: Word,
    /// For each byte of the word how often it has each value.
    values: [[u32; 256]; 8],
}

impl Words {
    fn add(&mut self, word: u64, is_address: bool) {
        self.all.add(word, is_address);
        for (values, byte) in self.values.iter_mut().zip(word.to_le_bytes()) {
            values[usize::from(byte)] += 1;
        }
    }

    /// Enough of them are addresses.
    fn are_addresses(&self) -> bool {
        self.all.count >= FEWEST && self.all.are_addresses()
    }

    /// Every byte is as if drawn at random: half of them have the highest bit, and no value is frequent. In text the
    /// highest bit is rare, in numbers the upper bytes agree.
    fn are_random(&self) -> bool {
        let Word { count, high, .. } = self.all;
        let is_even = |byte: usize| self.all.is_even(byte) && high[byte] * 10 <= count * 7;
        let is_flat = |values: &[u32; 256]| {
            let most = values.iter().max().copied().unwrap_or(0) as usize;
            most <= 8.max(count / 16)
        };
        count >= FEWEST && (0..8).all(is_even) && self.values.iter().all(is_flat)
    }
}

/// Whether some words of blocks may be slots, wherever these are: looked at in the blocks that [`Contents::of`] takes. What
/// stands in slots at several words is of one kind only if it is at one of them, so where no word is mostly addresses, and
/// none is random in some byte, nothing is. Text and small numbers end here.
pub(crate) fn may_be_slots(blocks: &[impl AsRef<[u8]>], is_address: impl Fn(u64) -> bool) -> bool {
    let mut seen: Vec<Word> = Vec::new();
    for block in sample(blocks) {
        let words = words(block.as_ref());
        if seen.len() < words.len() {
            seen.resize(words.len(), Word::default());
        }
        for (seen, word) in seen.iter_mut().zip(words).filter(|(_, word)| *word != 0) {
            seen.add(word, is_address(word));
        }
    }
    seen.retain(|word| word.count > 0);
    let is_even = |byte: usize| seen.iter().any(|word| word.is_even(byte));
    seen.iter().any(Word::are_addresses) || (0..8).all(is_even)
}

/// The blocks that are looked at, or what stands for them.
pub(crate) fn sample<T>(blocks: &[T]) -> impl Iterator<Item = &T> {
    spread(blocks, SAMPLE)
}

/// At most so many of some blocks, evenly spread.
pub(super) fn spread<T>(blocks: &[T], most: usize) -> impl Iterator<Item = &T> {
    blocks.iter().step_by(blocks.len().div_ceil(most).max(1))
}

/// What stands in the slots of some blocks.
pub(super) struct Contents {
    places: Vec<Words>,
}

impl Contents {
    /// Of a sample of blocks.
    pub fn of(array: &SlotArray, blocks: &[impl AsRef<[u8]>], is_address: impl Fn(u64) -> bool) -> Self {
        let none = Words {
            all: Word::default(),
            values: [[0; 256]; 8],
        };
        let mut places = vec![none; array.words_of(0).count()];
        for block in sample(blocks) {
            for slot in 0..array.slots {
                for (place, at) in places.iter_mut().zip(array.words_of(slot)) {
                    let word = word_at(block.as_ref(), at);
                    if word != 0 {
                        place.add(word, is_address(word));
                    }
                }
            }
        }
        Self { places }
    }

    /// Whether at least half of the words are references or hashes.
    pub fn are_slots(&self) -> bool {
        let sure = self
            .places
            .iter()
            .filter(|words| words.are_addresses() || words.are_random());
        sure.count() * 2 >= self.places.len()
    }

    /// Whether the slots refer to others.
    pub fn have_addresses(&self) -> bool {
        self.places.iter().any(Words::are_addresses)
    }
}

/// The array without what stands beside it and only happens to be zero in some blocks, such as a mask or a count: a word
/// at an end that is no reference where most others are. `None` when too few slots remain.
pub(super) fn without_counts(
    array: SlotArray,
    blocks: &[impl AsRef<[u8]>],
    is_address: impl Fn(u64) -> bool,
) -> Option<SlotArray> {
    if array.slot_words() > 1 {
        return Some(array);
    }
    // Words in use of each slot, and how many of them are addresses.
    let mut counts = vec![(0_u64, 0_u64); array.slots];
    for block in spread(blocks, LARGE_SAMPLE) {
        for (slot, (count, addresses)) in counts.iter_mut().enumerate() {
            let word = array.words_of(slot).next();
            let word = word.map_or(0, |at| word_at(block.as_ref(), at));
            *count += u64::from(word != 0);
            *addresses += u64::from(word != 0 && is_address(word));
        }
    }
    let refers = |&(count, addresses): &(u64, u64)| addresses * 2 >= count;
    // Of words of text a few at the end may be what is left of references: these are no array.
    let all = counts
        .iter()
        .fold((0, 0), |all, counts| (all.0 + counts.0, all.1 + counts.1));
    if !refers(&all) {
        return Some(array);
    }
    let first = counts.iter().position(refers)?;
    let last = counts.iter().rposition(refers)?;
    array
        .cut(first, last + 1 - first)
        .map(|array| without_members(array, blocks))
}

/// The array without what stands at its ends and is no slot: words that the very same blocks use, as those of a reference of two
/// words do. Of slots that are filled from the beginning on, those behind are used in some of these blocks.
fn without_members(array: SlotArray, blocks: &[impl AsRef<[u8]>]) -> SlotArray {
    let mut uses = vec![Vec::new(); array.slots];
    for block in spread(blocks, LARGE_SAMPLE) {
        for (uses, used) in uses.iter_mut().zip(array.used(block.as_ref())) {
            uses.push(used);
        }
    }
    let behind = together(uses.iter().rev());
    let before = together(uses[..array.slots - behind].iter());
    let left = array.slots - before - behind;
    array.clone().cut(before, left).unwrap_or(array)
}

/// How many of some slots, from the first on, the very same blocks use; 0 where that may be by chance, or as each slot is filled
/// after the one before it.
fn together<'u>(mut slots: impl Iterator<Item = &'u Vec<bool>>) -> usize {
    let Some(first) = slots.next() else { return 0 };
    let mut count = 1;
    let next = slots.find(|uses| {
        let is_other = *uses != first;
        count += usize::from(!is_other);
        is_other
    });
    let used = first.iter().filter(|&&used| used).count();
    let within = |a: &[bool], b: &[bool]| a.iter().zip(b).all(|(a, b)| !a || *b);
    let are_apart = next.is_some_and(|next| !within(first, next) && !within(next, first));
    if count > 1 && used >= FEWEST_TOGETHER && are_apart {
        count
    } else {
        0
    }
}
