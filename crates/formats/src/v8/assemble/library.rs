//! What of the program's objects the runtime's own library defines, such as `EventEmitter` and its field `_events`.
//!
//! A snapshot names no origin of a field. A class is the library's when the constructor on its prototype was written in
//! one of the library's scripts, and extends one when a prototype further up is the library's. Of a class of the
//! library's all fields are, up to the last one that only the library can have named: by a symbol of its own, by a
//! private name, or by a name that its own code holds, too. What comes after these the program may have added to the
//! object. Of a class that extends one, those are that the library's symbols name, or that stand on its prototype with a
//! default. Symbols of the library's stand on the engine's objects, too, such as promises that it follows.
//!
//! Types go by name. Where the program has a class of the same name, the library's objects get a type of their own.

use std::collections::BTreeMap;

use deadweight_heap::{Kind, OfLibrary, TextId, rows_with};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use super::Assembly;
use super::facts::Facts;
use crate::v8::engine::{Held, is_library_script, is_programs_closure, script_of};
use crate::v8::graph::Graph;
use crate::v8::meta::{EdgeType, NodeType};

/// Classes of the library whose objects are values that a program makes: equal ones can be one.
const VALUES: [&[u8]; 1] = [b"URL"];

/// Prototypes above one another that are looked at.
const DEEPEST: usize = 32;

/// The classes of one name in which the library has a part.
pub(super) struct OfName {
    pub(super) name: TextId,
    pub(super) of: OfLibrary,
    /// Objects of the library's class where the program has a class of that name, too: they get a type of their own.
    pub(super) apart: Option<Apart>,
}

/// Objects of a class of the library's, and what of it is the library's.
pub(super) struct Apart {
    pub(super) of: OfLibrary,
    pub(super) nodes: Vec<u32>,
}

/// The classes in which the library has a part, by name.
pub(super) fn of_classes(assembly: &Assembly<'_>, facts: &Facts, engine: Option<&Held>) -> Vec<OfName> {
    // Without the library's own objects nothing is known of it.
    let Some(engine) = engine else { return Vec::new() };
    let graph = assembly.graph;
    let globals: FxHashSet<TextId> = engine.globals.iter().map(|&global| graph.name(global)).collect();
    let samples = samples(assembly, facts, &engine.alone, &globals);
    if samples.is_empty() && globals.is_empty() {
        return Vec::new();
    }
    let engine = &engine.alone;
    let symbols = Symbols::of(graph, engine);
    let classes: Vec<(TextId, Class)> = samples
        .into_iter()
        .filter_map(|node| Some((graph.name(node), Class::of(graph, &symbols, node)?)))
        .collect();
    let doubtful = classes.iter().flat_map(|(_, class)| class.doubtful());
    let names = held_names(graph, engine, &doubtful.collect());
    let mut by_name: BTreeMap<TextId, Classes> = BTreeMap::new();
    for (name, class) in classes {
        by_name.entry(name).or_default().add(class, &names);
    }
    // The program hangs its variables on a global object, and does not shape it.
    for &global in &globals {
        let of_library = OfLibrary {
            whole: true,
            closed: true,
            ..OfLibrary::default()
        };
        by_name.entry(global).or_default().of_library = Some(of_library);
    }
    let both = by_name.iter().filter(|(_, classes)| classes.are_of_both());
    let mut apart = library_objects(assembly, facts, &both.map(|(&name, _)| name).collect());
    let of_name = |(name, classes): (TextId, Classes)| {
        let apart = apart.remove(&name).unwrap_or_default();
        classes.of_name(name, apart)
    };
    let mut all: Vec<OfName> = by_name.into_iter().filter_map(of_name).collect();
    for class in all
        .iter_mut()
        .filter(|class| VALUES.contains(&graph.text(class.name)))
    {
        let apart = class.apart.as_mut().map(|apart| &mut apart.of);
        apart.unwrap_or(&mut class.of).whole = false;
    }
    all
}

