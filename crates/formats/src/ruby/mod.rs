//! The heap dumps of Ruby: what `ObjectSpace.dump_all` writes, from Ruby 3.1 on.
//!
//! `rows` scans the lines on all threads into columns, phrase by phrase (`phrases`), `addresses` turns addresses into rows, `named` reads what the recorder wrote of names and values, and `assemble` puts the model together.
//! `docs/formats/ruby.md` says how each row looks and how it was measured.

mod addresses;
mod assemble;
mod bytes;
mod cursor;
mod edges;
mod engine;
mod facts;
mod in_order;
mod layout;
mod named;
mod phrases;
mod row;
mod rows;
mod sets;
mod strip;
mod tag;
mod types;

use std::sync::Arc;

use crate::mapped::MappedFile;
use deadweight_heap::Heap;

use crate::Beside;
use crate::error::Malformed;

pub use layout::RubyLayout;
pub(crate) use layout::as_asked;
pub(crate) use strip::strip;

/// The name of the format in a weighing.
pub const FORMAT: &str = "ruby-objspace";

/// Whether a file begins as a dump does; `bytes` start at the first byte that is no white space.
pub(crate) fn is_dump(bytes: &[u8]) -> bool {
    bytes.starts_with(b"{\"type\":\"ROOT\"") || bytes.starts_with(b"{\"address\":\"0x")
}

/// Reads a dump.
pub(crate) fn read(bytes: &Arc<MappedFile>, beside: &Beside) -> Result<Heap, Malformed> {
    let rows = rows::scan(bytes)?;
    Ok(Heap::new(assemble::assemble(rows, bytes, beside)?))
}
