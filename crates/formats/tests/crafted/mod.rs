//! Snapshots made by hand, so that a test reads like the file it is about.
#![allow(dead_code, reason = "each test file uses its own part")]

use std::fmt::Write as _;
use std::io::Write as _;

use deadweight_formats::{Dump, ReadError, Sidecar, open};

pub const NODE_TYPES: [&str; 15] = [
    "hidden",
    "array",
    "string",
    "object",
    "code",
    "closure",
    "regexp",
    "number",
    "native",
    "synthetic",
    "concatenated string",
    "sliced string",
    "symbol",
    "bigint",
    "object shape",
];
pub const EDGE_TYPES: [&str; 7] = [
    "context", "element", "property", "internal", "hidden", "shortcut", "weak",
];

/// A snapshot under construction.
#[derive(Clone, Debug, Default)]
pub struct Crafted {
    nodes: Vec<Node>,
    strings: Vec<String>,
}

#[derive(Clone, Debug)]
struct Node {
    kind: String,
    name: usize,
    size: u64,
    edges: Vec<(String, usize, usize)>,
}

/// How a file is written.
#[derive(Clone, Debug)]
pub struct Style {
    /// Between any two tokens of the outer object.
    pub white: &'static str,
    /// After each row of numbers and each string.
    pub line: &'static str,
    /// The sections, in order; unknown names get contents of their own.
    pub sections: Vec<&'static str>,
    /// Fields of a node, with unknown ones among them.
    pub node_fields: Vec<&'static str>,
    /// Fields of an edge, with unknown ones among them.
    pub edge_fields: Vec<&'static str>,
}

impl Default for Style {
    fn default() -> Self {
        Self {
            white: "",
            line: "\n",
            sections: vec![
                "snapshot",
                "nodes",
                "edges",
                "trace_function_infos",
                "locations",
                "strings",
            ],
            node_fields: vec!["type", "name", "id", "self_size", "edge_count", "detachedness"],
            edge_fields: vec!["type", "name_or_index", "to_node"],
        }
    }
}

impl Crafted {
    /// A node; the first is the root.
    pub fn node(&mut self, kind: &str, name: &str, size: u64) -> usize {
        let name = self.string(name);
        self.nodes.push(Node {
            kind: kind.to_owned(),
            name,
            size,
            edges: Vec::new(),
        });
        self.nodes.len() - 1
    }

    /// A reference by name, or by index for elements and hidden ones.
    pub fn edge(&mut self, from: usize, kind: &str, name: &str, to: usize) -> &mut Self {
        let name = match kind {
            "element" | "hidden" => name.parse().unwrap(),
            _ => self.string(name),
        };
        self.nodes[from].edges.push((kind.to_owned(), name, to));
        self
    }

    fn string(&mut self, text: &str) -> usize {
        let known = self.strings.iter().position(|known| known == text);
        known.unwrap_or_else(|| {
            self.strings.push(text.to_owned());
            self.strings.len() - 1
        })
    }

