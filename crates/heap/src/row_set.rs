//! A set of rows, one bit each, filled by many threads.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

/// A set of rows. A row beyond the last is never in it.
#[derive(Debug)]
pub struct RowSet(Vec<AtomicU64>);

impl RowSet {
    /// The empty set, with room for so many rows.
    #[must_use]
    pub fn none(rows: usize) -> Self {
        Self((0..rows.div_ceil(64)).map(|_| AtomicU64::new(0)).collect())
    }

    /// The rows that are `wanted`. Runs on all threads of the current pool.
    #[must_use]
    pub fn of(rows: usize, wanted: impl Fn(u32) -> bool + Sync) -> Self {
        let words = (0..rows.div_ceil(64)).into_par_iter().with_min_len(1024);
        let word = |word: usize| {
            let rows = (word * 64)..(word * 64 + 64).min(rows);
            let bits = rows
                .enumerate()
                .map(|(bit, row)| u64::from(wanted(row as u32)) << bit);
            AtomicU64::new(bits.fold(0, |word, bit| word | bit))
        };
        Self(words.map(word).collect())
    }

    /// Adds a row and says whether it is new. Of several threads that add it at once one adds it.
    pub fn insert(&self, row: u32) -> bool {
        let bit = 1 << (row % 64);
        // A plain look first: the same rows are added again and again.
        let word = self.0.get(row as usize / 64);
        let open = word.filter(|word| word.load(Ordering::Relaxed) & bit == 0);
        open.is_some_and(|word| word.fetch_or(bit, Ordering::Relaxed) & bit == 0)
    }

    /// Adds rows.
    pub fn extend(&self, rows: impl IntoIterator<Item = u32>) {
        for row in rows {
            self.insert(row);
        }
    }

    /// Whether the row is in the set.
    #[must_use]
    #[inline]
    pub fn has(&self, row: u32) -> bool {
        let word = self.0.get(row as usize / 64);
        word.is_some_and(|word| word.load(Ordering::Relaxed) >> (row % 64) & 1 == 1)
    }

    /// Puts a row into the set, or takes it out.
    pub fn put(&mut self, row: u32, present: bool) {
        if let Some(word) = self.0.get_mut(row as usize / 64) {
            let word = word.get_mut();
            *word = *word & !(1 << (row % 64)) | u64::from(present) << (row % 64);
        }
    }

    /// The rows of a range, in order. Where there are few, 64 are passed over at a time.
    pub fn within(&self, rows: Range<u32>) -> impl Iterator<Item = u32> + '_ {
        let first = rows.start as usize / 64;
        let end = (rows.end as usize).div_ceil(64).min(self.0.len()).max(first);
        let words = (first as u32..).zip(self.0.get(first..end).unwrap_or_default());
        words.flat_map(rows_of).filter(move |row| rows.contains(row))
    }

    /// The rows in order.
    pub fn rows(&self) -> impl Iterator<Item = u32> + '_ {
        (0..).zip(&self.0).flat_map(rows_of)
    }

    /// Number of rows.
    #[must_use]
    pub fn len(&self) -> usize {
        let words = self.0.iter().map(|word| word.load(Ordering::Relaxed));
        words.map(|word| word.count_ones() as usize).sum()
    }

    /// Whether there is no row.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|word| word.load(Ordering::Relaxed) == 0)
    }

    /// The set as it is now, with a number for each of its rows.
    #[must_use]
    pub fn ranked(self) -> RankedRows {
        let mut before = 0;
        let words = self.0.into_iter().map(|word| {
            let bits = word.into_inner();
            let ranked = (bits, before);
            before += bits.count_ones();
            ranked
        });
        RankedRows {
            words: words.collect(),
            len: before as usize,
        }
    }
}

/// The rows of one word of the set.
fn rows_of((word, bits): (u32, &AtomicU64)) -> impl Iterator<Item = u32> + use<> {
    let mut bits = bits.load(Ordering::Relaxed);
    std::iter::from_fn(move || {
        let bit = bits.trailing_zeros();
        bits &= bits.wrapping_sub(1);
        (bit < u64::BITS).then_some(word * u64::BITS + bit)
    })
}

/// Rows numbered from 0 in their order, so that a column can have a value for each of them and none for others.
#[derive(Debug)]
pub struct RankedRows {
    /// The rows of each 64, and how many come before them.
    words: Vec<(u64, u32)>,
    len: usize,
}

impl RankedRows {
    /// Number of rows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is no row.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Whether the row is one of them.
    #[must_use]
    #[inline]
    pub fn has(&self, row: u32) -> bool {
        let word = self.words.get(row as usize / 64);
        word.is_some_and(|(bits, _)| bits >> (row % 64) & 1 == 1)
    }

    /// The row's number.
    #[must_use]
    #[inline]
    pub fn rank(&self, row: u32) -> Option<usize> {
        let &(bits, before) = self.words.get(row as usize / 64)?;
        let bit = 1_u64 << (row % 64);
        (bits & bit != 0).then(|| (before + (bits & (bit - 1)).count_ones()) as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROWS: [u32; 6] = [0, 1, 63, 64, 130, 199];

    #[test]
    fn rows_come_and_go_and_those_of_a_range_are_found() {
        let mut set = RowSet::none(200);
        set.extend(ROWS);
        set.put(64, false);
        set.put(65, true);
        set.put(500, true);
        assert_eq!(set.rows().collect::<Vec<_>>(), [0, 1, 63, 65, 130, 199]);
        assert_eq!(set.within(1..130).collect::<Vec<_>>(), [1, 63, 65]);
        assert_eq!(set.within(63..131).collect::<Vec<_>>(), [63, 65, 130]);
        assert_eq!(set.within(130..1000).collect::<Vec<_>>(), [130, 199]);
        assert_eq!(set.within(300..1000).count() + set.within(5..5).count(), 0);
    }

    #[test]
    fn rows_are_in_it_once_and_none_beyond_the_last() {
        let set = RowSet::none(200);
        assert!(set.is_empty());
        for row in ROWS {
            assert!(set.insert(row));
            assert!(!set.insert(row));
            assert!(set.has(row));
        }
        assert!(!set.has(2) && !set.has(1000));
        assert!(!set.insert(1000));
        assert_eq!(set.len(), ROWS.len());
        assert!(set.rows().eq(ROWS));
        assert!(RowSet::of(200, |row| ROWS.contains(&row)).rows().eq(ROWS));
    }

    #[test]
    fn ranks_count_the_rows_before() {
        let set = RowSet::none(200);
        set.extend(ROWS);
        let ranked = set.ranked();
        for (rank, row) in ROWS.into_iter().enumerate() {
            assert_eq!(ranked.rank(row), Some(rank));
        }
        assert_eq!((ranked.rank(2), ranked.rank(1000)), (None, None));
        assert_eq!(
            (ranked.len(), ranked.has(64), ranked.has(65)),
            (ROWS.len(), true, false)
        );
        assert!(RowSet::none(0).ranked().is_empty());
    }
}
