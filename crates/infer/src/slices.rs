//! What slices of strings would take as strings of their own, when the dump does not show how long each of them is.

#[cfg(test)]
mod tests;

use deadweight_heap::{Flags, Heap, HolderId, Holders, ObjectId, Width};
use rustc_hash::FxHashMap;

/// Characters of a slice of whose length nothing is known: an assumption that the finding names.
pub const UNITS_AT_MOST: u64 = 1024;

/// Fewer slices of known length do not stand for others.
const ENOUGH: usize = 30;

/// Where the bytes of a copy come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// The length is known.
    Known,
    /// The mean of those at the same holder whose length is known.
    Mean,
    /// [`UNITS_AT_MOST`] characters.
    Assumed,
}

/// A slice as a string of its own.
#[derive(Clone, Copy, Debug)]
pub struct SliceCopy {
    /// What it is charged.
    pub bytes: u64,
    /// What is to be taken for the bytes that a copy needs beyond the slice, in the question whether the text is worth
    /// more than the copies.
    pub more_in_doubt: u64,
    /// How that is known.
    pub source: Source,
}

/// The slices of known length at one holder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mean {
    /// Bytes of a copy, of the slices on texts that have more than twice `threshold` bytes for each slice.
    bytes: u64,
    /// Bytes that a copy needs beyond the slice.
    threshold: u64,
    /// How many these are.
    pub slices: usize,
}

/// Copies of all slices of a heap.
pub struct SliceCopies<'h> {
    heap: &'h Heap,
    /// The places that name slices.
    pub holders: Holders<'h>,
    means: FxHashMap<HolderId, Mean>,
}

/// A slice of known length.
struct Known {
    /// Bytes of its text for each of the slices on it.
    share: u64,
    copy: u64,
    /// Bytes of the copy beyond those of the slice that it comes in place of.
    more: u64,
}

impl<'h> SliceCopies<'h> {
    /// Takes the means at every holder. `windows` are texts and the slices on them, in the order of the texts.
    #[must_use]
    pub fn new(heap: &'h Heap, windows: &[(ObjectId, ObjectId)]) -> Self {
        let holders = Holders::new(heap);
        let mut at: FxHashMap<HolderId, Vec<Known>> = FxHashMap::default();
        // Where texts are shown there is nothing to be estimated.
        if !heap.lengths.is_empty() {
            for of_one in windows.chunk_by(|a, b| a.0 == b.0) {
                let share = heap.bytes(of_one[0].0) / of_one.len() as u64;
                for &(_, slice) in of_one {
                    if let Some(copy) = known(heap, slice) {
                        let more = copy.saturating_sub(heap.bytes(slice));
                        at.entry(holders.of(slice))
                            .or_default()
                            .push(Known { share, copy, more });
                    }
                }
            }
        }
        let means = at
            .into_iter()
            .filter_map(|(holder, known)| Some((holder, mean(&known, assumed(heap))?)))
            .collect();
        Self { heap, holders, means }
    }

    /// The mean that stands for slices of unknown length at a holder.
    #[must_use]
    pub fn mean(&self, holder: HolderId) -> Option<Mean> {
        self.means.get(&holder).copied()
    }

    /// The copy of a slice.
    pub fn of(&mut self, slice: ObjectId) -> SliceCopy {
        let now = self.heap.bytes(slice);
        let same = |bytes: u64, source| SliceCopy {
            bytes,
            more_in_doubt: bytes.saturating_sub(now),
            source,
        };
        if let Some(bytes) = known(self.heap, slice) {
            return same(bytes, Source::Known);
        }
        let mean = (!self.means.is_empty())
            .then(|| self.holders.of(slice))
            .and_then(|holder| self.mean(holder));
        match mean {
            Some(mean) => SliceCopy {
                bytes: mean.bytes,
                more_in_doubt: mean.threshold,
                source: Source::Mean,
            },
            None => same(assumed(self.heap), Source::Assumed),
        }
    }
}

fn assumed(heap: &Heap) -> u64 {
    heap.layout.string(UNITS_AT_MOST, Width::Two)
}

/// The mean copy of the slices on texts that are worth more than twice as much for each slice. Without that bound,
/// many slices of small texts would make the few of large ones look short. Of texts larger than those with slices of
/// known length, copies take no less than `assumed`. `None` when too few are known.
fn mean(known: &[Known], assumed: u64) -> Option<Mean> {
    let mut threshold = 0;
    loop {
        let (mut sum, mut more, mut slices) = (0_u64, 0_u64, 0);
        for it in known
            .iter()
            .filter(|it| it.share / 2 > threshold || threshold == 0)
        {
            sum += it.copy;
            more += it.more;
            slices += 1;
        }
        if slices < ENOUGH {
            // Next to nothing was seen of texts as large as that.
            let bytes = threshold.max(assumed);
            return (known.len() >= ENOUGH).then_some(Mean {
                bytes,
                threshold: bytes,
                slices: known.len(),
            });
        }
        let more = more.div_ceil(slices as u64);
        if threshold > 0 && more <= threshold {
            return Some(Mean {
                bytes: sum.div_ceil(slices as u64),
                threshold,
                slices,
            });
        }
        // It grows with every round, so this ends.
        threshold = more.max(1);
    }
}

/// Bytes of a slice as a string of its own, when the dump or the recorder gives its length.
fn known(heap: &Heap, slice: ObjectId) -> Option<u64> {
    if let Some(length) = heap.length(slice) {
        return Some(heap.layout.string(u64::from(length.units), length.width));
    }
    let text = heap.objects.label[slice as usize];
    if heap.texts.raw(text).is_empty() || heap.objects.has(slice, Flags::INCOMPLETE) {
        return None;
    }
    let text = heap.texts.get(text);
    let units = text.chars().map(|c| c.len_utf16() as u64).sum();
    let width = if text.chars().any(|c| c > '\u{FF}') {
        Width::Two
    } else {
        Width::One
    };
    Some(heap.layout.string(units, width))
}
