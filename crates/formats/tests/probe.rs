//! What the recorder counted reaches the containers it counted, and what it held for that is nobody's.

mod crafted;

use crafted::{Crafted, Style, program, read, read_beside};
use deadweight_formats::Beside;
use deadweight_heap::{Flags, Heap, ObjectId, Totals, UNKNOWN, Width};

/// The node of `(GC roots)` in [`program`].
const ROOTS: usize = 1;

/// Room of the maps and of the arrays made here.
const MAP_SLOTS: u32 = 4;
const ARRAY_SLOTS: u32 = 17;

struct Made {
    snapshot: Crafted,
    maps: Vec<usize>,
    arrays: Vec<usize>,
    lists: Vec<usize>,
}

impl Made {
    /// A program of maps and arrays with nothing to be seen inside, and the probe that lists them.
    fn new(maps: usize, arrays: usize) -> Self {
        let mut snapshot = program(8);
        let script = snapshot.node("code", "/srv/more.js", 80);
        let shared = snapshot.node("code", "more", 56);
        snapshot.edge(shared, "internal", "script", script);
        let closure = snapshot.node("closure", "more", 64);
        snapshot.edge(closure, "internal", "shared", shared);
        let scope = snapshot.node("object", "system / Context", 48);
        snapshot.edge(closure, "internal", "context", scope);
        let probe = snapshot.node("object", "DeadweightProbe", 56);
        snapshot.edge(ROOTS, "element", "8", closure);
        snapshot.edge(ROOTS, "element", "9", probe);
        let mut container = |class: &str, field: &str, name: &str, bytes: u32| {
            let object = snapshot.node("object", class, 32);
            let store = snapshot.node("array", name, u64::from(bytes));
            snapshot.edge(object, "internal", field, store);
            snapshot.edge(scope, "context", &format!("it{object}"), object);
            object
        };
        let maps: Vec<_> = (0..maps)
            .map(|_| container("Map", "table", "", 40 + 28 * MAP_SLOTS))
            .collect();
        let arrays: Vec<_> = (0..arrays)
            .map(|_| container("Array", "elements", "(object elements)", 16 + 8 * ARRAY_SLOTS))
            .collect();
        let mut lists = Vec::new();
        for (name, listed) in [("tables", &maps), ("arrays", &arrays)] {
            let list = snapshot.node("object", "Array", 32);
            let store = snapshot.node("array", "(object elements)", 16 + 8 * listed.len() as u64);
            snapshot.edge(probe, "property", name, list);
            snapshot.edge(list, "internal", "elements", store);
            for (i, &object) in listed.iter().enumerate() {
                snapshot.edge(list, "element", &i.to_string(), object);
                snapshot.edge(store, "internal", &i.to_string(), object);
            }
            lists.extend([list, store]);
        }
        Self {
            snapshot,
            maps,
            arrays,
            lists,
        }
    }

    fn text(&self) -> String {
        self.snapshot.write(&Style::default())
    }

    fn counted(&self, tables: &[u32], arrays: &[u32]) -> Heap {
        let beside = Beside {
            totals: Totals {
                heap_used: Some(100_000),
                ..Totals::default()
            },
            tables: tables.to_vec(),
            arrays: arrays.to_vec(),
            ..Beside::default()
        };
        read_beside(self.text().as_bytes(), &beside).unwrap().heap
    }

    fn maps_used(&self, heap: &Heap) -> Vec<u32> {
        let used = |&node: &usize| heap.table(node as ObjectId).unwrap().used;
        self.maps.iter().map(used).collect()
    }

    fn arrays_used(&self, heap: &Heap) -> Vec<u32> {
        let used = |&node: &usize| heap.array(node as ObjectId).unwrap().used;
        self.arrays.iter().map(used).collect()
    }
}

#[test]
fn counts_make_use_exact() {
    let made = Made::new(3, 3);
    let heap = made.counted(&[0, 3, MAP_SLOTS], &[5, 0, ARRAY_SLOTS]);
    assert_eq!(made.maps_used(&heap), [0, 3, MAP_SLOTS]);
    assert_eq!(made.arrays_used(&heap), [5, 0, ARRAY_SLOTS]);
}

