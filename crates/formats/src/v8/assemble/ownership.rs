//! Which internal piece belongs to which object.
//!
//! A piece is part of an object when that object alone refers to it in that role. A piece that two objects share (an
//! empty store, a copy-on-write literal, a descriptor array along a chain of hidden classes) is nobody's part.

use std::sync::atomic::{AtomicU32, Ordering};

use deadweight_heap::{Kind, NONE, ObjectId, RowSet, Via};
use rayon::prelude::*;
use rustc_hash::FxHashSet;

use crate::v8::edges::edge_type;
use crate::v8::graph::{Graph, RawEdge};
use crate::v8::meta::{EdgeType, NodeType};

const SHARED: u32 = NONE - 1;

/// What a look at all edges shows.
pub(super) struct Ownership {
    /// The owner of each part, or [`NONE`].
    pub owners: Vec<ObjectId>,
    /// The nodes that may have parts.
    pub wholes: RowSet,
    /// The nodes with fields whose value is a hidden class or an accessor: such a field is none of the program's.
    pub with_pieces: Vec<u32>,
}

pub(super) fn find(graph: &Graph, kinds: &[Kind], recorder: &[u32]) -> Ownership {
    let recorder: FxHashSet<u32> = recorder.iter().copied().collect();
    let nobody = (0..graph.len() as u32).into_par_iter().with_min_len(65_536);
    let owners: Vec<AtomicU32> = nobody.map(|_| AtomicU32::new(NONE)).collect();
    let chains = Chains::of(graph);
    // A piece the program itself refers to (an ArrayBuffer in a variable) is an object of its own. Only buffers can be
    // both a piece and a thing a program names.
    let named = RowSet::none(graph.len());
    let wholes = RowSet::none(graph.len());
    let lists = EdgeShapes::of(graph);
    // Of nearly all references where they lead to is all that is looked at, in a table that stays at hand.
    let relevant = RowSet::of(graph.len(), |node| {
        matches!(kinds[node as usize], Kind::Buffer | Kind::Shape) || graph.is_accessor(node)
    });
    // Runs of edges that pieces of the runtime share are looked at once.
    let looked_at = RowSet::none(graph.edges.adjacency_lists());
    let nodes = (0..graph.len() as u32).into_par_iter().with_min_len(4096);
    let with_pieces = nodes.filter(|&node| {
        let kind = kinds[node as usize];
        let has_parts = !matches!(kind, Kind::Runtime | Kind::Opaque | Kind::Scope | Kind::Closure)
            || graph.kind(node) == NodeType::Regexp
            || graph.name(node) == graph.known.prototype_info_node;
        let list = graph.edges.edge_shape(node);
        let roles = lists.roles[list as usize];
        let has_parts = has_parts && roles & PARTS != 0;
        let of_runtime = kind == Kind::Runtime && roles & INTERNAL != 0;
        let of_recorder = recorder.contains(&node);
        let is_new = of_runtime && !of_recorder && looked_at.insert(graph.edges.adjacency(node));
        if !has_parts && !is_new && roles & NAMES == 0 {
            return false;
        }
        let (names, targets) = (graph.edges.names(node), graph.edges.targets(node));
        if has_parts {
            for &place in lists.parts(list) {
                let edge = RawEdge::new(names[place as usize], targets[place as usize]);
                if is_part(graph, kinds, &chains, node, edge) {
                    declare(&owners[edge.to as usize], node);
                    wholes.insert(node);
                }
            }
        }
        let mut has_piece = false;
        for (place, &to) in targets.iter().enumerate() {
            if !relevant.has(to) {
                continue;
            }
            let edge = RawEdge::new(names[place], to);
            let names_it = matches!(
                edge.kind,
                EdgeType::Property | EdgeType::Element | EdgeType::Context
            ) || (edge.kind == EdgeType::Internal && is_new);
            if names_it && kinds[to as usize] == Kind::Buffer && !of_recorder {
                named.insert(to);
            }
            has_piece |= edge.kind == EdgeType::Property && kinds[to as usize] != Kind::Buffer;
        }
        has_piece
    });
    let with_pieces: Vec<u32> = with_pieces.collect();
    let mut owners: Vec<ObjectId> = owners.into_iter().map(AtomicU32::into_inner).collect();
    let owned = owners.par_iter_mut().enumerate().with_min_len(16_384);
    owned.for_each(|(node, owner)| {
        if *owner == SHARED || (*owner != NONE && named.has(node as u32)) {
            *owner = NONE;
        }
    });
    Ownership {
        owners,
        wholes,
        with_pieces,
    }
}

