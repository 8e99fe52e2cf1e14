//! Which nodes the engine and its own library hold without the program's help.
//!
//! A walk from the roots that stops where the program begins: at its closures, its modules, its classes' instances,
//! and the properties it put on the global object. What the walk reaches would be there with an empty program, but
//! for one thing: data that the program handed to the library or hung on one of its objects (the arguments of a
//! timer, a store of asynchronous context, a field of `process`). Such data has no code of its own to go by, so it
//! is recognized by its size: the library alone keeps no plain data worth mentioning.

use rustc_hash::{FxHashMap, FxHashSet};

use super::graph::{Graph, RawEdge};
use super::meta::{EdgeType, NodeType};

/// Plain data of fewer bytes than this is left to the library that holds it. The largest that Node keeps for an
/// empty program with all its modules loaded takes half of this.
const LEAST_DATA: u64 = 128 * 1024;

/// What the engine holds.
pub(super) struct Held {
    /// One flag a node: held by the engine alone. A global object is not, as it holds the program's variables.
    pub alone: Vec<bool>,
    /// The global objects.
    pub globals: Vec<u32>,
}

/// Finds what the engine holds. `None` when the file shows no program at all (a writer that names no
/// scripts): then nothing can be told apart, and everything counts as the program's.
///
/// The walk does not pass through `lists`: they hold the program's objects, but are the recorder's.
pub(super) fn held(graph: &Graph, lists: &[u32]) -> Option<Held> {
    if graph.len() == 0 {
        return None;
    }
    let mut walk = Walk {
        graph,
        held: vec![false; graph.len()],
        reached: vec![(0, 0)],
        classes: FxHashMap::default(),
        globals: Vec::new(),
        modules: FxHashSet::default(),
        program_seen: false,
    };
    walk.held[0] = true;
    for &list in lists {
        walk.held[list as usize] = true;
    }
    let mut next = vec![0];
    while let Some(node) = next.pop() {
        walk.leave(node, &mut next);
    }
    if !walk.program_seen {
        return None;
    }
    walk.give_back_data();
    for &global in &walk.globals {
        walk.held[global as usize] = false;
    }
    Some(Held {
        alone: walk.held,
        globals: walk.globals,
    })
}

struct Walk<'g> {
    graph: &'g Graph,
    held: Vec<bool>,
    /// Each node the walk reached, and the node it was reached from; those come first.
    reached: Vec<(u32, u32)>,
    /// Hidden classes, and whether their constructor is the program's.
    classes: FxHashMap<u32, bool>,
    globals: Vec<u32>,
    /// Objects by the name of modules that the walk came to.
    modules: FxHashSet<u32>,
    program_seen: bool,
}

