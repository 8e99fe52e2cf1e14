//! Where the program's classes, closures, scopes and modules stand in its source.

use std::collections::BTreeMap;

use deadweight_heap::churn::Role;
use deadweight_heap::{Kind, Lines, ObjectId, SourceLine};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use super::Assembly;
use super::facts::Facts;
use super::library::class_of;
use crate::churn::{below, role};
use crate::escaped::plain;
use crate::heapprofile::path_of;
use crate::v8::engine::{constructor_of, is_engine_script, script_of};
use crate::v8::graph::Graph;
use crate::v8::locations::Location;
use crate::v8::meta::{EdgeType, NodeType};

/// Positions by node.
#[derive(Debug, Default)]
pub(super) struct Positions {
    /// Of closures, and of scopes a function that sees them.
    functions: Vec<(u32, SourceLine)>,
    /// Of one object of each class the constructor.
    classes: Vec<(u32, SourceLine)>,
    /// Of modules the beginning of their file.
    modules: Vec<(u32, SourceLine)>,
}

/// Finds the positions of what the program wrote. Paths are shown as seen from `root`.
pub(super) fn find(assembly: &Assembly<'_>, facts: &Facts, locations: &[Location], root: &str) -> Positions {
    let graph = assembly.graph;
    let closures = closures(graph, locations, root);
    let mut scopes: BTreeMap<u32, &SourceLine> = BTreeMap::new();
    for (closure, line) in &closures {
        let Some(scope) = graph.internal(*closure, graph.known.context) else {
            continue;
        };
        if graph.name(scope) == graph.known.scope {
            // The first function of a scope stands for it, whatever the order of nodes.
            let known = scopes.entry(scope).or_insert(line);
            if (line.line, line.column) < (known.line, known.column) {
                *known = line;
            }
        }
    }
    let of_scopes = scopes.into_iter().map(|(scope, line)| (scope, line.clone()));
    let functions: Vec<_> = closures
        .iter()
        .map(|(&node, line)| (node, line.clone()))
        .chain(of_scopes)
        .collect();
    Positions {
        classes: classes(assembly, facts, &closures),
        functions,
        modules: modules(graph, root),
    }
}

impl Positions {
    /// Notes them on a heap's lines; `label` has the types of nodes.
    pub(super) fn note(self, lines: &mut Lines, label: &[u32]) {
        for (node, line) in self.functions {
            let line = lines.add(line);
            lines.note_function(node, line);
        }
        for (node, line) in self.classes {
            let line = lines.add(line);
            lines.note_class(label[node as usize], line);
        }
        for (node, line) in self.modules {
            let line = lines.add(line);
            lines.note_module(node, line);
        }
    }
}

/// The program's closures that have a location, by node.
fn closures(graph: &Graph, locations: &[Location], root: &str) -> BTreeMap<u32, SourceLine> {
    let placed = locations.par_iter().with_min_len(1024).filter_map(|location| {
        let (file, role) = file(graph, location.node, root)?;
        let line = SourceLine {
            file,
            line: location.line,
            column: location.column,
            name: plain(graph.name_text(location.node)),
            role,
            through: String::new(),
        };
        Some((location.node, line))
    });
    placed.collect::<Vec<_>>().into_iter().collect()
}

/// The file of a closure of the program's, and whose code it is.
fn file(graph: &Graph, closure: u32, root: &str) -> Option<(String, Role)> {
    let script = script_of(graph, closure).filter(|script| !is_engine_script(script))?;
    named(&plain(script), root)
}

pub(super) fn named(script: &str, root: &str) -> Option<(String, Role)> {
    let path = path_of(script);
    let role = role(&path, root);
    (role != Role::Runtime).then(|| (below(&path, root), role))
}

/// The constructor of an object of each hidden class, in the order of nodes.
fn classes(
    assembly: &Assembly<'_>,
    facts: &Facts,
    closures: &BTreeMap<u32, SourceLine>,
) -> Vec<(ObjectId, SourceLine)> {
    let graph = assembly.graph;
    let records = facts.records.par_iter().with_min_len(16_384);
    let each = || (FxHashMap::<u32, u32>::default(), u32::MAX);
    let seen = records.fold(each, |(mut first, mut last), record| {
        let node = record.object;
        // Objects of one class come in runs.
        if let Some(map) = graph.map(node).filter(|&map| map != last)
            && graph.kind(node) == NodeType::Object
            && graph.name(node) != graph.known.object
            && assembly.kinds[node as usize] == Kind::Record
        {
            last = map;
            first.entry(map).or_insert(node);
        }
        (first, last)
    });
    let of_maps = seen
        .map(|(first, _)| first)
        .reduce(FxHashMap::default, |mut all, more| {
            for (map, node) in more {
                let known = all.entry(map).or_insert(node);
                *known = node.min(*known);
            }
            all
        });
    let mut of_maps: Vec<(u32, u32)> = of_maps.into_iter().map(|(map, node)| (node, map)).collect();
    of_maps.sort_unstable();
    let mut met: FxHashSet<(u32, u32)> = FxHashSet::default();
    let of_class = |(node, map): (u32, u32)| {
        // The hidden class of a class that extends another names the constructor of that one.
        let constructor = class_of(graph, node).or_else(|| constructor_of(graph, map))?;
        let line = closures.get(&constructor)?;
        // A class has many hidden classes; objects that go by another name have a type of their own.
        met.insert((constructor, graph.name(node)))
            .then(|| (node, line.clone()))
    };
    of_maps.into_iter().filter_map(of_class).collect()
}

/// The files of modules that are loaded by `require`.
fn modules(graph: &Graph, root: &str) -> Vec<(u32, SourceLine)> {
    let nodes = (0..graph.len() as u32).into_par_iter().with_min_len(65_536);
    let modules =
        nodes.filter(|&node| graph.name(node) == graph.known.module && graph.kind(node) == NodeType::Object);
    let placed = modules.filter_map(|node| {
        let mut fields = graph.edges(node).filter(|edge| edge.kind == EdgeType::Property);
        let name = fields
            .find(|edge| graph.text(edge.name) == b"filename" && graph.kind(edge.to) == NodeType::String)?;
        let (file, role) = named(&plain(graph.name_text(name.to)), root)?;
        let line = SourceLine {
            file,
            line: 1,
            column: 1,
            name: String::new(),
            role,
            through: String::new(),
        };
        Some((node, line))
    });
    placed.collect()
}
