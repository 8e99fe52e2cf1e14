//! What the whole rule finds.

use deadweight_heap::HeapBuilder;

use super::EqualBuffers;
use crate::{Candidate, Rule};

pub(super) fn look(heap: HeapBuilder) -> Vec<Candidate> {
    EqualBuffers.look(&heap.build()).candidates
}
