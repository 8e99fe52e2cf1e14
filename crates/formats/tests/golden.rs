//! What the reader makes of one of everything, on every version of Node. `fixtures/make.cjs` made the snapshots.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use deadweight_formats::{Sidecar, open};
use deadweight_heap::{
    EdgeKind, Flags, Heap, HolderId, Holders, Kind, ObjectId, Presence, StringForm, UNKNOWN, Via,
};

const MAJORS: [u32; 5] = [18, 20, 22, 24, 25];

fn fixture(major: u32, variant: &str) -> PathBuf {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    fixtures.join(format!("node-{major}-{variant}.heapsnapshot.gz"))
}

fn heap_of(major: u32, variant: &str) -> Heap {
    open(&fixture(major, variant), &Sidecar::default()).unwrap().heap
}

/// Chromium: references of four bytes, and what V8 of 2026 calls its pieces.
fn heap_of_chrome(variant: &str) -> Heap {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let file = fixtures.join(format!("chrome-156-{variant}.heapsnapshot.gz"));
    open(&file, &Sidecar::default()).unwrap().heap
}

/// A line for each object that the program's one object reaches, by the way to it.
fn dump(heap: &Heap) -> BTreeMap<String, String> {
    let holder = heap
        .records
        .iter()
        .find(|record| heap.type_name(record.object) == "Fixture")
        .unwrap()
        .object;
    let holders = Holders::new(heap);
    let mut seen = vec![false; heap.rows().len()];
    let mut lines = BTreeMap::new();
    let mut next = std::collections::VecDeque::from([(holder, "fixture".to_owned())]);
    seen[holder as usize] = true;
    while let Some((id, way)) = next.pop_front() {
        let of = holders.of(id);
        lines.insert(way.clone(), line(heap, &holders, id, of));
        let mut steps: Vec<(String, ObjectId)> = Vec::new();
        let pieces = std::iter::once(id).chain(heap.parts_of(id));
        for edge in pieces.flat_map(|piece| heap.edges.of(piece).collect::<Vec<_>>()) {
            if let Some(step) = step(heap, edge.via) {
                steps.push((step, edge.to));
            }
        }
        steps.sort();
        for (step, to) in steps {
            // Metadata is not the program's data.
            let is_metadata = matches!(heap.kind(to), Kind::Runtime | Kind::Shape);
            if !seen[to as usize] && !is_metadata && !heap.objects.has(to, Flags::PART) {
                seen[to as usize] = true;
                next.push_back((to, format!("{way}{step}")));
            }
        }
    }
    lines
}

fn step(heap: &Heap, via: Via) -> Option<String> {
    let name = || heap.texts.shown(via.name(), 40);
    match via.kind() {
        EdgeKind::Field => Some(format!(".{}", name())),
        EdgeKind::Variable => Some(format!("({})", name())),
        EdgeKind::Element => Some(format!("[{:04}]", via.name())),
        EdgeKind::Key => Some(format!("{{key {:02}}}", via.name())),
        EdgeKind::Value => Some(format!("{{value {:02}}}", via.name())),
        EdgeKind::Internal => {
            let name = name();
            let walked = ["first", "second", "parent", "context", "buffer"];
            walked.contains(&name.as_str()).then(|| format!("/{name}"))
        }
        EdgeKind::Weak => None,
    }
}

