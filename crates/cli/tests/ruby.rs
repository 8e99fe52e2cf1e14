//! What is predicted for real Ruby programs, against the same programs with the fix applied.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// The interpreters that `DEADWEIGHT_RUBIES` lists, separated by colons, or the one on the path.
fn rubies() -> Vec<String> {
    let listed = std::env::var("DEADWEIGHT_RUBIES").unwrap_or_default();
    let paths: Vec<String> = listed
        .split(':')
        .filter(|path| !path.is_empty())
        .map(str::to_owned)
        .collect();
    if paths.is_empty() {
        vec!["ruby".to_owned()]
    } else {
        paths
    }
}

fn weighed(ruby: &str, program: &str) -> Value {
    weighed_with(ruby, &[], program)
}

fn weighed_with(ruby: &str, options: &[&str], program: &str) -> Value {
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("program.rb");
    fs::write(&file, program).unwrap();
    let ran = Command::new(env!("CARGO_BIN_EXE_deadweight"))
        .args(["run", "--dir"])
        .arg(home.path().join("captures"))
        .args(options)
        .args(["--", ruby])
        .arg(&file)
        .output()
        .unwrap();
    assert!(
        ran.status.success(),
        "these tests need Ruby: {}",
        String::from_utf8_lossy(&ran.stderr)
    );
    let captures = fs::read_dir(home.path().join("captures")).unwrap();
    let directories: Vec<PathBuf> = captures
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_dir())
        .collect();
    assert_eq!(directories.len(), 1, "{}", String::from_utf8_lossy(&ran.stderr));
    read(&directories[0].join("weighing.json"))
}