impl Walk<'_> {
    fn leave(&mut self, node: u32, next: &mut Vec<u32>) {
        let graph = self.graph;
        let known = &graph.known;
        if graph.kind(node) == NodeType::Synthetic
            && (graph.name(node) == known.stack_roots || graph.name(node) == known.handle_scope)
        {
            // What only the stack holds is the program's: it runs on it.
            return;
        }
        let global = is_global(graph, node);
        if global {
            self.globals.push(node);
        }
        for edge in graph.edges(node) {
            if edge.kind == EdgeType::Weak || self.held[edge.to as usize] {
                continue;
            }
            if self.is_programs(edge.to) || (global && is_programs_global(graph, edge)) {
                self.program_seen = true;
                self.enter_module(edge.to, next);
                continue;
            }
            // The top-level variables of scripts that are no modules; the library's own scripts are functions.
            if graph.name(node) == known.script_contexts && graph.name(edge.to) == known.scope {
                self.program_seen = true;
                continue;
            }
            // The global object's dictionary leads to every value once more, without names.
            if global && edge.kind == EdgeType::Internal && edge.name == known.properties {
                continue;
            }
            self.held[edge.to as usize] = true;
            self.reached.push((edge.to, node));
            next.push(edge.to);
        }
    }

    /// Goes on through what the loader notes of a `CommonJS` module: the program has but what the module exports.
    fn enter_module(&mut self, node: u32, next: &mut Vec<u32>) {
        let graph = self.graph;
        if graph.name(node) != graph.known.module || !self.modules.insert(node) || !is_loaders(graph, node) {
            return;
        }
        for edge in graph.edges(node) {
            let is_note = edge.kind == EdgeType::Property && is_loaders_note(graph.text(edge.name));
            if is_note && !self.held[edge.to as usize] && !self.is_programs(edge.to) {
                self.held[edge.to as usize] = true;
                self.reached.push((edge.to, node));
                next.push(edge.to);
            }
        }
    }

    /// Whether a node is a door into the program.
    fn is_programs(&mut self, node: u32) -> bool {
        let graph = self.graph;
        match graph.kind(node) {
            NodeType::Closure => is_programs_closure(graph, node),
            // A CommonJS module, or the namespace of an ES module.
            NodeType::Object if graph.name(node) == graph.known.module => true,
            NodeType::Object => {
                let Some(class) = graph.map(node) else {
                    return false;
                };
                *self
                    .classes
                    .entry(class)
                    .or_insert_with(|| is_programs_class(graph, class))
            }
            NodeType::Hidden => graph.name(node) == graph.known.source_text_module,
            _ => false,
        }
    }

    /// Gives large plain data back to the program.
    fn give_back_data(&mut self) {
        let graph = self.graph;
        let data: Vec<bool> = self
            .reached
            .iter()
            .map(|&(node, _)| is_data(graph, node))
            .collect();
        // Zeros, as they take no memory until they are written over: the walk reaches few nodes of a large heap.
        let mut row = vec![0_u32; graph.len()];
        for (at, &(node, _)) in self.reached.iter().enumerate() {
            row[node as usize] = at as u32;
        }
        // Bytes of the data below each node, itself included; a node comes after the one it was reached from.
        let mut below = vec![0_u64; self.reached.len()];
        for at in (1..self.reached.len()).rev() {
            if data[at] {
                let (node, from) = self.reached[at];
                below[at] = below[at].saturating_add(graph.self_size(node));
                let above = row[from as usize] as usize;
                below[above] = below[above].saturating_add(below[at]);
            }
        }
        let mut given = vec![false; self.reached.len()];
        for at in 1..self.reached.len() {
            let (node, from) = self.reached[at];
            let above = row[from as usize] as usize;
            // Text of scripts, caches of the engine and boilerplate of literals hang on code and on the roots.
            let by_library = match graph.kind(from) {
                NodeType::Object | NodeType::Closure => true,
                // The global object of another context hangs on that context.
                NodeType::Hidden => graph.kind(node) == NodeType::Object,
                _ => false,
            };
            given[at] = data[at] && (given[above] || (!data[above] && by_library && below[at] >= LEAST_DATA));
            if given[at] {
                self.held[node as usize] = false;
            }
        }
    }
}

/// Whether a node can stand in plain data: values and their stores, and no object with functions for fields.
fn is_data(graph: &Graph, node: u32) -> bool {
    match graph.kind(node) {
        NodeType::Object => {
            graph.name(node) != graph.known.scope
                && !graph.edges(node).any(|edge| {
                    edge.kind == EdgeType::Property
                        && edge.name != graph.known.proto
                        && graph.kind(edge.to) == NodeType::Closure
                })
        }
        NodeType::Array
        | NodeType::String
        | NodeType::Rope
        | NodeType::Slice
        | NodeType::Number
        | NodeType::Bigint
        | NodeType::Symbol
        | NodeType::Native => true,
        NodeType::Hidden => graph.name(node) == graph.known.property_array || is_proxy(graph, node),
        _ => false,
    }
}

fn is_proxy(graph: &Graph, node: u32) -> bool {
    graph.kind(node) == NodeType::Hidden && graph.name(node) == graph.known.proxy
}

pub(super) fn is_programs_closure(graph: &Graph, closure: u32) -> bool {
    script_of(graph, closure).is_some_and(|script| !is_engine_script(script))
}

/// Whether records of this hidden class were made by a class or constructor of the program's.
pub(super) fn is_programs_class(graph: &Graph, class: u32) -> bool {
    constructor_of(graph, class).is_some_and(|constructor| is_programs_closure(graph, constructor))
}

/// Whether an object by the name of modules was made by the library's loader, and by no class of the program's.
fn is_loaders(graph: &Graph, module: u32) -> bool {
    let class = graph.map(module);
    let constructor = class.and_then(|class| constructor_of(graph, class));
    let script = constructor.and_then(|constructor| script_of(graph, constructor));
    script.is_some_and(is_library_script)
}

/// What the loader notes in each module, beside `exports`.
pub(super) fn is_loaders_note(field: &[u8]) -> bool {
    matches!(field, b"id" | b"path" | b"filename" | b"children" | b"paths")
}