fn line(heap: &Heap, holders: &Holders<'_>, id: ObjectId, holder: HolderId) -> String {
    let mut out = format!("{:?} {}", heap.kind(id), heap.type_name(id));
    let (alone, whole) = (heap.bytes(id), heap.whole_bytes(id));
    let _ = write!(out, ", {alone} B");
    if whole != alone {
        let _ = write!(out, ", {whole} with parts");
    }
    let count = |number: u32| {
        if number == UNKNOWN {
            "?".to_owned()
        } else {
            number.to_string()
        }
    };
    let bytes = |number: u64| {
        if number == u64::MAX {
            "?".to_owned()
        } else {
            number.to_string()
        }
    };
    if let Some(it) = heap.record(id) {
        let _ = write!(out, ", {} of {} slots", count(it.used), count(it.available));
        if it.dictionary > 0 {
            let _ = write!(out, ", dictionary of {}", it.dictionary);
        }
        if let Some(shape) = heap
            .rows()
            .contains(&it.shape)
            .then(|| heap.shape(it.shape))
            .flatten()
        {
            let _ = write!(out, ", shape of {} for {}", shape.bytes, shape.instances);
        }
    }
    if let Some(it) = heap.array(id) {
        let _ = write!(out, ", {} of {} slots", count(it.used), count(it.capacity));
    }
    if let Some(it) = heap.table(id) {
        let kind = if it.set { "set" } else { "map" };
        let _ = write!(out, ", {kind} of {} in {}", count(it.used), count(it.capacity));
    }
    if let Some(it) = heap.buffer(id) {
        let kind = if it.is_backing { "backing" } else { "view" };
        let _ = write!(out, ", {kind} of {} bytes", bytes(it.bytes));
    }
    if let Some(it) = heap.number(id) {
        let _ = write!(out, ", value {}", it.value());
    }
    if let Some(it) = heap.date(id) {
        let _ = write!(out, ", value {}", it.value);
    }
    if heap.kind(id) == Kind::String {
        let form = heap.objects.fact[id as usize];
        let form = [StringForm::Flat, StringForm::Rope, StringForm::Slice]
            .into_iter()
            .find(|&known| known as u32 == form);
        let _ = write!(
            out,
            ", {form:?} {:?}{}",
            heap.texts.shown(heap.objects.label[id as usize], 30),
            if heap.objects.has(id, Flags::INCOMPLETE) {
                " cut"
            } else {
                ""
            },
        );
    }
    if !heap.in_program(id) {
        out.push_str(", not the program's");
    }
    let _ = write!(out, ", at {}", holders.name(holder));
    out
}

fn text(lines: &BTreeMap<String, String>) -> String {
    lines.iter().fold(String::new(), |mut out, (way, line)| {
        let _ = writeln!(out, "{way}: {line}");
        out
    })
}

#[test]
fn one_of_everything_on_node_20() {
    insta::assert_snapshot!(text(&dump(&heap_of(20, "plain"))));
}

#[test]
fn values_show_where_the_snapshot_has_them() {
    insta::assert_snapshot!(difference(
        &dump(&heap_of(20, "plain")),
        &dump(&heap_of(20, "numbers"))
    ));
}

#[test]
fn one_of_everything_in_chrome() {
    insta::assert_snapshot!(text(&dump(&heap_of_chrome("plain"))));
}

#[test]
fn chrome_shows_values_too() {
    insta::assert_snapshot!(difference(
        &dump(&heap_of_chrome("plain")),
        &dump(&heap_of_chrome("numbers"))
    ));
}

#[test]
fn other_versions_differ_only_as_the_format_page_says() {
    let base = dump(&heap_of(20, "plain"));
    for major in MAJORS.into_iter().filter(|&major| major != 20) {
        let other = dump(&heap_of(major, "plain"));
        insta::assert_snapshot!(format!("node_20_to_{major}"), difference(&base, &other));
    }
}

fn difference(base: &BTreeMap<String, String>, other: &BTreeMap<String, String>) -> String {
    let mut out = String::new();
    let ways: std::collections::BTreeSet<&String> = base.keys().chain(other.keys()).collect();
    for way in ways {
        let (was, is) = (base.get(way), other.get(way));
        if was != is {
            let show = |line: Option<&String>| line.map_or("nothing", String::as_str).to_owned();
            let _ = writeln!(out, "{way}:\n  - {}\n  + {}", show(was), show(is));
        }
    }
    out
}

#[test]
fn what_was_captured_is_declared() {
    for major in MAJORS {
        let plain = heap_of(major, "plain");
        assert_eq!(plain.coverage.numbers, Presence::Absent, "Node {major}");
        assert_eq!(plain.coverage.contents, Presence::Absent, "Node {major}");
        if major >= 20 {
            assert_eq!(
                heap_of(major, "numbers").coverage.numbers,
                Presence::Present,
                "Node {major}"
            );
        }
    }
}
