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

/// What the smallest of a stream is that the first of a sorted one is not.
const SMALLEST: &[OnlyIf] = &[OnlyIf::Always(
    "no step of the stream has an effect of its own: they may run in another order",
)];

/// What a stream that goes on does that one of a list does not.
const STREAMED: &[OnlyIf] = &[OnlyIf::Always(
    "no step of the stream has an effect of its own: what follows may end before all steps have run",
)];

/// Lists and what they keep their elements in, and the same of tables: what gathers a stream is made in any case.
const GATHERED: &[Kind] = &[Kind::Array, Kind::Table];

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
        kinds: GATHERED,
        template: "{{stream}}.count()",
        advice: "count the stream",
        only_if: COUNTED,
        ..THROWN_AWAY
    },
    Idiom {
        query: r#"(method_invocation object: (method_invocation object: (_) @stream name: (_) @by arguments: (argument_list . (method_invocation name: (_) @into arguments: (argument_list "(" . ")")) .) (#eq? @by "collect") (#any-of? @into "toList" "toUnmodifiableList")) name: (_) @ask arguments: (argument_list "(" . ")") (#eq? @ask "size")) @whole"#,
        makers: &["collect"],
        kinds: GATHERED,
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
        kinds: GATHERED,
        template: "{{stream}}.findAny().isEmpty()",
        only_if: FOUND,
        advice: "stop at the first",
        ..THROWN_AWAY
    },
    Idiom {
        query: r#"(method_invocation object: (method_invocation object: (_) @stream name: (_) @by arguments: (argument_list . (method_invocation name: (_) @into arguments: (argument_list "(" . ")")) .) (#eq? @by "collect") (#any-of? @into "toList" "toUnmodifiableList" "toSet" "toUnmodifiableSet")) name: (_) @ask arguments: (argument_list "(" . ")") (#eq? @ask "isEmpty")) @whole"#,
        makers: &["collect"],
        kinds: GATHERED,
        template: "{{stream}}.findAny().isEmpty()",
        only_if: FOUND,
        advice: "stop at the first",
        ..THROWN_AWAY
    },
    Idiom {
        query: r#"(array_access array: (method_invocation object: (_) @text name: (_) @by arguments: (argument_list . (string_literal) @separator .) (#eq? @by "split")) index: (decimal_integer_literal) @first (#eq? @first "0")) @whole"#,
        makers: &["split"],
        remains: Left::First,
        advice: "take what stands before the first separator, by `indexOf` and `substring`",
        ..THROWN_AWAY
    },
    Idiom {
        query: r#"(enhanced_for_statement value: (method_invocation object: (_) @text name: (_) @by arguments: (argument_list "(" . ")") (#eq? @by "toCharArray"))) @whole"#,
        makers: &["toCharArray"],
        advice: "walk the text by `charAt`: no array is made",
        ..THROWN_AWAY
    },
    Idiom {
        query: r#"(method_invocation object: (method_invocation object: (_) @stream name: (_) @by arguments: (argument_list "(" . ")") (#eq? @by "toList")) name: (_) @ask arguments: (argument_list "(" . ")") (#eq? @ask "stream")) @whole"#,
        makers: &["toList"],
        kinds: GATHERED,
        template: "{{stream}}",
        advice: "go on with the stream: no list is made",
        only_if: STREAMED,
        ..THROWN_AWAY
    },
    Idiom {
        query: r#"(method_invocation object: (method_invocation object: (_) @stream name: (_) @by arguments: (argument_list . (method_invocation name: (_) @into arguments: (argument_list "(" . ")")) .) (#eq? @by "collect") (#any-of? @into "toList" "toUnmodifiableList")) name: (_) @ask arguments: (argument_list "(" . ")") (#eq? @ask "stream")) @whole"#,
        makers: &["collect"],
        kinds: GATHERED,
        template: "{{stream}}",
        advice: "go on with the stream: no list is made",
        only_if: STREAMED,
        ..THROWN_AWAY
    },
    Idiom {
        query: r#"(method_invocation object: (method_invocation object: (_) @stream name: (_) @by arguments: (argument_list . (_) @order .) (#eq? @by "sorted")) name: (_) @ask arguments: (argument_list "(" . ")") (#eq? @ask "findFirst")) @whole"#,
        makers: &["findFirst"],
        kinds: GATHERED,
        template: "{{stream}}.min({{order}})",
        advice: "ask for the smallest: no list is sorted",
        only_if: SMALLEST,
        ..THROWN_AWAY
    },
    Idiom {
        query: r#"(method_invocation object: (method_invocation object: (_) @stream name: (_) @by arguments: (argument_list "(" . ")") (#eq? @by "sorted")) name: (_) @ask arguments: (argument_list "(" . ")") (#eq? @ask "findFirst")) @whole"#,
        makers: &["findFirst"],
        kinds: GATHERED,
        template: "{{stream}}.min(java.util.Comparator.naturalOrder())",
        advice: "ask for the smallest: no list is sorted",
        only_if: SMALLEST,
        ..THROWN_AWAY
    },
    Idiom {
        query: r#"(method_invocation object: (object_creation_expression type: (generic_type (type_identifier) @class) arguments: (argument_list . [(identifier) (field_access) (method_invocation)] @all .) (#any-of? @class "ArrayList" "LinkedList")) name: (_) @ask arguments: (argument_list) @handed (#any-of? @ask "size" "isEmpty" "contains")) @whole"#,
        makers: &["", "<init>"],
        kinds: GATHERED,
        template: "{{all}}.{{ask}}{{handed}}",
        advice: "ask the collection itself: no copy is made",
        only_if: &[OnlyIf::Always(
            "the argument is a collection, not an initial capacity",
        )],
        ..THROWN_AWAY
    },
    Idiom {
        query: r#"(method_invocation object: (object_creation_expression type: (generic_type (type_identifier) @class) arguments: (argument_list . [(identifier) (field_access) (method_invocation)] @all .) (#eq? @class "HashSet")) name: (_) @ask arguments: (argument_list) @handed (#any-of? @ask "isEmpty" "contains")) @whole"#,
        makers: &["", "<init>"],
        kinds: GATHERED,
        template: "{{all}}.{{ask}}{{handed}}",
        advice: "ask the collection itself: no copy is made",
        only_if: &[OnlyIf::Always(
            "the argument is a collection that compares by `equals`, not an initial capacity",
        )],
        ..THROWN_AWAY
    },
    Idiom {
        query: r#"(method_invocation object: (method_invocation object: (_) @text name: (_) @by arguments: (argument_list . (_) @from .) (#eq? @by "substring")) name: (_) @ask arguments: (argument_list . (_) @key .) (#eq? @ask "startsWith")) @whole"#,
        makers: &["substring"],
        template: "{{text}}.startsWith({{key}}, {{from}})",
        advice: "look at the text where it stands: no piece is made",
        only_if: &[OnlyIf::Always("these positions are within the text")],
        ..THROWN_AWAY
    },
    Idiom {
        query: r#"(method_invocation object: (identifier) @class name: (_) @parse arguments: (argument_list . (method_invocation object: (_) @text name: (_) @by arguments: (argument_list . (_) @from . (_) @to .) (#eq? @by "substring")) .) (#any-of? @class "Integer" "Long") (#any-of? @parse "parseInt" "parseLong")) @whole"#,
        makers: &["substring"],
        template: "{{class}}.{{parse}}({{text}}, {{from}}, {{to}}, 10)",
        advice: "read the number where it stands: no piece is made",
        only_if: &[OnlyIf::Always("these positions are within the text")],
        ..THROWN_AWAY
    },
    Idiom {
        query: r#"(method_invocation object: (method_invocation object: (_) @text name: (_) @by arguments: (argument_list "(" . ")") (#eq? @by "trim")) name: (_) @ask arguments: (argument_list "(" . ")") (#eq? @ask "isEmpty")) @whole"#,
        makers: &["trim"],
        template: "{{text}}.isBlank()",
        advice: "ask whether it is blank: no piece is made",
        only_if: &[OnlyIf::Always(
            "blanks are those of ASCII: `trim` takes off control characters, too, and no others",
        )],
        ..THROWN_AWAY
    },
    Idiom {
        query: r#"(method_invocation object: (method_invocation object: (_) @text name: (_) @by arguments: (argument_list "(" . ")") (#eq? @by "strip")) name: (_) @ask arguments: (argument_list "(" . ")") (#eq? @ask "isEmpty")) @whole"#,
        makers: &["strip"],
        template: "{{text}}.isBlank()",
        advice: "ask whether it is blank: no piece is made",
        ..THROWN_AWAY
    },
    Idiom {
        query: r#"(method_invocation object: (method_invocation object: (identifier) @class name: (_) @by arguments: (argument_list . [(string_literal) (character_literal) (decimal_integer_literal)]) @constant (#any-of? @class "List" "Set" "Arrays") (#any-of? @by "of" "asList")) @list name: (_) @ask (#any-of? @ask "contains" "indexOf")) @whole"#,
        kind: AntipatternKind::Constant,
        makers: &["", "of", "asList"],
        kinds: GATHERED,
        remains: Left::One,
        advice: "make it `private static final`",
        unless: &[Unless::Varies],
        ..THROWN_AWAY
    },
    Idiom {
        query: r#"(method_invocation object: (identifier) @class name: (_) @by arguments: (argument_list . (string_literal) .) (#eq? @class "DateTimeFormatter") (#eq? @by "ofPattern")) @whole"#,
        kind: AntipatternKind::Constant,
        makers: &["ofPattern"],
        remains: Left::One,
        advice: "make the formatter `private static final`",
        ..THROWN_AWAY
    },
    Idiom {
        query: r#"(object_creation_expression type: (type_identifier) @class arguments: (argument_list . (string_literal)) @constant (#any-of? @class "SimpleDateFormat" "DecimalFormat")) @whole"#,
        kind: AntipatternKind::Constant,
        makers: &["SimpleDateFormat.<init>", "DecimalFormat.<init>"],
        remains: Left::One,
        advice: "keep one for each thread, or use a `DateTimeFormatter`, which threads may share",
        assumes: Some("that what it caches at first use is left out: more is saved"),
        unless: &[Unless::Varies],
        ..THROWN_AWAY
    },
    Idiom {
        query: r#"(object_creation_expression type: (type_identifier) @class arguments: (argument_list "(" . ")") (#any-of? @class "ObjectMapper" "JsonMapper" "XmlMapper" "Gson")) @whole"#,
        kind: AntipatternKind::Constant,
        makers: &[
            "ObjectMapper.<init>",
            "JsonMapper.<init>",
            "XmlMapper.<init>",
            "Gson.<init>",
        ],
        remains: Left::One,
        advice: "make one and keep it in a `private static final`: threads may share it",
        assumes: Some(
            "that it is configured the same way each time, and that what it caches at first use is left out: more is saved",
        ),
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
        makers: &["", "concat", "append", "toString", "valueOf", "<init>"],
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
