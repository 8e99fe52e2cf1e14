//! Whatever a dump of Ruby and what the recorder wrote beside it say of each other: one error or a heap whose books
//! balance, never a panic, a hang or unbounded memory.

use std::fmt::Write as _;
use std::io::Write as _;

use deadweight_formats::{Sidecar, open};
use deadweight_rules::{Options, weigh};
use deadweight_sidecar::RubyContents;
use deadweight_weighing::Source;
use proptest::prelude::*;
use proptest::sample::select;

/// Addresses of rows, of which some dumps have each several times or not at all.
fn address() -> impl Strategy<Value = u64> {
    (0..40_u64).prop_map(|at| 0x7000 + at * 40)
}

/// A row with any of the keys that dumps have, whether its type has them or not.
fn row() -> impl Strategy<Value = String> {
    const TYPES: [&str; 20] = [
        "OBJECT", "STRUCT", "STRING", "STRING", "ARRAY", "HASH", "HASH", "FLOAT", "BIGNUM", "SYMBOL",
        "REGEXP", "MATCH", "FILE", "CLASS", "MODULE", "ICLASS", "DATA", "IMEMO", "SHAPE", "RATIONAL",
    ];
    const NUMBERS: [u64; 9] = [0, 1, 2, 3, 8, 16, 40, 5 << 32, u64::MAX];
    let number =
        |name: &'static str| select(NUMBERS.to_vec()).prop_map(move |value| format!("\"{name}\":{value}"));
    let at = |name: &'static str| address().prop_map(move |at| format!("\"{name}\":\"0x{at:x}\""));
    let one_of = |name: &'static str, words: &[&'static str]| {
        select(words.to_vec()).prop_map(move |word| format!("\"{name}\":{word}"))
    };
    let key = prop_oneof![
        number("length"),
        number("size"),
        number("ivars"),
        number("bytesize"),
        number("slot_size"),
        number("capacity"),
        number("id"),
        number("parent_id"),
        number("shape_id"),
        number("line"),
        at("default"),
        at("superclass"),
        one_of("embedded", &["true", "false"]),
        one_of("shared", &["true"]),
        one_of("fstring", &["true"]),
        one_of("singleton", &["true"]),
        one_of("too_complex_shape", &["true"]),
        one_of("name", &["\"String\"", "\"Hash\"", "\"Point\"", "\"Object\""]),
        one_of("struct", &["\"proc\"", "\"time\"", "\"iseq\""]),
        one_of("imemo_type", &["\"env\"", "\"ment\"", "\"iseq\""]),
        one_of("value", &["\"a text\"", "\"1.5\"", "\"a\\\"b\\u00e9\""]),
        one_of("edge_name", &["\"@a\"", "\"@b\""]),
        one_of("file", &["\"/srv/app.rb\", \"line\":3"]),
        one_of("encoding", &["\"UTF-8\""]),
    ];
    (
        address(),
        select(TYPES.to_vec()),
        address(),
        prop::collection::vec(key, 0..6),
        prop::collection::vec(address(), 0..5),
        select(vec![0_u64, 40, 80, 160, 640, 5 << 32]),
    )
        .prop_map(|(address, tag, class, keys, references, memsize)| {
            let mut row =
                format!("{{\"address\":\"0x{address:x}\", \"type\":\"{tag}\", \"class\":\"0x{class:x}\"");
            for key in keys {
                write!(row, ", {key}").unwrap();
            }
            write!(
                row,
                ", \"references\":{}, \"memsize\":{memsize}}}",
                listed(&references)
            )
            .unwrap();
            row
        })
}

fn listed(addresses: &[u64]) -> String {
    let words: Vec<String> = addresses.iter().map(|at| format!("\"0x{at:x}\"")).collect();
    format!("[{}]", words.join(", "))
}

/// A dump: a few roots, and arrays of rows that are alike, as programs have them.
fn dump() -> impl Strategy<Value = String> {
    let roots = prop::collection::vec(address(), 0..6);
    let rows = prop::collection::vec((row(), 1..60_u64), 1..20);
    (roots, rows).prop_map(|(mut roots, groups)| {
        let mut text = String::new();
        for (row, times) in groups {
            let like = |turn: u64| row.replacen("\"0x", &format!("\"0x{turn:x}"), 1);
            let address = |row: &str| u64::from_str_radix(&row[14..row.find("\", ").unwrap()], 16).unwrap();
            let rows: Vec<String> = (1..=times).map(like).chain([row.clone()]).collect();
            let held: Vec<u64> = rows.iter().map(|row| address(row)).collect();
            let array = 0x1_0000_0000 + text.len() as u64 * 8;
            writeln!(
                text,
                "{{\"address\":\"0x{array:x}\", \"type\":\"ARRAY\", \"length\":{}, \"references\":{}, \"memsize\":40}}",
                held.len(),
                listed(&held)
            )
            .unwrap();
            roots.push(array);
            for row in rows {
                writeln!(text, "{row}").unwrap();
            }
        }
        let roots = listed(&roots);
        writeln!(text, "{{\"type\":\"ROOT\", \"root\":\"global_tbl\", \"references\":{roots}}}").unwrap();
        text
    })
}

/// What a recorder wrote of a dump, or of another one.
fn facts() -> impl Strategy<Value = RubyContents> {
    let name = select(vec!["@a", "@b", "x", "y", "name", ""]).prop_map(str::to_owned);
    let group = prop::collection::vec(name, 0..5);
    let word = || prop_oneof![address(), address(), 0..20_u64, Just(u64::MAX), Just(1 << 63)];
    let strings = (address(), select(vec![0, 3, 5 << 32]), 0..3_u64);
    (
        prop::collection::vec(group, 0..4),
        prop::collection::vec((word(), 0..5_u64, prop::collection::vec(word(), 0..5)), 0..30),
        prop::collection::vec(strings, 0..10),
        prop::collection::vec((0..3_u64, Just("an excerpt".to_owned())), 0..3),
        prop::collection::vec(address(), 0..5),
    )
        .prop_map(|(groups, records, strings, excerpts, before)| {
            let mut fields = Vec::new();
            for (owner, group, mut values) in records {
                // Most records are whole.
                if let Some(group) = groups.get(group as usize)
                    && owner % 3 > 0
                {
                    values.resize(group.len(), owner);
                }
                fields.extend([owner, group]);
                fields.extend(values);
            }
            RubyContents {
                groups,
                fields,
                strings: strings.into_iter().flat_map(<[u64; 3]>::from).collect(),
                excerpts,
                before,
                classes: Vec::new(),
            }
        })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_dump_and_no_record_beside_it_breaks_the_reader_or_a_rule(text in dump(), facts in prop::option::of(facts())) {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(text.as_bytes()).unwrap();
        let sidecar = Sidecar { ruby: facts, ..Sidecar::default() };
        if let Ok(dump) = open(file.path(), &sidecar) {
            let source = Source { path: String::new(), bytes: 0, format: String::new() };
            let held = weigh(&dump.heap, source, &Options::all()).held;
            prop_assert_eq!(held.content + held.runtime + held.dead, held.bytes);
        }
    }
}
