//! What the recorder counted reaches the containers it counted, and what it held for that is nobody's.

mod crafted;

use crafted::{Crafted, ROOTS, Style, program, read, read_with, scope};
use deadweight_formats::Sidecar;
use deadweight_heap::{EdgeKind, Flags, Heap, NONE, ObjectId, Totals, UNKNOWN, Width};

/// Room of the maps and of the arrays made here.
const MAP_SLOTS: u32 = 4;
const ARRAY_SLOTS: u32 = 17;

/// A program with variables of its own, and the recorder's probe beside it.
struct Probed {
    snapshot: Crafted,
    scope: usize,
    probe: usize,
}

impl Probed {
    fn new() -> Self {
        let mut snapshot = program(8);
        let scope = scope(&mut snapshot);
        let probe = snapshot.node("object", "DeadweightProbe", 56);
        snapshot.edge(ROOTS, "element", "9", probe);
        Self {
            snapshot,
            scope,
            probe,
        }
    }
}

struct Made {
    snapshot: Crafted,
    maps: Vec<usize>,
    arrays: Vec<usize>,
    lists: Vec<usize>,
}

impl Made {
    /// A program of maps and arrays with nothing to be seen inside, and the probe that lists them.
    fn new(maps: usize, arrays: usize) -> Self {
        let Probed {
            mut snapshot,
            scope,
            probe,
        } = Probed::new();
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
        let sidecar = Sidecar {
            totals: Totals {
                heap_used: Some(100_000),
                ..Totals::default()
            },
            tables: tables.to_vec(),
            arrays: arrays.to_vec(),
            ..Sidecar::default()
        };
        read_with(self.text().as_bytes(), &sidecar).unwrap().heap
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
        let mut edges = heap.edges.of(node as ObjectId);
        assert!(edges.all(|edge| edge.via.kind() == EdgeKind::Weak), "{node}");
    }
    assert_eq!(heap.totals.heap_used, Some(100_000 - 2 * (32 + 16 + 2 * 8)));
}

#[test]
fn lengths_of_slices_and_ropes_come_with_their_width_and_those_of_other_strings_are_left() {
    let mut snapshot = program(8);
    let parent = snapshot.node("string", "a line of text", 32);
    let mut string = |kind: &str, map: &str, pieces: &[&str]| {
        let string = snapshot.node(kind, &format!("({kind})"), 32);
        let map = snapshot.node("hidden", &format!("system / Map ({map})"), 40);
        for piece in pieces {
            snapshot.edge(string, "internal", piece, parent);
        }
        snapshot.edge(string, "internal", "map", map);
        string
    };
    let one = string("sliced string", "SlicedOneByteString", &["parent"]);
    let two = string("sliced string", "SlicedTwoByteString", &["parent"]);
    let unknown = string("sliced string", "SlicedOneByteString", &["parent"]);
    let rope = string("concatenated string", "ConsOneByteString", &["first", "second"]);
    let two_rope = string("concatenated string", "ConsString", &["first", "second"]);
    let probe = snapshot.node("object", "DeadweightProbe", 56);
    snapshot.edge(ROOTS, "element", "9", probe);
    let list = snapshot.node("object", "Array", 32);
    snapshot.edge(probe, "property", "texts", list);
    for (i, text) in [two, parent, one, rope, two_rope, unknown]
        .into_iter()
        .enumerate()
    {
        snapshot.edge(list, "element", &i.to_string(), text);
    }
    let sidecar = Sidecar {
        texts: vec![14, 14, 13, 28, 29],
        ..Sidecar::default()
    };
    let heap = read_with(snapshot.write(&Style::default()).as_bytes(), &sidecar)
        .unwrap()
        .heap;
    let found: Vec<_> = heap
        .lengths
        .iter()
        .map(|it| (it.object as usize, it.units, it.width))
        .collect();
    let noted = [
        (one, 13, Width::One),
        (two, 14, Width::Two),
        (rope, 28, Width::One),
        (two_rope, 29, Width::Two),
    ];
    assert_eq!(found, noted);
    assert_eq!(heap.length(unknown as ObjectId), None);
    assert_eq!(heap.length(two as ObjectId).unwrap().units, 14);
}

