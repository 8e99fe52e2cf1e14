//! Buffers by the bytes they stand on: a backing with its own object and the views on it.

use deadweight_heap::{Buffer, Heap, HolderId, Holders, NONE};

/// Every buffer of the program, pieces of others included, those on one backing side by side and the backing's own object first.
pub struct Backings<'h> {
    buffers: Vec<&'h Buffer>,
}

/// Buffers that stand on the same bytes; never empty. One without a backing row stands alone.
pub type OnOne<'a, 'h> = &'a [&'h Buffer];

impl<'h> Backings<'h> {
    /// Sorts all buffers.
    #[must_use]
    pub fn new(heap: &'h Heap) -> Self {
        let mut buffers: Vec<&Buffer> = heap
            .buffers
            .iter()
            // The object of a backing with a single view is a part of that view.
            .filter(|buffer| !heap.is_runtime(buffer.object) && !heap.is_of_library(buffer.object))
            .collect();
        buffers.sort_unstable_by_key(|buffer| (buffer.backing, !buffer.is_backing, buffer.object));
        Self { buffers }
    }

    /// Those on each backing, in the order of backings.
    pub fn iter(&self) -> impl Iterator<Item = OnOne<'_, 'h>> {
        self.buffers
            .chunk_by(|a, b| a.backing != NONE && a.backing == b.backing)
    }
}

/// The place that a person would name: that of the first view with a known one, else that of the first object.
pub fn holder_of(on_one: OnOne<'_, '_>, holders: &Holders<'_>) -> HolderId {
    for view in on_one.iter().filter(|buffer| !buffer.is_backing) {
        let holder = holders.of(view.object);
        if holders.is_known(holder) {
            return holder;
        }
    }
    holders.of(on_one[0].object)
}
