//! Heaps that the tests of the rule's parts make, and what it finds in them.

use deadweight_heap::{HeapBuilder, ObjectId};

use super::Capacity;
use crate::{Candidate, Rule};

pub(super) fn keep(heap: &mut HeapBuilder, field: &str, value: ObjectId) {
    let node = heap.record("Node", &[(field, value)]);
    heap.variable("nodes", node);
}

pub(super) fn look(heap: HeapBuilder) -> Vec<Candidate> {
    Capacity.look(&heap.build()).candidates
}

/// A block of which the first bytes are a text without zeros.
pub(super) fn filled(heap: &mut HeapBuilder, site: &str, requested: usize, used: usize) -> ObjectId {
    let mut content = vec![0; requested];
    content[..used].fill(b'x');
    heap.block(site, &content)
}
