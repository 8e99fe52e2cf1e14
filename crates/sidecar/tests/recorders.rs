//! What recorders call their files is what readers look for.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use deadweight_sidecar::{
    ARRAYS, BEFORE, BUFFERS, CAPTURE_EXTENSION, CLASSES, CURVE, CURVE_SCHEMA, EQUAL, EXCERPTS, FIELDS,
    GROUPS, HISTOGRAM, HISTOGRAM_SCHEMA, HPROF, MADE, NATIVE_CHURN_EXTENSION, NATIVE_DUMP_EXTENSION, OBJECTS,
    PROFILE, RECORD, SCHEMA, SNAPSHOT, STRINGS, TABLES, TEXTS, VIEWS,
};
use regex::Regex;

fn project() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The source of a recorder, all files behind one another.
fn source(folder: &str, extension: &str) -> String {
    let entries = fs::read_dir(project().join(folder)).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    let source: String = paths
        .filter(|path| path.extension().is_some_and(|found| found == extension))
        .map(|path| fs::read_to_string(path).unwrap())
        .collect();
    assert!(!source.is_empty(), "{folder}");
    source
}

/// The names of files in it.
fn names(source: &str) -> BTreeSet<&str> {
    let name =
        Regex::new(r#"['"]([a-z]+\.(?:json|ndjson|bin|heapsnapshot|heapprofile|churn|hprof))['"]"#).unwrap();
    name.captures_iter(source)
        .map(|found| found.get(1).unwrap().as_str())
        .collect()
}

#[test]
fn the_recorder_for_node_writes_these() {
    let source = source("recorders/node", "cjs");
    let expected = [
        RECORD.name(),
        SNAPSHOT,
        PROFILE,
        BUFFERS.name(),
        TABLES.name(),
        ARRAYS.name(),
        VIEWS.name(),
        TEXTS.name(),
        EQUAL.name(),
        CURVE.name(),
    ];
    assert_eq!(names(&source), expected.into());
    assert!(source.contains(&format!("}}.{CAPTURE_EXTENSION}`")));
    assert!(source.contains(&format!("'{SCHEMA}'")));
    assert!(source.contains(&format!("'{CURVE_SCHEMA}'")));
}

#[test]
fn the_recorder_for_ruby_writes_these() {
    let source = source("recorders/ruby", "rb");
    let expected = [
        RECORD.name(),
        OBJECTS,
        MADE,
        GROUPS.name(),
        FIELDS.name(),
        STRINGS.name(),
        EXCERPTS.name(),
        BEFORE.name(),
        CLASSES.name(),
        CURVE.name(),
    ];
    assert_eq!(names(&source), expected.into());
    assert!(source.contains(&format!("}}.{CAPTURE_EXTENSION}\"")));
    assert!(source.contains(&format!("'{SCHEMA}'")));
    assert!(source.contains(&format!("'{CURVE_SCHEMA}'")));
}

#[test]
fn the_recorder_for_java_writes_these() {
    let source = source("recorders/java/src/deadweight/recorder", "java");
    let expected = [RECORD.name(), HPROF, MADE, HISTOGRAM.name(), CURVE.name()];
    assert_eq!(names(&source), expected.into());
    assert!(source.contains(&format!("\".{CAPTURE_EXTENSION}\"")));
    for schema in [SCHEMA, CURVE_SCHEMA, HISTOGRAM_SCHEMA] {
        assert!(source.contains(&format!("\"{schema}\"")), "{schema}");
    }
}

#[test]
fn the_recorder_for_native_programs_writes_these() {
    for (folder, extension) in [
        ("crates/recorder/src/snapshot", NATIVE_DUMP_EXTENSION),
        ("crates/recorder/src/gc", NATIVE_CHURN_EXTENSION),
    ] {
        let source = source(folder, "rs");
        assert!(
            source.contains(&format!("files::whole(settings, process, \"{extension}\"")),
            "{folder}"
        );
    }
}
