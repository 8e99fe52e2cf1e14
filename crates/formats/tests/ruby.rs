//! What the reader makes of one of everything, on several versions of Ruby. `fixtures/ruby.rb` made the dumps.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use deadweight_formats::{Dump, ReadError, Sidecar, open};
use deadweight_heap::{EdgeKind, Heap, Holders, Kind, ObjectId, StringForm, UNKNOWN};
use deadweight_sidecar::RubyContents;

const VERSIONS: [&str; 3] = ["3.1", "3.3", "3.4"];

fn fixture(version: &str) -> PathBuf {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    fixtures.join(format!("ruby-{version}.ndjson.gz"))
}

fn unpacked(version: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let file = std::fs::File::open(fixture(version)).unwrap();
    std::io::copy(&mut flate2::read::GzDecoder::new(file), &mut bytes).unwrap();
    bytes
}

fn read(bytes: &[u8], sidecar: &Sidecar) -> Result<Dump, ReadError> {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(bytes).unwrap();
    open(file.path(), sidecar)
}

/// A line for each object that the program's one object reaches, in the order of the way to it.
fn lines(heap: &Heap) -> String {
    let holder = heap
        .records
        .iter()
        .find(|record| heap.type_name(record.object) == "Holder");
    let mut next = vec![(holder.expect("the holder").object, "holder".to_owned())];
    let mut seen = vec![false; heap.rows().len()];
    let holders = Holders::new(heap);
    let mut out = Vec::new();
    while let Some((id, way)) = next.pop() {
        if std::mem::replace(&mut seen[id as usize], true) || way.len() > 60 {
            continue;
        }
        let of = holders.of(id);
        out.push(format!("{way}: {} at {}", line(heap, id), holders.name(of)));
        let program =
            |id: ObjectId| heap.in_program(id) && !matches!(heap.kind(id), Kind::Closure | Kind::Scope);
        for edge in heap
            .edges
            .of(id)
            .filter(|edge| program(edge.to) || heap.owner(edge.to) == id)
        {
            if edge.via.kind() == EdgeKind::Element && edge.via.name() > 2 {
                continue;
            }
            let step = match edge.via.kind() {
                EdgeKind::Field | EdgeKind::Variable => format!(".{}", heap.texts.get(edge.via.name())),
                EdgeKind::Element => format!("[{}]", edge.via.name()),
                EdgeKind::Key => format!("{{key {}}}", edge.via.name()),
                EdgeKind::Value => format!("{{{}}}", edge.via.name()),
                EdgeKind::Internal | EdgeKind::Weak => ".(inside)".to_owned(),
            };
            next.push((edge.to, format!("{way}{step}")));
        }
    }
    out.sort();
    out.join("\n")
}

fn line(heap: &Heap, id: ObjectId) -> String {
    let mut line = format!(
        "{:?} {} {} bytes",
        heap.kind(id),
        heap.type_name(id),
        heap.bytes(id)
    );
    let number = |value: u32| {
        if value == UNKNOWN {
            "?".to_owned()
        } else {
            value.to_string()
        }
    };
    let mut fact = |text: String| {
        let _ = write!(line, ", {text}");
    };
    if let Some(record) = heap.record(id) {
        fact(format!(
            "{} of {} fields",
            number(record.used),
            number(record.available)
        ));
    }
    if let Some(array) = heap.array(id) {
        fact(format!(
            "{} of {} slots",
            number(array.used),
            number(array.capacity)
        ));
    }
    if let Some(table) = heap.table(id) {
        fact(format!(
            "{} of {} entries",
            number(table.used),
            number(table.capacity)
        ));
    }
    if let Some(number) = heap.number(id) {
        fact(format!("{}", number.value()));
    }
    if heap.kind(id) == Kind::String {
        let text = heap.texts.shown(heap.objects.label[id as usize], 30);
        fact(format!("{:?} {text:?}", heap.string_form(id)));
    }
    if let Some(site) = heap.sites.of(id) {
        fact(format!("born at {}", site.location));
    }
    line
}

