//! The heap dumps of the JVM: HPROF, of `HotSpot` and of other writers.
//!
//! `outline` finds the records, `segments` the rows in them on all threads; `addresses` numbers the rows, `places` says where
//! each stands and `sorts` what it is, in few bytes. `classes` knows what each class declares, and
//! `known` which of them are containers: the JDK's and, by tables in TOML that `others` reads, those of other libraries. `fit` finds the layout by the distances between rows, `engine`
//! what the runtime alone holds, and `assemble` puts the model together. `docs/formats/jvm.md` has the format as measured.

mod addresses;
mod assemble;
mod blocks;
mod buffers;
mod classes;
mod containers;
mod cursor;
mod decode;
mod edges;
mod engine;
mod fit;
mod format;
mod known;
mod layout;
mod library;
mod names;
mod nearest;
mod others;
mod outline;
mod places;
mod roots;
mod segments;
mod sorts;
mod stand_ins;
mod strings;
mod strip;

use std::sync::Arc;

use deadweight_heap::Heap;

use crate::Sidecar;
use crate::error::Malformed;
use crate::mapped::MappedFile;

pub(crate) use format::Hprof;
pub use layout::JvmLayout;
pub use others::{Containers, ContainersError};

/// Reads a dump.
fn read(file: &Arc<MappedFile>, sidecar: &Sidecar) -> Result<Heap, Malformed> {
    let outline = outline::outline(file)?;
    let rows = segments::scan(file, &outline)?;
    Ok(Heap::new(assemble::assemble(outline, rows, file, sidecar)?))
}
