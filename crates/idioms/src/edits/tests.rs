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
