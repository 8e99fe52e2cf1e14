//! The rows that are pieces of others, and whose pieces they are.

use std::sync::atomic::{AtomicU32, Ordering};

use deadweight_heap::{NONE, RowSet};
use rayon::prelude::*;

use crate::jvm::decode::Dump;

/// Rows that one thread takes at a time.
pub(super) const PIECE: u32 = 1 << 14;

/// Which rows are pieces, and whose.
pub(in crate::jvm) struct Owners {
    owner: Vec<AtomicU32>,
    /// Rows that a reference leads to, and those that more than one does.
    once: RowSet,
    several: RowSet,
    /// Characters that several strings have in common.
    pub(in crate::jvm) shared_characters: RowSet,
}

impl Owners {
    /// Counts the references to all rows; `held` are those that the roots lead to.
    pub(in crate::jvm) fn new(dump: &Dump<'_>, held: &[u32]) -> Self {
        let rows = dump.rows();
        let (once, several) = (RowSet::none(rows as usize), RowSet::none(rows as usize));
        let note = |to: u32| {
            if !once.insert(to) {
                several.insert(to);
            }
        };
        each_piece(rows, |range| {
            for row in range {
                dump.each_target(row, note);
            }
        });
        held.iter().copied().for_each(note);
        Self {
            owner: (0..rows).into_par_iter().map(|_| AtomicU32::new(NONE)).collect(),
            once,
            several,
            shared_characters: RowSet::none(rows as usize),
        }
    }

    /// Makes a row a piece of another, where nothing else refers to it and it is nobody's yet.
    pub(super) fn claim(&self, part: u32, owner: u32) -> bool {
        part != owner
            && !self.several.has(part)
            && self.owner[part as usize]
                .compare_exchange(NONE, owner, Ordering::Relaxed, Ordering::Relaxed)
                .is_ok()
    }

    /// Whether any reference leads to a row.
    pub(in crate::jvm) fn is_referred_to(&self, row: u32) -> bool {
        self.once.has(row)
    }

    /// Whose piece a row is.
    #[inline]
    pub(in crate::jvm) fn of(&self, row: u32) -> Option<u32> {
        let owner = self.owner[row as usize].load(Ordering::Relaxed);
        (owner != NONE).then_some(owner)
    }

    pub(in crate::jvm) fn into_column(self) -> Vec<u32> {
        self.owner.into_iter().map(AtomicU32::into_inner).collect()
    }
}

pub(super) fn each_piece(rows: u32, look: impl Fn(std::ops::Range<u32>) + Sync) {
    (0..rows.div_ceil(PIECE)).into_par_iter().for_each(|piece| {
        look(piece * PIECE..((piece + 1) * PIECE).min(rows));
    });
}
