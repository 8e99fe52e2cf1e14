//! Idioms of Ruby, and those of Crystal that Ruby's grammar reads.

mod lines;

use deadweight_heap::Kind;
use deadweight_heap::churn::AntipatternKind;

use crate::idiom::{Idiom, Left, THROWN_AWAY};
use crate::meaning::Unless;

const TEXTS: &[Kind] = &[Kind::String, Kind::Array];

/// Idioms of Ruby; of two that know an expression the earlier one speaks.
pub(crate) const IDIOMS: &[&[Idiom]] = &[lines::IDIOMS, OTHERS];

/// What is not about lines.
const OTHERS: &[Idiom] = &[
    Idiom {
        query: r#"(call receiver: (call receiver: (_) @text method: (identifier) @by arguments: (argument_list . (string . [(string_content) (escape_sequence)] @with .) @separator .) !block (#eq? @by "split") (#match? @with "^([^-^\\\\ ]|\\\\[ntr0])$"))
            method: (identifier) @ask !arguments !block (#any-of? @ask "count" "size" "length")) @whole"#,
        makers: &["split"],
        kinds: TEXTS,
        template: "({{text}}.count({{separator}}) + 1)",
        advice: "count separators: no piece is made",
        assumes: Some(
            "that the text is not empty and does not end with a separator: `split` drops empty pieces at the end, so an \
             empty text has 0, and each separator at the end counts one too many",
        ),
        ..THROWN_AWAY
    },
    Idiom {
        query: r#"(call receiver: (call receiver: (_) @all method: (identifier) @by block: (_) @block !arguments (#any-of? @by "map" "collect"))
            method: (identifier) @ask !arguments !block (#eq? @ask "flatten")) @whole"#,
        makers: &["map", "collect", "flatten"],
        // A table of the lists it is in the midst of is `flatten`'s own.
        kinds: &[Kind::Array, Kind::Table],
        remains: Left::Joined("flatten"),
        template: "{{all}}.flat_map {{block}}",
        advice: "join while mapping",
        assumes: Some("that what the block returns is not nested any deeper"),
        unless: &[Unless::Nests],
        ..THROWN_AWAY
    },
    Idiom {
        query: r#"(call receiver: (call receiver: (_) @all method: (identifier) @by block: (_) @block !arguments (#any-of? @by "select" "filter"))
            method: (identifier) @ask !arguments !block (#eq? @ask "first")) @whole"#,
        makers: &["select", "filter"],
        kinds: &[Kind::Array],
        template: "{{all}}.find {{block}}",
        advice: "stop at the first that fits",
        unless: &[Unless::DoesMore],
        ..THROWN_AWAY
    },
    Idiom {
        query: r#"(call receiver: (call receiver: (_) @all method: (identifier) @by block: (_) @block !arguments (#any-of? @by "select" "filter"))
            method: (identifier) @ask !arguments !block (#any-of? @ask "count" "size" "length")) @whole"#,
        makers: &["select", "filter"],
        kinds: &[Kind::Array],
        template: "{{all}}.count {{block}}",
        advice: "count without a list",
        ..THROWN_AWAY
    },
    Idiom {
        query: r#"(call receiver: (call receiver: (_) @all method: (identifier) @by !arguments !block (#any-of? @by "keys" "values"))
            method: (identifier) @ask !arguments !block (#any-of? @ask "count" "size" "length")) @whole"#,
        makers: &["keys", "values"],
        kinds: &[Kind::Array],
        template: "{{all}}.size",
        advice: "a hash knows its size",
        ..THROWN_AWAY
    },
    Idiom {
        query: r#"(call receiver: (call receiver: (_) @all method: (identifier) @by !arguments !block (#eq? @by "keys"))
            method: (identifier) @ask arguments: (argument_list . (_) @key .) !block (#any-of? @ask "include?" "member?")) @whole"#,
        makers: &["keys"],
        kinds: &[Kind::Array],
        template: "{{all}}.key?({{key}})",
        advice: "ask the hash: no list, and no search through it",
        ..THROWN_AWAY
    },
    Idiom {
        query: r#"(call receiver: (call receiver: (_) @all method: (identifier) @by !arguments !block (#eq? @by "keys"))
            method: (identifier) @ask !arguments block: (_) @block (#eq? @ask "each")) @whole"#,
        makers: &["keys"],
        kinds: &[Kind::Array],
        template: "{{all}}.each_key {{block}}",
        advice: "walk the hash itself",
        assumes: Some("that the block adds no key to the hash"),
        unless: &[Unless::Changed, Unless::Used],
        ..THROWN_AWAY
    },
    Idiom {
        query: r#"(call receiver: (call receiver: (_) @all method: (identifier) @by !arguments !block (#eq? @by "values"))
            method: (identifier) @ask !arguments block: (_) @block (#eq? @ask "each")) @whole"#,
        makers: &["values"],
        kinds: &[Kind::Array],
        template: "{{all}}.each_value {{block}}",
        advice: "walk the hash itself",
        assumes: Some("that the block adds no key to the hash"),
        unless: &[Unless::Changed, Unless::Used],
        ..THROWN_AWAY
    },
    Idiom {
        query: r#"(call receiver: (call receiver: (_) @all method: (identifier) @by block: (_) @block !arguments (#any-of? @by "map" "collect"))
            method: (identifier) @ask !arguments !block (#any-of? @ask "sum" "min" "max")) @whole"#,
        makers: &["map", "collect"],
        kinds: &[Kind::Array],
        advice: "give the block to the question: `sum { … }`; for the least or most `each` with a variable",
        ..THROWN_AWAY
    },
    Idiom {
        query: r#"(call receiver: (call receiver: (_) @all method: (identifier) @by !arguments !block (#eq? @by "reverse"))
            method: (identifier) @ask !arguments block: (_) @block (#eq? @ask "each")) @whole"#,
        makers: &["reverse"],
        kinds: &[Kind::Array],
        template: "{{all}}.reverse_each {{block}}",
        advice: "walk from the end",
        unless: &[Unless::Changed, Unless::Used],
        ..THROWN_AWAY
    },
    Idiom {
        query: r#"(call receiver: (call receiver: (_) @all method: (identifier) @by !arguments !block (#eq? @by "sort"))
            method: (identifier) @ask !arguments !block (#eq? @ask "first")) @whole"#,
        makers: &["sort"],
        kinds: &[Kind::Array],
        template: "{{all}}.min",
        advice: "the least needs no order",
        ..THROWN_AWAY
    },
    Idiom {
        query: r#"(call receiver: (call receiver: (_) @all method: (identifier) @by !arguments !block (#eq? @by "sort"))
            method: (identifier) @ask !arguments !block (#eq? @ask "last")) @whole"#,
        makers: &["sort"],
        kinds: &[Kind::Array],
        template: "{{all}}.max",
        advice: "the most needs no order",
        ..THROWN_AWAY
    },
    Idiom {
        query: r#"(call receiver: (call receiver: (_) @text method: (identifier) @by !arguments !block (#eq? @by "chars"))
            method: (identifier) @ask !arguments !block (#any-of? @ask "count" "size" "length")) @whole"#,
        makers: &["chars"],
        kinds: TEXTS,
        template: "{{text}}.size",
        advice: "a text knows its length",
        ..THROWN_AWAY
    },
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
    advice: "give the text as a block: it is put together only when it is written",
    assumes: Some("that the log takes a block, as `Logger` does"),
    ..THROWN_AWAY
};

/// A level of a log with a text in a block, which Crystal's compiler puts in place: no call of the log is seen.
const LOG_IN_BLOCK: Idiom = Idiom {
    query: r#"(call receiver: (_) @log method: (identifier) @level
        block: (block body: (block_body . (string (interpolation)) .))
        (#match? @log "(?i)(^|[._:@])log(ger)?$")
        (#any-of? @level "trace" "debug" "info" "notice" "warn" "error" "fatal")) @whole"#,
    kind: AntipatternKind::WrittenLog,
    makers: &["interpolation"],
    advice: "write fewer lines on this way, or at a level that is off",
    assumes: Some("that nobody needs the line"),
    ..THROWN_AWAY
};

/// A table in a constant, looked up by text. Which constants are tables of texts is seen from their values.
const LOOKED_UP: Idiom = Idiom {
    query: "(element_reference object: (constant) @table) @whole",
    kind: AntipatternKind::LookedUp,
    advice: "a constant for each entry needs no look-up",
    ..THROWN_AWAY
};

/// An empty container as an argument.
const EMPTY: Idiom = Idiom {
    query: r#"(call arguments: (argument_list [(array "[" . "]") (hash "{" . "}")] @empty)) @whole"#,
    kind: AntipatternKind::Empty,
    kinds: &[Kind::Array, Kind::Table],
    advice: "pass a frozen empty constant, or nil",
    unless: &[Unless::Filled],
    ..THROWN_AWAY
};

/// Idioms of Crystal. Its texts have no `count("\n")` of the same cost, and its logs take blocks, whose text is made only when it is written.
pub(crate) const OF_CRYSTAL: &[&[Idiom]] = &[CRYSTAL];

const CRYSTAL: &[Idiom] = &[
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
        kinds: TEXTS,
        template: "{{text}}.each_line.size",
        advice: "count while reading: one line at a time",
        ..THROWN_AWAY
    },
    Idiom {
        query: r#"(call receiver: (call receiver: (_) @all method: (identifier) @by block: (_) @block !arguments (#eq? @by "map"))
            method: (identifier) @ask !arguments !block (#eq? @ask "flatten")) @whole"#,
        makers: &["map"],
        kinds: &[Kind::Array],
        template: "{{all}}.flat_map {{block}}",
        advice: "join while mapping",
        assumes: Some("that what the block returns is not nested any deeper"),
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
            method: (identifier) @ask !arguments !block (#eq? @ask "first")) @whole"#,
        makers: &["select"],
        kinds: &[Kind::Array],
        template: "{{all}}.find {{block}}",
        advice: "stop at the first that fits",
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
