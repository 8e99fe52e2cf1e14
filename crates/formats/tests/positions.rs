//! Where the classes, functions and modules of live programs stand in their source.

mod live;

use std::fs;

use deadweight_formats::{Sidecar, open};
use deadweight_heap::{Granularity, Heap, Kind};
use live::{Node, nodes};

const PROGRAM: &str = "\
class Row {
  constructor(id) { this.id = id; }
}
const rows = [];
const later = () => rows;
for (let i = 0; i < 10; i++) rows.push(new Row(i));
module.exports = later;
class Wide extends Row {
  constructor(id) { super(id); this.width = 1; }
}
rows.push(new Wide(10));
require('node:v8').writeHeapSnapshot(process.argv[2]);
";

fn heap_of(node: &Node, options: &[&str]) -> (Heap, tempfile::TempDir) {
    let place = tempfile::tempdir().unwrap();
    let program = place.path().join("rows of it.cjs");
    fs::write(&program, PROGRAM).unwrap();
    let snapshot = place.path().join("heap.heapsnapshot");
    let run = node
        .command()
        .args(options)
        .args([&program, &snapshot])
        .output()
        .unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let sidecar = Sidecar {
        root: place.path().to_string_lossy().into_owned(),
        ..Sidecar::default()
    };
    (open(&snapshot, &sidecar).unwrap().heap, place)
}

#[test]
fn classes_functions_and_modules_say_where_they_stand() {
    for node in nodes() {
        let (heap, _place) = heap_of(&node, &[]);
        let row = heap
            .rows()
            .find(|&row| heap.type_name(row) == "Row" && heap.kind(row) == Kind::Record);
        let class = heap
            .lines
            .class(heap.objects.label[row.unwrap() as usize])
            .unwrap();
        assert_eq!(
            (class.file.as_str(), class.line, class.name.as_str()),
            ("rows of it.cjs", 2, "Row")
        );
        let wide = heap
            .rows()
            .find(|&row| heap.type_name(row) == "Wide" && heap.kind(row) == Kind::Record);
        let class = heap
            .lines
            .class(heap.objects.label[wide.unwrap() as usize])
            .unwrap();
        assert_eq!((class.line, class.name.as_str()), (9, "Wide"));
        let functions: Vec<_> = heap
            .rows()
            .filter_map(|row| Some((heap.kind(row), heap.lines.function(row)?)))
            .collect();
        let of = |kind: Kind| {
            functions
                .iter()
                .find(|(of, line)| *of == kind && line.file == "rows of it.cjs" && line.line == 5)
        };
        assert_eq!(
            of(Kind::Closure).map(|(_, line)| (line.column, line.name.as_str())),
            Some((15, "later"))
        );
        assert!(of(Kind::Scope).is_some(), "{functions:?}");
        let modules: Vec<_> = heap.rows().filter_map(|row| heap.lines.module(row)).collect();
        assert!(
            modules
                .iter()
                .any(|line| (line.file.as_str(), line.line) == ("rows of it.cjs", 1)),
            "{modules:?}"
        );
        // What the engine and its library are written in is nothing that a person changes.
        let is_foreign = |file: &str| file.starts_with("node:") || file.is_empty();
        assert!(!functions.iter().any(|(_, line)| is_foreign(&line.file)));
        assert!(!heap.lines.tell_allocations());
    }
}

#[test]
fn with_tracking_each_row_says_what_allocated_it() {
    for node in nodes() {
        let (heap, _place) = heap_of(&node, &["--track-heap-objects"]);
        let rows: Vec<_> = heap
            .rows()
            .filter(|&row| heap.type_name(row) == "Row" && heap.kind(row) == Kind::Record)
            .collect();
        // The prototype of a class that extends it counts, too.
        assert!(rows.len() >= 10, "Node {}: {rows:?}", node.major);
        assert_eq!(heap.lines.granularity, Granularity::Functions);
        for row in rows {
            let line = heap
                .allocated_on(row)
                .and_then(|line| heap.lines.get(line))
                .unwrap();
            let shown = (line.file.as_str(), line.line, line.name.as_str());
            assert_eq!(shown, ("rows of it.cjs", 1, "(top of the file)"));
        }
    }
}
