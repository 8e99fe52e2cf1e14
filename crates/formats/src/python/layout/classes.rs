//! Classes themselves.

use deadweight_heap::Allocator;

use super::records::split_keys;
use super::tables::slots_of;
use super::{COLLECTED, OBJECT, PythonLayout, WORD};

/// Bytes of one slot in its class (`PyMemberDef`), of which there is one more that ends them.
const MEMBER: u64 = 5 * WORD;
/// What finds an attribute in an object: name, qualified name, class and place (`PyMemberDescrObject`), or the functions
/// that read and write it (`PyGetSetDescrObject`).
const DESCRIPTOR: u64 = COLLECTED + OBJECT + 4 * WORD;
/// Slots of the keys that instances of a class share, since 3.11: for 30 names.
const SHARED_KEYS: u64 = 64;

impl<A: Allocator> PythonLayout<A> {
    /// A class without methods that has so many `__slots__`: beside what every class has, their sorted names, and an object
    /// for each that finds it.
    pub(super) fn class_with_slots(&self, fields: u64) -> u64 {
        // `__module__`, `__doc__` and `__slots__`; since 3.13 the first line and the names that methods assign, too. The entry
        // of `__qualname__`, which is taken out again, is used up, so that the table grows from eight slots one entry sooner.
        let (others, least) = match (self.minor, fields) {
            (13.., _) => (5, 16),
            (_, 0 | 1) => (3, 8),
            _ => (3, 16),
        };
        let entries = slots_of(others + fields).max(least);
        let names = if fields == 0 {
            0
        } else {
            self.tuple_without_items() + WORD * fields
        };
        self.class(fields, entries) + self.charge(&[names]) + fields * self.charge(&[DESCRIPTOR])
    }

    /// A class without methods whose instances have so many attributes that other code may add to: it has what finds their
    /// dictionary and their weak references, and the keys that they share.
    pub(super) fn ordinary_class(&self, fields: u64) -> u64 {
        let shared = if self.minor >= 11 {
            SHARED_KEYS
        } else {
            split_keys(fields)
        };
        let entries = if self.minor >= 13 { 16 } else { 8 };
        let keys = self.keys(shared, true);
        self.class(0, entries) + 2 * self.charge(&[DESCRIPTOR]) + self.charge(&[keys])
    }

    /// What every class has: the type with its members, a dictionary with keys for so many slots, the classes it is based on
    /// (a tuple of `object`, and one of itself and `object`), and a weak reference from its base, with a number that finds it.
    fn class(&self, members: u64, keys: u64) -> u64 {
        // `type.__basicsize__`
        let object = match self.minor {
            ..=9 => 880,
            10 => 888,
            11 => 904,
            12 => 920,
            13 => 928,
            _ => 936,
        };
        let tuple = |count| self.tuple_without_items() + WORD * count;
        let reference = COLLECTED + OBJECT + 5 * WORD;
        self.charge(&[
            COLLECTED + object + MEMBER * (members + 1),
            Self::DICT,
            self.keys(keys, true),
            tuple(1),
            tuple(2),
            reference,
        ]) + self.integer(1)
    }
}