#[test]
fn one_of_everything() {
    for version in VERSIONS {
        let heap = open(&fixture(version), &Sidecar::default()).unwrap().heap;
        insta::with_settings!({snapshot_suffix => version}, {
            insta::assert_snapshot!(lines(&heap));
        });
    }
}

/// What the interpreter charges, summed row by row, is what the reader starts from; the allocator's rounding comes on
/// top, less than a third of it.
#[test]
fn the_sum_is_what_ruby_charges_and_the_rounding_of_the_allocator() {
    for version in VERSIONS {
        let text = String::from_utf8_lossy(&unpacked(version)).into_owned();
        let charged: u64 = text
            .lines()
            .filter_map(|line| {
                line.rsplit_once("\"memsize\":")?
                    .1
                    .split([',', '}'])
                    .next()?
                    .parse::<u64>()
                    .ok()
            })
            .sum();
        let held = open(&fixture(version), &Sidecar::default())
            .unwrap()
            .heap
            .held_bytes();
        assert!(
            held >= charged && held < charged * 4 / 3,
            "Ruby {version}: {held} of {charged}"
        );
    }
}

/// Names and values that the recorder wrote come before what the dump lets one guess.
#[test]
fn the_recorders_names_are_taken() {
    let text = concat!(
        r#"{"type":"ROOT", "root":"global_tbl", "references":["0x1000"]}"#,
        "\n",
        r#"{"address":"0x1000", "type":"OBJECT", "class":"0x2000", "ivars":3, "references":["0x3000"], "memsize":40}"#,
        "\n",
        r#"{"address":"0x2000", "type":"CLASS", "name":"Thing", "memsize":500}"#,
        "\n",
        r#"{"address":"0x3000", "type":"STRING", "class":"0x4000", "bytesize":7, "encoding":"UTF-8", "memsize":40}"#,
        "\n",
        r#"{"address":"0x4000", "type":"CLASS", "name":"String", "memsize":500}"#,
        "\n",
    );
    let group = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    let sidecar = Sidecar {
        ruby: Some(RubyContents {
            groups: vec![group(&["@count", "@name", "@none"]), group(&["$thing"])],
            fields: vec![0x1000, 0, 85, 0x3000, 8, 1, 1, 0x1000],
            strings: vec![0x3000, 7, 99],
            excerpts: vec![(99, "h\u{e9}llo".to_owned())],
            before: Vec::new(),
            classes: Vec::new(),
        }),
        ..Sidecar::default()
    };
    let heap = read(text.as_bytes(), &sidecar).unwrap().heap;
    let fields: Vec<_> = heap
        .edges
        .of(1)
        .map(|edge| (heap.texts.get(edge.via.name()).into_owned(), line(&heap, edge.to)))
        .collect();
    let fields: Vec<_> = fields
        .iter()
        .map(|(name, what)| (name.as_str(), what.as_str()))
        .collect();
    assert_eq!(
        fields,
        [
            ("@count", "Number number 0 bytes, 42"),
            ("@name", "String string 40 bytes, Some(Flat) \"h\u{e9}llo\""),
            ("@none", "Runtime nil 0 bytes"),
        ]
    );
    let holders = Holders::new(&heap);
    let (thing, name) = (holders.of(1), holders.of(3));
    assert_eq!(
        (holders.name(thing), holders.name(name)),
        ("$thing".into(), "Thing.@name".into())
    );
}