/// The function that made the first object of a hidden class.
pub(super) fn constructor_of(graph: &Graph, mut class: u32) -> Option<u32> {
    // A hidden class names its constructor, or leads to the first one of its chain, which does.
    for _ in 0..1024 {
        if let Some(constructor) = graph.internal(class, graph.known.constructor) {
            return (graph.kind(constructor) == NodeType::Closure).then_some(constructor);
        }
        class = graph.internal(class, graph.known.back_pointer)?;
    }
    None
}

/// Whether a reference of a global object is a variable of the program's.
pub(super) fn is_programs_variable(graph: &Graph, edge: RawEdge) -> bool {
    edge.kind == EdgeType::Property
        && match graph.kind(edge.to) {
            NodeType::Closure => is_programs_closure(graph, edge.to),
            _ => is_programs_global(graph, edge),
        }
}

/// Whether a reference of the global object is one that the program put there. Functions and classes show by
/// themselves, by their scripts.
fn is_programs_global(graph: &Graph, edge: RawEdge) -> bool {
    edge.kind == EdgeType::Property
        && graph.kind(edge.to) != NodeType::Closure
        // Accessors, and values such as true, hang there as hidden nodes.
        && (graph.kind(edge.to) != NodeType::Hidden || is_proxy(graph, edge.to))
        && !is_standard_global(graph.text(edge.name))
}

/// The name of the script a closure was written in; `None` for those the engine was built with.
pub(super) fn script_of(graph: &Graph, closure: u32) -> Option<&[u8]> {
    let shared = graph.internal(closure, graph.known.shared)?;
    let script = graph
        .internal(shared, graph.known.script)
        .or_else(|| graph.internal(shared, graph.known.script_or_debug_info))?;
    let name = graph.name_text(script);
    // Newer writers say what it is before they say which.
    let name = name.strip_prefix(b"system / Script / ").unwrap_or(name);
    (graph.kind(script) == NodeType::Code && name != b"system / Script").then_some(name)
}

/// Scripts that belong to a runtime's own library, or to the recorder.
pub(super) fn is_engine_script(name: &[u8]) -> bool {
    is_library_script(name) || is_recorder_script(name)
}

/// Scripts that belong to a runtime's own library.
pub(super) fn is_library_script(name: &[u8]) -> bool {
    const SCHEMES: [&[u8]; 7] = [
        b"node:",
        b"internal/",
        b"electron/js2c/",
        b"ext:",
        b"native ",
        b"extensions::",
        b"builtin:",
    ];
    SCHEMES.iter().any(|scheme| name.starts_with(scheme))
}

/// How the directory begins in which the recorder is installed.
pub(super) const RECORDER: &[u8] = b"deadweight-recorder-";

fn is_recorder_script(name: &[u8]) -> bool {
    name.split(|&byte| byte == b'/' || byte == b'\\')
        .any(|part| part.starts_with(RECORDER))
}

fn is_global(graph: &Graph, node: u32) -> bool {
    let name = graph.name_text(node);
    graph.kind(node) == NodeType::Object
        && [b"global".as_slice(), b"Window"].iter().any(|of| {
            // With the place, and in newer writers with what it is: the object, or the proxy before it.
            name.strip_prefix(*of).is_some_and(|rest| {
                rest.is_empty() || rest.starts_with(b" /") || rest.starts_with(b" [JSGlobalObject]")
            })
        })
}

/// Names an empty program finds on the global object of Node and of browsers, besides those of functions and
/// classes, whose closures show it themselves.
pub(super) fn is_standard_global(name: &[u8]) -> bool {
    const NAMES: [&str; 40] = [
        "Atomics",
        "Intl",
        "JSON",
        "Math",
        "Reflect",
        "WebAssembly",
        "console",
        "crypto",
        "global",
        "globalThis",
        "navigator",
        "performance",
        "process",
        "self",
        "window",
        "document",
        "location",
        "history",
        "screen",
        "localStorage",
        "sessionStorage",
        "indexedDB",
        "caches",
        "customElements",
        "external",
        "frames",
        "parent",
        "top",
        "opener",
        "chrome",
        "visualViewport",
        "speechSynthesis",
        "scheduler",
        "trustedTypes",
        "navigation",
        "styleMedia",
        "Buffer",
        "undefined",
        "Infinity",
        "NaN",
    ];
    let Ok(name) = std::str::from_utf8(name) else {
        return false;
    };
    NAMES.contains(&name)
        || name == "__proto__"
        || name.starts_with("<symbol Symbol.")
        || name.starts_with("<symbol node:")
}
