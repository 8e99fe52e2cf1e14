//! The layout of heaps that tests build, with other whole numbers in its slots.

use super::BuilderLayout;
use crate::{Implementation, Kind, Layout, RecordShape, Representation, TableKind, Width};

/// [`BuilderLayout`] of a runtime whose slots hold other whole numbers.
#[derive(Clone, Copy, Debug)]
pub struct OtherIntegers {
    /// The smallest and largest whole number that a slot of any value holds; `None` where none does.
    pub in_slots: Option<(i64, i64)>,
    /// Raw bytes that a whole number in a field holds.
    pub bytes: u64,
    /// Whether the fields of a date belong to its value.
    pub typed_dates: bool,
}

impl Layout for OtherIntegers {
    fn are_typed(&self, kind: Kind) -> bool {
        self.typed_dates && kind == Kind::Date
    }
    fn small_integers(&self) -> Option<(i64, i64)> {
        self.in_slots
    }
    fn small_integer_bytes(&self) -> u64 {
        self.bytes
    }
    fn record(&self, shape: &RecordShape<'_>) -> u64 {
        BuilderLayout.record(shape)
    }
    fn elements(&self, elements: Representation, count: u64) -> u64 {
        BuilderLayout.elements(elements, count)
    }
    fn shape(&self, fields: u64) -> u64 {
        BuilderLayout.shape(fields)
    }
    fn string(&self, units: u64, width: Width) -> u64 {
        BuilderLayout.string(units, width)
    }
    fn array(&self, of: Implementation, elements: Representation, count: u64) -> u64 {
        BuilderLayout.array(of, elements, count)
    }
    fn table(&self, of: Implementation, kind: TableKind, entries: u64) -> Option<u64> {
        BuilderLayout.table(of, kind, entries)
    }
    fn boxed(&self, value: Representation) -> u64 {
        BuilderLayout.boxed(value)
    }
    fn date(&self) -> u64 {
        BuilderLayout.date()
    }
    fn view(&self) -> u64 {
        BuilderLayout.view()
    }
}
