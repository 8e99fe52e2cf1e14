//! Contents that are in memory twice: groups of blocks that hold what other blocks of the program hold, too.
//!
//! Of some blocks of each group every window of [`WINDOW`] bytes is looked for in all other blocks of the program, at
//! multiples of eight bytes: what is common to two blocks and has 23 bytes or more contains such a window, wherever it
//! stands in either. From there the contents are compared in both directions.

mod common;
mod groups;
mod looked;
mod samples;
mod search;
mod share;
#[cfg(test)]
mod tests;
mod vanishing;

use deadweight_heap::{Heap, ObjectId};

use crate::place::Place;

pub use groups::{CopyGroup, copy_groups};
pub use share::Share;
pub use vanishing::Vanishing;

/// Bytes of a window: two words of the block in which it is looked for.
const WINDOW: usize = 16;

/// What is common to two blocks counts from so many bytes on: shorter stretches are found by chance in large texts,
/// and not all of them are found.
const SHORTEST: usize = 24;

/// Of a block so much must be elsewhere, in percent of its bytes that are not zero…
const CONTAINED: usize = 80;
/// … and of a group so many of its blocks, in percent.
const CONTAINED_BLOCKS: usize = 90;

/// Blocks that could go, since all that they hold is elsewhere, too.
#[derive(Clone, Debug)]
pub struct Copies {
    /// Where they are allocated; of several places the one with most content.
    pub place: Place,
    /// The blocks, in the order of rows.
    pub rows: Vec<ObjectId>,
    /// What does nothing but hold them, nearest first.
    pub holders: Vec<Vanishing>,
    /// Where their contents stand as well: names, and how much of the contents each has, in percent.
    pub sources: Vec<(String, f64)>,
    /// How much of those that were looked at is elsewhere.
    pub share: Share,
}

/// Looks for copies among some groups. No block is reported twice: of two groups that contain each other the one with more
/// content is the copy.
#[must_use]
pub fn copies(heap: &Heap, groups: Vec<CopyGroup>) -> Vec<Copies> {
    if groups.is_empty() {
        return Vec::new();
    }
    search::Search::new(heap, groups).all()
}

/// Windows are distinctive that are not mostly zero and not a pattern: numbers that count up are the same in many places.
fn is_distinctive(window: &[u8]) -> bool {
    const MOST_ZEROS: usize = 4;
    const FEWEST_VALUES: u32 = 8;
    let mut values = [0_u64; 4];
    let mut zeros = 0;
    for &byte in window {
        values[usize::from(byte >> 6)] |= 1 << (byte & 63);
        zeros += usize::from(byte == 0);
    }
    let different: u32 = values.iter().map(|bits| bits.count_ones()).sum();
    zeros <= MOST_ZEROS && different >= FEWEST_VALUES
}
