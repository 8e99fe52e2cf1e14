//! Dumps of native programs, as the preload recorder writes them: `docs/formats/native.md`.
//!
//! [`Dump::read`] checks all of a dump once; what it then hands out is decoded from a mapped file on demand, so that a
//! dump costs little more memory than its table of blocks.

mod alike;
mod allocated;
mod assemble;
mod blocks;
mod chunks;
mod content;
mod core_file;
mod demangle;
mod dump;
mod facts;
mod fields;
mod glibc;
mod layout;
mod mappings;
mod members;
pub(crate) mod modules;
mod raw;
mod rows;
mod scan;
mod sites;
mod stacks;
mod strip;
pub(crate) mod symbols;
mod told;
mod vtables;

pub use assemble::heap;
pub use blocks::Block;
pub use content::Piece;
pub(crate) use core_file::{FORMAT as CORE, is_core, read as read_core};
pub use dump::Dump;
pub use facts::Facts;
pub use mappings::Mapping;
pub use stacks::Frames;
pub(crate) use strip::strip;

/// The name of the format in a weighing.
pub const FORMAT: &str = "deadweight-native";

/// The first bytes of a dump.
pub const MAGIC: &[u8; 8] = b"DWNATIVE";
