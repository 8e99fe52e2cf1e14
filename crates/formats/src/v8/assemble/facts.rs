//! Facts by kind.

use std::sync::atomic::{AtomicU32, Ordering};

use deadweight_heap::{
    Array, Buffer, Date, EdgeKind, Kind, NONE, Number, ObjectId, Record, Shape, StringForm, Table, UNKNOWN,
    Via,
};
use memchr::memmem;
use rayon::prelude::*;

use super::Assembly;
use super::marks::Marks;
use crate::v8::graph::Graph;
use crate::v8::meta::{EdgeType, NodeType};
use crate::v8::probe::Probe;

/// A table with where its keys and values stand among its store's edges.
#[derive(Clone, Debug)]
pub(super) struct TableWithEntries {
    pub fact: Table,
    /// For each edge of the store that is a key or value: its position within the store's edges, and its name.
    entries: Vec<(u32, Via)>,
}

#[derive(Debug, Default)]
pub(super) struct Facts {
    pub records: Vec<Record>,
    pub shapes: Vec<Shape>,
    pub arrays: Vec<Array>,
    pub tables: Vec<TableWithEntries>,
    pub buffers: Vec<Buffer>,
    pub numbers: Vec<Number>,
    pub dates: Vec<Date>,
}

/// Nodes that one thread looks at before it takes more.
const PIECE: usize = 1 << 16;

pub(super) fn collect(assembly: &Assembly<'_>, probe: &Probe, engine: Option<&[bool]>) -> Facts {
    let instances = Instances::count(assembly, engine);
    let nodes = assembly.graph.len();
    let pieces: Vec<Facts> = (0..nodes.div_ceil(PIECE))
        .into_par_iter()
        .map(|piece| {
            let mut facts = Facts::default();
            let mut pieces = Vec::new();
            for node in piece * PIECE..((piece + 1) * PIECE).min(nodes) {
                facts.add(assembly, probe, engine, &instances, node as u32, &mut pieces);
            }
            facts
        })
        .collect();
    drop(instances);
    let mut facts = Facts::default();
    macro_rules! join {
        ($($table:ident),*) => {$(
            facts.$table.reserve_exact(pieces.iter().map(|piece| piece.$table.len()).sum());
        )*
        for piece in pieces {
            $(facts.$table.extend(piece.$table);)*
        }};
    }
    join!(records, shapes, arrays, tables, buffers, numbers, dates);
    facts
}

/// How many objects of the program use each shape.
struct Instances {
    /// Shapes, and the place of each among them.
    shapes: Marks,
    ranks: Vec<u32>,
    counts: Vec<AtomicU32>,
}

impl Instances {
    fn count(assembly: &Assembly<'_>, engine: Option<&[bool]>) -> Self {
        let graph = assembly.graph;
        let nodes = (0..graph.len() as u32).into_par_iter().with_min_len(16_384);
        let shapes = Marks::none(graph.len());
        nodes
            .clone()
            .filter(|&node| assembly.kinds[node as usize] == Kind::Shape)
            .for_each(|node| shapes.set(node));
        let ranks = shapes.ranks();
        let counts: Vec<AtomicU32> = (0..shapes.count()).map(|_| AtomicU32::new(0)).collect();
        let is_programs = |&node: &u32| {
            engine.is_none_or(|engine| !engine[node as usize])
                && matches!(graph.kind(node), NodeType::Object | NodeType::Closure)
        };
        nodes
            .filter(is_programs)
            .filter_map(|node| graph.internal(node, graph.known.map))
            .filter(|&map| shapes.has(map))
            .for_each(|map| {
                counts[shapes.rank(&ranks, map)].fetch_add(1, Ordering::Relaxed);
            });
        Self {
            shapes,
            ranks,
            counts,
        }
    }

    fn of(&self, shape: u32) -> u32 {
        self.counts[self.shapes.rank(&self.ranks, shape)].load(Ordering::Relaxed)
    }
}

impl Facts {
    /// Adds what is known of a node. `pieces` is room to walk through the pieces of a shape.
    fn add(
        &mut self,
        assembly: &Assembly<'_>,
        probe: &Probe,
        engine: Option<&[bool]>,
        instances: &Instances,
        node: u32,
        pieces: &mut Vec<u32>,
    ) {
        let of_engine = engine.is_some_and(|engine| engine[node as usize]);
        match assembly.kinds[node as usize] {
            // Shapes are the engine's by reachability even when only the program's records use them.
            Kind::Shape => {
                let instances = instances.of(node);
                if instances > 0 {
                    self.shapes.push(shape(assembly, node, instances, pieces));
                }
            }
            Kind::Buffer => self.buffers.push(buffer(assembly, probe, node)),
            Kind::Number => self.numbers.push(number(assembly.graph, node)),
            _ if of_engine => {}
            Kind::Record => self.records.push(record(assembly, node)),
            Kind::Array => self.arrays.push(array(assembly, probe, node)),
            Kind::Table => self.tables.extend(table(assembly, probe, node)),
            Kind::Date => self.dates.push(date(assembly, node)),
            _ => {}
        }
    }
}

