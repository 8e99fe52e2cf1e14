//! The neutral kind of each node.

use deadweight_heap::Kind;
use memchr::memmem;
use rayon::prelude::*;

use crate::v8::graph::Graph;
use crate::v8::meta::{EdgeType, NodeType};

pub(super) fn of(graph: &Graph) -> Vec<Kind> {
    (0..graph.len() as u32)
        .into_par_iter()
        .with_min_len(4096)
        .map(|node| kind(graph, node))
        .collect()
}

fn kind(graph: &Graph, node: u32) -> Kind {
    match graph.kind(node) {
        NodeType::String | NodeType::Rope | NodeType::Slice => Kind::String,
        NodeType::Object => object_kind(graph, node),
        NodeType::Closure => Kind::Closure,
        NodeType::Number => Kind::Number,
        NodeType::Shape | NodeType::Hidden if graph.is_shape(node) => Kind::Shape,
        NodeType::Hidden | NodeType::Code | NodeType::Shape | NodeType::Synthetic | NodeType::Array => {
            Kind::Runtime
        }
        NodeType::Regexp | NodeType::Native | NodeType::Symbol | NodeType::Bigint | NodeType::Other => {
            Kind::Opaque
        }
    }
}

fn object_kind(graph: &Graph, node: u32) -> Kind {
    let known = &graph.known;
    let name = graph.name(node);
    if name == known.scope {
        return Kind::Scope;
    }
    let mut fields = false;
    for edge in graph.edges(node) {
        match edge.kind {
            EdgeType::Internal if edge.name == known.table => return Kind::Table,
            EdgeType::Internal if edge.name == known.buffer || edge.name == known.backing_store => {
                return Kind::Buffer;
            }
            EdgeType::Property if edge.name != known.proto => fields = true,
            _ => {}
        }
    }
    if name == known.array_buffer || name == known.shared_array_buffer {
        return Kind::Buffer;
    }
    // Prototypes carry their class's name; they have fields, which these built-in objects have not.
    if !fields && name == known.date && graph.self_size(node) >= 48 {
        return Kind::Date;
    }
    if name == known.array {
        return Kind::Array;
    }
    Kind::Record
}

/// Whether a node is charged outside V8's heap: native memory, the C++ side of roots, and strings whose characters
/// stand elsewhere (which newer versions count with the node).
///
/// `last` is the name of the hidden class that was looked at last, and what it told: strings share a few.
pub(super) fn is_external(graph: &Graph, node: u32, last: &mut (u32, bool)) -> bool {
    match graph.kind(node) {
        NodeType::Native | NodeType::Synthetic => true,
        NodeType::String => graph.self_size(node) > 64 && is_external_string(graph, node, last),
        _ => false,
    }
}

fn is_external_string(graph: &Graph, node: u32, last: &mut (u32, bool)) -> bool {
    let Some(map) = graph.internal(node, graph.known.map) else {
        return false;
    };
    let name = graph.name(map);
    if last.0 != name {
        *last = (name, memmem::find(graph.text(name), b"External").is_some());
    }
    last.1
}
