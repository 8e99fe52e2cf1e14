//! One reference: its kind, its name and where it leads.

use crate::{ObjectId, TextId};

/// How one object refers to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum EdgeKind {
    /// A named field; the name is a [`TextId`].
    Field = 0,
    /// A slot of an array; the name is its index.
    Element = 1,
    /// The key of a table's entry; the name is the entry's index.
    Key = 2,
    /// The value of a table's entry; the name is the entry's index.
    Value = 3,
    /// A captured variable; the name is a [`TextId`].
    Variable = 4,
    /// A strong reference inside the runtime that a program does not write.
    Internal = 5,
    /// A reference that keeps nothing alive.
    Weak = 6,
}

impl EdgeKind {
    /// Values of three bits.
    pub(crate) const COUNT: usize = 8;

    /// The kind of each value of three bits.
    pub(crate) const ALL: [Self; Self::COUNT] = [
        Self::Field,
        Self::Element,
        Self::Key,
        Self::Value,
        Self::Variable,
        Self::Internal,
        Self::Weak,
        Self::Weak,
    ];
}

/// A kind and a name or index, packed in 32 bits: 3 for the kind, 29 for the name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Via(pub u32);

impl Via {
    /// The largest name or index that fits; larger indices are cut to it.
    pub const MAX_NAME: u32 = (1 << 29) - 1;

    /// Packs a kind with a name or index.
    #[must_use]
    pub const fn new(kind: EdgeKind, name: u32) -> Self {
        let name = if name > Self::MAX_NAME {
            Self::MAX_NAME
        } else {
            name
        };
        Self(((kind as u32) << 29) | name)
    }

    /// The kind.
    #[must_use]
    #[inline]
    pub const fn kind(self) -> EdgeKind {
        EdgeKind::ALL[(self.0 >> 29) as usize]
    }

    /// The text id of a field or variable, the index of an element or entry.
    #[must_use]
    #[inline]
    pub const fn name(self) -> u32 {
        self.0 & Self::MAX_NAME
    }
}

/// One reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// Kind and name.
    pub via: Via,
    /// The object referred to.
    pub to: ObjectId,
}

impl Edge {
    /// The field's name, when it is a field.
    #[must_use]
    #[inline]
    pub fn field(self) -> Option<TextId> {
        (self.via.kind() == EdgeKind::Field).then_some(self.via.name())
    }
}
