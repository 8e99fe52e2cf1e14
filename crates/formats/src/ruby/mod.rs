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
mod format;
mod in_order;
mod layout;
mod named;
mod own_classes;
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

use crate::Sidecar;
use crate::error::Malformed;

pub(crate) use format::ObjectDump;
pub use layout::RubyLayout;
pub(crate) use layout::as_asked;

/// Reads a dump.
fn read(bytes: &Arc<MappedFile>, sidecar: &Sidecar) -> Result<Heap, Malformed> {
    let rows = rows::scan(bytes)?;
    Ok(Heap::new(assemble::assemble(rows, bytes, sidecar)?))
}
