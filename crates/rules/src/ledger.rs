//! Weighs every byte once.

use std::ops::Range;

use deadweight_heap::{Flags, Heap, ObjectId, Request, RowSet};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::interning::InternedSoFar;
use crate::relaid::RelaidSoFar;
use crate::remains::Remains;
use crate::{Candidate, Claim};

/// How many bytes of each row are left after the fixes granted so far.
#[derive(Debug)]
pub struct Ledger<'h> {
    heap: &'h Heap,
    /// Rows of which something was claimed, or to which something was added; of all others all bytes are left.
    touched: RowSet,
    /// Of those, the rows that are gone.
    gone: RowSet,
    /// What is left of the rest of them.
    left: Remains,
    /// Bytes of their requests that rows no longer have, of those that fixes made shorter.
    shorter: FxHashMap<ObjectId, u32>,
    /// What they have put into the runtime's own table of texts.
    interned: InternedSoFar,
    /// The fields that they have changed.
    relaid: RelaidSoFar,
}

/// Rows that one thread takes at a time.
const PIECE: ObjectId = 1 << 16;

/// What the ledger granted to one candidate, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Grant {
    /// Freed, additions taken off.
    pub saves: u64,
}

impl<'h> Ledger<'h> {
    /// Every byte still where it is.
    #[must_use]
    pub fn new(heap: &'h Heap) -> Self {
        let rows = heap.objects.len();
        Self {
            heap,
            touched: heap.no_rows(),
            gone: heap.no_rows(),
            left: Remains::none(rows),
            shorter: FxHashMap::default(),
            interned: InternedSoFar::default(),
            relaid: RelaidSoFar::default(),
        }
    }

    /// What the runtime's own table of texts would take more for a candidate now.
    pub(crate) fn interned(&self, candidate: &Candidate) -> u64 {
        let interns = candidate.interns.as_ref();
        interns.map_or(0, |interns| self.interned.adds(self.heap, interns).1)
    }

    /// A candidate as it is after the fixes granted so far have changed its records; `None` where it is as it was.
    #[must_use]
    pub(crate) fn relaid(&self, candidate: &Candidate) -> Option<Candidate> {
        self.relaid.apply(self.heap, candidate)
    }

    /// Takes a candidate's claims on rows that no fix frees away.
    pub fn admit(&self, candidate: &mut Candidate) {
        if self.heap.fixed.shared.is_some() {
            candidate
                .claims
                .retain(|claim| !self.heap.is_shared(claim.object));
        }
    }

    /// Bytes of a row after the fixes granted so far.
    #[must_use]
    pub fn left(&self, object: ObjectId) -> u64 {
        self.left_of(object, || self.heap.bytes(object))
    }

    /// The same for a row of so many bytes.
    fn left_of(&self, object: ObjectId, bytes: impl FnOnce() -> u64) -> u64 {
        if !self.touched.has(object) {
            bytes()
        } else if self.gone.has(object) {
            0
        } else {
            self.left.get(object)
        }
    }

