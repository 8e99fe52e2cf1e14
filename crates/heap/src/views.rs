//! What views on bytes would take with bytes of their own.

use crate::{Buffer, Heap, Implementation};

impl Heap {
    /// Bytes that are charged for a copy of `bytes` bytes of a view, which the view then shows. The copy is an array in the
    /// heap where the view looks on one, else a block outside of the heap.
    #[must_use]
    pub fn copy_behind(&self, view: &Buffer, bytes: u64) -> u64 {
        let owner = self.buffer(view.backing);
        if owner.is_none_or(|owner| !owner.has_bytes_inside()) {
            return self.allocator.charged(bytes);
        }
        let count = bytes.div_ceil(view.elements.bytes(1).max(1));
        self.layout.array(Implementation::USUAL, view.elements, count)
    }
}

#[cfg(test)]
mod tests {
    use crate::{HeapBuilder, Implementation, Representation};

    #[test]
    fn a_copy_is_an_array_where_the_bytes_stand_in_one() {
        let mut heap = HeapBuilder::new();
        let elements = Representation::Integer(4);
        let numbers = heap.numbers(elements, &[7; 1000]);
        let pool = heap.buffer(4000, 0, 1);
        let [within, outside] = [numbers, pool].map(|of| heap.view(of, 40));
        heap.variable("within", within).variable("outside", outside);
        let heap = heap.build();
        let copy = |view| heap.buffer(view).map(|view| heap.copy_behind(view, 40));
        let array = heap.layout.array(Implementation::USUAL, elements, 10);
        assert_eq!(copy(within), Some(array));
        assert_eq!(copy(outside), Some(heap.allocator.charged(40)));
        assert_ne!(copy(within), copy(outside));
    }
}
