//! Dumps of the JVM, as tests make them: any order of records, ids of both widths, cuts, containers, loaders.

mod jvm_crafted;

use std::io::Write;
use std::path::Path;

use deadweight_formats::{Sidecar, open, strip};
use deadweight_heap::{EdgeKind, Flags, Heap, Kind, ObjectId, Presence, Representation, Value as Read};
use jvm_crafted::{Dump, Library, Value, with_library};

fn read(bytes: &[u8]) -> Heap {
    try_read(bytes).expect("a whole dump is read")
}

fn try_read(bytes: &[u8]) -> Result<Heap, String> {
    let mut file = tempfile::NamedTempFile::new().expect("a temporary file");
    file.write_all(bytes).expect("it is written");
    let dump = open(file.path(), &Sidecar::default()).map_err(|error| error.to_string())?;
    Ok(dump.heap)
}

/// A program with a map of two entries, a list of one with room for ten, and items with a number in a box.
fn program(id_bytes: usize) -> (Dump, Library) {
    use Value::{Int, Long, Object};
    let (mut dump, library) = with_library(id_bytes);
    let item = dump.class(
        "app/Item",
        library.object,
        library.loader,
        &[],
        &[("price", Long(0)), ("count", Object(0)), ("name", Object(0))],
    );
    let name = dump.string(&library, "a name");
    let again = dump.string(&library, "a name");
    let count = dump.instance(library.integer, 16, &[Int(7000)]);
    let first = dump.instance(item, 32, &[Long(i64::MAX - 1), Object(count), Object(name)]);
    let second = dump.instance(item, 32, &[Long(-3), Object(0), Object(again)]);
    let key = dump.string(&library, "key");
    let chained = dump.instance(
        library.node,
        32,
        &[Int(2), Object(again), Object(second), Object(0)],
    );
    let node = dump.instance(
        library.node,
        32,
        &[Int(1), Object(key), Object(first), Object(chained)],
    );
    let table = dump.objects(library.nodes, &[0, node, 0, 0]);
    let map = dump.instance(library.map, 24, &[Object(table), Int(2), Int(2)]);
    let store = dump.objects(library.array, &[first, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    let list = dump.instance(library.list, 24, &[Object(store), Int(1)]);
    let main = dump.class(
        "app/Main",
        library.object,
        library.loader,
        &[("map", Object(map)), ("list", Object(list))],
        &[],
    );
    dump.local(main);
    // A last row, so that all others have a next one.
    let last = dump.bytes(b"");
    dump.local(last);
    (dump, library)
}

fn rows_of(heap: &Heap, name: &str) -> Vec<ObjectId> {
    heap.rows()
        .filter(|&row| {
            heap.types.name(heap.objects.label[row as usize]) == name && heap.kind(row) != Kind::String
        })
        .filter(|&row| heap.kind(row) != Kind::Runtime && heap.kind(row) != Kind::Closure)
        .collect()
}

fn text(heap: &Heap, row: ObjectId) -> String {
    heap.texts.get(heap.objects.label[row as usize]).into_owned()
}

#[test]
fn a_program_is_read_whatever_the_order_of_its_file() {
    for id_bytes in [4, 8] {
        let (dump, _) = program(id_bytes);
        for file in [dump.file(), dump.file_backwards(), dump.file_open()] {
            let heap = read(&file);
            assert_eq!(heap.partial, None);
            assert!(
                heap.runtime.allocator.contains("explains 100.00 %"),
                "{}",
                heap.runtime.allocator
            );
            let items = rows_of(&heap, "app.Item");
            assert_eq!(
                items.iter().map(|&row| heap.bytes(row)).collect::<Vec<_>>(),
                [32, 32]
            );
            let fields = heap
                .types
                .declared(heap.objects.label[items[0] as usize])
                .to_vec();
            let price = heap.field_value(items[0], &fields[0]);
            assert_eq!(
                price,
                Some(Read::Number(deadweight_heap::Numeric::Integer(i64::MAX - 1)))
            );
            let Some(Read::Reference(count, 0)) = heap.field_value(items[0], &fields[1]) else {
                panic!("the count is a box");
            };
            assert_eq!(heap.number(count).unwrap().value().to_string(), "7000");
            assert_eq!(heap.field_value(items[1], &fields[1]), Some(Read::Nothing));
            let Some(Read::Reference(name, 0)) = heap.field_value(items[0], &fields[2]) else {
                panic!("the name is a string");
            };
            assert_eq!(text(&heap, name), "a name");
            assert_eq!(heap.whole_bytes(name), 24 + 24);
        }
    }
}

#[test]
fn containers_have_their_entries_their_pieces_and_their_room() {
    let heap = read(&program(8).0.file());
    let [table] = &heap.tables[..] else {
        panic!("one map")
    };
    assert_eq!((table.used, table.capacity), (2, 3));
    // The map, its table of four, and two nodes.
    assert_eq!(heap.whole_bytes(table.object), 24 + 32 + 2 * 32);
    let entries = heap
        .edges
        .of(table.store)
        .map(|edge| (edge.via.kind(), edge.via.name()));
    let entries: Vec<_> = entries.filter(|(kind, _)| *kind != EdgeKind::Internal).collect();
    let (key, value) = (EdgeKind::Key, EdgeKind::Value);
    assert_eq!(entries, [(key, 0), (value, 0), (key, 1), (value, 1)]);
    let list = heap
        .arrays
        .iter()
        .find(|array| array.used == 1)
        .expect("one list");
    assert_eq!((list.capacity, heap.whole_bytes(list.object)), (10, 24 + 56));
    assert_eq!(heap.elements(list).count(), 1);
    assert!(heap.in_program(table.object) && heap.in_program(list.object));
    let holders = deadweight_heap::Holders::new(&heap);
    assert_eq!(holders.name(holders.of(table.object)), "app.Main.map");
    assert_eq!(heap.coverage.numbers, Presence::Present);
}

/// Of a ring one slot stays free, a list that is copied has an object to lock, and a map of one entry has its own class.
#[test]
fn containers_are_priced_with_what_they_need_beside_their_elements() {
    use Value::{Int, Object};
    let (mut dump, library) = with_library(8);
    let mut class = |name, fields: &[(&str, Value)]| dump.class(name, library.object, 0, &[], fields);
    let none = Object(0);
    let ring = class(
        "java/util/ArrayDeque",
        &[("elements", none), ("head", Int(0)), ("tail", Int(0))],
    );
    let copied = class(
        "java/util/concurrent/CopyOnWriteArrayList",
        &[("lock", none), ("array", none)],
    );
    let text = dump.string(&library, "an element");
    let store = dump.objects(library.array, &[text, text, 0]);
    let ring = dump.instance(ring, 24, &[Object(store), Int(0), Int(2)]);
    let lock = dump.instance(library.object, 16, &[]);
    let store = dump.objects(library.array, &[text]);
    let copied = dump.instance(copied, 24, &[Object(lock), Object(store)]);
    let above = [("keySet", none), ("values", none)];
    let above = dump.class("java/util/AbstractMap", library.object, 0, &[], &above);
    let many = [("table", none), ("size", Int(0))];
    dump.class("java/util/ImmutableCollections$MapN", above, 0, &[], &many);
    for row in [ring, copied] {
        dump.local(row);
    }
    let last = dump.bytes(b"");
    dump.local(last);
    let heap = read(&dump.file());
    for (class, elements, bytes) in [
        ("java.util.ArrayDeque", 2, 24 + 32),
        ("java.util.concurrent.CopyOnWriteArrayList", 1, 24 + 16 + 24),
    ] {
        let row = rows_of(&heap, class)[0];
        let list = heap
            .arrays
            .iter()
            .find(|list| list.object == row)
            .expect("a list");
        assert_eq!((list.used, list.capacity), (elements, elements), "{class}");
        let price = heap
            .layout
            .array(list.implementation, Representation::Reference, elements.into());
        assert_eq!((heap.whole_bytes(row), price), (bytes, bytes), "{class}");
    }
    assert_eq!(heap.layout.map_of_one(), Some(32));
}

fn holder(heap: &Heap, row: ObjectId) -> String {
    let holders = deadweight_heap::Holders::new(heap);
    holders.name(holders.of(row))
}

/// A class with these static fields, and a last row, so that all others have a next one.
fn held(mut dump: Dump, library: &Library, statics: &[(&str, Value)]) -> Heap {
    let main = dump.class("app/Main", library.object, library.loader, statics, &[]);
    dump.local(main);
    let last = dump.bytes(b"");
    dump.local(last);
    read(&dump.file())
}

/// What the methods of a window can be moved over: from its offset on as many elements as it has room for.
#[test]
fn a_window_shows_a_part_of_an_array() {
    use Value::{Int, Object};
    let (mut dump, library) = with_library(8);
    let none = Object(0);
    let counts = ["position", "limit", "capacity"].map(|name| (name, Int(0)));
    let buffer = dump.class("java/nio/Buffer", library.object, 0, &[], &counts);
    let fields = [("hb", none), ("offset", Int(0))];
    let bytes = dump.class("java/nio/ByteBuffer", buffer, 0, &[], &fields);
    let heap_bytes = dump.class("java/nio/HeapByteBuffer", bytes, 0, &[], &[]);
    let read_only = dump.class("java/nio/HeapByteBufferR", heap_bytes, 0, &[], &[]);
    let ints = dump.class("java/nio/ByteBufferAsIntBufferB", buffer, 0, &[], &[("bb", none)]);
    let whole = dump.bytes(&[7; 5000]);
    let alone = dump.bytes(&[7; 5000]);
    let mut window = |class, room, count| {
        let own = [Object(room), Int(100), Int(0), Int(10), Int(count)];
        dump.instance(class, 40, &own)
    };
    let [first, second] =
        [(heap_bytes, 48), (read_only, 30)].map(|(class, count)| window(class, whole, count));
    // A count that a broken file has, and a window on nothing.
    let [wild, empty] = [(alone, 1 << 30), (0, 5)].map(|(room, count)| window(heap_bytes, room, count));
    let ints = dump.instance(ints, 32, &[Object(first), Int(0), Int(12), Int(12)]);
    let kept = dump.objects(library.array, &[ints, second, wild, empty]);
    let unseen = dump.bytes(&[1; 100]);
    let heap = held(
        dump,
        &library,
        &[("kept", Object(kept)), ("unseen", Object(unseen))],
    );
    let windows = rows_of(&heap, "java.nio.HeapByteBuffer");
    let read_only = rows_of(&heap, "java.nio.HeapByteBufferR");
    let shown = |row| heap.buffer(row).map(|buffer| (buffer.bytes, buffer.is_backing));
    let all = [windows[0], read_only[0], windows[1], windows[2]];
    assert_eq!(
        all.map(shown),
        [Some((48, false)), Some((30, false)), Some((5000, false)), None]
    );
    let behind = |row| heap.buffer(row).map(|buffer| buffer.backing);
    let backing = behind(all[0]).expect("it has one");
    assert_eq!(behind(all[1]), Some(backing));
    assert_eq!(behind(backing), Some(backing));
    assert_eq!(shown(backing), Some((5000, true)));
    for row in [all[0], all[1], backing] {
        assert_eq!(holder(&heap, row), "app.Main.kept[]");
    }
    let arrays = rows_of(&heap, "byte[]");
    let unseen = arrays
        .into_iter()
        .filter_map(|row| heap.buffer(row))
        .find(|of| of.bytes == 100);
    assert_eq!(unseen.map(|of| of.backing), Some(deadweight_heap::NONE));
}

#[test]
fn few_elements_and_entries_without_a_map_are_named_by_where_they_stand() {
    use Value::Object;
    let (mut dump, library) = with_library(8);
    let none = Object(0);
    let pair = [("key", none), ("value", none)];
    let entry = dump.class("java/util/KeyValueHolder", library.object, 0, &[], &pair);
    let two = [("e0", none), ("e1", none)];
    let two = dump.class(
        "java/util/ImmutableCollections$List12",
        library.object,
        0,
        &[],
        &two,
    );
    let texts = ["key", "value", "first", "second"].map(|text| dump.string(&library, text));
    let [key, value, first, second] = texts.map(Object);
    let entry = dump.instance(entry, 24, &[key, value]);
    let list = dump.instance(two, 24, &[first, second]);
    let entries = dump.objects(library.array, &[entry]);
    let lists = dump.objects(library.array, &[list]);
    let heap = held(
        dump,
        &library,
        &[("entries", Object(entries)), ("lists", Object(lists))],
    );
    let strings = heap.rows().filter(|&row| heap.kind(row) == Kind::String);
    let mut found: Vec<(String, String)> = strings
        .map(|row| (text(&heap, row), holder(&heap, row)))
        .collect();
    found.sort();
    let expected = [
        ("first", "app.Main.lists[][]"),
        ("key", "app.Main.entries[]{keys}"),
        ("second", "app.Main.lists[][]"),
        ("value", "app.Main.entries[]{}"),
    ];
    assert_eq!(found, expected.map(|(text, holder)| (text.into(), holder.into())));
}

/// A sorted map of two entries and one that was taken out, with an index of two rows above it; `value` is the name of the
/// field with the value.
fn skip_list(dump: &mut Dump, library: &Library, value: &str) -> u64 {
    use Value::Object;
    let none = Object(0);
    let package = "java/util/concurrent/ConcurrentSkipListMap";
    let names = [&["head"][..], &["key", value, "next"], &["node", "down", "right"]];
    let [map, node, index] = ["", "$Node", "$Index"].map(|inner| format!("{package}{inner}"));
    let mut classes = [map, node, index].into_iter().zip(names).map(|(name, fields)| {
        let fields: Vec<(&str, Value)> = fields.iter().map(|&field| (field, none)).collect();
        dump.class(&name, library.object, 0, &[], &fields)
    });
    let [map, node, index] = [(); 3].map(|()| classes.next().expect("three"));
    drop(classes);
    let texts = ["a", "one", "b", "two", "c"].map(|text| dump.string(library, text));
    let [a, one, b, two, c] = texts.map(Object);
    let last = dump.instance(node, 24, &[b, two, none]);
    let gone = dump.instance(node, 24, &[c, none, Object(last)]);
    let first = dump.instance(node, 24, &[a, one, Object(gone)]);
    let header = dump.instance(node, 24, &[none, none, Object(first)]);
    let low = dump.instance(index, 24, &[Object(last), none, none]);
    let low_first = dump.instance(index, 24, &[Object(header), none, Object(low)]);
    let high = dump.instance(index, 24, &[Object(last), Object(low), none]);
    let head = dump.instance(index, 24, &[Object(header), Object(low_first), Object(high)]);
    dump.instance(map, 16, &[Object(head)])
}

#[test]
fn a_skip_list_is_a_map_with_its_index_as_pieces() {
    let (mut dump, library) = with_library(8);
    let orders = skip_list(&mut dump, &library, "val");
    let heap = held(dump, &library, &[("orders", Value::Object(orders))]);
    let [table] = &heap.tables[..] else {
        panic!("one map")
    };
    assert_eq!((table.used, table.capacity, table.set), (2, 2, false));
    assert_eq!(heap.whole_bytes(table.object), 16 + 8 * 24);
    let entries = || heap.edges.of(table.store).map(|edge| edge.via.kind());
    let count = |kind| entries().filter(|&of| of == kind).count();
    assert_eq!((count(EdgeKind::Key), count(EdgeKind::Value)), (2, 2));
    let strings = heap.rows().filter(|&row| heap.kind(row) == Kind::String);
    let mut places: Vec<String> = strings.map(|row| holder(&heap, row)).collect();
    places.sort();
    places.dedup();
    // A key that was taken out and is still there is no key of the map any more.
    let expected = ["app.Main.orders", "app.Main.orders{keys}", "app.Main.orders{}"];
    assert_eq!(places, expected);
}

#[test]
fn a_skip_list_of_other_nodes_has_an_unknown_count_and_loses_none() {
    let (mut dump, library) = with_library(8);
    let orders = skip_list(&mut dump, &library, "value");
    let heap = held(dump, &library, &[("orders", Value::Object(orders))]);
    assert_eq!(heap.tables[0].used, deadweight_heap::UNKNOWN);
    let nodes = rows_of(&heap, "java.util.concurrent.ConcurrentSkipListMap$Node");
    assert_eq!(nodes.len(), 4);
    assert!(
        nodes
            .iter()
            .all(|&row| heap.kind(row) == Kind::Record && !heap.is_dead(row))
    );
}

/// Rows of the index, and nodes, that lead back to where they begin.
#[test]
fn a_skip_list_in_rings_is_read() {
    use Value::Object;
    let (mut dump, library) = with_library(8);
    let none = Object(0);
    let mut class = |name: &str, fields: &[(&str, Value)]| dump.class(name, library.object, 0, &[], fields);
    let map = class("java/util/concurrent/ConcurrentSkipListMap", &[("head", none)]);
    let node = ["key", "val", "next"].map(|name| (name, none));
    let node = class("java/util/concurrent/ConcurrentSkipListMap$Node", &node);
    let index = ["node", "down", "right"].map(|name| (name, none));
    let index = class("java/util/concurrent/ConcurrentSkipListMap$Index", &index);
    // 24 bytes each, side by side: the first leads to the second and back.
    let at = dump.instance(library.object, 16, &[]) + 16;
    let of = |row: u64| Object(at + 24 * row);
    for (class, values) in [
        (node, [none, none, of(1)]),
        (node, [none, none, of(0)]),
        (index, [of(0), of(2), of(3)]),
        (index, [of(1), of(2), of(2)]),
    ] {
        dump.instance(class, 24, &values);
    }
    let map = dump.instance(map, 16, &[of(2)]);
    let heap = held(dump, &library, &[("map", Object(map))]);
    assert!(heap.tables.iter().any(|table| table.used == 0));
}

#[test]
fn the_library_is_the_runtimes() {
    let heap = read(&program(8).0.file());
    let loader = rows_of(&heap, "jdk.internal.loader.ClassLoaders$AppClassLoader");
    assert!(loader.iter().all(|&row| !heap.in_program(row)));
    assert!(rows_of(&heap, "app.Item").iter().all(|&row| heap.in_program(row)));
}

#[test]
fn classes_of_two_loaders_are_two_types() {
    let (mut dump, library) = program(8);
    let other = dump.instance(library.object, 16, &[]);
    let item = dump.class(
        "app/Item",
        library.object,
        other,
        &[],
        &[("other", Value::Long(1))],
    );
    let instance = dump.instance(item, 24, &[Value::Long(5)]);
    dump.local(instance);
    let heap = read(&dump.file());
    let items = rows_of(&heap, "app.Item");
    let types: std::collections::BTreeSet<u32> = items
        .iter()
        .map(|&row| heap.objects.label[row as usize])
        .collect();
    assert_eq!((items.len(), types.len()), (3, 2));
}

#[test]
fn a_cut_file_is_read_up_to_the_last_whole_row() {
    let (dump, _) = program(8);
    let file = dump.file();
    let whole = read(&file).objects.len();
    for (before, &start) in dump.row_starts().iter().enumerate().skip(1) {
        for cut in [start, start + 1] {
            let heap = read(&file[..cut]);
            assert!(heap.partial.is_some(), "{cut}");
            // One more row stands for what holds rows from outside.
            assert_eq!(heap.objects.len(), before + 1);
        }
    }
    assert!(whole > dump.row_starts().len());
    for cut in 0..file.len() {
        let _ = try_read(&file[..cut]);
    }
}

#[test]
fn an_array_that_two_strings_share_is_nobodys_piece() {
    let (mut dump, library) = program(8);
    let characters = dump.bytes(b"shared");
    for _ in 0..2 {
        let string = dump.instance(
            library.string,
            24,
            &[Value::Int(0), Value::Object(characters), Value::Byte(0)],
        );
        dump.local(string);
    }
    let heap = read(&dump.file());
    let shared: Vec<ObjectId> = heap
        .rows()
        .filter(|&row| heap.string_form(row).is_some() && text(&heap, row) == "shared")
        .collect();
    assert_eq!(shared.len(), 2);
    assert!(shared.iter().all(|&row| heap.whole_bytes(row) == 24));
    assert!(
        heap.rows()
            .all(|row| heap.bytes(row) != 24 || !heap.objects.has(row, Flags::EXTERNAL))
    );
}

#[test]
fn what_no_root_reaches_in_a_dump_of_all_objects_is_dead() {
    let (mut dump, library) = program(8);
    let live = read(&dump.file()).held_bytes();
    for i in 0..400 {
        dump.instance(library.integer, 16, &[Value::Int(i + 1000)]);
    }
    let heap = read(&dump.file());
    assert_eq!((heap.dead().objects, heap.dead().bytes), (400, 400 * 16));
    assert_eq!(heap.held_bytes(), live);
}

#[test]
fn what_the_hidden_fields_of_classes_hold_is_no_garbage() {
    let (mut dump, library) = program(8);
    let cache = dump.class(
        "java/lang/Class$AnnotationData",
        library.object,
        0,
        &[],
        &[("annotations", Value::Object(0))],
    );
    let live = read(&dump.file()).held_bytes();
    for i in 0..400 {
        let annotation = dump.instance(library.integer, 16, &[Value::Int(i + 1000)]);
        dump.instance(cache, 16, &[Value::Object(annotation)]);
    }
    for i in 0..300 {
        dump.instance(library.integer, 16, &[Value::Int(i + 9000)]);
    }
    let heap = read(&dump.file());
    assert_eq!((heap.dead().objects, heap.dead().bytes), (300, 300 * 16));
    assert_eq!(heap.held_bytes(), live + 400 * 32);
}

#[test]
fn a_dump_taken_after_a_collection_has_no_garbage() {
    let (mut dump, library) = program(8);
    let live = read(&dump.file()).held_bytes();
    for i in 0..400 {
        dump.instance(library.integer, 16, &[Value::Int(i + 1000)]);
    }
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(&dump.file()).unwrap();
    let sidecar = Sidecar {
        is_live: true,
        ..Sidecar::default()
    };
    let heap = open(file.path(), &sidecar).unwrap().heap;
    assert_eq!(heap.dead().objects, 0);
    assert_eq!(heap.held_bytes(), live + 400 * 16);
}

/// A soft reference holds its object until memory is short, a weak one never does.
#[test]
fn weak_references_are_weak_and_soft_ones_hold() {
    use Value::Object;
    let (mut dump, library) = program(8);
    let none = Object(0);
    let reference = dump.class(
        "java/lang/ref/Reference",
        library.object,
        0,
        &[],
        &[
            ("referent", none),
            ("queue", none),
            ("next", none),
            ("discovered", none),
        ],
    );
    let live = |weak: &str, soft: &str| {
        let mut dump = dump.clone();
        for class in [weak, soft] {
            let class = dump.class(class, reference, 0, &[], &[]);
            for i in 0..400 {
                let value = dump.instance(library.integer, 16, &[Value::Int(i + 1000)]);
                let of = dump.instance(class, 32, &[Object(value), none, none, none]);
                dump.local(of);
            }
        }
        let last = dump.bytes(b"");
        dump.local(last);
        read(&dump.file())
    };
    let heap = live("java/lang/ref/WeakReference", "java/lang/ref/SoftReference");
    // What stands in the weak ones alone is gone with the next collection.
    assert_eq!((heap.dead().objects, heap.dead().bytes), (400, 400 * 16));
    for (class, kind) in [("Weak", EdgeKind::Weak), ("Soft", EdgeKind::Field)] {
        let rows = rows_of(&heap, &format!("java.lang.ref.{class}Reference"));
        assert_eq!(rows.len(), 400);
        for row in rows {
            let kinds: Vec<EdgeKind> = heap.edges.of(row).map(|edge| edge.via.kind()).collect();
            assert_eq!(kinds, [kind], "{class}");
        }
    }
    let heap = live("java/lang/ref/PhantomReference", "java/lang/ref/FinalReference");
    assert_eq!(heap.dead().objects, 400);
}

/// As `jcmd GC.heap_dump -gz` writes them, of which a reader of one member sees the first alone.
#[test]
fn a_packed_dump_of_many_members_is_read_whole() {
    let (mut dump, library) = program(8);
    for i in 0..400 {
        let value = dump.instance(library.integer, 16, &[Value::Int(i + 1000)]);
        dump.local(value);
    }
    let file = dump.file();
    let mut packed = Vec::new();
    for member in file.chunks(1000) {
        let mut gzip = flate2::write::GzEncoder::new(&mut packed, flate2::Compression::fast());
        gzip.write_all(member).unwrap();
        gzip.finish().unwrap();
    }
    let (plain, unpacked) = (read(&file), read(&packed));
    assert_eq!(unpacked.partial, None);
    assert_eq!(unpacked.objects.len(), plain.objects.len());
    assert_eq!(unpacked.held_bytes(), plain.held_bytes());
    assert!(
        try_read(&packed[..packed.len() / 2]).is_err() || read(&packed[..packed.len() / 2]).partial.is_some()
    );
}

#[test]
fn sizes_that_no_distance_proves_are_estimates() {
    let (mut dump, library) = program(8);
    let proven = read(&dump.file());
    assert_eq!(proven.layout.estimated(), None);
    for i in 0..100 {
        // Gaps, as a collector leaves them that has not moved everything together.
        dump.skip(8 * (1 + i % 5));
        let value = dump.instance(library.integer, 16, &[Value::Int(i as i32 + 1000)]);
        dump.local(value);
    }
    let heap = read(&dump.file());
    assert_eq!(heap.partial, None, "all of the dump is there");
    let why = heap.layout.estimated().expect("few distances are sizes");
    assert!(why.contains("are assumed"), "{why}");
}

#[test]
fn a_stripped_dump_weighs_the_same_and_says_nothing() {
    let (mut dump, library) = program(8);
    let secret = dump.bytes(b"raw secret bytes in an array\0\0");
    dump.local(secret);
    let wide = dump.string(&library, "another secret");
    dump.local(wide);
    let file = dump.file();
    let mut original = tempfile::NamedTempFile::new().unwrap();
    original.write_all(&file).unwrap();
    let mut stripped = Vec::new();
    strip(Path::new(original.path()), &mut stripped).unwrap();
    assert_eq!(stripped.len(), file.len());
    for said in [&b"a name"[..], b"secret", b"app/Item", b"price"] {
        assert!(memchr::memmem::find(&file, said).is_some());
        assert!(memchr::memmem::find(&stripped, said).is_none(), "{said:?}");
    }
    let (before, after) = (read(&file), read(&stripped));
    assert_eq!(before.held_bytes(), after.held_bytes());
    let labels = |heap: &Heap| {
        let strings = heap.rows().filter(|&row| heap.string_form(row).is_some());
        strings
            .map(|row| heap.objects.label[row as usize])
            .collect::<Vec<_>>()
    };
    assert_eq!(labels(&before), labels(&after));
    assert_eq!(before.tables.len(), after.tables.len());
    let zeros = |heap: &Heap| heap.buffers.iter().map(|buffer| buffer.zeros).collect::<Vec<_>>();
    assert_eq!(zeros(&before), zeros(&after));
}

#[test]
fn another_version_and_other_ids_are_refused() {
    let file = program(8).0.file();
    for (at, byte) in [(17, b'4'), (22, 5)] {
        let mut broken = file.clone();
        broken[at] = byte;
        assert!(try_read(&broken).unwrap_err().contains("expected"));
    }
}

/// Writes what the fuzz target begins with: `cargo test -p deadweight-formats --test jvm -- --ignored`.
#[test]
#[ignore = "writes files of the repository"]
fn seeds_of_the_fuzz_target() {
    let seeds = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds/jvm");
    std::fs::create_dir_all(&seeds).unwrap();
    for (name, file) in [
        ("whole-8", program(8).0.file()),
        ("whole-4", program(4).0.file()),
        ("backwards", program(8).0.file_backwards()),
        ("open", program(8).0.file_open()),
    ] {
        std::fs::write(seeds.join(format!("{name}.hprof")), file).unwrap();
    }
}