    /// The file's text.
    pub fn write(&self, style: &Style) -> String {
        let kinds = self.types(&NODE_TYPES, |node| vec![node.kind.clone()]);
        let edge_kinds = self.types(&EDGE_TYPES, |node| {
            node.edges.iter().map(|(kind, ..)| kind.clone()).collect()
        });
        let place = |types: &[String], kind: &str| types.iter().position(|known| known == kind).unwrap();
        let edges = self.nodes.iter().map(|node| node.edges.len()).sum::<usize>();
        let white = style.white;
        let mut out = String::from("{");
        for (i, &section) in style.sections.iter().enumerate() {
            if i > 0 {
                out.push(',');
            }
            let _ = write!(out, "{white}\"{section}\"{white}:{white}");
            match section {
                "snapshot" => {
                    let node_types = meta_types(&style.node_fields, &kinds);
                    let edge_types = meta_types(&style.edge_fields, &edge_kinds);
                    let _ = write!(
                        out,
                        "{{\"meta\":{white}{{\"node_fields\":{:?},\"node_types\":{node_types},\
                         \"edge_fields\":{:?},{white}\"edge_types\":{edge_types}}},\"node_count\":{},{white}\
                         \"edge_count\":{edges},\"root_index\":0}}",
                        style.node_fields,
                        style.edge_fields,
                        self.nodes.len(),
                    );
                }
                "nodes" => {
                    let rows = self.nodes.iter().enumerate().map(|(id, node)| {
                        fields(&style.node_fields, |field| match field {
                            "type" => place(&kinds, &node.kind) as u64,
                            "name" => node.name as u64,
                            "self_size" => node.size,
                            "edge_count" => node.edges.len() as u64,
                            "id" => id as u64,
                            _ => 0,
                        })
                    });
                    list(&mut out, rows, style);
                }
                "edges" => {
                    let rows = self.nodes.iter().flat_map(|node| &node.edges);
                    let rows = rows.map(|(kind, name, to)| {
                        fields(&style.edge_fields, |field| match field {
                            "type" => place(&edge_kinds, kind) as u64,
                            "name_or_index" => *name as u64,
                            "to_node" => (to * style.node_fields.len()) as u64,
                            _ => 7,
                        })
                    });
                    list(&mut out, rows, style);
                }
                "strings" => {
                    let strings = self.strings.iter();
                    list(
                        &mut out,
                        strings.map(|text| serde_json::to_string(text).unwrap()),
                        style,
                    );
                }
                "words" => out.push_str("[\"a string ] }\", \"another [\"]"),
                "things" => out.push_str("{\"deep\": [[{\"a\": [true, null, -1.5e3, \"]\"]}]]}"),
                _ => out.push_str("[]"),
            }
        }
        let _ = write!(out, "{white}}}{white}");
        out
    }

    /// The known types, and the unknown ones that this snapshot uses.
    fn types(&self, known: &[&str], of: impl Fn(&Node) -> Vec<String>) -> Vec<String> {
        let mut types: Vec<String> = known.iter().map(|&kind| kind.to_owned()).collect();
        for kind in self.nodes.iter().flat_map(of) {
            if !types.contains(&kind) {
                types.push(kind);
            }
        }
        types
    }
}

fn meta_types(fields: &[&str], types: &[String]) -> String {
    let of = |field: &&str| match *field {
        "type" => format!("{types:?}"),
        "name" => "\"string\"".to_owned(),
        "name_or_index" => "\"string_or_number\"".to_owned(),
        "to_node" => "\"node\"".to_owned(),
        _ => "\"number\"".to_owned(),
    };
    format!("[{}]", fields.iter().map(of).collect::<Vec<_>>().join(","))
}

fn fields(names: &[&str], value: impl Fn(&str) -> u64) -> String {
    let values = names.iter().map(|name| value(name).to_string());
    values.collect::<Vec<_>>().join(",")
}

fn list(out: &mut String, rows: impl Iterator<Item = String>, style: &Style) {
    out.push('[');
    let rows: Vec<String> = rows.collect();
    out.push_str(&rows.join(&format!("{},{}", style.line, style.white)));
    out.push_str(style.line);
    out.push(']');
}

/// Writes bytes to a file of their own and opens it.
pub fn read(bytes: &[u8]) -> Result<Dump, ReadError> {
    read_with(bytes, &Sidecar::default())
}

/// The same with what a recorder saw.
pub fn read_with(bytes: &[u8], sidecar: &Sidecar) -> Result<Dump, ReadError> {
    let mut file = tempfile::Builder::new()
        .suffix(".heapsnapshot")
        .tempfile()
        .unwrap();
    file.write_all(bytes).unwrap();
    file.flush().unwrap();
    open(file.path(), sidecar)
}

/// The node of `(GC roots)` in [`program`].
pub const ROOTS: usize = 1;

