//! Idioms of Python.

use deadweight_heap::Kind;
use deadweight_heap::churn::AntipatternKind;

use crate::condition::OnlyIf;
use crate::idiom::{Idiom, Left, THROWN_AWAY};
use crate::meaning::Unless;

const LISTS: &[Kind] = &[Kind::Array, Kind::String];

/// The idioms; of two that know an expression the earlier one speaks.
pub(crate) const IDIOMS: &[Idiom] = &[
    Idiom {
        query: r#"(call function: (identifier) @ask arguments: (argument_list . (call function: (attribute object: (_) @text attribute: (_) @by) arguments: (argument_list . (string) @separator .) (#eq? @by "split") (#not-match? @text "(^|[.])(shlex|path|re|regex|str)$")) .) (#eq? @ask "len")) @whole"#,
        makers: &["split"],
        kinds: LISTS,
        template: "({{text}}.count({{separator}}) + 1)",
        advice: "count separators: no piece is made",
        ..THROWN_AWAY
    },
    Idiom {
        query: r#"(call function: (identifier) @ask arguments: (argument_list . (call function: (attribute object: (_) @text attribute: (_) @by) arguments: (argument_list "(" . ")") (#eq? @by "splitlines")) .) (#eq? @ask "len")) @whole"#,
        makers: &["splitlines"],
        kinds: LISTS,
        template: "{{text}}.count(\"\\n\")",
        advice: "count line breaks: no line is made",
        only_if: &[OnlyIf::Always(
            "every text ends with \\n, and lines end with \\n alone: `splitlines` also breaks at \\r, \\v, \\f, \\x1c to \
             \\x1e, \\x85, \\u2028 and \\u2029",
        )],
        ..THROWN_AWAY
    },
    Idiom {
        query: r#"(call function: (identifier) @ask arguments: (argument_list . (list_comprehension) @list .) (#eq? @ask "len") (#not-match? @list "(^|[^A-Za-z_])(await|async|yield)([^A-Za-z_]|$)")) @whole"#,
        makers: &["<listcomp>", "listcomp"],
        kinds: &[Kind::Array],
        template: "sum(1{{clauses}})",
        advice: "`sum(1 for …)` counts without a list",
        only_if: &[OnlyIf::Always(
            "no element raises or changes anything when it is made: none is made any more",
        )],
        ..THROWN_AWAY
    },
    Idiom {
        query: r#"(call function: (identifier) @ask arguments: (argument_list . (call function: (identifier) @by arguments: (argument_list . (call function: (attribute object: (_) @all attribute: (_) @of) arguments: (argument_list "(" . ")") (#any-of? @of "keys" "values" "items")) .) (#any-of? @by "list" "tuple")) .) (#eq? @ask "len")) @whole"#,
        makers: &["list", "tuple"],
        kinds: &[Kind::Array],
        template: "len({{all}})",
        advice: "a dict knows its length",
        only_if: &[OnlyIf::Always("it is a dict")],
        ..THROWN_AWAY
    },
    Idiom {
        query: r#"(call function: (identifier) @ask arguments: (argument_list . (list_comprehension) @list .) (#any-of? @ask "any" "all" "sum" "min" "max" "set" "dict") (#not-match? @list "(^|[^A-Za-z_])(await|async|yield)([^A-Za-z_]|$)")) @whole"#,
        makers: &["<listcomp>", "listcomp"],
        kinds: &[Kind::Array],
        template: "{{ask}}({{inside}})",
        advice: "leave out the brackets: a generator makes no list",
        only_if: &[OnlyIf::Always(
            "no element raises or changes anything when it is made: some may no longer be made, or later",
        )],
        ..THROWN_AWAY
    },
    Idiom {
        query: r#"(call function: (identifier) @ask arguments: (argument_list . (call function: (identifier) @by arguments: (argument_list . (_) @all .) (#any-of? @by "list" "tuple")) .) (#any-of? @ask "sorted" "sum" "min" "max" "set" "frozenset") (#not-match? @all "^[*(]|=|[^A-Za-z_]for[^A-Za-z_]")) @whole"#,
        makers: &["list", "tuple"],
        kinds: &[Kind::Array],
        template: "{{ask}}({{all}})",
        advice: "what is walked once needs no list",
        ..THROWN_AWAY
    },
    Idiom {
        query: r#"(subscript value: (call function: (identifier) @by arguments: (argument_list . (_) @all .) (#eq? @by "sorted")) subscript: (integer) @at (#eq? @at "0")) @whole"#,
        makers: &["sorted"],
        kinds: &[Kind::Array],
        template: "min({{all}})",
        advice: "the least needs no order",
        only_if: &[OnlyIf::Always(
            "it is never empty: `min` raises ValueError then, not IndexError",
        )],
        ..THROWN_AWAY
    },
    Idiom {
        query: r#"(comparison_operator (_) @key . "in" . (call function: (attribute object: (_) @all attribute: (_) @by) arguments: (argument_list "(" . ")") (#eq? @by "keys"))) @whole"#,
        makers: &["keys"],
        template: "{{key}} in {{all}}",
        advice: "ask the dict itself",
        only_if: &[OnlyIf::Always("it is a dict")],
        ..THROWN_AWAY
    },
    Idiom {
        query: r#"(comparison_operator (_) @key . "in" . (call function: (identifier) @by arguments: (argument_list . (call function: (attribute object: (_) @all attribute: (_) @of) arguments: (argument_list "(" . ")") (#eq? @of "keys")) .) (#any-of? @by "list" "tuple" "set"))) @whole"#,
        makers: &["list", "tuple", "set"],
        kinds: &[Kind::Array, Kind::Table],
        template: "{{key}} in {{all}}",
        advice: "ask the dict itself",
        only_if: &[OnlyIf::Always(
            "it is a dict, and what is looked for can be a key: else TypeError is raised",
        )],
        ..THROWN_AWAY
    },
    Idiom {
        query: r#"(for_statement right: (call function: (identifier) @by arguments: (argument_list . (call function: (attribute object: (_) @all attribute: (_) @of) (#any-of? @of "keys" "values" "items")) .) (#eq? @by "list")) body: (_) @block) @whole"#,
        makers: &["list"],
        kinds: &[Kind::Array],
        advice: "walk it without a list",
        assumes: Some("that the loop adds and removes no key"),
        unless: &[Unless::Changed],
        ..THROWN_AWAY
    },
    Idiom {
        query: r#"(call function: (attribute object: (_) @module attribute: (_) @by) arguments: (argument_list . (string) @constant) (#eq? @module "re") (#eq? @by "compile")) @whole"#,
        kind: AntipatternKind::Constant,
        makers: &["compile"],
        remains: Left::One,
        advice: "compile the pattern outside of the function",
        unless: &[Unless::Varies],
        ..THROWN_AWAY
    },
    Idiom {
        query: r#"(call function: (attribute object: (_) @module attribute: (_) @by) arguments: (argument_list . (string) @constant .) (#eq? @module "json") (#eq? @by "loads")) @whole"#,
        kind: AntipatternKind::Constant,
        makers: &["loads"],
        remains: Left::One,
        advice: "parse it once, outside of the function",
        assumes: Some("that nobody changes what it gives"),
        unless: &[Unless::Varies],
        ..THROWN_AWAY
    },
    Idiom {
        query: r#"(call function: (attribute object: (_) @log attribute: (_) @level) arguments: (argument_list . (string (interpolation)) @text .)
            (#match? @log "(?i)(^|[._])log(ger|ging)?$") (#any-of? @level "debug" "info" "warning" "error")) @whole"#,
        kind: AntipatternKind::Log,
        kinds: &[Kind::String],
        advice: "pass the values as arguments: `debug(\"… %s\", value)`",
        ..THROWN_AWAY
    },
    Idiom {
        query: r#"(call arguments: (argument_list [(list "[" . "]") (dictionary "{" . "}")] @empty)) @whole"#,
        kind: AntipatternKind::Empty,
        kinds: &[Kind::Array, Kind::Table],
        advice: "pass `()`, which is one shared object, or None",
        assumes: Some("that nobody adds to it"),
        unless: &[Unless::Filled],
        ..THROWN_AWAY
    },
];
