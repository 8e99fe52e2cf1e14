//! The dumps of the recorder for Python: the heap of a `CPython` process, versions 3.9 and later.
//!
//! `outline` reads what stands around the rows, `skim` finds where rows begin, `scan` reads them on all threads. `dicts`
//! says which dictionaries are pieces of objects and which are records, `whose` what is the program's code; `edges` names
//! references, `lines` says where functions and classes are written, `allocated` where objects were made, and `engine` finds what the interpreter alone
//! holds and what is garbage, `data_frames` which arrays are columns of tables. `assemble` puts the model together.
//! `docs/formats/python.md` has the format.

mod allocated;
mod around;
mod assemble;
mod classes;
mod closed;
mod columns;
mod containers;
mod cursor;
mod data_frames;
mod dicts;
mod edges;
mod engine;
mod extent;
mod facts;
mod format;
mod header;
mod launched;
pub mod layout;
mod lines;
mod named_tuples;
mod names;
mod outline;
mod payload;
mod pieces;
mod process;
mod row;
mod scan;
mod skim;
mod sort;
mod strip;
mod texts;
mod values;
mod views;
mod whose;

use std::sync::Arc;

use deadweight_heap::Heap;

use crate::Sidecar;
use crate::error::Malformed;
use crate::mapped::MappedFile;

pub(crate) use format::PythonDump;
pub use layout::PythonLayout;

/// Reads a dump.
fn read(file: &Arc<MappedFile>, sidecar: &Sidecar) -> Result<Heap, Malformed> {
    Ok(Heap::new(assemble::assemble(file, sidecar)?))
}
