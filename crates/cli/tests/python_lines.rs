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
        // No method of such a class stands in a file: what holds its objects is the module.
        assert_eq!(of("Point.tags"), "rows.py:1 module", "{python}");
        assert_eq!(of("ask"), "rows.py:16 function", "{python}");
    }
}
