//! Joined strings that were flattened: their first piece is the whole text, their second is empty.

use deadweight_heap::{Layout, TextId, Width, rows_with};
use rayon::prelude::*;

use super::Assembly;
use crate::v8::meta::NodeType;

/// The node of the flat text behind a joined string; `None` for one that is still in pieces.
pub(super) fn flat_text(assembly: &Assembly<'_>, rope: u32) -> Option<u32> {
    let graph = assembly.graph;
    let string = |name| {
        graph
            .internal(rope, name)
            .filter(|&piece| piece != rope && graph.kind(piece) == NodeType::String)
    };
    let second = string(graph.known.second)?;
    let is_empty = graph.name_text(second).is_empty()
        && graph.self_size(second) <= assembly.layout.string(0, Width::One);
    is_empty.then(|| string(graph.known.first)).flatten()
}

/// The joined strings that were flattened, with the text that each shows.
pub(super) fn flattened(assembly: &Assembly<'_>) -> Vec<(u32, TextId)> {
    let graph = assembly.graph;
    rows_with(&graph.nodes.kind, |kind| kind == NodeType::Rope)
        .filter_map(|rope| Some((rope, graph.name(flat_text(assembly, rope)?))))
        .collect()
}
