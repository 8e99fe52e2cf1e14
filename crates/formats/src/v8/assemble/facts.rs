//! Facts by kind.

use std::collections::HashSet;
use std::sync::atomic::{AtomicU32, Ordering};

use deadweight_heap::{
    Array, Buffer, Date, EdgeKind, Edges, Implementation, Kind, NONE, Number, Numeric, ObjectId, RankedRows,
    Record, Representation, RowSet, Shape, StringForm, Table, UNKNOWN, Via,
};
use memchr::memmem;
use rayon::prelude::*;

use super::Assembly;
use crate::v8::edges::edge_type;
use crate::v8::graph::Graph;
use crate::v8::layout::WEAK;
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
    let of_lists = assembly
        .graph
        .by_edge_shape(|names| OfList::of(assembly.graph, names));
    let known = Known {
        instances: &instances,
        of_lists: &of_lists,
    };
    let nodes = assembly.graph.len();
    let pieces: Vec<Facts> = (0..nodes.div_ceil(PIECE))
        .into_par_iter()
        .map(|piece| {
            let mut facts = Facts::default();
            let mut pieces = Vec::new();
            for node in piece * PIECE..((piece + 1) * PIECE).min(nodes) {
                facts.add(assembly, probe, engine, known, node as u32, &mut pieces);
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

/// What is known of shapes and of lists of names before the facts are collected.
#[derive(Clone, Copy)]
struct Known<'t> {
    instances: &'t Instances,
    of_lists: &'t [OfList],
}

/// How many objects of the program use each shape.
struct Instances {
    /// Shapes, and the place of each among them.
    shapes: RankedRows,
    counts: Vec<AtomicU32>,
}

impl Instances {
    fn count(assembly: &Assembly<'_>, engine: Option<&[bool]>) -> Self {
        let graph = assembly.graph;
        let nodes = (0..graph.len() as u32).into_par_iter().with_min_len(16_384);
        let shapes = RowSet::of(graph.len(), |node| assembly.kinds[node as usize] == Kind::Shape);
        let shapes = shapes.ranked();
        let counts: Vec<AtomicU32> = (0..shapes.len()).map(|_| AtomicU32::new(0)).collect();
        let is_programs = |&node: &u32| {
            engine.is_none_or(|engine| !engine[node as usize])
                && matches!(graph.kind(node), NodeType::Object | NodeType::Closure)
        };
        nodes
            .filter(is_programs)
            .filter_map(|node| shapes.rank(graph.map(node)?))
            .for_each(|shape| {
                counts[shape].fetch_add(1, Ordering::Relaxed);
            });
        Self { shapes, counts }
    }

    fn of(&self, shape: u32) -> u32 {
        let rank = self.shapes.rank(shape);
        rank.map_or(0, |rank| self.counts[rank].load(Ordering::Relaxed))
    }
}

impl Facts {
    /// Adds what is known of a node. `pieces` is room to walk through the pieces of a shape.
    fn add(
        &mut self,
        assembly: &Assembly<'_>,
        probe: &Probe,
        engine: Option<&[bool]>,
        known: Known<'_>,
        node: u32,
        pieces: &mut Vec<u32>,
    ) {
        let of_engine = engine.is_some_and(|engine| engine[node as usize]);
        match assembly.kinds[node as usize] {
            // Shapes are the engine's by reachability even when only the program's records use them.
            Kind::Shape => {
                let instances = known.instances.of(node);
                if instances > 0 {
                    self.shapes.push(shape(assembly, node, instances, pieces));
                }
            }
            Kind::Buffer => self.buffers.push(buffer(assembly, probe, node)),
            Kind::Number => self.numbers.push(number(assembly.graph, node)),
            _ if of_engine => {}
            Kind::Record => self.records.push(record(assembly, known.of_lists, node)),
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

/// What the names of a record's references show of it.
#[derive(Clone, Copy)]
struct OfList {
    /// Fields that have an edge.
    visible: u32,
    /// Whether the engine keeps other things in it than fields.
    special: bool,
}

impl OfList {
    fn of(graph: &Graph, names: &[Via]) -> Self {
        let known = &graph.known;
        let (mut visible, mut special) = (0, false);
        for name in names {
            let (kind, name) = (edge_type(*name), name.name());
            match kind {
                EdgeType::Property if name != known.proto && !graph.is_accessor_alias(name) => visible += 1,
                EdgeType::Internal
                    if !special && ![known.map, known.properties, known.elements].contains(&name) =>
                {
                    special = !is_weak_pair(graph, name);
                }
                _ => {}
            }
        }
        Self {
            visible: visible - accessors(graph, names),
            special,
        }
    }
}

/// How many of the fields are accessors, which their functions show by name. They take no slot.
fn accessors(graph: &Graph, names: &[Via]) -> u32 {
    let fields = || {
        let fields = names
            .iter()
            .filter(|&&name| edge_type(name) == EdgeType::Property);
        fields.map(|name| name.name())
    };
    // Hashed with a key of the run, since the names are a stranger's.
    let named: HashSet<&[u8]> = fields()
        .filter_map(|name| graph.accessor_of_alias(name))
        .collect();
    if named.is_empty() {
        return 0;
    }
    let is_accessor = |&name: &u32| {
        name != graph.known.proto && !graph.is_accessor_alias(name) && named.contains(graph.text(name))
    };
    fields().filter(is_accessor).count() as u32
}

fn record(assembly: &Assembly<'_>, of_lists: &[OfList], node: u32) -> Record {
    let graph = assembly.graph;
    let known = &graph.known;
    let word = assembly.layout.word;
    let OfList { visible, special } = of_lists[graph.edges.edge_shape(node) as usize];
    let shape = graph.map(node).unwrap_or(NONE);
    let properties = graph.properties(node).unwrap_or(NONE);
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
            implementation: Implementation::USUAL,
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
            implementation: Implementation::USUAL,
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
        implementation: Implementation::USUAL,
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
            implementation: Implementation::USUAL,
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
            implementation: Implementation::USUAL,
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
        implementation: Implementation::USUAL,
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
            implementation: Implementation::USUAL,
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
        // Of what old writers wrote it is not known how full it is.
        (None, None) => {
            let mut weak = unknown(false);
            weak.entries = weak_pairs(graph, store);
            // Where keys stand elsewhere than in these slots, there are more entries than were counted.
            let counted = weak_keys(graph, store, slots).filter(|&used| used as usize >= weak.entries.len());
            if let Some(used) = counted {
                weak.fact.used = used;
                weak.fact.implementation = WEAK;
            }
            return Some(weak);
        }
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
    // or with none at all, says nothing of how full it is, unless the recorder counted.
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
        implementation: Implementation::USUAL,
    };
    Some(TableWithEntries { fact, entries })
}

/// The values of a weak table. A person names them by the map they are in, not by the keys, which have an edge to them,
/// too.
fn weak_pairs(graph: &Graph, store: u32) -> Vec<(u32, Via)> {
    let edges = graph.edges(store).enumerate();
    let pairs = edges.filter(|(_, edge)| edge.kind == EdgeType::Internal && is_weak_pair(graph, edge.name));
    (0..)
        .zip(pairs)
        .map(|(index, (position, _))| (position as u32, Via::new(EdgeKind::Value, index)))
        .collect()
}

/// How many keys there are in the store of a weak table: three counts, then a key and a value for each entry, which it has
/// weak references to; `None` for any other store.
fn weak_keys(graph: &Graph, store: u32, slots: u64) -> Option<u32> {
    let capacity = slots.checked_sub(3)? / 2;
    if 2 * capacity + 3 != slots || capacity < 4 || !capacity.is_power_of_two() {
        return None;
    }
    let mut keys = 0;
    for edge in graph.edges(store) {
        match (edge.kind, graph.index_name(edge.name)) {
            (EdgeType::Weak, Some(slot)) => keys += u32::from(slot >= 3 && slot % 2 == 1),
            _ if edge.kind == EdgeType::Internal => {}
            _ => return None,
        }
    }
    Some(keys)
}

/// Names the keys and values among the edges of tables' stores.
pub(super) fn name_entries(tables: &[TableWithEntries], edges: &mut Edges) {
    let mut named = tables.iter().filter(|table| !table.entries.is_empty());
    let stores: Vec<ObjectId> = named.clone().map(|table| table.fact.store).collect();
    edges.rename_each(stores, |_, names| {
        let entries = named.next().into_iter().flat_map(|table| &table.entries);
        for &(position, name) in entries {
            names[position as usize] = name;
        }
    });
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
        elements: Representation::Unsigned(1),
        gives_way: false,
    }
}

fn number(graph: &Graph, node: u32) -> Number {
    let text = graph
        .internal(node, graph.known.value)
        .map(|value| graph.name_text(value));
    let value = text.and_then(|text| std::str::from_utf8(text).ok()?.parse().ok());
    Number::new(node, value.map_or(Numeric::Unknown, Numeric::of_float))
}

fn date(assembly: &Assembly<'_>, node: u32) -> Date {
    let graph = assembly.graph;
    let inner = graph
        .edges(node)
        .find(|edge| graph.kind(edge.to) == NodeType::Number);
    Date {
        object: node,
        value: inner.map_or(f64::NAN, |edge| number(graph, edge.to).value().nearest()),
    }
}

impl Facts {
    /// Writes each fact's row into the column of facts, and the form of strings.
    pub(super) fn index(&self, graph: &Graph, column: &mut [u32]) {
        let pieces = column.par_chunks_mut(PIECE).enumerate();
        pieces.for_each(|(piece, column)| {
            let mut part = Part {
                first: piece * PIECE,
                column,
            };
            part.put(&self.records, |fact| fact.object);
            part.put(&self.shapes, |fact| fact.object);
            part.put(&self.arrays, |fact| fact.object);
            part.put(&self.tables, |table| table.fact.object);
            part.put(&self.buffers, |fact| fact.object);
            part.put(&self.numbers, |fact| fact.object);
            part.put(&self.dates, |fact| fact.object);
            part.put_forms(graph);
        });
    }
}

/// A part of the column of facts.
struct Part<'c> {
    /// The first node of the part.
    first: usize,
    column: &'c mut [u32],
}

impl Part<'_> {
    /// Writes the rows of a table of facts, which is in the order of nodes.
    fn put<T>(&mut self, facts: &[T], object: impl Fn(&T) -> ObjectId) {
        let before = |node: usize| facts.partition_point(|fact| (object(fact) as usize) < node);
        let rows = before(self.first)..before(self.first + self.column.len());
        for (row, fact) in rows.clone().zip(&facts[rows]) {
            // A part keeps its owner there.
            let place = &mut self.column[object(fact) as usize - self.first];
            if *place == NONE {
                *place = row as u32;
            }
        }
    }

    fn put_forms(&mut self, graph: &Graph) {
        let kinds = &graph.nodes.kind[self.first..];
        for (kind, fact) in kinds.iter().zip(&mut *self.column) {
            let form = match kind {
                NodeType::String => StringForm::Flat,
                NodeType::Rope => StringForm::Rope,
                NodeType::Slice => StringForm::Slice,
                _ => continue,
            };
            if *fact == NONE {
                *fact = form as u32;
            }
        }
    }
}
