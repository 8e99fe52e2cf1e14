//! Which finding was the first to take bytes of each row, so that what two fixes both free is known.

use std::collections::BTreeMap;

use deadweight_heap::Heap;

use crate::{Candidate, Ledger};

/// No finding has taken anything.
const NOBODY: u16 = u16::MAX;

/// The last finding that is distinguished from others; later ones are many and tiny, and their overlaps are not reported.
const LAST: usize = u16::MAX as usize - 1;

/// The first taker of each row, two bytes each.
#[derive(Debug)]
pub(crate) struct Takers(Vec<u16>);

impl Takers {
    pub(crate) fn new(heap: &Heap) -> Self {
        Self(vec![NOBODY; heap.objects.len()])
    }

    /// What earlier findings have taken of a candidate's claims, in bytes by the finding's number; negative where
    /// they have added to what it removes.
    pub(crate) fn before(&self, ledger: &Ledger<'_>, candidate: &Candidate) -> Vec<(usize, i64)> {
        let mut taken: BTreeMap<u16, i64> = BTreeMap::new();
        for claim in candidate.claims.iter() {
            if !ledger.is_touched(claim.object) {
                continue;
            }
            let taker = self.0.get(claim.object as usize);
            let Some(&taker) = taker.filter(|taker| **taker != NOBODY) else {
                continue;
            };
            let short = i64::from(claim.bytes) - ledger.granted(claim).cast_signed();
            if short != 0 {
                *taken.entry(taker).or_default() += short;
            }
        }
        taken
            .into_iter()
            .filter(|(_, bytes)| *bytes != 0)
            .map(|(taker, bytes)| (usize::from(taker), bytes))
            .collect()
    }

    /// Notes that a finding has taken its claims.
    pub(crate) fn mark(&mut self, candidate: &Candidate, finding: usize) {
        if finding > LAST {
            return;
        }
        for claim in candidate.claims.iter().chain(candidate.overhead_rows.iter()) {
            if let Some(taker) = self
                .0
                .get_mut(claim.object as usize)
                .filter(|taker| **taker == NOBODY)
            {
                *taker = finding as u16;
            }
        }
    }
}
