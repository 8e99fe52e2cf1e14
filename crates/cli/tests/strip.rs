//! Stripped dumps of real programs weigh what they weighed, and reveal nothing of their programs.

mod preload;

use std::fs;
use std::path::{Path, PathBuf};

use preload::{compile, deadweight};
use serde_json::Value;

fn stripped(dump: &Path, to: &Path) -> PathBuf {
    let output = deadweight()
        .arg("strip")
        .arg(dump)
        .arg("-o")
        .arg(to)
        .output()
        .unwrap();
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{message}");
    to.to_owned()
}

fn weighed(dump: &Path) -> Value {
    let output = deadweight()
        .args(["weigh", "--all", "--format", "json"])
        .arg(dump)
        // Not where the sources are.
        .current_dir(std::env::temp_dir())
        .output()
        .unwrap();
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{message}");
    serde_json::from_slice(&output.stdout).unwrap()
}

/// All figures of a weighing, in an order of their own.
fn figures(weighing: &Value) -> Vec<String> {
    let mut figures: Vec<String> = ["findings", "options"]
        .iter()
        .flat_map(|list| weighing[list].as_array().unwrap())
        .map(|finding| {
            let names = [
                "rule",
                "count",
                "unaffected",
                "bytes_now",
                "bytes_after",
                "saves",
                "saves_alone",
            ];
            names.map(|name| format!("{name} {}", finding[name])).join(" ")
        })
        .collect();
    figures.sort();
    for part in ["held", "external", "process"] {
        figures.push(weighing[part].to_string());
    }
    figures
}

fn dump_of(program: &Path, home: &Path, settings: &[(&str, &str)]) -> PathBuf {
    let ran = deadweight()
        .current_dir(home)
        .envs(settings.iter().copied())
        .args(["run", "--dir", "captures", "--"])
        .arg(program)
        .output()
        .unwrap();
    let message = String::from_utf8_lossy(&ran.stderr);
    let mut captures = fs::read_dir(home.join("captures")).expect(&message);
    captures
        .find_map(|entry| {
            Some(entry.unwrap().path()).filter(|path| path.extension() == Some("dwheap".as_ref()))
        })
        .expect(&message)
}

/// The dump of each program and its stripped copy.
fn same_figures(source: &str, flags: &[&str], rules: &[&str], secrets: &[&str]) {
    let home = tempfile::tempdir().unwrap();
    let program = compile(source, flags, home.path());
    let dump = dump_of(&program, home.path(), &[]);
    let before = weighed(&dump);
    let copy = stripped(&dump, &home.path().join("copy.dwheap"));
    // A stranger has no such program.
    fs::remove_file(&program).unwrap();
    let after = weighed(&copy);
    assert_eq!(figures(&before), figures(&after), "{source}");
    // As many places as before, so names of fields are reported too.
    let places = |weighing: &Value| weighing["holdings"]["places"].as_array().unwrap().len();
    assert_eq!(places(&before), places(&after), "{source}");
    for rule in rules {
        assert!(
            before["findings"].to_string().contains(rule),
            "{rule}: {}",
            serde_json::to_string(&before["findings"]).unwrap()
        );
    }
    let (was, is) = (before.to_string(), after.to_string());
    for secret in secrets {
        assert!(
            was.contains(secret),
            "{secret}: {}",
            serde_json::to_string(&before["findings"]).unwrap()
        );
        assert!(!is.contains(secret), "{secret}: {after:#}");
    }
    for secret in [home.path().to_str().unwrap(), "program"] {
        assert!(!after["findings"].to_string().contains(secret), "{after:#}");
    }
}

#[test]
fn native_programs_with_nodes_and_pools() {
    same_figures("tree.cpp", &["-O2", "-g"], &["C02", "D02"], &["Node"]);
    same_figures("tree.cpp", &["-O2", "-s"], &["C02"], &["Node"]);
    same_figures(
        "tree.cpp",
        &["-std=c++17", "-O2", "-s", "-DPOOLED"],
        &["C02"],
        &[],
    );
}

#[test]
fn native_programs_with_a_second_cache() {
    same_figures(
        "second_cache.cpp",
        &["-O2", "-std=c++20", "-g", "-DCACHE"],
        &["R03"],
        &[],
    );
}

#[test]
fn native_programs_with_strings_and_room() {
    same_figures("strings.cpp", &["-O2", "-std=c++20", "-g"], &["D02"], &[]);
    same_figures(
        "short_texts.cpp",
        &["-O2", "-std=c++20", "-g"],
        &["D02"],
        &["Visit"],
    );
    same_figures("room.cpp", &["-O2", "-std=c++20", "-g"], &["E01"], &[]);
    same_figures("types.cpp", &["-O2", "-std=c++20", "-g"], &[], &[]);
    same_figures("healthy.cpp", &["-O2", "-std=c++20", "-g"], &[], &[]);
}

