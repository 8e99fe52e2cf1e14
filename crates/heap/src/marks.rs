//! A bit for each row, set by many threads.

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

/// One bit a row.
#[derive(Debug)]
pub struct Marks(Vec<AtomicU64>);

impl Marks {
    /// No marks, for so many rows.
    #[must_use]
    pub fn none(rows: usize) -> Self {
        Self((0..rows.div_ceil(64)).map(|_| AtomicU64::new(0)).collect())
    }

    /// Marks the rows that are `wanted`. Runs on all threads of the current pool.
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

    /// Marks some of so many rows.
    #[must_use]
    pub fn at(rows: usize, marked: impl IntoIterator<Item = u32>) -> Self {
        let marks = Self::none(rows);
        marked.into_iter().for_each(|row| marks.set(row));
        marks
    }

    /// Sets a mark.
    ///
    /// # Panics
    /// As all that follow: when there is no such row.
    pub fn set(&self, row: u32) {
        // A plain look first: the same rows are marked again and again.
        if !self.has(row) {
            self.0[row as usize / 64].fetch_or(1 << (row % 64), Ordering::Relaxed);
        }
    }

    /// Sets a mark and says whether it was there. Of several threads that set it at once one sees that it was not.
    pub fn replace(&self, row: u32) -> bool {
        self.has(row) || {
            let bit = 1 << (row % 64);
            self.0[row as usize / 64].fetch_or(bit, Ordering::Relaxed) & bit != 0
        }
    }

    /// Whether the row is marked.
    #[must_use]
    #[inline]
    pub fn has(&self, row: u32) -> bool {
        self.0[row as usize / 64].load(Ordering::Relaxed) >> (row % 64) & 1 == 1
    }

    /// All marked rows, in order.
    pub fn rows(&self) -> impl Iterator<Item = u32> + '_ {
        let words = (0..).zip(&self.0);
        words.flat_map(|(word, bits)| {
            let mut bits = bits.load(Ordering::Relaxed);
            std::iter::from_fn(move || {
                let bit = bits.trailing_zeros();
                bits &= bits.wrapping_sub(1);
                (bit < u64::BITS).then_some(word * u64::BITS + bit)
            })
        })
    }

    /// How many marked rows come before each 64 of them.
    #[must_use]
    pub fn ranks(&self) -> Vec<u32> {
        let words = self.0.iter().map(|word| word.load(Ordering::Relaxed));
        let before = words.scan(0, |before, word| {
            let here = *before;
            *before += word.count_ones();
            Some(here)
        });
        before.collect()
    }

    /// How many marked rows come before this one, by what [`Self::ranks`] gave.
    #[must_use]
    pub fn rank(&self, ranks: &[u32], row: u32) -> usize {
        let word = self.0[row as usize / 64].load(Ordering::Relaxed);
        let below = word & ((1 << (row % 64)) - 1);
        (ranks[row as usize / 64] + below.count_ones()) as usize
    }

    /// All marked rows, how many they are.
    #[must_use]
    pub fn count(&self) -> usize {
        let words = self.0.iter().map(|word| word.load(Ordering::Relaxed));
        words.map(|word| word.count_ones() as usize).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_count_the_marks_before() {
        let marked = [0, 1, 63, 64, 130, 199];
        let marks = Marks::at(200, marked);
        let ranks = marks.ranks();
        for (rank, row) in marked.into_iter().enumerate() {
            assert!(marks.has(row));
            assert_eq!(marks.rank(&ranks, row), rank);
        }
        assert!(!marks.has(2));
        assert_eq!(marks.count(), marked.len());
        assert!(marks.rows().eq(marked));
        assert!(Marks::of(200, |row| marked.contains(&row)).rows().eq(marked));
    }
}