    /// Of these rows, those of which something was claimed, or to which something was added.
    pub(crate) fn touched(&self, rows: Range<ObjectId>) -> impl Iterator<Item = ObjectId> + '_ {
        self.touched.within(rows)
    }

    /// Whether something was claimed of a row, or added to it.
    pub(crate) fn is_touched(&self, row: ObjectId) -> bool {
        self.touched.has(row)
    }

    fn set(&mut self, object: ObjectId, left: u64) {
        self.set_of(object, self.heap.bytes(object), left);
    }

    /// The same for a row of so many bytes.
    fn set_of(&mut self, object: ObjectId, bytes: u64, left: u64) {
        if object as usize >= self.heap.objects.len() {
            return;
        }
        let was_partly = self.touched.has(object) && !self.gone.has(object);
        let is_whole = left == bytes;
        self.touched.put(object, !is_whole);
        self.gone.put(object, !is_whole && left == 0);
        if !is_whole && left > 0 {
            self.left.put(object, left);
        } else if was_partly {
            self.left.remove(object);
        }
    }

    /// What a candidate's claim would be granted now. A row that vanishes takes along what earlier fixes added to it; what
    /// several fixes make shorter is charged for what is left after all of them: sizes fall by steps.
    #[must_use]
    pub fn granted(&self, candidate: &Candidate, claim: Claim) -> u64 {
        let whole = self.heap.bytes(claim.object);
        let left = self.left_of(claim.object, || whole);
        granted(self.claimed(candidate, claim), whole, left)
    }

    /// A claim as it is after earlier fixes made its row shorter, or gave it another form.
    fn claimed(&self, candidate: &Candidate, mut claim: Claim) -> Claim {
        let reshaped = candidate.reshaped.get(&claim.object);
        if let Some(&bytes) = reshaped.filter(|_| self.touched.has(claim.object)) {
            claim.bytes = bytes;
        }
        let less = candidate.shorter.get(&claim.object);
        let before = less.and_then(|_| self.shorter.get(&claim.object));
        if let (Some(&less), Some(&before)) = (less, before) {
            let freed = shorter(self.heap, claim.object, before.into(), less.into());
            claim.bytes = u32::try_from(freed).unwrap_or(u32::MAX);
        }
        claim
    }

    /// What a candidate would save now, were it booked; 0 when it would cost more than it frees.
    #[must_use]
    pub fn offer(&self, candidate: &Candidate) -> u64 {
        let counts = |claim: &&Claim| !(candidate.as_they_are && self.touched.has(claim.object));
        let of_part = |claims: &[Claim]| {
            let granted = claims
                .iter()
                .filter(counts)
                .map(|&claim| self.granted(candidate, claim));
            granted.sum::<u64>()
        };
        let all: u64 = candidate.claims.par_parts().map(of_part).sum();
        let spared = self.spared(candidate).into_iter();
        let spared: u64 = spared.map(|(_, claim)| self.granted(candidate, claim)).sum();
        let moot = self.moot(candidate);
        let overhead: u64 = overhead_rows(candidate, &moot)
            .map(|extra| u64::from(extra.bytes))
            .sum();
        (all - spared).saturating_sub(overhead + candidate.overhead + self.interned(candidate))
    }

    /// The rows that a candidate would add to if earlier fixes had not taken them away. What takes the place of a row
    /// that it claims itself is added all the same.
    fn moot(&self, candidate: &Candidate) -> FxHashSet<ObjectId> {
        let rows = candidate.overhead_rows.iter().map(|extra| extra.object);
        let mut moot: FxHashSet<ObjectId> = rows.filter(|&row| self.gone.has(row)).collect();
        if !moot.is_empty() {
            for claim in candidate.claims.iter() {
                moot.remove(&claim.object);
            }
        }
        moot
    }

    /// Bytes of the runtime's own rows that granted fixes free: dead weight, so no longer counted as the runtime's.
    #[must_use]
    pub fn freed_of_runtime(&self) -> u64 {
        let freed = |id: ObjectId| {
            // Most rows that fixes free are the program's: what is left of those need not be looked up.
            let counts = self.heap.is_runtime(id) && !self.heap.objects.has(id, Flags::EXTERNAL);
            if counts {
                self.heap.bytes(id).saturating_sub(self.left(id))
            } else {
                0
            }
        };
        let pieces = self.heap.rows().into_par_iter().step_by(PIECE as usize);
        let of_piece = |start: ObjectId| {
            self.touched(start..start.saturating_add(PIECE))
                .map(freed)
                .sum::<u64>()
        };
        pieces.map(of_piece).sum()
    }

    /// The claims that are not booked with their places, ascending: where the copy that a fix would keep is gone, the first of its
    /// copies that is still there stays in its place.
    fn spared(&self, candidate: &Candidate) -> Vec<(usize, Claim)> {
        let is_gone = |row: ObjectId| self.left(row) == 0;
        let mut replaced: FxHashSet<ObjectId> = FxHashSet::default();
        let gone = candidate.claims.copies().filter(|(_, kept, _)| is_gone(*kept));
        gone.filter(|(_, kept, claim)| !is_gone(claim.object) && replaced.insert(*kept))
            .map(|(at, _, claim)| (at, claim))
            .collect()
    }

    /// Books a candidate. A claim is granted as far as its row has bytes left; what the fix adds is given back to
    /// the rows that stay. A candidate that would not save anything after those before it is not booked at all.
    pub fn book(&mut self, candidate: &Candidate) -> Grant {
        let mut spared = self.spared(candidate).into_iter().peekable();
        let moot = self.moot(candidate);
        let overhead_rows: Vec<Claim> = overhead_rows(candidate, &moot).collect();
        let interned = self.interned(candidate);
        let overhead = candidate.overhead
            + interned
            + overhead_rows
                .iter()
                .map(|extra| u64::from(extra.bytes))
                .sum::<u64>();
        // The way back, as long as it may be needed: most candidates are worth their cost after a few claims.
        let mut undo: Vec<(ObjectId, u64)> = Vec::new();
        let mut freed = 0_u64;
        for (at, claim) in candidate.claims.iter().enumerate() {
            if spared.next_if(|(spared, _)| *spared == at).is_some() {
                continue;
            }
            let whole = self.heap.bytes(claim.object);
            let left = self.left_of(claim.object, || whole);
            let granted = granted(self.claimed(candidate, claim), whole, left);
            if granted == 0 {
                continue;
            }
            if freed <= overhead {
                undo.push((claim.object, left));
            }
            self.set_of(claim.object, whole, left - granted);
            freed += granted;
        }
        if freed <= overhead {
            for (object, left) in undo.into_iter().rev() {
                self.set(object, left);
            }
            return Grant::default();
        }
        if let Some(relaid) = &candidate.relaid {
            self.relaid.add(relaid);
        }
        for (&row, &less) in &candidate.shorter {
            *self.shorter.entry(row).or_default() += less;
        }
        for extra in overhead_rows {
            let left = self.left(extra.object);
            self.set(extra.object, left + u64::from(extra.bytes));
        }
        if let Some(interns) = &candidate.interns {
            let left = self.left(interns.table);
            self.set(interns.table, left + interned);
            self.interned.add(self.heap, interns);
        }
        Grant {
            saves: freed - overhead,
        }
    }
}

/// What a row is charged less when `less` bytes of its request go, of which `before` are gone already.
pub(crate) fn shorter(heap: &Heap, row: ObjectId, before: u64, less: u64) -> u64 {
    let requested = heap.blocks.requested(row).unwrap_or(0);
    let charge = |less: u64| {
        let refers = heap.edges.of(row).next().is_some();
        heap.allocator
            .charge(Request::with(requested.saturating_sub(less), refers))
    };
    charge(before).saturating_sub(charge(before + less))
}

/// What a candidate adds to rows that are still there.
fn overhead_rows<'c>(
    candidate: &'c Candidate,
    moot: &'c FxHashSet<ObjectId>,
) -> impl Iterator<Item = Claim> + use<'c> {
    let overhead_rows = candidate.overhead_rows.iter();
    overhead_rows.filter(|extra| !moot.contains(&extra.object))
}

/// What a claim on a row of so many bytes is granted when so many are left.
fn granted(claim: Claim, whole: u64, left: u64) -> u64 {
    let bytes = u64::from(claim.bytes);
    let vanishes = bytes > 0 && bytes >= whole;
    if bytes >= left || vanishes { left } else { bytes }
}

#[cfg(test)]
mod tests;
