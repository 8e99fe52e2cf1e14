//! Classes with a container that is made when it is first asked for.

use super::{Chance, PROGRAMS, answer_the_same, edited};
use crate::Language;
use crate::edits::Change;

/// How classes of a language are written; `F` is the field.
struct Forms {
    language: Language,
    field: &'static str,
    /// The class, with its first values at `VALUES` and its methods at `METHODS`.
    class: &'static str,
    /// Ways of giving the field its container, among other fields.
    made: &'static [&'static str],
    /// Other fields.
    others: &'static [&'static str],
    methods: &'static [&'static str],
    /// What the program does with objects `a` and `b`, and what it answers.
    uses: &'static [&'static str],
    indent: &'static str,
    begin: &'static str,
    end: &'static str,
}

const JAVASCRIPT: Forms = Forms {
    language: Language::JavaScript,
    field: "items",
    class: "class Base {\n  constructor() { this.base = 1; }\n}\n\nclass Node extends Base {\n  // Makes one.\n  constructor(name) {\n    super();\nVALUES  }\n\nMETHODS}\n",
    made: &[
        "this.items = [];",
        "this.items = []; // none yet",
        "this.items = new Array();",
    ],
    others: &["this.name = name;", "this.more = { name };", "this.size = 3;"],
    methods: &[
        "add(x) { this.items.push(x); return this.items.length; }",
        "all() { return this.items.map((x) => x + 1); }",
        "has(x) { return this.items.includes(x); }",
        "take() { const taken = this.items; this.items = []; return taken; }",
        "swap(other) { [this.items, other.items] = [other.items, this.items]; }",
        "copy() { return [...this.items]; }",
        "first() { const { items } = this; return items[0] ?? null; }",
        "each() { let sum = 0; for (const x of this.items) sum += x; return sum; }",
        "put(list) { this.items = list; return this; }",
        "inner() { return [1, 2].map((x) => this.items.indexOf(x)); }",
    ],
    uses: &[
        "answers.push(a.items.length);",
        "a.items.push(4); answers.push(b.items.length);",
        "answers.push(a.items === b.items, a.items === a.items);",
        "answers.push(a.add?.(1), a.all?.(), b.has?.(1));",
        "b.items = a.items; answers.push(b.items);",
        "answers.push(a.take?.(), a.copy?.(), a.first?.());",
        "a.swap?.(b); answers.push(a.items, b.items);",
        "answers.push(a.each?.(), b.inner?.(), a.put?.([7])?.items);",
        "answers.push('items' in a, a.items.concat(b.items));",
        "answers.push(Array.isArray(a.items), typeof b.items);",
    ],
    indent: "  ",
    begin: "const answers = [];\nconst [a, b] = [new Node('a'), new Node('b')];\n",
    end: "",
};

const PYTHON: Forms = Forms {
    language: Language::Python,
    field: "items",
    class: "class Base:\n    pass\n\n\nclass Node(Base):\n    \"A node.\"\n    limit = 3\n\n    # Makes one.\n    def __init__(self, name):\n        super().__init__()\nVALUES\nMETHODS",
    made: &[
        "self.items = []",
        "self.items = list()",
        "self.items = []  # none yet",
    ],
    others: &[
        "self.name = name",
        "self.more = {\"name\": name}",
        "self.size = 3",
    ],
    methods: &[
        "def add(self, x):\n    self.items.append(x)\n    return len(self.items)",
        "def all(self):\n    return [x + 1 for x in self.items]",
        "def has(self, x):\n    return x in self.items",
        "def take(self):\n    taken, self.items = self.items, []\n    return taken",
        "def more_of(self):\n    self.items += [5]\n    return self.items",
        "def copy(self):\n    return list(self.items)",
        "def put(self, given):\n    self.items = given\n    return self",
        "def inner(self):\n    return (lambda: self.items)()",
        "def first(self):\n    return self.items[0] if self.items else None",
    ],
    uses: &[
        "answers.append(len(a.items))",
        "a.items.append(4); answers.append(len(b.items))",
        "answers.append([a.items is b.items, a.items is a.items])",
        "answers.append([hasattr(a, \"items\"), a.items == b.items])",
        "b.items = a.items; answers.append(list(b.items))",
        "a.items.extend([1, 2]); a.items[0] = 9; answers.append(list(a.items))",
        "a.items += b.items; answers.append(list(a.items))",
        "answers.append(bool(a.items) or sorted(b.items))",
        "answers.append([list(x) if isinstance(x, list) else x for x in (CALLS)])",
    ],
    indent: "    ",
    begin: "answers = []\na, b = Node(\"a\"), Node(\"b\")\n",
    end: "",
};

