//! From V8's pieces to logical objects: kinds, parts, facts.

mod allocated;
mod facts;
mod kinds;
mod labels;
mod library;
mod moved;
mod ownership;
mod positions;
mod ropes;

use std::collections::HashSet;

use deadweight_heap::{
    Coverage, EdgeKind, Edges, Fixed, Flags, FrameColumns, HeapParts, Interior, Kind, Lines, NONE, NoBlocks,
    ObjectId, Objects, Presence, Rounded, RowSet, Runtime, Sites, StringLength, Texts, Totals, Types, Via,
    Width, rows_with,
};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::edges::{edge_type, raw_name};
use super::graph::{Graph, RawEdge};
use super::hidden_texts::USUAL_LIMIT;
use super::layout::V8Layout;
use super::locations::Location;
use super::meta::{EdgeType, NodeType};
use super::traces::Traces;
use super::{engine, probe};
use crate::Sidecar;
use library::OfName;
use moved::Moved;
use ownership::Ownership;

/// Everything the steps of the assembly share.
pub(super) struct Assembly<'a> {
    graph: &'a Graph,
    kinds: Vec<Kind>,
    /// The owner of each part, or [`NONE`].
    owners: Vec<ObjectId>,
    /// The nodes that may have parts.
    wholes: RowSet,
    /// Bytes that the recorder moved out of the heap.
    moved: Moved,
    layout: V8Layout,
    numbers_known: bool,
}

pub(super) fn assemble(
    mut graph: Graph,
    locations: &[Location],
    traces: Option<&Traces>,
    sidecar: &Sidecar,
) -> HeapParts {
    let kinds = kinds::of(&graph);
    let probe = probe::find(&graph, sidecar);
    let Ownership {
        mut owners,
        wholes,
        with_pieces,
    } = ownership::find(&graph, &kinds, &probe.own);
    let moved = Moved::find(&graph, &kinds, &owners, &probe, sidecar);
    moved.own(&mut owners);
    let numbers_known = numbers_known(&graph);
    let layout = observe(&graph, &kinds, &owners);
    let assembly = Assembly {
        graph: &graph,
        kinds,
        owners,
        wholes,
        moved,
        layout,
        numbers_known,
    };
    let longest_whole = longest_whole(layout, sidecar);
    let joined = ropes::joined(&assembly, |string| graph.self_size(string) > longest_whole);
    let engine = engine::held(&graph, &probe.lists);
    let alone = engine.as_ref().map(|engine| engine.alone.as_slice());

    let mut types = Types::default();
    // Facts and labels are put together step by step.
    let (facts, flags) = rayon::join(
        || facts::collect(&assembly, &probe, alone),
        || flags(&assembly, alone, &probe, (longest_whole, &joined)),
    );
    let (labels, (mut named, flattened, library_types)) = rayon::join(
        || labels::labels(&assembly, &facts, &mut types),
        || {
            let library_types = library::of_classes(&assembly, &facts, engine.as_ref());
            let flattened = ropes::flattened(&assembly);
            (labels::oddballs(&assembly), flattened, library_types)
        },
    );
    let positions = positions::find(&assembly, &facts, locations, &sidecar.root);
    let globals = engine.map(|engine| engine.globals).unwrap_or_default();

    // From here on columns are not copied but made over.
    let Assembly {
        kinds,
        owners: mut fact,
        moved,
        ..
    } = assembly;
    facts.index(&graph, &mut fact);
    let coverage = coverage(numbers_known, sidecar);
    let lengths = lengths(&graph, &probe);
    let totals = totals(&graph, &probe, &moved, layout, sidecar);
    let pieces: Vec<Vec<bool>> = with_pieces
        .iter()
        .map(|&node| fields_without_slot(&graph, &kinds, node))
        .collect();
    let variables: Vec<Vec<bool>> = globals
        .iter()
        .map(|&global| {
            let edges = graph.edges(global);
            edges
                .map(|edge| engine::is_programs_variable(&graph, edge))
                .collect()
        })
        .collect();
    let (sizes, large) = sizes(&mut graph, &probe, &moved, layout);
    let Graph {
        nodes,
        mut edges,
        mut texts,
        known,
        ..
    } = graph;
    let shown = [flattened, ropes::named(&joined, &mut texts)].concat();
    named.extend(probe.hidden_texts.named(shown, &mut texts));
    let mut label = labels.column(nodes.name, &kinds, &named, &mut types, &texts);
    note_library_types(library_types, &mut label, &mut types, &texts);
    let mut lines = Lines::default();
    positions.note(&mut lines, &label);
    if let Some(traces) = traces {
        allocated::note(traces, &texts, &sidecar.root, &mut lines);
    }
    neutral_names(&mut edges, known.proto, with_pieces, pieces);
    // What the program put on a global object is named as its other variables are.
    rename_marked(&mut edges, globals, variables, |name, is_variable| {
        match (name.kind(), is_variable) {
            (EdgeKind::Field, true) => Via::new(EdgeKind::Variable, name.name()),
            (EdgeKind::Field, false) => Via::new(EdgeKind::Internal, name.name()),
            _ => name,
        }
    });
    // The recorder's lists keep nothing alive for the program: nobody holds an object because they do.
    edges.rename_each(probe.lists.iter().copied(), |_, names| {
        for name in names {
            *name = Via::new(EdgeKind::Weak, name.name());
        }
    });
    facts::name_entries(&facts.tables, &mut edges);
    HeapParts {
        rows_move: false,
        objects: Objects::from_columns(kinds, flags, sizes, large, label, fact),
        edges,
        interior: Interior::default(),
        texts,
        types,
        records: facts.records,
        shapes: facts.shapes,
        arrays: facts.arrays,
        tables: facts.tables.into_iter().map(|table| table.fact).collect(),
        buffers: facts.buffers,
        numbers: facts.numbers,
        dates: facts.dates,
        lengths,
        string_rooms: Vec::new(),
        own_classes: Vec::new(),
        frame_columns: FrameColumns::default(),
        fixed: Fixed::default(),
        sites: Sites::default(),
        lines,
        blocks: Box::new(NoBlocks),
        coverage,
        totals,
        runtime: runtime(layout, numbers_known, sidecar),
        layout: Box::new(layout),
        allocator: Box::new(Rounded {
            name: "v8",
            to: layout.word,
        }),
        partial: None,
    }
}

