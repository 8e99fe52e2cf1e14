//! What is known of an object beyond its bytes, by kind.

use crate::{Implementation, NONE, Numeric, ObjectId, Representation, TypeId, Width};

/// A count that the dump does not give.
pub const UNKNOWN: u32 = u32::MAX;

/// How a string's characters are kept. Stored in the `fact` column of a string's row. The text of a rope or a slice
/// that the dump does not show is empty: its length is then unknown, unless there is a [`StringLength`] for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum StringForm {
    /// Characters in the object itself.
    Flat = 0,
    /// Two other strings, joined.
    Rope = 1,
    /// A window on another string, which it keeps alive.
    Slice = 2,
}

/// The length of a string whose text the dump does not show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StringLength {
    /// Its row.
    pub object: ObjectId,
    /// Characters, in the unit of [`crate::Layout::string`].
    pub units: u32,
    /// The width they have where they are now, which a copy has, too.
    pub width: Width,
}

/// A string in one piece with room for more characters than it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StringRoom {
    /// Its row.
    pub object: ObjectId,
    /// Bytes of the object without the block beside it in which its characters stand.
    pub object_bytes: u32,
    /// Characters, in the unit of [`crate::Layout::string`].
    pub used: u32,
    /// Characters it has room for.
    pub capacity: u32,
    /// Their width.
    pub width: Width,
}

/// An object whose class serves no other: a piece of the object, with methods that are pieces of the class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OwnClass {
    /// Its row.
    pub object: ObjectId,
    /// The row of the class.
    pub class: ObjectId,
    /// Which code the methods run: one number for classes that differ in nothing but their object.
    pub code: u32,
}

/// An object with named fields.
#[derive(Clone, Copy, Debug)]
pub struct Record {
    /// Its row.
    pub object: ObjectId,
    /// The row of its shape, or [`crate::NONE`].
    pub shape: ObjectId,
    /// Fields it has, or [`UNKNOWN`].
    pub used: u32,
    /// Field slots it has room for, inside and outside the object; [`UNKNOWN`] for a dictionary. Where its type's records
    /// share the places of their fields, it is how many fields these have.
    pub available: u32,
    /// Slots of its dictionary, 0 when the fields have fixed places, or such as its type's records share.
    pub dictionary: u32,
    /// How it keeps its fields.
    pub implementation: Implementation,
}

/// The description that records of one layout share: a hidden class.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Its row; its parts (lists of field names and the like) are rows of their own.
    pub object: ObjectId,
    /// Bytes of the row and of the parts that no other shape shares.
    pub bytes: u64,
    /// The list of fields, as a type.
    pub fields: TypeId,
    /// Live records that use it.
    pub instances: u32,
}

/// A sequence of slots.
#[derive(Clone, Copy, Debug)]
pub struct Array {
    /// Its row.
    pub object: ObjectId,
    /// The row of its store: its own where both are one object, or [`crate::NONE`] when it has none or shares it.
    pub store: ObjectId,
    /// Slots in use, or [`UNKNOWN`].
    pub used: u32,
    /// Slots it has room for, or [`UNKNOWN`].
    pub capacity: u32,
    /// Which of the runtime's arrays it is.
    pub implementation: Implementation,
}

/// A map or set.
#[derive(Clone, Copy, Debug)]
pub struct Table {
    /// Its row.
    pub object: ObjectId,
    /// The row of its store, whose edges are its keys and values.
    pub store: ObjectId,
    /// Live entries, or [`UNKNOWN`].
    pub used: u32,
    /// Entries it has room for, or [`UNKNOWN`].
    pub capacity: u32,
    /// Keys without values.
    pub set: bool,
    /// Which of the runtime's tables it is.
    pub implementation: Implementation,
}

/// Bytes: a buffer, or a view on one.
#[derive(Clone, Copy, Debug)]
pub struct Buffer {
    /// The row of the view or buffer object.
    pub object: ObjectId,
    /// The row that is charged for the bytes, shared by all views on them; the object's own row where views look on bytes
    /// that stand in it, [`crate::NONE`] where none do.
    pub backing: ObjectId,
    /// Bytes the view spans, or `u64::MAX` when unknown.
    pub bytes: u64,
    /// Bytes of the backing that are zero, or `u64::MAX` when the contents are unknown.
    pub zeros: u64,
    /// Eight-byte words of the backing that are not zero, or `u64::MAX` when the contents are unknown.
    pub words_used: u64,
    /// A hash of the backing's contents, 0 when unknown.
    pub hash: u64,
    /// Whether this row is the backing's own object, of which each backing has one.
    pub is_backing: bool,
    /// What the bytes are: numbers of this width, or plain bytes where the dump does not tell.
    pub elements: Representation,
    /// A copy replaces this view, as `bytes(view)` replaces a `memoryview` ([`crate::Layout::copy_of_view`]). Any other view
    /// stays and gets bytes of its own.
    pub gives_way: bool,
}

impl Buffer {
    /// Whether the bytes stand in the object itself, views on them or none.
    #[must_use]
    pub const fn has_bytes_inside(&self) -> bool {
        self.backing == NONE || self.backing == self.object
    }

    /// Whether it is an array of numbers of more than a byte. Single bytes may as well be a text, or numbers of another
    /// width.
    #[must_use]
    pub const fn holds_numbers(&self) -> bool {
        self.bytes != u64::MAX && self.elements.bytes(0) > 1
    }
}

/// A number in a box, or a number that stands in a slot but that the dump shows as an object.
#[derive(Clone, Copy, Debug)]
pub struct Number {
    /// Its row.
    pub object: ObjectId,
    /// The value's key, in as little room as it takes.
    sort: u8,
    bits: u64,
}

impl Number {
    /// A number of that value.
    #[must_use]
    pub const fn new(object: ObjectId, value: Numeric) -> Self {
        let (sort, bits) = value.key();
        Self { object, sort, bits }
    }

    /// Its value.
    #[must_use]
    pub const fn value(&self) -> Numeric {
        Numeric::of_key(self.sort, self.bits)
    }
}

/// A moment in time.
#[derive(Clone, Copy, Debug)]
pub struct Date {
    /// Its row.
    pub object: ObjectId,
    /// Milliseconds since 1970, NaN when unknown.
    pub value: f64,
}