const RUBY: Forms = Forms {
    language: Language::Ruby,
    field: "@items",
    class: "class Node\n  READERS\n\n  # Makes one.\n  def initialize(name)\nVALUES  end\n\nMETHODSend\n\n",
    made: &["@items = []", "@items = Array.new", "@items = [] # none yet"],
    others: &["@name = name", "@more = { name: name }", "@size = 3"],
    methods: &[
        "def add(x)\n  @items << x\n  @items.size\nend",
        "def all = @items.map { |x| x + 1 }",
        "def has?(x)\n  return true if @items.include?(x)\n  false\nend",
        "def take\n  taken = @items\n  @items = []\n  taken\nend",
        "def copy\n  [*@items]\nend",
        "def text = \"<#{@items}> #{@items.size}\"",
        "def whole\n  @items\nend",
        "def put(given)\n  @items = given\n  self\nend",
        "def same?(other)\n  @items.equal?(other.whole_of) && !@items.nil?\nend",
        "def whole_of = @items",
        "def each(&block)\n  @items.each(&block)\n  @items.empty? ? 0 : @items.sum\nend",
        "def size_or\n  @items&.size || 7\nend",
        "def table\n  { items: @items, n: [@items, 1] }\nend",
    ],
    uses: &["CALLS"],
    indent: "  ",
    begin: "def self.answers\n  answers = []\n  a, b = Node.new(\"a\"), Node.new(\"b\")\n",
    end: "  answers\nend\n",
};

const JAVA: Forms = Forms {
    language: Language::Java,
    field: "items",
    class: "class Node {\n    DECLARED\n    private final String name;\n\n    // Makes one.\n    Node(String name) {\nVALUES        this.name = name;\n    }\n\nMETHODS",
    made: &[""],
    others: &["System.nanoTime();", "Objects.requireNonNull(name);"],
    methods: &[
        "int add(int x) {\n    items.add(x);\n    return this.items.size();\n}",
        "String all() {\n    String all = \"\";\n    for (int x : items) all += x + \",\";\n    return all;\n}",
        "boolean has(int x) {\n    return items.contains(x);\n}",
        "List<Integer> whole() {\n    return items;\n}",
        "List<Integer> copy() {\n    return new ArrayList<>(items);\n}",
        "int sum() {\n    return items.stream().mapToInt(x -> x + items.size()).sum();\n}",
        "boolean none() {\n    return !(items.size() > 0 || this.items.contains(3));\n}",
        "int items() {\n    return items.isEmpty() ? 0 : items.get(0);\n}",
        "Runnable later() {\n    return () -> items.add(items.size());\n}",
    ],
    uses: &["CALLS"],
    indent: "    ",
    begin: "    static String answers() {\n        StringBuilder answers = new StringBuilder();\n        Node a = new Node(\"a\"), b = new Node(\"b\");\n",
    end: "        return answers.toString();\n    }\n}\n",
};

