//! Idioms of Ruby: lists of what a hash has, made to be asked what the hash itself knows.

use deadweight_heap::Kind;

use crate::condition::OnlyIf;
use crate::idiom::{Idiom, THROWN_AWAY};
use crate::meaning::Unless;

const WALKED: &[OnlyIf] = &[
    OnlyIf::Always("the block adds no key to the hash"),
    OnlyIf::Last("nobody uses what it returns"),
];

const OF_KEYS: Idiom = Idiom {
    makers: &["keys", "values"],
    kinds: &[Kind::Array],
    ..THROWN_AWAY
};

/// Idioms of hashes.
pub(super) const IDIOMS: &[Idiom] = &[
    Idiom {
        query: r#"(call receiver: (call receiver: (_) @all method: (identifier) @by !arguments !block (#any-of? @by "keys" "values"))
            method: (identifier) @ask !arguments !block (#any-of? @ask "count" "size" "length")) @whole"#,
        template: "{{all}}.size",
        advice: "a hash knows its size",
        ..OF_KEYS
    },
    Idiom {
        query: r#"(call receiver: (call receiver: (_) @all method: (identifier) @by !arguments !block (#any-of? @by "keys" "values"))
            method: (identifier) @ask !arguments !block (#eq? @ask "empty?")) @whole"#,
        template: "{{all}}.empty?",
        advice: "ask the hash itself",
        ..OF_KEYS
    },
    Idiom {
        query: r#"(call receiver: (call receiver: (_) @all method: (identifier) @by !arguments !block (#eq? @by "keys"))
            method: (identifier) @ask arguments: (argument_list . (_) @key .) !block (#any-of? @ask "include?" "member?")) @whole"#,
        template: "{{all}}.key?({{key}})",
        advice: "ask the hash: no list, and no search through it",
        only_if: &[OnlyIf::Always(
            "a key is found by `eql?`: 1 is not 1.0, and nothing compares by identity",
        )],
        unless: &[Unless::Spread],
        ..OF_KEYS
    },
    Idiom {
        query: r#"(call receiver: (call receiver: (_) @all method: (identifier) @by !arguments !block (#eq? @by "values"))
            method: (identifier) @ask arguments: (argument_list . (_) @key .) !block (#any-of? @ask "include?" "member?")) @whole"#,
        template: "{{all}}.value?({{key}})",
        advice: "ask the hash: no list",
        unless: &[Unless::Spread],
        ..OF_KEYS
    },
    Idiom {
        query: r#"(call receiver: (call receiver: (_) @all method: (identifier) @by !arguments !block (#eq? @by "keys"))
            method: (identifier) @ask !arguments block: (_) @block (#eq? @ask "each")) @whole"#,
        template: "{{all}}.each_key {{block}}",
        advice: "walk the hash itself",
        only_if: WALKED,
        unless: &[Unless::Changed, Unless::Used],
        ..OF_KEYS
    },
    Idiom {
        query: r#"(call receiver: (call receiver: (_) @all method: (identifier) @by !arguments !block (#eq? @by "values"))
            method: (identifier) @ask !arguments block: (_) @block (#eq? @ask "each")) @whole"#,
        template: "{{all}}.each_value {{block}}",
        advice: "walk the hash itself",
        only_if: WALKED,
        unless: &[Unless::Changed, Unless::Used],
        ..OF_KEYS
    },
];
