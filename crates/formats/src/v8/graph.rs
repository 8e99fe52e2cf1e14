//! The raw graph: nodes, edges and strings as the file has them.

use std::sync::Arc;

use crate::mapped::MappedFile;
use deadweight_heap::{Edges, Encoding, NONE, Spans, Texts, Via, rows_with};
use rayon::prelude::*;

use super::edge_names::EdgeNames;
use super::edges::{edge_type, raw_name};
use super::known::Known;
use super::meta::{EdgeType, NodeType};
use super::nodes::Nodes;

/// How names of scopes start where the writer adds which one it is.
const SCOPE_AT: &[u8] = b"system / Context / ";

/// The raw graph with the strings V8 names its pieces by.
pub(super) struct Graph {
    pub nodes: Nodes,
    /// Names have the bits of [`raw_name`].
    pub edges: Edges,
    pub texts: Texts,
    pub known: Known,
    /// What each string says as the name of an edge.
    names: EdgeNames,
    /// By list of names.
    pieces: Vec<Pieces>,
}

/// Where the pieces that nearly every object has stand among the references of those with one list of names.
#[derive(Clone, Copy, Debug)]
struct Pieces {
    map: u32,
    properties: u32,
}

/// A raw edge.
#[derive(Clone, Copy, Debug)]
pub(super) struct RawEdge {
    pub kind: EdgeType,
    /// A string's number, or an index, as the kind says.
    pub name: u32,
    pub to: u32,
}

impl RawEdge {
    #[inline]
    pub(super) fn new(name: Via, to: u32) -> Self {
        Self {
            kind: edge_type(name),
            name: name.name(),
            to,
        }
    }
}

impl Graph {
    pub(super) fn new(
        nodes: Nodes,
        edges: Edges,
        bytes: Arc<MappedFile>,
        strings: Spans,
        known: Known,
        names: EdgeNames,
    ) -> Self {
        let mut graph = Self {
            nodes,
            edges,
            texts: Texts::new(bytes, strings, Encoding::Json),
            known,
            names,
            pieces: Vec::new(),
        };
        graph.weaken_tables_of_strings();
        graph.pieces = graph.by_edge_shape(|names| {
            let place = |name| last_internal(names, name).map_or(NONE, |place| place as u32);
            Pieces {
                map: place(graph.known.map),
                properties: place(graph.known.properties),
            }
        });
        graph.use_one_name();
        graph
    }

    /// The engine's tables of strings are roots in the file, but keep no string alive: one that stands in them is there
    /// because something else refers to it.
    fn weaken_tables_of_strings(&mut self) {
        let names = [self.known.internalized_strings, self.known.external_strings];
        let tables = rows_with(&self.nodes.kind, |kind| kind == NodeType::Synthetic);
        let tables = tables.filter(|&node| names.contains(&self.name(node)));
        let tables: Vec<u32> = tables.collect();
        self.edges.rename_each(tables, |_, names| {
            for name in names {
                *name = raw_name(EdgeType::Weak, name.name());
            }
        });
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

    pub(super) fn edges(&self, node: u32) -> impl DoubleEndedIterator<Item = RawEdge> + '_ {
        self.edges.of(node).map(|edge| RawEdge::new(edge.via, edge.to))
    }

    /// The target of the internal edge of that name. Looked for from the end: writers put fields and elements, of
    /// which there may be many, before their own pieces.
    pub(super) fn internal(&self, node: u32, name: u32) -> Option<u32> {
        let place = last_internal(self.edges.names(node), name)?;
        Some(self.edges.targets(node)[place])
    }

    /// The hidden class of a node.
    #[inline]
    pub(super) fn map(&self, node: u32) -> Option<u32> {
        self.piece(node, |pieces| pieces.map)
    }

    /// The store of a node's fields that have no place in the node.
    #[inline]
    pub(super) fn properties(&self, node: u32) -> Option<u32> {
        self.piece(node, |pieces| pieces.properties)
    }

    #[inline]
    fn piece(&self, node: u32, place: impl Fn(&Pieces) -> u32) -> Option<u32> {
        let place = place(&self.pieces[self.edges.edge_shape(node) as usize]);
        (place != NONE).then(|| self.edges.targets(node)[place as usize])
    }

    /// What `describe` makes of each list of names: many nodes have the same.
    pub(super) fn by_edge_shape<T: Send>(&self, describe: impl Fn(&[Via]) -> T + Sync) -> Vec<T> {
        self.edges.by_edge_shape(describe)
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

    /// The name of the accessor whose function has this name: `get name` or `set name`.
    pub(super) fn accessor_of_alias(&self, name: u32) -> Option<&[u8]> {
        let of = |prefix: &[u8]| self.text(name).strip_prefix(prefix);
        let is_alias = self.is_accessor_alias(name);
        is_alias.then(|| of(b"get ").or_else(|| of(b"set ")))?
    }

    /// The two functions of an accessor. It stands in the hidden class and takes no slot of the object.
    pub(super) fn is_accessor(&self, node: u32) -> bool {
        self.name(node) == self.known.accessor_pair && self.kind(node) == NodeType::Hidden
    }

    /// Whether the node describes a layout of objects (a hidden class).
    pub(super) fn is_shape(&self, node: u32) -> bool {
        // The kind first: its column is the narrowest.
        matches!(self.kind(node), NodeType::Shape | NodeType::Hidden)
            && self.name(node) == self.known.map_node
    }
}

/// The last place of an internal edge of that name.
fn last_internal(names: &[Via], name: u32) -> Option<usize> {
    // A name that the file does not have names nothing.
    let wanted = (name < Via::MAX_NAME).then(|| raw_name(EdgeType::Internal, name))?;
    names.iter().rposition(|&name| name == wanted)
}
