//! The interpreter's own table of the texts that it has once (`sys.intern`). A variable of the interpreter alone refers to it, and
//! the collector does not know it: it is looked for among the interpreter's variables.

use std::collections::BTreeSet;

use crate::layout::{Layout, object};
use crate::maps::Maps;
use crate::raw::{Address, class_of, word};
use crate::sort::{Sort, Variant};
use crate::tables::{Dict, Keys};
use crate::texts::Texts;

/// So many entries are looked at.
const LOOKED_AT: usize = 64;

/// The table of the interpreter's first texts.
#[derive(Clone, Copy, Debug)]
pub struct Interned {
    pub at: Address,
    /// Texts in it.
    pub entries: usize,
    /// Texts that it takes until it grows.
    pub free: usize,
    /// Slots of its keys.
    pub slots: usize,
}

/// What is needed to look for it.
pub struct Search<'s> {
    pub layout: &'s Layout,
    pub texts: &'s Texts,
    pub maps: &'s Maps,
    /// The types `dict` and `str`.
    dict: Address,
    text: Address,
}

impl<'s> Search<'s> {
    /// `None` where the types are not known.
    pub fn new(
        layout: &'s Layout,
        texts: &'s Texts,
        maps: &'s Maps,
        types: &[(Address, Sort, Variant)],
    ) -> Option<Self> {
        let of = |wanted: Sort| {
            types
                .iter()
                .find(|(_, sort, _)| *sort == wanted)
                .map(|found| found.0)
        };
        Some(Self {
            layout,
            texts,
            maps,
            dict: of(Sort::Dict)?,
            text: of(Sort::Str)?,
        })
    }

    /// The table, where one of the interpreter's variables leads to it. Up to 3.11 it is a variable of its own, since 3.12 one of the
    /// state of the first interpreter, which stands in a variable as well. `near` are variables of the interpreter.
    pub fn find(&self, near: &[Address]) -> Option<Interned> {
        let stretches: BTreeSet<(Address, Address)> = near
            .iter()
            .filter_map(|&at| self.maps.variables_around(at))
            .collect();
        let mut places = stretches
            .into_iter()
            .flat_map(|(start, end)| (start..end - 7).step_by(8));
        // SAFETY: the variables of a library are there.
        places.find_map(|place| self.table(unsafe { word(place) }))
    }

    /// The table at an address, which may be any.
    fn table(&self, at: Address) -> Option<Interned> {
        if !at.is_multiple_of(object::HEADER) || !self.maps.holds(at, object::DICT_VALUES + 8) {
            return None;
        }
        // SAFETY: the memory is there.
        let (references, class, values, keys) = unsafe {
            (
                word(at),
                class_of(at),
                word(at + object::DICT_VALUES),
                word(at + object::DICT_KEYS),
            )
        };
        let is_dict = references != 0 && class == self.dict && values == 0;
        if !is_dict || !self.maps.holds(keys, Keys::LARGEST_HEADER) || !Keys::may_be_at(self.layout, keys) {
            return None;
        }
        let dict = Dict::read(self.layout, at);
        let is_whole = self.maps.holds(keys, dict.keys.size) && dict.keys.entries <= dict.keys.room;
        (is_whole && self.is_of_interned(&dict)).then(|| Interned {
            at,
            entries: dict.used,
            free: dict.keys.room - dict.keys.entries,
            slots: dict.keys.slots,
        })
    }

    /// Whether all keys of a dictionary stand for themselves, and are texts that the interpreter has once.
    fn is_of_interned(&self, dict: &Dict) -> bool {
        let is_interned = |key: Address| {
            let is_there = self.maps.is_readable(key, object::GC + object::SIZED);
            // SAFETY: the memory is there.
            is_there
                && unsafe { class_of(key) } == self.text
                && self.texts.read(key).is_some_and(|text| text.is_interned)
        };
        let entries = (0..dict.keys.entries).map(|entry| (dict.keys.key(entry), dict.value(entry)));
        let mut there = entries
            .filter(|(key, value)| *key != 0 && *value != 0)
            .take(LOOKED_AT);
        dict.used >= LOOKED_AT && there.all(|(key, value)| key == value && is_interned(key))
    }
}