fn shape(assembly: &Assembly<'_>, node: u32, instances: u32, pieces: &mut Vec<u32>) -> Shape {
    pieces.clear();
    pieces.push(node);
    let mut bytes = 0;
    let mut next = 0;
    while let Some(&piece) = pieces.get(next) {
        next += 1;
        bytes += assembly.graph.self_size(piece);
        let found = pieces.len();
        if !assembly.wholes.has(piece) {
            continue;
        }
        for edge in assembly.graph.edges(piece) {
            if assembly.owners[edge.to as usize] == piece {
                pieces.push(edge.to);
            }
        }
        pieces[found..].sort_unstable();
        let mut kept = found;
        for at in found..pieces.len() {
            if at == found || pieces[at] != pieces[kept - 1] {
                pieces[kept] = pieces[at];
                kept += 1;
            }
        }
        pieces.truncate(kept);
    }
    Shape {
        object: node,
        bytes,
        fields: 0,
        instances,
    }
}

fn record(assembly: &Assembly<'_>, node: u32) -> Record {
    let graph = assembly.graph;
    let known = &graph.known;
    let word = assembly.layout.word;
    let (mut visible, mut shape, mut properties, mut special) = (0_u32, NONE, NONE, false);
    for edge in graph.edges(node) {
        match edge.kind {
            EdgeType::Property if edge.name != known.proto && !graph.is_accessor_alias(edge.name) => {
                visible += 1;
            }
            EdgeType::Internal if edge.name == known.map => shape = edge.to,
            EdgeType::Internal if edge.name == known.properties => properties = edge.to,
            EdgeType::Internal if edge.name != known.elements && !is_weak_pair(graph, edge.name) => {
                special = true;
            }
            _ => {}
        }
    }
    let in_object = count((graph.self_size(node) / word).saturating_sub(3));
    // The empty dictionary is one for all.
    if properties != NONE
        && graph.name(properties) == known.object_properties
        && assembly.owners[properties as usize] != node
    {
        return Record {
            object: node,
            shape,
            used: visible,
            available: UNKNOWN,
            dictionary: 0,
        };
    }
    if properties != NONE && graph.name(properties) == known.object_properties {
        let (slots, live) = dictionary(graph, properties);
        return Record {
            object: node,
            shape,
            used: live,
            available: UNKNOWN,
            dictionary: slots,
        };
    }
    let overflow = if properties != NONE && graph.name(properties) == known.property_array {
        count((graph.self_size(properties) / word).saturating_sub(2))
    } else {
        0
    };
    let available = in_object.saturating_add(overflow);
    let descriptors = || {
        let list = graph.internal(shape, known.descriptors)?;
        let bytes = graph
            .self_size(list)
            .saturating_sub(assembly.layout.descriptors_header);
        Some(count(bytes / (3 * word)))
    };
    let used = if assembly.numbers_known || shape == NONE {
        visible
    } else {
        descriptors().map_or(visible, |described| described.min(available).max(visible))
    };
    let available = if special || available < used || !is_plain(assembly, node, shape) {
        UNKNOWN
    } else {
        available
    };
    Record {
        object: node,
        shape,
        used,
        available,
        dictionary: 0,
    }
}

/// A key of a weak table has an edge for each such table, which is no field of it.
fn is_weak_pair(graph: &Graph, name: u32) -> bool {
    memmem::find(graph.text(name), b" pair in WeakMap (").is_some()
}

/// Whether a record's slots are all fields: an object literal, or an instance of a class of the program. Built-in
/// objects keep other things in theirs.
fn is_plain(assembly: &Assembly<'_>, node: u32, shape: u32) -> bool {
    let graph = assembly.graph;
    if graph.name(node) == graph.known.object {
        return true;
    }
    shape != NONE && crate::v8::engine::is_programs_class(graph, shape)
}

