//! Dumps of Python, as tests make them: each sort of row, whose what is, garbage, and files that are not what they should be.

mod python_crafted;

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;

use deadweight_formats::{Sidecar, open};
use deadweight_heap::{
    EdgeKind, Flags, Heap, Holders, Kind, NONE, Numeric, ObjectId, Representation, UNKNOWN,
};
use deadweight_rules::{Options, weigh};
use deadweight_weighing::{Source, Weighing};
use python_crafted::{
    ANY, BLOCK, Dump, ONLY_SLOTS, OWN_DICT, Program, Row, SHARED, SPLIT, TEXTS, charge, program, sort, varint,
};

fn try_read(bytes: &[u8]) -> Result<Heap, String> {
    let mut file = tempfile::NamedTempFile::new().expect("a temporary file");
    file.write_all(bytes).expect("it is written");
    let dump = open(file.path(), &Sidecar::default()).map_err(|error| error.to_string())?;
    Ok(dump.heap)
}

fn read(dump: &Dump) -> Heap {
    try_read(&dump.file()).expect("a whole dump is read")
}

fn weighed(heap: &Heap) -> Weighing {
    let source = Source {
        path: String::new(),
        bytes: 0,
        format: "cpython-heap".to_owned(),
    };
    weigh(heap, source, &Options::all())
}

fn holder(heap: &Heap, row: ObjectId) -> String {
    let holders = Holders::new(heap);
    holders.name(holders.of(row))
}

fn text(heap: &Heap, row: ObjectId) -> String {
    heap.texts.get(heap.objects.label[row as usize]).into_owned()
}

/// The row of the first string with a text.
fn row_of(heap: &Heap, wanted: &str) -> ObjectId {
    let mut rows = heap.rows();
    let found = rows.find(|&row| heap.kind(row) == Kind::String && text(heap, row) == wanted);
    found.unwrap_or_else(|| panic!("no string {wanted:?}"))
}

/// A program whose module has these variables.
fn with_variables(mut dump: Dump, variables: &[(&str, u32)]) -> Dump {
    let main = dump.module("__main__", Some("/srv/shop/shop.py"), variables);
    let modules = dump.dict_of(&[("__main__", main)]);
    dump.held_by_interpreter(modules);
    dump
}

fn line(heap: &Heap, name: &str, row: ObjectId) -> String {
    let mut line = format!(
        "{name}: {:?} {} {} bytes",
        heap.kind(row),
        heap.type_name(row),
        heap.whole_bytes(row)
    );
    let number = |count: u32| {
        if count == UNKNOWN {
            "?".to_owned()
        } else {
            count.to_string()
        }
    };
    let mut fact = |fact: String| write!(line, ", {fact}").expect("a string takes all");
    if let Some(record) = heap.record(row) {
        fact(format!(
            "{} fields of {}, {} slots of a table",
            number(record.used),
            number(record.available),
            record.dictionary
        ));
    }
    if let Some(array) = heap.array(row) {
        fact(format!(
            "{} of {} slots",
            number(array.used),
            number(array.capacity)
        ));
    }
    if let Some(table) = heap.table(row) {
        fact(format!(
            "{} of {} entries{}",
            number(table.used),
            number(table.capacity),
            if table.set { ", a set" } else { "" }
        ));
    }
    if let Some(value) = heap.number(row) {
        fact(value.value().to_string());
    }
    if let Some(date) = heap.date(row) {
        fact(date.value.to_string());
    }
    if let Some(buffer) = heap.buffer(row) {
        let backing = heap.objects.kind.get(buffer.backing as usize);
        fact(format!(
            "{} bytes of {:?}, {} zeros, own {}, behind it {backing:?}",
            buffer.bytes,
            buffer.elements,
            buffer.zeros.cast_signed(),
            buffer.is_backing
        ));
    }
    if heap.kind(row) == Kind::String {
        fact(format!("{:?}", text(heap, row)));
    }
    let flags = [
        (Flags::ENGINE, "the interpreter's"),
        (Flags::RECORDER, "the recorder's"),
    ];
    for (_, said) in flags.iter().filter(|(flag, _)| heap.objects.has(row, *flag)) {
        fact((*said).to_owned());
    }
    if heap.is_dead(row) {
        fact("dead".to_owned());
    }
    format!("{line} at {}", holder(heap, row))
}

