//! What the layout predicts against what real runtimes charge: `measure.cjs` makes each structure under each Node
//! binary, and every figure the layout can predict must come out to the byte.

mod live;

use std::path::Path;

use deadweight_formats::v8::V8Layout;
use deadweight_formats::{Sidecar, open};
use deadweight_heap::Representation::Any;
use deadweight_heap::{EdgeKind, Heap, Implementation, Kind, Layout, TableKind, Width};
use live::{Node, nodes};
use serde::Deserialize;

#[derive(Deserialize)]
struct Measured {
    rows: Vec<Row>,
}

/// One structure, as `measure.cjs` saw it in a snapshot.
#[derive(Deserialize)]
struct Row {
    name: String,
    #[serde(default)]
    n: u64,
    /// Bytes of the nodes that only this one reaches; absent when other objects reach it too.
    own: Option<u64>,
    #[serde(rename = "self")]
    alone: Option<u64>,
    #[serde(default)]
    parts: serde_json::Map<String, serde_json::Value>,
}

impl Row {
    /// Bytes of the parts whose description holds `text`.
    fn part(&self, text: &str) -> Option<u64> {
        let found = self.parts.iter().find(|(name, _)| name.contains(text));
        found.and_then(|(_, bytes)| bytes.as_u64())
    }

    fn is_boxed(&self) -> bool {
        self.part("number:heap number").is_some_and(|bytes| bytes > 0)
    }
}

fn measure(node: &Node) -> Vec<Row> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/v8_layout/measure.cjs");
    let run = node
        .command()
        .arg("--expose-gc")
        .arg(script)
        .arg("--quick")
        .output()
        .unwrap();
    assert!(
        run.status.success(),
        "Node {}: {}",
        node.major,
        String::from_utf8_lossy(&run.stderr)
    );
    serde_json::from_slice::<Measured>(&run.stdout).unwrap().rows
}

/// What the layout says of a row, and what was measured; `None` where it says nothing.
fn predicted(layout: &V8Layout, row: &Row) -> Option<(&'static str, u64, u64)> {
    let n = row.n;
    let own = row.own.filter(|&own| own > 0);
    let of = |what, predicted| own.map(|own| (what, predicted, own));
    match row.name.as_str() {
        "object literal" | "JSON.parse object" if (1..128).contains(&n) => {
            of("record", layout.record_of(Any, n))
        }
        "class, n fields in the constructor" | "constructor function, n fields" if n <= 252 => {
            row.alone.map(|alone| ("record", layout.record_of(Any, n), alone))
        }
        "new Array(n)" | "slice of n" | "map of n" | "[...spread of n]" | "array literal of n references" => {
            of("array", layout.array(Implementation::USUAL, Any, n))
        }
        "Map, n set" => of("table", layout.table(Implementation::USUAL, TableKind::Map, n)?),
        "Set, n added" => of("table", layout.table(Implementation::USUAL, TableKind::Set, n)?),
        "WeakMap, n set" => {
            // Beside the map stand the property with its keys, the list of these, and the keys, empty literals.
            let beside = 40 + layout.array(Implementation::USUAL, Any, n) + 56 * n;
            let weak = layout.table(Implementation(1), TableKind::Map, n)?;
            of("weak table", weak + beside)
        }
        "one-byte string of n" if n < 1_000_000 => of("string", layout.string(n, Width::One)),
        "two-byte string of n" if n > 0 => of("string", layout.string(n, Width::Two)),
        "tagged field, a new double each" | "double field, a new double each" => row
            .part("number:heap number")
            .map(|bytes| ("boxed number", layout.boxed(Any), bytes)),
        "Date" | "Date, read (cached fields)" => of("date", layout.date()),
        "subarray" | "new Uint8Array(n)" | "Buffer.alloc(n)" | "new Uint8Array(new ArrayBuffer(n))" => {
            row.alone.map(|alone| ("view", layout.view(), alone))
        }
        "spread of one object with a double" => own.map(|own| {
            (
                "slot",
                layout.elements(Any, 1),
                (own - 24 - layout.boxed(Any)) / 2,
            )
        }),
        _ => None,
    }
}

