//! Claims on whole objects, and what a record costs when it is laid out afresh.

use std::iter;

use deadweight_heap::{Heap, ObjectId, Parts, in_pieces};

use crate::Candidate;

/// What a rule claims of whole objects.
pub(crate) trait ClaimWhole {
    /// Claims an object with its pieces. Gives their bytes.
    fn claim_whole(&mut self, heap: &Heap, candidate: &mut Candidate, id: ObjectId) -> u64;

    /// Books a record as if a constructor had made it with `after` bytes: its pieces go, its row shrinks or grows.
    /// Gives its bytes now. The pieces stay when the record also has numbered slots, which are kept in one of them.
    fn lay_out(&mut self, heap: &Heap, candidate: &mut Candidate, record: ObjectId, after: u64) -> u64;
}

impl ClaimWhole for Parts {
    fn claim_whole(&mut self, heap: &Heap, candidate: &mut Candidate, id: ObjectId) -> u64 {
        claim_rows(heap, candidate, iter::once(id).chain(self.held(heap, id)))
    }

    fn lay_out(&mut self, heap: &Heap, candidate: &mut Candidate, record: ObjectId, after: u64) -> u64 {
        let row = heap.bytes(record);
        let mut now = row;
        if !has_numbered_slots(heap, record) {
            now += claim_rows(heap, candidate, self.held(heap, record));
        }
        if row > after {
            candidate.claim(record, row - after);
        } else if after > row {
            candidate.add_to(record, after - row);
        }
        now
    }
}

/// Claims all bytes of rows. Gives how many.
fn claim_rows(heap: &Heap, candidate: &mut Candidate, rows: impl Iterator<Item = ObjectId>) -> u64 {
    let mut sum = 0;
    for row in rows {
        let bytes = heap.bytes(row);
        if bytes > 0 {
            candidate.claim(row, bytes);
            sum += bytes;
        }
    }
    sum
}

/// Claims the objects that `of` finds in a list, with their pieces, on all threads.
pub(crate) fn claim_each<T: Sync>(
    heap: &Heap,
    candidate: &mut Candidate,
    list: &[T],
    of: impl Fn(&T) -> Option<ObjectId> + Sync + Send,
) {
    let pieces = in_pieces(list, |list| {
        let (mut found, mut parts) = (Candidate::at(""), Parts::default());
        for id in list.iter().filter_map(&of) {
            found.bytes_now += parts.claim_whole(heap, &mut found, id);
        }
        found
    });
    for found in pieces {
        candidate.absorb(found);
    }
}

/// Whether a record has slots with numbers for names, beside its fields.
pub(crate) fn has_numbered_slots(heap: &Heap, record: ObjectId) -> bool {
    heap.named(record).elements > 0
}