#[test]
fn one_of_everything() {
    let Program { dump, variables, .. } = program();
    let heap = read(&dump);
    let lines: Vec<String> = variables
        .iter()
        .map(|&(name, row)| line(&heap, name, row))
        .collect();
    insta::assert_snapshot!(lines.join("\n"));
}

#[test]
fn a_row_is_charged_with_all_its_blocks_and_none_is_lost() {
    let Program { dump, variables, .. } = program();
    let heap = read(&dump);
    let charged = |row: &Row| row.blocks.iter().map(|&asked| charge(asked)).sum::<u64>();
    let all: u64 = dump.rows.iter().map(charged).sum();
    assert_eq!(heap.held_bytes() + heap.dead().bytes, all);
    for (name, row) in variables {
        if heap.buffer(row).is_none() && heap.record(row).is_none() && !heap.is_dead(row) {
            assert_eq!(heap.bytes(row), charged(&dump.rows[row as usize]), "{name}");
        }
    }
    let weighing = weighed(&heap);
    assert_eq!(
        weighing.held.content + weighing.held.runtime + weighing.held.dead,
        weighing.held.bytes
    );
}

#[test]
fn the_dump_says_what_the_process_counted_and_how_much_of_it_objects_explain() {
    let Program { dump, .. } = program();
    let heap = read(&dump);
    let pools = |row: &&Row| row.sort != sort::BLOCKS;
    let asked = dump.rows.iter().filter(pools).flat_map(|row| row.blocks.clone());
    let (small, large): (Vec<u64>, Vec<u64>) = asked.partition(|&asked| asked <= 512);
    let sum = |all: &[u64]| all.iter().map(|&asked| charge(asked)).sum::<u64>();
    let in_pools = sum(&small) + charge(480);
    let totals = heap.totals;
    assert_eq!(totals.heap_used, Some(in_pools + sum(&large)));
    assert_eq!(totals.heap_total, Some(in_pools + sum(&large) + 48));
    assert_eq!(
        totals.heap_asked,
        Some(small.iter().sum::<u64>() + large.iter().sum::<u64>())
    );
    assert_eq!(totals.rss, Some(50_000_000));
    let explained = sum(&small) as f64 / in_pools as f64 * 100.0;
    let expected = format!("pymalloc (objects explain {explained:.2} % of the blocks in its pools)");
    assert_eq!(heap.runtime.allocator, expected);
    assert_eq!(
        (heap.runtime.name.as_str(), heap.runtime.version.as_str()),
        ("python", "3.12.1")
    );
    let blocks = heap
        .rows()
        .find(|&row| heap.type_name(row) == "free lists")
        .unwrap();
    assert!(heap.is_runtime(blocks) && heap.bytes(blocks) == 480);
}

#[test]
fn names_are_those_that_a_person_would_say() {
    let Program { dump, .. } = program();
    let heap = read(&dump);
    for (of, expected) in [
        ("is shipped by now", "__main__.Order.status"),
        ("a city by the sea", "__main__.cities[]"),
        ("Rotterdam", "{city, amount, +1}.city"),
        ("city", "__main__.rows[]{keys}"),
        ("only in this table", "__main__.words{}"),
        ("a word", "__main__.words{keys}"),
        ("a limit of the class", "__main__.Shop.limits[]"),
        ("in an array of objects", "__main__.objects[]"),
        ("a default value", "function.__defaults__[]"),
        ("a text that a function captured", "(a captured variable)"),
        ("a text of a local variable", "answer (a local variable of main)"),
        ("a text of a frame", "rest (a local variable of wait)"),
    ] {
        assert_eq!(holder(&heap, row_of(&heap, of)), expected, "{of}");
    }
}

#[test]
fn what_only_libraries_hold_is_the_interpreters() {
    let Program { dump, main, .. } = program();
    let heap = read(&dump);
    for (of, is_engines) in [
        ("a text that the library keeps", true),
        ("what the program gave", false),
        ("a limit of the class", false),
        ("a default value", false),
        ("a text of a local variable", false),
        ("a text of a frame", false),
        ("a text that only the stack has", false),
        ("is shipped by now", false),
    ] {
        let row = row_of(&heap, of);
        assert_eq!(heap.objects.has(row, Flags::ENGINE), is_engines, "{of}");
        assert!(!heap.is_dead(row), "{of}");
    }
    assert!(!heap.objects.has(main, Flags::ENGINE));
    // What a class or a module is called, and what is written of it, is no data.
    let documented = row_of(&heap, "What a shop is.");
    assert_eq!(
        heap.referrers.of(documented).map(|(_, via)| via.kind()),
        Some(EdgeKind::Internal)
    );
    // An object of a library's class is not reshaped by the program.
    let scanner = heap
        .rows()
        .find(|&row| heap.kind(row) == Kind::Record && heap.type_name(row) == "json.scanner.Scanner");
    let scanner = scanner.unwrap();
    assert!(!heap.in_program(scanner) && !heap.objects.has(scanner, Flags::ENGINE));
}

