//! Rewrites of Python, run by Python.

use std::fmt::Write as _;
use std::fs;

use super::{ALWAYS, Case, compared, every_rewrite_is_in, has_condition, rewritten};
use crate::Language;

pub(super) const CASES: &[Case] = &[
    Case("len(v.split(','))", "TEXTS", ALWAYS),
    Case("2 * len(v.split('aa'))", "TEXTS", ALWAYS),
    Case(
        "len(v.splitlines())",
        "TEXTS",
        "v.endswith('\\n') and v.splitlines() == v.split('\\n')[:-1]",
    ),
    Case("len(list(v.keys()))", "DICTS", "True"),
    Case("sorted(v)[0]", "LISTS", "len(v) > 0"),
    Case("'a' in v.keys()", "DICTS", "True"),
    Case("'a' in list(v.keys())", "DICTS", "True"),
    Case("(1, 2) in tuple(v.keys())", "DICTS", "True"),
    Case("len([x for x in v])", "LISTS", "True"),
    Case(
        "len([x * 2 for x in v if x != 1 for y in (x, x)])",
        "LISTS",
        "'text' != v",
    ),
    Case("sum([x * 2 for x in v])", "LISTS", "'text' != v"),
    Case("min([x for x in v if x])", "LISTS", "True"),
    Case("max([-x for x in v])", "LISTS", "'text' != v"),
    Case("any([x == 1 for x in v])", "LISTS", "True"),
    Case("all([x for x in v])", "LISTS", "True"),
    Case("set([(x, 1) for x in v])", "LISTS", "True"),
    Case("dict([(x, y) for x, y in v.items()])", "DICTS", "True"),
    Case("sorted(list(v))", "ANY", ALWAYS),
    Case("sum(list(v))", "ANY", ALWAYS),
    Case("min(tuple(v))", "ANY", ALWAYS),
    Case("max(list(v))", "ANY", ALWAYS),
    Case("set(list(v))", "ANY", ALWAYS),
    Case("frozenset(tuple(v))", "ANY", ALWAYS),
];

pub(super) const INPUTS: &str = r"
import random
chance = random.Random(7)
def some(most, of): return [chance.choice(of) for _ in range(chance.randrange(most))]
TEXTS = ['', ',', ',,', 'a,', ',a', 'aaa', 'aaaa', 'a\n', 'a\nb', 'a\r\nb\r\n', '\x85\n', '\u2028\n', '日本,\n']
TEXTS += [''.join(some(9, ['a', 'b', ',', '\n', '\r\n', 'é', '日', '\x0c'])) for _ in range(500)]
LISTS = [[], [1, 1.0], [True, 1], 'text', (3, 2), {1, 2}] + [some(7, [0, 1, 1.0, -3, 2.5, True, float('inf')]) for _ in range(400)]
ANY = LISTS + [None, 3, [[]], ['a', 1], [None]] + TEXTS[:50]
DICTS = [{}, {'a': 1}, {1: 'a'}] + [{key: 1 for key in some(5, ['a', 'b', 1, None])} for _ in range(100)]
";

#[test]
fn rewrites_answer_as_before() {
    let home = tempfile::tempdir().unwrap();
    let mut program = format!("{INPUTS}\npairs = []\n");
    for (number, case) in CASES.iter().enumerate() {
        let Case(expression, values, when) = case;
        let after = rewritten(Language::Python, &format!("def f(v):\n    return {expression}\n"));
        has_condition(Language::Python, case, &after);
        let when = if *when == ALWAYS { "True" } else { when };
        writeln!(
            program,
            "def before{number}(v):\n    return {expression}\ndef after{number}(v):\n{}\n\
             pairs.append(({expression:?}, before{number}, after{number}, {values}, lambda v: {when}))",
            after.join("\n")
        )
        .unwrap();
    }
    program.push_str(
        r"
def answer(ask, value):
    try: return repr(ask(value))
    except Exception as error: return type(error).__name__
compared = 0
for expression, before, after, values, on in pairs:
    for value in values:
        if not on(value): continue
        compared += 1
        want, got = answer(before, value), answer(after, value)
        if want != got: print(expression, 'of', repr(value), want, 'rewritten', got)
print('compared', compared)
",
    );
    let path = home.path().join("program.py");
    fs::write(&path, &program).unwrap();
    compared(&path, "python3", 1_500);
}

#[test]
fn every_rewrite_is_tried() {
    every_rewrite_is_in(
        Language::Python,
        CASES.iter().map(|Case(expression, ..)| *expression),
    );
}