#[test]
fn native_programs_with_named_fields() {
    let secrets = ["shop::Customer.name", "links", "picture"];
    same_figures("fields.cpp", &["-O2", "-std=c++17", "-g"], &[], &secrets);
}

#[test]
fn a_dump_without_contents() {
    let home = tempfile::tempdir().unwrap();
    let program = compile("strings.cpp", &["-O2", "-std=c++20"], home.path());
    let dump = dump_of(&program, home.path(), &[("DEADWEIGHT_CONTENT", "0")]);
    let copy = stripped(&dump, &home.path().join("copy.dwheap"));
    assert_eq!(figures(&weighed(&dump)), figures(&weighed(&copy)));
}

const PAYROLL: &str = r#"
class Customer
  attr_accessor :surname, :town, :note
  def initialize(number)
    @surname = "Johanna Rīga".dup
    @town = "the town of Liepaja".dup
    @note = "customer number #{number}"
  end
end
$customers = Array.new(4000) { |number| Customer.new(number) }
20_000.times { |number| "a line of the payroll: #{number}".split(" ") }
"#;

const SECRETS: [&str; 8] = [
    "Customer",
    "surname",
    "Johanna",
    "Liepaja",
    "payroll",
    "customers",
    "note",
    "town of",
];

#[test]
fn captures_of_ruby_with_names_and_values() {
    let home = tempfile::tempdir().unwrap();
    let program = home.path().join("payroll.rb");
    fs::write(&program, PAYROLL).unwrap();
    let ran = deadweight()
        .current_dir(home.path())
        .args(["run", "--dir", "captures", "--", "ruby", "payroll.rb"])
        .output()
        .unwrap();
    let message = String::from_utf8_lossy(&ran.stderr);
    assert_eq!(ran.status.code(), Some(0), "these tests need Ruby: {message}");
    let captures = home.path().join("captures");
    let mut entries = fs::read_dir(captures).unwrap().map(|entry| entry.unwrap().path());
    let capture = entries.find(|path| path.is_dir()).expect("a capture");
    let before = weighed(&capture);
    let text = before.to_string();
    assert!(
        text.contains("Customer.@surname") && text.contains("D01"),
        "{}",
        serde_json::to_string(&before["findings"]).unwrap()
    );
    let copy = stripped(&capture, &home.path().join("for a stranger"));
    let after = weighed(&copy);
    assert_eq!(figures(&before), figures(&after));
    for entry in fs::read_dir(&copy).unwrap() {
        let path = entry.unwrap().path();
        let text = String::from_utf8_lossy(&fs::read(&path).unwrap()).into_owned();
        for secret in SECRETS {
            assert!(!text.contains(secret), "{secret} in {path:?}");
        }
        assert!(!text.contains(home.path().to_str().unwrap()), "{path:?}");
    }
}

#[test]
fn weighings() {
    let home = tempfile::tempdir().unwrap();
    let program = compile("tree.cpp", &["-O2", "-g"], home.path());
    let dump = dump_of(&program, home.path(), &[]);
    let before = weighed(&dump);
    let stored = home.path().join("weighing.json");
    fs::write(&stored, before.to_string()).unwrap();
    let copy = stripped(&stored, &home.path().join("copy.json"));
    let after: Value = serde_json::from_slice(&fs::read(&copy).unwrap()).unwrap();
    assert_eq!(figures(&before), figures(&after));
    let text = after.to_string();
    for secret in ["Node", "tree.cpp", "dwheap", home.path().to_str().unwrap()] {
        assert!(
            before.to_string().contains(secret) && !text.contains(secret),
            "{secret}: {after:#}"
        );
    }
    // Every other command takes it as it takes the one it was made of.
    for arguments in [&["view", "--no-open", "-o", "page.html"][..], &["prove"]] {
        let mut command = deadweight();
        command.current_dir(home.path()).args(arguments).arg(&copy);
        if arguments[0] == "prove" {
            command.arg(&copy);
        }
        let output = command.output().unwrap();
        let message = String::from_utf8_lossy(&output.stderr);
        assert_ne!(output.status.code(), Some(2), "{arguments:?}: {message}");
    }
}

#[test]
fn stripped_dumps_of_ruby_can_be_compared() {
    let home = tempfile::tempdir().unwrap();
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../formats/tests/fixtures");
    let copy = stripped(
        &fixtures.join("ruby-3.4.ndjson.gz"),
        &home.path().join("copy.ndjson"),
    );
    let output = deadweight().arg("diff").args([&copy, &copy]).output().unwrap();
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{message}");
}