/// What the process said of itself, without what the recorder added and moved while it looked.
fn totals(graph: &Graph, probe: &probe::Probe, moved: &Moved, layout: V8Layout, sidecar: &Sidecar) -> Totals {
    let lists: u64 = probe.lists.iter().map(|&list| graph.self_size(list)).sum();
    let stores: u64 = moved.stores(layout).map(|(_, bytes)| bytes).sum();
    let Totals {
        heap_used, external, ..
    } = sidecar.totals;
    Totals {
        heap_used: heap_used.map(|used| used.saturating_sub(lists) + stores),
        external: external.map(|external| external.saturating_sub(moved.external())),
        ..sidecar.totals
    }
}

/// Lengths of slices and ropes that the recorder wrote down. Their hidden class shows the width.
fn lengths(graph: &Graph, probe: &probe::Probe) -> Vec<StringLength> {
    let known = &graph.known;
    let mut lengths: Vec<StringLength> = probe
        .strings
        .iter()
        .map(|(&object, &units)| {
            let map = graph.map(object).map(|map| graph.name(map));
            let one_byte = map == Some(known.sliced_one_byte) || map == Some(known.cons_one_byte);
            StringLength {
                object,
                units,
                width: if one_byte { Width::One } else { Width::Two },
            }
        })
        .collect();
    lengths.sort_unstable_by_key(|length| length.object);
    lengths
}

fn runtime(layout: V8Layout, numbers_known: bool, sidecar: &Sidecar) -> Runtime {
    let counted = !sidecar.tables.is_empty() || !sidecar.arrays.is_empty();
    let is_whole = numbers_known && sidecar.buffers_complete && counted;
    let name = if sidecar.runtime.is_empty() {
        "v8"
    } else {
        &sidecar.runtime
    };
    Runtime {
        name: name.to_owned(),
        version: sidecar.version.clone(),
        word_bytes: layout.word as u32,
        allocator: "v8".to_owned(),
        recapture: if is_whole {
            // The capture is as good as one can be.
            "not possible, as V8 writes no numbers that stand in arrays, maps and sets to a snapshot, and does not \
             say how full weak maps are"
        } else {
            "capture with `deadweight run -- node …`, which records numbers, the contents of buffers, the lengths of \
             slices and how full maps, sets and arrays are"
        }
        .to_owned(),
    }
}

