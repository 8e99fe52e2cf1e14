//! What the layout predicts against what real interpreters charge: `measure.py` makes each sort of object in each of them,
//! and every figure must come out to the byte. Runs every Python from 3.9 to 3.14 that `DEADWEIGHT_PYTHONS` lists,
//! separated by colons, or the one on the path.
#![cfg(target_os = "linux")]

use std::path::Path;
use std::process::Command;

use deadweight_formats::python::PythonLayout;
use deadweight_formats::python::layout::{InternedTexts, implementations as of};
use deadweight_heap::Representation::{Any, Integer};
use deadweight_heap::{Allocator, Layout, Numeric, RecordShape, TableKind, Width};

/// Minor versions whose layout is measured.
const MEASURED: std::ops::RangeInclusive<u8> = 9..=14;

fn pythons() -> Vec<String> {
    let listed = std::env::var("DEADWEIGHT_PYTHONS").unwrap_or_default();
    let paths = listed.split(':').filter(|path| !path.is_empty());
    let paths: Vec<String> = paths.map(str::to_owned).collect();
    if paths.is_empty() {
        vec!["python3".to_owned()]
    } else {
        paths
    }
}

/// What a program in Python prints, run without anybody's settings and with a malloc that counts what is in use exactly.
fn said(python: &str, arguments: &[&str]) -> String {
    let said = Command::new(python)
        .arg("-I")
        .args(arguments)
        .env_remove("PYTHONMALLOC")
        // No cache of freed chunks, and no threshold that moves.
        .env(
            "GLIBC_TUNABLES",
            "glibc.malloc.tcache_count=0:glibc.malloc.mmap_threshold=131072",
        )
        .output()
        .unwrap_or_else(|error| panic!("these tests need Python; {python} does not start: {error}"));
    assert!(
        said.status.success(),
        "{python}: {}{}",
        String::from_utf8_lossy(&said.stdout),
        String::from_utf8_lossy(&said.stderr)
    );
    String::from_utf8(said.stdout).unwrap()
}

fn minor(python: &str) -> u8 {
    let version = said(python, &["-c", "import sys; print(sys.version_info[1])"]);
    version.trim().parse().unwrap()
}

fn record(layout: &PythonLayout, fixed: u64, open: u64, by: deadweight_heap::Implementation) -> u64 {
    let fixed = [Any.times(fixed)];
    layout.record_as(by, &RecordShape::own(&fixed), open)
}

/// What a class takes more that is based on one that is based on `object`: one item in the tuple of these.
fn based(layout: &PythonLayout) -> u64 {
    layout.array(of::TUPLE, Any, 3) - layout.array(of::TUPLE, Any, 2)
}

/// What the layout says of `n` of a kind.
fn predicted(layout: &PythonLayout, kind: &str, n: u64) -> u64 {
    let table = |by, kind, n| layout.table(by, kind, n).unwrap();
    match kind {
        "ascii" => layout.string(n, Width::Ascii),
        "latin" => layout.string(n, Width::One),
        "ucs2" => layout.string(n, Width::Two),
        "ucs4" => layout.string(n, Width::Four),
        "int" if n <= 63 => layout.number(Numeric::Integer(i64::MAX >> (63 - n))),
        "int" => layout.integer(n as u32),
        "float" => layout.number(Numeric::Float(0.5)),
        "complex" => layout.complex(),
        "tuple" => layout.array(of::TUPLE, Any, n),
        "list" | "copied" => layout.array(of::LIST, Any, n),
        "appended" => layout.array(of::LIST, Any, PythonLayout::appended(n)),
        "deque" => layout.array(of::DEQUE, Any, n),
        "array-q" => layout.array(of::LIST, Integer(8), n),
        "array-b" => layout.array(of::LIST, Integer(1), n),
        "bytes" => layout.bytes(n),
        "bytearray" => layout.bytearray(n),
        "dict-str" => table(of::DICT, TableKind::Map, n),
        "dict-any" => table(of::DICT_OF_ANY, TableKind::Map, n),
        "default-str" => table(of::DEFAULT, TableKind::Map, n),
        "default-any" => table(of::DEFAULT_OF_ANY, TableKind::Map, n),
        "ordered-str" => table(of::ORDERED, TableKind::Map, n),
        "ordered-any" => table(of::ORDERED_OF_ANY, TableKind::Map, n),
        "set" | "frozenset" => table(of::DICT, TableKind::Set, n),
        "instance" => record(layout, 0, n, of::ORDINARY),
        "derived" => record(layout, 2, n, of::ORDINARY),
        "looked-at" => record(layout, 0, n, of::LOOKED_AT),
        "slots" => layout.record_of(Any, n),
        "weak-slots" => record(layout, n, 0, of::WEAKLY_REFERRED),
        "named-tuple" => record(layout, n, 0, of::NAMED_TUPLE),
        "class" => layout.shape(n) + based(layout),
        "ordinary-class" => layout.shape_as(of::ORDINARY, n) + based(layout),
        "datetime" => layout.date(),
        "datetime-aware" => layout.datetime(true),
        "date" => layout.day(),
        "time" => layout.time(false),
        "time-aware" => layout.time(true),
        "timedelta" => layout.timedelta(),
        "decimal" => layout.decimal(),
        "uuid" => layout.uuid(),
        "memoryview" => layout.view(),
        "object" => layout.malloc.charged(16),
        other => panic!("{other} is no kind"),
    }
}

#[test]
fn the_layout_is_that_of_the_interpreter() {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/python_layout/measure.py");
    for python in pythons() {
        let minor = minor(&python);
        if !MEASURED.contains(&minor) {
            continue;
        }
        let layout = PythonLayout::of(minor);
        let mut wrong = Vec::new();
        let mut compared = 0;
        for line in said(&python, &[script.to_str().unwrap()]).lines() {
            let words: Vec<&str> = line.split(' ').collect();
            let [kind, n, charged] = words[..] else {
                panic!("{line}")
            };
            let real: u64 = charged.parse().unwrap();
            let predicted = predicted(&layout, kind, n.parse().unwrap());
            if predicted != real {
                wrong.push(format!("{kind} of {n}: predicted {predicted}, really {real}"));
            }
            compared += 1;
        }
        assert!(
            wrong.is_empty(),
            "3.{minor}: {} of {compared} differ\n{}",
            wrong.len(),
            wrong.join("\n")
        );
        assert!(compared > 500, "{python}: {compared}");
    }
}

#[test]
fn the_interpreters_own_table_of_texts_grows_as_it_is_priced() {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/python_layout/interned.py");
    for python in pythons() {
        let minor = minor(&python);
        if !MEASURED.contains(&minor) {
            continue;
        }
        let mut steps = 0;
        for line in said(&python, &[script.to_str().unwrap()]).lines() {
            let numbers: Vec<u64> = line.split(' ').map(|word| word.parse().unwrap()).collect();
            let [entries, free, slots, texts, grown] = numbers[..] else {
                panic!("{line}")
            };
            let interned = Some(InternedTexts { entries, free, slots });
            let layout = PythonLayout {
                interned,
                ..PythonLayout::of(minor)
            };
            assert_eq!(layout.more_interned(texts), Some(grown), "3.{minor}: {line}");
            steps += usize::from(grown > 0);
        }
        assert!(steps >= 3, "{python}: {steps}");
    }
}
