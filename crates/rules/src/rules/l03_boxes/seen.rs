//! What the values of a field are: how many of each sort, and between which numbers.

use deadweight_heap::{Edge, Heap, Kind, ObjectId};

use super::LEAST;
use super::sort::{self, sorts_of, whole};
use crate::fields::{Tally, is_nothing, is_plain_text};

/// What one field of one type holds.
#[derive(Debug)]
pub(super) struct Seen {
    pub(super) boxes: u64,
    pub(super) unknown_boxes: u64,
    pub(super) dates: u64,
    /// Every number is known and whole.
    pub(super) whole: bool,
    pub(super) least: f64,
    pub(super) most: f64,
    pub(super) nothing: u64,
    pub(super) strings: u64,
    /// Sorts that every text is of.
    pub(super) sorts: u8,
    /// Length of the texts, and which letters they have, for ids.
    pub(super) length: usize,
    pub(super) upper: bool,
    pub(super) lower: bool,
}

impl Default for Seen {
    fn default() -> Self {
        Self {
            boxes: 0,
            unknown_boxes: 0,
            dates: 0,
            whole: true,
            least: f64::INFINITY,
            most: f64::NEG_INFINITY,
            nothing: 0,
            strings: 0,
            sorts: sort::ALL,
            length: 0,
            upper: false,
            lower: false,
        }
    }
}

impl Tally for Seen {
    fn merge(&mut self, other: Self) {
        self.boxes += other.boxes;
        self.unknown_boxes += other.unknown_boxes;
        self.dates += other.dates;
        self.whole &= other.whole;
        self.least = self.least.min(other.least);
        self.most = self.most.max(other.most);
        self.nothing += other.nothing;
        self.strings += other.strings;
        self.sorts &= other.sorts;
        self.upper |= other.upper;
        self.lower |= other.lower;
        self.one_length(other.length);
        self.one_case();
    }
}

impl Seen {
    pub(super) fn see(&mut self, heap: &Heap, edge: Edge) {
        let id = edge.to;
        // Of most objects their kind is all that is looked at.
        let kind = heap.kind(id);
        if kind == Kind::String {
            self.strings += 1;
            if self.sorts != 0 {
                self.text(heap, id);
            }
        } else if let Some(number) = heap.number(id) {
            self.sorts = 0;
            if heap.bytes(id) > 0 {
                self.boxes += 1;
                self.unknown_boxes += u64::from(number.value.is_nan());
            }
            self.value(number.value);
        } else if let Some(date) = heap.date(id) {
            self.sorts = 0;
            self.dates += 1;
            self.value(date.value);
        } else if is_nothing(heap, id) {
            self.nothing += 1;
        } else {
            self.sorts = 0;
        }
    }

    fn value(&mut self, value: f64) {
        self.whole &= value.is_finite() && value.fract() == 0.0;
        self.least = self.least.min(value);
        self.most = self.most.max(value);
    }

    fn text(&mut self, heap: &Heap, id: ObjectId) {
        if !is_plain_text(heap, id) {
            self.sorts = 0;
            return;
        }
        let text = heap.texts.raw(heap.objects.label[id as usize]);
        self.sorts &= sorts_of(text);
        if self.sorts & sort::WHOLE != 0
            && let Some(value) = whole(text)
        {
            self.least = self.least.min(value as f64);
            self.most = self.most.max(value as f64);
        }
        if self.sorts & (sort::HEX | sort::UUID) != 0 {
            self.upper |= text.iter().any(u8::is_ascii_uppercase);
            self.lower |= text.iter().any(u8::is_ascii_lowercase);
            self.one_length(text.len());
            self.one_case();
        }
    }

    /// Ids of several lengths do not fit one number of fields.
    fn one_length(&mut self, length: usize) {
        if self.length == 0 {
            self.length = length;
        } else if length != 0 && length != self.length {
            self.sorts &= !(sort::HEX | sort::UUID);
        }
    }

    /// Bytes do not remember which letters were capital.
    fn one_case(&mut self) {
        if self.upper && self.lower {
            self.sorts &= !(sort::HEX | sort::UUID);
        }
    }

    pub(super) fn text_sort(&self) -> Option<u8> {
        let enough = self.strings >= u64::from(LEAST) && self.nothing * 100 <= self.strings + self.nothing;
        let known = [sort::TIME, sort::WHOLE, sort::HEX, sort::UUID];
        known.into_iter().find(|&sort| enough && self.sorts & sort != 0)
    }

    /// Whether the numbers fit a slot as they are.
    pub(super) fn fit(&self, heap: &Heap) -> bool {
        heap.layout
            .small_integers()
            .is_some_and(|(low, high)| self.least >= low as f64 && self.most <= high as f64)
    }
}
