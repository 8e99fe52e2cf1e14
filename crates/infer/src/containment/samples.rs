//! Stretches of some blocks, and the windows in them that are looked for elsewhere.

use std::ops::Range;

use deadweight_heap::{Heap, ObjectId};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::{WINDOW, is_distinctive};

/// Blocks of a group that are looked at, evenly spread.
const BLOCKS: usize = 128;

/// Bytes of a block that are looked at: of a larger one that many in [`STRETCHES`] evenly spread stretches.
const BYTES: usize = 1024;
const STRETCHES: usize = 4;

/// A stretch of a block whose windows are looked for.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    /// The block.
    pub row: ObjectId,
    /// Its contents from some byte on.
    pub bytes: Vec<u8>,
    /// Which of the bytes belong to a window that is distinctive.
    pub distinctive: Vec<bool>,
}

/// A window that is looked for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    pub piece: u32,
    pub offset: u32,
    /// Another window of the same bytes, or [`NONE`].
    pub next: u32,
}

/// No window.
pub(super) const NONE: u32 = u32::MAX;

/// Blocks of several groups, and their windows by content.
#[derive(Debug, Default)]
pub(super) struct Samples {
    /// What is looked at; those of one block follow each other.
    pub pieces: Vec<Piece>,
    pub(super) windows: Vec<Window>,
    first: FxHashMap<u64, u32>,
    filter: Filter,
}

impl Samples {
    /// Of some blocks of each group; with which pieces are whose. Windows that several of these blocks have do not distinguish one
    /// from another and are not looked for, nor are those with an address in them.
    pub fn of(heap: &Heap, groups: &[&[ObjectId]]) -> (Self, Vec<Range<usize>>) {
        let samples: Vec<Sample> = groups.par_iter().map(|rows| Sample::of(heap, rows)).collect();
        let mut all = Self::default();
        let pieces = samples.into_iter().map(|sample| all.add(sample)).collect();
        all.filter = Filter::of(all.first.keys().copied(), all.first.len());
        (all, pieces)
    }

    /// Adds what is looked at of a group, and says which pieces are its.
    fn add(&mut self, sample: Sample) -> Range<usize> {
        let first = self.pieces.len();
        self.pieces.extend(sample.pieces);
        for (key, piece, offset) in sample.windows {
            let next = self.first.insert(key, self.windows.len() as u32).unwrap_or(NONE);
            self.windows.push(Window {
                piece: first as u32 + piece,
                offset,
                next,
            });
        }
        first..self.pieces.len()
    }

    /// The windows of these two words.
    pub(super) fn find(&self, (low, high): (u64, u64)) -> impl Iterator<Item = u32> + '_ {
        let key = key_of(low, high);
        let mut at = if self.filter.may_have(key) {
            self.first.get(&key).copied().unwrap_or(NONE)
        } else {
            NONE
        };
        std::iter::from_fn(move || {
            let found = at;
            at = self.windows.get(found as usize)?.next;
            Some(found)
        })
    }
}

/// What is looked at of one group.
struct Sample {
    pieces: Vec<Piece>,
    /// Keys of windows, each with its piece and where it is there.
    windows: Vec<(u64, u32, u32)>,
}

