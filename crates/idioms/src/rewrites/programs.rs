//! The same in whole programs: an expression stands in code around it that chance has written, all of the program's rewrites
//! are made at once, and both programs answer the same.

use std::fmt::Write as _;
use std::fs;
use std::iter;

use super::{ALWAYS, Case, compared, java, javascript, python, ruby};
use crate::{Language, antipatterns_in};

/// Programs for each expression.
const PROGRAMS: usize = 100;

/// Inputs that each is run on.
const INPUTS: usize = 12;

/// How programs of a language are written.
struct Forms {
    language: Language,
    /// What stands for the value, and what has to come before that.
    values: &'static [(&'static str, &'static str)],
    /// Bodies of functions with an expression at `EXPR`.
    expressions: &'static [&'static str],
    /// Bodies of functions with statements at `EXPR`. The last statement is the answer.
    statements: &'static [&'static str],
    /// Lines that stand before and do nothing.
    fill: &'static [&'static str],
    /// What a line of a body is indented by.
    indent: &'static str,
    /// What separates the statements of one line.
    break_at: &'static str,
}

const RUBY: Forms = Forms {
    language: Language::Ruby,
    values: &[
        ("v", ""),
        ("@given", "@given = v"),
        ("row[:v]", "row = { v: v }"),
        ("given", "given = v"),
        ("pair.last", "pair = [nil, v]"),
        ("itself.handed(v)", ""),
    ],
    expressions: &[
        "EXPR",
        "x = EXPR\n[x, 1]",
        "x = [(EXPR), 1]\nx",
        "if EXPR\n  :yes\nelse\n  :no\nend",
        "\"<#{EXPR}>\"",
        "[1, 2].map { |i| [i, (EXPR)] }",
        "handed((EXPR))",
        "return EXPR if true\nnil",
        "{ a: (EXPR), b: 1 }",
        "case (EXPR)\nwhen nil then 0\nelse [(EXPR)]\nend",
        "y = nil\n3.times do\n  y = EXPR\nend\ny",
        "lambda { EXPR }.call",
        "begin\n  EXPR\nensure\n  @done = 1\nend",
        "x = (EXPR)\n@kept ||= x\nx",
        "EXPR unless v.equal?(self)",
    ],
    statements: &[
        "EXPR",
        "x = 1\nEXPR",
        "if v\n  EXPR\nelse\n  0\nend",
        "2.times do |i|\n  EXPR\nend",
    ],
    fill: &["z = 1", "# What comes next.", "@seen = true", ""],
    indent: "  ",
    break_at: "; ",
};

const JAVASCRIPT: Forms = Forms {
    language: Language::JavaScript,
    values: &[
        ("v", ""),
        ("row.v", "const row = { v };"),
        ("given", "let given = v;"),
        ("pair[1]", "const pair = [null, v];"),
        ("handed(v)", "const handed = (x) => x;"),
    ],
    expressions: &[
        "return EXPR;",
        "const x = EXPR;\nreturn [x, 1];",
        "if (EXPR) {\n  return 'yes';\n}\nreturn 'no';",
        "return `<${EXPR}>`;",
        "return [1, 2].map((i) => [i, EXPR]);",
        "return String(EXPR);",
        "return { a: EXPR, b: 1 };",
        "let y;\nfor (let i = 0; i < 3; i++) {\n  y = EXPR;\n}\nreturn y;",
        "return (() => EXPR)();",
        "return (EXPR) ? 1 : 2;",
        "switch (EXPR) {\n  case undefined:\n    return 0;\n  default:\n    return [EXPR];\n}",
        "try {\n  return EXPR;\n} finally {\n  void 0;\n}",
    ],
    statements: &[],
    fill: &["const z = 1;", "// What comes next.", ""],
    indent: "  ",
    break_at: "; ",
};