/// Slots and live entries of a dictionary of fields: three words an entry after a header of eight words (seven on
/// the oldest versions), keys at the entries' first words.
fn dictionary(graph: &Graph, store: u32) -> (u32, u32) {
    let bytes = graph.self_size(store);
    let (header, first) = if bytes % 24 == 64 % 24 { (64, 6) } else { (56, 5) };
    let slots = bytes.saturating_sub(header) / 24;
    let keys = graph.edges(store).filter(|edge| edge.kind == EdgeType::Internal);
    let live = keys.filter(|edge| {
        graph
            .index_name(edge.name)
            .is_some_and(|i| i >= first && (i - first) % 3 == 0)
    });
    (count(slots), live.count() as u32)
}

/// A count for a column; one that no machine could hold is the largest.
fn count(slots: u64) -> u32 {
    u32::try_from(slots).unwrap_or(UNKNOWN)
}

fn array(assembly: &Assembly<'_>, probe: &Probe, node: u32) -> Array {
    let graph = assembly.graph;
    let Some(store) = graph
        .internal(node, graph.known.elements)
        .filter(|&store| graph.self_size(store) > 0)
    else {
        return Array {
            object: node,
            store: NONE,
            used: 0,
            capacity: 0,
        };
    };
    let elements = graph.edges(node).filter(|edge| edge.kind == EdgeType::Element);
    let (mut seen, mut end) = (0_u32, 0_u32);
    for element in elements {
        seen += 1;
        end = end.max(element.name.saturating_add(1));
    }
    let counted = probe.counts.get(&node).copied();
    if assembly.owners[store as usize] != node {
        // Shared with a literal: whoever writes first makes its own copy.
        return Array {
            object: node,
            store: NONE,
            used: counted.unwrap_or(if seen == end { seen } else { UNKNOWN }),
            capacity: UNKNOWN,
        };
    }
    let word = assembly.layout.word;
    let capacity = count((graph.self_size(store) / word).saturating_sub(2));
    let sparse = end > capacity;
    // Gaps mean that something in between is not shown: a number, or nothing. An array that shows nothing at all
    // may be full of numbers.
    let used = match counted {
        Some(length) if length <= capacity && !sparse => length,
        None if seen == end && seen > 0 && !sparse => seen,
        _ => UNKNOWN,
    };
    Array {
        object: node,
        store,
        used,
        capacity: if sparse { UNKNOWN } else { capacity },
    }
}

fn table(assembly: &Assembly<'_>, probe: &Probe, node: u32) -> Option<TableWithEntries> {
    let graph = assembly.graph;
    let store = graph.internal(node, graph.known.table)?;
    let word = assembly.layout.word;
    let slots = (graph.self_size(store) / word).saturating_sub(2);
    let unknown = |set| TableWithEntries {
        fact: Table {
            object: node,
            store,
            used: UNKNOWN,
            capacity: UNKNOWN,
            set,
        },
        entries: Vec::new(),
    };
    // Three counts, one bucket for two entries, then the entries: of three words in a map, of two in a set. With a
    // power of two for the capacity only one of the two can be.
    let capacity_with = |entry: u64| {
        let twice = 2 * slots.checked_sub(3)?;
        let capacity = twice / (2 * entry + 1);
        (twice % (2 * entry + 1) == 0 && capacity.is_power_of_two() && capacity < u64::from(UNKNOWN))
            .then_some(capacity)
    };
    // A store that is not this table's alone has no place in it.
    if assembly.owners[store as usize] != node {
        return Some(unknown(false));
    }
    let (capacity, entry) = match (capacity_with(3), capacity_with(2)) {
        (Some(capacity), _) => (capacity as u32, 3),
        (None, Some(capacity)) => (capacity as u32, 2),
        // Weak tables and old writers: nothing is known of the inside.
        (None, None) => return Some(unknown(false)),
    };
    let first = 3 + capacity / 2;
    let mut entries = Vec::new();
    let mut keys = 0;
    for (position, edge) in graph.edges(store).enumerate() {
        if edge.kind != EdgeType::Internal {
            continue;
        }
        let Some(index) = graph
            .index_name(edge.name)
            .and_then(|index| index.checked_sub(first))
        else {
            continue;
        };
        // Removed entries point at a marker until the table is made anew.
        if graph.name(edge.to) == graph.known.hole {
            continue;
        }
        let kind = match index % entry {
            0 => EdgeKind::Key,
            1 if entry == 3 => EdgeKind::Value,
            _ => continue,
        };
        keys += u32::from(kind == EdgeKind::Key);
        entries.push((position as u32, Via::new(kind, index / entry)));
    }
    let values = entries
        .iter()
        .filter(|(_, via)| via.kind() == EdgeKind::Value)
        .count() as u32;
    // Keys that are small integers or true, false and null are not shown: a table with fewer keys than entries seen,
    // or with none at all, tells nothing of how full it is, unless the recorder counted.
    let used = match probe.counts.get(&node) {
        Some(&counted) if counted <= capacity && counted >= keys.max(values) => counted,
        None if keys > 0 && keys >= values => keys,
        _ => UNKNOWN,
    };
    let fact = Table {
        object: node,
        store,
        used,
        capacity,
        set: entry == 2,
    };
    Some(TableWithEntries { fact, entries })
}

