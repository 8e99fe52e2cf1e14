//! Dictionaries and sets.

use deadweight_heap::Allocator;

use super::{COLLECTED, OBJECT, PythonLayout, WORD};

/// The smallest table of either sort (`PyDict_MINSIZE`, `PySet_MINSIZE`).
const LEAST: u64 = 8;
/// From here a set grows by two instead of four (`set_add_entry`).
const LARGE_SET: u64 = 50_000;

/// Entries for which keys of a size have room (`USABLE_FRACTION`).
pub(super) const fn usable(size: u64) -> u64 {
    (size << 1) / 3
}

/// Slots that keys of so many entries grow to once they are full (`GROWTH_RATE` is three times what is in use).
fn grown(entries: u64) -> u64 {
    (entries * 3).next_power_of_two().max(LEAST)
}

/// No table has more slots.
const MOST: u64 = 1 << 56;

/// Slots of keys that grew to hold so many entries.
pub(super) fn slots_of(entries: u64) -> u64 {
    let mut size = LEAST;
    while usable(size) < entries && size < MOST {
        size = grown(usable(size));
    }
    size
}

/// How full the interpreter's own table of texts is, in which `sys.intern` keeps each text once: a `dict` of texts with themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InternedTexts {
    /// Texts in it.
    pub entries: u64,
    /// Texts that come in before it grows. The places of those that went are used up as well.
    pub free: u64,
    /// Slots of its keys.
    pub slots: u64,
}

impl InternedTexts {
    /// Its slots once so many more have come in.
    fn slots_with(self, texts: u64) -> u64 {
        let Self {
            entries,
            free,
            mut slots,
        } = self;
        let (mut entries, mut free, mut coming) = (entries, free, texts);
        while coming > free && slots < MOST {
            entries = entries.saturating_add(free);
            coming -= free;
            slots = grown(entries.min(MOST / 8));
            free = usable(slots).saturating_sub(entries);
        }
        slots
    }
}

impl<A: Allocator> PythonLayout<A> {
    /// Bytes of the keys of a dictionary with so many slots: a header, an index of the entries, and the entries. Since 3.11
    /// an entry whose key is a `str` does not keep its hash.
    pub(super) fn keys(&self, size: u64, texts: bool) -> u64 {
        let header = if self.minor >= 11 { 32 } else { 40 };
        let each = match size {
            0..=128 => 1,
            129..=32_768 => 2,
            32_769..=0x8000_0000 => 4,
            _ => 8,
        };
        let entry = if texts && self.minor >= 11 { 16 } else { 24 };
        header + size * each + usable(size) * entry
    }

    /// What a table of texts is charged more once so many more have come in. One from which many went may become smaller instead,
    /// which nothing is promised of.
    pub(super) fn growth(&self, table: InternedTexts, texts: u64) -> u64 {
        let charged = |slots| self.charge(&[self.keys(slots, true)]);
        charged(table.slots_with(texts)).saturating_sub(charged(table.slots))
    }

    /// The object of a dictionary (`PyDictObject`), without keys: all empty ones share theirs.
    pub(super) const DICT: u64 = COLLECTED + OBJECT + 4 * WORD;

    /// A `dict` filled with so many entries; `texts` where all keys are `str`.
    #[must_use]
    pub fn dict(&self, entries: u64, texts: bool) -> u64 {
        let keys = if entries == 0 {
            0
        } else {
            self.keys(slots_of(entries), texts)
        };
        self.charge(&[Self::DICT, keys])
    }

    /// A `defaultdict`: one reference more. Before 3.10 an empty one has keys.
    #[must_use]
    pub fn default_dict(&self, entries: u64, texts: bool) -> u64 {
        self.charge(&[Self::DICT + WORD, self.keys_of_subclass(entries, texts)])
    }

    /// Keys of a dictionary of a class that is based on `dict`.
    fn keys_of_subclass(&self, entries: u64, texts: bool) -> u64 {
        if entries == 0 && self.minor >= 10 {
            0
        } else {
            self.keys(slots_of(entries), texts)
        }
    }

    /// An `OrderedDict`: eight words more, a node of four words for each entry, and a list that finds the node of each slot
    /// of the keys. Before 3.10 an empty one has keys.
    #[must_use]
    pub fn ordered(&self, entries: u64, texts: bool) -> u64 {
        let size = slots_of(entries);
        let keys = self.keys_of_subclass(entries, texts);
        let nodes = if entries == 0 { 0 } else { WORD * size };
        let node = self.charge(&[4 * WORD]);
        self.charge(&[Self::DICT + 8 * WORD, keys, nodes]) + node.saturating_mul(entries)
    }

    /// A `set` or `frozenset` filled with so many entries: eight stand in the object, a larger table beside it. It grows
    /// when three fifths are in use.
    #[must_use]
    pub fn set(&self, entries: u64) -> u64 {
        // Two counts, a mask, the table, a hash, where to look next, and a reference for weak ones.
        let object = COLLECTED + OBJECT + 7 * WORD + 2 * WORD * LEAST;
        let mut size = LEAST;
        // `fill * 5 >= mask * 3` after an entry came in.
        while entries * 5 >= (size - 1) * 3 && size < 1 << 56 {
            let filled = ((size - 1) * 3).div_ceil(5);
            let wanted = filled * if filled > LARGE_SET { 2 } else { 4 };
            size = (wanted + 1).next_power_of_two();
        }
        let table = if size == LEAST { 0 } else { 2 * WORD * size };
        self.charge(&[object, table])
    }
}
