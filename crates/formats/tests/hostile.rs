//! Broken and hostile files: each gives one clear error or a heap, never a panic, a hang or unbounded memory.

mod crafted;

use std::fs;
use std::io::Read as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crafted::{Crafted, EDGE_TYPES, NODE_TYPES, Style, program, read};
use deadweight_formats::{Beside, open};
use deadweight_heap::{EdgeKind, Flags, Heap, Kind};
use deadweight_rules::weighing::Source;
use deadweight_rules::{Options, weigh};
use proptest::prelude::*;

/// Reads and weighs: what comes through the reader must not break a rule either.
fn weighed(bytes: &[u8]) -> Result<Heap, String> {
    let heap = read(bytes).map_err(|error| error.to_string())?.heap;
    let weighing = weigh(&heap, source(), &Options::all());
    let held = weighing.held;
    assert_eq!(held.content + held.runtime + held.dead, held.bytes);
    Ok(heap)
}

fn source() -> Source {
    Source {
        path: String::new(),
        bytes: 0,
        format: String::new(),
    }
}

fn error_of(bytes: &[u8]) -> String {
    match weighed(bytes) {
        Ok(heap) => panic!("read as a heap of {} objects", heap.rows().len()),
        Err(error) => error,
    }
}

/// Asserts that the error names the file, the byte and what was expected there.
fn fails(text: impl AsRef<[u8]>, at: Option<usize>, expected: &str) {
    let error = error_of(text.as_ref());
    assert!(error.contains(".heapsnapshot: at byte "), "{error}");
    assert!(
        error.contains("expected ") && error.contains(", found "),
        "{error}"
    );
    assert!(
        error.contains(expected),
        "{error:?} does not speak of {expected:?}"
    );
    if let Some(at) = at {
        assert!(
            error.contains(&format!("at byte {at}:")),
            "{error:?} is not at {at}"
        );
    }
}

fn small() -> String {
    program(8).write(&Style::default())
}

/// A small snapshot with one text replaced by another.
fn with(from: &str, to: &str) -> String {
    let text = small();
    assert!(text.contains(from), "{from} in {text}");
    text.replacen(from, to, 1)
}

#[test]
fn what_is_no_snapshot_is_named() {
    fails("", Some(0), "an empty file");
    fails(" \n\t ", Some(0), "only white space");
    fails("hello", Some(0), "\"hello\"");
    fails("[1,2]", Some(0), "\"[1,2]\"");
    fails([0x7F, b'E', b'L', b'F'], Some(0), "expected a heap snapshot");
    fails("{}", Some(1), "a section \"snapshot\"");
    fails("{\"a\":1}", Some(6), "a section \"snapshot\"");
    fails("{\"a\" 1}", Some(5), "':' after the name of a section");
    fails("{a:1}", Some(1), "the name of a section");
    fails("{\"nodes\":{}}", Some(9), "the '[' of nodes");
}

#[test]
fn a_missing_file_and_a_directory_are_named() {
    let place = tempfile::tempdir().unwrap();
    for path in [place.path().join("none.heapsnapshot"), place.path().to_owned()] {
        let error = open(&path, &Beside::default()).unwrap_err().to_string();
        assert!(error.contains(&path.display().to_string()), "{error}");
    }
}

#[test]
fn every_section_is_needed() {
    for section in ["snapshot", "nodes", "edges", "strings"] {
        let text = with(&format!("\"{section}\":"), "\"other\":");
        fails(text, None, &format!("a section \"{section}\""));
    }
}

#[test]
fn the_header_must_tell_the_fields_and_types() {
    fails(with("\"meta\"", "\"atem\""), None, "missing field `meta`");
    fails(
        with("\"node_fields\"", "\"fields\""),
        None,
        "missing field `node_fields`",
    );
    fails(
        with("\"self_size\"", "\"size\""),
        None,
        "a field \"self_size\" in meta",
    );
    fails(with("\"to_node\"", "\"to\""), None, "a field \"to_node\" in meta");
    fails(
        with("\"node_count\":", "\"node_count\":\"many\",\"n\":"),
        None,
        "node_count",
    );
    fails(
        with("\"node_count\":", "\"node_count\":1.5,\"n\":"),
        None,
        "node_count",
    );
    fails(
        with("\"node_count\":", "\"node_count\":-1,\"n\":"),
        None,
        "node_count",
    );
    fails(
        with("\"snapshot\":{", "\"snapshot\":5,\"s\":{"),
        None,
        "a \"snapshot\" header",
    );
    let list = format!("{NODE_TYPES:?}").replace("\", \"", "\", \"");
    fails(with(&list, "\"number\""), None, "a list of node types in meta");
    let many = format!("\"node_fields\":[{}\"type\",", "\"x\",".repeat(40));
    fails(
        with("\"node_fields\":[\"type\",", &many),
        None,
        "at most 32 fields in meta",
    );
}

