//! Idioms of Java.

use deadweight_heap::Kind;
use deadweight_heap::churn::AntipatternKind;

use crate::condition::OnlyIf;
use crate::idiom::{Idiom, Left, THROWN_AWAY};
use crate::meaning::Unless;

/// What `count` of a stream does that a list's size does not.
const COUNTED: &[OnlyIf] = &[OnlyIf::Always(
    "a long will do where an int was, and no step of the stream has an effect of its own: \
     `count` may leave steps out",
)];

/// What `findAny` does that a list does not.
const FOUND: &[OnlyIf] = &[OnlyIf::Always(
    "no element is null, which `findAny` raises for, and no step of the stream has an effect of its own",
)];

/// The idioms; of two that know an expression the earlier one speaks.
pub(crate) const IDIOMS: &[Idiom] = &[
    Idiom {
        query: r#"(field_access object: (method_invocation object: (_) @text name: (_) @by arguments: (argument_list . (string_literal) @separator .) (#eq? @by "split")) field: (_) @ask (#eq? @ask "length")) @whole"#,
        makers: &["split"],
        advice: "count separators in a loop with `indexOf`: no piece is made",
        ..THROWN_AWAY
    },
    Idiom {
        query: r#"(method_invocation object: (method_invocation object: (_) @stream name: (_) @by arguments: (argument_list "(" . ")") (#eq? @by "toList")) name: (_) @ask arguments: (argument_list "(" . ")") (#eq? @ask "size")) @whole"#,
        makers: &["toList"],
        template: "{{stream}}.count()",
        advice: "count the stream",
        only_if: COUNTED,
        ..THROWN_AWAY
    },
    Idiom {
        query: r#"(method_invocation object: (method_invocation object: (_) @stream name: (_) @by arguments: (argument_list . (method_invocation name: (_) @into arguments: (argument_list "(" . ")")) .) (#eq? @by "collect") (#any-of? @into "toList" "toUnmodifiableList")) name: (_) @ask arguments: (argument_list "(" . ")") (#eq? @ask "size")) @whole"#,
        makers: &["collect"],
        template: "{{stream}}.count()",
        advice: "count the stream",
        only_if: COUNTED,
        ..THROWN_AWAY
    },
    Idiom {
        query: r#"(field_access object: (method_invocation object: (method_invocation name: (_) @of) @stream name: (_) @by arguments: (argument_list "(" . ")") (#any-of? @of "lines" "stream" "filter" "chars") (#eq? @by "toArray")) field: (_) @ask (#eq? @ask "length")) @whole"#,
        makers: &["toArray"],
        template: "{{stream}}.count()",
        advice: "count the stream",
        only_if: COUNTED,
        ..THROWN_AWAY
    },
    Idiom {
        query: r#"(method_invocation object: (method_invocation object: (identifier) @class name: (_) @by (#eq? @class "Files") (#eq? @by "readAllLines")) name: (_) @ask arguments: (argument_list "(" . ")") (#eq? @ask "size")) @whole"#,
        makers: &["readAllLines"],
        kinds: &[Kind::Array],
        advice: "count `Files.lines(…)`, closed by `try`: no list is made; each line still is",
        ..THROWN_AWAY
    },
    Idiom {
        query: r#"(method_invocation object: (method_invocation object: (_) @stream name: (_) @by arguments: (argument_list "(" . ")") (#eq? @by "toList")) name: (_) @ask arguments: (argument_list "(" . ")") (#eq? @ask "isEmpty")) @whole"#,
        makers: &["toList"],
        template: "{{stream}}.findAny().isEmpty()",
        only_if: FOUND,
        advice: "stop at the first",
        ..THROWN_AWAY
    },
    Idiom {
        query: r#"(method_invocation object: (method_invocation object: (_) @stream name: (_) @by arguments: (argument_list . (method_invocation name: (_) @into arguments: (argument_list "(" . ")")) .) (#eq? @by "collect") (#any-of? @into "toList" "toUnmodifiableList" "toSet" "toUnmodifiableSet")) name: (_) @ask arguments: (argument_list "(" . ")") (#eq? @ask "isEmpty")) @whole"#,
        makers: &["collect"],
        template: "{{stream}}.findAny().isEmpty()",
        only_if: FOUND,
        advice: "stop at the first",
        ..THROWN_AWAY
    },
    Idiom {
        query: r#"(method_invocation object: (identifier) @class name: (_) @by arguments: (argument_list . (string_literal)) (#eq? @class "Pattern") (#eq? @by "compile")) @whole"#,
        kind: AntipatternKind::Constant,
        makers: &["compile"],
        remains: Left::One,
        advice: "make the pattern `private static final`",
        ..THROWN_AWAY
    },
    Idiom {
        query: r#"(method_invocation object: (_) @log name: (_) @level arguments: (argument_list . (binary_expression left: (_) operator: "+" right: (_)) @text .)
            (#match? @log "(?i)(^|[._])log(ger)?$") (#any-of? @level "debug" "trace" "info" "fine" "finer" "finest")) @whole"#,
        kind: AntipatternKind::Log,
        kinds: &[Kind::String],
        advice: "pass the values: `debug(\"… {}\", value)`",
        ..THROWN_AWAY
    },
    Idiom {
        query: r#"(method_invocation arguments: (argument_list (object_creation_expression type: (_) @class arguments: (argument_list "(" . ")") (#match? @class "^(ArrayList|HashMap|HashSet|LinkedList)")) @empty)) @whole"#,
        kind: AntipatternKind::Empty,
        kinds: &[Kind::Array, Kind::Table],
        advice: "pass `List.of()`, `Map.of()` or `Set.of()`",
        assumes: Some("that nobody adds to it"),
        unless: &[Unless::Filled],
        ..THROWN_AWAY
    },
];
