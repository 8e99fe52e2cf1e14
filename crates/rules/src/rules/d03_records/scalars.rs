//! What makes numbers and dates equal.

use deadweight_heap::{Heap, Kind, Numeric, ObjectId};

use super::digests::{known_number, mix};

/// Equal for equal numbers and dates; `None` where the value is not known. Dates are of one type. Where they are objects of the
/// program's, so are numbers, and what their fields refer to, such as a zone, is the same.
pub(super) fn scalar(heap: &Heap, row: ObjectId) -> Option<u64> {
    let kind = heap.kind(row);
    let (tag, value) = match kind {
        Kind::Date => (4, Numeric::of_float(heap.date(row)?.value)),
        _ => (3, heap.number(row)?.value()),
    };
    let known = known_number(tag, value)?;
    let of_type = u64::from(heap.objects.label[row as usize]);
    if !heap.layout.are_values(kind) {
        return Some(if kind == Kind::Date {
            mix(known, of_type)
        } else {
            known
        });
    }
    let refers = heap.edges.of(row).filter(|edge| edge.field().is_some());
    let refers = refers.map(|edge| mix(u64::from(edge.via.0), u64::from(edge.to)));
    Some(mix(mix(known, of_type), refers.fold(0, u64::wrapping_add)))
}