#[test]
fn an_error_in_a_header_of_many_lines_is_at_its_place() {
    let text = with("\"node_count\":", "\n\n  \"node_count\":x");
    let at = text.find(":x").unwrap() + 1;
    fails(&text, Some(at), "a \"snapshot\" header");
}

#[test]
fn counts_that_lie_are_told() {
    let text = small();
    let count = |name: &str| {
        let at = text.rfind(&format!("\"{name}\":")).unwrap() + name.len() + 3;
        text[at..].split([',', '}']).next().unwrap().to_owned()
    };
    for name in ["node_count", "edge_count"] {
        let honest = count(name);
        for lie in ["0", "1", "99999999", "4294967295", "18446744073709551615"] {
            let lying = with(&format!("\"{name}\":{honest}"), &format!("\"{name}\":{lie}"));
            fails(lying, None, &format!("{name} = {lie}"));
        }
        let lying = with(
            &format!("\"{name}\":{honest}"),
            &format!("\"{name}\":18446744073709551616"),
        );
        fails(lying, None, "a \"snapshot\" header");
    }
}

#[test]
fn edge_counts_of_nodes_must_add_up() {
    let mut made = Crafted::default();
    let root = made.node("synthetic", "", 0);
    let other = made.node("object", "A", 32);
    made.edge(root, "element", "1", other);
    let text = made.write(&Style::default());
    for lie in ["0", "2", "4294967295", "4294967296", "9999999999999999999"] {
        let lying = text.replacen("9,0,0,0,1,0", &format!("9,0,0,0,{lie},0"), 1);
        assert_ne!(lying, text);
        fails(lying, None, "edges");
    }
}

/// A file of two nodes and one edge, with one number replaced.
fn tiny(nodes: &str, edges: &str) -> String {
    let mut made = Crafted::default();
    let root = made.node("synthetic", "", 0);
    let other = made.node("object", "A", 32);
    made.edge(root, "property", "A", other);
    let text = made.write(&Style::default());
    let text = text.replace("9,0,0,0,1,0\n,3,1,1,32,0,0\n", nodes);
    text.replace("[2,1,6\n]", &format!("[{edges}]"))
}

const NODES: &str = "9,0,0,0,1,0,3,1,1,32,0,0";
const EDGES: &str = "2,1,6";

#[test]
fn indices_out_of_range_are_told() {
    assert!(weighed(tiny(NODES, EDGES).as_bytes()).is_ok());
    fails(
        tiny("15,0,0,0,1,0,3,1,1,32,0,0", EDGES),
        None,
        "a node type below 15",
    );
    fails(
        tiny("9,2,0,0,1,0,3,1,1,32,0,0", EDGES),
        None,
        "the number of a string below 2",
    );
    fails(tiny(NODES, "7,1,6"), None, "an edge type below 7");
    fails(tiny(NODES, "2,2,6"), None, "the number of a string below 2");
    fails(
        tiny(NODES, "2,1,12"),
        None,
        "the place of a node: a multiple of 6 below 12",
    );
    fails(
        tiny(NODES, "2,1,5"),
        None,
        "the place of a node: a multiple of 6 below 12",
    );
    fails(
        tiny(NODES, "2,1,9999999999999999999"),
        None,
        "the place of a node",
    );
    let text = tiny(NODES, "2,2,6");
    fails(&text, Some(text.find("2,2,6").unwrap()), "found 2");
}

#[test]
fn what_is_no_whole_number_is_told() {
    for bad in [
        "-1", "1.5", "1e3", "x", "null", "\"3\"", "", "1 2", "0x1", "+1", "NaN", "{}",
    ] {
        fails(tiny(&NODES.replace("32", bad), EDGES), None, "a whole number");
        fails(tiny(NODES, &format!("2,1,{bad}")), None, "a whole number");
    }
    let long = tiny(&NODES.replace("32", "18446744073709551615"), EDGES);
    fails(
        &long,
        long.find("18446744073709551615"),
        "a whole number of at most 19 digits",
    );
    fails(
        tiny("9,0,0,0,1,0,3,1,1,32,0", EDGES),
        None,
        "a multiple of 6 numbers in nodes",
    );
    fails(
        tiny(&format!("{NODES},"), EDGES),
        None,
        "a multiple of 6 numbers in nodes",
    );
    fails(tiny(NODES, "2,1"), None, "a multiple of 3 numbers in edges");
}