const PYTHON: Forms = Forms {
    language: Language::Python,
    values: &[
        ("v", ""),
        ("row.v", "row = type('Row', (), {})()\nrow.v = v"),
        ("given", "given = v"),
        ("pair[1]", "pair = [None, v]"),
    ],
    expressions: &[
        "return EXPR",
        "x = EXPR\nreturn [x, 1]",
        "if EXPR:\n    return 'yes'\nreturn 'no'",
        "return '<' + repr(EXPR) + '>'",
        "return [(i, EXPR) for i in (1, 2)]",
        "return str(EXPR)",
        "return {'a': EXPR, 'b': 1}",
        "y = None\nfor i in range(3):\n    y = EXPR\nreturn y",
        "return (lambda: EXPR)()",
        "try:\n    return EXPR\nfinally:\n    pass",
        "assert not isinstance(EXPR, set)\nreturn EXPR",
    ],
    statements: &[],
    fill: &["z = 1", "# What comes next.", ""],
    indent: "    ",
    break_at: "; ",
};

/// A number that was an `int` may be a `long`, so that none is put into a variable of that type.
const JAVA: Forms = Forms {
    language: Language::Java,
    values: &[
        ("v", ""),
        ("row.v()", "Row row = new Row(v);"),
        ("given", "Object given = v;"),
        ("pair[1]", "Object[] pair = {null, v};"),
    ],
    expressions: &[
        "return EXPR;",
        "var got = EXPR;\nreturn List.of(got, 1);",
        "if (Objects.equals(EXPR, true)) {\n    return \"yes\";\n}\nreturn \"no\";",
        "return \"<\" + (EXPR) + \">\";",
        "return String.valueOf(EXPR);",
        "Object got = null;\nfor (int i = 0; i < 3; i++) {\n    got = EXPR;\n}\nreturn got;",
        "Supplier<Object> ask = () -> EXPR;\nreturn ask.get();",
        "try {\n    return EXPR;\n} finally {\n    z++;\n}",
        "return Stream.of(1, 2).map(i -> i + \" \" + (EXPR)).toList();",
        "Map<String, Object> all = new TreeMap<>();\nall.put(\"a\", EXPR);\nreturn all;",
    ],
    statements: &[],
    fill: &["int y = 1;", "// What comes next.", ""],
    indent: "    ",
    break_at: "; ",
};

/// Numbers that look like chance and are the same each time.
struct Chance(u64);

impl Chance {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % most
    }

    fn of<'t>(&mut self, all: &[&'t str]) -> &'t str {
        all[self.below(all.len())]
    }
}

impl Forms {
    /// The body of a function of `v` around an expression.
    fn body(&self, expression: &str, chance: &mut Chance) -> String {
        let has_statements = expression.contains(self.break_at);
        let (value, before) = self.values[chance.below(self.values.len())];
        let written = replaced(expression, value);
        let around = chance.of(if has_statements {
            self.statements
        } else {
            self.expressions
        });
        let mut lines: Vec<String> = before.lines().map(str::to_owned).collect();
        lines.extend(iter::once(chance.of(self.fill).to_owned()));
        for line in around.lines() {
            match line.split_once("EXPR").filter(|_| has_statements) {
                Some((indent, behind)) => {
                    lines.extend(
                        written
                            .split(self.break_at)
                            .map(|one| format!("{indent}{one}{behind}")),
                    );
                }
                None => lines.push(line.replace("EXPR", &written)),
            }
        }
        let body = lines.iter().map(|line| format!("{}{line}\n", self.indent));
        body.collect()
    }

    /// With all rewrites made; none where nothing was found.
    fn rewritten(&self, program: &str) -> Option<String> {
        let found = antipatterns_in(program, self.language, "f").unwrap();
        let mut rewrites: Vec<_> = found.into_iter().filter_map(|found| found.rewrite).collect();
        rewrites.sort_by_key(|rewrite| rewrite.line);
        // Of two on one line the first, as `fix` makes them.
        rewrites.dedup_by(|b, a| b.line < a.line + a.before.len() as u32);
        let mut lines: Vec<String> = program.lines().map(str::to_owned).collect();
        for rewrite in rewrites.iter().rev() {
            let from = rewrite.line as usize - 1;
            let range = from..from + rewrite.before.len();
            assert_eq!(lines[range.clone()], rewrite.before);
            lines.splice(range, rewrite.after.iter().cloned());
        }
        (!rewrites.is_empty()).then(|| lines.join("\n"))
    }
}

