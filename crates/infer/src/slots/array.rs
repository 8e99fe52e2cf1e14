//! Slots at even distances.

use rustc_hash::FxHashMap;

use super::clusters::Clusters;
use super::word_at;

/// An array has at least so many slots of several words…
const FEWEST_WIDE: usize = 4;
/// … or of a single one: a few references that come and go by themselves are fields.
const FEWEST_NARROW: usize = 8;

/// One of the parallel arrays that slots consist of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// Where the first slot's part begins, in bytes from the beginning of the block.
    pub offset: u64,
    /// Bytes from one slot's part to the next one's.
    pub bytes: u64,
}

/// A stretch of words that each slot has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Run {
    /// The first slot's first word.
    pub start: usize,
    /// Words.
    pub words: usize,
    /// Words from one slot's stretch to the next one's.
    pub stride: usize,
}

/// An array of slots.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SlotArray {
    /// Slots.
    pub slots: usize,
    pub(super) runs: Vec<Run>,
}

impl SlotArray {
    /// The parallel arrays, in the order in which they stand.
    #[must_use]
    pub fn parts(&self) -> Vec<Part> {
        let mut parts: Vec<Part> = Vec::new();
        for run in &self.runs {
            let (offset, bytes) = (run.start as u64 * 8, run.stride as u64 * 8);
            // What stands within one step of a part belongs to it: there is a word between that is no evidence.
            let is_within = |part: &Part| part.bytes == bytes && offset - part.offset < bytes;
            if !parts.last().is_some_and(is_within) {
                parts.push(Part { offset, bytes });
            }
        }
        parts
    }

    /// Bytes of one slot, all parts together.
    #[must_use]
    pub fn slot_bytes(&self) -> u64 {
        self.parts().iter().map(|part| part.bytes).sum()
    }

    /// Words of one slot that vary.
    pub(super) fn slot_words(&self) -> usize {
        self.runs.iter().map(|run| run.words).sum()
    }

    /// Words of all slots that vary.
    pub(super) fn words(&self) -> usize {
        self.slots * self.slot_words()
    }

    /// Where the last slot ends, in bytes from the beginning of the block.
    #[must_use]
    pub fn end(&self) -> u64 {
        let parts = self.parts().into_iter();
        let ends = parts.map(|part| part.offset + self.slots as u64 * part.bytes);
        ends.max().unwrap_or(0)
    }

    /// Bytes before the first slot.
    fn begins_at(&self) -> u64 {
        self.runs
            .iter()
            .map(|run| run.start as u64 * 8)
            .min()
            .unwrap_or(0)
    }

    /// Which slots a block uses.
    #[must_use]
    pub fn used(&self, block: &[u8]) -> Vec<bool> {
        let is_used = |slot: usize| self.words_of(slot).any(|word| word_at(block, word) != 0);
        (0..self.slots).map(is_used).collect()
    }

    /// Whether so many slots are an array.
    fn is_enough(&self) -> bool {
        self.slots
            >= if self.slot_words() > 1 {
                FEWEST_WIDE
            } else {
                FEWEST_NARROW
            }
    }

    /// Some of the slots that follow each other; `None` when they are too few.
    pub(super) fn cut(mut self, first: usize, slots: usize) -> Option<Self> {
        self.slots = slots;
        for run in &mut self.runs {
            run.start += first * run.stride;
        }
        self.is_enough().then_some(self)
    }

    /// The words of a slot.
    pub(super) fn words_of(&self, slot: usize) -> impl Iterator<Item = usize> + '_ {
        self.runs.iter().flat_map(move |run| {
            let start = run.start + slot * run.stride;
            start..start + run.words
        })
    }
}

