//! From ids to rows. Ids are addresses: rows are numbered in their order.

use deadweight_heap::{RankedRows, RowSet};
use rayon::prelude::*;

/// Bits that may be spent on a row to find it at once.
const BITS_A_ROW: u64 = 512;

#[derive(Debug)]
pub(super) struct Addresses {
    ids: Vec<u64>,
    /// Where each row's sub-record stands in the file.
    at: Vec<u64>,
    least: u64,
    shift: u32,
    /// Which places after the least id have a row, when there are few enough places.
    places: Option<RankedRows>,
}

impl Addresses {
    /// Takes ids with the places of their rows, in any order. Of several rows with one id the first in the file counts.
    pub(super) fn new(mut rows: Vec<(u64, u64)>) -> Self {
        rows.par_sort_unstable();
        rows.dedup_by_key(|(id, _)| *id);
        let least = rows.first().map_or(0, |(id, _)| *id);
        let span = rows.last().map_or(0, |(id, _)| id - least);
        let differ = rows
            .par_iter()
            .map(|(id, _)| id - least)
            .reduce(|| 0, |a, b| a | b);
        let shift = differ.trailing_zeros().min(63);
        let places = (span >> shift) + 1;
        let few =
            places < u64::from(u32::MAX) && places <= (rows.len() as u64 + 1024).saturating_mul(BITS_A_ROW);
        let places = few.then(|| {
            let set = RowSet::none(places as usize);
            rows.par_iter().with_min_len(65_536).for_each(|(id, _)| {
                set.insert(((id - least) >> shift) as u32);
            });
            set.ranked()
        });
        let (ids, at) = rows.into_par_iter().unzip();
        Self {
            ids,
            at,
            least,
            shift,
            places,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.ids.len()
    }

    pub(super) fn id(&self, row: u32) -> u64 {
        self.ids[row as usize]
    }

    /// Where a row's sub-record stands.
    pub(super) fn at(&self, row: u32) -> usize {
        self.at[row as usize] as usize
    }

    #[inline]
    pub(super) fn row(&self, id: u64) -> Option<u32> {
        match &self.places {
            Some(places) => {
                let behind = id.checked_sub(self.least)?;
                let place = behind >> self.shift;
                let is_place = place << self.shift == behind && place < u64::from(u32::MAX);
                let rank = places.rank(u32::try_from(place).ok().filter(|_| is_place)?)?;
                Some(rank as u32)
            }
            None => self.ids.binary_search(&id).ok().map(|row| row as u32),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_found_near_and_far() {
        for far in [0x800, u64::MAX - 15] {
            let rows = vec![(0x110, 7), (0x100, 5), (far, 9), (0x100, 6)];
            let addresses = Addresses::new(rows);
            assert_eq!(addresses.places.is_some(), far == 0x800);
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