#[test]
fn sizes_beyond_any_machine_are_told() {
    fails(
        tiny(&NODES.replace("32", "9999999999999999999"), EDGES),
        None,
        "sizes that add up to",
    );
    let heap = weighed(tiny(&NODES.replace("32", "4294967296"), EDGES).as_bytes()).unwrap();
    assert_eq!(heap.bytes(1), 1 << 32);
    let heap = weighed(tiny(&NODES.replace("32", "4294967295"), EDGES).as_bytes()).unwrap();
    assert_eq!(heap.bytes(1), (1 << 32) - 1);
}

#[test]
fn counts_from_large_sizes_do_not_overflow() {
    let mut made = program(8);
    let huge = 1_u64 << 49;
    let it = made.node("object", "Object", huge);
    let store = made.node("hidden", "system / PropertyArray", huge);
    made.edge(it, "internal", "properties", store);
    made.edge(5, "context", "huge", it);
    let array = made.node("object", "Array", huge);
    let elements = made.node("array", "(object elements)", huge);
    made.edge(array, "internal", "elements", elements);
    made.edge(5, "context", "array", array);
    let table = made.node("object", "Map", 32);
    // 2^35 slots in a table of a map.
    let pairs = made.node("array", "", (2 + 3 + (7 << 34)) * 8);
    made.edge(table, "internal", "table", pairs);
    made.edge(5, "context", "table", table);
    weighed(made.write(&Style::default()).as_bytes()).unwrap();
}

#[test]
fn a_cut_at_every_byte_is_an_error() {
    let text = small();
    for end in 0..text.len() {
        let cut = &text.as_bytes()[..end];
        if let Ok(heap) = weighed(cut) {
            panic!(
                "cut at {end} of {} gave {} objects",
                text.len(),
                heap.rows().len()
            );
        }
    }
}

#[test]
fn deep_nesting_is_told() {
    let deep = "[".repeat(1_000_000);
    fails(
        with("{\"snapshot\":", &format!("{{\"x\":{deep}")),
        None,
        "at most 4096 levels",
    );
    let deep = "{\"a\":".repeat(1_000_000);
    fails(
        with("{\"snapshot\":", &format!("{{\"x\":{deep}")),
        None,
        "at most 4096 levels",
    );
    let balanced = format!("{}{}", "[".repeat(4000), "]".repeat(4000));
    let text = with("{\"snapshot\":", &format!("{{\"x\":{balanced},\"snapshot\":"));
    assert!(weighed(text.as_bytes()).is_ok());
    let deep = format!("\"meta\":{{\"x\":{}", "[".repeat(100_000));
    fails(with("\"meta\":{", &deep), None, "expected");
}

#[test]
fn broken_strings_are_read_or_told() {
    for odd in [
        &b"\\x"[..],
        b"\\u12",
        b"\\uZZZZ",
        b"\\ud800",
        b"\\udc00\\ud800",
        b"\x01\x02",
        b"\xFF\xFE\xC0",
        b"\n",
        b"\0",
        "\u{1F600}".as_bytes(),
    ] {
        let text = small().into_bytes();
        let at = text.windows(8).position(|part| part == b"\"a name\"").unwrap();
        let mut bytes = text[..=at].to_vec();
        bytes.extend_from_slice(odd);
        bytes.extend_from_slice(&text[at + 7..]);
        let heap = weighed(&bytes).unwrap();
        for id in 0..heap.texts.len() as u32 {
            let _ = heap.texts.get(id);
            let _ = heap.texts.shown(id, 3);
            let _ = heap.texts.units(id);
        }
    }
    fails(with("\"a name\"", "\"a name"), None, "a string");
    fails(with("\"a name\"", "a name"), None, "a string");
    fails(with("\"a name\"", "7"), None, "a string");
    let text = small();
    let end = text.rfind('"').unwrap();
    fails(&text[..end], Some(end), "the '\"' that ends a string");
    fails(format!("{}\\", &text[..end]), None, "the '\"' that ends a string");
}

#[test]
fn zero_nodes_are_an_empty_heap() {
    let text = Crafted::default().write(&Style::default());
    assert_eq!(weighed(text.as_bytes()).unwrap().rows().len(), 0);
    let mut root = Crafted::default();
    root.node("synthetic", "", 0);
    assert_eq!(
        weighed(root.write(&Style::default()).as_bytes())
            .unwrap()
            .rows()
            .len(),
        1
    );
}

