//! An object's internal pieces.

use rustc_hash::FxHashSet;

use crate::{EdgeKind, Flags, Heap, ObjectId};

/// Objects have a few pieces; a broken dump may give one a million.
const FEW: usize = 16;

/// Room to look up the pieces of one object after another, so that nothing is allocated for each.
#[derive(Debug, Default)]
pub struct Parts {
    found: Vec<ObjectId>,
    /// The same, as soon as they are many.
    many: FxHashSet<ObjectId>,
}

impl Parts {
    /// The pieces of an object, pieces of pieces included, each once: those that its object refers to first come first.
    pub fn of(&mut self, heap: &Heap, id: ObjectId) -> &[ObjectId] {
        self.found.clear();
        self.many.clear();
        let mut owner = id;
        let mut next = 0;
        loop {
            let whole = heap.objects.has(owner, Flags::WHOLE);
            let edges = whole.then(|| heap.edges.of(owner)).into_iter().flatten();
            // An object refers to its pieces in ways that no program writes.
            for edge in edges.filter(|edge| edge.via.kind() == EdgeKind::Internal) {
                // A dump that makes an object a piece of itself must not send us in circles.
                if edge.to != id && is_part_of(heap, edge.to, owner) && self.is_new(edge.to) {
                    self.found.push(edge.to);
                }
            }
            let Some(&part) = self.found.get(next) else {
                return &self.found;
            };
            next += 1;
            owner = part;
        }
    }

    /// Those of them that the runtime's own heap is charged for.
    pub fn held<'p>(&'p mut self, heap: &'p Heap, id: ObjectId) -> impl Iterator<Item = ObjectId> + 'p {
        let parts = self.of(heap, id).iter().copied();
        parts.filter(|&part| !heap.objects.has(part, Flags::EXTERNAL))
    }

    fn is_new(&mut self, part: ObjectId) -> bool {
        if self.found.len() < FEW {
            return !self.found.contains(&part);
        }
        self.many.extend(&self.found[self.many.len()..]);
        !self.many.contains(&part)
    }
}

impl Heap {
    /// The object's internal pieces, pieces of pieces included, each once.
    #[must_use]
    pub fn parts_of(&self, id: ObjectId) -> Vec<ObjectId> {
        let mut parts = Parts::default();
        parts.of(self, id);
        parts.found
    }

    /// Bytes of an object with its pieces, those outside the runtime's heap excluded.
    #[must_use]
    pub fn whole_bytes(&self, id: ObjectId) -> u64 {
        let mut parts = Parts::default();
        let pieces = parts.held(self, id).map(|part| self.bytes(part));
        self.bytes(id) + pieces.sum::<u64>()
    }
}

fn is_part_of(heap: &Heap, part: ObjectId, owner: ObjectId) -> bool {
    heap.objects.has(part, Flags::PART) && heap.objects.fact[part as usize] == owner
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{HeapBuilder, Kind};

    #[test]
    fn pieces_of_pieces_are_found_once() {
        let mut heap = HeapBuilder::new();
        let whole = heap.object(Kind::Opaque, "whole", 10);
        let first = heap.object(Kind::Opaque, "first", 20);
        let second = heap.object(Kind::Opaque, "second", 30);
        heap.part(whole, first).part(first, second);
        heap.edge(whole, EdgeKind::Internal, 1, first);
        let heap = heap.build();
        assert_eq!(heap.parts_of(whole), [first, second]);
        assert_eq!(heap.whole_bytes(whole), 60);
    }

    #[test]
    fn many_pieces_are_found_once_each() {
        let mut heap = HeapBuilder::new();
        let whole = heap.object(Kind::Opaque, "whole", 10);
        for _ in 0..3 * FEW {
            let part = heap.object(Kind::Opaque, "part", 1);
            heap.part(whole, part).edge(whole, EdgeKind::Internal, 1, part);
        }
        assert_eq!(heap.build().parts_of(whole).len(), 3 * FEW);
    }

    #[test]
    fn a_piece_of_itself_ends() {
        let mut heap = HeapBuilder::new();
        let a = heap.object(Kind::Opaque, "a", 10);
        let b = heap.object(Kind::Opaque, "b", 20);
        heap.part(a, b).part(b, a).part(b, b);
        let heap = heap.build();
        assert!(heap.parts_of(a).len() <= 1);
        assert!(heap.parts_of(b).len() <= 1);
    }
}
