//! The raw graph: nodes, edges and strings as the file has them.

use std::ops::Range;
use std::sync::Arc;

use deadweight_heap::{Encoding, Spans, Texts};
use memmap2::Mmap;
use rayon::prelude::*;

use super::edge_names::EdgeNames;
use super::edges::RawEdges;
use super::known::Known;
use super::meta::{EdgeType, NodeType};
use super::nodes::Nodes;

/// How names of scopes start where the writer adds which one it is.
const SCOPE_AT: &[u8] = b"system / Context / ";

/// The raw graph with the strings V8 names its pieces by.
pub(super) struct Graph {
    pub nodes: Nodes,
    pub edges: RawEdges,
    pub texts: Texts,
    pub known: Known,
    /// What each string says as the name of an edge.
    names: EdgeNames,
}

/// A raw edge.
#[derive(Clone, Copy, Debug)]
pub(super) struct RawEdge {
    pub kind: EdgeType,
    /// A string's number, or an index, as the kind says.
    pub name: u32,
    pub to: u32,
}

impl Graph {
    pub(super) fn new(nodes: Nodes, edges: RawEdges, bytes: Arc<Mmap>, strings: Spans) -> Self {
        let known = Known::find(&bytes, &strings);
        let names = EdgeNames::of(&bytes, &strings);
        let mut graph = Self {
            nodes,
            edges,
            texts: Texts::new(bytes, strings, Encoding::Json),
            known,
            names,
        };
        graph.use_one_name();
        graph
    }

    /// Newer writers call V8's own pieces native, and add the place to the names of some; here each piece has the
    /// type and the name that all versions before gave it.
    fn use_one_name(&mut self) {
        let mut kinds = std::mem::take(&mut self.nodes.kind);
        let mut names = std::mem::take(&mut self.nodes.name);
        let with_place = |name: u32| name != self.known.scope && self.text(name).starts_with(SCOPE_AT);
        // The first such name stands for all when the plain one is not in the file.
        let scope = match self.known.scope {
            u32::MAX => (0..self.texts.len() as u32).find(|&name| with_place(name)),
            scope => Some(scope),
        };
        kinds
            .par_iter_mut()
            .zip(&mut names)
            .with_min_len(16_384)
            .for_each(|(kind, name)| match *kind {
                NodeType::Native
                    if *name != self.known.backing_data && self.text(*name).starts_with(b"system / ") =>
                {
                    *kind = NodeType::Hidden;
                }
                NodeType::Object if with_place(*name) => *name = scope.unwrap_or(*name),
                _ => {}
            });
        self.known.scope = scope.unwrap_or(u32::MAX);
        self.nodes.kind = kinds;
        self.nodes.name = names;
    }

    pub(super) fn len(&self) -> usize {
        self.nodes.kind.len()
    }

    pub(super) fn kind(&self, node: u32) -> NodeType {
        self.nodes.kind[node as usize]
    }

    pub(super) fn name(&self, node: u32) -> u32 {
        self.nodes.name[node as usize]
    }

    pub(super) fn self_size(&self, node: u32) -> u64 {
        match self.nodes.self_size[node as usize] {
            u32::MAX => self
                .nodes
                .large
                .get(&node)
                .copied()
                .unwrap_or(u64::from(u32::MAX)),
            small => u64::from(small),
        }
    }

    pub(super) fn edge_range(&self, node: u32) -> Range<usize> {
        let node = node as usize;
        self.nodes.first_edge[node] as usize..self.nodes.first_edge[node + 1] as usize
    }

    pub(super) fn edges(&self, node: u32) -> impl DoubleEndedIterator<Item = RawEdge> + '_ {
        let range = self.edge_range(node);
        let columns = self.edges.raw[range.clone()].iter().zip(&self.edges.to[range]);
        columns.map(|(raw, &to)| RawEdge {
            kind: EdgeType::of_bits(raw.0 >> 29),
            name: raw.name(),
            to,
        })
    }

    /// The target of the internal edge of that name. Looked for from the end: writers put fields and elements, of
    /// which there may be many, before their own pieces.
    pub(super) fn internal(&self, node: u32, name: u32) -> Option<u32> {
        self.edges(node)
            .rev()
            .find(|edge| edge.kind == EdgeType::Internal && edge.name == name)
            .map(|edge| edge.to)
    }

    /// The bytes of a string of the table, escapes as they are.
    pub(super) fn text(&self, string: u32) -> &[u8] {
        self.texts.raw(string)
    }

    /// A node's name.
    pub(super) fn name_text(&self, node: u32) -> &[u8] {
        self.text(self.name(node))
    }

    /// The number an internal edge's name spells, as the pieces of stores are named.
    pub(super) fn index_name(&self, name: u32) -> Option<u32> {
        self.names.index(name)
    }

    /// An accessor's functions hang on the object once more as `get name` and `set name`.
    pub(super) fn is_accessor_alias(&self, name: u32) -> bool {
        self.names.is_accessor_alias(name)
    }

    /// Whether the node describes a layout of objects (a hidden class).
    pub(super) fn is_shape(&self, node: u32) -> bool {
        self.name(node) == self.known.map_node
            && matches!(self.kind(node), NodeType::Shape | NodeType::Hidden)
    }
}
