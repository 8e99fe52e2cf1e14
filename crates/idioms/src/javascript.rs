//! Idioms of JavaScript and TypeScript.

use deadweight_heap::churn::AntipatternKind;

use crate::condition::OnlyIf;
use crate::idiom::{Idiom, Left, THROWN_AWAY};
use crate::meaning::Unless;

/// Where a bound is asked for and the number of lists is not known.
const STOP_AT: &str = "only a bound is asked for: count separators with `indexOf` and stop at it, which makes no piece; \
     `split({{separator}}, {{bound}})` makes no more than {{bound}}";
const STOP_BEHIND: &str = "only a bound is asked for: count separators with `indexOf` and stop behind it, which makes no \
     piece; `split({{separator}}, {{bound+1}})` makes no more than {{bound+1}}";

/// Of a function that is called for fewer elements than before.
const ANSWERS: OnlyIf =
    OnlyIf::Always("the function does nothing but answer: it runs no further than the first that fits");

/// The idioms; of two that know an expression the earlier one speaks.
pub(crate) const IDIOMS: &[Idiom] = &[
    Idiom {
        query: r#"(binary_expression left: (member_expression object: (call_expression function: (member_expression object: (_) @text property: (_) @by) arguments: (arguments . (_) @separator .) (#eq? @by "split"))
            property: (_) @ask (#eq? @ask "length")) operator: ["<" ">="] @than right: (_) @bound) @whole"#,
        makers: &["split"],
        remains: Left::Bound,
        template: "{{text}}.split({{separator}}, {{bound}}).length {{than}} {{bound}}",
        advice: "only a bound is asked for: stop there",
        uncounted: STOP_AT,
        unless: &[Unless::Spread],
        ..THROWN_AWAY
    },
    Idiom {
        query: r#"(binary_expression left: (member_expression object: (call_expression function: (member_expression object: (_) @text property: (_) @by) arguments: (arguments . (_) @separator .) (#eq? @by "split"))
            property: (_) @ask (#eq? @ask "length")) operator: ["<=" ">" "===" "!==" "==" "!="] @than right: (_) @bound) @whole"#,
        makers: &["split"],
        remains: Left::BoundAndOne,
        template: "{{text}}.split({{separator}}, {{bound+1}}).length {{than}} {{bound}}",
        advice: "only a bound is asked for: stop one after it",
        uncounted: STOP_BEHIND,
        unless: &[Unless::Spread],
        ..THROWN_AWAY
    },
    Idiom {
        query: r#"(binary_expression left: (_) @bound operator: [">" "<="] @than right: (member_expression object: (call_expression function: (member_expression object: (_) @text property: (_) @by) arguments: (arguments . (_) @separator .) (#eq? @by "split"))
            property: (_) @ask (#eq? @ask "length"))) @whole"#,
        makers: &["split"],
        remains: Left::Bound,
        template: "{{bound}} {{than}} {{text}}.split({{separator}}, {{bound}}).length",
        advice: "only a bound is asked for: stop there",
        uncounted: STOP_AT,
        unless: &[Unless::Spread],
        ..THROWN_AWAY
    },
    Idiom {
        query: r#"(binary_expression left: (_) @bound operator: [">=" "<" "===" "!==" "==" "!="] @than right: (member_expression object: (call_expression function: (member_expression object: (_) @text property: (_) @by) arguments: (arguments . (_) @separator .) (#eq? @by "split"))
            property: (_) @ask (#eq? @ask "length"))) @whole"#,
        makers: &["split"],
        remains: Left::BoundAndOne,
        template: "{{bound}} {{than}} {{text}}.split({{separator}}, {{bound+1}}).length",
        advice: "only a bound is asked for: stop one after it",
        uncounted: STOP_BEHIND,
        unless: &[Unless::Spread],
        ..THROWN_AWAY
    },
    Idiom {
        query: r#"(member_expression object: (call_expression function: (member_expression object: (_) @text property: (_) @by) arguments: (arguments . (_) @separator .) (#eq? @by "split"))
            property: (_) @ask (#eq? @ask "length")) @whole"#,
        makers: &["split"],
        advice: "count separators in a loop with `indexOf`: no piece is made",
        ..THROWN_AWAY
    },
    Idiom {
        query: r#"(subscript_expression object: (call_expression function: (member_expression object: (_) @text property: (_) @by) arguments: (arguments . (_) @separator .) (#eq? @by "split")) index: (number) @at (#eq? @at "0")) @whole"#,
        makers: &["split"],
        template: "{{text}}.split({{separator}}, 1)[0]",
        remains: Left::One,
        advice: "stop after the first piece",
        assumes: Some("that there are many pieces; the first one and its list are still made"),
        unless: &[Unless::Assigned, Unless::Spread],
        ..THROWN_AWAY
    },
    Idiom {
        query: r#"(call_expression function: (member_expression object: (call_expression function: (member_expression object: (_) @all property: (_) @by) arguments: (arguments . (_) @each .) (#eq? @by "map"))
            property: (_) @ask) arguments: (arguments "(" . ")") (#eq? @ask "flat")) @whole"#,
        makers: &["map"],
        template: "{{all}}.flatMap({{each}})",
        advice: "join while mapping",
        unless: &[Unless::Spread],
        ..THROWN_AWAY
    },
    Idiom {
        query: r#"(subscript_expression object: (call_expression function: (member_expression object: (_) @all property: (_) @by) arguments: (arguments . (_) @block .) (#eq? @by "filter")) index: (number) @at (#eq? @at "0")) @whole"#,
        makers: &["filter"],
        template: "{{all}}.find({{block}})",
        advice: "stop at the first that fits",
        only_if: &[
            ANSWERS,
            OnlyIf::Always("it is an Array without holes: `find` asks for holes, too"),
        ],
        unless: &[Unless::DoesMore, Unless::Assigned, Unless::Spread],
        ..THROWN_AWAY
    },
    Idiom {
        query: r#"(binary_expression left: (member_expression object: (call_expression function: (member_expression object: (_) @all property: (_) @by) arguments: (arguments . (_) @block .) (#eq? @by "filter"))
            property: (_) @ask (#eq? @ask "length")) operator: [">" "!==" "!="] right: (number) @bound (#eq? @bound "0")) @whole"#,
        makers: &["filter"],
        template: "{{all}}.some({{block}})",
        advice: "stop at the first that fits",
        only_if: &[ANSWERS],
        unless: &[Unless::DoesMore, Unless::Spread],
        ..THROWN_AWAY
    },
    Idiom {
        query: r#"(member_expression object: (call_expression function: (member_expression object: (_) @all property: (_) @by) arguments: (arguments . (_) @block .) (#eq? @by "filter"))
            property: (_) @ask (#eq? @ask "length")) @whole"#,
        makers: &["filter"],
        advice: "count in a loop: no list is made",
        ..THROWN_AWAY
    },
    Idiom {
        query: r#"(call_expression function: (member_expression object: (call_expression function: (member_expression object: (identifier) @object property: (_) @by) arguments: (arguments . (_) @all .) (#eq? @object "Object") (#eq? @by "keys"))
            property: (_) @ask) arguments: (arguments . (_) @key .) (#eq? @ask "includes")) @whole"#,
        makers: &["keys"],
        template: "Object.hasOwn({{all}}, {{key}})",
        advice: "ask the object: no list, and no search through it",
        only_if: &[OnlyIf::Always(
            "the key is a string, and of no property that is not enumerable",
        )],
        unless: &[Unless::Spread],
        ..THROWN_AWAY
    },
    Idiom {
        query: r#"(member_expression object: (call_expression function: (member_expression object: (identifier) @object property: (_) @by) (#eq? @object "Object") (#any-of? @by "keys" "values" "entries"))
            property: (_) @ask (#eq? @ask "length")) @whole"#,
        makers: &["keys", "values", "entries"],
        advice: "keep a Map, which knows its size, or count where entries come and go",
        ..THROWN_AWAY
    },
    Idiom {
        query: r#"(call_expression function: (member_expression object: (call_expression function: (member_expression object: (identifier) @object property: (_) @by) arguments: (arguments . (_) @all .) (#eq? @object "Object") (#any-of? @by "keys" "values" "entries"))
            property: (_) @ask (#any-of? @ask "forEach" "some" "every" "find" "reduce")) arguments: (arguments) @block) @whole"#,
        makers: &["keys", "values", "entries"],
        advice: "walk it with `for … in`, or keep a Map",
        assumes: Some("that nothing enumerable is inherited, and that no key is added while it is walked"),
        unless: &[Unless::Changed],
        ..THROWN_AWAY
    },
    Idiom {
        query: r#"(for_in_statement right: (call_expression function: (member_expression object: (identifier) @object property: (_) @by) arguments: (arguments . (_) @all .) (#eq? @object "Object") (#any-of? @by "keys" "values" "entries")) body: (_) @block) @whole"#,
        makers: &["keys", "values", "entries"],
        advice: "walk it with `for … in`, or keep a Map",
        assumes: Some("that nothing enumerable is inherited, and that no key is added while it is walked"),
        unless: &[Unless::Changed],
        ..THROWN_AWAY
    },
    Idiom {
        query: r#"(call_expression function: (member_expression object: (new_expression constructor: (identifier) @class arguments: (arguments "(" . ")")) property: (_) @ask) (#eq? @class "Date") (#any-of? @ask "getTime" "valueOf")) @whole"#,
        makers: &["Date"],
        advice: "`Date.now()` makes no object",
        ..THROWN_AWAY
    },
    Idiom {
        query: r#"(new_expression constructor: (identifier) @class arguments: (arguments . (string) . (string) @flags .) (#eq? @class "RegExp") (#match? @flags "[gy]")) @whole"#,
        kind: AntipatternKind::Constant,
        makers: &["RegExp"],
        remains: Left::One,
        advice: "make the pattern a `const` outside of the function",
        assumes: Some(
            "that `lastIndex` is set to 0 before each use: `test` and `exec` go on where the last call ended",
        ),
        ..THROWN_AWAY
    },
    Idiom {
        query: r#"(new_expression constructor: (identifier) @class arguments: (arguments . (string) . (string)? @flags .) (#eq? @class "RegExp") (#not-match? @flags "[gy]")) @whole"#,
        kind: AntipatternKind::Constant,
        makers: &["RegExp"],
        remains: Left::One,
        advice: "make the pattern a `const` outside of the function",
        ..THROWN_AWAY
    },
    Idiom {
        query: r#"(new_expression constructor: (member_expression object: (identifier) @space property: (_) @class) arguments: (arguments) @constant (#eq? @space "Intl")) @whole"#,
        kind: AntipatternKind::Constant,
        makers: &[
            "NumberFormat",
            "DateTimeFormat",
            "Collator",
            "PluralRules",
            "Segmenter",
            "RelativeTimeFormat",
        ],
        remains: Left::One,
        advice: "make the formatter once, outside of the function",
        unless: &[Unless::Varies],
        ..THROWN_AWAY
    },
    Idiom {
        query: r#"(call_expression function: (member_expression object: (_) @log property: (_) @level) arguments: (arguments . (template_string (template_substitution)) @text .)
            (#match? @log "(?i)(^|[._])log(ger)?$") (#any-of? @level "debug" "trace" "verbose" "silly")) @whole"#,
        kind: AntipatternKind::Log,
        advice: "pass the values and let the logger build the text, or check its level first",
        unless: &[Unless::Guarded],
        ..THROWN_AWAY
    },
];