#[test]
fn sections_of_traces_and_samples_are_passed_over() {
    let text = with(
        "\"trace_function_infos\":[]",
        "\"trace_function_infos\":[0,1,2,3,4,5],\"trace_tree\":[1,0,2,3,[4,5,6,7,[]]],\"samples\":[1,2]",
    );
    assert!(weighed(text.as_bytes()).is_ok());
}

#[test]
fn circles_come_to_an_end() {
    let mut made = program(8);
    let owner = made.node("object", "Object", 24);
    made.edge(5, "context", "owner", owner);
    // An object that is everything to itself.
    for name in ["properties", "elements", "table", "buffer", "map"] {
        made.edge(owner, "internal", name, owner);
    }
    made.edge(owner, "property", "self", owner);
    // Hidden classes in circles, by each of their references, with objects that use them.
    for name in ["back_pointer", "descriptors", "transitions", "constructor"] {
        let a = made.node("object shape", "system / Map", 72);
        let b = made.node("object shape", "system / Map", 72);
        made.edge(a, "internal", name, b);
        made.edge(b, "internal", name, a);
        made.edge(a, "internal", name, a);
        for class in [a, b] {
            let it = made.node("object", "Object", 40);
            made.edge(it, "internal", "map", class);
            made.edge(5, "context", "it", it);
        }
    }
    // Hidden classes that no object uses.
    let circle: Vec<usize> = (0..50)
        .map(|_| made.node("object shape", "system / Map", 72))
        .collect();
    for (i, &class) in circle.iter().enumerate() {
        made.edge(class, "internal", "back_pointer", circle[(i + 1) % circle.len()]);
        made.edge(class, "internal", "map", class);
    }
    // Buffers that are views on each other.
    let a = made.node("object", "ArrayBuffer", 88);
    let b = made.node("object", "ArrayBuffer", 88);
    made.edge(a, "internal", "buffer", b);
    made.edge(b, "internal", "buffer", a);
    made.edge(5, "context", "a", a);
    // Stores that hold each other, strings that are their own halves.
    let array = made.node("object", "Array", 32);
    let store = made.node("array", "(object elements)", 64);
    made.edge(5, "context", "array", array);
    made.edge(array, "internal", "elements", store);
    made.edge(store, "internal", "elements", store);
    made.edge(store, "internal", "0", array);
    let rope = made.node("concatenated string", "(concatenated string)", 32);
    made.edge(5, "context", "rope", rope);
    made.edge(rope, "internal", "first", rope);
    made.edge(rope, "internal", "second", rope);
    let slice = made.node("sliced string", "(sliced string)", 32);
    made.edge(5, "context", "slice", slice);
    made.edge(slice, "internal", "parent", slice);
    let heap = weighed(made.write(&Style::default()).as_bytes()).unwrap();
    for id in heap.rows() {
        let _ = heap.whole_bytes(id);
    }
}

/// Reading and weighing a file of some megabytes takes seconds at most, whatever it says.
fn ends_soon(made: &Crafted) {
    let text = made.write(&Style::default());
    let start = Instant::now();
    let heap = weighed(text.as_bytes()).unwrap();
    for id in heap.rows() {
        if !heap.objects.has(id, Flags::PART) {
            let _ = heap.whole_bytes(id);
        }
    }
    let took = start.elapsed();
    assert!(
        took < Duration::from_secs(20),
        "{} bytes took {took:?}",
        text.len()
    );
}

/// A snapshot whose names are all among a few, so that the builder's own search stays short.
#[test]
fn many_objects_that_share_one_store_cost_no_more_than_their_edges() {
    const MANY: usize = 20_000;
    for (kind, role, store) in [
        ("Map", "table", ""),
        ("Object", "properties", "(object properties)"),
        ("Array", "elements", "(object elements)"),
    ] {
        let mut made = program(8);
        // The store looks like a table of a map: three words an entry.
        let shared = made.node("array", store, (2 + 3 + 7 * 8192) * 8);
        for i in 0..MANY {
            made.edge(shared, "internal", &(8197 + i % 100).to_string(), 5);
        }
        for _ in 0..MANY {
            let it = made.node("object", kind, 32);
            made.edge(it, "internal", role, shared);
            made.edge(5, "context", "it", it);
        }
        ends_soon(&made);
    }
}