/// The expression of another value than `v`.
fn replaced(expression: &str, value: &str) -> String {
    let is_name = |c: char| c.is_alphanumeric() || c == '_' || c == '\'';
    let mut text = String::new();
    let mut before = ' ';
    let mut rest = expression.chars().peekable();
    while let Some(c) = rest.next() {
        if c == 'v' && !is_name(before) && before != '.' && !rest.peek().is_some_and(|&next| is_name(next)) {
            text.push_str(value);
        } else {
            text.push(c);
        }
        before = c;
    }
    text
}

/// Writes programs for all expressions by `pair`, which is handed a number, both bodies, and the case.
fn programs(forms: &Forms, cases: &[Case], pair: impl Fn(&mut String, usize, [&str; 2], &Case)) -> String {
    let mut chance = Chance(11);
    let mut all = String::new();
    let mut number = 0;
    for case in cases {
        let mut rewritten = 0;
        for _ in 0..PROGRAMS {
            let body = forms.body(case.0, &mut chance);
            let program = match forms.language {
                Language::Ruby => format!("def f(v)\n{body}end\n"),
                Language::Python => format!("def f(v):\n{body}"),
                Language::Java => format!("static class F {{\nstatic Object f(Object v) {{\n{body}}}\n}}"),
                _ => format!("function f(v) {{\n{body}}}\n"),
            };
            if let Some(after) = forms.rewritten(&program) {
                pair(&mut all, number, [&program, &after], case);
                rewritten += 1;
            }
            number += 1;
        }
        // Where an expression stands decides whether it may be rewritten, but it does so seldom.
        assert!(
            rewritten * 4 > PROGRAMS,
            "{}: {rewritten} of {PROGRAMS} programs rewritten",
            case.0
        );
    }
    all
}

fn run(name: &str, text: &str, by: &str, cases: usize) {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join(name);
    fs::write(&path, text).unwrap();
    compared(&path, by, cases * PROGRAMS);
}

#[test]
fn programs_of_ruby_answer_as_before() {
    let cases = ruby::CASES;
    let pairs = programs(
        &RUBY,
        cases,
        |all, number, [before, after], Case(expression, values, when)| {
            let when = if *when == ALWAYS { "true" } else { when };
            writeln!(
            all,
            "PAIRED << [{number}, {expression:?}, Class.new(Base) {{\n{before}\n}}, Class.new(Base) {{\n{after}\n}}, {values}, ->(v) {{ {when} }}]"
        )
        .unwrap();
        },
    );
    let text = format!(
        "# frozen_string_literal: true\nrequire 'set'\n{}\nPAIRED = []\nclass Base; def handed(x) = x; def inspect = 'base'; end\n{pairs}
def answer(by, value)
  answered = by.new.f(value)
  [answered.class, answered.inspect, value.inspect]
rescue StandardError
  :raises
end
compared = 0
PAIRED.each do |number, expression, before, after, values, on|
  values = values.select {{ |value| (on.call(value) rescue false) }}
  values = Array.new({INPUTS}) {{ values[CHANCE.rand(values.size)] }}
  values.each do |value|
    copies = Array.new(2) {{ value.is_a?(String) && !value.frozen? ? value.dup : value }}
    want, got = answer(before, copies[0]), answer(after, copies[1])
    compared += 1
    puts \"#{{number}} #{{expression}} of #{{value.inspect}}: #{{want.inspect}}, rewritten #{{got.inspect}}\" if want != got
  end
end
puts \"compared #{{compared}}\"
",
        ruby::INPUTS
    );
    run("program.rb", &text, "ruby", cases.len());
}