#[test]
fn what_the_recorder_brought_is_its_own() {
    let Program { dump, .. } = program();
    let heap = read(&dump);
    let row = row_of(&heap, "a text of the recorder");
    assert!(heap.objects.has(row, Flags::RECORDER) && heap.is_runtime(row));
}

#[test]
fn garbage_in_rings_is_dead_and_in_no_sum() {
    let Program { dump, variables, .. } = program();
    let heap = read(&dump);
    let dead: Vec<ObjectId> = heap.rows().filter(|&row| heap.is_dead(row)).collect();
    let one = variables.iter().find(|(name, _)| *name == "(garbage)").unwrap().1;
    assert_eq!(dead, [one, one + 1, one + 2]);
    assert_eq!(heap.dead().objects, 3);
    assert_eq!(heap.dead().bytes, 64 + 64 + 32 + charge(41 + 21));
    assert!(dead.iter().all(|&row| heap.edges.count(row) == 0));
}

#[test]
fn a_reference_that_no_row_shows_keeps_a_ring() {
    let mut dump = Dump::new();
    let one = dump.list(&[], 0);
    let other = dump.list(&[one], 4);
    dump.rows[one as usize].elements.push(Some(other));
    let dead = |dump: &Dump| {
        let heap = read(&with_variables(dump.clone(), &[]));
        [one, other].map(|row| heap.is_dead(row))
    };
    assert_eq!(dead(&dump), [true, true]);
    let mut held = dump.clone();
    held.rows[other as usize].hidden_references = 1;
    assert_eq!(dead(&held), [false, false]);
    // So does one whose references nobody sees: it is held itself, and the count of what it holds shows it.
    let mut immortal = dump;
    immortal.rows[one as usize].flags |= SHARED;
    assert_eq!(dead(&immortal), [false, false]);
}

#[test]
fn an_object_holds_its_type() {
    let mut dump = Dump::new();
    let class = dump.class("__main__", "Order", &["id"], &[]);
    let id = dump.int(5000);
    let order = dump.instance(class, ONLY_SLOTS, 0, &[("id", id)]);
    let row = dump.type_row(class);
    let heap = read(&with_variables(dump, &[("order", order)]));
    assert!(!heap.is_dead(row));
    // Without the object the class is garbage: nothing refers to it but what it holds itself.
    let mut alone = Dump::new();
    let class = alone.class("__main__", "Order", &["id"], &[]);
    let row = alone.type_row(class);
    let function = alone.object("property", 64, &[row]);
    alone.rows[row as usize].others.push(function);
    let heap = read(&with_variables(alone, &[]));
    assert!(heap.is_dead(row) && heap.is_dead(function));
}

#[test]
fn equal_texts_are_one_text_and_others_are_others() {
    let mut dump = Dump::new();
    let texts = ["equal", "equal", "Equal", "", "", "id"].map(|text| dump.str(text));
    let halves = [&b"\xED\xA0\x80"[..], b"\xED\xA0\x81"].map(|raw| dump.str_of(raw, "\u{4e00}", false));
    let all = dump.list(&[&texts[..], &halves].concat(), 8);
    let id = dump.int(1);
    let class = dump.class("__main__", "Order", &["id"], &[]);
    let order = dump.instance(class, ONLY_SLOTS, 0, &[("id", id)]);
    let heap = read(&with_variables(dump, &[("all", all), ("order", order)]));
    let label = |row: u32| heap.objects.label[row as usize];
    assert_eq!(label(texts[0]), label(texts[1]));
    assert_ne!(label(texts[0]), label(texts[2]));
    assert_eq!(label(texts[3]), label(texts[4]));
    // Halves of pairs are shown as one character, but are not equal.
    assert_eq!(text(&heap, halves[0]), text(&heap, halves[1]));
    assert_ne!(label(halves[0]), label(halves[1]));
    // The name of an attribute is the text of a string that says it.
    let field = heap.edges.of(order).find_map(deadweight_heap::Edge::field);
    assert_eq!(field, Some(label(texts[5])));
}