/// Names the keys and values among the edges of tables' stores.
pub(super) fn name_entries(tables: &[TableWithEntries], via: &mut [Via], first_edge: &[u32]) {
    for table in tables {
        let start = first_edge[table.fact.store as usize];
        for &(position, name) in &table.entries {
            via[(start + position) as usize] = name;
        }
    }
}

fn buffer(assembly: &Assembly<'_>, probe: &Probe, node: u32) -> Buffer {
    let graph = assembly.graph;
    let own = graph.internal(node, graph.known.buffer);
    let object = own.unwrap_or(node);
    let backing = graph.internal(object, graph.known.backing_store);
    // Newer versions show an empty one where the bytes stand in the heap.
    let backing = backing.filter(|&backing| graph.self_size(backing) > 0 && !assembly.moved.has(backing));
    let header = assembly.layout.fixed_array(0);
    let on_heap = graph
        .internal(node, graph.known.elements)
        .filter(|&store| graph.self_size(store) > header);
    let contents = probe.contents.get(&object);
    // A view does not say how much of a shared backing it spans, unless the recorder asked it.
    let counted = own.and_then(|_| probe.counts.get(&node).copied());
    let counted = counted.filter(|&bytes| bytes != UNKNOWN).map(u64::from);
    let bytes = counted.unwrap_or_else(|| match (own, backing, on_heap) {
        (None, Some(backing), _) => graph.self_size(backing),
        (Some(object), Some(backing), _) if assembly.owners[object as usize] == node => {
            graph.self_size(backing)
        }
        (_, None, Some(store)) => graph.self_size(store) - header,
        (_, None, None) => 0,
        _ => u64::MAX,
    });
    Buffer {
        object: node,
        backing: backing.unwrap_or(NONE),
        bytes,
        zeros: contents.map_or(u64::MAX, |seen| seen.zeros),
        words_used: contents.map_or(u64::MAX, |seen| seen.words_used),
        hash: contents.map_or(0, |seen| seen.hash),
        is_backing: own.is_none(),
    }
}

fn number(graph: &Graph, node: u32) -> Number {
    let text = graph
        .internal(node, graph.known.value)
        .map(|value| graph.name_text(value));
    let value = text.and_then(|text| std::str::from_utf8(text).ok()?.parse().ok());
    Number {
        object: node,
        value: value.unwrap_or(f64::NAN),
    }
}

fn date(assembly: &Assembly<'_>, node: u32) -> Date {
    let graph = assembly.graph;
    let inner = graph
        .edges(node)
        .find(|edge| graph.kind(edge.to) == NodeType::Number);
    Date {
        object: node,
        value: inner.map_or(f64::NAN, |edge| number(graph, edge.to).value),
    }
}

impl Facts {
    /// Writes each fact's row into the column of facts, and the form of strings.
    pub(super) fn index(&self, graph: &Graph, column: &mut [u32]) {
        let mut put = |object: ObjectId, row: usize| {
            // A part keeps its owner there.
            if column[object as usize] == NONE {
                column[object as usize] = row as u32;
            }
        };
        self.records
            .iter()
            .enumerate()
            .for_each(|(row, fact)| put(fact.object, row));
        self.shapes
            .iter()
            .enumerate()
            .for_each(|(row, fact)| put(fact.object, row));
        self.arrays
            .iter()
            .enumerate()
            .for_each(|(row, fact)| put(fact.object, row));
        self.tables
            .iter()
            .enumerate()
            .for_each(|(row, table)| put(table.fact.object, row));
        self.buffers
            .iter()
            .enumerate()
            .for_each(|(row, fact)| put(fact.object, row));
        self.numbers
            .iter()
            .enumerate()
            .for_each(|(row, fact)| put(fact.object, row));
        self.dates
            .iter()
            .enumerate()
            .for_each(|(row, fact)| put(fact.object, row));
        column
            .par_iter_mut()
            .enumerate()
            .with_min_len(65_536)
            .for_each(|(node, fact)| {
                let form = match graph.nodes.kind[node] {
                    NodeType::String => StringForm::Flat,
                    NodeType::Rope => StringForm::Rope,
                    NodeType::Slice => StringForm::Slice,
                    _ => return,
                };
                if *fact == NONE {
                    *fact = form as u32;
                }
            });
    }
}
