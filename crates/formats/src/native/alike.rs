//! Blocks that are alike in all that their names are found by, so that these are looked up once and not for each block.

use rustc_hash::FxHashMap;

/// What a block's type and place are found by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Likeness {
    /// The first word, where it may be the address of a virtual table.
    pub table: Option<u64>,
    /// Who asked for it.
    pub stack: u32,
    /// Its bytes, where nobody knows who asked for it; else 0.
    pub size: u64,
}

/// Which of some blocks are alike.
#[derive(Debug, Default)]
pub(super) struct Alike {
    /// For each block a row of `all`.
    pub of: Vec<u32>,
    /// Each once, in the order of the first blocks that have it.
    pub all: Vec<Likeness>,
    rows: FxHashMap<Likeness, u32>,
}

impl Alike {
    /// Adds a block.
    pub fn push(&mut self, likeness: Likeness) {
        // Neighbours often are alike.
        let before = self.of.last().copied();
        let row = match before {
            Some(before) if self.all[before as usize] == likeness => before,
            _ => self.row(likeness),
        };
        self.of.push(row);
    }

    /// The row of a likeness, a new one if it is the first.
    fn row(&mut self, likeness: Likeness) -> u32 {
        let all = &mut self.all;
        *self.rows.entry(likeness).or_insert_with(|| {
            all.push(likeness);
            (all.len() - 1) as u32
        })
    }
}
