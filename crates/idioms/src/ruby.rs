//! Idioms of Ruby.

mod hashes;
mod lines;
mod lists;
mod texts;

use deadweight_heap::Kind;
use deadweight_heap::churn::AntipatternKind;

use crate::condition::OnlyIf;
use crate::idiom::{Idiom, Left, THROWN_AWAY};
use crate::meaning::Unless;

pub(crate) const TEXTS: &[Kind] = &[Kind::String, Kind::Array];

/// Idioms of Ruby; of two that know an expression the earlier one speaks.
pub(crate) const IDIOMS: &[&[Idiom]] = &[
    lines::IDIOMS,
    texts::IDIOMS,
    lists::IDIOMS,
    hashes::IDIOMS,
    OTHERS,
];

/// What stands in for a constant, a log, or nothing at all.
const OTHERS: &[Idiom] = &[
    LOG,
    Idiom {
        query: r#"(call receiver: (array . [(string) (integer) (simple_symbol) (nil)] ("," [(string) (integer) (simple_symbol) (nil)])* ) @all @constant
            method: (identifier) @ask (#any-of? @ask "include?" "member?" "index" "any?")) @whole"#,
        kind: AntipatternKind::Constant,
        kinds: TEXTS,
        remains: Left::One,
        advice: "make {{all}} a constant",
        unless: &[Unless::Varies],
        ..THROWN_AWAY
    },
    Idiom {
        query: r#"(call receiver: (array . [(string) (integer) (simple_symbol) (nil)] ("," [(string) (integer) (simple_symbol) (nil)])* ) @all @constant
            method: (identifier) @ask (#eq? @ask "each")) @whole"#,
        kind: AntipatternKind::Constant,
        kinds: TEXTS,
        remains: Left::One,
        advice: "make {{all}} a constant",
        assumes: Some("that the block changes none of them"),
        unless: &[Unless::Varies],
        ..THROWN_AWAY
    },
    Idiom {
        query: r#"(call receiver: (constant) @class method: (identifier) @by arguments: (argument_list . (string (string_content)) @constant .) (#eq? @class "Regexp") (#any-of? @by "new" "compile")) @whole"#,
        kind: AntipatternKind::Constant,
        makers: &["new", "initialize", "compile"],
        remains: Left::One,
        advice: "make the pattern a constant",
        unless: &[Unless::Varies],
        ..THROWN_AWAY
    },
    EMPTY,
    LOOKED_UP,
];

/// A level of a logger with a text that is put together first.
const LOG: Idiom = Idiom {
    query: r#"(call receiver: (_) @log method: (identifier) @level arguments: (argument_list . (string (interpolation)) @text .) !block
        (#match? @log "(?i)(^|[._:@])log(ger)?$") (#any-of? @level "debug" "info" "warn" "error" "trace" "verbose")) @whole"#,
    kind: AntipatternKind::Log,
    kinds: &[Kind::String],
    template: "{{log}}.{{level}} { {{text}} }",
    advice: "pass the text as a block: it is then built only when it is written",
    only_if: &[OnlyIf::Always(
        "the log takes a block, as `Logger` does, and nothing else needs what the text calls",
    )],
    ..THROWN_AWAY
};

/// A table in a constant, looked up by text. Which constants are tables of texts is seen from their values.
pub(crate) const LOOKED_UP: Idiom = Idiom {
    query: "(element_reference object: (constant) @table) @whole",
    kind: AntipatternKind::LookedUp,
    advice: "a constant for each entry needs no look-up",
    ..THROWN_AWAY
};

/// An empty container as an argument.
pub(crate) const EMPTY: Idiom = Idiom {
    query: r#"(call arguments: (argument_list [(array "[" . "]") (hash "{" . "}")] @empty)) @whole"#,
    kind: AntipatternKind::Empty,
    kinds: &[Kind::Array, Kind::Table],
    advice: "pass a frozen empty constant, or nil",
    unless: &[Unless::Filled],
    ..THROWN_AWAY
};
