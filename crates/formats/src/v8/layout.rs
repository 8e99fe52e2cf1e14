//! What V8 charges for objects. Sources: `docs/formats/v8.md`; `tests/v8_layout.rs` measures every constant on real
//! runtimes.

use deadweight_heap::{Implementation, Layout, RecordShape, Representation, TableKind, Width, Wording};

/// Tables that do not keep their keys alive.
pub(super) const WEAK: Implementation = Implementation(1);

/// V8's layout, as observed in one file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct V8Layout {
    /// Bytes of a tagged field: 8, or 4 with compressed pointers.
    pub word: u64,
    /// Fixed bytes of a `DescriptorArray`: 24, and 32 since V8 14; with compressed pointers 16.
    pub descriptors_header: u64,
    /// Bytes of a `Date` and of what hangs on it.
    pub date: u64,
    /// Bytes of a typed array's view object.
    pub view: u64,
}

impl V8Layout {
    /// The layout of 64-bit V8 without compressed pointers, as in Node 20.
    pub const NODE_20: Self = Self::of_node(20);

    /// The layout of Node of that major version, on 64-bit machines. A file shows its own, which may be another
    /// writer's; this one is for comparison.
    pub const fn of_node(major: u32) -> Self {
        Self {
            word: 8,
            descriptors_header: if major >= 25 { 32 } else { 24 },
            date: if major >= 24 { 96 } else { 112 },
            view: if major >= 24 { 104 } else { 96 },
        }
    }

    fn round(self, bytes: u64) -> u64 {
        bytes.next_multiple_of(self.word)
    }

    /// Bytes of a fixed array of `slots` slots: map and length, then the slots.
    pub fn fixed_array(self, slots: u64) -> u64 {
        self.word * (2 + slots)
    }

    /// The same of a table that does not keep its keys alive: a third of it stays free.
    pub fn weak_capacity(entries: u64) -> u64 {
        entries
            .saturating_add(entries / 2)
            .checked_next_power_of_two()
            .unwrap_or(u64::MAX)
            .max(4)
    }

    /// Slots of a hash table that has grown to hold `entries` entries: a power of two, at least 4.
    pub fn table_capacity(entries: u64) -> u64 {
        entries.next_power_of_two().max(4)
    }
}

impl Layout for V8Layout {
    fn wording(&self) -> Wording {
        Wording {
            pairs: Some("in typed arrays, not in a `Map`"),
            // A sum or difference of numbers in boxes may come in a box itself, however small it is.
            small_integer: Some("`| 0` behind it"),
            ..Wording::default()
        }
    }

    fn strings_are_immutable(&self) -> bool {
        true
    }

    /// Map, properties, elements, then one word a field, whatever stands in it: class instances once V8 knows how many
    /// they use. Their hidden class lists what its parents have, too.
    fn record(&self, shape: &RecordShape<'_>) -> u64 {
        self.word * (3 + shape.count())
    }

    /// A `Map` and its `DescriptorArray` of three words a field.
    fn shape(&self, fields: u64) -> u64 {
        let map = if self.word == 8 { 72 } else { 40 };
        map + self.descriptors_header + 3 * self.word * fields
    }

    /// Map, hash and length, then the characters, rounded up.
    fn string(&self, units: u64, width: Width) -> u64 {
        self.round(self.word + 8 + width.bytes() * units)
    }

    /// Doubles stand in arrays as they are; all else takes a word.
    fn elements(&self, elements: Representation, count: u64) -> u64 {
        let doubles = matches!(elements, Representation::Float(_));
        count * if doubles { 8 } else { self.word }
    }

    /// The array object and a store of exactly that many slots; an empty array has no store of its own.
    fn array(&self, _: Implementation, elements: Representation, count: u64) -> u64 {
        let object = 4 * self.word;
        if count == 0 {
            object
        } else {
            object + self.fixed_array(0) + self.elements(elements, count)
        }
    }

    /// The object and an ordered hash table: three counts, one bucket for two entries, and key, (value) and chain.
    fn table(&self, of: Implementation, kind: TableKind, entries: u64) -> Option<u64> {
        if of == WEAK {
            let slots = Self::weak_capacity(entries).saturating_mul(2).saturating_add(3);
            let store = slots.saturating_add(2).saturating_mul(self.word);
            return Some(store.saturating_add(4 * self.word));
        }
        let capacity = Self::table_capacity(entries);
        let entry = if kind == TableKind::Map { 3 } else { 2 };
        Some(4 * self.word + self.fixed_array(3 + capacity / 2 + entry * capacity))
    }

    /// Map, properties, elements, and a length or a table.
    fn without_store(&self, _: Implementation, _: Option<TableKind>) -> Option<u64> {
        Some(4 * self.word)
    }

    fn keeps_keys(&self, of: Implementation) -> bool {
        of != WEAK
    }

    /// A `HeapNumber`: map and a double.
    fn boxed(&self, _: Representation) -> u64 {
        self.word + 8
    }

    fn date(&self) -> u64 {
        self.date
    }

    /// Small integers take 32 bits of a full word, 31 of a compressed one.
    fn small_integers(&self) -> Option<(i64, i64)> {
        let bits = if self.word == 8 { 31 } else { 30 };
        Some((-(1 << bits), (1 << bits) - 1))
    }

    fn small_integer_bytes(&self) -> u64 {
        // 31-bit integers hold three whole bytes.
        if self.word == 8 { 4 } else { 3 }
    }

    fn view(&self) -> u64 {
        self.view
    }
}
