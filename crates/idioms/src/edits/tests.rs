//! Each edit on sources of its language; `crates/cli/tests/fix.rs` runs what comes of them.

use super::*;

fn applied(text: &str, language: Language, change: Change<'_>) -> Option<String> {
    let edit = edit(text, language, change)?;
    assert!(!edit.conditions.is_empty());
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for hunk in edit.hunks.iter().rev() {
        let from = hunk.line as usize - 1;
        assert_eq!(lines[from..from + hunk.before.len()], hunk.before);
        lines.splice(from..from + hunk.before.len(), hunk.after.iter().cloned());
    }
    let comment = language.comment();
    lines
        .retain(|line| !line.trim_start().starts_with(&format!("{comment} ")) || line.contains("One object"));
    // Conditions go on in lines of three blanks.
    Some(lines.join("\n"))
}

fn intern<'f>(class: &'f str, field: &'f str) -> Change<'f> {
    Change::Intern { class, field }
}

#[test]
fn python_interns_where_the_class_assigns() {
    let text = "\"\"\"Rows.\"\"\"\nfrom __future__ import annotations\nimport csv\n\nclass Row:\n    def __init__(self, line):\n        self.city = line.split(',')[0]\n        self.kind = None\n\n    def move(self, city):\n        self.city = city\n";
    let after = applied(text, Language::Python, intern("app.rows.Row", "city")).unwrap();
    assert_eq!(
        after,
        "\"\"\"Rows.\"\"\"\nfrom __future__ import annotations\nimport sys\nimport csv\n\nclass Row:\n    def __init__(self, line):\n        self.city = sys.intern(line.split(',')[0])\n        self.kind = None\n\n    def move(self, city):\n        self.city = sys.intern(city)"
    );
    // Nothing but a constant is assigned.
    assert_eq!(applied(text, Language::Python, intern("Row", "kind")), None);
    assert_eq!(applied(text, Language::Python, intern("Other", "city")), None);
    // The second time there is nothing to do.
    assert_eq!(applied(&after, Language::Python, intern("Row", "city")), None);
}

#[test]
fn ruby_takes_the_one_string_of_a_text() {
    let text = "class Shop::Row\n  def initialize(line)\n    @city = line.split(\",\")[0]\n    @name = line + \"x\"\n    @kind = line.slice 0, 3\n    @a, @b = 1, 2\n  end\nend\n";
    for (field, line) in [
        ("@city", "    @city = -line.split(\",\")[0]"),
        ("@name", "    @name = -(line + \"x\")"),
        ("@kind", "    @kind = -(line.slice 0, 3)"),
    ] {
        let after = applied(text, Language::Ruby, intern("Shop::Row", field)).unwrap();
        assert!(after.contains(line), "{after}");
    }
    assert_eq!(applied(text, Language::Ruby, intern("Shop::Row", "@a")), None);
}

#[test]
fn a_text_that_the_class_changes_stays_its_own() {
    for change in [
        "@city.setbyte(0, 65)",
        "@city << 'x'",
        "@city[0] = 'x'",
        "@city.gsub!('a', 'b')",
        "@city.concat('x')",
    ] {
        let text = format!(
            "class Row\n  def initialize(line)\n    @city = line.split(\",\")[0]\n  end\n  def change = ({change})\nend\n"
        );
        assert_eq!(
            applied(&text, Language::Ruby, intern("Row", "@city")),
            None,
            "{change}"
        );
    }
    let read = "class Row\n  def initialize(line)\n    @city = line.split(\",\")[0]\n  end\n  def size = @city.size\nend\n";
    assert!(applied(read, Language::Ruby, intern("Row", "@city")).is_some());
}

#[test]
fn javascript_gets_a_table() {
    let text = "'use strict';\nconst fs = require('fs');\n\nclass Row {\n  kind = 'none';\n  constructor(line) {\n    this.city = line.split(',')[0];\n  }\n}\n";
    let after = applied(text, Language::JavaScript, intern("Row", "city")).unwrap();
    assert!(
        after.contains("    this.city = shareText(line.split(',')[0]);"),
        "{after}"
    );
    assert!(
        after.contains("const fs = require('fs');\n\nconst sharedTexts = new Map();\n"),
        "{after}"
    );
    // The second time there is nothing to do.
    assert_eq!(applied(&after, Language::JavaScript, intern("Row", "city")), None);
    let typed = applied(text, Language::TypeScript, intern("Row", "city")).unwrap();
    assert!(typed.contains("function shareText<T>(text: T): T {"), "{typed}");
    let twice = text.replace("class Row", "class Row {}\nclass Row");
    assert_eq!(applied(&twice, Language::JavaScript, intern("Row", "city")), None);
}

