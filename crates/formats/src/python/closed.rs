//! What becomes of the program's classes once they say which attributes their instances have.

use deadweight_heap::{Edges, OfLibrary, Types};

use super::layout::implementations::WEAKLY_REFERRED;
use super::outline::Outline;
use super::scan::Scanned;
use super::whose::Whose;

/// What puts attributes into the dictionaries of instances when they are first read.
const FILLING: &str = "functools.cached_property";

/// Notes which classes have to stay open, and which need room for weak references when they are closed.
pub(super) fn note(
    bytes: &[u8],
    outline: &Outline,
    scanned: &Scanned,
    edges: &Edges,
    whose: &Whose,
    types: &mut Types,
) {
    let named = |ty: &u32| outline.name(bytes, outline.types[*ty as usize].name) == FILLING;
    let filling = (0..outline.types.len() as u32).find(named);
    let fills = |class: u32| {
        let row = outline.types[class as usize].row;
        let (Some(row), Some(filling)) = (row, filling) else {
            return false;
        };
        let mut values = edges.of(row).filter_map(|edge| scanned.ty.get(edge.to as usize));
        values.any(|ty| *ty == filling)
    };
    let own = (0..outline.types.len() as u32).filter(|&ty| whose.is_own_type(ty));
    for class in own.filter(|&class| outline.types[class as usize].is_open()) {
        if outline.lineage(class).any(fills) {
            types.note_library(class, OfLibrary::default());
        }
        let mut bases = outline.lineage(class).skip(1);
        let is_weak = outline.types[class as usize].is_weakly_referred()
            || bases.any(|base| outline.types[base as usize].declares_weak());
        if is_weak {
            types.note_closed(class, WEAKLY_REFERRED);
        }
    }
}
