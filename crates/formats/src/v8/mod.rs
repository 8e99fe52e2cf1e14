//! The heap snapshots of V8: Node, Chrome, Electron, Deno, and others that write the format.
//!
//! Every index and every enumeration is taken from the file's own `meta`; sections and fields that are not known are
//! passed over. `docs/formats/v8.md` says how each structure looks in the file and how it was measured.

mod assemble;
mod digits;
mod edge_names;
mod edges;
mod engine;
mod format;
mod graph;
mod hidden_texts;
mod known;
mod layout;
mod locations;
mod meta;
mod nodes;
mod numbers;
mod outline;
mod probe;
mod rows;
mod strings;
mod strip;
mod traces;

use std::sync::Arc;

use crate::mapped::MappedFile;
use deadweight_heap::{Heap, Spans};

use crate::Sidecar;
use crate::error::Malformed;
use edge_names::EdgeNames;
use graph::Graph;
use known::Known;
use outline::{Outline, Strings};

pub(crate) use format::Snapshot;
pub use layout::V8Layout;

/// The sections, and where each string stands.
fn text(bytes: &[u8]) -> Result<(Outline, Spans), Malformed> {
    let text = |place| {
        let outline = outline::scan(bytes, place)?;
        let strings = strings::scan(bytes, outline.strings.clone())?;
        Ok((outline, strings))
    };
    // What is wrong with a file is found by the careful reading.
    text(Strings::Last).or_else(|_: Malformed| text(Strings::Anywhere))
}

/// Reads a snapshot.
fn read(bytes: Arc<MappedFile>, sidecar: &Sidecar) -> Result<Heap, Malformed> {
    let (outline, strings) = text(&bytes)?;
    let meta = meta::parse(&bytes[outline.snapshot.clone()], outline.snapshot.start)?;
    let (nodes, first_edge) = nodes::parse(&bytes, &outline.nodes, &meta, strings.len())?;
    let locations = locations::parse(&bytes, outline.locations.as_ref(), &meta, &nodes.kind)?;
    let traces = traces::parse(&bytes, &outline, &meta, strings.len())?;
    let edges = edges::parse(&bytes, &outline.edges, &meta, &first_edge, strings.len())?;
    let (edges, (known, names)) = rayon::join(
        || edges.join(),
        || (Known::find(&bytes, &strings), EdgeNames::of(&bytes, &strings)),
    );
    drop(first_edge);
    let graph = Graph::new(nodes, edges, bytes, strings, known, names);
    Ok(Heap::new(assemble::assemble(
        graph,
        &locations,
        traces.as_ref(),
        sidecar,
    )))
}
