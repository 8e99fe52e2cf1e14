//! What something beside windows keeps, too.

use deadweight_heap::{Heap, Kind, ObjectId, RowSet, StringForm};

use super::pins::Pin;

/// Of what is pinned, that which something beside windows keeps, too.
pub(super) fn held_otherwise<'p>(
    heap: &Heap,
    pins: impl Iterator<Item = &'p Pin>,
    unsure: &[ObjectId],
) -> RowSet {
    let pinned = pins.flat_map(|pin| [Some(pin.row), pin.own]).flatten();
    let asked = heap.row_set(pinned.chain(unsure.iter().copied()));
    let is_window = |from: ObjectId| {
        let owner = heap.owner(from);
        let form = heap.string_form(owner);
        heap.in_program(owner) && (form == Some(StringForm::Slice) || heap.kind(owner) == Kind::Buffer)
    };
    heap.held_otherwise(&asked, |reference| {
        reference.keeps() && !is_window(reference.from)
    })
}