#[test]
fn slices_that_the_recorder_found_equal_have_one_text() {
    let Probed {
        mut snapshot,
        scope,
        probe,
    } = Probed::new();
    let whole = snapshot.node("string", "a line of which slices are kept", 48);
    let shown = snapshot.node("string", "a line of whi", 32);
    let slices: Vec<usize> = (0..6)
        .map(|_| snapshot.node("sliced string", "(sliced string)", 32))
        .collect();
    for &slice in &slices {
        snapshot.edge(slice, "internal", "parent", whole);
    }
    let list = snapshot.node("object", "Array", 32);
    snapshot.edge(probe, "property", "texts", list);
    let listed = [slices[0], shown, slices[1], slices[2], slices[3], slices[4]];
    for (i, &text) in listed.iter().enumerate() {
        snapshot.edge(list, "element", &i.to_string(), text);
        snapshot.edge(scope, "context", &format!("it{i}"), text);
    }
    snapshot.edge(scope, "context", "unseen", slices[5]);
    let sidecar = Sidecar {
        texts: vec![13, 13, 14, 14, 15, 300],
        // Out of the list, and not compared.
        equal: vec![0, 0, 2, 2, 6, u32::MAX],
        ..Sidecar::default()
    };
    let heap = read_with(snapshot.write(&Style::default()).as_bytes(), &sidecar)
        .unwrap()
        .heap;
    let text = |node: usize| {
        let id = node as ObjectId;
        heap.shows_text(id)
            .then(|| heap.objects.label[id as usize])
            .filter(|&text| (text as usize) < heap.texts.len())
    };
    assert_eq!(text(slices[0]), text(shown));
    assert_eq!(text(slices[1]), text(slices[2]));
    assert!(text(slices[1]).is_some() && text(slices[1]) != text(shown));
    assert_eq!(
        slices[3..].iter().filter(|&&slice| text(slice).is_some()).count(),
        0
    );
}

/// A typed array of so many bytes on a buffer of its own, as a snapshot shows it after the recorder's walk.
fn typed_array(snapshot: &mut Crafted, scope: usize, bytes: u64) -> (usize, usize) {
    let view = snapshot.node("object", "Uint8Array", 96);
    let buffer = snapshot.node("object", "ArrayBuffer", 88);
    let backing = snapshot.node("native", "system / JSArrayBufferData", bytes);
    snapshot.edge(scope, "context", &format!("it{view}"), view);
    snapshot.edge(view, "internal", "buffer", buffer);
    snapshot.edge(buffer, "internal", "backing_store", backing);
    (view, backing)
}

/// Typed arrays of 12, 64 and 65 bytes of which the recorder's walk moved so many bytes.
fn walked(moved: u64) -> (Heap, [(usize, usize); 3]) {
    let Probed {
        mut snapshot,
        scope,
        probe,
    } = Probed::new();
    let arrays = [12, 64, 65].map(|bytes| typed_array(&mut snapshot, scope, bytes));
    let list = snapshot.node("object", "Array", 32);
    snapshot.edge(probe, "property", "views", list);
    for (i, (view, _)) in arrays.into_iter().enumerate() {
        snapshot.edge(list, "element", &i.to_string(), view);
    }
    let sidecar = Sidecar {
        totals: Totals {
            heap_used: Some(10_000),
            external: Some(1_000),
            ..Totals::default()
        },
        views: vec![12, 64, 65],
        moved: Some(moved),
        ..Sidecar::default()
    };
    let text = snapshot.write(&Style::default());
    (read_with(text.as_bytes(), &sidecar).unwrap().heap, arrays)
}

#[test]
fn bytes_that_the_walk_moved_out_of_the_heap_are_put_back() {
    let (heap, arrays) = walked(12 + 64);
    // A header of two words, and whole words.
    for ((view, backing), bytes) in arrays[..2].iter().zip([16 + 16, 16 + 64]) {
        let (view, backing) = (*view as ObjectId, *backing as ObjectId);
        assert_eq!(heap.bytes(backing), bytes);
        assert!(!heap.objects.has(backing, Flags::EXTERNAL));
        assert_eq!(heap.owner(backing), view);
        assert_eq!(heap.buffer(view).unwrap().backing, NONE);
        assert_eq!(heap.whole_bytes(view), 96 + 88 + bytes);
    }
    let (view, backing) = arrays[2];
    assert!(heap.objects.has(backing as ObjectId, Flags::EXTERNAL));
    assert_eq!(
        heap.buffer(view as ObjectId).unwrap().backing,
        backing as ObjectId
    );
    assert_eq!(heap.totals.heap_used, Some(10_000 - 32 + 32 + 80));
    assert_eq!(heap.totals.external, Some(1_000 - 12 - 64));
}

#[test]
fn small_arrays_that_were_outside_before_the_walk_stay_there() {
    for moved in [0, 37] {
        let (heap, arrays) = walked(moved);
        for (_, backing) in arrays {
            assert!(heap.objects.has(backing as ObjectId, Flags::EXTERNAL), "{moved}");
        }
        assert_eq!(heap.totals.external, Some(1_000), "{moved}");
    }
}