#[test]
fn many_records_that_share_one_list_of_fields_cost_no_more_than_their_edges() {
    const MANY: usize = 20_000;
    let mut made = program(8);
    let list = made.node("hidden", "system / DescriptorArray", 24 + 24 * MANY as u64);
    let key = made.node("string", "key", 24);
    for i in 0..MANY {
        made.edge(list, "internal", &(3 * (i % 100)).to_string(), key);
    }
    for _ in 0..MANY {
        let class = made.node("object shape", "system / Map", 72);
        made.edge(class, "internal", "descriptors", list);
        let it = made.node("object", "Object", 32);
        made.edge(it, "internal", "map", class);
        made.edge(5, "context", "it", it);
    }
    ends_soon(&made);
}

#[test]
fn an_object_of_a_hundred_thousand_parts_is_no_trap() {
    let mut made = program(8);
    let it = made.node("object", "Object", 32);
    made.edge(5, "context", "it", it);
    for _ in 0..100_000 {
        let part = made.node("array", "(object elements)", 32);
        made.edge(it, "internal", "elements", part);
    }
    ends_soon(&made);
}

#[test]
fn long_chains_of_hidden_classes_and_closures_come_to_an_end() {
    let mut made = program(8);
    let mut before = made.node("object shape", "system / Map", 72);
    for _ in 0..30_000 {
        let class = made.node("object shape", "system / Map", 72);
        made.edge(class, "internal", "back_pointer", before);
        before = class;
    }
    for _ in 0..1_000 {
        let it = made.node("object", "Thing", 32);
        made.edge(it, "internal", "map", before);
        made.edge(5, "context", "it", it);
    }
    ends_soon(&made);
}

#[test]
fn compressed_files_that_are_cut_are_told() {
    let text = small();
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    gzip.write_all(text.as_bytes()).unwrap();
    let gzip = gzip.finish().unwrap();
    let zstd = zstd::encode_all(text.as_bytes(), 3).unwrap();
    for (name, packed) in [("gzip", gzip), ("zstd", zstd)] {
        assert_eq!(
            weighed(&packed).unwrap().rows().len(),
            weighed(text.as_bytes()).unwrap().rows().len()
        );
        for end in 4..packed.len() {
            let error = error_of(&packed[..end]);
            assert!(
                error.contains("at byte ") && error.contains("expected "),
                "{name} cut at {end}: {error}"
            );
        }
        let mut broken = packed.clone();
        for at in 4..broken.len() {
            broken[at] ^= 0x55;
            let _ = weighed(&broken);
            broken[at] ^= 0x55;
        }
    }
}

fn mutated(mut bytes: Vec<u8>, changes: &[(prop::sample::Index, u8, u8)]) -> Vec<u8> {
    for (at, how, byte) in changes {
        if bytes.is_empty() {
            break;
        }
        let at = at.index(bytes.len());
        match how % 5 {
            0 => bytes[at] = *byte,
            1 => bytes.insert(at, *byte),
            2 => {
                bytes.remove(at);
            }
            // Digits and marks are what keeps a file nearly right.
            3 => bytes[at] = b"0123456789,[]{}\"\\-."[usize::from(*byte) % 19],
            _ => {
                let end = (at + usize::from(*byte)).min(bytes.len());
                let piece = bytes[at..end].to_vec();
                bytes.splice(at..at, piece);
            }
        }
    }
    bytes
}

/// What a plain reading of the file says: bytes and text of each node, kind, name and target of each edge.
type Plain = (Vec<(u64, String)>, Vec<Vec<(EdgeKind, String, u32)>>);

