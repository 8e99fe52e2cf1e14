//! `deadweight fix` on programs as people run them: what it offers applies, keeps what the program prints, and saves what was
//! promised.
#![cfg(target_os = "linux")]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

/// Wasteful lines. The rewrite of one of them is right only under a condition.
const LINES: &str = r#"class Reader
  def initialize(text) = @text = text

  def short?
    @text.lines.count < 3
  end

  def fields
    @text.split(",").size
  end

  def marked?(marks)
    marks.values.include?(1)
  end

  def least(numbers)
    numbers.sort.first
  end
end

reader = Reader.new("a,b,c\nd\n" * 40)
marks = (0...50).to_h { |i| ["key #{i}", i + 2] }
numbers = Array.new(60) { |i| (i * 37) % 61 }
count = 0
3000.times do
  count += 1 if reader.short?
  count += reader.fields
  count += 1 if reader.marked?(marks)
  count += reader.least(numbers)
end
puts count
"#;

const PYTHON: &str = r#""""Rows of a table."""


class Row:
    """A row."""

    def __init__(self, line):
        parts = line.split(",")
        self.city = parts[0]
        self.kind = parts[1].strip()
        self.number = int(parts[2])


def main():
    rows = [Row("city number %d, kind %d,%d" % (i % 100, i % 7, i)) for i in range(20000)]
    print(len(rows), rows[77].city, rows[78].kind)
    return rows


rows = main()
"#;

const JAVASCRIPT: &str = r"'use strict';

class Row {
  constructor(line) {
    const parts = line.split(',');
    this.city = Buffer.from(parts[0]).toString();
    this.number = Number(parts[1]);
  }
}

const rows = [];
for (let i = 0; i < 50000; i++) rows.push(new Row(`city number ${i % 100},${i}`));
console.log(rows.length, rows[77].city);
globalThis.rows = rows;
";

/// One literal makes all records; most nodes have no children.
const PYTHON_NODES: &str = r#"class Node:
    def __init__(self, name):
        self.name = name
        self.children = []
        self.attributes = {}

    def add(self, child):
        self.children.append(child)


def parse(line):
    number, city, kind = line.split(",")
    return {"number": int(number), "city": city, "kind": kind.strip()}


rows = [parse(f"{i},city number {i % 40},kind {i % 7} ") for i in range(30000)]
nodes = [Node("n%d" % i) for i in range(30000)]
for i in range(0, 30000, 20):
    nodes[i].add(nodes[i + 1])
print(len(rows), rows[77]["city"], len(nodes[20].children), nodes[3].attributes)
"#;

const RUBY_NODES: &str = r##"class Node
  attr_reader :name, :attributes

  def initialize(name)
    @name = name
    @children = []
    @attributes = {}
  end

  def add(child)
    @children << child
  end
end

def parse(line)
  number, city, kind = line.split(",")
  { number: number.to_i, city: city, kind: kind.strip }
end

rows = Array.new(30_000) { |i| parse("#{i},city number #{i % 40} of them all,kind number #{i % 7} of all kinds ") }
nodes = Array.new(30_000) { |i| Node.new("n#{i}") }
(0...30_000).step(20) { |i| nodes[i].add(nodes[i + 1]) }
puts rows.size, rows[77][:city], nodes[3].attributes
$all = [rows, nodes]
"##;

const JAVASCRIPT_NODES: &str = r"class Node {
  constructor(name) { this.name = name; this.children = []; this.attributes = new Map(); }
  add(child) { this.children.push(child); }
}

function parse(line) {
  const [number, city, kind] = line.split(',');
  return { number: Number(number), city, kind: kind.trim() };
}

const rows = [];
for (let i = 0; i < 60000; i++) rows.push(parse(`${i},city number ${i % 40} of them all,kind ${i % 7} `));
const nodes = [];
for (let i = 0; i < 60000; i++) nodes.push(new Node('n' + i));
for (let i = 0; i < 60000; i += 20) nodes[i].add(nodes[i + 1]);
globalThis.all = [rows, nodes];
console.log(rows.length, rows[77].city, nodes[3].attributes.size);
";

/// A git repository with one program.
struct Project {
    home: TempDir,
    program: Vec<String>,
}