fn coverage(numbers_known: bool, sidecar: &Sidecar) -> Coverage {
    let contents = match (sidecar.buffers.is_empty(), sidecar.buffers_complete) {
        (_, true) => Presence::Present,
        (false, false) => Presence::Partial,
        (true, false) => Presence::Absent,
    };
    let numbers = if numbers_known {
        Presence::Present
    } else {
        Presence::Absent
    };
    Coverage {
        texts: Presence::Present,
        contents,
        numbers,
        slots: numbers,
        sites: Presence::Absent,
        requests: Presence::Present,
        edges: Presence::Present,
        names: Presence::Present,
        capacities: Presence::Partial,
        untouched: Presence::Absent,
    }
}

/// A capture with numeric values shows small integers as nodes; a plain one never does.
fn numbers_known(graph: &Graph) -> bool {
    let wanted = graph.known.smi_number;
    wanted != u32::MAX
        && (0..graph.len())
            .into_par_iter()
            .with_min_len(65_536)
            .any(|node| graph.nodes.kind[node] == NodeType::Number && graph.nodes.name[node] == wanted)
}

/// Reads the layout off the file: the size of a hidden class shows the word, the rest is measured where it stands.
fn observe(graph: &Graph, kinds: &[Kind], owners: &[ObjectId]) -> V8Layout {
    let mut layout = V8Layout::NODE_20;
    let shape = (0..graph.len() as u32).find(|&node| graph.is_shape(node) && graph.self_size(node) > 0);
    if shape.is_some_and(|node| graph.self_size(node) < 64) {
        layout = V8Layout {
            word: 4,
            descriptors_header: 16,
            date: 56,
            view: 64,
        };
    }
    let descriptors = (0..graph.len() as u32).find_map(|node| {
        let held = graph
            .is_shape(node)
            .then(|| graph.internal(node, graph.known.descriptors))
            .flatten()?;
        (graph.self_size(held) > 0).then(|| graph.self_size(held))
    });
    // The header is what is left of whole triples of words.
    if let Some(bytes) = descriptors {
        layout.descriptors_header = match (layout.word, bytes % (3 * layout.word)) {
            (8, rest) => 24 + rest,
            (_, 0) => 24,
            (_, rest) => 12 + rest,
        };
    }
    // A date whose number is small, or is none, has no box for it: the largest is what dates of today take.
    let date = rows_with(kinds, |kind| kind == Kind::Date)
        .filter(|&node| owners[node as usize] == NONE)
        .map(|node| {
            let mut parts: Vec<u32> = graph.edges(node).map(|edge| edge.to).collect();
            parts.sort_unstable();
            parts.dedup();
            let parts = parts.iter().filter(|&&part| owners[part as usize] == node);
            graph.self_size(node) + parts.map(|&part| graph.self_size(part)).sum::<u64>()
        })
        .max();
    if let Some(date) = date.filter(|&bytes| bytes > 0) {
        layout.date = date;
    }
    let buffers = rows_with(kinds, |kind| kind == Kind::Buffer);
    let view = buffers.find_first(|&node| {
        graph.name(node) != graph.known.data_view && graph.internal(node, graph.known.buffer).is_some()
    });
    if let Some(view) = view {
        layout.view = graph.self_size(view);
    }
    layout
}

/// Which references of a node look like fields and are none: those to hidden classes and accessors, which stand in the
/// hidden class, and to the functions of accessors.
fn fields_without_slot(graph: &Graph, kinds: &[Kind], node: u32) -> Vec<bool> {
    let fields = || graph.edges(node).filter(|edge| edge.kind == EdgeType::Property);
    // Hashed with a key of the run, since the names are a stranger's.
    let accessors: HashSet<&[u8]> = fields()
        .filter(|edge| graph.is_accessor(edge.to))
        .map(|edge| graph.text(edge.name))
        .collect();
    let is_function = |edge: RawEdge| {
        let accessor = graph.accessor_of_alias(edge.name);
        accessor.is_some_and(|accessor| accessors.contains(accessor))
    };
    let has_no_slot = |edge: RawEdge| {
        edge.kind == EdgeType::Property
            && (kinds[edge.to as usize] == Kind::Shape || graph.is_accessor(edge.to) || is_function(edge))
    };
    graph.edges(node).map(has_no_slot).collect()
}

/// Makes another name of each edge of the nodes, by whether it is marked.
fn rename_marked(
    edges: &mut Edges,
    nodes: Vec<u32>,
    marked: Vec<Vec<bool>>,
    name: impl Fn(Via, bool) -> Via,
) {
    let mut marked = marked.into_iter();
    edges.rename_each(nodes, |_, names| {
        for (via, mark) in names.iter_mut().zip(marked.next().into_iter().flatten()) {
            *via = name(*via, mark);
        }
    });
}

