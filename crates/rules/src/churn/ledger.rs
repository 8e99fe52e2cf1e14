//! Grants every byte that was made to one finding at most.

use std::collections::BTreeMap;

use deadweight_heap::Churn;
use deadweight_heap::churn::RowId;
use rustc_hash::FxHashMap;

use super::ChurnCandidate;

/// How many bytes of each row are still made after the fixes granted so far.
#[derive(Clone, Debug)]
pub struct ChurnLedger {
    left: Vec<u64>,
    /// What was granted of each row, to which booking.
    granted: FxHashMap<RowId, Vec<(usize, u64)>>,
    bookings: usize,
}

impl ChurnLedger {
    /// Every byte still made.
    #[must_use]
    pub fn new(churn: &Churn) -> Self {
        let left = churn.rows.iter().map(|row| row.bytes).collect();
        Self {
            left,
            granted: FxHashMap::default(),
            bookings: 0,
        }
    }

    /// Bytes of a row that are still made.
    #[must_use]
    pub fn left(&self, row: RowId) -> u64 {
        self.left.get(row as usize).copied().unwrap_or_default()
    }

    /// What a candidate would save now, were it booked; 0 when it would cost more than it spares.
    #[must_use]
    pub fn offer(&self, candidate: &ChurnCandidate) -> u64 {
        let mut taken: FxHashMap<RowId, u64> = FxHashMap::default();
        let mut spared = 0;
        for claim in &candidate.claims {
            let before = taken.entry(claim.row).or_default();
            let bytes = claim.bytes.min(self.left(claim.row) - *before);
            *before += bytes;
            spared += bytes;
        }
        spared.saturating_sub(candidate.overhead)
    }

    /// Books a candidate and says what it saves, in bytes. One that would save nothing is not booked.
    pub fn book(&mut self, candidate: &ChurnCandidate) -> u64 {
        let saves = self.offer(candidate);
        if saves > 0 {
            for claim in &candidate.claims {
                if let Some(left) = self.left.get_mut(claim.row as usize) {
                    let bytes = claim.bytes.min(*left);
                    *left -= bytes;
                    self.granted
                        .entry(claim.row)
                        .or_default()
                        .push((self.bookings, bytes));
                }
            }
            self.bookings += 1;
        }
        saves
    }

    /// Counts a candidate that is not booked, so that bookings have the numbers of candidates.
    pub fn pass(&mut self) {
        self.bookings += 1;
    }

    /// What a candidate claims that is granted already: the number of the booking, from 0, and bytes.
    #[must_use]
    pub fn shared(&self, candidate: &ChurnCandidate) -> Vec<(usize, u64)> {
        let mut wanted: BTreeMap<RowId, u64> = BTreeMap::new();
        for claim in &candidate.claims {
            *wanted.entry(claim.row).or_default() += claim.bytes;
        }
        let mut shared: BTreeMap<usize, u64> = BTreeMap::new();
        for (row, bytes) in wanted {
            let mut short = bytes.saturating_sub(self.left(row));
            for &(booking, granted) in self.granted.get(&row).into_iter().flatten() {
                let bytes = granted.min(short);
                if bytes > 0 {
                    *shared.entry(booking).or_default() += bytes;
                    short -= bytes;
                }
            }
        }
        shared.into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use deadweight_heap::{ChurnBuilder, Kind};

    use super::*;

    #[test]
    fn a_byte_is_granted_once() {
        let own = ChurnBuilder::own("f", "a.rb", 3);
        let mut churn = ChurnBuilder::new();
        let row = churn.allocated(std::slice::from_ref(&own), Kind::String, "String", 10, 40);
        let churn = churn.build();
        let mut ledger = ChurnLedger::new(&churn);
        let mut first = ChurnCandidate::at(&own);
        first.claim(row, 300);
        first.claim(row, 50);
        assert_eq!(ledger.book(&first), 350);
        let mut second = ChurnCandidate::at(&own);
        second.claim(row, 300);
        second.claim(row, 300);
        assert_eq!(ledger.offer(&second), 50);
        assert_eq!(ledger.shared(&second), [(0, 350)]);
        second.overhead = 50;
        assert_eq!(ledger.book(&second), 0);
        assert_eq!(ledger.left(row), 50);
    }
}