impl Sample {
    fn of(heap: &Heap, rows: &[ObjectId]) -> Self {
        let step = rows.len().div_ceil(BLOCKS).max(1);
        let mut pieces: Vec<Piece> = Vec::new();
        let mut seen: FxHashMap<u64, Option<(u32, u32)>> = FxHashMap::default();
        for &row in rows.iter().step_by(step) {
            let Some(content) = heap.blocks.content(row) else {
                continue;
            };
            for stretch in stretches(content.len()) {
                let piece = pieces.len() as u32;
                for offset in distinctive_windows(heap, &content, stretch.clone()) {
                    let at = (piece, (offset - stretch.start) as u32);
                    let entry = seen.entry(key(&content[offset..])).or_insert(Some(at));
                    let is_same = entry.is_some_and(|(piece, _)| {
                        piece == at.0 || pieces.get(piece as usize).is_some_and(|piece| piece.row == row)
                    });
                    if !is_same {
                        *entry = None;
                    }
                }
                let bytes = content[stretch].to_vec();
                pieces.push(Piece {
                    row,
                    distinctive: vec![false; bytes.len()],
                    bytes,
                });
            }
        }
        let own = seen.into_iter().filter_map(|(key, at)| Some((at?, key)));
        let mut own: Vec<((u32, u32), u64)> = own.collect();
        own.sort_unstable();
        for &((piece, offset), _) in &own {
            pieces[piece as usize].distinctive[offset as usize..offset as usize + WINDOW].fill(true);
        }
        let windows = own.into_iter().map(|((piece, offset), key)| (key, piece, offset));
        Self {
            pieces,
            windows: windows.collect(),
        }
    }
}

/// What is looked at of a block of so many bytes.
fn stretches(bytes: usize) -> Vec<Range<usize>> {
    if bytes <= BYTES {
        return std::iter::once(0..bytes).collect();
    }
    let length = BYTES / STRETCHES;
    let step = (bytes - length) / (STRETCHES - 1);
    (0..STRETCHES).map(|at| at * step..at * step + length).collect()
}

/// Where in a stretch distinctive windows begin.
fn distinctive_windows(heap: &Heap, content: &[u8], stretch: Range<usize>) -> impl Iterator<Item = usize> {
    let words = content.as_chunks::<8>().0;
    let is_address = |at: usize| {
        words
            .get(at)
            .is_some_and(|word| heap.blocks.is_address(u64::from_le_bytes(*word)))
    };
    let mut addresses: Vec<bool> = (stretch.start / 8..=stretch.end / 8).map(is_address).collect();
    addresses.push(false);
    let first = stretch.start / 8;
    let starts = stretch.start..(stretch.end + 1).saturating_sub(WINDOW).max(stretch.start);
    starts.filter(move |&offset| {
        let end = offset + WINDOW;
        is_distinctive(&content[offset..end])
            && !addresses[offset / 8 - first..end.div_ceil(8) - first].contains(&true)
    })
}

/// A hash of a window, the same in every run.
fn key(window: &[u8]) -> u64 {
    let word = |at: usize| u64::from_le_bytes(std::array::from_fn(|index| window[at + index]));
    key_of(word(0), word(8))
}

/// The same of a window's two words.
fn key_of(low: u64, high: u64) -> u64 {
    let mixed = u128::from(low ^ 0x9E37_79B9_7F4A_7C15) * u128::from(high | 1);
    (mixed as u64 ^ (mixed >> 64) as u64 ^ high).wrapping_mul(0xD6E8_FEB8_6659_FD93)
}

/// Says of nearly all keys that are not there that they are not: two bits in one word for each, of 16 times as many
/// bits as keys.
#[derive(Debug, Default)]
struct Filter {
    words: Vec<u64>,
    shift: u32,
}

impl Filter {
    fn of(keys: impl Iterator<Item = u64>, count: usize) -> Self {
        let words = (count.max(64) / 4).next_power_of_two();
        let mut filter = Self {
            words: vec![0; words],
            shift: 64 - words.trailing_zeros(),
        };
        for key in keys {
            filter.words[(key >> filter.shift) as usize] |= Self::bits(key);
        }
        filter
    }

    /// Which bits of its word a key has; the highest bits of the key select the word.
    fn bits(key: u64) -> u64 {
        1 << (key >> 8 & 63) | 1 << (key >> 14 & 63)
    }

    fn may_have(&self, key: u64) -> bool {
        let word = key.checked_shr(self.shift).unwrap_or(0);
        let bits = Self::bits(key);
        self.words
            .get(word as usize)
            .is_some_and(|word| word & bits == bits)
    }
}
