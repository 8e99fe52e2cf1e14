//! Dictionaries with their keys, and sets.

use crate::layout::{Layout, object};
use crate::raw::{Address, byte, word};
use crate::texts::Texts;

/// The keys of a dictionary, which instances of a class share.
#[derive(Clone, Copy, Debug)]
pub struct Keys {
    pub at: Address,
    /// Entries in use or deleted.
    pub entries: usize,
    /// Entries it has room for.
    pub room: usize,
    /// Where the entries begin, and the bytes of one.
    start: Address,
    step: usize,
    /// Where a key stands in an entry; its value is behind it, but for keys that are shared.
    key: usize,
    pub only_texts: bool,
    /// The bytes of the block.
    pub size: usize,
    /// Slots of the index.
    pub slots: usize,
    pub references: usize,
}

impl Keys {
    /// Bytes before the index, in the version in which they are most.
    pub const LARGEST_HEADER: usize = 40;

    /// Whether what is at an address may be keys, by the numbers before their index: no more slots than a memory holds.
    pub fn may_be_at(layout: &Layout, at: Address) -> bool {
        const MOST: u32 = 40;
        // SAFETY: the memory is there.
        unsafe {
            if layout.minor <= 10 {
                let slots = word(at + 8);
                slots.is_power_of_two() && slots <= 1 << MOST && word(at + 32) <= slots
            } else {
                let (slots, index_bytes, kind) = (byte(at + 8), byte(at + 9), byte(at + 10));
                let is_small = u32::from(slots) <= MOST && u32::from(index_bytes) <= MOST + 3;
                is_small && kind <= 2 && word(at + 24) <= 1 << slots
            }
        }
    }

    /// Those at an address.
    pub fn read(layout: &Layout, at: Address) -> Self {
        if layout.minor <= 10 {
            Self::old(at)
        } else {
            Self::new(at)
        }
    }

    fn old(at: Address) -> Self {
        const HEADER: usize = 40;
        const ENTRY: usize = 24;
        // SAFETY: the keys of a dictionary have these fields.
        let (references, slots, usable, entries) =
            unsafe { (word(at), word(at + 8), word(at + 24), word(at + 32)) };
        let width = match slots {
            0..=0xff => 1,
            0x100..=0xffff => 2,
            0x1_0000..=0xffff_ffff => 4,
            _ => 8,
        };
        let start = at + HEADER + slots * width;
        Self {
            at,
            entries,
            room: usable.cast_signed().max(0).unsigned_abs() + entries,
            start,
            step: ENTRY,
            key: 8,
            only_texts: false,
            size: start - at + (slots * 2 / 3) * ENTRY,
            slots,
            references,
        }
    }

    fn new(at: Address) -> Self {
        const HEADER: usize = 32;
        // SAFETY: the keys of a dictionary have these fields.
        let (references, slots, index_bytes, kind, usable, entries) = unsafe {
            (
                word(at),
                1_usize << (byte(at + 8) & 63),
                1_usize << (byte(at + 9) & 63),
                byte(at + 10),
                word(at + 16),
                word(at + 24),
            )
        };
        let (step, key) = if kind == 0 { (24, 8) } else { (16, 0) };
        let start = at + HEADER + index_bytes;
        let room = usable.cast_signed().max(0).unsigned_abs() + entries;
        Self {
            at,
            entries,
            room,
            start,
            step,
            key,
            only_texts: kind != 0,
            size: start - at + (slots * 2 / 3).max(room) * step,
            slots,
            references,
        }
    }

    /// The key of an entry; 0 when it was deleted.
    pub fn key(&self, entry: usize) -> Address {
        // SAFETY: the entry is within the block.
        unsafe { word(self.start + entry * self.step + self.key) }
    }

    /// The value beside a key.
    pub fn value(&self, entry: usize) -> Address {
        // SAFETY: as above.
        unsafe { word(self.start + entry * self.step + self.key + 8) }
    }
}

/// A dictionary.
#[derive(Clone, Copy, Debug)]
pub struct Dict {
    pub used: usize,
    pub keys: Keys,
    /// Where the values stand, when the keys are shared.
    pub values: Address,
}

impl Dict {
    pub fn read(layout: &Layout, at: Address) -> Self {
        // SAFETY: the fields of a dictionary.
        let (used, keys, values) = unsafe {
            (
                word(at + object::DICT_USED),
                word(at + object::DICT_KEYS),
                word(at + object::DICT_VALUES),
            )
        };
        let values = if layout.minor >= 13 && values != 0 {
            values + VALUES_HEADER
        } else {
            values
        };
        Self {
            used,
            keys: Keys::read(layout, keys),
            values,
        }
    }

    /// The value of an entry; 0 where there is none.
    pub fn value(&self, entry: usize) -> Address {
        if self.values == 0 {
            self.keys.value(entry)
        } else {
            // SAFETY: there is a value's place for each shared key.
            unsafe { word(self.values + entry * 8) }
        }
    }
}

/// Before the values of 3.13: how many there are.
pub const VALUES_HEADER: usize = 8;

/// The block of an array of values for shared keys, from the address of the first; `None` where it is in the instance.
pub fn values_block(layout: &Layout, values: Address, keys: &Keys) -> Option<(Address, usize)> {
    // SAFETY: the bytes before the values are the block's own.
    unsafe {
        match layout.minor {
            ..=10 => Some((values, keys.room * 8)),
            11 | 12 => {
                let prefix = usize::from(byte(values - 1));
                Some((values - prefix, prefix + keys.room * 8))
            }
            _ => {
                let start = values - VALUES_HEADER;
                let (capacity, is_embedded) = (usize::from(byte(start)), byte(start + 2) != 0);
                (!is_embedded).then(|| (start, VALUES_HEADER + capacity * 8 + capacity.next_multiple_of(8)))
            }
        }
    }
}

/// The value of a key in a dictionary that a type has of its attributes.
pub fn find(layout: &Layout, texts: &Texts, dictionary: Address, name: &[u8]) -> Option<Address> {
    if dictionary == 0 {
        return None;
    }
    let dict = Dict::read(layout, dictionary);
    (0..dict.keys.entries).find_map(|entry| {
        let (key, value) = (dict.keys.key(entry), dict.value(entry));
        let is_it = key != 0 && value != 0 && texts.utf8(key).is_some_and(|text| text == name);
        is_it.then_some(value)
    })
}

/// The entries of a set.
#[derive(Clone, Copy, Debug)]
pub struct Set {
    pub used: usize,
    pub slots: usize,
    pub table: Address,
    pub is_apart: bool,
}

impl Set {
    const ENTRY: usize = 16;

    pub fn read(at: Address) -> Self {
        // SAFETY: the fields of a set.
        let (used, mask, table) = unsafe {
            (
                word(at + object::SET_USED),
                word(at + object::SET_MASK),
                word(at + object::SET_TABLE),
            )
        };
        Self {
            used,
            slots: mask + 1,
            table,
            is_apart: table != at + object::SET_SMALL,
        }
    }

    pub fn bytes(&self) -> usize {
        self.slots * Self::ENTRY
    }

    /// The items. What marks a deleted one has a hash that no object has.
    pub fn items(self) -> impl Iterator<Item = Address> {
        const DELETED: usize = usize::MAX;
        (0..self.slots).filter_map(move |slot| {
            let entry = self.table + slot * Self::ENTRY;
            // SAFETY: the entry is within the table.
            let (key, hash) = unsafe { (word(entry), word(entry + 8)) };
            (key != 0 && hash != DELETED).then_some(key)
        })
    }
}