/// The objects of classes of the library's that have these names, by name.
fn library_objects(
    assembly: &Assembly<'_>,
    facts: &Facts,
    names: &FxHashSet<TextId>,
) -> FxHashMap<TextId, Vec<u32>> {
    let mut found: FxHashMap<TextId, Vec<u32>> = FxHashMap::default();
    if names.is_empty() {
        return found;
    }
    let graph = assembly.graph;
    for record in &facts.records {
        let node = record.object;
        let name = graph.name(node);
        if names.contains(&name)
            && graph.kind(node) == NodeType::Object
            && prototype(graph, node).is_some_and(|prototype| is_of_library(graph, prototype))
        {
            found.entry(name).or_default().push(node);
        }
    }
    found
}

/// What is known of the classes of one name.
#[derive(Default)]
struct Classes {
    /// Of those of the library's, if there are any.
    of_library: Option<OfLibrary>,
    /// What the library fills of the others.
    others: FxHashSet<TextId>,
    /// Whether one of the others is the program's.
    programs: bool,
}

impl Classes {
    /// Adds a class; the library's own code holds these `names`.
    fn add(&mut self, class: Class, names: &FxHashSet<TextId>) {
        match class {
            Class::Library(fields) => {
                let of = self.of_library.get_or_insert_default();
                of.whole = true;
                of.closed = true;
                let last = fields
                    .iter()
                    .rposition(|(name, known)| *known || names.contains(name));
                let fields = fields.into_iter().take(last.map_or(0, |last| last + 1));
                of.fields.extend(fields.map(|(name, _)| name));
            }
            Class::Other { filled, programs } => {
                self.others.extend(filled);
                self.programs |= programs;
            }
        }
    }

    fn are_of_both(&self) -> bool {
        self.of_library.is_some() && self.programs
    }

    /// What the library has of them, and the objects that are its own where the program's are besides.
    fn of_name(self, name: TextId, apart: Vec<u32>) -> Option<OfName> {
        let both = self.are_of_both();
        let others = OfLibrary {
            fields: self.others,
            ..OfLibrary::default()
        };
        match self.of_library {
            Some(of) if both => Some(OfName {
                name,
                of: others,
                apart: Some(Apart { of, nodes: apart }),
            }),
            Some(mut of) => {
                of.whole = others.fields.is_empty();
                of.closed = of.whole;
                of.fields.extend(others.fields);
                let apart = None;
                Some(OfName { name, of, apart })
            }
            None => (!others.fields.is_empty()).then_some(OfName {
                name,
                of: others,
                apart: None,
            }),
        }
    }
}

/// An object of each class and list of names, of those with a class that the program holds, in the order of nodes. What
/// goes by the name of a `global` object is none.
fn samples(assembly: &Assembly<'_>, facts: &Facts, engine: &[bool], globals: &FxHashSet<TextId>) -> Vec<u32> {
    let graph = assembly.graph;
    let records = facts.records.par_iter().with_min_len(16_384);
    let first_of_each = || (FxHashMap::default(), (0, u32::MAX));
    let seen = records.fold(first_of_each, |(mut first, mut last), record| {
        let node = record.object;
        let name = graph.name(node);
        if name != graph.known.object
            && name != graph.known.module
            && graph.kind(node) == NodeType::Object
            && assembly.kinds[node as usize] == Kind::Record
            && !engine[node as usize]
            && !globals.contains(&name)
        {
            let key = (name, graph.edges.edge_shape(node));
            // Objects of one class come in runs.
            if key != last {
                last = key;
                first.entry(key).or_insert(node);
            }
        }
        (first, last)
    });
    let all = seen
        .map(|(first, _)| first)
        .reduce(FxHashMap::default, |mut a, b| {
            for (key, node) in b {
                let known = a.entry(key).or_insert(node);
                *known = node.min(*known);
            }
            a
        });
    let mut nodes: Vec<u32> = all.into_values().collect();
    nodes.sort_unstable();
    nodes
}

/// Which of the names the library's own code holds.
fn held_names(graph: &Graph, engine: &[bool], wanted: &FxHashSet<TextId>) -> FxHashSet<TextId> {
    if wanted.is_empty() {
        return FxHashSet::default();
    }
    let nodes = (0..graph.len() as u32).into_par_iter().with_min_len(65_536);
    nodes
        .filter(|&node| graph.kind(node) == NodeType::String && engine[node as usize])
        .map(|node| graph.name(node))
        .filter(|name| wanted.contains(name))
        .collect()
}

