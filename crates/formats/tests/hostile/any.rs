//! Any snapshots: of any graph, in any known way to write rows.

use proptest::prelude::*;

use crate::crafted::{Crafted, EDGE_TYPES, NODE_TYPES, Style};

/// Ways to write rows: of as many numbers as known writers have and of others, each on a line or not.
pub(super) fn styles() -> impl Strategy<Value = Style> {
    const FIELDS: [&[&str]; 5] = [
        &["type", "name", "self_size", "edge_count", "id"],
        &["type", "name", "id", "self_size", "edge_count", "detachedness"],
        &[
            "type",
            "name",
            "id",
            "self_size",
            "edge_count",
            "trace_node_id",
            "detachedness",
        ],
        &[
            "edge_count",
            "self_size",
            "id",
            "detachedness",
            "name",
            "new",
            "type",
        ],
        &[
            "new",
            "type",
            "name",
            "id",
            "self_size",
            "edge_count",
            "trace_node_id",
            "newer",
        ],
    ];
    let line = prop_oneof![Just("\n"), Just(""), Just(" \r\n ")];
    (0..FIELDS.len(), line).prop_map(|(fields, line)| Style {
        line,
        node_fields: FIELDS[fields].to_vec(),
        ..Style::default()
    })
}

/// Any graph: of V8's own names, so that every step of the assembly meets what it does not expect, or of others.
pub(super) fn graphs(known: bool) -> impl Strategy<Value = Crafted> {
    const KNOWN: [&str; 24] = [
        "Array",
        "ArrayBuffer",
        "back_pointer",
        "backing_store",
        "buffer",
        "constructor",
        "Date",
        "descriptors",
        "elements",
        "map",
        "system / Map",
        "Module",
        "Object",
        "(object properties)",
        "properties",
        "system / PropertyArray",
        "__proto__",
        "system / Context",
        "script",
        "shared",
        "table",
        "transitions",
        "value",
        "5",
    ];
    const OTHER: [&str; 5] = ["a", "b c", "d\"e\\", "f\ng", "hé\u{1F600}"];
    const SIZES: [u64; 8] = [0, 16, 24, 72, 96, 184, 1 << 20, 5 << 32];
    let names: &'static [&'static str] = if known { &KNOWN } else { &OTHER };
    let node = (0..NODE_TYPES.len(), 0..names.len(), 0..SIZES.len());
    let edge = (
        any::<prop::sample::Index>(),
        0..EDGE_TYPES.len(),
        0..names.len(),
        any::<prop::sample::Index>(),
    );
    let nodes = prop::collection::vec(node, 1..40);
    let edges = prop::collection::vec(edge, 0..160);
    (nodes, edges).prop_map(move |(nodes, edges)| {
        let mut made = Crafted::default();
        for &(kind, name, size) in &nodes {
            made.node(NODE_TYPES[kind], names[name], SIZES[size]);
        }
        for (from, kind, name, to) in edges {
            let kind = EDGE_TYPES[kind];
            let name = match kind {
                "element" => &["0", "1", "2", "17", "90"][name % 5],
                // Their indices name nothing that can be compared.
                "hidden" if !known => continue,
                "hidden" => &["0", "1", "2", "7", "9"][name % 5],
                _ => &names[name],
            };
            made.edge(from.index(nodes.len()), kind, name, to.index(nodes.len()));
        }
        made
    })
}
