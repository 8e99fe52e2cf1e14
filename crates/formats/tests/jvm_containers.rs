//! Containers of other libraries than the JDK's, in dumps of a real JVM: what is in each, and what each would cost.

#[path = "jvm_live/jdk.rs"]
mod jdk;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use deadweight_formats::jvm::Containers;
use deadweight_formats::{Sidecar, open};
use deadweight_heap::{Heap, Kind, Representation, UNKNOWN};

use self::jdk::{Jdk, histogram, read, total};

/// What `Shelves.java` has.
const SHELVES: &str = r#"
[[jvm.list]]
class = "Shelves$*Bag"
store = "items"
count = "count"

[[jvm.list]]
class = "Shelves$Counts"
store = "items"
count = "count"

[[jvm.map]]
class = "Shelves$Chains"
store = "table"
count = "size"
node = { class = "Shelves$Chains$Link", key = "number", value = "value", next = "after" }
grows = { first = 8, load = 0.5 }

[[jvm.map]]
class = "Shelves$Columns"
keys = "keys"
values = "values"
beside = ["states"]
count = "size"

[[jvm.nested]]
class = "Shelves$Pages"
arrays = [["first", 1], ["pages", 2]]
"#;

/// What is known of the containers of one class.
#[derive(Debug, Default, PartialEq)]
struct Known {
    containers: u64,
    /// Entries by the containers' own counts.
    used: u64,
    /// References that are shown as elements, keys or values.
    shown: u64,
    /// Bytes that they take, and those of containers with as many entries that were filled one by one.
    bytes: u64,
    /// `None` where the layout has no price.
    priced: Option<u64>,
    /// The same of lists that have no room left.
    trimmed: u64,
}

/// By class.
fn containers(heap: &Heap) -> BTreeMap<String, Known> {
    let mut all: BTreeMap<String, Known> = BTreeMap::new();
    let name = |row: u32| heap.types.name(heap.objects.label[row as usize]).to_owned();
    for array in heap.arrays.iter().filter(|array| array.implementation.0 > 0) {
        let known = all.entry(name(array.object)).or_default();
        known.containers += 1;
        known.used += u64::from(array.used);
        known.shown += heap.elements(array).count() as u64;
        known.bytes += heap.whole_bytes(array.object);
        let elements = Representation::Reference;
        known.trimmed += heap
            .layout
            .array(array.implementation, elements, u64::from(array.used))
            + heap.added_bytes(array.object);
    }
    for table in heap.tables.iter().filter(|table| table.implementation.0 > 0) {
        let known = all.entry(name(table.object)).or_insert_with(|| Known {
            priced: Some(0),
            ..Known::default()
        });
        known.containers += 1;
        known.used += u64::from(table.used);
        let store = (table.store != table.object).then_some(table.store);
        let rows = std::iter::once(table.object).chain(store);
        let edges = rows.flat_map(|row| heap.edges.of(row));
        known.shown += edges
            .filter(|edge| edge.field().is_none() && is_entry(*edge))
            .count() as u64;
        // Views that it keeps of itself are no part of the price.
        known.bytes += heap.bytes_with_entries(table.object, table.store);
        let price = heap
            .layout
            .table(table.implementation, table.kind(), u64::from(table.used));
        known.priced = known.priced.zip(price).map(|(sum, price)| sum + price);
    }
    all
}

fn is_entry(edge: deadweight_heap::Edge) -> bool {
    use deadweight_heap::EdgeKind::{Key, Value};
    matches!(edge.via.kind(), Key | Value)
}

/// Classes and entries, as the program printed them.
fn printed(text: &str) -> impl Iterator<Item = (&str, u64)> {
    let lines = text
        .lines()
        .map(|line| line.split_once(' ').expect("a class and a number"));
    lines.map(|(class, entries)| (class, entries.parse().expect("a number")))
}

#[test]
fn a_configuration_says_what_is_in_the_containers_of_a_program() {
    for jdk in Jdk::all() {
        let directory = tempfile::tempdir().unwrap();
        let directory = directory.path();
        jdk.compile(directory, &["Shelves.java", "Layouts.java"]);
        let said = jdk.run(
            "java",
            directory,
            &["-XX:+UseSerialGC", "-cp", ".", "Shelves", "shelves"],
        );
        let dump = directory.join("shelves.hprof");
        let sidecar = Sidecar {
            containers: Some(Containers::of_config(SHELVES).unwrap()),
            ..Sidecar::default()
        };
        let heap = open(&dump, &sidecar).unwrap().heap;
        let found = containers(&heap);
        for (class, entries) in printed(&said) {
            let known = &found[class];
            assert_eq!(
                (known.containers, known.used),
                (100, entries),
                "{class}: {known:?}"
            );
            // Numbers are no references.
            let shown = if class == "Shelves$Counts" { 0 } else { entries };
            assert_eq!(known.shown, shown, "{class}");
        }
        let chains = &found["Shelves$Chains"];
        assert_eq!(chains.priced, Some(chains.bytes));
        let views = heap.tables.iter().filter(|table| {
            let class = heap.types.name(heap.objects.label[table.object as usize]);
            let more = heap.whole_bytes(table.object) - heap.bytes_with_entries(table.object, table.store);
            class == "Shelves$Chains" && more > 0
        });
        assert_eq!(views.count(), 100);
        assert_eq!(found["Shelves$Columns"].priced, None);
        // Lists of two, four, eight and so on entries have no room left.
        for class in ["Shelves$Bag", "Shelves$NamedBag", "Shelves$Counts"] {
            let known = &found[class];
            assert!(known.trimmed < known.bytes, "{class}: {known:?}");
        }
        let full = |array: &&deadweight_heap::Array| {
            let class = heap.types.name(heap.objects.label[array.object as usize]);
            class.starts_with("Shelves$") && array.used == array.capacity
        };
        for array in heap
            .arrays
            .iter()
            .filter(full)
            .filter(|array| array.store != array.object)
        {
            let count = u64::from(array.used);
            let price = heap
                .layout
                .array(array.implementation, Representation::Reference, count);
            let price = price + heap.added_bytes(array.object);
            assert_eq!(price, heap.whole_bytes(array.object));
        }
        // Without it they are records, and weigh the same.
        let without = read(&dump);
        assert!(!containers(&without).contains_key("Shelves$Bag"));
        assert_eq!(without.held_bytes(), heap.held_bytes());
    }
}

