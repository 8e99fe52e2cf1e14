//! Where findings of Python programs are changed: the class, the function or the module, on every interpreter at hand.
#![cfg(target_os = "linux")]

use std::fs;

use assert_cmd::Command;
use serde_json::Value;

mod pythons;
mod ran;

use ran::Ran;

/// Empty lists at one place of each sort.
const PROGRAM: &str = "\
from shapes import Point


class Row:
    kind = 1

    def name(self):
        return self.kind

    def __init__(self):
        self.tags = []


def keeper():
    kept = [[] for _ in range(100)]
    return lambda: kept


class Shop:
    class Item:
        def __init__(self):
            self.parts = []


rows = [Row() for _ in range(100)]
points = [Point([]) for _ in range(100)]
items = [Shop.Item() for _ in range(100)]
ask = keeper()
";

/// A class whose methods are made while the program runs.
const SHAPES: &str = "\
import dataclasses


@dataclasses.dataclass
class Point:
    tags: list
";

fn lines(python: &str) -> Vec<(String, String)> {
    let home = tempfile::tempdir().unwrap();
    fs::write(home.path().join("rows.py"), PROGRAM).unwrap();
    fs::write(home.path().join("shapes.py"), SHAPES).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_deadweight"));
    command.args(["run", "--all", "--format", "json", "-o", "w.json", "--"]);
    let ran = Ran::of(home, command.arg(python).arg("rows.py"));
    let weighing = ran.weighing();
    let found = weighing["findings"].as_array().unwrap().iter();
    let empty = found.filter(|finding| finding["rule"] == "C01");
    let line = |finding: &Value| {
        let line = &finding["line"];
        format!(
            "{}:{} {}",
            line["file"].as_str().unwrap_or("-"),
            line["line"],
            line["is"].as_str().unwrap_or("-")
        )
    };
    let mut lines: Vec<_> = empty
        .map(|finding| (finding["holder"].as_str().unwrap().to_owned(), line(finding)))
        .collect();
    lines.sort();
    lines
}

/// Makes objects on lines of its own, and through the standard library.
const MADE: &str = "\
import asyncio, ctypes.util, email.message, http.server, json, unittest.mock, xml.dom.minidom


class Order:
    def __init__(self, number, customer):
        self.number = number
        self.customer = customer
        self.tags = []


def load(count):
    return [
        Order(n, ('customer-%04d' % (n % 50)).lower())
        for n in range(count)
    ]


def parse(count):
    text = [json.dumps({'id': n, 'who': 'someone %d' % (n % 70)}) for n in range(count)]
    return [
        json.loads(line)
        for line in text
    ]


def nothing(**given):
    return len(given)


def collect(count):
    kept = []
    for n in range(count):
        nothing(a=n, b=n)
        kept.append({'x': n * 1.5, 'y': n * 2.5})
    return kept


orders = load(5000)
rows = parse(5000)
bag = collect(5000)
";

/// Whether an interpreter says which objects come from its free lists.
fn hears_objects(python: &str) -> bool {
    let asks = ["-c", "import sys; print(sys.version_info >= (3, 13))"];
    std::process::Command::new(python)
        .args(asks)
        .output()
        .unwrap()
        .stdout
        == b"True\n"
}

#[test]
fn findings_name_the_line_that_made_the_objects() {
    let weighed = |python: &str, options: &[&str]| {
        let home = tempfile::tempdir().unwrap();
        fs::write(home.path().join("made.py"), MADE).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_deadweight"));
        command.arg("run").args(options).args([
            "--all", "--format", "json", "-o", "w.json", "--", python, "made.py",
        ]);
        Ran::of(home, &mut command).weighing()
    };
    let findings = |weighing: &Value| weighing["findings"].as_array().unwrap().clone();
    for python in pythons::all() {
        let weighing = weighed(&python, &["--sites"]);
        let found = findings(&weighing);
        let line = |rule: &str, holder: &str| {
            let mut of = found.iter();
            let finding = of.find(|finding| finding["rule"] == rule && finding["holder"] == holder);
            let line = &finding.unwrap_or_else(|| panic!("{python}: {rule} {holder}"))["line"];
            let share = line["share"].as_f64();
            assert!(
                share.is_none_or(|share| share > 0.95),
                "{python}: {rule} {holder} {line}"
            );
            format!(
                "{}:{} {}",
                line["file"].as_str().unwrap(),
                line["line"],
                line["is"].as_str().unwrap()
            )
        };
        assert_eq!(
            line("D01", "__main__.Order.customer"),
            "made.py:13 allocation",
            "{python}"
        );
        // A list or a dict may come from a free list, where a dict of `**given` was before: then only an interpreter that says so knows
        // the line, and no other line is shown.
        let (tags, bag) = if hears_objects(&python) {
            ("made.py:8 allocation", "made.py:34 allocation")
        } else {
            ("made.py:5 class", "made.py:1 module")
        };
        assert_eq!(line("C01", "__main__.Order.tags"), tags, "{python}");
        assert_eq!(line("L02", "__main__.bag[]"), bag, "{python}");
        assert_eq!(line("D01", "{id, who}.who"), "made.py:21 allocation", "{python}");
        // What is found does not depend on it: the code of modules, which the recorder keeps, is no part of the program.
        let without = findings(&weighed(&python, &[]));
        let figures = |all: &[Value]| -> Vec<String> {
            let big = all
                .iter()
                .filter(|finding| finding["saves"].as_u64() > Some(2_000));
            big.map(|finding| format!("{} {} {}", finding["rule"], finding["holder"], finding["saves"]))
                .collect()
        };
        assert_eq!(figures(&found), figures(&without), "{python}");
    }
}

#[test]
fn findings_name_the_line_that_is_changed() {
    for python in pythons::all() {
        let lines = lines(&python);
        let of = |holder: &str| {
            let found = lines.iter().find(|(of, _)| of.contains(holder));
            found
                .unwrap_or_else(|| panic!("{python}: {holder}: {lines:#?}"))
                .1
                .as_str()
        };
        assert_eq!(of("Row.tags"), "rows.py:10 class", "{python}");
        assert_eq!(of("Shop.Item.parts"), "rows.py:21 class", "{python}");
        // No method of such a class stands in a file before 3.14, whose `__annotate__` does: what holds its objects is the module.
        assert!(
            ["rows.py:1 module", "shapes.py:4 class"].contains(&of("Point.tags")),
            "{python}: {}",
            of("Point.tags")
        );
        assert_eq!(of("ask"), "rows.py:16 function", "{python}");
    }
}