/// One more function of the program, whose variables stand in the context that comes back.
pub fn scope(made: &mut Crafted) -> usize {
    let script = made.node("code", "/srv/more.js", 80);
    let shared = made.node("code", "more", 56);
    made.edge(shared, "internal", "script", script);
    let closure = made.node("closure", "more", 64);
    made.edge(closure, "internal", "shared", shared);
    let scope = made.node("object", "system / Context", 48);
    made.edge(closure, "internal", "context", scope);
    made.edge(ROOTS, "element", "8", closure);
    scope
}

/// A program with one of each kind, as a file with 8-byte words shows it, or with compressed pointers.
pub fn program(word: u64) -> Crafted {
    let mut made = Crafted::default();
    let shape_bytes = if word == 8 { 72 } else { 40 };
    let header = if word == 8 { 24 } else { 16 };
    let root = made.node("synthetic", "", 0);
    let roots = made.node("synthetic", "(GC roots)", 0);
    made.edge(root, "element", "1", roots);
    let script = made.node("code", "/srv/app.js", 10 * word);
    let shared = made.node("code", "main", 7 * word);
    made.edge(shared, "internal", "script", script);
    let main = made.node("closure", "main", 8 * word);
    made.edge(main, "internal", "shared", shared);
    made.edge(roots, "element", "0", main);
    let scope = made.node("object", "system / Context", 6 * word);
    made.edge(main, "internal", "context", scope);

    let item = made.node("closure", "Item", 8 * word);
    made.edge(item, "internal", "shared", shared);
    let class = made.node("object shape", "system / Map", shape_bytes);
    let list = made.node("hidden", "system / DescriptorArray", header + 2 * 3 * word);
    made.edge(class, "internal", "descriptors", list);
    made.edge(class, "internal", "constructor", item);
    for (i, field) in ["name", "when"].into_iter().enumerate() {
        let key = made.node("string", field, 24);
        made.edge(list, "internal", &(3 * i).to_string(), key);
    }
    let items = made.node("object", "Array", 4 * word);
    let store = made.node("array", "(object elements)", (2 + 17) * word);
    made.edge(items, "internal", "elements", store);
    made.edge(scope, "context", "items", items);
    let name = made.node("string", "a name", 24);
    for i in 0..2 {
        let it = made.node("object", "Item", 5 * word);
        let date = made.node("object", "Date", 96);
        let number = made.node("number", "heap number", word + 8);
        made.edge(date, "hidden", "2", number);
        made.edge(it, "internal", "map", class);
        made.edge(it, "property", "name", name);
        made.edge(it, "property", "when", date);
        made.edge(items, "element", &i.to_string(), it);
        made.edge(store, "internal", &i.to_string(), it);
    }
    let dictionary = made.node("object", "Object", 3 * word);
    let entries = made.node("array", "(object properties)", 8 * word + 4 * 3 * word);
    made.edge(dictionary, "internal", "properties", entries);
    made.edge(dictionary, "property", "name", name);
    made.edge(entries, "internal", "6", name);
    made.edge(entries, "internal", "7", name);
    made.edge(scope, "context", "dictionary", dictionary);
    let table = made.node("object", "Map", 4 * word);
    let pairs = made.node("array", "", (2 + 3 + 2 + 12) * word);
    made.edge(table, "internal", "table", pairs);
    made.edge(pairs, "internal", "5", name);
    made.edge(pairs, "internal", "6", items);
    made.edge(scope, "context", "table", table);
    let view = made.node("object", "Uint8Array", 12 * word);
    let buffer = made.node("object", "ArrayBuffer", 11 * word);
    let data = made.node("native", "system / JSArrayBufferData", 1_000);
    made.edge(view, "internal", "buffer", buffer);
    made.edge(buffer, "internal", "backing_store", data);
    made.edge(scope, "context", "view", view);
    let rope = made.node("concatenated string", "(concatenated string)", 4 * word);
    made.edge(rope, "internal", "first", name);
    made.edge(rope, "internal", "second", name);
    made.edge(scope, "context", "rope", rope);
    let slice = made.node("sliced string", "(sliced string)", 4 * word);
    made.edge(slice, "internal", "parent", name);
    made.edge(scope, "context", "slice", slice);
    made
}
