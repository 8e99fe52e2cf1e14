//! What an object is, in terms that hold for every runtime.

/// The neutral kind of an object.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Kind {
    /// An object with named fields: a class instance, a struct, a plain object.
    Record,
    /// Text, flat or in pieces.
    String,
    /// A sequence of slots.
    Array,
    /// A map, set or hash.
    Table,
    /// Raw bytes and the views on them.
    Buffer,
    /// A number in a box of its own.
    Number,
    /// A moment in time as an object.
    Date,
    /// A function with what it captured.
    Closure,
    /// The variables a closure captured.
    Scope,
    /// Code, hidden classes and other metadata: what no change to a program's data removes.
    Runtime,
    /// The description of a record's fields (a hidden class), counted with the runtime unless a rule claims it.
    Shape,
    /// A block whose inside is not known.
    #[default]
    Opaque,
}

impl Kind {
    /// Every kind, in the order of its column value.
    pub const ALL: [Self; 12] = [
        Self::Record,
        Self::String,
        Self::Array,
        Self::Table,
        Self::Buffer,
        Self::Number,
        Self::Date,
        Self::Closure,
        Self::Scope,
        Self::Runtime,
        Self::Shape,
        Self::Opaque,
    ];
}