/// The finding is of the texts within.
#[test]
fn what_is_no_text_stays() {
    for (language, text) in [
        (
            Language::JavaScript,
            "class Row {\n  constructor(p) {\n    this.of = new RegExp(p);\n  }\n}\n",
        ),
        (
            Language::Python,
            "class Row:\n    def __init__(self, p):\n        self.of = [p]\n",
        ),
        (
            Language::Ruby,
            "class Row\n  def initialize(p)\n    @of = [p]\n  end\nend\n",
        ),
        (
            Language::Java,
            "class Row {\n  Object of;\n  Row(String p) {\n    this.of = new Part(p);\n  }\n}\n",
        ),
    ] {
        let field = if language == Language::Ruby { "@of" } else { "of" };
        assert_eq!(
            applied(text, language, intern("Row", field)),
            None,
            "{language:?}"
        );
    }
    let made = "class Row {\n  String of;\n  Row(char[] p) {\n    this.of = new String(p);\n  }\n}\n";
    assert!(applied(made, Language::Java, intern("Row", "of")).is_some());
}

#[test]
fn java_interns() {
    let text = "class Row {\n  final String city;\n  Row(String line, String other) {\n    this.city = line.substring(3);\n  }\n}\n";
    let after = applied(text, Language::Java, intern("shop.Row", "city")).unwrap();
    assert!(
        after.contains("    this.city = line.substring(3).intern();"),
        "{after}"
    );
    let sum = text.replace("line.substring(3)", "line + other");
    let after = applied(&sum, Language::Java, intern("shop.Row", "city")).unwrap();
    assert!(
        after.contains("    this.city = (line + other).intern();"),
        "{after}"
    );
}

fn fixed(text: &str, fields: &[&str]) -> Option<String> {
    applied(
        text,
        Language::Python,
        Change::FixFields {
            class: "m.Row",
            fields,
        },
    )
}

#[test]
fn a_class_says_its_fields() {
    let text = "class Row:\n    \"\"\"A row.\"\"\"\n    kind = 1\n\n    def __init__(self, x):\n        self.x = x\n        self.y, self.z = 1, 2\n";
    assert_eq!(
        fixed(text, &["x", "y"]).unwrap(),
        "class Row:\n    \"\"\"A row.\"\"\"\n    __slots__ = (\"x\", \"y\", \"z\")\n\n    kind = 1\n\n    def __init__(self, x):\n        self.x = x\n        self.y, self.z = 1, 2"
    );
    // Something else adds `w`; `kind` stands in the class, too; a base has room; there are slots.
    assert_eq!(fixed(text, &["w"]), None);
    assert_eq!(fixed(&text.replace("self.x", "self.kind"), &["y"]), None);
    assert_eq!(fixed(&text.replace("Row:", "Row(Base):"), &["x"]), None);
    assert_eq!(fixed(&text.replace("kind", "__slots__"), &["x"]), None);
}

#[test]
fn dataclasses_have_an_option_for_it() {
    let text = "@dataclass\nclass Row:\n    x: int\n    y: int = 0\n";
    for (decorator, after) in [
        ("@dataclass", "@dataclass(slots=True)"),
        ("@dataclass()", "@dataclass(slots=True)"),
        (
            "@dataclasses.dataclass(frozen=True)",
            "@dataclasses.dataclass(frozen=True, slots=True)",
        ),
    ] {
        let made = fixed(&text.replace("@dataclass", decorator), &["x", "y"]).unwrap();
        assert!(made.starts_with(&format!("{after}\nclass Row:")), "{made}");
    }
    assert_eq!(fixed(&text.replace("@dataclass", "@register"), &["x"]), None);
}