/// A class with the fields of one of its objects.
enum Class {
    /// Of the library: each field, and whether its name alone shows that it is the library's.
    Library(Vec<(TextId, bool)>),
    /// Of the program, or of the engine.
    Other {
        /// The fields that are the library's.
        filled: Vec<TextId>,
        /// Whether a script of the program's defines the class.
        programs: bool,
    },
}

impl Class {
    /// The class of an object; `None` when it is not known.
    fn of(graph: &Graph, symbols: &Symbols<'_>, node: u32) -> Option<Self> {
        let first = prototype(graph, node)?;
        // An object with a constructor of its own is itself a prototype.
        if own(graph, node, graph.known.constructor).is_some() {
            return None;
        }
        if is_of_library(graph, first) {
            let is_known = |name| symbols.name(graph, name) || graph.text(name).starts_with(b"#");
            let fields = fields(graph, node).map(|name| (name, is_known(name)));
            return Some(Self::Library(fields.collect()));
        }
        let chain = std::iter::successors(Some(first), |&above| prototype(graph, above));
        let of_library: Vec<u32> = chain
            .take(DEEPEST)
            .filter(|&prototype| is_of_library(graph, prototype))
            .collect();
        let has_default = |name| of_library.iter().any(|&of| own(graph, of, name).is_some());
        let filled = fields(graph, node).filter(|&name| symbols.name(graph, name) || has_default(name));
        Some(Self::Other {
            filled: filled.collect(),
            programs: constructor(graph, first).is_some_and(|closure| is_programs_closure(graph, closure)),
        })
    }

    /// Names that may be the library's or the program's.
    fn doubtful(&self) -> impl Iterator<Item = TextId> {
        let fields = match self {
            Self::Library(fields) => fields.as_slice(),
            Self::Other { .. } => &[],
        };
        fields.iter().filter(|(_, known)| !known).map(|&(name, _)| name)
    }
}

/// Whether the library wrote the class of a prototype.
fn is_of_library(graph: &Graph, prototype: u32) -> bool {
    constructor(graph, prototype)
        .and_then(|closure| script_of(graph, closure))
        .is_some_and(is_library_script)
}

/// The function that an object's prototype names as its constructor.
pub(super) fn class_of(graph: &Graph, node: u32) -> Option<u32> {
    constructor(graph, prototype(graph, node)?)
}

/// The constructor on a prototype.
fn constructor(graph: &Graph, prototype: u32) -> Option<u32> {
    own(graph, prototype, graph.known.constructor).filter(|&node| graph.kind(node) == NodeType::Closure)
}

/// What an object has by that name itself.
fn own(graph: &Graph, node: u32, name: TextId) -> Option<u32> {
    let mut fields = graph.edges(node).filter(|edge| edge.kind == EdgeType::Property);
    fields.find(|edge| edge.name == name).map(|edge| edge.to)
}

fn prototype(graph: &Graph, node: u32) -> Option<u32> {
    own(graph, node, graph.known.proto)
}

/// Names of the fields of an object, in the order in which they came.
fn fields(graph: &Graph, node: u32) -> impl Iterator<Item = TextId> {
    let fields = graph.edges(node).filter(|edge| edge.kind == EdgeType::Property);
    let names = fields.map(|edge| edge.name);
    names.filter(|&name| name != graph.known.proto)
}

/// What the symbols say that the library holds, and the engine.
struct Symbols<'g>(FxHashSet<&'g [u8]>);

impl<'g> Symbols<'g> {
    fn of(graph: &'g Graph, engine: &[bool]) -> Self {
        let nodes = rows_with(&graph.nodes.kind, |kind| kind == NodeType::Symbol);
        let held = nodes.filter(|&node| engine[node as usize]);
        let said = held.filter_map(|node| Some(graph.name_text(graph.internal(node, graph.known.name)?)));
        Self(said.collect())
    }

    /// Whether a field's name is one of them. Symbols of the engine's own say nothing, those of the runtime's own code
    /// that no snapshot shows say so.
    fn name(&self, graph: &Graph, field: TextId) -> bool {
        let text = graph.text(field);
        text == b"<symbol>"
            || text.starts_with(b"<symbol node:")
            || text
                .strip_prefix(b"<symbol ")
                .and_then(|text| text.strip_suffix(b">"))
                .is_some_and(|said| self.0.contains(said))
    }
}
