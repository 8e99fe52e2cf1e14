//! Idioms of Ruby.

mod constants;
mod hashes;
mod lines;
mod lists;
mod literal;
mod texts;

pub(crate) use literal::{Literal, is_constant};

use deadweight_heap::Kind;
use deadweight_heap::churn::AntipatternKind;

use crate::condition::OnlyIf;
use crate::idiom::{Idiom, THROWN_AWAY};
use crate::meaning::Unless;

pub(crate) const TEXTS: &[Kind] = &[Kind::String, Kind::Array];

/// Idioms of Ruby; of two that know an expression the earlier one speaks.
pub(crate) const IDIOMS: &[&[Idiom]] = &[
    lines::IDIOMS,
    texts::IDIOMS,
    lists::IDIOMS,
    hashes::IDIOMS,
    constants::IDIOMS,
    OTHERS,
];

/// What stands in for a log, for nothing at all, or for a constant.
const OTHERS: &[Idiom] = &[LOG, EMPTY, LOOKED_UP, WRITTEN_OUT];

/// A list that is written out, where it is not asked something at once.
const WRITTEN_OUT: Idiom = Idiom {
    query: "[(array) (string_array) (symbol_array)] @all @whole",
    kind: AntipatternKind::Literal,
    kinds: &[Kind::Array],
    unless: &[Unless::NoLiteral],
    ..THROWN_AWAY
};

/// A level of a logger with a text that is put together first.
const LOG: Idiom = Idiom {
    query: r#"(call receiver: (_) @log method: (identifier) @level arguments: (argument_list . (string (interpolation)) @text .) !block
        (#match? @log "(?i)(^|[._:@$])log(ger)?$") (#any-of? @level "debug" "info" "warn" "error" "trace" "verbose")) @whole"#,
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
