//! The layout of heaps that tests build.

use crate::{Implementation, Layout, Order, Packing, RecordShape, Representation, TableKind, Width, Wording};

/// A simple layout for tests: 16-byte headers, fields as declared, 8-byte references, 32-bit small integers. Beside the
/// [usual](Implementation::USUAL) arrays and tables it has those of [`CHAINED`].
#[derive(Clone, Copy, Debug)]
pub struct BuilderLayout;

/// Records to which any code may add fields: they have a reference of eight bytes more, and room for an even number of
/// fields, two at least more than they have.
pub const OPEN: Implementation = Implementation(2);

/// Lists that keep their slots behind a count of 16 bytes more, and tables of a node of 32 bytes for each entry.
pub const CHAINED: Implementation = Implementation(1);

/// Arrays that keep each element in a node.
pub const NODES: Implementation = Implementation(2);

impl Layout for BuilderLayout {
    fn strings_are_immutable(&self) -> bool {
        true
    }

    fn wording(&self) -> Wording {
        Wording {
            fields: Some("`fields`"),
            no_fields: Some("`no fields`"),
            weak_place: Some("`weak`"),
            pairs: Some("in one buffer"),
            ..Wording::default()
        }
    }

    fn record(&self, shape: &RecordShape<'_>) -> u64 {
        let packing = Packing {
            header: 16,
            reference: 8,
            order: Order::Declared,
        };
        packing.bytes(shape).next_multiple_of(8)
    }
    fn record_as(&self, of: Implementation, fixed: &RecordShape<'_>, open: u64) -> u64 {
        let (reference, room) = if of == OPEN {
            (1, (open + 2).next_multiple_of(2))
        } else {
            (0, open)
        };
        self.record(&RecordShape {
            inherited: Some(fixed),
            fields: &[Representation::Any.times(reference + room)],
        })
    }
    fn takes_fields(&self, of: Implementation) -> bool {
        of == OPEN
    }
    fn shape(&self, fields: u64) -> u64 {
        72 + 24 * fields
    }
    fn string(&self, units: u64, width: Width) -> u64 {
        (16 + width.bytes() * units).next_multiple_of(8)
    }
    fn cut_string(&self, object_bytes: u64, units: u64, width: Width) -> u64 {
        object_bytes - 16 + self.string(units, width)
    }
    fn elements(&self, elements: Representation, count: u64) -> u64 {
        elements.bytes(8) * count
    }
    fn array(&self, of: Implementation, elements: Representation, count: u64) -> u64 {
        let bytes = self.elements(elements, count).next_multiple_of(8);
        let more = if of == CHAINED { 16 } else { 0 };
        if count == 0 { 32 } else { 48 + more + bytes }
    }
    fn array_for_nodes(&self, of: Implementation) -> Option<Implementation> {
        (of == NODES).then_some(Implementation::USUAL)
    }
    /// Room of half as much again as there is, and nothing for the call itself.
    fn joined(&self, entries: u64, _: u64) -> Option<u64> {
        let room = entries + entries / 2;
        Some(self.array(Implementation::USUAL, Representation::Any, room))
    }
    fn table(&self, of: Implementation, kind: TableKind, entries: u64) -> Option<u64> {
        let slots = entries.next_power_of_two().max(4);
        match (of, kind) {
            (CHAINED, _) => Some(48 + 8 * slots + 32 * entries),
            (Implementation::USUAL, TableKind::Map) => Some(88 + 24 * slots),
            (Implementation::USUAL, TableKind::Set) => Some(88 + 16 * slots),
            _ => None,
        }
    }
    /// Room for four texts more, and then 24 bytes a slot of as many slots as are a power of two.
    fn more_interned(&self, texts: u64) -> Option<u64> {
        Some(if texts <= 4 {
            0
        } else {
            24 * texts.next_power_of_two()
        })
    }
    fn without_store(&self, _: Implementation, _: Option<TableKind>) -> Option<u64> {
        Some(32)
    }
    fn entry(&self, of: Implementation) -> u64 {
        if of == CHAINED { 32 } else { 0 }
    }
    fn boxed(&self, value: Representation) -> u64 {
        8 + value.bytes(8).next_multiple_of(8)
    }
    fn date(&self) -> u64 {
        96
    }
    fn small_integers(&self) -> Option<(i64, i64)> {
        Some((i64::from(i32::MIN), i64::from(i32::MAX)))
    }
    fn small_integer_bytes(&self) -> u64 {
        4
    }
    fn view(&self) -> u64 {
        96
    }
    /// A byte a code, eight for each value, and 500 around both.
    fn coded_column(&self, rows: u64, values: u64, _: bool) -> Option<u64> {
        Some(rows + 8 * values + 500)
    }
}
