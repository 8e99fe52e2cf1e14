//! What other blocks would cost a native program.

use deadweight_allocators::by_name;
use deadweight_heap::{Allocator, Exact, Layout, TableKind, Width};

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
}

impl Layout for NativeLayout {
    fn slot(&self) -> u64 {
        WORD
    }
    fn record(&self, fields: u64) -> u64 {
        self.allocator.charged(fields.saturating_mul(WORD))
    }
    fn shape(&self, _: u64) -> u64 {
        0
    }
    fn string(&self, units: u64, width: Width) -> u64 {
        let bytes = if width == Width::One { 1 } else { 2 };
        self.allocator
            .charged(units.saturating_mul(bytes).saturating_add(bytes))
    }
    fn array(&self, slots: u64) -> u64 {
        if slots == 0 { 0 } else { self.record(slots) }
    }
    fn table(&self, _: TableKind, _: u64) -> Option<u64> {
        None
    }
    fn boxed_number(&self) -> u64 {
        self.record(1)
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