/// What calls the methods that a program of that language has.
fn calls(forms: &Forms, methods: &[&str], chance: &mut Chance) -> Vec<String> {
    let known: &[(&str, &str)] = match forms.language {
        Language::Ruby => &[
            ("def add", "answers << a.add(3)"),
            ("def all", "answers << b.all"),
            ("def has?", "answers << a.has?(3)"),
            ("def take", "answers << a.take"),
            ("def copy", "answers << a.copy"),
            ("def text", "answers << a.text"),
            ("def whole\n", "a.whole << 5; answers << a.whole.equal?(a.whole)"),
            ("def put", "a.put([8, 9])"),
            ("def each", "answers << a.each { |x| answers << x }"),
            ("def size_or", "answers << b.size_or"),
            ("def table", "answers << a.table"),
        ],
        Language::Java => &[
            ("int add", "answers.append(a.add(3));"),
            ("String all", "answers.append(b.all());"),
            ("boolean has", "answers.append(a.has(3));"),
            (
                "> whole",
                "a.whole().add(5); answers.append(a.whole() == a.whole());",
            ),
            ("> copy", "answers.append(a.copy());"),
            ("int sum", "answers.append(a.sum());"),
            ("boolean none", "answers.append(b.none());"),
            ("int items", "answers.append(a.items());"),
            ("Runnable later", "a.later().run();"),
        ],
        Language::Python => &[
            ("def add", "a.add(3)"),
            ("def all", "b.all()"),
            ("def has", "a.has(3)"),
            ("def take", "a.take()"),
            ("def more_of", "a.more_of()"),
            ("def copy", "b.copy()"),
            ("def put", "a.put([8]).items"),
            ("def inner", "b.inner()"),
            ("def first", "a.first()"),
        ],
        _ => &[],
    };
    let has = |start: &str| methods.iter().any(|method| format!("{method}\n").contains(start));
    let all: Vec<&str> = known
        .iter()
        .filter(|(start, _)| has(start))
        .map(|(_, call)| *call)
        .collect();
    let mut calls = Vec::new();
    for _ in 0..6 {
        calls.extend(chance.some_of(&all, 0).into_iter().map(str::to_owned));
    }
    calls
}

fn indented(text: &str, by: &str) -> String {
    let lines: Vec<String> = text.lines().map(|line| format!("{by}{line}")).collect();
    lines.join("\n") + "\n"
}

fn program(forms: &Forms, chance: &mut Chance) -> String {
    let methods = chance.some_of(forms.methods, 1);
    let mut values: Vec<&str> = chance.some_of(forms.others, 0);
    let made = chance.one_of(forms.made);
    values.insert(chance.below(values.len() + 1), made);
    let values: String = values
        .iter()
        .map(|value| indented(value, &forms.indent.repeat(2)))
        .collect();
    let written: Vec<String> = methods
        .iter()
        .map(|method| indented(method, forms.indent))
        .collect();
    let mut class = forms
        .class
        .replace("VALUES", &values)
        .replace("METHODS", &written.join("\n"));
    let readers = [
        "attr_reader :items",
        "attr_reader :name, :items",
        "attr_accessor :items, :more",
        "attr_accessor :name",
    ];
    class = class.replace("READERS", chance.one_of(&readers));
    let declared = [
        "private final List<Integer> items = new ArrayList<>();",
        "private List<Integer> items = new LinkedList<>();",
        "private final List<Integer> items = new ArrayList<Integer>();",
    ];
    class = class.replace("DECLARED", chance.one_of(&declared));
    let calls = calls(forms, &methods, chance);
    let mut uses = String::new();
    let indent = match forms.language {
        Language::Ruby => "  ",
        Language::Java => "        ",
        _ => "",
    };
    for one in chance.some_of(forms.uses, 1) {
        if one == "CALLS" {
            for call in &calls {
                uses += &indented(call, indent);
            }
        } else {
            let mut calls = calls.join(", ");
            // A tuple of one.
            if !calls.is_empty() {
                calls.push(',');
            }
            uses += &indented(&one.replace("CALLS", &calls), indent);
        }
    }
    format!("{class}\n{}{uses}{}", forms.begin, forms.end)
}

fn tried(forms: &Forms) {
    let mut chance = Chance(0x9E37_79B9_7F4A_7C15);
    let pairs: Vec<(String, String)> = (0..PROGRAMS)
        .map(|_| {
            let before = program(forms, &mut chance);
            let change = Change::MakeLater {
                class: "Node",
                field: forms.field,
            };
            let after = edited(&before, forms.language, change);
            (before, after)
        })
        .collect();
    answer_the_same(forms.language, &pairs);
}

#[test]
fn containers_of_javascript_answer_the_same() {
    tried(&JAVASCRIPT);
}

#[test]
fn containers_of_python_answer_the_same() {
    tried(&PYTHON);
}

#[test]
fn containers_of_ruby_answer_the_same() {
    tried(&RUBY);
}

#[test]
fn containers_of_java_answer_the_same() {
    tried(&JAVA);
}
