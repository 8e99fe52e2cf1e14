//! Which of `CPython`'s ways of keeping records, arrays and tables an object has. Readers give these, and the layout has a
//! price for each.

use deadweight_heap::Implementation;

/// A record of a class all of whose attributes are in `__slots__`.
pub const SLOTS: Implementation = Implementation::USUAL;
/// An instance of a class that is based on nothing but classes made by a class statement, with attributes that other code
/// may add to: their names stand once for the class, their values in or beside the object (before 3.11 in a `dict` of the
/// object's own).
pub const ORDINARY: Implementation = Implementation(1);
/// The same after `__dict__`, `vars` or `copy` asked for its dictionary, which stays (since 3.11).
pub const LOOKED_AT: Implementation = Implementation(2);
/// A tuple with names for its fields.
pub const NAMED_TUPLE: Implementation = Implementation(3);
/// As [`SLOTS`] with `__weakref__` among these.
pub const WEAKLY_REFERRED: Implementation = Implementation(4);
/// An instance with a `dict` of its own whose keys it shares with no other: code fills that by its keys, or it has more
/// attributes than instances share names for.
pub const TABLED: Implementation = Implementation(5);

/// A `list`.
pub const LIST: Implementation = Implementation::USUAL;
/// A `tuple`.
pub const TUPLE: Implementation = Implementation(1);
/// A `collections.deque`.
pub const DEQUE: Implementation = Implementation(2);

/// A `dict` whose keys are all `str`.
pub const DICT: Implementation = Implementation::USUAL;
/// A `dict` of any keys.
pub const DICT_OF_ANY: Implementation = Implementation(1);
/// An `OrderedDict` whose keys are all `str`.
pub const ORDERED: Implementation = Implementation(2);
/// An `OrderedDict` of any keys.
pub const ORDERED_OF_ANY: Implementation = Implementation(3);
/// A `defaultdict` whose keys are all `str`.
pub const DEFAULT: Implementation = Implementation(4);
/// A `defaultdict` of any keys.
pub const DEFAULT_OF_ANY: Implementation = Implementation(5);
