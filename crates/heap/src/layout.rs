//! What other objects would cost: the ground of every prediction.

use crate::{Kind, Numeric, RecordShape, Representation, Wording};

/// Bytes of one character of a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    /// One byte a character, all of them below 128: where a runtime has a smaller header for those.
    Ascii,
    /// One byte a character.
    One,
    /// Two bytes a character.
    Two,
    /// Four bytes a character.
    Four,
}

impl Width {
    /// Bytes of one character.
    #[must_use]
    pub const fn bytes(self) -> u64 {
        match self {
            Self::Ascii | Self::One => 1,
            Self::Two => 2,
            Self::Four => 4,
        }
    }
}

/// Which table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableKind {
    /// Keys with values.
    Map,
    /// Keys alone.
    Set,
}

/// Which of a runtime's classes of arrays or tables an object is, or in which of its ways a record keeps its fields. The
/// numbers are its [`Layout`]'s own: where a runtime has an array list beside arrays, a tree beside a hash table, or
/// records to which fields may be added beside those of a fixed shape, each has its price.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Implementation(pub u16);

impl Implementation {
    /// The one that programs mostly use; of records the one of a fixed shape, which [`Layout::record`] prices.
    pub const USUAL: Self = Self(0);
}

/// What a runtime charges for an object it would lay out. All answers are bytes of the runtime's own heap, rounded
/// as its allocator rounds, unless a name says external.
pub trait Layout: Send + Sync + std::fmt::Debug {
    /// Why sizes are estimates, where the dump does not prove the layout.
    fn estimated(&self) -> Option<&str> {
        None
    }
    /// What programs write to get some of what has a price here. By default that needs no words.
    fn wording(&self) -> Wording {
        Wording::default()
    }
    /// A record of a fixed shape with these fields, as a constructor makes it.
    fn record(&self, shape: &RecordShape<'_>) -> u64;
    /// A record whose fields all hold the same sort of value, of a type that inherits none.
    fn record_of(&self, fields: Representation, count: u64) -> u64 {
        self.record(&RecordShape::own(&[fields.times(count)]))
    }
    /// A record as that implementation keeps its fields, all its pieces included: `fixed` are fields at places of their
    /// own, `open` is how many the records of its type have beside those. By default all have places of their own.
    fn record_as(&self, _of: Implementation, fixed: &RecordShape<'_>, open: u64) -> u64 {
        self.record(&RecordShape {
            inherited: (fixed.count() > 0).then_some(fixed),
            fields: &[Representation::Any.times(open)],
        })
    }
    /// Whether any code may give such a record fields that its type does not declare, for which it pays although none
    /// does: a record of a fixed shape with the same fields costs less. By default there are no such records.
    fn takes_fields(&self, _of: Implementation) -> bool {
        false
    }
    /// The description that all records of a shape with `fields` fields share.
    fn shape(&self, fields: u64) -> u64;
    /// The same of records that keep their fields as that implementation does. By default there is one way.
    fn shape_as(&self, _of: Implementation, fields: u64) -> u64 {
        self.shape(fields)
    }
    /// Whether no string changes once it is made. By default strings may, so that sharing equal ones takes care.
    fn strings_are_immutable(&self) -> bool {
        false
    }
    /// Whether numbers or dates, whichever the kind names, are objects whose type and fields belong to their value: `1` is not
    /// `1.0`, and a date has a zone. By default the amount is all of the value.
    fn are_typed(&self, _kind: Kind) -> bool {
        false
    }
    /// Whether texts are values with room for a short one in their own place, as those of C++ are: a word follows their address,
    /// length and capacity.
    fn has_short_texts(&self) -> bool {
        false
    }
    /// A flat string of `units` characters.
    fn string(&self, units: u64, width: Width) -> u64;
    /// A string cut to `units` characters where it stands: its object takes `object_bytes`, what does not fit those
    /// stands in a block beside it. By default strings have no room, so that each is as one of its length.
    fn cut_string(&self, _object_bytes: u64, units: u64, width: Width) -> u64 {
        self.string(units, width)
    }
    /// So many values side by side, without anything before or behind them: what they take of a store that is there.
    fn elements(&self, elements: Representation, count: u64) -> u64;
    /// An array with room for exactly `count` elements, its store included.
    fn array(&self, of: Implementation, elements: Representation, count: u64) -> u64;
    /// The implementation that keeps in one array what this one keeps in an object for each element: the list that a program
    /// would use in its place. `None` where elements have no objects of their own, or where there is no such list.
    fn array_for_nodes(&self, _of: Implementation) -> Option<Implementation> {
        None
    }
    /// What a call makes that maps to `parts` lists and appends them one after another to an array, until it holds
    /// `entries` references: the array with the room it has then, and what the call makes for itself. `None` when the
    /// steps in which the runtime's arrays grow are not modelled.
    fn joined(&self, _entries: u64, _parts: u64) -> Option<u64> {
        None
    }
    /// A table filled with `entries` entries one by one, its store included; `None` when the implementation is not
    /// modelled.
    fn table(&self, of: Implementation, kind: TableKind, entries: u64) -> Option<u64>;
    /// A map of one entry that takes no other, where the runtime has a form of its own for it. By default it has none.
    fn map_of_one(&self) -> Option<u64> {
        None
    }

    /// Whether the program sees all slots of such an array as its length, those without a value as well.
    fn length_is_room(&self, _of: Implementation) -> bool {
        false
    }

    /// The object of an array, or of a table of that kind, without its store and its entries: what an object has beside
    /// that, fields of a class that extends the implementation, stays whatever becomes of the store. `None` where the
    /// object grows with what is in it.
    fn without_store(&self, _of: Implementation, _table: Option<TableKind>) -> Option<u64> {
        None
    }
    /// What the runtime's own table of texts ([`crate::Interned`]) takes more once so many more have come into it: nothing as long
    /// as it has room. `None` where there is none, or where it is not known how full it is.
    fn more_interned(&self, _texts: u64) -> Option<u64> {
        None
    }
    /// An entry of a table that stands in an object of its own beside the store; 0 where entries stand in the store.
    fn entry(&self, _of: Implementation) -> u64 {
        0
    }
    /// Whether what is a key of such a table stays for that.
    fn keeps_keys(&self, _of: Implementation) -> bool {
        true
    }
    /// Whether a table finds records, arrays and tables by what is in them. By default it finds them by identity, so that
    /// whoever looks for an equal one needs a key of another sort.
    fn tables_compare_by_value(&self) -> bool {
        false
    }
    /// A value in a box of its own.
    fn boxed(&self, value: Representation) -> u64;
    /// A number of that value as an object of its own, where it does not stand in a field: 0 for one that all of its
    /// value share. By default a box of eight bytes.
    fn number(&self, value: Numeric) -> u64 {
        self.boxed(match value {
            Numeric::Float(_) => Representation::Float(8),
            _ => Representation::Integer(8),
        })
    }
    /// A moment in time as an object, the number in it included.
    fn date(&self) -> u64;
    /// The smallest and largest whole number that stand in a field without a box; `None` when none does.
    fn small_integers(&self) -> Option<(i64, i64)>;
    /// How many raw bytes the bits of a whole number in a field hold.
    fn small_integer_bytes(&self) -> u64;
    /// One view on bytes that stand elsewhere.
    fn view(&self) -> u64;
    /// What the library of a data frame has for a column of so many rows that are codes into a list of so many values: the
    /// codes, the list, which finds a text where `are_texts`, and all objects around both, without the values themselves.
    /// `None` where there is no such library.
    fn coded_column(&self, _rows: u64, _values: u64, _are_texts: bool) -> Option<u64> {
        None
    }
    /// An object with a copy of so many bytes, which replaces a view that [gives way](crate::Buffer::gives_way).
    fn copy_of_view(&self, bytes: u64) -> u64 {
        self.view().saturating_add(bytes)
    }
}
