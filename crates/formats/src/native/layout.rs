//! What other blocks would cost a native program.

use deadweight_allocators::by_name;
use deadweight_heap::{
    Allocator, Exact, Implementation, Layout, Order, Packing, RecordShape, Representation, Request,
    TableKind, Width,
};

/// Bytes of a reference.
pub(super) const WORD: u64 = 8;

/// The model of the allocator of that name; one that charges what is asked when there is none.
pub(super) fn allocator(name: &str) -> Box<dyn Allocator> {
    match by_name(name) {
        Some(model) => model,
        None => Box::new(Exact),
    }
}

/// Structs, arrays and characters as C lays them out, each in a block of its own.
#[derive(Debug)]
pub(super) struct NativeLayout {
    pub allocator: Box<dyn Allocator>,
    /// Whether the program has the library of C++.
    pub has_cpp: bool,
}

impl Layout for NativeLayout {
    /// As compilers lay out structs: in the order of the source, each field aligned to its size.
    fn record(&self, shape: &RecordShape<'_>) -> u64 {
        let packing = Packing {
            header: 0,
            reference: WORD,
            order: Order::Declared,
        };
        let bytes = packing.bytes(shape);
        self.allocator.charge(Request::with(bytes, shape.refers()))
    }
    fn shape(&self, _: u64) -> u64 {
        0
    }
    fn has_short_texts(&self) -> bool {
        self.has_cpp
    }
    fn string(&self, units: u64, width: Width) -> u64 {
        let with_its_end = units.saturating_add(1);
        self.allocator.charged(with_its_end.saturating_mul(width.bytes()))
    }
    fn elements(&self, elements: Representation, count: u64) -> u64 {
        elements.bytes(WORD).saturating_mul(count)
    }
    fn array(&self, _: Implementation, elements: Representation, count: u64) -> u64 {
        if count == 0 {
            0
        } else {
            let bytes = self.elements(elements, count);
            self.allocator.charge(Request::with(bytes, elements.refers()))
        }
    }
    fn table(&self, _: Implementation, _: TableKind, _: u64) -> Option<u64> {
        None
    }
    fn boxed(&self, value: Representation) -> u64 {
        self.record_of(value, 1)
    }
    fn date(&self) -> u64 {
        WORD
    }
    fn small_integers(&self) -> Option<(i64, i64)> {
        Some((i64::MIN, i64::MAX))
    }
    fn small_integer_bytes(&self) -> u64 {
        WORD
    }
    fn view(&self) -> u64 {
        2 * WORD
    }
}
