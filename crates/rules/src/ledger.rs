//! Weighs every byte once.

use deadweight_heap::{Flags, Heap, ObjectId};
use rustc_hash::FxHashMap;

use crate::{Candidate, Claim};

/// How many bytes of each row are left after the fixes granted so far.
#[derive(Debug)]
pub struct Ledger<'h> {
    heap: &'h Heap,
    /// Rows that a fix has changed, with the bytes left.
    changed: FxHashMap<ObjectId, u64>,
}

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
        Self {
            heap,
            changed: FxHashMap::default(),
        }
    }

    /// Bytes of a row after the fixes granted so far.
    #[must_use]
    pub fn left(&self, object: ObjectId) -> u64 {
        self.changed
            .get(&object)
            .copied()
            .unwrap_or_else(|| self.heap.bytes(object))
    }

    /// What a claim would be granted now. A row that vanishes takes along what earlier fixes added to it.
    #[must_use]
    pub fn granted(&self, claim: &Claim) -> u64 {
        let left = self.left(claim.object);
        if claim.bytes > 0 && claim.bytes >= self.heap.bytes(claim.object) {
            left
        } else {
            claim.bytes.min(left)
        }
    }

    /// Bytes of the runtime's own rows that granted fixes free: dead weight, so no longer counted as the runtime's.
    #[must_use]
    pub fn freed_of_runtime(&self) -> u64 {
        let freed = |(&id, &left): (&ObjectId, &u64)| {
            if self.heap.is_runtime(id) && !self.heap.objects.has(id, Flags::EXTERNAL) {
                self.heap.bytes(id).saturating_sub(left)
            } else {
                0
            }
        };
        self.changed.iter().map(freed).sum()
    }

    /// Books a candidate. A claim is granted as far as its row has bytes left; what the fix adds is given back to
    /// the rows that stay. A candidate that would not save anything after those before it is not booked at all.
    pub fn book(&mut self, candidate: &Candidate) -> Grant {
        let mut undo: Vec<Claim> = Vec::with_capacity(candidate.claims.len() + candidate.gives.len());
        let mut freed = 0_u64;
        for claim in &candidate.claims {
            let left = self.left(claim.object);
            let granted = self.granted(claim);
            undo.push(Claim {
                object: claim.object,
                bytes: left,
            });
            self.changed.insert(claim.object, left - granted);
            freed += granted;
        }
        let mut added = candidate.added;
        for give in &candidate.gives {
            let left = self.left(give.object);
            undo.push(Claim {
                object: give.object,
                bytes: left,
            });
            self.changed.insert(give.object, left + give.bytes);
            added += give.bytes;
        }
        if freed <= added {
            for was in undo.into_iter().rev() {
                self.changed.insert(was.object, was.bytes);
            }
            return Grant::default();
        }
        Grant { saves: freed - added }
    }
}
