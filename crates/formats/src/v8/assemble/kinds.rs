//! The neutral kind of each node.

use deadweight_heap::{Kind, Via, rows_with};
use memchr::memmem;
use rayon::prelude::*;
use rustc_hash::FxHashSet;

use crate::v8::edges::edge_type;
use crate::v8::graph::Graph;
use crate::v8::meta::{EdgeType, NodeType};

pub(super) fn of(graph: &Graph) -> Vec<Kind> {
    let hints = graph.by_edge_shape(|names| Hint::of(graph, names));
    let mut kinds: Vec<Kind> = (0..graph.len() as u32)
        .into_par_iter()
        .with_min_len(4096)
        .map(|node| kind(graph, &hints, node))
        .collect();
    leave_memories(graph, &mut kinds);
    kinds
}

/// What stands in a memory of WebAssembly stands where compiled code wrote it: no program keeps it in another form, so it
/// is no buffer, nor is a view on it.
fn leave_memories(graph: &Graph, kinds: &mut [Kind]) {
    let known = &graph.known;
    let nodes = rows_with(&graph.nodes.name, |name| name == known.memory);
    let memories: FxHashSet<u32> = nodes
        .filter(|&node| graph.kind(node) == NodeType::Object)
        // A class of this name has its buffer in a field.
        .flat_map_iter(|node| graph.edges(node).filter(|edge| edge.kind == EdgeType::Hidden))
        .map(|edge| edge.to)
        .filter(|&to| [known.array_buffer, known.shared_array_buffer].contains(&graph.name(to)))
        .collect();
    if memories.is_empty() {
        return;
    }
    kinds
        .par_iter_mut()
        .enumerate()
        .with_min_len(16_384)
        .for_each(|(node, kind)| {
            let is_of_memory =
                |node: u32| memories.contains(&graph.internal(node, known.buffer).unwrap_or(node));
            if *kind == Kind::Buffer && is_of_memory(node as u32) {
                *kind = Kind::Opaque;
            }
        });
}

/// What the names of an object's references show of its kind.
#[derive(Clone, Copy)]
enum Hint {
    Table,
    Buffer,
    Fields,
    Nothing,
}

impl Hint {
    fn of(graph: &Graph, names: &[Via]) -> Self {
        let known = &graph.known;
        let mut hint = Self::Nothing;
        for name in names {
            match edge_type(*name) {
                EdgeType::Internal if name.name() == known.table => return Self::Table,
                EdgeType::Internal if [known.buffer, known.backing_store].contains(&name.name()) => {
                    return Self::Buffer;
                }
                EdgeType::Property if name.name() != known.proto => hint = Self::Fields,
                _ => {}
            }
        }
        hint
    }
}

fn kind(graph: &Graph, hints: &[Hint], node: u32) -> Kind {
    match graph.kind(node) {
        NodeType::String | NodeType::Rope | NodeType::Slice => Kind::String,
        NodeType::Object => object_kind(graph, hints, node),
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

fn object_kind(graph: &Graph, hints: &[Hint], node: u32) -> Kind {
    let known = &graph.known;
    let name = graph.name(node);
    if name == known.scope {
        return Kind::Scope;
    }
    let fields = match hints[graph.edges.edge_shape(node) as usize] {
        Hint::Table => return Kind::Table,
        Hint::Buffer => return Kind::Buffer,
        Hint::Fields => true,
        Hint::Nothing => false,
    };
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
/// `last` is the name of the hidden class that was looked at last, and what it showed: strings share a few.
#[inline]
pub(super) fn is_external(graph: &Graph, node: u32, last: &mut (u32, bool)) -> bool {
    match graph.kind(node) {
        NodeType::Native | NodeType::Synthetic => true,
        // A size that has no room in its column is larger, too.
        NodeType::String => {
            graph.nodes.self_size[node as usize] > 64 && is_external_string(graph, node, last)
        }
        _ => false,
    }
}

fn is_external_string(graph: &Graph, node: u32, last: &mut (u32, bool)) -> bool {
    let Some(map) = graph.map(node) else {
        return false;
    };
    let name = graph.name(map);
    if last.0 != name {
        *last = (name, memmem::find(graph.text(name), b"External").is_some());
    }
    last.1
}
