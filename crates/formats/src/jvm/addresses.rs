//! From ids to rows. Ids are addresses: rows are numbered in their order.
//!
//! No id is kept: a bit for each place that may have a row says which have one, and how many come before is the number
//! of the row.

use std::sync::atomic::{AtomicU64, Ordering};

use deadweight_heap::{RankedRows, RowSet};
use rayon::prelude::*;

use super::places::Places;

/// Bits that may be spent on a row to find it at once.
const BITS_A_ROW: u64 = 512;

/// What is true of all ids of a dump.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Ids {
    pub(super) count: u64,
    first: u64,
    least: u64,
    most: u64,
    /// Bits in which any of them differs from the first.
    differ: u64,
}

impl Ids {
    pub(super) fn add(&mut self, id: u64) {
        if self.count == 0 {
            (self.first, self.least, self.most) = (id, id, id);
        }
        self.count += 1;
        self.least = self.least.min(id);
        self.most = self.most.max(id);
        self.differ |= id ^ self.first;
    }

    pub(super) fn join(&mut self, others: Self) {
        match (self.count, others.count) {
            (_, 0) => {}
            (0, _) => *self = others,
            _ => {
                self.count += others.count;
                self.least = self.least.min(others.least);
                self.most = self.most.max(others.most);
                self.differ |= others.differ | (others.first ^ self.first);
            }
        }
    }
}

/// Who knows all rows in pieces, and shows them whenever someone asks.
pub(super) trait Pieces: Sync {
    fn pieces(&self) -> usize;

    /// Shows the id of each row of a piece, and where it stands in the file.
    fn each(&self, piece: usize, found: impl FnMut(u64, u64));
}

#[derive(Debug)]
pub(super) struct Addresses {
    lookup: Lookup,
    /// Where each row's sub-record stands in the file.
    at: Places,
}

#[derive(Debug)]
enum Lookup {
    /// Which places after the least id have a row.
    Near {
        least: u64,
        shift: u32,
        places: RankedRows,
    },
    /// All ids in order, where there are too many places.
    Far(Vec<u64>),
}

impl Lookup {
    fn of(rows: &impl Pieces, ids: &Ids) -> Self {
        let shift = ids.differ.trailing_zeros().min(63);
        let places = ((ids.most - ids.least) >> shift).saturating_add(1);
        let few = places < u64::from(u32::MAX) && places <= (ids.count + 1024).saturating_mul(BITS_A_ROW);
        let pieces = (0..rows.pieces()).into_par_iter();
        if few {
            let set = RowSet::none(places as usize);
            pieces.for_each(|piece| {
                rows.each(piece, |id, _| {
                    set.insert(((id - ids.least) >> shift) as u32);
                });
            });
            return Self::Near {
                least: ids.least,
                shift,
                places: set.ranked(),
            };
        }
        let mut all: Vec<u64> = Vec::with_capacity(ids.count as usize);
        (0..rows.pieces()).for_each(|piece| rows.each(piece, |id, _| all.push(id)));
        all.par_sort_unstable();
        all.dedup();
        Self::Far(all)
    }

    fn len(&self) -> usize {
        match self {
            Self::Near { places, .. } => places.len(),
            Self::Far(ids) => ids.len(),
        }
    }

    #[inline]
    fn row(&self, id: u64) -> Option<u32> {
        match self {
            Self::Near { least, shift, places } => {
                let behind = id.checked_sub(*least)?;
                let place = behind >> shift;
                let is_place = place << shift == behind && place < u64::from(u32::MAX);
                let rank = places.rank(u32::try_from(place).ok().filter(|_| is_place)?)?;
                Some(rank as u32)
            }
            Self::Far(ids) => ids.binary_search(&id).ok().map(|row| row as u32),
        }
    }
}

/// No row was found there yet.
const NOWHERE: u64 = u64::MAX;

impl Addresses {
    /// Numbers the rows. Of several with one id the first in the file counts.
    pub(super) fn new(rows: &impl Pieces, ids: &Ids) -> Self {
        let lookup = Lookup::of(rows, ids);
        let nowhere = (0..lookup.len()).into_par_iter().with_min_len(65_536);
        let at: Vec<AtomicU64> = nowhere.map(|_| AtomicU64::new(NOWHERE)).collect();
        let note = |id: u64, place: u64| {
            let row = lookup.row(id).map_or(usize::MAX, |row| row as usize);
            if let Some(at) = at.get(row)
                && at.load(Ordering::Relaxed) > place
            {
                at.store(place, Ordering::Relaxed);
            }
        };
        if lookup.len() as u64 == ids.count {
            let pieces = (0..rows.pieces()).into_par_iter();
            pieces.for_each(|piece| rows.each(piece, note));
        } else {
            // Two threads would not see which of two rows is the first.
            (0..rows.pieces()).for_each(|piece| rows.each(piece, note));
        }
        let at: Vec<u64> = at.into_iter().map(AtomicU64::into_inner).collect();
        Self {
            lookup,
            at: Places::of(&at),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.lookup.len()
    }

    /// Where a row's sub-record stands.
    #[inline]
    pub(super) fn at(&self, row: u32) -> usize {
        self.at.get(row as usize) as usize
    }

    #[inline]
    pub(super) fn row(&self, id: u64) -> Option<u32> {
        self.lookup.row(id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Listed(Vec<(u64, u64)>);

    impl Pieces for Listed {
        fn pieces(&self) -> usize {
            self.0.len().div_ceil(2)
        }

        fn each(&self, piece: usize, mut found: impl FnMut(u64, u64)) {
            let piece = self.0.iter().skip(2 * piece).take(2);
            piece.for_each(|&(id, at)| found(id, at));
        }
    }

    #[test]
    fn rows_are_found_near_and_far() {
        for far in [0x800, u64::MAX - 15] {
            let rows = Listed(vec![(0x110, 7), (0x100, 5), (far, 9), (0x100, 6)]);
            let mut ids = Ids::default();
            for pair in rows.0.chunks(2) {
                let mut piece = Ids::default();
                for &(id, _) in pair {
                    piece.add(id);
                }
                ids.join(piece);
            }
            let addresses = Addresses::new(&rows, &ids);
            assert_eq!(matches!(addresses.lookup, Lookup::Near { .. }), far == 0x800);
            let found = [0x100, 0x110, far].map(|id| addresses.row(id));
            assert_eq!(found, [Some(0), Some(1), Some(2)]);
            assert_eq!([0, 1, 2].map(|row| addresses.at(row)), [5, 7, 9]);
            assert!(
                [0, 0xF8, 0x108, 0x111, 0x900]
                    .iter()
                    .all(|&id| addresses.row(id).is_none())
            );
        }
    }
}