/// Edges that name what a program refers to.
const NAMES: u8 = 1;
/// Edges that may lead to parts.
const PARTS: u8 = 2;
/// Edges inside the engine.
const INTERNAL: u8 = 4;

/// What is known of each list of names once, for all nodes that have it.
struct EdgeShapes {
    /// Which sorts of edges it has.
    roles: Vec<u8>,
    /// Where the places of each list start; one entry more than there are lists.
    starts: Vec<u32>,
    /// Places of edges that may lead to parts.
    places: Vec<u32>,
}

impl EdgeShapes {
    fn of(graph: &Graph) -> Self {
        let known = &graph.known;
        let lead_to_parts = [
            known.properties,
            known.elements,
            known.table,
            known.buffer,
            known.descriptors,
            known.prototype_info,
            known.transitions,
            known.back_pointer,
        ];
        let role = |name: Via| match edge_type(name) {
            EdgeType::Property | EdgeType::Element | EdgeType::Context => NAMES,
            EdgeType::Internal if lead_to_parts.contains(&name.name()) => INTERNAL | PARTS,
            EdgeType::Internal => INTERNAL,
            EdgeType::Hidden => PARTS,
            EdgeType::Shortcut | EdgeType::Weak => 0,
        };
        let roles = graph.by_edge_shape(|names| names.iter().fold(0, |roles, &name| roles | role(name)));
        let (mut starts, mut places) = (vec![0], Vec::new());
        for (list, roles) in roles.iter().enumerate() {
            if roles & PARTS != 0 {
                let names = graph.edges.edge_shape_names(list as u32).iter().enumerate();
                let leading = names.filter(|(_, name)| role(**name) & PARTS != 0);
                places.extend(leading.map(|(place, _)| place as u32));
            }
            starts.push(places.len() as u32);
        }
        Self {
            roles,
            starts,
            places,
        }
    }

    fn parts(&self, list: u32) -> &[u32] {
        let list = list as usize;
        &self.places[self.starts[list] as usize..self.starts[list + 1] as usize]
    }
}

/// The first owner is noted, a second one makes the piece shared: the end does not depend on the order.
fn declare(owner: &AtomicU32, by: u32) {
    let was = owner.compare_exchange(NONE, by, Ordering::Relaxed, Ordering::Relaxed);
    if was.is_err_and(|was| was != by) {
        owner.store(SHARED, Ordering::Relaxed);
    }
}

