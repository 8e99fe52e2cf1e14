//! What the fields of one name hold.

use deadweight_heap::{Edge, Heap, TextId};
use rustc_hash::FxHashSet;

use super::CODES;
use crate::fields::{Tally, is_nothing, is_plain_text, is_truth};

/// What the fields of one name hold.
#[derive(Debug)]
pub(super) struct Column {
    pub(super) seen: u32,
    pub(super) numbers: u32,
    pub(super) dates: u32,
    /// All numbers are known and whole.
    pub(super) whole: bool,
    pub(super) least: f64,
    pub(super) most: f64,
    pub(super) truths: u32,
    pub(super) nothing: u32,
    pub(super) texts: u32,
    /// Different texts; empty when there are too many.
    pub(super) values: FxHashSet<TextId>,
    pub(super) many: bool,
    pub(super) others: u32,
}

impl Default for Column {
    fn default() -> Self {
        Self {
            seen: 0,
            numbers: 0,
            dates: 0,
            whole: true,
            least: f64::INFINITY,
            most: f64::NEG_INFINITY,
            truths: 0,
            nothing: 0,
            texts: 0,
            values: FxHashSet::default(),
            many: false,
            others: 0,
        }
    }
}

impl Column {
    pub(super) fn see(&mut self, heap: &Heap, edge: Edge) {
        let id = edge.to;
        self.seen += 1;
        if is_plain_text(heap, id) {
            self.texts += 1;
            if !self.many {
                self.values.insert(heap.objects.label[id as usize]);
                self.cut();
            }
        } else if let Some(number) = heap.number(id) {
            self.numbers += 1;
            self.value(number.value);
        } else if let Some(date) = heap.date(id) {
            self.dates += 1;
            self.value(date.value);
        } else if is_nothing(heap, id) {
            self.nothing += 1;
        } else if is_truth(heap, id) {
            self.truths += 1;
        } else {
            self.others += 1;
        }
    }

    fn value(&mut self, value: f64) {
        self.whole &= value.is_finite() && value.fract() == 0.0;
        self.least = self.least.min(value);
        self.most = self.most.max(value);
    }

    fn cut(&mut self) {
        if self.values.len() > CODES {
            self.many = true;
            self.values = FxHashSet::default();
        }
    }
}

impl Tally for Column {
    fn merge(&mut self, other: Self) {
        self.seen += other.seen;
        self.numbers += other.numbers;
        self.dates += other.dates;
        self.whole &= other.whole;
        self.least = self.least.min(other.least);
        self.most = self.most.max(other.most);
        self.truths += other.truths;
        self.nothing += other.nothing;
        self.texts += other.texts;
        self.others += other.others;
        self.many |= other.many;
        if self.many {
            self.values = FxHashSet::default();
        } else {
            self.values.extend(other.values);
            self.cut();
        }
    }
}
