//! What something beside windows keeps, too.

use deadweight_heap::{EdgeKind, Heap, Kind, ObjectId, StringForm};
use rayon::prelude::*;
use rustc_hash::FxHashSet;

use super::pins::Pin;

/// Of what is pinned, that which something beside windows keeps, too.
pub(super) fn held_otherwise(heap: &Heap, pins: &[Pin], unsure: &[ObjectId]) -> FxHashSet<ObjectId> {
    if pins.is_empty() && unsure.is_empty() {
        return FxHashSet::default();
    }
    let mut asked = vec![false; heap.objects.len()];
    let rows = pins.iter().flat_map(|pin| [Some(pin.row), pin.own]).flatten();
    for row in rows.chain(unsure.iter().copied()) {
        if let Some(asked) = asked.get_mut(row as usize) {
            *asked = true;
        }
    }
    let is_window = |from: ObjectId| {
        let owner = heap.owner(from);
        let form = heap.string_form(owner);
        heap.in_program(owner) && (form == Some(StringForm::Slice) || heap.kind(owner) == Kind::Buffer)
    };
    heap.rows()
        .into_par_iter()
        .with_min_len(4096)
        .flat_map_iter(|from| {
            let asked = &asked;
            heap.edges
                .of(from)
                .filter(move |edge| {
                    edge.via.kind() != EdgeKind::Weak
                        && edge.to != from
                        && asked.get(edge.to as usize).is_some_and(|&asked| asked)
                        && !is_window(from)
                })
                .map(|edge| edge.to)
        })
        .collect::<Vec<_>>()
        .into_iter()
        .collect()
}
