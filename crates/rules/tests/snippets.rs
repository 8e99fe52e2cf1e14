//! Every piece of code that a rule's page offers does what it is offered for, in its own language, on the type it is
//! offered for.

use std::process::Command;

use deadweight_rules::rulebook;

/// A page, a piece of code on it, and a program that fails unless the code does what the page says.
type Snippet = (&'static str, &'static str, &'static str);

/// What the programs in JavaScript have.
const JAVASCRIPT_HEAD: &str =
    "const assert = require('node:assert'); const equal = assert.deepStrictEqual;\n";

const JAVASCRIPT: [Snippet; 26] = [
    (
        "C01",
        "field = undefined",
        "class Node { field = undefined } assert(Object.keys(new Node()).includes('field'));",
    ),
    (
        "C01",
        "(this.items ??= []).push(x)",
        "class Node { items = undefined; add(x) { (this.items ??= []).push(x); } }
         const node = new Node(); node.add(1); node.add(2); equal(node.items, [1, 2]);",
    ),
    (
        "C01",
        "Object.freeze([])",
        "const none = Object.freeze([]); assert.throws(() => { 'use strict'; none.push(1); });",
    ),
    (
        "C03",
        "slice()",
        "const list = []; for (let i = 0; i < 100; i++) list.push(i); equal(list.slice(), list);",
    ),
    (
        "C03",
        "new Set()",
        "const set = new Set(); for (const x of [1, 2, 3, 4]) set.add(x); equal(set.size, 4);",
    ),
    (
        "C03",
        "new Set(list)",
        "equal([...new Set([1, 2, 2])], [1, 2]);",
    ),
    (
        "C05",
        "const flat = new Array(2 * count)",
        "const count = 2; const points = [[1, 2], [3, 4]]; const flat = new Array(2 * count);
         points.forEach(([x, y], i) => { flat[2 * i] = x; flat[2 * i + 1] = y; });
         equal(flat, [1, 2, 3, 4]);",
    ),
    (
        "D01",
        "const seen = new Map(); const intern = s => seen.get(s) ?? (seen.set(s, s), s);",
        "const seen = new Map(); const intern = s => seen.get(s) ?? (seen.set(s, s), s);
         equal([intern('a'), intern('a'), intern('')], ['a', 'a', '']); equal(seen.size, 2);",
    ),
    (
        "D03",
        "Object.freeze",
        "const kept = new Map(); const one = (x, y) => { const key = `${x} ${y}`; let it = kept.get(key);
         if (!it) kept.set(key, it = Object.freeze({ x, y })); return it; };
         assert(one(1, 2) === one(1, 2) && one(1, 2) !== one(2, 1)); assert(Object.isFrozen(one(1, 2)));",
    ),
    (
        "L01",
        "{extra, ...record}",
        "const extra = 1; const record = { a: 2 }; equal({extra, ...record}, { extra: 1, a: 2 });",
    ),
    (
        "L01",
        "{...record, extra}",
        "const extra = 1; const record = { a: 2 }; equal({...record, extra}, { a: 2, extra: 1 });",
    ),
    (
        "L02",
        "const {field, ...rest} = record",
        "const record = { field: 1, other: 2 }; const {field, ...rest} = record; equal(rest, { other: 2 });",
    ),
    (
        "L02",
        "Object.create(null)",
        "const record = Object.create(null); record.a = 1; assert(!('toString' in record));",
    ),
    (
        "L02",
        "delete record.field",
        "const record = { field: 1, other: 2 }; delete record.field; equal(record, { other: 2 });",
    ),
    (
        "L03",
        "Date.parse(text)",
        "const text = '2024-01-31T10:00:00.123Z'; equal(Date.parse(text), new Date(text).getTime());
         equal(new Date(Date.parse(text)).toISOString(), text);",
    ),
    (
        "L03",
        "date.getTime()",
        "const date = new Date(1.7e12); equal(new Date(date.getTime()), date);",
    ),
    (
        "L03",
        "(ms - base) | 0",
        "const base = 1.7e12; for (const ms of [base, base + 5, base + 24 * 864e5])
         equal(base + ((ms - base) | 0), ms);",
    ),
    (
        "L03",
        "| 0",
        "const id = '65b2c3d4e5f60718293a4b5c';
         const words = [0, 8, 16].map((at) => parseInt(id.slice(at, at + 8), 16) | 0);
         assert(words.every((word) => Number.isInteger(word) && Math.abs(word) <= 2 ** 31));
         equal(words.map((word) => (word >>> 0).toString(16).padStart(8, '0')).join(''), id);",
    ),
    (
        "L04",
        "| 0",
        "const id = Buffer.from('65b2c3d4e5f60718293a4b5c', 'hex');
         const [a, b, c] = [0, 4, 8].map((at) => id.readInt32BE(at) | 0);
         const again = Buffer.alloc(12); [a, b, c].forEach((word, i) => again.writeInt32BE(word, 4 * i));
         equal(again, id);",
    ),
    (
        "L04",
        "(pool, offset)",
        "const pool = new Uint8Array(12 * 1000); const offset = 24;
         pool.set(Buffer.from('65b2c3d4e5f60718293a4b5c', 'hex'), offset);
         equal(Buffer.from(pool.buffer, pool.byteOffset + offset, 12).toString('hex'), '65b2c3d4e5f60718293a4b5c');",
    ),
    (
        "R01",
        "new Uint8Array(view)",
        "for (const view of [Buffer.alloc(1 << 20, 7).subarray(5, 25), new Uint8Array(1 << 20).subarray(5, 25)]) {
           const own = new Uint8Array(view);
           equal([...own], [...view]); equal(own.buffer.byteLength, 20); }",
    ),
    (
        "R01",
        "const own = Buffer.alloc(view.length); view.copy(own)",
        "const view = Buffer.alloc(1 << 20, 7).subarray(5, 25);
         const own = Buffer.alloc(view.length); view.copy(own);
         equal(own, Buffer.from(view)); equal(own.buffer.byteLength, 20);",
    ),
    (
        "R01",
        "Buffer.from(view)",
        // What the page warns of.
        "const view = Buffer.alloc(1 << 20, 7).subarray(5, 25);
         equal(view.slice().buffer.byteLength, 1 << 20); equal(Buffer.from(view).buffer.byteLength, 8192);",
    ),
    (
        "R01",
        "Buffer.from(text).toString()",
        "for (const text of ['a part of a longer text', 'naïve ☃ 𝄞'])
         equal(Buffer.from(text).toString(), text);",
    ),
    (
        "R02",
        "parts.join(\"\")",
        "const parts = ['a', 'b', '']; equal(parts.join(\"\"), 'ab');",
    ),
    (
        "R02",
        "Buffer.from(s).toString()",
        "const s = 'a' + 'naïve ☃'.repeat(20) + 1; equal(Buffer.from(s).toString(), s);",
    ),
];

