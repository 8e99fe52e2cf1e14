//! Numbers and dates that are objects of the program's and never change.

use deadweight_heap::{Flags, Heap, Kind, Numeric, ObjectId};
use rayon::prelude::*;

use super::digests::{Digest, known_number, mix};

/// Those of a heap.
pub(super) struct Scalars<'h> {
    heap: &'h Heap,
    has_numbers: bool,
    has_dates: bool,
}

impl<'h> Scalars<'h> {
    pub(super) fn new(heap: &'h Heap) -> Self {
        Self {
            heap,
            has_numbers: heap.layout.are_values(Kind::Number),
            has_dates: heap.layout.are_values(Kind::Date),
        }
    }

    /// Whether a row is one of them, and nothing else's piece.
    pub(super) fn is_one(&self, row: ObjectId) -> bool {
        let is_value = match self.heap.kind(row) {
            Kind::Number => self.has_numbers,
            Kind::Date => self.has_dates,
            _ => false,
        };
        is_value
            && self.heap.in_program(row)
            && self.heap.bytes(row) > 0
            && !self.heap.objects.has(row, Flags::PART)
            && !self.heap.objects.has(row, Flags::EXTERNAL)
    }

    /// All of them.
    pub(super) fn rows(&self) -> impl ParallelIterator<Item = ObjectId> + '_ {
        let numbers = if self.has_numbers {
            &self.heap.numbers[..]
        } else {
            &[]
        };
        let dates = if self.has_dates { &self.heap.dates[..] } else { &[] };
        let numbers = numbers.par_iter().map(|number| number.object);
        let dates = dates.par_iter().map(|date| date.object);
        numbers.chain(dates).filter(|&row| self.is_one(row))
    }

    /// What is known of one.
    pub(super) fn digest(&self, row: ObjectId) -> Digest {
        Digest {
            value: scalar(self.heap, row).map_or(0, |value| value.max(1)),
            height: 0,
        }
    }
}

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