#[test]
fn programs_of_javascript_answer_as_before() {
    let cases = javascript::CASES;
    let pairs = programs(
        &JAVASCRIPT,
        cases,
        |all, number, [before, after], Case(expression, values, when)| {
            let when = if *when == ALWAYS { "true" } else { when };
            writeln!(
            all,
            "pairs.push([{number}, {expression:?}, (() => {{\n{before}\nreturn f;\n}})(), (() => {{\n{after}\nreturn f;\n}})(), {values}, (v) => {when}]);"
        )
        .unwrap();
        },
    );
    let text = format!(
        "{}\nconst {{ inspect }} = require('node:util');\nconst pairs = [];\n{pairs}
const answer = (ask, value) => {{
  try {{ const said = ask(value); return typeof said + inspect(said, {{ depth: 9 }}) + inspect(value, {{ depth: 9 }}); }} catch (error) {{ return error.name; }}
}};
let compared = 0;
for (const [number, expression, before, after, all, on] of pairs) {{
  const values = all.filter(on);
  for (let at = 0; at < {INPUTS}; at++) {{
    const value = values[chance(values.length)];
    const [want, got] = [answer(before, value), answer(after, value)];
    compared++;
    if (want !== got) console.log(`${{number}} ${{expression}} of ${{inspect(value)}}: ${{want}}, rewritten ${{got}}`);
  }}
}}
console.log(`compared ${{compared}}`);
",
        javascript::INPUTS
    );
    run("program.cjs", &text, "node", cases.len());
}

#[test]
fn programs_of_java_answer_as_before() {
    let cases = java::CASES;
    let pairs = programs(
        &JAVA,
        cases,
        |all, number, [before, after], Case(expression, values, when)| {
            let when = if *when == ALWAYS { "true" } else { when };
            let named =
                |text: &str, name: &str| text.replacen("class F", &format!("class {name}{number}"), 1);
            let (before, after) = (named(before, "Before"), named(after, "After"));
            // Each in a method of its own: one for all would be too long.
            writeln!(
                all,
                "{before}\n{after}\nstatic class Pair{number} {{ static void run() {{\n\
                 some({expression:?}, Before{number}::f, After{number}::f, {values}, v -> {when});\n}} }}"
            )
            .unwrap();
        },
    );
    let calls: Vec<String> = pairs
        .lines()
        .filter_map(|line| line.strip_prefix("static class Pair")?.split(' ').next())
        .map(|number| format!("Pair{number}.run();"))
        .collect();
    let text = format!(
        "import java.util.*;\nimport java.util.function.*;\nimport java.util.stream.*;\npublic class Program {{\n{}
record Row(Object v) {{}}
static int z;
static final Random CHANCE = new Random(11);
static void some(String code, Ask before, Ask after, List<Object> all, On on) {{
  List<Object> values = all.stream().filter(on::holds).toList();
  for (int at = 0; at < {INPUTS}; at++) pair(code, before, after, List.of(values.get(CHANCE.nextInt(values.size()))), on);
}}
{pairs}
public static void main(String[] arguments) {{\ninputs();\n{}\nSystem.out.println(\"compared \" + compared);\n}}\n}}\n",
        java::PROGRAM,
        calls.join("\n")
    );
    run("Program.java", &text, "java", cases.len());
}

#[test]
fn programs_of_python_answer_as_before() {
    let cases = python::CASES;
    let pairs = programs(
        &PYTHON,
        cases,
        |all, number, [before, after], Case(expression, values, when)| {
            let when = if *when == ALWAYS { "True" } else { when };
            writeln!(
            all,
            "{before}\nbefore = f\n{after}\npairs.append(({number}, {expression:?}, before, f, {values}, lambda v: {when}))"
        )
        .unwrap();
        },
    );
    let text = format!(
        "{}\npairs = []\n{pairs}
def answer(ask, value):
    try: return repr(ask(value))
    except Exception as error: return type(error).__name__
compared = 0
for number, expression, before, after, values, on in pairs:
    values = [value for value in values if on(value)]
    for value in (chance.choice(values) for _ in range({INPUTS})):
        compared += 1
        want, got = answer(before, value), answer(after, value)
        if want != got: print(number, expression, 'of', repr(value), want, 'rewritten', got)
print('compared', compared)
",
        python::INPUTS
    );
    run("program.py", &text, "python3", cases.len());
}