#[test]
fn whole_numbers_beyond_64_bits_are_equal_to_none() {
    let Program { dump, .. } = program();
    let heap = read(&dump);
    let value = |wanted: Numeric| {
        heap.numbers
            .iter()
            .filter(move |number| number.value() == wanted)
            .count()
    };
    assert_eq!(value(Numeric::Unsigned(u64::MAX)), 1);
    assert_eq!(value(Numeric::Integer(-7)), 1);
    assert_eq!(value(Numeric::Unknown), 2);
}

#[test]
fn the_dictionary_of_an_object_is_a_piece_of_it_where_nothing_else_holds_it() {
    let Program {
        dump,
        variables,
        main,
        ..
    } = program();
    let heap = read(&dump);
    let row = |wanted: &str| variables.iter().find(|(name, _)| *name == wanted).unwrap().1;
    let copied = row("copied");
    let parts = heap.parts_of(copied);
    assert_eq!(parts.len(), 1);
    assert_eq!(
        heap.whole_bytes(copied),
        48 + charge(64) + charge(32 + 8 + 16 * 5)
    );
    let fields: Vec<String> = heap
        .edges
        .of(copied)
        .filter_map(deadweight_heap::Edge::field)
        .map(|name| heap.texts.get(name).into_owned())
        .collect();
    assert_eq!(fields, ["id", "status"]);
    // A dictionary that two hold is an object of its own.
    assert!(heap.parts_of(row("borg")).is_empty());
    assert_eq!(heap.kind(row("state")), Kind::Table);
    // That of a module is, though functions see it: what they see is the module.
    assert_eq!(heap.parts_of(main).len(), 1);
    let load = row("load");
    assert!(heap.edges.of(load).any(|edge| edge.to == main));
}

#[test]
fn a_split_dictionary_has_fixed_places_and_a_plain_one_is_a_hash_table() {
    let mut dump = Dump::new();
    let class = dump.class("__main__", "Order", &[], &[]);
    let mut records = Vec::new();
    for form in [SPLIT, TEXTS, ANY] {
        let (id, key) = (dump.int(1), dump.interned("id"));
        let dict = dump.dict(form, &[(key, id)]);
        records.push(dump.instance(class, OWN_DICT, 0, &[("__dict__", dict)]));
    }
    let empty = dump.instance(class, OWN_DICT, 0, &[]);
    records.push(empty);
    let all = dump.list(&records, 4);
    let heap = read(&with_variables(dump, &[("all", all)]));
    let facts = records.iter().map(|&row| {
        let record = heap.record(row).unwrap();
        (record.used, record.available, record.dictionary)
    });
    // Values have a place more than their class has names.
    assert_eq!(
        facts.collect::<Vec<_>>(),
        [(1, 4, 0), (1, UNKNOWN, 5), (1, UNKNOWN, 5), (0, 0, 0)]
    );
}

#[test]
fn slots_are_those_of_all_classes_below() {
    let mut dump = Dump::new();
    let base = dump.class("__main__", "Base", &["a", "__weakref__"], &[]);
    let class = dump.class("__main__", "Derived", &["b", "c"], &[]);
    dump.types[class as usize].base = Some(base);
    let one = dump.int(1);
    let partly = dump.instance(class, ONLY_SLOTS, 0, &[("a", one)]);
    // A ring of types ends.
    dump.types[base as usize].base = Some(class);
    let ringed = dump.clone();
    dump.types[base as usize].base = None;
    let heap = read(&with_variables(dump, &[("partly", partly)]));
    let record = heap.record(partly).unwrap();
    assert_eq!((record.used, record.available, record.shape), (1, 3, NONE));
    assert!(
        read(&with_variables(ringed, &[("partly", partly)]))
            .record(partly)
            .is_some()
    );
}

