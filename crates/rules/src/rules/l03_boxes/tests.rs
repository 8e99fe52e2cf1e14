//! What the whole rule finds and says.

use deadweight_heap::HeapBuilder;

use super::*;
use crate::Candidate;

pub(super) const T: f64 = 1_700_000_000_000.0;

pub(super) fn look(heap: &Heap, variant: &str) -> Vec<Candidate> {
    let all = Boxes.look(heap).candidates;
    all.into_iter().filter(|c| c.variant == variant).collect()
}

#[test]
fn without_values_it_says_so() {
    let mut heap = HeapBuilder::new();
    heap.coverage(|coverage| {
        coverage.numbers = Presence::Absent;
        coverage.texts = Presence::Absent;
    });
    assert_eq!(Boxes.look(&heap.build()).not_measured.len(), 2);
}
