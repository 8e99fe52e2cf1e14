//! Rewrites of JavaScript, run by Node.js.

use std::fmt::Write as _;
use std::fs;

use super::{ALWAYS, Case, compared, every_rewrite_is_in, has_condition, rewritten};
use crate::Language;

pub(super) const CASES: &[Case] = &[
    Case("v.split(',').length < 2", "TEXTS", ALWAYS),
    Case("v.split('\\n').length >= 3", "TEXTS", ALWAYS),
    Case("v.split(/(,)|b/).length >= 3", "TEXTS", ALWAYS),
    Case("v.split(',').length <= 2", "TEXTS", ALWAYS),
    Case("v.split('').length === 4", "TEXTS", ALWAYS),
    Case("v.split(',').length > 0", "TEXTS", ALWAYS),
    Case("2 > v.split(',').length", "TEXTS", ALWAYS),
    Case("3 != v.split('\\r\\n').length", "TEXTS", ALWAYS),
    Case("v.split(',')[0]", "TEXTS", ALWAYS),
    Case("v.split('')[0]", "TEXTS", ALWAYS),
    Case("v?.split(/[,\\n]/)[0]", "TEXTS.concat([null, undefined])", ALWAYS),
    Case("v.map((x) => x).flat()", "NESTED.concat(LISTS, HOLES)", ALWAYS),
    Case(
        "v.filter((x) => x)[0]",
        "LISTS.concat(HOLES)",
        "!HOLES.includes(v)",
    ),
    Case(
        "v.filter((x) => x === undefined)[0]",
        "LISTS.concat(HOLES)",
        "!HOLES.includes(v)",
    ),
    Case("v.filter((x) => x).length > 0", "LISTS.concat(HOLES)", "true"),
    Case(
        "v.filter((x) => x === undefined).length !== 0",
        "LISTS.concat(HOLES)",
        "true",
    ),
    Case(
        "Object.keys(v).includes('a')",
        "OBJECTS",
        "!Object.hasOwn(v, 'a') || Object.keys(v).includes('a')",
    ),
];

pub(super) const INPUTS: &str = r"'use strict';
let seed = 7;
const chance = (most) => (seed = (seed * 48271) % 2147483647) % most;
const some = (most, of) => Array.from({ length: chance(most) }, () => of[chance(of.length)]);
const TEXTS = ['', ',', ',,', ',a', 'a,', 'a,b,,', 'a\n', 'a\r\nb\r\n', 'ζῷα,日本', '\ud83d\ude00,', '\ud83d'];
for (let at = 0; at < 400; at++) TEXTS.push(some(9, ['a', 'b', ',', ',', '\n', '\r\n', 'é', '日', '😀']).join(''));
const ATOMS = [null, undefined, true, false, 0, -0, NaN, 1, 'a', '', 10n];
const LISTS = [[]];
for (let at = 0; at < 400; at++) LISTS.push(some(6, ATOMS));
const HOLES = [[,], [, 1], [1, , 2], [, undefined]];
const nest = (depth) => Array.from({ length: chance(4) }, () => depth && chance(2) ? nest(depth - 1) : ATOMS[chance(ATOMS.length)]);
const NESTED = Array.from({ length: 300 }, () => nest(3)).concat([[[1, , 2], , [3]]]);
const OBJECTS = [{}, { a: 1 }, { a: undefined }, Object.create({ a: 1 }), Object.create(null), [1], 'text', 5,
  Object.defineProperty({}, 'a', { value: 1 }), new Proxy({ a: 1 }, {}), new Map([['a', 1]])];
";

#[test]
fn rewrites_answer_as_before() {
    let home = tempfile::tempdir().unwrap();
    let mut program = format!("{INPUTS}\nconst pairs = [];\n");
    for (number, case) in CASES.iter().enumerate() {
        let Case(expression, values, when) = case;
        let source = format!("function f(v) {{\n  return {expression};\n}}\n");
        for language in [Language::TypeScript, Language::JavaScript] {
            let after = rewritten(language, &source);
            has_condition(language, case, &after);
            let after = after.join("\n");
            assert!(!after.contains(expression), "{expression}");
            let when = if *when == ALWAYS { "true" } else { when };
            writeln!(
                program,
                "pairs.push([{number}, {expression:?}, (v) => {{ return {expression}; }}, (v) => {{\n{after}\n}}, {values}, (v) => {when}]);"
            )
            .unwrap();
        }
    }
    program.push_str(
        r"
const { inspect } = require('node:util');
const answer = (ask, value) => {
  try { const said = ask(value); return typeof said + inspect(said, { depth: 9 }) + inspect(value, { depth: 9 }); } catch (error) { return error.name; }
};
let compared = 0;
for (const [, expression, before, after, values, on] of pairs) {
  for (const value of values) {
    if (!on(value)) continue;
    compared++;
    const [want, got] = [answer(before, value), answer(after, value)];
    if (want !== got) console.log(`${expression} of ${inspect(value)}: ${want}, rewritten ${got}`);
  }
}
console.log(`compared ${compared}`);
",
    );
    let path = home.path().join("program.cjs");
    fs::write(&path, &program).unwrap();
    compared(&path, "node", 10_000);
}

#[test]
fn every_rewrite_is_tried() {
    every_rewrite_is_in(
        Language::JavaScript,
        CASES.iter().map(|Case(expression, ..)| *expression),
    );
}

/// What is called, written or handed over in another way is another expression.
#[test]
fn what_would_not_be_the_same_is_left_alone() {
    for source in [
        "v.filter(f)[0] = 1",
        "v.filter(f)[0]++",
        "delete v.filter(f)[0]",
        "v.filter(f)[0]()",
        "x = v.filter(...f)[0]",
        "x = v.split(...s)[0]",
        "if (v.split(...s).length < 2) g()",
        "if (Object.keys(v).includes(...k)) g()",
    ] {
        let found = crate::antipatterns_in(source, Language::JavaScript, "f").unwrap();
        let rewrites: Vec<_> = found.iter().filter_map(|found| found.rewrite.as_ref()).collect();
        assert!(rewrites.is_empty(), "{source}: {rewrites:?}");
    }
}