#[test]
fn views_share_the_bytes_on_which_they_look() {
    let Program { dump, variables, .. } = program();
    let heap = read(&dump);
    let row = |wanted: &str| variables.iter().find(|(name, _)| *name == wanted).unwrap().1;
    let views: Vec<ObjectId> = heap.edges.of(row("views")).map(|edge| edge.to).collect();
    let backing = heap.buffer(views[0]).unwrap().backing;
    assert_eq!(heap.buffer(views[1]).unwrap().backing, backing);
    assert_eq!(heap.bytes(backing), charge(2_000_033));
    let mut behind = heap.edges.of(views[0]).map(|edge| edge.to);
    let base = behind.find(|&row| heap.kind(row) == Kind::Buffer).unwrap();
    assert_eq!(
        (heap.bytes(base), heap.buffer(base).unwrap().backing),
        (0, backing)
    );
    let matrix = heap.buffer(row("matrix")).unwrap();
    assert_eq!(heap.bytes(matrix.backing), charge(8000));
    assert_eq!(heap.bytes(row("matrix")), charge(112));
    assert_eq!(heap.buffer(row("half_matrix")).unwrap().backing, matrix.backing);
    assert_eq!(matrix.elements, Representation::Integer(8));
    let pinned = weighed(&heap);
    let pinned = pinned
        .findings
        .iter()
        .find(|finding| finding.rule == "R01")
        .expect("two views pin");
    assert_eq!(pinned.saves, charge(2_000_033) - charge(100) - charge(200));
}

#[test]
fn rules_find_what_is_wasted() {
    let Program { dump, .. } = program();
    let weighing = weighed(&read(&dump));
    let found: Vec<String> = weighing
        .findings
        .iter()
        .map(|finding| format!("{} {} count {}", finding.rule, finding.holder, finding.count))
        .collect();
    for expected in [
        "L02 __main__.rows[] count 40",
        "D01 {city, amount, +1}.city count 39",
        "D01 __main__.Order.status count 20",
        "D01 __main__.cities[] count 19",
        "D01 __main__.Shop.limits[] count 19",
        "E01 __main__.zeros count 1",
    ] {
        assert!(
            found.iter().any(|found| found == expected),
            "{expected}: {found:#?}"
        );
    }
    let of_library = found.iter().filter(|found| found.contains("json"));
    assert_eq!(of_library.count(), 0, "{found:?}");
}

#[test]
fn dictionaries_with_keys_of_their_own_are_tables() {
    let mut dump = Dump::new();
    let mut all = Vec::new();
    for at in 0..20 {
        let (one, two) = (dump.int(at), dump.int(at + 100));
        let keys = [format!("key {at}"), format!("other {at}")].map(|key| dump.str(&key));
        all.push(dump.dict(TEXTS, &[(keys[0], one), (keys[1], two)]));
    }
    // Fifteen that are alike are no pattern, nor are those with one key, or with numbers for keys.
    for _ in 0..15 {
        let one = dump.int(1);
        all.push(dump.dict_of(&[("a", one), ("b", one)]));
    }
    for _ in 0..20 {
        let one = dump.int(1);
        all.push(dump.dict_of(&[("single", one)]));
        all.push(dump.dict(ANY, &[(one, one), (one, one)]));
    }
    let list = dump.list(&all, all.len() as u64);
    let heap = read(&with_variables(dump, &[("all", list)]));
    assert!(all.iter().all(|&row| heap.kind(row) == Kind::Table));
}

#[test]
fn a_class_that_is_based_on_a_dictionary_stays_one() {
    let mut dump = Dump::new();
    let class = dump.class("__main__", "Row", &[], &[]);
    let mut all = Vec::new();
    for at in 0..20 {
        let (one, note) = (dump.int(at), dump.str("a note"));
        let row = dump.dict_of(&[("a", one), ("b", one)]);
        let own = dump.dict_of(&[("note", note)]);
        let name = dump.name("__dict__");
        let row_of = &mut dump.rows[row as usize];
        row_of.ty = class;
        row_of.attributes.push((name, own));
        all.push(row);
    }
    let list = dump.list(&all, 20);
    let heap = read(&with_variables(dump, &[("all", list)]));
    assert!(all.iter().all(|&row| heap.kind(row) == Kind::Table));
    assert_eq!(holder(&heap, row_of(&heap, "a note")), "__main__.Row.note");
    assert_eq!(
        heap.whole_bytes(all[0]),
        2 * (charge(64) + charge(32 + 8 + 16 * 5))
    );
}