impl Project {
    fn new(name: &str, text: &str, by: &str) -> Self {
        let home = tempfile::tempdir().unwrap();
        fs::write(home.path().join(name), text).unwrap();
        fs::write(home.path().join(".gitignore"), "captures*\n").unwrap();
        let project = Self {
            home,
            program: vec![by.to_owned(), name.to_owned()],
        };
        project.git(&["init", "--quiet"]);
        project.git(&["add", "--all"]);
        project.commit("first");
        project
    }

    fn path(&self) -> &Path {
        self.home.path()
    }

    fn git(&self, arguments: &[&str]) -> Output {
        let mut git = Command::new("git");
        git.args(["-c", "user.name=a", "-c", "user.email=a@example.org"]);
        git.args(arguments).current_dir(self.path()).output().unwrap()
    }

    fn commit(&self, message: &str) {
        let done = self.git(&["commit", "--quiet", "--all", "--message", message]);
        assert!(done.status.success(), "{}", text(&done.stderr));
    }

    fn deadweight(&self, arguments: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_deadweight"))
            .args(arguments)
            .current_dir(self.path())
            .output()
            .unwrap()
    }

    /// Records the program, and returns what it printed.
    fn record(&self, options: &[&str], into: &str) -> String {
        let mut arguments = vec!["run", "--dir", into];
        arguments.extend(options);
        arguments.push("--");
        arguments.extend(self.program.iter().map(String::as_str));
        let ran = self.deadweight(&arguments);
        assert!(ran.status.success(), "{}", text(&ran.stderr));
        text(&ran.stdout)
    }

    fn source(&self) -> String {
        fs::read_to_string(self.path().join(&self.program[1])).unwrap()
    }