/// What the programs in Ruby have.
const RUBY_HEAD: &str = "require 'objspace'\ndef check(it) = it || raise('it is not so')\n";

const RUBY: [Snippet; 20] = [
    (
        "C01",
        "@items ||= []",
        "class Node; def add(x) = (@items ||= []) << x; end; check Node.new.add(1) == [1]",
    ),
    (
        "C01",
        "(@items ||= {})[key] ||= []",
        "class Node; def at(key) = (@items ||= {})[key] ||= []; end
         node = Node.new; node.at(:a) << 1; check node.at(:a) == [1]",
    ),
    (
        "C01",
        "EMPTY = [].freeze",
        "EMPTY = [].freeze; begin; EMPTY << 1; raise 'no'; rescue FrozenError; end",
    ),
    (
        "C03",
        "[*list]",
        "list = []; 100.times { |i| list << i }; copy = [*list]
         check copy == list && ObjectSpace.memsize_of(copy) <= ObjectSpace.memsize_of(list)",
    ),
    (
        "C03",
        "-text",
        "text = 'a text' + ' that grew'; check (-text) == text && (-text).frozen?",
    ),
    (
        "C04",
        "[key, value]",
        "key, value = 1, 2; check ObjectSpace.memsize_of([key, value]) < ObjectSpace.memsize_of({ key => value })",
    ),
    (
        "C05",
        "flat = Array.new(2 * count)",
        "count = 2; flat = Array.new(2 * count); check flat.size == 4",
    ),
    (
        "C05",
        "flat[2 * i]",
        "flat = [1, 2, 3, 4]; check (0..1).map { |i| [flat[2 * i], flat[2 * i + 1]] } == [[1, 2], [3, 4]]",
    ),
    (
        "C05",
        "each_slice(2)",
        "check [1, 2, 3, 4].each_slice(2).to_a == [[1, 2], [3, 4]]",
    ),
    (
        "D01",
        "-string",
        "a, b = 2.times.map { |i| 'a text' + ' of some length' }; check (-a).equal?(-b)",
    ),
    (
        "D02",
        "-string",
        "a, b = 2.times.map { |i| ([1, 2, 255] * 9).pack('C*') }; check (-a).equal?(-b) && (-a).encoding == a.encoding",
    ),
    (
        "R01",
        "part + \"\"",
        "part = ('some page ' * 5000)[-60..]; own = part + \"\"
         check own == part && own.encoding == part.encoding && !ObjectSpace.dump(own).include?('\"shared\":true')
         check ObjectSpace.memsize_of(own) <= 40 + 61 + 20",
    ),
    (
        "R01",
        "-part",
        "part = ('some page ' * 5000)[-60..]; own = -part; check own[-40..] == part[-40..]
         check own == part && !ObjectSpace.dump(own).include?('\"shared\":true')
         check ObjectSpace.memsize_of(own) <= 40 + 61 + 20",
    ),
    (
        "R01",
        "String.new(part)",
        // What the page warns of.
        "part = ('some page ' * 5000)[-1500..]; check ObjectSpace.dump(String.new(part)).include?('\"shared\":true')",
    ),
    (
        "R01",
        "part.dup",
        "part = ('some page ' * 5000)[-1500..]; check ObjectSpace.dump(part.dup).include?('\"shared\":true')",
    ),
    ("D03", "Hash", "Pair = Struct.new(:x, :y); kept = {}
         one = ->(x, y) { it = Pair.new(x, y).freeze; kept[it] ||= it }
         check one[1, 2].equal?(one[1, 2]) && !one[1, 2].equal?(one[2, 1])"),
    ("D03", "Set", "require 'set'; kept = {}; one = ->(set) { kept[set] ||= set.freeze }
         check one[Set[1]].equal?(one[Set[1]])"),
    (
        "E01",
        "pairs.flatten.pack(\"q*\").freeze",
        "require 'objspace'; pairs = (0...300).map { |at| [at * 13, at - 1] }
         packed = pairs.flatten.pack(\"q*\").freeze; check packed.unpack('q*').each_slice(2).to_a == pairs
         check ObjectSpace.memsize_of(packed) < 16 * 300 + 100
         check ObjectSpace.memsize_of(pairs.to_h) > 2 * 16 * 300",
    ),
    ("L03", "Time#to_i", "time = Time.at(1_700_000_000); check Time.at(time.to_i) == time"),
    ("L04", "String", "ids = %w[65b2c3d4e5f60718293a4b5c 000000000000000000000001]; all = [ids.join].pack('H*')
         check all.byteslice(12, 12).unpack1('H*') == ids[1]"),
];

/// The pieces of code that a page offers in a language, those of rules about what is made left out.
/// What the programs in Python have.
const PYTHON_HEAD: &str = "import sys\nfrom array import array\nfrom dataclasses import dataclass\n";

const PYTHON: [Snippet; 21] = [
    (
        "C01",
        "self.items = ()",
        "class Node:
    def __init__(self): self.items = ()
    def add(self, item): self.items = [*self.items, item]
one, other = Node(), Node(); assert one.items is other.items; one.add(1); assert one.items == [1] and not other.items",
    ),
    (
        "C01",
        "self.items = None",
        "class Node:
    def __init__(self): self.items = None
assert Node().items is None",
    ),
    (
        "C03",
        "items[:]",
        "items = []
for i in range(100): items.append(i)
assert items[:] == items and sys.getsizeof(items[:]) == sys.getsizeof([]) + 800 < sys.getsizeof(items)",
    ),
    (
        "C03",
        "{key: value for key, value in table.items()}",
        "table = {i: i for i in range(100)}
for i in range(95): del table[i]
made = {key: value for key, value in table.items()}
assert made == table and list(made) == list(table) and sys.getsizeof(made) * 4 < sys.getsizeof(table)",
    ),
    (
        "C03",
        "bytes(data)",
        "data = bytearray()
for i in range(100): data.append(i)
assert bytes(data) == data and len(bytes(data)) == 100",
    ),
    (
        "C05",
        "array.array('d')",
        "import array
flat = array.array('d'); flat.extend([1.5, 2.5]); assert flat.itemsize == 8 and list(flat) == [1.5, 2.5]",
    ),
    ("C04", "(key, value)", "key, value = 'a', 1; pair = (key, value); assert pair == ('a', 1)"),
    (
        "D01",
        "sys.intern(text)",
        "a, b = ''.join(['x', 'y']), ''.join(['x', 'y']); assert a is not b and sys.intern(a) is sys.intern(b)",
    ),
    (
        "D01",
        "seen.setdefault(text, text)",
        "seen = {}; kept = [seen.setdefault(text, text) for text in (''.join(['x', 'y']), ''.join(['x', 'y']))]
assert kept[0] is kept[1] == 'xy'",
    ),
    (
        "D02",
        "seen.setdefault(data, data)",
        "seen = {}; kept = [seen.setdefault(data, data) for data in (bytes([1, 2]), bytes([1, 2]))]
assert kept[0] is kept[1]",
    ),
    (
        "D03",
        "seen.setdefault(row, row)",
        "seen = {}; kept = [seen.setdefault(row, row) for row in (tuple([1, 2]), tuple([1, 2]))]
assert kept[0] is kept[1]",
    ),
    (
        "L02",
        "__slots__ = (\"id\", \"name\")",
        "class Row:
    __slots__ = (\"id\", \"name\")
row = Row(); row.id = 1; assert not hasattr(row, '__dict__')",
    ),
    ("L02", "@dataclass(slots=True)", SLOTTED),
    (
        "L03",
        "array(\"q\", numbers)",
        "numbers = [1, -2, 1 << 62]; assert list(array(\"q\", numbers)) == numbers",
    ),
    (
        "L03",
        "array(\"d\", numbers)",
        "numbers = [0.5, -2.0]; assert list(array(\"d\", numbers)) == numbers",
    ),
    (
        "L03",
        "moment.timestamp()",
        "import datetime
moment = datetime.datetime(2024, 5, 6, 7, 8, 9)
assert datetime.datetime.fromtimestamp(moment.timestamp()) == moment",
    ),
    (
        "L03",
        "span.total_seconds()",
        "import datetime
span = datetime.timedelta(days=3, seconds=4.5)
assert datetime.timedelta(seconds=span.total_seconds()) == span",
    ),
    (
        "L07",
        "__slots__ = (\"x\", \"y\")",
        "class Point:
    __slots__ = (\"x\", \"y\")
    def __init__(self, x, y): self.x, self.y = x, y
point = Point(1, 2); assert not hasattr(point, '__dict__')
class Base:
    __slots__ = ()
class Derived(Base):
    __slots__ = (\"x\", \"y\")
assert not hasattr(Derived(), '__dict__')",
    ),
    ("L07", "@dataclass(slots=True)", SLOTTED),
    ("L07", "__slots__ = ()", "class Base:\n    __slots__ = ()\nassert not hasattr(Base(), '__dict__')"),
    ("R01", "bytes(view)", "view = memoryview(b'some bytes')[2:4]; assert bytes(view) == b'me'"),
];

/// What the programs have that are run by each Python with pandas that `DEADWEIGHT_PANDAS` lists.
const PANDAS_HEAD: &str = "import io, pandas
file = io.StringIO('city,order\\n' + 'Bern,a\\nRome,b\\n' * 10)
def texts(): return pandas.DataFrame({'city': ['Bern', 'Rome'] * 10, 'order': ['a', 'b'] * 10})
def holds(sales): assert str(sales.dtypes['city']) == 'category' and list(sales['city']) == ['Bern', 'Rome'] * 10
";

const PANDAS: [Snippet; 3] = [
    (
        "L08",
        "sales = pandas.read_csv(file, dtype={\"city\": \"category\"})",
        "sales = pandas.read_csv(file, dtype={\"city\": \"category\"}); holds(sales)",
    ),
    (
        "L08",
        "sales[\"city\"] = sales[\"city\"].astype(\"category\")",
        "sales = texts(); sales[\"city\"] = sales[\"city\"].astype(\"category\"); holds(sales)",
    ),
    (
        "L08",
        "sales = sales.astype({\"city\": \"category\"}).copy()",
        "sales = texts(); sales = sales.astype({\"city\": \"category\"}).copy(); holds(sales)",
    ),
];

/// A dataclass with slots, where the interpreter is new enough to have them.
const SLOTTED: &str = "if sys.version_info >= (3, 10):
    @dataclass(slots=True)
    class Row:
        id: int
        name: str = ''
    row = Row(1); assert row.name == '' and not hasattr(row, '__dict__')";

fn offered(language: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let pages = rulebook().pages().iter();
    for page in pages.filter(|page| !page.code.0.starts_with('T')) {
        let fixes = page.markdown.split("## How to fix it").nth(1).unwrap_or_default();
        let fixes = fixes.split("\n## ").next().unwrap_or_default();
        let of_language = fixes.split("\n- ").filter(|item| item.starts_with(language));
        for item in of_language {
            let code = item.split('`').skip(1).step_by(2);
            let runs = |code: &str| code.contains(['(', '=', '[', '{', '+', '-', '|']) || code.contains(' ');
            // A comment of the file is no code, and what is left out cannot run.
            let code = code.filter(|code| runs(code) && !code.starts_with('#') && !code.contains('…'));
            found.extend(code.map(|code| (page.code.to_string(), code.replace("\n  ", " "))));
        }
    }
    found
}

fn all_run(language: &str, run: &mut Command, head: &str, snippets: &[Snippet]) {
    let offered = offered(language);
    let apart = if language == "Python" { &PANDAS[..] } else { &[] };
    let is_known = |(code, text): &&(String, String)| {
        snippets
            .iter()
            .chain(apart)
            .any(|(of, snippet, _)| of == code && *snippet == text.as_str())
    };
    let unknown: Vec<_> = offered.iter().filter(|one| !is_known(one)).collect();
    assert!(unknown.is_empty(), "nobody runs {unknown:?}");
    each_runs(language, run, head, snippets);
}

fn each_runs(language: &str, run: &mut Command, head: &str, snippets: &[Snippet]) {
    let mut program = head.to_owned();
    for (page, snippet, _) in snippets {
        let page = rulebook().page(page).expect("a page");
        let text = page.markdown.replace("\n  ", " ");
        assert!(text.contains(snippet), "{snippet} is no longer on {}", page.code);
    }
    for (_, _, test) in snippets {
        let (before, after) = match language {
            "JavaScript" => ("{\n", "\n}\n"),
            "Python" => ("exec(r'''\n", "\n''', dict(globals()))\n"),
            _ => ("Module.new do\nmodule_eval <<~'DONE'\n", "\nDONE\nend\n"),
        };
        program.extend([before, test, after]);
    }
    let done = run
        .arg(if language == "Python" { "-c" } else { "-e" })
        .arg(&program)
        .output()
        .expect("the language is there");
    let said = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "{said}");
}

#[test]
fn javascript_does_what_the_pages_say() {
    all_run(
        "JavaScript",
        &mut Command::new("node"),
        JAVASCRIPT_HEAD,
        &JAVASCRIPT,
    );
}

#[test]
fn ruby_does_what_the_pages_say() {
    all_run("Ruby", &mut Command::new("ruby"), RUBY_HEAD, &RUBY);
}

#[test]
fn python_does_what_the_pages_say() {
    all_run("Python", &mut Command::new("python3"), PYTHON_HEAD, &PYTHON);
}

/// Nothing runs where no Python with pandas is listed: `cargo xtask test` makes them.
#[test]
fn python_with_pandas_does_what_the_pages_say() {
    let listed = std::env::var("DEADWEIGHT_PANDAS").unwrap_or_default();
    for python in std::env::split_paths(&listed).filter(|python| !python.as_os_str().is_empty()) {
        each_runs("Python", &mut Command::new(python), PANDAS_HEAD, &PANDAS);
    }
}
