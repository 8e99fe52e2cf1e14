//! The buffers of one place that would take less in another form.

use deadweight_heap::{Flags, Heap, ObjectId};

use crate::Candidate;

/// Fewer small buffers of zeros at one place are not worth a change…
const SEVERAL: u64 = 16;
/// … and neither are fewer bytes.
const LEAST: u64 = 4096;
/// How many buffers a place needs, all of them zeros, before the smallest ones count.
pub(super) const MANY: u64 = 256;

/// The buffers of one place.
#[derive(Default)]
pub(super) struct Place {
    pub(super) sparse: Vec<Sparse>,
    /// Smaller ones in which nothing stands.
    pub(super) small: Vec<Sparse>,
    /// Still smaller ones in which nothing stands.
    pub(super) tiny: Vec<Sparse>,
    /// Whether something stands in one too small to be judged by its words, or it is not known.
    pub(super) is_in_use: bool,
    pub(super) unaffected: u64,
    /// Bytes of those that are filled at their front and need no indices.
    pub(super) cut: u64,
}

impl Place {
    /// Small ones count where there are many, and the smallest where the place has nothing else.
    pub(super) fn settle(&mut self) {
        let is_in_use = self.is_in_use || self.unaffected > 0;
        if !is_in_use && (self.tiny.len() + self.small.len()) as u64 >= MANY {
            self.small.append(&mut self.tiny);
        }
        self.unaffected += self.tiny.len() as u64;
        let bytes: u64 = self.small.iter().map(|buffer| buffer.now).sum();
        if self.small.len() as u64 >= SEVERAL && bytes >= LEAST {
            self.sparse.append(&mut self.small);
        } else {
            self.unaffected += self.small.len() as u64;
        }
    }
}

/// A buffer that would take less in another form.
pub(super) struct Sparse {
    pub(super) row: ObjectId,
    /// The objects on the heap that show it, with their pieces: they go with a buffer that is not made.
    pub(super) beside: Vec<ObjectId>,
    pub(super) now: u64,
    pub(super) after: u64,
    /// Bytes that were asked for, which are the ones that were looked at.
    pub(super) bytes: u64,
    pub(super) zeros: u64,
    pub(super) words: u64,
}

impl Sparse {
    pub(super) fn claim_beside(&self, heap: &Heap, candidate: &mut Candidate) {
        for &row in &self.beside {
            let bytes = heap.bytes(row);
            candidate.bytes_now += bytes;
            candidate.claim(row, bytes);
        }
    }
}

/// The rows of the heap that these objects and their pieces are, but for the one of the bytes.
pub(super) fn beside(heap: &Heap, objects: impl Iterator<Item = ObjectId>, row: ObjectId) -> Vec<ObjectId> {
    let mut rows: Vec<ObjectId> = objects
        .flat_map(|object| heap.parts_of(object).into_iter().chain([object]))
        .filter(|&of| of != row && heap.bytes(of) > 0 && !heap.objects.has(of, Flags::EXTERNAL))
        .collect();
    rows.sort_unstable();
    rows.dedup();
    rows
}
