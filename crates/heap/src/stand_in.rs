//! What takes the place of objects in the record that alone holds them.

use crate::Representation;

/// What a record can have itself in place of an object that only it holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StandIn {
    /// A field with what the object holds, which several threads can change as safely.
    Field(Representation),
    /// The lock that every record of the runtime has.
    OwnLock,
}
