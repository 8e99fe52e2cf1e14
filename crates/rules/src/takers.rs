//! Which findings have taken bytes of each row, so that what several fixes free is known.

use std::collections::BTreeMap;

use deadweight_heap::Heap;
use rustc_hash::FxHashMap;

use crate::{Candidate, Ledger};

/// No finding has taken anything.
const NOBODY: u16 = 0;

/// Findings in the order in which they took, by number.
pub(crate) type Earlier = Box<[u16]>;

/// The most sets of findings that are distinguished: later ones are many and tiny, and their overlaps are not reported.
const MOST: usize = u16::MAX as usize;

/// The findings that have taken of each row, two bytes each: the number of a set.
#[derive(Debug)]
pub(crate) struct Takers {
    rows: Vec<u16>,
    sets: Vec<Earlier>,
    /// Those that put texts into the runtime's own table.
    interning: Vec<u16>,
}

impl Takers {
    pub(crate) fn new(heap: &Heap) -> Self {
        Self {
            rows: vec![NOBODY; heap.objects.len()],
            sets: vec![Earlier::default()],
            interning: Vec::new(),
        }
    }

    /// What earlier findings have taken of a candidate's claims, in bytes by all findings that claim the same;
    /// negative where they have added to what it removes.
    pub(crate) fn before(&self, ledger: &Ledger<'_>, candidate: &Candidate) -> Vec<(Earlier, i64)> {
        let mut taken: BTreeMap<u16, i64> = BTreeMap::new();
        for claim in candidate.claims.iter() {
            if !ledger.is_touched(claim.object) {
                continue;
            }
            let set = self.rows.get(claim.object as usize);
            let Some(&set) = set.filter(|set| **set != NOBODY) else {
                continue;
            };
            let short = i64::from(claim.bytes) - ledger.granted(candidate, claim).cast_signed();
            if short != 0 {
                *taken.entry(set).or_default() += short;
            }
        }
        let taken = taken.into_iter().filter(|(_, bytes)| *bytes != 0);
        let mut taken: Vec<(Earlier, i64)> = taken
            .map(|(set, bytes)| (self.sets[usize::from(set)].clone(), bytes))
            .collect();
        taken.sort_unstable();
        taken
    }

    /// What the runtime's own table of texts takes more for a candidate after earlier findings than for it alone; negative where these
    /// have made the room that it takes.
    pub(crate) fn interned(&self, ledger: &Ledger<'_>, candidate: &Candidate) -> Option<(Earlier, i64)> {
        let alone = candidate.interns.as_ref()?.alone.cast_signed();
        let more = ledger.interned(candidate).cast_signed() - alone;
        (more != 0 && !self.interning.is_empty()).then(|| (self.interning.clone().into_boxed_slice(), more))
    }

    /// Notes that a finding has taken its claims.
    pub(crate) fn mark(&mut self, candidate: &Candidate, finding: usize) {
        let Ok(finding) = u16::try_from(finding) else {
            return;
        };
        if candidate.interns.is_some() {
            self.interning.push(finding);
        }
        let Self { rows, sets, .. } = self;
        let mut with_it: FxHashMap<u16, u16> = FxHashMap::default();
        for claim in candidate.claims.iter().chain(candidate.overhead_rows.iter()) {
            let Some(row) = rows.get_mut(claim.object as usize) else {
                continue;
            };
            if sets[usize::from(*row)].last() == Some(&finding) {
                continue;
            }
            *row = *with_it.entry(*row).or_insert_with(|| {
                let (set, number) = (&sets[usize::from(*row)], sets.len());
                if number > MOST {
                    return *row;
                }
                let larger = set.iter().copied().chain([finding]).collect();
                sets.push(larger);
                number as u16
            });
        }
    }
}
