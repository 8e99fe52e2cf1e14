//! Idioms of JavaScript and TypeScript.

use deadweight_heap::churn::Waste;

use crate::idiom::{Idiom, Left, THROWN_AWAY};

/// The idioms; of two that know an expression the earlier one speaks.
pub(crate) const IDIOMS: &[Idiom] = &[
    Idiom {
        query: r#"(binary_expression left: (member_expression object: (call_expression function: (member_expression object: (_) @text property: (_) @by) arguments: (arguments . (_) @separator .) (#eq? @by "split"))
            property: (_) @ask (#eq? @ask "length")) operator: ["<" ">="] @than right: (_) @bound) @whole"#,
        makers: &["split"],
        remains: Left::Bound,
        template: "{{text}}.split({{separator}}, {{bound}}).length {{than}} {{bound}}",
        advice: "only a bound is asked for: stop there",
        ..THROWN_AWAY
    },
    Idiom {
        query: r#"(binary_expression left: (member_expression object: (call_expression function: (member_expression object: (_) @text property: (_) @by) arguments: (arguments . (_) @separator .) (#eq? @by "split"))
            property: (_) @ask (#eq? @ask "length")) operator: ["<=" ">" "===" "!==" "==" "!="] @than right: (_) @bound) @whole"#,
        makers: &["split"],
        remains: Left::BoundAndOne,
        template: "{{text}}.split({{separator}}, {{bound+1}}).length {{than}} {{bound}}",
        advice: "only a bound is asked for: stop one behind it",
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
        ..THROWN_AWAY
    },
    Idiom {
        query: r#"(call_expression function: (member_expression object: (call_expression function: (member_expression object: (_) @all property: (_) @by) arguments: (arguments . (_) @each .) (#eq? @by "map"))
            property: (_) @ask) arguments: (arguments "(" . ")") (#eq? @ask "flat")) @whole"#,
        makers: &["map"],
        template: "{{all}}.flatMap({{each}})",
        advice: "join while mapping",
        ..THROWN_AWAY
    },
    Idiom {
        query: r#"(subscript_expression object: (call_expression function: (member_expression object: (_) @all property: (_) @by) arguments: (arguments . (_) @fits .) (#eq? @by "filter")) index: (number) @at (#eq? @at "0")) @whole"#,
        makers: &["filter"],
        template: "{{all}}.find({{fits}})",
        advice: "stop at the first that fits",
        ..THROWN_AWAY
    },
    Idiom {
        query: r#"(binary_expression left: (member_expression object: (call_expression function: (member_expression object: (_) @all property: (_) @by) arguments: (arguments . (_) @fits .) (#eq? @by "filter"))
            property: (_) @ask (#eq? @ask "length")) operator: [">" "!==" "!="] right: (number) @bound (#eq? @bound "0")) @whole"#,
        makers: &["filter"],
        template: "{{all}}.some({{fits}})",
        advice: "stop at the first that fits",
        ..THROWN_AWAY
    },
    Idiom {
        query: r#"(member_expression object: (call_expression function: (member_expression object: (_) @all property: (_) @by) arguments: (arguments . (_) @fits .) (#eq? @by "filter"))
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
        assumes: Some("that the key is a string and enumerable"),
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
        query: r#"(call_expression function: (member_expression object: (call_expression function: (member_expression object: (identifier) @object property: (_) @by) (#eq? @object "Object") (#any-of? @by "keys" "values" "entries"))
            property: (_) @ask (#any-of? @ask "forEach" "some" "every" "find" "reduce"))) @whole"#,
        makers: &["keys", "values", "entries"],
        advice: "walk it with `for … in`, or keep a Map",
        ..THROWN_AWAY
    },
    Idiom {
        query: r#"(for_in_statement right: (call_expression function: (member_expression object: (identifier) @object property: (_) @by) (#eq? @object "Object") (#any-of? @by "keys" "values" "entries"))) @whole"#,
        makers: &["keys", "values", "entries"],
        advice: "walk it with `for … in`, or keep a Map",
        ..THROWN_AWAY
    },
    Idiom {
        query: r#"(call_expression function: (member_expression object: (new_expression constructor: (identifier) @class arguments: (arguments)) property: (_) @ask) (#eq? @class "Date") (#any-of? @ask "getTime" "valueOf")) @whole"#,
        makers: &["Date"],
        advice: "`Date.now()` makes no object",
        ..THROWN_AWAY
    },
    Idiom {
        query: r#"(new_expression constructor: (identifier) @class arguments: (arguments . (string) [(string)]?) (#eq? @class "RegExp")) @whole"#,
        waste: Waste::Constant,
        makers: &["RegExp"],
        remains: Left::One,
        advice: "make the pattern a `const` outside of the function",
        ..THROWN_AWAY
    },
    Idiom {
        query: r#"(new_expression constructor: (member_expression object: (identifier) @space property: (_) @class) (#eq? @space "Intl")) @whole"#,
        waste: Waste::Constant,
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
        ..THROWN_AWAY
    },
    Idiom {
        query: r#"(call_expression function: (member_expression object: (_) @log property: (_) @level) arguments: (arguments . (template_string (template_substitution)) @text .)
            (#match? @log "(?i)(^|[._])log(ger)?$") (#any-of? @level "debug" "trace" "verbose" "silly")) @whole"#,
        waste: Waste::Log,
        advice: "pass the values and let the logger put them together, or ask for its level first",
        ..THROWN_AWAY
    },
];