#[test]
fn what_a_thread_of_the_library_has_of_the_program_is_the_programs() {
    let mut dump = Dump::new();
    let class = dump.class("threading", "Thread", &[], &[]);
    let given = dump.str("what a thread was given");
    let arguments = dump.tuple(&[given]);
    let thread = dump.instance(class, BLOCK, 1, &[("_args", arguments)]);
    let active = dump.list(&[thread], 1);
    let row = dump.type_row(class);
    let file = "/usr/lib/python3.12/threading.py";
    let library = dump.module("threading", Some(file), &[("_active", active), ("Thread", row)]);
    dump.held_by_interpreter(library);
    let of = |dump: &Dump| {
        let heap = read(&with_variables(dump.clone(), &[]));
        heap.objects.has(given, Flags::ENGINE)
    };
    assert!(of(&dump));
    dump.local("run", "self", thread);
    assert!(!of(&dump));
}

#[test]
fn a_wrapper_that_a_library_made_of_a_function_holds_what_it_captured() {
    let mut dump = Dump::new();
    let cached = dump.str("an answer that is kept");
    let cell = dump.object("cell", 40, &[cached]);
    let closure = dump.tuple(&[cell]);
    let names = dump.dict_of(&[]);
    let file = "/srv/env/site-packages/cachetools/__init__.py";
    let library = dump.module_around("cachetools", Some(file), names);
    dump.held_by_interpreter(library);
    let wrapper = dump.function("wrapper", file, names, &[("__closure__", closure)]);
    let heap = read(&with_variables(dump, &[("answer", wrapper)]));
    assert!(!heap.objects.has(cached, Flags::ENGINE));
    assert!(heap.objects.has(library, Flags::ENGINE));
}

/// Where in a file the error is, and what was expected.
fn error_of(bytes: &[u8]) -> String {
    match try_read(bytes) {
        Ok(_) => panic!("a broken dump was read"),
        Err(error) => error,
    }
}

#[test]
fn a_dump_that_was_cut_off_is_refused_wherever_it_was() {
    let Program { dump, .. } = program();
    let file = dump.file();
    for end in (8..file.len()).step_by(211).chain(file.len() - 300..file.len()) {
        let error = error_of(&file[..end]);
        assert!(
            error.contains("at byte ") && error.contains("expected "),
            "cut at {end}: {error}"
        );
    }
    let error = error_of(&file[..file.len() - 1]);
    assert!(error.contains("DWPYDONE") && error.contains("cut off"), "{error}");
}

#[test]
fn indices_that_lead_nowhere_are_found_where_they_stand() {
    let mut small = Dump::new();
    let one = small.int(1);
    small.list(&[one], 4);
    let whole = small.file();
    assert!(try_read(&whole).is_ok());
    // The second row: list, flags, type, references, two blocks, room, attributes, elements.
    let first = 16 + 2 + 2 + 1 + 2 + 3 + 4;
    let second = &whole[first..];
    assert_eq!(second[..4], [sort::LIST, 0, 1, 0]);
    let patched = |at: usize, to: u8| {
        let mut broken = whole.clone();
        broken[at] = to;
        error_of(&broken)
    };
    for (at, to, expected) in [
        (first, 23, "the sort of a row, below 23, found 23"),
        (first + 2, 9, "the number of a type, below 2, found 9"),
        (first + 12, 3, "the number of a row, below 3, found 3"),
    ] {
        let error = patched(at, to);
        assert!(
            error.contains(&format!("at byte {at}: expected {expected}")),
            "{error}"
        );
    }
    let error = patched(8, 2);
    assert!(
        error.contains("at byte 8: expected version 1 of the format, found version 2"),
        "{error}"
    );
}

#[test]
fn every_byte_may_be_wrong() {
    let mut dump = Dump::new();
    let name = dump.str("a name");
    let class = dump.class("__main__", "Order", &["id"], &[]);
    let order = dump.instance(class, ONLY_SLOTS, 0, &[("id", name)]);
    let bytes = dump.bytes(100, 10, 3, true);
    let view = dump.view(bytes, 10);
    let file = with_variables(dump, &[("order", order), ("view", view)]).file();
    for at in 0..file.len() {
        for change in [0x01, 0x55, 0x80, 0xFF] {
            let mut broken = file.clone();
            broken[at] ^= change;
            if let Ok(heap) = try_read(&broken) {
                let held = weighed(&heap).held;
                assert_eq!(
                    held.content + held.runtime + held.dead,
                    held.bytes,
                    "byte {at} ^ {change}"
                );
            }
        }
    }
}

