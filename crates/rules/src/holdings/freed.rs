//! What a candidate frees, by place.

use deadweight_heap::RowNumbers;

use crate::Claim;

/// What is freed, by place.
#[derive(Debug)]
pub(super) struct FreedAt {
    sums: Vec<i64>,
    /// The places where something was freed.
    seen: Vec<u32>,
}

impl FreedAt {
    pub(super) fn none(places: usize) -> Self {
        Self {
            sums: vec![0; places],
            seen: Vec::new(),
        }
    }

    pub(super) fn add(&mut self, at: u32, bytes: i64) {
        let sum = &mut self.sums[at as usize];
        if *sum == 0 {
            self.seen.push(at);
        }
        *sum += bytes;
    }

    pub(super) fn add_claims(&mut self, places: &RowNumbers, claims: impl Iterator<Item = Claim>, sign: i64) {
        for claim in claims {
            if let Some(at) = places.get(claim.object) {
                self.add(at, sign * i64::from(claim.bytes));
            }
        }
    }

    /// What was added up, in the order of places; nothing from now on.
    pub(super) fn take(&mut self) -> Vec<(u32, i64)> {
        // A place whose sum came back to zero in between was noted twice.
        self.seen.sort_unstable();
        self.seen.dedup();
        let seen = self.seen.drain(..);
        seen.map(|at| (at, std::mem::take(&mut self.sums[at as usize])))
            .filter(|(_, bytes)| *bytes != 0)
            .collect()
    }
}