#[test]
fn without_counts_nothing_is_known() {
    let made = Made::new(2, 2);
    let heap = read(made.text().as_bytes()).unwrap().heap;
    assert_eq!(made.maps_used(&heap), [UNKNOWN; 2]);
    assert_eq!(made.arrays_used(&heap), [UNKNOWN; 2]);
}

#[test]
fn counts_that_cannot_be_or_are_missing_are_not_believed() {
    let made = Made::new(3, 3);
    let heap = made.counted(&[MAP_SLOTS + 1, 1], &[ARRAY_SLOTS + 1]);
    assert_eq!(made.maps_used(&heap), [UNKNOWN, 1, UNKNOWN]);
    assert_eq!(made.arrays_used(&heap), [UNKNOWN; 3]);
}

#[test]
fn fewer_than_are_seen_is_not_believed() {
    let mut made = Made::new(1, 0);
    let table = made.maps[0] + 1;
    for entry in 0..2_u32 {
        let key = made.snapshot.node("string", &format!("key {entry}"), 24);
        let index = 3 + MAP_SLOTS / 2 + 3 * entry;
        made.snapshot.edge(table, "internal", &index.to_string(), key);
    }
    assert_eq!(made.maps_used(&made.counted(&[1], &[])), [UNKNOWN]);
    assert_eq!(made.maps_used(&made.counted(&[3], &[])), [3]);
    assert_eq!(made.maps_used(&made.counted(&[], &[])), [2]);
}

#[test]
fn what_the_probe_lists_stays_the_programs_and_the_lists_weigh_nothing() {
    let made = Made::new(2, 2);
    let heap = made.counted(&[0, 0], &[0, 0]);
    for &node in made.maps.iter().chain(&made.arrays) {
        assert!(heap.in_program(node as ObjectId), "{node}");
    }
    for &node in &made.lists {
        assert!(heap.objects.has(node as ObjectId, Flags::RECORDER), "{node}");
        assert_eq!(heap.bytes(node as ObjectId), 0, "{node}");
    }
    assert_eq!(heap.totals.heap_used, Some(100_000 - 2 * (32 + 16 + 2 * 8)));
}

#[test]
fn lengths_of_slices_come_with_their_width_and_those_of_other_strings_are_left() {
    let mut snapshot = program(8);
    let parent = snapshot.node("string", "a line of text", 32);
    let mut slice = |map: &str| {
        let slice = snapshot.node("sliced string", "(sliced string)", 32);
        let map = snapshot.node("hidden", map, 40);
        snapshot.edge(slice, "internal", "parent", parent);
        snapshot.edge(slice, "internal", "map", map);
        slice
    };
    let one = slice("system / Map (SlicedOneByteString)");
    let two = slice("system / Map (SlicedTwoByteString)");
    let untold = slice("system / Map (SlicedOneByteString)");
    let probe = snapshot.node("object", "DeadweightProbe", 56);
    snapshot.edge(ROOTS, "element", "9", probe);
    let list = snapshot.node("object", "Array", 32);
    snapshot.edge(probe, "property", "texts", list);
    for (i, text) in [two, parent, one, untold].into_iter().enumerate() {
        snapshot.edge(list, "element", &i.to_string(), text);
    }
    let beside = Beside {
        texts: vec![14, 14, 13],
        ..Beside::default()
    };
    let heap = read_beside(snapshot.write(&Style::default()).as_bytes(), &beside)
        .unwrap()
        .heap;
    let found: Vec<_> = heap
        .lengths
        .iter()
        .map(|it| (it.object as usize, it.units, it.width))
        .collect();
    assert_eq!(found, [(one, 13, Width::One), (two, 14, Width::Two)]);
    assert_eq!(heap.length(untold as ObjectId), None);
    assert_eq!(heap.length(two as ObjectId).unwrap().units, 14);
}