/// The array that takes most of the block; `None` when there is none.
pub(super) fn widest(clusters: &Clusters) -> Option<SlotArray> {
    let mut forms: FxHashMap<Vec<usize>, Vec<Vec<usize>>> = FxHashMap::default();
    for words in clusters.varying() {
        let runs = runs(&words);
        let form = runs.iter().map(|run| run.1).collect();
        let starts = runs.iter().map(|run| run.0).collect();
        forms.entry(form).or_default().push(starts);
    }
    let arrays = forms
        .iter()
        .filter_map(|(form, slots)| array(clusters, form, slots));
    arrays.filter(SlotArray::is_enough).max_by_key(|array| {
        (
            array.slots as u64 * array.slot_bytes(),
            std::cmp::Reverse(array.begins_at()),
        )
    })
}

/// Stretches of words that follow each other: first word and words.
fn runs(words: &[usize]) -> Vec<(usize, usize)> {
    let stretches = words.chunk_by(|a, b| a + 1 == *b);
    stretches.map(|stretch| (stretch[0], stretch.len())).collect()
}

/// Slots of one form that stand at even distances, with those between and beside them that fit.
fn array(clusters: &Clusters, form: &[usize], slots: &[Vec<usize>]) -> Option<SlotArray> {
    // Two neighbours give the distances; most slots of an array have their neighbour, so the commonest are right.
    let mut distances: FxHashMap<Vec<usize>, usize> = FxHashMap::default();
    for pair in slots.windows(2) {
        let strides: Option<Vec<usize>> = pair[0]
            .iter()
            .zip(&pair[1])
            .map(|(a, b)| b.checked_sub(*a))
            .collect();
        if let Some(strides) =
            strides.filter(|strides| strides.iter().zip(form).all(|(stride, words)| stride >= words))
        {
            *distances.entry(strides).or_default() += 1;
        }
    }
    let (strides, _) = distances
        .into_iter()
        .max_by_key(|(strides, count)| (*count, std::cmp::Reverse(strides.clone())))?;
    let pair = slots.windows(2).find(|pair| {
        let steps = pair[0].iter().zip(&pair[1]).zip(&strides);
        steps.into_iter().all(|((a, b), stride)| a + stride == *b)
    })?;
    let mut found = SlotArray {
        slots: 2,
        runs: pair[0]
            .iter()
            .zip(form)
            .zip(&strides)
            .map(|((&start, &words), &stride)| Run { start, words, stride })
            .collect(),
    };
    while found.reaches(clusters, found.slots) {
        found.slots += 1;
    }
    while let Some(before) = found.with_one_before() {
        if !before.reaches(clusters, 0) {
            break;
        }
        found = before;
    }
    Some(found)
}

impl SlotArray {
    /// The same with one more slot before the first.
    fn with_one_before(&self) -> Option<Self> {
        let runs = self.runs.iter().map(|run| {
            Some(Run {
                start: run.start.checked_sub(run.stride)?,
                ..*run
            })
        });
        Some(Self {
            slots: self.slots + 1,
            runs: runs.collect::<Option<_>>()?,
        })
    }

    /// Whether the words at a slot's place are one slot: they vary, and all in the same blocks. What never varies may
    /// be a slot or another field; it is not taken for one.
    fn reaches(&self, clusters: &Clusters, slot: usize) -> bool {
        let Some(first) = self.words_of(slot).next() else {
            return false;
        };
        let signature = |word: usize| clusters.signature(word);
        let is_one = self
            .words_of(slot)
            .all(|word| signature(word).is_some() && signature(word) == signature(first));
        is_one && clusters.varies(first) && self.is_apart(slot)
    }

    /// Whether a slot's stretches are those of no other slot.
    fn is_apart(&self, slot: usize) -> bool {
        let others = (0..self.slots).filter(|&other| other != slot);
        let mut taken: Vec<usize> = others
            .flat_map(|other| self.words_of(other).collect::<Vec<_>>())
            .collect();
        taken.sort_unstable();
        self.words_of(slot)
            .all(|word| taken.binary_search(&word).is_err())
    }
}
