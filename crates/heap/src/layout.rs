//! What other objects would cost: the ground of every prediction.

/// Bytes of one character of a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    /// One byte a character.
    One,
    /// Two bytes a character.
    Two,
}

/// Which table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableKind {
    /// Keys with values.
    Map,
    /// Keys alone.
    Set,
}

/// What a runtime charges for an object it would lay out. All answers are bytes of the runtime's own heap, rounded
/// as its allocator rounds, unless a name says external.
pub trait Layout: Send + Sync + std::fmt::Debug {
    /// One slot of a record or array: what a reference costs.
    fn slot(&self) -> u64;
    /// A record of a fixed shape with `fields` fields, as a constructor makes it.
    fn record(&self, fields: u64) -> u64;
    /// The description that all records of a shape with `fields` fields share.
    fn shape(&self, fields: u64) -> u64;
    /// A flat string of `units` characters.
    fn string(&self, units: u64, width: Width) -> u64;
    /// A string cut to `units` characters where it stands: its object takes `object_bytes`, what does not fit those
    /// stands in a block beside it. By default strings have no room, so that each is as one of its length.
    fn cut_string(&self, _object_bytes: u64, units: u64, width: Width) -> u64 {
        self.string(units, width)
    }
    /// An array with room for exactly `slots` references, its store included.
    fn array(&self, slots: u64) -> u64;
    /// What a call makes that maps to `parts` lists and appends them one after another to an array, until it holds
    /// `entries` references: the array with the room it has then, and what the call makes for itself. `None` when the
    /// steps in which the runtime's arrays grow are not modelled.
    fn joined(&self, _entries: u64, _parts: u64) -> Option<u64> {
        None
    }
    /// A table filled with `entries` entries one by one, its store included; `None` when the runtime's tables are
    /// not modelled.
    fn table(&self, kind: TableKind, entries: u64) -> Option<u64>;
    /// A number in a box of its own.
    fn boxed_number(&self) -> u64;
    /// A moment in time as an object, the number in it included.
    fn date(&self) -> u64;
    /// The smallest and largest whole number that stand in a slot without a box; `None` when none does.
    fn small_integers(&self) -> Option<(i64, i64)>;
    /// Bytes of a slot that hold a whole number's bits: how many raw bytes fit a field.
    fn small_integer_bytes(&self) -> u64;
    /// One view on bytes that stand elsewhere.
    fn view(&self) -> u64;
}