#[test]
fn sums_that_no_memory_holds_do_not_overflow() {
    let mut dump = Dump::new();
    let one = dump.int(1);
    dump.rows[one as usize].blocks = Vec::new();
    let huge = dump.list(&[one], 4);
    let mut payload = Vec::new();
    varint(u64::MAX, &mut payload);
    dump.rows[huge as usize].payload = payload;
    dump.rows[huge as usize].blocks = vec![5 << 32, 1];
    let heap = read(&with_variables(dump, &[("huge", huge)]));
    assert_eq!(heap.bytes(huge), charge(5 << 32) + 16);
    assert_eq!(heap.array(huge).unwrap().capacity, UNKNOWN - 1);
}

/// Writes what the fuzz target begins with: `cargo test -p deadweight-formats --test python -- --ignored`.
#[test]
#[ignore = "writes files of the repository"]
fn seeds_of_the_fuzz_target() {
    let seeds = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds/python");
    std::fs::create_dir_all(&seeds).unwrap();
    std::fs::write(seeds.join("shop.dwpython"), program().dump.file()).unwrap();
    let mut small = Dump::new();
    let one = small.int(1);
    let list = small.list(&[one], 4);
    let small = with_variables(small, &[("list", list)]);
    std::fs::write(seeds.join("small.dwpython"), small.file()).unwrap();
}

/// The committed file is what the writer writes.
#[test]
fn the_seed_is_the_program() {
    let seed = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds/python/shop.dwpython");
    assert!(std::fs::read(seed).unwrap() == program().dump.file());
}

#[test]
fn tuples_of_a_class_with_names_are_records() {
    let mut dump = Dump::new();
    let names = ["name", "city"].map(|name| dump.interned(name));
    let names = dump.tuple(&names);
    let class = dump.class("__main__", "Customer", &[], &[("_fields", names)]);
    let derived = dump.class("__main__", "Guest", &[], &[]);
    dump.types[derived as usize].base = Some(class);
    let mut all = Vec::new();
    for ty in [class, derived, class] {
        let values = ["a customer", "Rotterdam"].map(|text| dump.str(text));
        let row = dump.tuple(&values);
        dump.rows[row as usize].ty = ty;
        all.push(row);
    }
    // One that is longer than its names is a tuple like any other.
    dump.rows[all[2] as usize].elements.push(None);
    let list = dump.list(&all, 3);
    let rows = [dump.type_row(class), dump.type_row(derived)];
    let heap = read(&with_variables(
        dump,
        &[("all", list), ("Customer", rows[0]), ("Guest", rows[1])],
    ));
    let holders =
        |row: u32| -> Vec<String> { heap.edges.of(row).map(|edge| holder(&heap, edge.to)).collect() };
    assert_eq!(
        holders(all[0]),
        ["__main__.Customer.name", "__main__.Customer.city"]
    );
    assert_eq!(holders(all[1]), ["__main__.Guest.name", "__main__.Guest.city"]);
    assert_eq!(holders(all[2]), ["__main__.all[][]", "__main__.all[][]"]);
    let record = heap.record(all[0]).unwrap();
    assert_eq!((record.used, record.available, record.dictionary), (2, 2, 0));
    assert!(heap.array(all[0]).is_none() && heap.array(all[2]).is_some());
}

#[test]
fn what_the_recorders_frames_hold_is_its_own() {
    let mut dump = Dump::new();
    let text = dump.str("a variable of the recorder");
    dump.roots.push((2, None, None, text));
    let heap = read(&with_variables(dump, &[]));
    assert!(heap.objects.has(text, Flags::RECORDER) && !heap.is_dead(text));
}

#[test]
fn keys_that_stand_elsewhere_are_not_held_by_the_dictionary() {
    let mut dump = Dump::new();
    let (key, value) = (dump.str("a key"), dump.int(5000));
    let dict = dump.dict(SPLIT, &[(key, value)]);
    let class = dump.class("__main__", "Order", &[], &[]);
    let order = dump.instance(class, OWN_DICT, 0, &[("__dict__", dict)]);
    // One more than is shown: something else holds the key, and it lives without the object, too.
    dump.rows[key as usize].hidden_references = 1;
    let ring = dump.list(&[order], 1);
    dump.rows[order as usize].others.push(ring);
    let heap = read(&with_variables(dump, &[]));
    assert!(heap.is_dead(order) && heap.is_dead(value) && !heap.is_dead(key));
}
