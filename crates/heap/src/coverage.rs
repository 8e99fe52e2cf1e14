//! What a dump can show.

/// Whether a dump has a sort of fact.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Presence {
    /// For every object.
    Present,
    /// For some objects.
    Partial,
    /// For none.
    #[default]
    Absent,
}

/// What a dump declares it can show. A rule that lacks its input says so instead of finding nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    /// The text of strings.
    pub texts: Presence,
    /// The contents of buffers and blocks.
    pub contents: Presence,
    /// The values of numbers.
    pub numbers: Presence,
    /// What stands in the slots of an array beside references: numbers, truth values, nothing.
    pub slots: Presence,
    /// Where each object was allocated.
    pub sites: Presence,
    /// What the program asked for of blocks that it was given; else their size is what it may use.
    pub requests: Presence,
    /// References between objects.
    pub edges: Presence,
    /// Names of types and fields.
    pub names: Presence,
    /// How many slots of a container are in use.
    pub capacities: Presence,
    /// Which bytes of blocks were never written: all of them stand in the dump as zeros, or only those in memory that
    /// nobody had before.
    pub untouched: Presence,
}