fn plainly(text: &str, style: &Style) -> Plain {
    let file: serde_json::Value = serde_json::from_str(text).unwrap();
    let fields = &style.node_fields;
    let field = |name: &str| fields.iter().position(|field| *field == name).unwrap();
    let [name, size, edge_count] = ["name", "self_size", "edge_count"].map(field);
    let numbers = |name: &str| -> Vec<usize> {
        let list = file[name].as_array().unwrap().iter();
        list.map(|number| number.as_u64().unwrap() as usize).collect()
    };
    let strings: Vec<&str> = file["strings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|text| text.as_str().unwrap())
        .collect();
    let (nodes, edges) = (numbers("nodes"), numbers("edges"));
    let mut rows = edges.chunks(3);
    let mut objects = Vec::new();
    let mut references = Vec::new();
    for node in nodes.chunks(fields.len()) {
        objects.push((node[size] as u64, strings[node[name]].to_owned()));
        let mine = rows.by_ref().take(node[edge_count]).map(|edge| {
            let (kind, named) = match EDGE_TYPES[edge[0]] {
                "property" => (EdgeKind::Field, true),
                "context" => (EdgeKind::Variable, true),
                "element" => (EdgeKind::Element, false),
                "weak" => (EdgeKind::Weak, true),
                "hidden" => (EdgeKind::Internal, false),
                _ => (EdgeKind::Internal, true),
            };
            let name = if named {
                strings[edge[1]].to_owned()
            } else {
                edge[1].to_string()
            };
            (kind, name, (edge[2] / fields.len()) as u32)
        });
        references.push(mine.collect());
    }
    (objects, references)
}

fn as_read(heap: &Heap) -> Plain {
    let objects = heap.rows().map(|id| {
        let text = if heap.kind(id) == Kind::String {
            heap.texts.get(heap.objects.label[id as usize]).into_owned()
        } else {
            heap.type_name(id).to_owned()
        };
        (heap.bytes(id), text)
    });
    let references = heap.rows().map(|id| {
        let mine = heap.edges.of(id).map(|edge| {
            let (kind, name) = (edge.via.kind(), edge.via.name());
            let text = if kind == EdgeKind::Element {
                name.to_string()
            } else {
                heap.texts.get(name).into_owned()
            };
            (kind, text, edge.to)
        });
        mine.collect()
    });
    (objects.collect(), references.collect())
}

/// The snapshots of V8 among the fixtures, unpacked. Rows of other formats may be weighed as far as they go.
fn fixtures() -> Vec<Vec<u8>> {
    let place = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let mut paths: Vec<PathBuf> = fs::read_dir(place)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.retain(|path| path.to_string_lossy().ends_with(".heapsnapshot.gz"));
    paths.sort();
    assert!(paths.len() >= 9);
    let unpacked = paths.iter().map(|path| {
        let mut bytes = Vec::new();
        let mut decoder = flate2::read::GzDecoder::new(fs::File::open(path).unwrap());
        decoder.read_to_end(&mut bytes).unwrap();
        bytes
    });
    unpacked.collect()
}

#[test]
fn the_snapshots_of_every_version_are_weighed_to_the_byte() {
    for bytes in fixtures() {
        weighed(&bytes).unwrap();
    }
}

#[test]
fn a_real_snapshot_cut_anywhere_is_an_error() {
    for bytes in fixtures() {
        for end in (0..bytes.len())
            .step_by(397)
            .chain(bytes.len() - 200..bytes.len())
        {
            assert!(weighed(&bytes[..end]).is_err(), "cut at {end} of {}", bytes.len());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, max_shrink_iters: 200, ..ProptestConfig::default() })]

    #[test]
    fn no_change_of_bytes_breaks_the_reader_or_a_rule(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), any::<u8>()), 1..12),
    ) {
        let _ = weighed(&mutated(small().into_bytes(), &changes));
    }

    #[test]
    fn no_change_of_a_real_snapshot_breaks_the_reader_or_a_rule(
        which in any::<prop::sample::Index>(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), Just(3_u8), any::<u8>()), 1..6),
    ) {
        let all = fixtures();
        let _ = weighed(&mutated(which.get(&all).clone(), &changes));
    }

    #[test]
    fn no_graph_breaks_the_reader_or_a_rule(made in graphs(true)) {
        weighed(made.write(&Style::default()).as_bytes()).unwrap();
    }

    #[test]
    fn a_plain_reading_sees_the_same(made in graphs(false), style in styles()) {
        let text = made.write(&style);
        let heap = read(text.as_bytes()).unwrap().heap;
        prop_assert_eq!(as_read(&heap), plainly(&text, &style));
    }
}

/// Ways to write rows: of as many numbers as known writers have and of others, each on a line or not.
fn styles() -> impl Strategy<Value = Style> {
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

#[test]
fn how_many_threads_read_and_weigh_makes_no_difference() {
    for bytes in fixtures() {
        let on = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .build()
                .unwrap();
            pool.install(|| {
                let heap = read(&bytes).unwrap().heap;
                let weighing = weigh(&heap, source(), &Options::all());
                (serde_json::to_string(&weighing).unwrap(), as_read(&heap))
            })
        };
        let alone = on(1);
        assert!(on(2) == alone, "two threads");
        assert!(on(5) == alone, "five threads");
    }
}

/// Any graph: of V8's own names, so that every step of the assembly meets what it does not expect, or of others.
fn graphs(known: bool) -> impl Strategy<Value = Crafted> {
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
