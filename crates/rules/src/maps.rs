//! Maps in whose place something smaller can stand.

use deadweight_heap::{Heap, Table};

/// A map of the program that an object with a few fields can replace. The map keeps its keys alive as the object would, and its
/// class adds neither methods nor fields, which the object would lack.
pub(crate) fn is_replaceable(heap: &Heap, table: &Table) -> bool {
    let ty = heap.objects.label[table.object as usize];
    let is_extended = heap.types.of_library(ty).is_some_and(|of| !of.whole);
    !table.set
        && !is_extended
        && heap.in_program(table.object)
        && heap.layout.keeps_keys(table.implementation)
        && !heap.has_fields_beside_entries(table.object)
}
