//! Idioms of Crystal, as far as Ruby's grammar reads it.

use deadweight_heap::Kind;
use deadweight_heap::churn::AntipatternKind;

use crate::condition::OnlyIf;
use crate::idiom::{Idiom, Left, THROWN_AWAY};
use crate::meaning::Unless;
use crate::ruby::{EMPTY, LOOKED_UP, TEXTS};

/// Of a block that runs for fewer elements than before.
const ANSWERS: &str = "the block does nothing but answer: it runs no further than the first that fits";

/// A level of a log with a text in a block, which Crystal's compiler puts in place: no call of the log is seen.
const LOG_IN_BLOCK: Idiom = Idiom {
    query: r#"(call receiver: (_) @log method: (identifier) @level
        block: (block body: (block_body . (string (interpolation)) .))
        (#match? @log "(?i)(^|[._:@])log(ger)?$")
        (#any-of? @level "trace" "debug" "info" "notice" "warn" "error" "fatal")) @whole"#,
    kind: AntipatternKind::WrittenLog,
    makers: &["interpolation"],
    advice: "write fewer log lines here, or use a level that is off",
    assumes: Some("that nobody needs the line"),
    ..THROWN_AWAY
};

/// Of two that know an expression the earlier one speaks. Texts of Crystal have no `count("\n")` of the same cost, and its
/// logs take blocks, whose text is made only when it is written.
pub(crate) const IDIOMS: &[&[Idiom]] = &[ALL];

const ALL: &[Idiom] = &[
    Idiom {
        query: r#"(binary left: (call receiver: (call receiver: (_) @text method: (identifier) @by !arguments !block (#eq? @by "lines"))
            method: (identifier) @ask !arguments !block (#any-of? @ask "count" "size")) operator: ["<" ">="] @than right: (_) @bound) @whole"#,
        makers: &["lines"],
        kinds: TEXTS,
        remains: Left::Bound,
        template: "{{text}}.each_line.first({{bound}}).size {{than}} {{bound}}",
        advice: "only a bound is asked for: stop there",
        ..THROWN_AWAY
    },
    Idiom {
        query: r#"(call receiver: (call receiver: (_) @text method: (identifier) @by !arguments !block (#eq? @by "lines"))
            method: (identifier) @ask !arguments !block (#any-of? @ask "count" "size")) @whole"#,
        makers: &["lines"],
        kinds: &[Kind::Array],
        template: "{{text}}.each_line.size",
        advice: "count while reading: no list is made; each line still is",
        ..THROWN_AWAY
    },
    Idiom {
        query: r#"(call receiver: (call receiver: (_) @all method: (identifier) @by block: (_) @block !arguments (#eq? @by "map"))
            method: (identifier) @ask !arguments !block (#eq? @ask "flatten")) @whole"#,
        makers: &["map"],
        kinds: &[Kind::Array],
        template: "{{all}}.flat_map {{block}}",
        advice: "join while mapping",
        only_if: &[OnlyIf::Always("what the block returns is not nested any deeper")],
        unless: &[Unless::Nests],
        ..THROWN_AWAY
    },
    Idiom {
        query: r#"(call receiver: (call receiver: (_) @all method: (identifier) @by block: (_) @block !arguments (#eq? @by "select"))
            method: (identifier) @ask !arguments !block (#eq? @ask "size")) @whole"#,
        makers: &["select"],
        kinds: &[Kind::Array],
        template: "{{all}}.count {{block}}",
        advice: "count without a list",
        ..THROWN_AWAY
    },
    Idiom {
        query: r#"(call receiver: (call receiver: (_) @all method: (identifier) @by block: (_) @block !arguments (#eq? @by "select"))
            method: (identifier) @ask !arguments !block (#eq? @ask "first?")) @whole"#,
        makers: &["select"],
        kinds: &[Kind::Array],
        template: "{{all}}.find {{block}}",
        advice: "stop at the first that fits",
        only_if: &[OnlyIf::Always(ANSWERS)],
        unless: &[Unless::DoesMore],
        ..THROWN_AWAY
    },
    Idiom {
        query: r#"(call receiver: (call receiver: (_) @all method: (identifier) @by block: (_) @block !arguments (#eq? @by "select"))
            method: (identifier) @ask !arguments !block (#eq? @ask "first")) @whole"#,
        makers: &["select"],
        kinds: &[Kind::Array],
        template: "{{all}}.find! {{block}}",
        advice: "stop at the first that fits",
        only_if: &[
            OnlyIf::Always(ANSWERS),
            OnlyIf::Always("nobody rescues Enumerable::EmptyError: `find!` raises NotFoundError"),
        ],
        unless: &[Unless::DoesMore],
        ..THROWN_AWAY
    },
    Idiom {
        query: r#"(call receiver: (call receiver: (_) @all method: (identifier) @by !arguments !block (#any-of? @by "keys" "values"))
            method: (identifier) @ask !arguments !block (#eq? @ask "size")) @whole"#,
        makers: &["keys", "values"],
        kinds: &[Kind::Array],
        template: "{{all}}.size",
        advice: "a hash knows its size",
        ..THROWN_AWAY
    },
    LOG_IN_BLOCK,
    EMPTY,
    LOOKED_UP,
];
