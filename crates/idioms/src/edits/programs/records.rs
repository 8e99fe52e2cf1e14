//! Literals whose texts are looked up, or that become instances of a class.

use super::{Chance, PROGRAMS, answer_the_same, edited};
use crate::Language;
use crate::edits::{Change, Fields};

const NAMES: [&str; 8] = ["id", "city", "kind", "url", "zone", "name", "count", "at"];

/// How literals of a language are written.
struct Forms {
    language: Language,
    /// A function around a literal at `LITERAL`, which gets a text `x` and a variable for each field.
    function: &'static [&'static str],
    /// An entry with the field at `K` and its value at `V`.
    entries: &'static [&'static str],
    /// What gives texts; `x` is one.
    texts: &'static [&'static str],
    brackets: (&'static str, &'static str),
    /// A variable of a field's name.
    variable: &'static str,
    /// What the program answers of a field.
    answer: &'static str,
    begin: &'static str,
    end: &'static str,
    indent: &'static str,
}

const JAVASCRIPT: Forms = Forms {
    language: Language::JavaScript,
    function: &[
        "function parse(x) {\nVARIABLES  return LITERAL;\n}\n",
        "const parse = (x) => {\nVARIABLES  const row = LITERAL;\n  return row;\n};\n",
        "const parse = function (x) {\nVARIABLES  return [LITERAL].pop();\n};\n",
    ],
    entries: &["K: V", "'K': V", "K:V", "K"],
    texts: &[
        "x",
        "x.trim()",
        "x + 'y'",
        "`${x}!`",
        "x ? x : 'none'",
        "x || 'none'",
        "(x, x)",
    ],
    brackets: ("{", "}"),
    variable: "  const K = x + 'K';\n",
    answer: "answers.push(row.K);\n",
    begin: "const answers = [];\nfor (const x of ['a', ' b', 'a', '']) {\nconst row = parse(x);\n",
    end: "answers.push(Object.keys(row));\n}\n",
    indent: "",
};

const PYTHON: Forms = Forms {
    language: Language::Python,
    function: &[
        "def parse(x):\nVARIABLES    return LITERAL\n",
        "class Reader:\n    def read(self, x):\nVARIABLES        row = LITERAL\n        return row\n\n\nparse = Reader().read\n",
        "# Reads one.\ndef parse(x):\nVARIABLES    return [LITERAL][0]\n",
    ],
    entries: &["\"K\": V", "'K': V", "\"K\":V"],
    texts: &[
        "x",
        "x.strip()",
        "x + \"y\"",
        "f\"{x}!\"",
        "x if x else \"none\"",
        "x or \"none\"",
        "\" \".join([x, x])",
    ],
    brackets: ("{", "}"),
    variable: "",
    answer: "    answers.append(row[\"K\"])\n    row[\"K\"] = row[\"K\"] + \"z\"\n    answers.append(row[\"K\"])\n",
    begin: "answers = []\nfor x in [\"a\", \" b\", \"a\", \"\"]:\n    row = parse(x)\n",
    end: "",
    indent: "",
};

const RUBY: Forms = Forms {
    language: Language::Ruby,
    function: &[
        "def self.parse(x)\nVARIABLES  LITERAL\nend\n",
        "class Reader\n  # Reads one.\n  def read(x)\nVARIABLES    row = LITERAL\n    row\n  end\nend\n\ndef self.parse(x) = Reader.new.read(x)\n",
        "def self.parse(x)\nVARIABLES  [LITERAL].first\nend\n",
    ],
    entries: &["K: V", ":K => V", "K:"],
    texts: &[
        "x",
        "x.strip",
        "x + \"y\"",
        "\"#{x}!\"",
        "(x.empty? ? \"none\" : x)",
        "x.sub(\"a\", \"b\")",
        "[x, x].join",
    ],
    brackets: ("{", "}"),
    variable: "  K = x + \"K\"\n",
    answer: "    answers << row[:K]\n    row[:K] = row[:K] + \"z\"\n    answers << row[:K]\n",
    begin: "def self.answers\n  answers = []\n  [\"a\", \" b\", \"a\", \"\"].each do |x|\n    row = parse(x)\n",
    end: "  end\n  answers\nend\n",
    indent: "",
};

/// A program and the fields of its literal.
fn program<'n>(forms: &Forms, chance: &mut Chance) -> (String, Vec<&'n str>) {
    let names = chance.some_of(&NAMES, 2);
    let mut variables = String::new();
    let mut entries: Vec<String> = Vec::new();
    for name in &names {
        let form = chance.one_of(forms.entries);
        if !form.contains('V') {
            variables += &forms.variable.replace('K', name);
        }
        entries.push(form.replace('K', name).replace('V', chance.one_of(forms.texts)));
    }
    let (open, close) = forms.brackets;
    let literal = match chance.below(4) {
        0 => format!("{open}{}{close}", entries.join(", ")),
        1 => format!("{open} {} {close}", entries.join(", ")),
        2 => format!("{open}\n    {},\n  {close}", entries.join(",\n    ")),
        _ => format!("{open} {},\n    {} {close}", entries[0], entries[1..].join(", ")),
    };
    let function = chance
        .one_of(forms.function)
        .replace("VARIABLES", &variables)
        .replace("LITERAL", &literal);
    let answers: String = names.iter().map(|name| forms.answer.replace('K', name)).collect();
    let text = format!(
        "{}{function}\n{}{answers}{}",
        forms.indent, forms.begin, forms.end
    );
    (text, names)
}

fn tried<'f>(forms: &Forms, change: impl for<'a> Fn(&'a [&'a str], &'a str) -> Change<'a>) {
    let mut chance = Chance(0x2545_F491_4F6C_DD1D);
    let pairs: Vec<(String, String)> = (0..PROGRAMS)
        .map(|_| {
            let (before, names) = program(forms, &mut chance);
            let field = chance.one_of(&names);
            let after = edited(&before, forms.language, change(&names, field));
            (before, after)
        })
        .collect();
    answer_the_same(forms.language, &pairs);
}

fn interned<'a>(names: &'a [&'a str], field: &'a str) -> Change<'a> {
    Change::InternEntry {
        fields: Fields {
            named: &names[..2],
            more: names.len() - 2,
        },
        field,
    }
}

fn of_class<'a>(names: &'a [&'a str], _: &'a str) -> Change<'a> {
    Change::Class {
        fields: Fields {
            named: names,
            more: 0,
        },
    }
}

#[test]
fn texts_of_literals_of_javascript_answer_the_same() {
    tried(&JAVASCRIPT, interned);
}

#[test]
fn texts_of_literals_of_python_answer_the_same() {
    tried(&PYTHON, interned);
}

#[test]
fn texts_of_literals_of_ruby_answer_the_same() {
    tried(&RUBY, interned);
}

#[test]
fn classes_of_python_answer_the_same() {
    tried(&PYTHON, of_class);
}

#[test]
fn classes_of_ruby_answer_the_same() {
    tried(&RUBY, of_class);
}