#[test]
fn classes_of_files_that_show_a_need_for_more_stay_open() {
    let class = "class Row:\n    def __init__(self, n):\n        self.n = n\n";
    let slots = |text: &str| {
        let change = Change::FixFields {
            class: "Row",
            fields: &["n"],
        };
        edit(text, Language::Python, change).is_some()
    };
    assert!(slots(class));
    for need in [
        "import weakref\nROWS = weakref.WeakSet()\n",
        "def shown(row):\n    return dict(row.__dict__)\n",
        "def shown(row):\n    return vars(row)\n",
        "def change(row, name):\n    setattr(row, name, 1)\n",
    ] {
        assert!(!slots(&format!("{need}\n{class}")), "{need}");
    }
}

fn entry<'f>(named: &'f [&'f str], more: usize, field: &'f str) -> Change<'f> {
    Change::InternEntry {
        fields: Fields { named, more },
        field,
    }
}

#[test]
fn entries_of_literals_are_looked_up() {
    let python = "import sys\n\ndef parse(line):\n    id, city = line\n    return {\"id\": int(id), \"city\": city, 'kind': line[2]}\n";
    let at = entry(&["id", "city"], 1, "city");
    let after = applied(python, Language::Python, at).unwrap();
    assert!(
        after.contains("{\"id\": int(id), \"city\": sys.intern(city), 'kind'"),
        "{after}"
    );
    // Which of two it is, nobody knows.
    assert_eq!(
        applied(
            &format!("{python}\nOTHER = {{\"id\": 1, \"city\": 2, \"kind\": 3}}\n"),
            Language::Python,
            at
        ),
        None
    );
    // Another number of fields, or one that is not written down.
    assert_eq!(
        applied(python, Language::Python, entry(&["id", "city"], 0, "city")),
        None
    );
    assert_eq!(
        applied(&python.replace("'kind'", "KIND"), Language::Python, at),
        None
    );

    // Of what is only made a text of, nothing is kept.
    let written = "const rows = lines.map((id, city) => JSON.stringify({ at: [{ id, city, kind: 1 }] }));\n";
    assert_eq!(applied(written, Language::JavaScript, at), None);
    let written = "rows = lines.map { |id, city| { id: id, city: city, kind: 1 }.to_json }\n";
    assert_eq!(applied(written, Language::Ruby, at), None);
    let kept = written.replace(".to_json", ".freeze");
    assert!(applied(&kept, Language::Ruby, at).is_some());

    let script =
        "const a = require('a');\nfunction parse(id, city) {\n  return { id, city, kind: id.trim() };\n}\n";
    let after = applied(script, Language::JavaScript, at).unwrap();
    assert!(
        after.contains("{ id, city: shareText(city), kind: id.trim() }"),
        "{after}"
    );
    let after = applied(script, Language::JavaScript, entry(&["id", "city"], 1, "kind")).unwrap();
    assert!(
        after.contains("{ id, city, kind: shareText(id.trim()) }"),
        "{after}"
    );
    assert_eq!(
        applied(&script.replace("city,", "...city,"), Language::JavaScript, at),
        None
    );

    let ruby = "def parse(id, city)\n  { id: id.to_i, city:, \"kind\" => city + \"x\" }\nend\n";
    let after = applied(ruby, Language::Ruby, at).unwrap();
    assert!(after.contains("{ id: id.to_i, city: -city, "), "{after}");
    let after = applied(ruby, Language::Ruby, entry(&["id", "city"], 1, "kind")).unwrap();
    assert!(after.contains("\"kind\" => -(city + \"x\") }"), "{after}");
}

