//! Dumps of Python, as tests make them: each sort of row, its charge, its name, its text.

mod broken;
mod containers;
mod data_frames;
mod made;
#[path = "../python_crafted/mod.rs"]
mod python_crafted;
mod whose;

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
    assert_eq!(totals.heap_used, Some(in_pools + sum(&large) - heap.dead().bytes));
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
fn whole_numbers_beyond_64_bits_have_a_digest() {
    let Program { dump, .. } = program();
    let heap = read(&dump);
    let values = || heap.numbers.iter().map(deadweight_heap::Number::value);
    let value = |wanted: Numeric| values().filter(|value| *value == wanted).count();
    assert_eq!(value(Numeric::Unsigned(u64::MAX)), 1);
    assert_eq!(value(Numeric::Integer(-7)), 1);
    assert_eq!(
        values()
            .filter(|value| matches!(value, Numeric::Beyond(_)))
            .count(),
        2
    );
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
    std::fs::write(seeds.join("made.dwpython"), made::dump().file()).unwrap();
}

/// The committed file is what the writer writes.
#[test]
fn the_seed_is_the_program() {
    let seed = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds/python/shop.dwpython");
    assert!(std::fs::read(seed).unwrap() == program().dump.file());
}
