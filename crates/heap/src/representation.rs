//! What stands in fields and slots, and the fields of a record as data.

/// What a runtime keeps in one field of a record, or in one slot of an array.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Representation {
    /// Whatever the language lets a variable hold: a tagged word, or a reference to a value in a box. Also what is said
    /// of a field of which the dump tells no more than the name.
    #[default]
    Any,
    /// A reference to an object, or to none.
    Reference,
    /// A whole number of so many bytes, with a sign.
    Integer(u8),
    /// A whole number of so many bytes, without a sign.
    Unsigned(u8),
    /// A binary floating-point number of so many bytes.
    Float(u8),
    /// True or false, in a byte.
    Boolean,
}

impl Representation {
    /// Bytes of one such value where a reference takes `reference` bytes.
    #[must_use]
    pub const fn bytes(self, reference: u64) -> u64 {
        match self {
            Self::Any | Self::Reference => reference,
            Self::Integer(bytes) | Self::Unsigned(bytes) | Self::Float(bytes) => bytes as u64,
            Self::Boolean => 1,
        }
    }

    /// Whether the runtime's collector has to look at it.
    #[must_use]
    pub const fn refers(self) -> bool {
        matches!(self, Self::Any | Self::Reference)
    }

    /// So many fields of it, one behind another.
    #[must_use]
    pub const fn times(self, count: u64) -> Fields {
        Fields {
            representation: self,
            count,
        }
    }
}

/// Fields of one representation, one behind another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fields {
    /// What each holds.
    pub representation: Representation,
    /// How many there are.
    pub count: u64,
}

/// The fields of a record, with those of the types it inherits from.
#[derive(Clone, Copy, Debug, Default)]
pub struct RecordShape<'a> {
    /// What it inherits: laid out before its own fields.
    pub inherited: Option<&'a RecordShape<'a>>,
    /// Its own fields, in the order of their declaration.
    pub fields: &'a [Fields],
}

impl<'a> RecordShape<'a> {
    /// Fields of a type that inherits none.
    #[must_use]
    pub const fn own(fields: &'a [Fields]) -> Self {
        Self {
            inherited: None,
            fields,
        }
    }

    /// Its own fields and all that it inherits.
    #[must_use]
    pub fn count(&self) -> u64 {
        let own = self.fields.iter().map(|run| run.count);
        let inherited = self.inherited.map_or(0, Self::count);
        own.fold(inherited, u64::saturating_add)
    }

    /// Whether any of its fields refers to objects.
    #[must_use]
    pub fn refers(&self) -> bool {
        let own = |run: &Fields| run.count > 0 && run.representation.refers();
        self.fields.iter().any(own) || self.inherited.is_some_and(Self::refers)
    }
}