#[test]
fn queues_and_maps_of_the_jdk_hold_what_was_put_in() {
    for jdk in Jdk::all() {
        let directory = tempfile::tempdir().unwrap();
        let directory = directory.path();
        jdk.compile(directory, &["Queues.java", "Layouts.java"]);
        let said = jdk.run(
            "java",
            directory,
            &["-XX:+UseSerialGC", "-cp", ".", "Queues", "queues"],
        );
        let found = containers(&read(&directory.join("queues.hprof")));
        for (class, entries) in printed(&said) {
            let known = &found[class];
            assert!(known.containers >= 50, "{class}: {known:?}");
            // The machine has some weak maps of its own.
            assert!(
                known.used >= entries && known.used - entries < 100,
                "{class}: {known:?}"
            );
            // A weak map does not hold its keys.
            let has_keys = [
                "java.util.IdentityHashMap",
                "java.util.concurrent.ConcurrentSkipListMap",
            ];
            let each = 1 + u64::from(has_keys.contains(&class));
            assert_eq!(known.shown, each * known.used, "{class}");
        }
    }
}

#[test]
fn fields_of_another_version_make_no_container() {
    for jdk in Jdk::all() {
        let directory = tempfile::tempdir().unwrap();
        let directory = directory.path();
        jdk.compile(directory, &["Shelves.java", "Layouts.java"]);
        jdk.run(
            "java",
            directory,
            &["-XX:+UseSerialGC", "-cp", ".", "Shelves", "shelves"],
        );
        let sidecar = Sidecar {
            containers: Some(Containers::of_config(&SHELVES.replace("\"count\"", "\"length\"")).unwrap()),
            ..Sidecar::default()
        };
        let heap = open(&directory.join("shelves.hprof"), &sidecar).unwrap().heap;
        let found = containers(&heap);
        assert!(!found.contains_key("Shelves$Bag") && found.contains_key("Shelves$Chains"));
        let is_bag = |row: &u32| heap.types.name(heap.objects.label[*row as usize]) == "Shelves$Bag";
        let bags = heap
            .rows()
            .filter(is_bag)
            .filter(|&row| heap.kind(row) == Kind::Record);
        assert_eq!(bags.count(), 100);
    }
}

/// The libraries themselves, in the versions that `jvm_live/pom.xml` names; `cargo xtask test --full` fetches them.
#[test]
#[ignore = "needs the libraries: `cargo xtask test --full` fetches them"]
fn containers_of_known_libraries_hold_what_was_put_in() {
    let jars = std::env::var_os("DEADWEIGHT_JARS").map(PathBuf::from);
    let jars = jars.expect("a folder of libraries in DEADWEIGHT_JARS");
    for jdk in Jdk::all() {
        let directory = tempfile::tempdir().unwrap();
        let directory = directory.path();
        let path = class_path(directory, &jars);
        let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/jvm_live");
        let sources = ["Collections.java", "Layouts.java"].map(|name| from.join(name).display().to_string());
        jdk.run(
            "javac",
            directory,
            &["-d", ".", "-cp", &path, &sources[0], &sources[1]],
        );
        let said = jdk.run(
            "java",
            directory,
            &["-XX:+UseSerialGC", "-cp", &path, "Collections", "collections"],
        );
        let heap = read(&directory.join("collections.hprof"));
        let found = containers(&heap);
        for (class, entries) in printed(&said) {
            let known = found
                .get(class)
                .unwrap_or_else(|| panic!("{class} is no container"));
            assert_eq!(known.used, entries, "{class}: {known:?}");
            assert_ne!(known.used, u64::from(UNKNOWN), "{class}");
            if let Some(priced) = known.priced {
                assert_eq!(priced, known.bytes, "{class}");
            }
        }
        let own = total(&histogram(&directory.join("collections.txt")));
        assert!(heap.held_bytes().abs_diff(own) < own / 500);
    }
}

fn class_path(directory: &Path, jars: &Path) -> String {
    let all = std::env::join_paths([directory.to_owned(), jars.join("*")]);
    all.expect("folders without a colon").into_string().expect("text")
}