fn read(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

/// Runs a program with `before` and with `after` in the place of `FIX`. The findings of the rule must name `holders`
/// and promise what is measured, within a hundredth.
fn holds(rule: &str, holders: &[&str], program: &str, before: &str, after: &str) {
    for ruby in rubies() {
        let now = weighed(&ruby, &program.replace("FIX", before));
        let then = weighed(&ruby, &program.replace("FIX", after));
        let found: Vec<&Value> = now["findings"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|finding| finding["rule"] == rule)
            .collect();
        let mut named: Vec<&str> = found
            .iter()
            .filter_map(|finding| finding["holder"].as_str())
            .collect();
        named.sort_unstable();
        assert_eq!(named, holders, "{ruby} {rule}");
        let predicted: f64 = found.iter().filter_map(|finding| finding["saves"].as_f64()).sum();
        let measured = of_program(&now) - of_program(&then);
        assert!(
            (predicted - measured).abs() <= measured / 100.0,
            "{ruby} {rule}: {predicted} of {measured}"
        );
        let left = then["findings"]
            .as_array()
            .unwrap()
            .iter()
            .any(|finding| finding["rule"] == rule);
        assert!(!left, "{ruby} {rule} after its fix: {}", then["findings"]);
    }
}

const RECORDS: &str =
    "class Record; def initialize(i) FIX end; end; LIST = Array.new(20_000) { |i| Record.new(i) }";

#[test]
fn equal_strings_as_predicted() {
    let before = r#"@a = i; @city = "city number #{i % 5}, a long name";"#;
    let after = r#"@a = i; @city = -"city number #{i % 5}, a long name";"#;
    holds("D01", &["Record.@city"], RECORDS, before, after);
}

/// Numbers, nil and symbols of hashes are in no dump.
#[test]
fn equal_hashes_of_a_class_with_numbers_as_predicted() {
    let program = r#"
        class Own < Hash; end
        class Record; def initialize(i)
            mine = Own.new.merge!("number" => i % 7, "none" => nil, :key => "text #{i % 7}")
            @number, @own = i, FIX
        end; end
        LIST = Array.new(5_000) { |i| Record.new(i) }; $table = nil
    "#;
    holds(
        "D03",
        &["Record.@own"],
        program,
        "mine",
        "(($table ||= {})[i % 7] ||= mine)",
    );
}

/// What the program's own bytes are, which is what a fix of it changes: caches of the interpreter differ a little.
fn of_program(weighing: &Value) -> f64 {
    let bytes = |name: &str| weighing["held"][name].as_f64().unwrap();
    bytes("bytes") - bytes("runtime")
}

/// What findings of some rules promise together.
fn promised(weighing: &Value, rules: &[&str]) -> f64 {
    let findings = weighing["findings"].as_array().unwrap().iter();
    let of_rules = findings.filter(|finding| rules.contains(&finding["rule"].as_str().unwrap()));
    of_rules.filter_map(|finding| finding["saves"].as_f64()).sum()
}

/// Methods of single objects, by each of the ways to write them, against the same methods in the class.
#[test]
fn methods_of_single_objects_as_predicted() {
    let ways = [
        "def self.sum = @a + 1; def self.name = @b",
        "extend(Named)",
        "define_singleton_method(:name) { @b }",
        "instance_eval { singleton_class.attr_reader(:b) }",
    ];
    for ruby in rubies() {
        for way in ways {
            let program = |own: &str, of_class: &str| {
                format!(
                    "module Named; def name = @b; end; class Record; {of_class}
                       def initialize(i) = (@a, @b = i, \"record number #{{i}}\"; {own})
                     end; LIST = Array.new(3_000) {{ |i| Record.new(i) }}"
                )
            };
            let before = weighed(&ruby, &program(way, ""));
            let after = weighed(
                &ruby,
                &program("nil", "include Named; def sum = @a + 1; attr_reader :b"),
            );
            let (predicted, measured) = (
                promised(&before, &["L01"]),
                of_program(&before) - of_program(&after),
            );
            assert!(
                (predicted - measured).abs() <= measured / 100.0,
                "{ruby} {way}: {predicted} of {measured}"
            );
            assert_eq!(before["findings"][0]["holder"], "Record", "{ruby} {way}");
            assert_eq!(before["findings"][0]["count"], 3_000, "{ruby} {way}");
            let left = promised(&after, &["L01"]);
            assert!(left < 1.0, "{ruby} {way}: {}", after["findings"]);
        }
    }
}

#[test]
fn open_structs_as_predicted() {
    let program = |class: &str| {
        format!(
            "require 'ostruct'; Fields = Struct.new(:a, :b, :c, :d, :e, keyword_init: true)
             LIST = Array.new(2_000) {{ |i| one = {class}.new(a: i, b: i + 1, c: i * 2, d: -i, e: i % 7); one.e; one }}"
        )
    };
    for ruby in rubies() {
        let (before, after) = (
            weighed(&ruby, &program("OpenStruct")),
            weighed(&ruby, &program("Fields")),
        );
        // A Struct comes in the place of the hash as well.
        let (predicted, measured) = (
            promised(&before, &["L01", "L02"]),
            of_program(&before) - of_program(&after),
        );
        assert!(
            (predicted - measured).abs() <= measured / 100.0,
            "{ruby}: {predicted} of {measured}"
        );
    }
}

/// Whole copies go with the classes that are theirs.
#[test]
fn equal_open_structs_as_predicted() {
    let program = |made: &str| {
        format!(
            "require 'ostruct'; one = OpenStruct.new(a: 0, b: 1)
             $list = Array.new(2_000) {{ each = {made}; each.a; each }}"
        )
    };
    for ruby in rubies() {
        let before = weighed(&ruby, &program("OpenStruct.new(a: 0, b: 1)"));
        let after = weighed(&ruby, &program("one"));
        let (predicted, measured) = (
            promised(&before, &["D03"]),
            of_program(&before) - of_program(&after),
        );
        assert!(
            (predicted - measured).abs() <= measured / 100.0,
            "{ruby}: {predicted} of {measured}"
        );
    }
}

/// Methods of classes and modules, few objects with methods of their own, and objects each with another method.
#[test]
fn methods_that_are_written_once_are_no_waste() {
    let program = r#"
        $few = Array.new(10) { o = Object.new; def o.x = 1; o }
        $classes = Array.new(200) { Class.new { def self.make = new; def x = 1 } }
        $modules = Array.new(100) { Module.new { extend self; def helper = 1 } }
        $handlers = Array.new(100) { |i| o = Object.new; eval("def o.run = #{i}"); o }
    "#;
    for ruby in rubies() {
        let weighing = weighed(&ruby, program);
        assert_eq!(
            weighing["findings"].as_array().unwrap().len(),
            0,
            "{ruby}: {}",
            weighing["findings"]
        );
    }
}

/// Each value is there twice: as a string of its own and as the end of another, whose text no dump has.
#[test]
fn strings_equal_to_parts_of_others_as_predicted() {
    let program = |part: &str| {
        format!(
            "class Record; def initialize(i)
               @city = \"city number #{{i}}, a long name\"; @part = {part}
             end; end; LIST = Array.new(10_000) {{ |i| Record.new(i) }}"
        )
    };
    for ruby in rubies() {
        let before = weighed(&ruby, &program("\"the #{@city}\"[4..]"));
        let after = weighed(&ruby, &program("@city"));
        // What is cut out pins the whole.
        let (predicted, measured) = (
            promised(&before, &["D01", "R01"]),
            of_program(&before) - of_program(&after),
        );
        assert!(
            (predicted - measured).abs() <= measured / 100.0,
            "{ruby}: {predicted} of {measured}"
        );
    }
}

/// The interpreter's table of lines takes more than the program.
#[test]
fn lines_of_allocations_add_nothing_to_what_is_held() {
    let program = "LIST = Array.new(50_000) { |i| { id: i, name: \"number #{i}\" } }";
    for ruby in rubies() {
        let [plain, lines] = [&[][..], &["--sites"]].map(|options| weighed_with(&ruby, options, program));
        for (what, of) in [
            ("weighed", "/held/bytes"),
            ("runtime's", "/held/runtime"),
            ("reported", "/process/heap_asked"),
        ] {
            let of = |weighing: &Value| weighing.pointer(of).unwrap().as_f64().unwrap();
            let all = plain["held"]["bytes"].as_f64().unwrap();
            assert!(
                (of(&plain) - of(&lines)).abs() < all / 100.0,
                "{ruby}, {what}: {} and {}",
                of(&plain),
                of(&lines)
            );
        }
    }
}

/// The recorder reads texts that are not ASCII without touching them: as many characters of another sort weigh the same.
#[test]
fn looking_at_texts_adds_nothing_to_them() {
    let program = |name: &str| format!("LIST = Array.new(20_000) {{ |i| \"{name}, place number #{{i}}\" }}");
    for ruby in rubies() {
        let [accented, plain] = ["Z\u{fc}rich", "Zuerich"].map(|name| weighed(&ruby, &program(name)));
        let held = |weighing: &Value| weighing["held"]["bytes"].as_f64().unwrap();
        let (accented_bytes, plain_bytes) = (held(&accented), held(&plain));
        assert!(
            (accented_bytes - plain_bytes).abs() < plain_bytes / 100.0,
            "{ruby}: {accented_bytes} and {plain_bytes}"
        );
        let rules = |weighing: &Value| weighing["findings"].as_array().unwrap().len();
        assert_eq!(
            (rules(&accented), rules(&plain)),
            (0, 0),
            "{ruby}: {}",
            accented["findings"]
        );
    }
}

/// A hash that compares by identity is never a plain list: there is no smaller one.
#[test]
fn small_hashes_by_identity_are_no_waste() {
    for ruby in rubies() {
        let program = format!(
            "{RECORDS}; ALL = Array.new(3_000) {{ |i| h = {{}}.compare_by_identity; (3 + i % 4).times {{ |j| h[LIST[i + j]] = j }}; h }}"
        )
        .replace("FIX", "@a = i;");
        let weighing = weighed(&ruby, &program);
        assert_eq!(
            weighing["findings"].as_array().unwrap().len(),
            0,
            "{ruby}: {}",
            weighing["findings"]
        );
    }
}

#[test]
fn empty_containers_as_predicted() {
    let holders = ["Record.@list", "Record.@table"];
    holds(
        "C01",
        &holders,
        RECORDS,
        "@a = i; @list = []; @table = {};",
        "@a = i; @list = nil; @table = nil;",
    );
}

#[test]
fn unused_room_as_predicted() {
    let before = "@list = []; 6.times { |j| @list << j };";
    let after = "@list = []; 6.times { |j| @list << j }; @list = @list.map { |x| x };";
    holds("C03", &["Record.@list"], RECORDS, before, after);
}

#[test]
fn unused_room_of_strings_as_predicted() {
    let text = "@text = String.new(capacity: 2000); @text << \"entry #{i} of a list\" * (1 + i % 3);";
    let before = format!("@a = i; {text}");
    let after = format!("@a = i; {text} @text.freeze;");
    holds("C03", &["Record.@text"], RECORDS, &before, &after);
}

#[test]
fn hashes_as_records_as_predicted() {
    let program = format!("Point = Struct.new(:x, :y); {RECORDS}");
    let before = "@a = i; @at = { x: i, y: 2 * i };";
    let after = "@a = i; @at = Point.new(i, 2 * i);";
    holds("L02", &["Record.@at"], &program, before, after);

    let names: Vec<String> = (0..10).map(|n| format!("f{n}")).collect();
    let wide = format!("Wide = Struct.new(:{}); {RECORDS}", names.join(", :"));
    let values: Vec<String> = (0..10).map(|n| format!("i + {n}")).collect();
    let pairs = names.iter().zip(&values);
    let pairs: Vec<String> = pairs
        .map(|(name, value)| format!("'{name}' => {value}"))
        .collect();
    let before = format!("@a = i; @row = {{ {} }};", pairs.join(", "));
    let after = format!("@a = i; @row = Wide.new({});", values.join(", "));
    holds("L02", &["Record.@row"], &wide, &before, &after);
}

#[test]
fn equal_hashes_as_predicted() {
    let program = format!("KNOWN = {{}}; {RECORDS}");
    let owner = r#"{ 'name' => "the name of owner #{i % 5}", 'team' => "the team of owner #{i % 5}" }"#;
    let before = format!("@a = i; @owner = {owner};");
    let after = format!("@a = i; @owner = (KNOWN[i % 5] ||= {owner});");
    holds("D03", &["Record.@owner"], &program, &before, &after);
}

#[test]
fn equal_lists_as_predicted() {
    let program = format!("KNOWN = {{}}; {RECORDS}");
    let pair = r#"["name #{i % 5} of some length", "kind #{i % 3}"]"#;
    let before = format!("@a = i; @pair = {pair};");
    let after = format!("@a = i; @pair = (KNOWN[i % 15] ||= {pair});");
    holds("D03", &["Record.@pair"], &program, &before, &after);
}

#[test]
fn equal_records_as_predicted() {
    let program = format!("KNOWN = {{}}; Point = Struct.new(:x, :y, :name, :more); {RECORDS}");
    let point = r#"Point.new(i % 5, 2.5, "a name that needs a block of its own", nil)"#;
    let before = format!("@a = i; @at = {point};");
    let after = format!("@a = i; @at = (KNOWN[i % 5] ||= {point});");
    holds("D03", &["Record.@at"], &program, &before, &after);
}

#[test]
fn maps_of_one_entry_as_predicted() {
    let program = format!("Pair = Struct.new(:key, :value); {RECORDS}");
    holds(
        "C04",
        &["Record.@map"],
        &program,
        "@map = { i => i };",
        "@map = Pair.new(i, i);",
    );
}

#[test]
fn fields_of_nothing_as_predicted() {
    let before = "@a = i; @b = i; @c = i; @none = nil;";
    holds(
        "L05",
        &["Record.@none"],
        RECORDS,
        before,
        "@a = i; @b = i; @c = i;",
    );
}

#[test]
fn pinned_texts_as_predicted() {
    let program = r#"LIST = Array.new(300) { |i| ("<p>some page #{i}</p>" * 500)[-40..]FIX }"#;
    holds(
        "R01",
        &["LIST[]"],
        program,
        "",
        r#".then { |s| String.new(s) + "" }"#,
    );
}

/// Unique frozen strings, a table of many entries, arrays of the right size: nothing to find.
#[test]
fn a_healthy_program_is_silent() {
    let program = r#"
        Row = Struct.new(:id, :name, :tags)
        rows = (0...5000).map { |i| Row.new(i, "row number #{i}".freeze, ["t#{i}".freeze, i].freeze) }
        BY_ID = rows.to_h { |row| [row.id, row] }
    "#;
    for ruby in rubies() {
        let weighing = weighed(&ruby, program);
        let dead = weighing["held"]["dead"].as_u64().unwrap();
        assert!(
            dead * 1000 < weighing["held"]["bytes"].as_u64().unwrap(),
            "{ruby}: {}",
            weighing["findings"]
        );
    }
}