#[test]
fn the_layout_predicts_every_measured_figure() {
    for node in nodes() {
        let layout = V8Layout::of_node(node.major);
        let mut checked = std::collections::BTreeMap::<&str, u32>::new();
        for row in measure(&node) {
            if let Some((what, predicted, measured)) = predicted(&layout, &row) {
                assert_eq!(
                    predicted, measured,
                    "Node {}: {what} of {}, n = {}",
                    node.major, row.name, row.n
                );
                *checked.entry(what).or_default() += 1;
            }
        }
        let kinds = [
            "array",
            "boxed number",
            "date",
            "record",
            "slot",
            "string",
            "table",
            "view",
            "weak table",
        ];
        assert_eq!(
            checked.keys().copied().collect::<Vec<_>>(),
            kinds,
            "Node {}",
            node.major
        );
        assert!(checked["record"] > 100 && checked["table"] > 100, "{checked:?}");
    }
}

#[test]
fn small_integers_end_where_boxes_begin() {
    for node in nodes() {
        let layout = V8Layout::of_node(node.major);
        let (least, most) = layout.small_integers().unwrap();
        let rows = measure(&node);
        for (name, value) in [
            ("2^30-1", (1 << 30) - 1),
            ("2^30", 1 << 30),
            ("2^31-1", (1 << 31) - 1),
            ("2^31", 1 << 31),
            ("-2^30-1", -(1 << 30) - 1),
            ("-2^31", -(1_i64 << 31)),
            ("-2^31-1", -(1_i64 << 31) - 1),
            ("2^32", 1 << 32),
        ] {
            let name = format!("field holding {name}");
            let row = rows.iter().find(|row| row.name == name).unwrap();
            let boxed = !(least..=most).contains(&value);
            let own = row.own.unwrap();
            let alone = layout.record_of(Any, 1);
            // The box shows in the bytes, with or without values in the snapshot.
            assert_eq!(own > alone, boxed, "Node {}: {name} takes {own}", node.major);
            assert!(!row.is_boxed() || boxed, "Node {}: {name}", node.major);
        }
        // As many whole bytes as a small integer holds without its sign.
        assert_eq!(layout.small_integer_bytes(), 4);
    }
}

const PROGRAM: &str = r"
class Item { constructor(i) { this.a = i; this.b = i; this.c = new Date(); this.d = i; this.e = Buffer.alloc(100); } }
exports.items = Array.from({ length: 50 }, (_, i) => new Item(i));
exports.early = new Date(5);
exports.odd = new DataView(new ArrayBuffer(9));
for (let i = 0; i < 3; i++) globalThis.gc();
require('node:v8').writeHeapSnapshot(process.argv[2]);
";

fn live_heap(node: &Node) -> Heap {
    let place = tempfile::tempdir().unwrap();
    let program = place.path().join("program.cjs");
    let snapshot = place.path().join("heap.heapsnapshot");
    std::fs::write(&program, PROGRAM).unwrap();
    let run = node
        .command()
        .arg("--expose-gc")
        .arg(program)
        .arg(&snapshot)
        .status()
        .unwrap();
    assert!(run.success());
    open(&snapshot, &Sidecar::default()).unwrap().heap
}

/// The bytes of a hidden class and of its list of fields, and how many fields it lists.
fn shape_of(heap: &Heap, class: &str) -> (u64, u64) {
    let record = heap
        .records
        .iter()
        .find(|record| heap.type_name(record.object) == class);
    let shape = record.unwrap().shape;
    let list = heap.edges.of(shape).find(|edge| {
        edge.via.kind() == EdgeKind::Internal && heap.texts.get(edge.via.name()) == "descriptors"
    });
    let list = list.unwrap().to;
    // Keys stand at every third place.
    let keys = heap.edges.of(list).filter(|edge| {
        let name = heap.texts.get(edge.via.name());
        name.parse::<u32>().is_ok_and(|place| place % 3 == 0) && heap.kind(edge.to) == Kind::String
    });
    (heap.bytes(shape) + heap.bytes(list), keys.count() as u64)
}

#[test]
fn the_layout_is_seen_in_the_file_of_each_version() {
    for node in nodes() {
        let heap = live_heap(&node);
        let layout = V8Layout::of_node(node.major);
        assert_eq!(
            format!("{:?}", heap.layout),
            format!("{layout:?}"),
            "Node {}",
            node.major
        );
        let (bytes, fields) = shape_of(&heap, "Item");
        assert_eq!((bytes, fields), (layout.shape(5), 5), "Node {}", node.major);
    }
}