/// Notes what of the types the library has, and gives its objects a type of their own where the program has one of
/// that name.
fn note_library_types(library_types: Vec<OfName>, label: &mut [u32], types: &mut Types, texts: &Texts) {
    for class in library_types {
        let name = labels::shown(texts, class.name);
        if class.of.whole || !class.of.fields.is_empty() {
            let ty = types.named(&name);
            types.note_library(ty, class.of);
        }
        if let Some(apart) = class.apart {
            let ty = types.namesake(&name);
            types.note_library(ty, apart.of);
            for node in apart.nodes {
                label[node as usize] = ty;
            }
        }
    }
}

/// Gives all edges their neutral names. Of the nodes `with_pieces` those that are marked are no fields.
fn neutral_names(edges: &mut Edges, proto: u32, with_pieces: Vec<u32>, pieces: Vec<Vec<bool>>) {
    rename_marked(edges, with_pieces, pieces, |name, is_piece| {
        if is_piece {
            raw_name(EdgeType::Internal, name.name())
        } else {
            name
        }
    });
    edges.rename(|raw| {
        let name = raw.name();
        let kind = match edge_type(raw) {
            EdgeType::Property if name == proto => EdgeKind::Internal,
            EdgeType::Property => EdgeKind::Field,
            EdgeType::Element => EdgeKind::Element,
            EdgeType::Context => EdgeKind::Variable,
            EdgeType::Weak => EdgeKind::Weak,
            EdgeType::Internal | EdgeType::Hidden | EdgeType::Shortcut => EdgeKind::Internal,
        };
        Via::new(kind, name)
    });
}

/// Bytes of the longest string that a snapshot shows whole.
fn longest_whole(layout: V8Layout, sidecar: &Sidecar) -> u64 {
    let limit = sidecar.string_limit.unwrap_or(USUAL_LIMIT);
    deadweight_heap::Layout::string(&layout, limit, Width::One)
}

fn flags(
    assembly: &Assembly<'_>,
    engine: Option<&[bool]>,
    probe: &probe::Probe,
    (longest_whole, joined): (u64, &FxHashMap<u32, Vec<u8>>),
) -> Vec<Flags> {
    let graph = assembly.graph;
    let mut flags: Vec<Flags> = (0..graph.len() as u32)
        .into_par_iter()
        .with_min_len(16_384)
        .map_init(
            || (u32::MAX, false),
            |last, node| {
                let mut flags = Flags::default();
                if engine.is_some_and(|engine| engine[node as usize]) {
                    flags |= Flags::ENGINE;
                }
                if assembly.owners[node as usize] != NONE {
                    flags |= Flags::PART;
                }
                if kinds::is_external(graph, node, last) && !assembly.moved.has(node) {
                    flags |= Flags::EXTERNAL;
                }
                // Slices and ropes in pieces do not show their text, and long strings not all of it.
                let is_cut = |string| graph.self_size(string) > longest_whole;
                let cut = match graph.kind(node) {
                    NodeType::String => is_cut(node),
                    NodeType::Rope | NodeType::Slice => {
                        let flat = ropes::flat_text(assembly, node);
                        let is_hidden = || !probe.hidden_texts.has(node) && !joined.contains_key(&node);
                        flat.map_or_else(is_hidden, is_cut)
                    }
                    _ => false,
                };
                if cut {
                    flags |= Flags::INCOMPLETE;
                }
                flags
            },
        )
        .collect();
    for &own in &probe.own {
        flags[own as usize] |= Flags::RECORDER;
    }
    flags
}

/// The column of sizes, and those that it is too narrow for.
fn sizes(
    graph: &mut Graph,
    probe: &probe::Probe,
    moved: &Moved,
    layout: V8Layout,
) -> (Vec<u32>, FxHashMap<u32, u64>) {
    let nodes = &mut graph.nodes;
    let mut sizes = std::mem::take(&mut nodes.self_size);
    // Lists of line ends are made by the act of taking the snapshot, after the process reported its totals.
    let of_code = nodes.kind.par_iter().zip(&nodes.name).zip(&mut sizes);
    of_code.with_min_len(65_536).for_each(|((kind, name), size)| {
        if *kind == NodeType::Code && *name == graph.known.line_ends {
            *size = 0;
        }
    });
    // The lists of the probe too are there for the snapshot's sake; `totals` leaves them out as well.
    for &list in &probe.lists {
        sizes[list as usize] = 0;
    }
    for (backing, bytes) in moved.stores(layout) {
        sizes[backing as usize] = bytes as u32;
    }
    (sizes, std::mem::take(&mut nodes.large))
}