/// Where a class is written the recorder says, and where an object was made the dump; of the interpreter's own files
/// nobody changes a line.
#[test]
fn classes_and_objects_say_their_lines() {
    let text = concat!(
        r#"{"type":"ROOT", "root":"vm", "references":["0x1000", "0x3000"]}"#,
        "\n",
        r#"{"address":"0x1000", "type":"OBJECT", "class":"0x2000", "ivars":3, "file":"/srv/app/lib/shop.rb", "line":12, "memsize":40}"#,
        "\n",
        r#"{"address":"0x2000", "type":"CLASS", "name":"Thing", "memsize":500}"#,
        "\n",
        r#"{"address":"0x3000", "type":"OBJECT", "class":"0x4000", "ivars":3, "file":"/usr/lib/ruby/3.1.0/set.rb", "line":7, "memsize":40}"#,
        "\n",
        r#"{"address":"0x4000", "type":"CLASS", "name":"Other", "memsize":500}"#,
        "\n",
    );
    let class = |name: &str, file: &str, line| (name.to_owned(), file.to_owned(), line);
    let sidecar = Sidecar {
        root: "/srv/app".to_owned(),
        ruby: Some(RubyContents {
            classes: vec![
                class("Thing", "/srv/app/lib/thing.rb", 3),
                class("Other", "/usr/lib/ruby/3.1.0/set.rb", 1),
                class("Nobody", "/srv/app/lib/nobody.rb", 1),
            ],
            ..RubyContents::default()
        }),
        ..Sidecar::default()
    };
    let heap = read(text.as_bytes(), &sidecar).unwrap().heap;
    let class_of = |row: u32| heap.lines.class(heap.objects.label[row as usize]);
    let written = class_of(1).map(|line| (line.file.as_str(), line.line, line.name.as_str()));
    assert_eq!((written, class_of(3)), (Some(("lib/thing.rb", 3, "Thing")), None));
    let made = |row: u32| heap.allocated_on(row).and_then(|line| heap.lines.get(line));
    let place = made(1).map(|line| (line.file.as_str(), line.line));
    assert_eq!((place, made(3)), (Some(("lib/shop.rb", 12)), None));
}

