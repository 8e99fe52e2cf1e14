//! Instances of classes that a program defines.

use deadweight_heap::Allocator;

use super::tables::usable;
use super::{COLLECTED, OBJECT, PythonLayout, WORD};

/// Names that the instances of a class can share, since 3.11 (`SHARED_KEYS_MAX_SIZE`).
const SHARED: u64 = 30;
/// Slots of shared keys to begin with, before 3.11 (`PyDict_MINSIZE`).
const FIRST_KEYS: u64 = 8;

/// Slots of the keys that instances of a class share, once they have grown to hold so many names, before 3.11.
pub(super) fn split_keys(open: u64) -> u64 {
    let mut size = FIRST_KEYS;
    while usable(size) < open && size < 1 << 56 {
        size *= 2;
    }
    size
}

impl<A: Allocator> PythonLayout<A> {
    /// An instance of a class with `__slots__`. Weak references take a slot, and since 3.12 two words before the object
    /// (`Py_TPFLAGS_MANAGED_WEAKREF`).
    #[must_use]
    pub fn slots(&self, count: u64, weak: bool) -> u64 {
        let weak = match (weak, self.minor >= 12) {
            (false, _) => 0,
            (true, false) => WORD,
            (true, true) => 2 * WORD,
        };
        self.charge(&[COLLECTED + OBJECT + WORD.saturating_mul(count) + weak])
    }

    /// An instance of an ordinary class whose instances have `open` attributes, beside `slots` that classes it is based on
    /// declare. So many attributes that their names cannot be shared are in a dictionary of the instance's own.
    #[must_use]
    pub fn instance(&self, slots: u64, open: u64) -> u64 {
        let object = COLLECTED + OBJECT + WORD.saturating_mul(slots);
        // Two words before the object: for values or a dictionary, and since 3.12 for weak references.
        let headed = 2 * WORD + object;
        match self.minor {
            // References to a dictionary and to weak references. The dictionary has values only, the class the keys.
            ..=10 if open == 0 => self.charge(&[object + 2 * WORD]),
            ..=10 => self.charge(&[object + 2 * WORD, Self::DICT, WORD * usable(split_keys(open))]),
            11 if open <= self.shared() => self.charge(&[headed + WORD, self.values(open)]),
            11 => self.charge(&[headed + WORD]) + self.own_dict(open),
            12 if open <= self.shared() => self.charge(&[headed, self.values(open)]),
            12 => self.charge(&[headed]) + self.own_dict(open),
            13 if slots > 0 => self.charge(&[headed]) + self.apart(open),
            _ if open <= self.shared() => self.charge(&[headed + inline(self.room(open))]),
            _ => self.charge(&[headed + inline(self.shared())]) + self.own_dict(open),
        }
    }

    /// The same once something asked for its dictionary, which has the same values.
    pub(super) fn looked_at(&self, slots: u64, open: u64) -> u64 {
        match self.minor {
            ..=10 => self.instance(slots, open.max(1)),
            // These have one from the first attribute on.
            13 if slots > 0 => self.instance(slots, open.max(1)),
            _ if open > self.shared() => self.instance(slots, open),
            _ => self.instance(slots, open) + self.charge(&[Self::DICT]),
        }
    }

    /// In 3.13 values stand within objects that have nothing else. Others get a dictionary with their first attribute, with
    /// room for as many values as can be shared, since no instance takes any of it away.
    fn apart(&self, open: u64) -> u64 {
        match open {
            0 => 0,
            1..=SHARED => self.charge(&[Self::DICT, inline(SHARED)]),
            _ => self.own_dict(open),
        }
    }

    /// Names that the instances of a class do share. Each of the first instances takes one away, unless a class has the names
    /// that its methods assign from the start, as since 3.14 (`_PyDict_NewKeysForClass`).
    fn shared(&self) -> u64 {
        if self.minor >= 14 { SHARED } else { SHARED - 1 }
    }

    /// Values for which an instance has room: once a class has made some, it keeps one free (`init_inline_values`).
    fn room(&self, open: u64) -> u64 {
        (open + 1).min(self.shared())
    }

    /// A block of values, with the order in which they came and two counts before them (`new_values`).
    fn values(&self, open: u64) -> u64 {
        let room = self.room(open);
        (room + 2).next_multiple_of(WORD) + WORD * room
    }

    /// A dictionary with keys of its own: with 128 slots at first, with 64 since 3.14.
    fn own_dict(&self, open: u64) -> u64 {
        let mut size: u64 = if self.minor >= 14 { 64 } else { 128 };
        while usable(size) < open && size < 1 << 56 {
            size *= 2;
        }
        self.charge(&[Self::DICT, self.keys(size, true)])
    }
}

/// Values with four counts and the order before them (`PyDictValues`, `_PyInlineValuesSize`), since 3.13.
fn inline(room: u64) -> u64 {
    room.next_multiple_of(WORD) + WORD * (room + 1)
}
