//! Which nodes the engine and its own library hold without the program's help.
//!
//! A walk from the roots that stops where the program begins: at its closures, its modules, and the properties it
//! put on the global object. What the walk reaches would be there with an empty program.

use super::graph::Graph;
use super::meta::{EdgeType, NodeType};

/// One flag a node: held by the engine alone. `None` when the file shows no program at all (a writer that names no
/// scripts): then nothing can be told apart, and everything counts as the program's.
pub(super) fn held(graph: &Graph) -> Option<Vec<bool>> {
    let mut held = vec![false; graph.len()];
    let mut next = vec![0_u32];
    let mut program_seen = false;
    if held.is_empty() {
        return None;
    }
    held[0] = true;
    while let Some(node) = next.pop() {
        let global = is_global(graph, node);
        if graph.kind(node) == NodeType::Synthetic
            && (graph.name(node) == graph.known.stack_roots || graph.name(node) == graph.known.handle_scope)
        {
            // What only the stack holds is the program's: it runs on it.
            continue;
        }
        for edge in graph.edges(node) {
            if edge.kind == EdgeType::Weak || held[edge.to as usize] {
                continue;
            }
            if is_programs(graph, edge.to) {
                program_seen = true;
                continue;
            }
            // The global object's dictionary leads to every value once more, without names.
            if global && edge.kind == EdgeType::Internal && edge.name == graph.known.properties {
                continue;
            }
            if global
                && edge.kind == EdgeType::Property
                && graph.kind(edge.to) != NodeType::Closure
                && !is_standard_global(graph.text(edge.name))
            {
                program_seen = true;
                continue;
            }
            held[edge.to as usize] = true;
            next.push(edge.to);
        }
    }
    program_seen.then_some(held)
}

/// Whether a node is a door into the program.
fn is_programs(graph: &Graph, node: u32) -> bool {
    match graph.kind(node) {
        NodeType::Closure => script_of(graph, node).is_some_and(|script| !is_engine_script(script)),
        // A CommonJS module, or the namespace of an ES module.
        NodeType::Object => graph.name(node) == graph.known.module,
        NodeType::Hidden => graph.name(node) == graph.known.source_text_module,
        _ => false,
    }
}

/// The name of the script a closure was written in; `None` for those the engine was built with.
pub(super) fn script_of(graph: &Graph, closure: u32) -> Option<&[u8]> {
    let shared = graph.internal(closure, graph.known.shared)?;
    let script = graph
        .internal(shared, graph.known.script)
        .or_else(|| graph.internal(shared, graph.known.script_or_debug_info))?;
    (graph.kind(script) == NodeType::Code).then(|| graph.name_text(script))
}

/// Scripts that belong to a runtime's own library, or to the recorder.
pub(super) fn is_engine_script(name: &[u8]) -> bool {
    const SCHEMES: [&[u8]; 7] = [
        b"node:",
        b"internal/",
        b"electron/js2c/",
        b"ext:",
        b"native ",
        b"extensions::",
        b"builtin:",
    ];
    SCHEMES.iter().any(|scheme| name.starts_with(scheme)) || is_recorder_script(name)
}

/// The recorder is installed in a directory of this name.
fn is_recorder_script(name: &[u8]) -> bool {
    name.split(|&byte| byte == b'/' || byte == b'\\')
        .any(|part| part.starts_with(b"deadweight-recorder-"))
}

fn is_global(graph: &Graph, node: u32) -> bool {
    let name = graph.name_text(node);
    graph.kind(node) == NodeType::Object
        && (name == b"global"
            || name == b"Window"
            || name.starts_with(b"Window /")
            || name.starts_with(b"global /"))
}

/// Names an empty program finds on the global object of Node and of browsers, besides those of functions and
/// classes, whose closures tell by themselves.
fn is_standard_global(name: &[u8]) -> bool {
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
    // `__proto__`, symbols and accessors are the engine's own.
    NAMES.contains(&name) || name.starts_with("__") || name.starts_with('<') || name.starts_with("get ")
}
