//! An object's internal pieces, and what a record costs when it is laid out afresh.

use deadweight_heap::{Flags, Heap, ObjectId, UNKNOWN};

use crate::Candidate;
use crate::fields::in_pieces;

/// Looks up the internal pieces of one object after another without allocating for each.
#[derive(Debug, Default)]
pub(crate) struct Parts {
    found: Vec<ObjectId>,
}

impl Parts {
    /// The pieces of an object that its runtime's heap is charged for, pieces of pieces included, each once.
    pub(crate) fn of(&mut self, heap: &Heap, id: ObjectId) -> &[ObjectId] {
        self.found.clear();
        let mut owner = id;
        let mut next = 0;
        loop {
            let start = self.found.len();
            let whole = heap.objects.has(owner, Flags::WHOLE);
            let edges = whole.then(|| heap.edges.of(owner)).into_iter().flatten();
            for edge in edges {
                // A dump that makes an object a piece of itself must not send us in circles.
                if edge.to != id && is_part_of(heap, edge.to, owner) {
                    self.found.push(edge.to);
                }
            }
            self.found[start..].sort_unstable();
            let mut kept = start;
            for i in start..self.found.len() {
                if i == start || self.found[i] != self.found[kept - 1] {
                    self.found[kept] = self.found[i];
                    kept += 1;
                }
            }
            self.found.truncate(kept);
            let Some(&part) = self.found.get(next) else {
                break;
            };
            owner = part;
            next += 1;
        }
        self.found
            .retain(|&part| !heap.objects.has(part, Flags::EXTERNAL));
        &self.found
    }

    /// Claims an object with its pieces. Gives their bytes.
    pub(crate) fn claim_whole(&mut self, heap: &Heap, candidate: &mut Candidate, id: ObjectId) -> u64 {
        let mut bytes = heap.bytes(id);
        if bytes > 0 {
            candidate.claim(id, bytes);
        }
        for &part in self.of(heap, id) {
            let of_part = heap.bytes(part);
            if of_part > 0 {
                candidate.claim(part, of_part);
                bytes += of_part;
            }
        }
        bytes
    }

    /// Books a record as if a constructor had made it with `fields` fields: its pieces go, its row shrinks or grows.
    /// Gives its bytes now. The pieces stay when the record also has numbered slots, which are kept in one of them.
    pub(crate) fn lay_out(
        &mut self,
        heap: &Heap,
        candidate: &mut Candidate,
        record: ObjectId,
        fields: u64,
    ) -> u64 {
        let row = heap.bytes(record);
        let after = heap.layout.record(fields);
        let mut now = row;
        if !has_numbered_slots(heap, record) {
            for &part in self.of(heap, record) {
                let of_part = heap.bytes(part);
                if of_part > 0 {
                    candidate.claim(part, of_part);
                    now += of_part;
                }
            }
        }
        if row > after {
            candidate.claim(record, row - after);
        } else if after > row {
            candidate.give(record, after - row);
        }
        now
    }
}

/// Claims the objects that `of` tells of a list, with their pieces, on all threads.
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

/// Bytes a record gains with `more` fields beside the `fields` it has.
pub(crate) fn growth(heap: &Heap, fields: u32, more: u64) -> u64 {
    if fields == UNKNOWN {
        return more * heap.layout.slot();
    }
    let fields = u64::from(fields);
    let (now, after) = (heap.layout.record(fields), heap.layout.record(fields + more));
    after.saturating_sub(now)
}

/// Whether a record has slots with numbers for names, beside its fields.
pub(crate) fn has_numbered_slots(heap: &Heap, record: ObjectId) -> bool {
    heap.named(record).elements > 0
}

fn is_part_of(heap: &Heap, part: ObjectId, owner: ObjectId) -> bool {
    let flags = heap.objects.flags.get(part as usize);
    flags.is_some_and(|flags| flags.has(Flags::PART)) && heap.objects.fact[part as usize] == owner
}

#[cfg(test)]
mod tests {
    use deadweight_heap::{EdgeKind, HeapBuilder, Kind};

    use super::*;

    #[test]
    fn pieces_of_pieces_are_found_once() {
        let mut heap = HeapBuilder::new();
        let whole = heap.object(Kind::Opaque, "whole", 10);
        let first = heap.object(Kind::Opaque, "first", 20);
        let second = heap.object(Kind::Opaque, "second", 30);
        heap.part(whole, first).part(first, second);
        heap.edge(whole, EdgeKind::Internal, 1, first);
        let heap = heap.build();
        let mut candidate = Candidate::at("x");
        assert_eq!(Parts::default().claim_whole(&heap, &mut candidate, whole), 60);
        assert_eq!(candidate.net(), 60);
    }

    #[test]
    fn a_piece_of_itself_ends() {
        let mut heap = HeapBuilder::new();
        let a = heap.object(Kind::Opaque, "a", 10);
        let b = heap.object(Kind::Opaque, "b", 20);
        heap.part(a, b).part(b, a).part(b, b);
        let heap = heap.build();
        assert!(Parts::default().of(&heap, a).len() <= 1);
        assert!(Parts::default().of(&heap, b).len() <= 1);
    }
}