    /// How far the saving is from what was promised, as a part of it.
    fn error(&self) -> f64 {
        let proof = self.deadweight(&["prove", "captures", "captures-after", "--format", "json"]);
        let proof: Value =
            serde_json::from_slice(&proof.stdout).unwrap_or_else(|_| panic!("{}", text(&proof.stderr)));
        let of_made = proof["made"]["error"].as_f64();
        let error = of_made.or(proof["error"].as_f64());
        error.unwrap_or_else(|| panic!("no error: {proof:#}"))
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn lines_are_rewritten_and_save_what_was_promised() {
    let project = Project::new("reader.rb", LINES, "ruby");
    let record = |into: &str| project.record(&["--churn", "--no-snapshot"], into);
    let before = record("captures");
    // Shown, and nothing is changed.
    let shown = project.deadweight(&["fix", "captures"]);
    let diff = text(&shown.stdout);
    assert!(
        diff.contains("+    @text.each_line.first(3).size < 3"),
        "{diff}\n{}",
        text(&shown.stderr)
    );
    assert!(diff.contains("# Only if"), "{diff}");
    assert_eq!(project.source(), LINES);
    fs::write(project.path().join("captures.diff"), &diff).unwrap();
    let applies = project.git(&["apply", "--check", "captures.diff"]);
    assert!(applies.status.success(), "{}", text(&applies.stderr));
    // What git could not take back is not written.
    fs::write(project.path().join("reader.rb"), format!("{LINES}# More.\n")).unwrap();
    let refused = project.deadweight(&["fix", "--write", "captures"]);
    assert_eq!(refused.status.code(), Some(2), "{}", text(&refused.stderr));
    assert!(
        text(&refused.stderr).contains("not committed"),
        "{}",
        text(&refused.stderr)
    );
    project.git(&["checkout", "--quiet", "."]);
    // What holds always is written, and what does not is named.
    let written = project.deadweight(&["fix", "--write", "captures"]);
    let said = text(&written.stderr);
    assert!(written.status.success(), "{said}");
    assert!(said.contains("left out (only if"), "{said}");
    assert!(said.contains("deadweight prove"), "{said}");
    let source = project.source();
    assert!(
        source.contains("each_line.first(3)") && source.contains("numbers.sort.first"),
        "{source}"
    );
    project.commit("fixed");
    assert_eq!(record("captures-after"), before);
    let again = project.deadweight(&["fix", "--format", "json", "--write", "--conditional", "captures"]);
    let again: Value = serde_json::from_slice(&again.stdout).unwrap();
    assert_eq!(again["written"], true, "{again:#}");
    assert!(project.source().contains("numbers.min"), "{}", project.source());
    project.commit("all of it");
    fs::remove_dir_all(project.path().join("captures-after")).unwrap();
    assert_eq!(record("captures-after"), before);
    let error = project.error();
    assert!(error < 0.05, "{error}");
}

/// Takes one finding of a program through record, edit and proof.
fn held(project: &Project, finding: &str, expected: &[&str]) {
    held_with(project, &[], finding, expected);
}

/// With options for the record.
fn held_with(project: &Project, options: &[&str], finding: &str, expected: &[&str]) {
    let before = project.record(options, "captures");
    let written = project.deadweight(&[
        "fix",
        "--write",
        "--conditional",
        "--finding",
        finding,
        "captures",
    ]);
    let said = text(&written.stderr);
    assert!(written.status.success(), "{said}");
    let source = project.source();
    for line in expected {
        assert!(source.contains(line), "{line}: {source}\n{said}");
    }
    project.commit("fixed");
    assert_eq!(project.record(options, "captures-after"), before);
    let error = project.error();
    assert!(error < 0.01, "{finding}: {error}");
}

#[test]
fn a_class_of_python_interns_its_texts() {
    let project = Project::new("rows.py", PYTHON, "python3");
    let city = "self.city = sys.intern(parts[0])";
    held(
        &project,
        "D01",
        &["import sys", city, "self.kind = sys.intern(parts[1].strip())"],
    );
}

#[test]
fn a_class_of_python_gets_slots() {
    let project = Project::new("rows.py", PYTHON, "python3");
    held(
        &project,
        "L07",
        &["    __slots__ = (\"city\", \"kind\", \"number\")"],
    );
}

#[test]
fn a_class_of_javascript_gets_a_table() {
    let project = Project::new("rows.cjs", JAVASCRIPT, "node");
    held(
        &project,
        "D01",
        &["this.city = shareText(Buffer.from(parts[0]).toString());"],
    );
}

/// Both containers of the class by one call.
#[test]
fn classes_make_containers_when_they_are_asked_for() {
    let python = Project::new("nodes.py", PYTHON_NODES, "python3");
    held(
        &python,
        "C01",
        &[
            "self._made_children = None",
            "self._made_attributes = None",
            "    def attributes(self):",
        ],
    );
    let ruby = Project::new("nodes.rb", RUBY_NODES, "ruby");
    held_with(
        &ruby,
        &["--sites"],
        "C01",
        &[
            "@children = nil",
            "(@children ||= []) << child",
            "    @attributes ||= {}",
        ],
    );
    let script = Project::new("nodes.cjs", JAVASCRIPT_NODES, "node");
    held(
        &script,
        "C01",
        &[
            "this._children = undefined; this._attributes = undefined;",
            "return this._children ??= [];",
        ],
    );
}

/// Both texts on one line by one call.
#[test]
fn literals_look_their_texts_up() {
    let ruby = Project::new("nodes.rb", RUBY_NODES, "ruby");
    held_with(
        &ruby,
        &["--sites"],
        "D01",
        &["{ number: number.to_i, city: -city, kind: -kind.strip }"],
    );
    let script = Project::new("nodes.cjs", JAVASCRIPT_NODES, "node");
    held_with(
        &script,
        &["--sites"],
        "D01",
        &["{ number: Number(number), city: shareText(city), kind: shareText(kind.trim()) }"],
    );
}

#[test]
fn literals_become_classes() {
    let python = Project::new("nodes.py", PYTHON_NODES, "python3");
    held(
        &python,
        "L02",
        &[
            "    __slots__ = (\"number\", \"city\", \"kind\")",
            "return Record(number=int(number), city=city, kind=kind.strip())",
        ],
    );
    let ruby = Project::new("nodes.rb", RUBY_NODES, "ruby");
    held_with(
        &ruby,
        &["--sites"],
        "L02",
        &[
            "Record = Struct.new(:number, :city, :kind)",
            "Record.new(number.to_i, city, kind.strip)",
        ],
    );
}

#[test]
fn what_has_no_edit_says_so() {
    let project = Project::new("small.py", "print(1)\n", "python3");
    project.record(&[], "captures");
    let shown = project.deadweight(&["fix", "captures"]);
    assert!(
        shown.status.success() && shown.stdout.is_empty(),
        "{}",
        text(&shown.stderr)
    );
    assert!(
        text(&shown.stderr).contains("no finding has an edit"),
        "{}",
        text(&shown.stderr)
    );
    // A redacted diff would write hashes into the source.
    let redacted = project.deadweight(&["fix", "--redact", "captures"]);
    assert_eq!(redacted.status.code(), Some(2));
}
