//! What makes numbers and dates equal.

use deadweight_heap::{Heap, Kind, Numeric, ObjectId};

use super::digests::{known_number, mix};

/// Equal for equal numbers and dates; `None` where the value is not known. Equal dates have one type. Where type and fields belong
/// to the value, equal numbers have one type as well, and equal dates refer to the same zone.
pub(super) fn scalar(heap: &Heap, row: ObjectId) -> Option<u64> {
    let kind = heap.kind(row);
    let (tag, value) = match kind {
        Kind::Date => (4, Numeric::of_float(heap.date(row)?.value)),
        _ => (3, heap.number(row)?.value()),
    };
    let known = known_number(tag, value)?;
    let is_typed = heap.layout.are_typed(kind);
    if kind == Kind::Number && !is_typed {
        return Some(known);
    }
    let typed = mix(known, u64::from(heap.objects.label[row as usize]));
    if !is_typed {
        return Some(typed);
    }
    let refers = heap.edges.of(row).filter(|edge| edge.field().is_some());
    let refers = refers.map(|edge| mix(u64::from(edge.via.0), u64::from(edge.to)));
    Some(mix(typed, refers.fold(0, u64::wrapping_add)))
}
