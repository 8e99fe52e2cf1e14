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
mod format;
mod glibc;
mod layout;
mod mappings;
mod members;
pub(crate) mod modules;
mod noted;
mod raw;
mod rows;
mod scalars;
mod scan;
mod sites;
mod stacks;
mod strip;
pub(crate) mod symbols;
mod vtables;

pub use assemble::heap;
pub use blocks::Block;
pub use content::Piece;
pub(crate) use core_file::Core;
pub use dump::Dump;
pub use facts::Facts;
pub(crate) use format::Recorded;
pub use mappings::Mapping;
pub use stacks::Frames;

/// The first bytes of a dump.
pub const MAGIC: &[u8; 8] = b"DWNATIVE";