/// A set is an object around a hash; a hash that something else refers to as well is a hash of its own.
#[test]
fn a_set_is_one_table_with_its_hash() {
    let mut text = concat!(
        r#"{"type":"ROOT", "root":"global_tbl", "references":["0x1000", "0x1100", "0x5100"]}"#,
        "\n",
        r#"{"address":"0x2000", "type":"CLASS", "name":"Set", "memsize":500}"#,
        "\n",
        r#"{"address":"0x2100", "type":"CLASS", "name":"Hash", "memsize":500}"#,
        "\n",
    )
    .to_owned();
    for (set, hash) in [("0x1000", "0x5000"), ("0x1100", "0x5100")] {
        let rows = [
            format!(
                r#"{{"address":"{set}", "type":"OBJECT", "class":"0x2000", "ivars":3, "references":["{hash}"], "memsize":40}}"#
            ),
            format!(r#"{{"address":"{hash}", "type":"HASH", "class":"0x2100", "size":2, "memsize":168}}"#),
        ];
        text.push_str(&rows.join("\n"));
        text.push('\n');
    }
    let heap = read(text.as_bytes(), &Sidecar::default()).unwrap().heap;
    let [set, hash, other, shared] = [3, 4, 5, 6];
    let kinds = [set, hash, other, shared].map(|id| heap.kind(id));
    assert_eq!(kinds, [Kind::Table, Kind::Runtime, Kind::Record, Kind::Table]);
    assert_eq!((heap.owner(hash), heap.owner(shared)), (set, shared));
    assert_eq!(heap.whole_bytes(set), heap.bytes(set) + heap.bytes(hash));
    let table = heap.table(set).unwrap();
    assert_eq!(
        (table.set, table.used, table.capacity, table.store),
        (true, 2, 8, hash)
    );
    assert!(!heap.table(shared).unwrap().set);
    let kinds = |id| heap.edges.of(id).map(|edge| edge.via.kind()).collect::<Vec<_>>();
    assert_eq!(
        (kinds(set), kinds(other)),
        (vec![EdgeKind::Internal], vec![EdgeKind::Variable])
    );
}

/// What a class that extends Hash is known by.
#[test]
fn classes_that_extend_hash_are_known() {
    let text = concat!(
        r#"{"address":"0x2000", "type":"CLASS", "name":"Hash", "memsize":500}"#,
        "\n",
        r#"{"address":"0x2100", "type":"CLASS", "name":"Attributes", "superclass":"0x2000", "memsize":500}"#,
        "\n",
        r#"{"address":"0x1000", "type":"HASH", "class":"0x2000", "size":1, "memsize":168}"#,
        "\n",
        r#"{"address":"0x1100", "type":"HASH", "class":"0x2100", "size":1, "memsize":168}"#,
        "\n",
    );
    let heap = read(text.as_bytes(), &Sidecar::default()).unwrap().heap;
    let extends = |id: usize| heap.types.of_library(heap.objects.label[id]).map(|of| of.whole);
    assert_eq!([2, 3].map(extends), [None, Some(false)]);
}

/// An open table with less room than a list has when it becomes one was never a list, and cannot be smaller.
#[test]
fn a_small_open_table_has_no_room_to_give_back() {
    let class = r#"{"address":"0x2000", "type":"CLASS", "name":"Hash", "memsize":500}"#.to_owned();
    // By identity of four and of eight entries, one of sixteen that grew and one made as a whole, and a list.
    let hashes = [(3, 192), (5, 288), (9, 480), (9, 512), (3, 168)].map(|(size, memsize)| {
        format!(
            r#"{{"address":"0x{size}{memsize}00", "type":"HASH", "class":"0x2000", "size":{size}, "memsize":{memsize}}}"#
        )
    });
    let text = format!("{class}\n{}\n", hashes.join("\n"));
    let heap = read(text.as_bytes(), &Sidecar::default()).unwrap().heap;
    let rooms: Vec<_> = (1..6)
        .filter_map(|id| heap.table(id))
        .map(|table| (table.used, table.capacity))
        .collect();
    assert_eq!(rooms, [(3, 3), (5, 5), (9, 16), (9, 16), (3, 8)]);
    // Three blocks each, of 56, 384 and 32 bytes, as the allocator charges them.
    assert_eq!(heap.bytes(4) - heap.bytes(3), 48);
}

/// Hashes of which the recorder wrote keys and values are records; one that got an entry since is a table.
#[test]
fn hashes_with_the_same_keys_are_records() {
    let text = concat!(
        r#"{"address":"0x2000", "type":"CLASS", "name":"Hash", "memsize":500}"#,
        "\n",
        r#"{"address":"0x1000", "type":"HASH", "class":"0x2000", "size":2, "references":["0x3000"], "memsize":168}"#,
        "\n",
        r#"{"address":"0x1100", "type":"HASH", "class":"0x2000", "size":3, "references":["0x3000"], "memsize":168}"#,
        "\n",
        r#"{"address":"0x3000", "type":"STRING", "class":"0x4000", "bytesize":4, "value":"here", "embedded":true, "memsize":40}"#,
        "\n",
    );
    let fields = [0x1000, 0x1100].map(|address| [address, 0, 0x3000, 15]);
    let sidecar = Sidecar {
        ruby: Some(RubyContents {
            groups: vec![vec!["place".to_owned(), "floor".to_owned()]],
            fields: fields.concat(),
            strings: Vec::new(),
            excerpts: Vec::new(),
            before: Vec::new(),
            classes: Vec::new(),
        }),
        ..Sidecar::default()
    };
    let heap = read(text.as_bytes(), &sidecar).unwrap().heap;
    assert_eq!(heap.type_name(1), "{place, floor}");
    let record = heap.record(1).unwrap();
    assert_eq!((record.used, record.dictionary), (2, 8));
    let fields = heap.edges.of(1);
    let fields: Vec<_> = fields
        .filter_map(|edge| Some((heap.texts.get(edge.field()?).into_owned(), heap.kind(edge.to))))
        .collect();
    let expected = [("place", Kind::String), ("floor", Kind::Number)];
    assert_eq!(fields, expected.map(|(name, kind)| (name.to_owned(), kind)));
    assert_eq!(heap.table(2).map(|table| table.used), Some(3));
}

/// A string that shares all of another's characters, of which the recorder saw none: its own text stays.
#[test]
fn a_text_is_known_though_its_root_was_not_seen() {
    let text = concat!(
        r#"{"address":"0x1000", "type":"STRING", "class":"0x4000", "shared":true, "references":["0x3000"], "memsize":40}"#,
        "\n",
        r#"{"address":"0x3000", "type":"STRING", "class":"0x4000", "bytesize":32, "memsize":73}"#,
        "\n",
        r#"{"address":"0x4000", "type":"CLASS", "name":"String", "memsize":500}"#,
        "\n",
    );
    let sidecar = Sidecar {
        ruby: Some(RubyContents {
            groups: Vec::new(),
            fields: Vec::new(),
            strings: vec![0x1000, 32, 99],
            excerpts: vec![(99, "32 bytes".to_owned())],
            before: Vec::new(),
            classes: Vec::new(),
        }),
        ..Sidecar::default()
    };
    let heap = read(text.as_bytes(), &sidecar).unwrap().heap;
    assert_eq!(line(&heap, 0), "String string 40 bytes, Some(Flat) \"32 bytes\"");
}

/// Of a part of another string the dump has no text. It is known to be one that the dump shows by the recorder's hash.
#[test]
fn a_part_of_a_string_has_the_text_of_its_equals() {
    let text = concat!(
        r#"{"address":"0x1000", "type":"STRING", "class":"0x4000", "shared":true, "references":["0x3000"], "memsize":40}"#,
        "\n",
        r#"{"address":"0x2000", "type":"STRING", "class":"0x4000", "bytesize":24, "value":"all of twenty-four bytes", "memsize":65}"#,
        "\n",
        r#"{"address":"0x3000", "type":"STRING", "class":"0x4000", "bytesize":32, "value":"this is all of twenty-four bytes", "memsize":73}"#,
        "\n",
        r#"{"address":"0x4000", "type":"CLASS", "name":"String", "memsize":500}"#,
        "\n",
    );
    let with = |strings: &[u64]| {
        let ruby = RubyContents {
            strings: strings.to_vec(),
            ..RubyContents::default()
        };
        let sidecar = Sidecar {
            ruby: Some(ruby),
            ..Sidecar::default()
        };
        read(text.as_bytes(), &sidecar).unwrap().heap
    };
    let all = [0x1000, 24, 99, 0x2000, 24, 99, 0x3000, 32, 98];
    let heap = with(&all);
    assert_eq!(heap.objects.label[0], heap.objects.label[1]);
    assert_eq!(
        line(&heap, 0),
        "String string 40 bytes, Some(Slice) \"all of twenty-four bytes\""
    );
    // Recorders of before noted the part alone.
    let heap = with(&all[..3]);
    assert_ne!(heap.objects.label[0], heap.objects.label[1]);
}

/// No reference leads to a class of one object. It is a piece of this with its method, and the code stays everyone's.
#[test]
fn a_class_of_one_object_is_a_piece_of_it() {
    let row = |address: u64, rest: &str| format!("{{\"address\":\"{address:#x}\", {rest}}}\n");
    let single =
        r#""type":"CLASS", "class":"0x9000", "superclass":"0x4000", "singleton":true, "memsize":400"#;
    let mut text = String::from(
        "{\"type\":\"ROOT\", \"root\":\"vm\", \"references\":[\"0x1000\", \"0x1100\", \"0x4000\"]}\n",
    );
    for (object, class, method) in [(0x1000, 0x2000, 0x3000), (0x1100, 0x2100, 0x3100)] {
        let of = format!(r#""type":"OBJECT", "class":"{class:#x}", "memsize":40"#);
        text += &row(object, &of);
        text += &row(
            class,
            &format!(r#"{single}, "references":["0x4000", "{method:#x}"]"#),
        );
        let imemo = format!(
            r#""type":"IMEMO", "class":"{class:#x}", "imemo_type":"ment", "references":["0x5000"], "memsize":48"#
        );
        text += &row(method, &imemo);
    }
    // A class has methods of its own, too, which are written once.
    let of_class = r#""type":"CLASS", "class":"0x6000", "name":"Thing", "memsize":500"#;
    text += &row(0x4000, of_class);
    text += &row(0x5000, r#""type":"IMEMO", "imemo_type":"iseq", "memsize":300"#);
    text += &row(
        0x6000,
        r#""type":"CLASS", "class":"0x9000", "superclass":"0x9000", "singleton":true, "memsize":400"#,
    );
    let heap = read(text.as_bytes(), &Sidecar::default()).unwrap().heap;
    let [first, second] = heap.own_classes[..] else {
        panic!("{:?}", heap.own_classes);
    };
    assert_eq!((first.object, first.class, first.code), (1, 2, second.code));
    assert_eq!((second.object, second.class), (4, 5));
    assert_eq!(heap.parts_of(1), [2, 3]);
    assert_eq!(
        (heap.type_name(1), heap.in_program(1), heap.in_program(2)),
        ("Thing", true, false)
    );
    assert!(heap.whole_bytes(1) >= 40 + 400 + 48);
}

#[test]
fn a_dump_that_was_cut_off_is_weighed_as_far_as_it_goes() {
    let bytes = unpacked("3.4");
    let whole = read(&bytes, &Sidecar::default()).unwrap().heap;
    assert_eq!(whole.partial, None);
    let end = bytes.len() * 2 / 3;
    let cut = read(&bytes[..end], &Sidecar::default()).unwrap().heap;
    assert!(
        cut.partial
            .as_deref()
            .unwrap()
            .contains(&format!("at byte {end}")),
        "{:?}",
        cut.partial
    );
    assert!(cut.held_bytes() > whole.held_bytes() / 3 && cut.held_bytes() < whole.held_bytes());
}

#[test]
fn what_is_wrong_is_reported_with_its_place() {
    let row = |text: &str| {
        format!(
            "{{\"type\":\"ROOT\", \"root\":\"vm\"}}\n{text}\n{{\"address\":\"0x10\", \"type\":\"ARRAY\"}}\n"
        )
    };
    let cases = [
        (
            r#"{"address":"0xg", "type":"STRING"}"#,
            "at byte 40: expected an address of at most 16",
        ),
        (
            r#"{"address":"0x10"}"#,
            "at byte 29: expected a row with a \"type\"",
        ),
        (
            r#"{"address":"0x10", "type":"ARRAY", "length":-1}"#,
            "at byte 73: expected a whole number",
        ),
        (
            r#"{"address":"0x10", "type":"HASH", "memsize":18446744073709551615}"#,
            "at byte 73: expected at most 2^40 bytes for one object",
        ),
        (
            r#"{"address":"0x10", "type":"ARRAY", "references":["0x1" "0x2"]}"#,
            "expected ',' or ']'",
        ),
        (
            r#"{"address":"0x10", "type":"ARRAY"} }"#,
            "expected ',' or the end of the row",
        ),
        (
            r#"{"address":"0x10", "type":"STRING", "value":"no end}"#,
            "expected a string that ends in its row",
        ),
        (
            r#"{"address":"0x10", "type":"ARRAY", "embedded":maybe}"#,
            "expected true or false",
        ),
        (
            r#"{"address":"0x11111111111111111", "type":"ARRAY"}"#,
            "at most 16 hexadecimal digits",
        ),
    ];
    for (text, expected) in cases {
        let error = read(row(text).as_bytes(), &Sidecar::default())
            .unwrap_err()
            .to_string();
        assert!(error.contains(expected), "{text}\n{error}");
    }
}

#[test]
fn fields_nobody_knows_yet_are_passed_over() {
    let text = concat!(
        r#"{"type":"ROOT", "root":"vm", "references":["0x10"], "later":[1,{"a":"}"},null]}"#,
        "\n",
        r#"{"address":"0x10", "type":"LATER", "x":-1.5e-3, "y":{"z":[]}, "memsize":40, "flags":{"old":true}}"#,
        "\n",
    );
    let heap = read(text.as_bytes(), &Sidecar::default()).unwrap().heap;
    assert_eq!((heap.kind(1), heap.bytes(1)), (Kind::Runtime, 40));
}

/// Reading and asking for everything must not panic, whatever the bytes are.
fn survives(bytes: &[u8]) {
    if let Ok(dump) = read(bytes, &Sidecar::default()) {
        let heap = dump.heap;
        for id in heap.rows() {
            let _ = (
                heap.whole_bytes(id),
                heap.type_name(id),
                heap.string_form(id),
                heap.is_runtime(id),
            );
        }
        let source = deadweight_weighing::Source {
            path: String::new(),
            bytes: 0,
            format: String::new(),
        };
        let weighing = deadweight_rules::weigh(&heap, source, &deadweight_rules::Options::default());
        assert_eq!(
            weighing.held.bytes,
            weighing.held.content + weighing.held.runtime + weighing.held.dead
        );
    }
}

#[test]
fn broken_dumps_do_no_harm() {
    let bytes = unpacked("3.3");
    // The rows about the program's own objects are the last.
    let tail = &bytes[bytes.len() - 60_000..];
    let start = memchr::memmem::find(tail, b"\n{").unwrap() + 1;
    let rows = &tail[start..];
    let mut state = 0x2545_F491_4F6C_DD1D_u64;
    let mut random = |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % below as u64) as usize
    };
    for _ in 0..300 {
        let mut broken = rows.to_vec();
        for _ in 0..=random(8) {
            let at = random(broken.len());
            match random(4) {
                0 => broken[at] = b"\"{}[]:,0\n\\x"[random(11)],
                1 => broken.truncate(at.max(1)),
                2 => {
                    let end = (at + random(200)).min(broken.len());
                    broken.drain(at..end);
                }
                _ => {
                    // One address for another makes rings, and parts of parts.
                    let from = random(broken.len().saturating_sub(20).max(1));
                    let piece = broken[from..(from + 18).min(broken.len())].to_vec();
                    let end = (at + piece.len()).min(broken.len());
                    broken[at..end].copy_from_slice(&piece[..end - at]);
                }
            }
            if broken.is_empty() {
                break;
            }
        }
        survives(&broken);
    }
}

/// Strings with one text have one label, however they are spread over the file.
#[test]
fn equal_texts_are_one() {
    let mut text = String::from("{\"type\":\"ROOT\", \"root\":\"vm\"}\n");
    for i in 0..100_u32 {
        let _ = writeln!(
            text,
            r#"{{"address":"0x{:x}", "type":"STRING", "class":"0x8", "embedded":true, "bytesize":6, "value":"text {}", "memsize":40}}"#,
            0x1000 + i * 40,
            i % 7
        );
    }
    let heap = read(text.as_bytes(), &Sidecar::default()).unwrap().heap;
    let label = |row: u32| heap.objects.label[row as usize];
    assert!((1..=93).all(|row| label(row) == label(row + 7)));
    assert!((1..=6).all(|row| label(row) != label(row + 1)));
    assert_eq!(heap.string_form(1), Some(StringForm::Flat));
}

#[test]
fn what_a_thread_holds_is_the_programs_when_only_its_ractor_leads_to_it() {
    let rows = [
        r#"{"type":"ROOT", "root":"vm", "references":["0x100"]}"#,
        r#"{"address":"0x100", "type":"DATA", "class":"0x900", "struct":"ractor", "references":["0x200"], "memsize":1000}"#,
        r#"{"address":"0x200", "type":"DATA", "class":"0x900", "struct":"VM/thread", "references":["0x300"], "memsize":1000}"#,
        r#"{"address":"0x300", "type":"ARRAY", "class":"0x900", "length":1, "references":["0x400"], "memsize":40}"#,
        r#"{"address":"0x400", "type":"STRING", "class":"0x900", "embedded":true, "bytesize":4, "value":"mine", "memsize":40}"#,
        r#"{"address":"0x900", "type":"CLASS", "name":"Any", "memsize":500}"#,
    ];
    let dump = read(format!("{}\n", rows.join("\n")).as_bytes(), &Sidecar::default()).unwrap();
    let heap = &dump.heap;
    let string = heap.rows().find(|&row| heap.kind(row) == Kind::String).unwrap();
    assert!(heap.in_program(string));
    let holders = Holders::new(heap);
    let holder = holders.of(string);
    assert_eq!(holders.name(holder), "(a local variable)[]");
}