fn class_of<'f>(named: &'f [&'f str]) -> Change<'f> {
    Change::Class {
        fields: Fields { named, more: 0 },
    }
}

#[test]
fn a_literal_becomes_a_class() {
    let python = "# Reads.\n\n\n# A line.\ndef parse(line):\n    id, city = line\n    return {\"city\": city, \"id\": int(id)}\n";
    let fields = ["id", "city"];
    let after = applied(python, Language::Python, class_of(&fields)).unwrap();
    assert_eq!(
        after,
        "\n\nclass Record:\n    __slots__ = (\"city\", \"id\")\n\n    def __init__(self, city, id):\n        self.city = city\n        self.id = id\n\n    def __getitem__(self, key):\n        return getattr(self, key)\n\n    def __setitem__(self, key, value):\n        setattr(self, key, value)\n\n\ndef parse(line):\n    id, city = line\n    return Record(city=city, id=int(id))"
    );
    // Keywords are no fields, and more fields than the literal has come from elsewhere.
    assert_eq!(
        applied(
            &python.replace("\"city\"", "\"class\""),
            Language::Python,
            class_of(&["id", "class"])
        ),
        None
    );
    assert_eq!(
        applied(python, Language::Python, class_of(&["id", "city", "more"])),
        None
    );

    let ruby = "module Shop\n  class Reader\n    # A line.\n    def parse(id, city)\n      {\n        id: id.to_i,\n        city:\n      }\n    end\n  end\nend\n";
    let after = applied(ruby, Language::Ruby, class_of(&fields)).unwrap();
    assert_eq!(
        after,
        "module Shop\n  class Reader\n    Record = Struct.new(:id, :city)\n\n    def parse(id, city)\n      Record.new(\n        id.to_i,\n        city\n      )\n    end\n  end\nend"
    );
    assert_eq!(
        applied(
            &ruby.replace("city", "hash"),
            Language::Ruby,
            class_of(&["id", "hash"])
        ),
        None
    );
}

fn later<'f>(class: &'f str, field: &'f str) -> Change<'f> {
    Change::MakeLater { class, field }
}

#[test]
fn python_makes_a_container_when_it_is_asked_for() {
    let text = "class Node:\n    def __init__(self, name):\n        self.name = name\n        self.children = []\n\n    def add(self, child):\n        self.children.append(child)\n";
    let after = applied(text, Language::Python, later("app.Node", "children")).unwrap();
    assert_eq!(
        after,
        "class Node:\n    @property\n    def children(self):\n        if self._made_children is None:\n            self._made_children = []\n        return self._made_children\n\n    @children.setter\n    def children(self, value):\n        self._made_children = value\n\n    def __init__(self, name):\n        self.name = name\n        self._made_children = None\n\n    def add(self, child):\n        self.children.append(child)"
    );
    for other in [
        // Something is in it, or it is not made once for each object.
        text.replace("= []", "= [name]"),
        text.replace("self.children = []", "if name:\n            self.children = []"),
        // The names of attributes matter.
        format!("{text}\n\ndef shown(node):\n    return vars(node)\n"),
        text.replace(
            "class Node:\n",
            "class Node:\n    __slots__ = (\"name\", \"children\")\n",
        ),
        text.replace("class Node:\n", "class Node:\n    children = None\n"),
        text.replace("class Node", "@register\nclass Node"),
        text.replace("self.children.append(child)", "self.children = None"),
    ] {
        assert_eq!(
            applied(&other, Language::Python, later("Node", "children")),
            None,
            "{other}"
        );
    }
    // The second time there is nothing to do.
    assert_eq!(applied(&after, Language::Python, later("Node", "children")), None);
}

#[test]
fn ruby_makes_a_container_when_it_is_asked_for() {
    let text = "class Node\n  attr_reader :name, :children\n\n  def initialize(name)\n    @name = name\n    @children = []\n  end\n\n  def add(child)\n    @children << child\n    @children\n  end\n\n  def reset = @children = []\nend\n";
    let after = applied(text, Language::Ruby, later("Node", "@children")).unwrap();
    assert_eq!(
        after,
        "class Node\n  attr_reader :name\n\n  def children\n    @children ||= []\n  end\n\n  def initialize(name)\n    @name = name\n    @children = nil\n  end\n\n  def add(child)\n    (@children ||= []) << child\n    @children ||= []\n  end\n\n  def reset = @children = []\nend"
    );
    for other in [
        text.replace("@children << child", "@children += child"),
        text.replace("@children << child", "@children = nil"),
        text.replace("@children << child", "@children, x = child"),
        text.replace("@children << child", "return if defined?(@children)"),
        text.replace("attr_reader :name", "private attr_reader :name"),
        format!("{text}Node.new(1).freeze\n"),
    ] {
        assert_eq!(
            applied(&other, Language::Ruby, later("Node", "@children")),
            None,
            "{other}"
        );
    }
    assert_eq!(applied(&after, Language::Ruby, later("Node", "@children")), None);
}

#[test]
fn javascript_makes_a_container_when_it_is_asked_for() {
    let text = "class Node {\n  constructor(name) {\n    this.name = name;\n    this.children = new Map();\n  }\n\n  add(child) { this.children.set(child, 1); }\n}\n";
    let after = applied(text, Language::JavaScript, later("Node", "children")).unwrap();
    assert_eq!(
        after,
        "class Node {\n  get children() {\n    return this._children ??= new Map();\n  }\n\n  set children(value) {\n    this._children = value;\n  }\n\n  constructor(name) {\n    this.name = name;\n    this._children = undefined;\n  }\n\n  add(child) { this.children.set(child, 1); }\n}"
    );
    assert_eq!(
        applied(&after, Language::JavaScript, later("Node", "children")),
        None
    );
    let typed = "class Node {\n  protected children: string[] = [];\n  name = '';\n\n  // Adds.\n  add(child: string) {\n    this.children.push(child);\n  }\n}\n";
    let after = applied(typed, Language::TypeScript, later("Node", "children")).unwrap();
    assert_eq!(
        after,
        "class Node {\n  private _children: string[] | undefined = undefined;\n  name = '';\n\n  protected get children(): string[] {\n    return this._children ??= [];\n  }\n\n  protected set children(value: string[]) {\n    this._children = value;\n  }\n\n  add(child: string) {\n    this.children.push(child);\n  }\n}"
    );
    for (language, other) in [
        (
            Language::JavaScript,
            text.replace("new Map()", "new Map([[1, 2]])"),
        ),
        (
            Language::JavaScript,
            text.replace("this.children = new", "if (name) this.children = new"),
        ),
        (Language::JavaScript, text.replace("add(child)", "get children()")),
        (
            Language::JavaScript,
            text.replace("this.children.set(child, 1)", "this.children = null"),
        ),
        (Language::TypeScript, text.to_owned()),
        (Language::TypeScript, typed.replace("protected", "readonly")),
        (Language::TypeScript, typed.replace(": string[] =", " =")),
    ] {
        assert_eq!(
            applied(&other, language, later("Node", "children")),
            None,
            "{other}"
        );
    }
}

#[test]
fn java_makes_a_container_when_it_is_asked_for() {
    let text = "class Node {\n    private final List<String> tags = new ArrayList<>();\n    private final int id;\n\n    Node(int id) {\n        this.id = id;\n    }\n\n    void add(String tag) {\n        tags.add(tag);\n        for (String t : this.tags) System.out.println(t);\n    }\n}\n";
    let after = applied(text, Language::Java, later("shop.Node", "tags")).unwrap();
    assert_eq!(
        after,
        "class Node {\n    private List<String> tags;\n    private final int id;\n\n    private List<String> tagsMade() {\n        if (tags == null) {\n            tags = new ArrayList<>();\n        }\n        return tags;\n    }\n\n    Node(int id) {\n        this.id = id;\n    }\n\n    void add(String tag) {\n        tagsMade().add(tag);\n        for (String t : tagsMade()) System.out.println(t);\n    }\n}"
    );
    let assigned = text.replace(" = new ArrayList<>();", ";").replace(
        "this.id = id;",
        "this.id = id;\n        tags = new ArrayList<>();",
    );
    let after = applied(&assigned, Language::Java, later("shop.Node", "tags")).unwrap();
    assert!(after.contains("        this.id = id;\n    }\n"), "{after}");
    for other in [
        text.replace("private final List", "final List"),
        text.replace("private final List", "private static final List"),
        text.replace("private final List", "private volatile List"),
        text.replace("ArrayList<>()", "ArrayList<>(List.of())"),
        text.replace(
            "void add(String tag) {",
            "void add(String tag, List<String> tags) {",
        ),
        text.replace("tags.add(tag);", "tags = new ArrayList<>();"),
        text.replace("tags.add(tag);", "other.tags.add(tag);"),
        text.replace("    void add", "    class Inner { int tags; }\n\n    void add"),
    ] {
        assert_eq!(
            applied(&other, Language::Java, later("shop.Node", "tags")),
            None,
            "{other}"
        );
    }
}
