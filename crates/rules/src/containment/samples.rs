//! Stretches of some blocks, and the windows in them that are looked for elsewhere.

use std::ops::Range;

use deadweight_heap::{Heap, ObjectId};
use rustc_hash::FxHashMap;

use super::{WINDOW, is_telling};

/// Blocks of a group that are looked at, evenly spread.
const BLOCKS: usize = 128;

/// Bytes of a block that are looked at: of a larger one that many in [`STRETCHES`] evenly spread stretches.
const BYTES: usize = 1024;
const STRETCHES: usize = 4;

/// A stretch of a block whose windows are looked for.
#[derive(Clone, Debug)]
pub(crate) struct Piece {
    /// The block.
    pub row: ObjectId,
    /// Its contents from some byte on.
    pub bytes: Vec<u8>,
    /// Which of the bytes belong to a window that tells something.
    pub telling: Vec<bool>,
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
pub(crate) struct Samples {
    /// What is looked at; those of one block follow each other.
    pub pieces: Vec<Piece>,
    pub(super) windows: Vec<Window>,
    first: FxHashMap<u64, u32>,
    filter: Filter,
}

impl Samples {
    /// Adds some blocks of a group, and says which pieces are theirs. Windows that several of these blocks have do not
    /// tell one from another and are not looked for, nor are those with an address in them.
    pub fn add(&mut self, heap: &Heap, rows: &[ObjectId]) -> Range<usize> {
        let first = self.pieces.len();
        let step = rows.len().div_ceil(BLOCKS).max(1);
        let mut seen: FxHashMap<u64, Option<(u32, u32)>> = FxHashMap::default();
        for &row in rows.iter().step_by(step) {
            let Some(content) = heap.blocks.content(row) else {
                continue;
            };
            for stretch in stretches(content.len()) {
                let piece = self.pieces.len() as u32;
                for offset in tellings(heap, &content, stretch.clone()) {
                    let at = (piece, (offset - stretch.start) as u32);
                    let entry = seen.entry(key(&content[offset..])).or_insert(Some(at));
                    let is_same = entry.is_some_and(|(piece, _)| {
                        piece == at.0
                            || self
                                .pieces
                                .get(piece as usize)
                                .is_some_and(|piece| piece.row == row)
                    });
                    if !is_same {
                        *entry = None;
                    }
                }
                let bytes = content[stretch].to_vec();
                self.pieces.push(Piece {
                    row,
                    telling: vec![false; bytes.len()],
                    bytes,
                });
            }
        }
        let own = seen.into_iter().filter_map(|(key, at)| Some((at?, key)));
        let mut own: Vec<((u32, u32), u64)> = own.collect();
        own.sort_unstable();
        for ((piece, offset), key) in own {
            self.pieces[piece as usize].telling[offset as usize..offset as usize + WINDOW].fill(true);
            let next = self.first.insert(key, self.windows.len() as u32).unwrap_or(NONE);
            self.windows.push(Window { piece, offset, next });
        }
        first..self.pieces.len()
    }

    /// To be called when all groups are added.
    pub fn complete(&mut self) {
        self.filter = Filter::of(self.first.keys().copied(), self.first.len());
    }

    /// The windows with these bytes.
    pub(super) fn find(&self, window: &[u8; WINDOW]) -> impl Iterator<Item = u32> + '_ {
        let key = key(window);
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

/// What is looked at of a block of so many bytes.
fn stretches(bytes: usize) -> Vec<Range<usize>> {
    if bytes <= BYTES {
        return std::iter::once(0..bytes).collect();
    }
    let length = BYTES / STRETCHES;
    let step = (bytes - length) / (STRETCHES - 1);
    (0..STRETCHES).map(|at| at * step..at * step + length).collect()
}

/// Where in a stretch windows begin that tell something.
fn tellings(heap: &Heap, content: &[u8], stretch: Range<usize>) -> impl Iterator<Item = usize> {
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
        is_telling(&content[offset..end])
            && !addresses[offset / 8 - first..end.div_ceil(8) - first].contains(&true)
    })
}

/// A hash of a window, the same in every run.
fn key(window: &[u8]) -> u64 {
    let word = |at: usize| u64::from_le_bytes(std::array::from_fn(|index| window[at + index]));
    let mixed = u128::from(word(0) ^ 0x9E37_79B9_7F4A_7C15) * u128::from(word(8) | 1);
    (mixed as u64 ^ (mixed >> 64) as u64 ^ word(8)).wrapping_mul(0xD6E8_FEB8_6659_FD93)
}

/// Says of most keys that are not there that they are not: a bit for each of 16 times as many places as keys.
#[derive(Debug, Default)]
struct Filter {
    bits: Vec<u64>,
    shift: u32,
}

impl Filter {
    fn of(keys: impl Iterator<Item = u64>, count: usize) -> Self {
        let places = (count.max(64) * 16).next_power_of_two();
        let mut filter = Self {
            bits: vec![0; places / 64],
            shift: 64 - places.trailing_zeros(),
        };
        for key in keys {
            let place = key >> filter.shift;
            filter.bits[(place / 64) as usize] |= 1 << (place % 64);
        }
        filter
    }

    fn may_have(&self, key: u64) -> bool {
        let place = key.checked_shr(self.shift).unwrap_or(0);
        let bits = self.bits.get((place / 64) as usize);
        bits.is_some_and(|bits| bits >> (place % 64) & 1 == 1)
    }
}