fn is_part(graph: &Graph, kinds: &[Kind], chains: &Chains, node: u32, edge: RawEdge) -> bool {
    let known = &graph.known;
    // What names a thing is no way to a part, and the target need not be looked at.
    if !matches!(edge.kind, EdgeType::Internal | EdgeType::Hidden)
        || edge.to == node
        || graph.self_size(edge.to) == 0
    {
        return false;
    }
    let target = graph.kind(edge.to);
    match edge.kind {
        EdgeType::Internal if edge.name == known.properties => {
            (target == NodeType::Hidden && graph.name(edge.to) == known.property_array)
                || (target == NodeType::Array && graph.name(edge.to) == known.object_properties)
        }
        // Literals share their elements; those are nodes of type code.
        EdgeType::Internal if edge.name == known.elements => target == NodeType::Array,
        EdgeType::Internal if edge.name == known.table => target == NodeType::Array,
        EdgeType::Internal if edge.name == known.buffer => {
            // A buffer is no view on another one, or pieces could own each other.
            kinds[edge.to as usize] == Kind::Buffer && graph.internal(edge.to, known.buffer).is_none()
        }
        EdgeType::Internal if edge.name == known.descriptors => {
            kinds[node as usize] == Kind::Shape
                && kinds[edge.to as usize] != Kind::Shape
                && !chains.is_inner(node)
        }
        // What the engine knows of a prototype hangs on the hidden class that the prototype has for itself.
        EdgeType::Internal if edge.name == known.prototype_info => {
            kinds[node as usize] == Kind::Shape && kinds[edge.to as usize] != Kind::Shape
        }
        EdgeType::Internal if edge.name == known.transitions => {
            kinds[node as usize] == Kind::Shape
                && kinds[edge.to as usize] != Kind::Shape
                && target != NodeType::Code
        }
        EdgeType::Internal if edge.name == known.back_pointer => chains.belongs_to_child(edge.to),
        // The number in a date, the data of a regular expression.
        EdgeType::Hidden if kinds[node as usize] == Kind::Date => target == NodeType::Number,
        // The cell that is struck out when a prototype changes is that prototype's, however many hidden classes of
        // objects below it look at it; so is the list of those hidden classes.
        EdgeType::Hidden if kinds[node as usize] == Kind::Shape => {
            graph.name(edge.to) == known.cell && graph.internal(node, known.prototype_info).is_some()
        }
        EdgeType::Hidden if graph.name(node) == known.prototype_info_node => {
            graph.name(edge.to) == known.weak_list
        }
        EdgeType::Hidden => {
            graph.kind(node) == NodeType::Regexp
                && (is_regexp_data(graph, edge) || is_escaped_source(graph, node, edge))
        }
        _ => false,
    }
}

fn is_regexp_data(graph: &Graph, edge: RawEdge) -> bool {
    graph.kind(edge.to) == NodeType::Array || graph.name_text(edge.to).ends_with(b"RegExpData")
}

/// Whether it is the pattern of a regular expression as the engine wrote it, with `/` escaped: it makes that text for each
/// expression anew, also where the program has one pattern for all.
fn is_escaped_source(graph: &Graph, node: u32, edge: RawEdge) -> bool {
    if graph.kind(edge.to) != NodeType::String {
        return false;
    }
    let data = graph
        .edges(node)
        .find(|edge| edge.kind == EdgeType::Hidden && is_regexp_data(graph, *edge));
    let pattern = data.and_then(|data| {
        graph
            .edges(data.to)
            .find(|edge| graph.kind(edge.to) == NodeType::String)
    });
    pattern.is_some_and(|pattern| graph.name(pattern.to) != graph.name(edge.to))
}

/// Chains of hidden classes: adding a field to a record leads from one to the next.
struct Chains {
    /// Shapes that another shape extends while sharing its list of fields.
    inner: RowSet,
    /// Shapes that another extends.
    once: RowSet,
    /// Shapes that several others extend.
    often: RowSet,
    /// Shapes with records of their own.
    used: RowSet,
}

impl Chains {
    fn of(graph: &Graph) -> Self {
        let none = || RowSet::none(graph.len());
        let chains = Self {
            inner: none(),
            once: none(),
            often: none(),
            used: none(),
        };
        let nodes = (0..graph.len() as u32).into_par_iter().with_min_len(4096);
        nodes.for_each(|node| {
            if graph.is_shape(node) {
                chains.extend(graph, node);
            } else if matches!(graph.kind(node), NodeType::Object | NodeType::Closure)
                && let Some(map) = graph.map(node)
            {
                chains.used.insert(map);
            }
        });
        chains
    }

    /// Notes which shape this one extends.
    fn extend(&self, graph: &Graph, shape: u32) {
        let parent = graph.internal(shape, graph.known.back_pointer);
        let Some(parent) = parent.filter(|&parent| graph.is_shape(parent)) else {
            return;
        };
        if !self.once.insert(parent) {
            self.often.insert(parent);
        }
        let list = |shape| graph.internal(shape, graph.known.descriptors);
        if list(parent).is_some() && list(parent) == list(shape) {
            self.inner.insert(parent);
        }
    }

    fn is_inner(&self, shape: u32) -> bool {
        self.inner.has(shape)
    }

    /// Whether a shape without records of its own is there for one other alone.
    fn belongs_to_child(&self, shape: u32) -> bool {
        self.once.has(shape) && !self.often.has(shape) && !self.used.has(shape)
    }
}
