//! Idioms of Ruby: literal lists, hashes and patterns that are asked something where they stand. Ruby makes each again every
//! time its line runs.
//!
//! Measured with `ObjectSpace.count_objects`: Ruby 3.1 makes the list for `include?`, `index`, `[i]` and all others that
//! stand here, with each text of it, whatever it holds; for a hash the hash alone, as its keys are frozen and its texts
//! are made when they are put there. Where a newer Ruby makes none, as 3.4 for `include?`, records have none.

use deadweight_heap::churn::AntipatternKind;

use crate::idiom::{Idiom, Left, THROWN_AWAY};
use crate::meaning::Unless;

/// A literal, asked by a call.
macro_rules! asked {
    ($how:literal) => {
        concat!(
            "(call receiver: [(array) (string_array) (symbol_array) (hash)] @literal method: (identifier) @ask ",
            $how,
            ") @whole"
        )
    };
}

/// Of what is only asked whether it has something, so that nothing of it is handed out.
const ASKED: Idiom = Idiom {
    kind: AntipatternKind::Constant,
    remains: Left::One,
    advice: "make {{written}} a frozen constant",
    ..THROWN_AWAY
};

/// Of what hands out what it holds.
const HANDS_OUT: Idiom = Idiom {
    assumes: Some("that nobody changes the texts that it hands out"),
    ..ASKED
};

/// Idioms of constants; the earlier of two that know an expression speaks.
pub(super) const IDIOMS: &[Idiom] = &[
    Idiom {
        query: asked!(
            r#"!block (#any-of? @ask "include?" "member?" "index" "find_index" "rindex" "any?" "none?" "key?" "has_key?" "value?" "has_value?")"#
        ),
        ..ASKED
    },
    Idiom {
        query: "(element_reference object: [(array) (string_array) (symbol_array) (hash)] @literal) @whole",
        unless: &[Unless::Assigned],
        ..HANDS_OUT
    },
    Idiom {
        query: asked!(
            r#"(#any-of? @ask "fetch" "at" "dig" "first" "last" "sample" "values_at" "any?" "all?" "none?" "find" "detect" "map" "find_index" "index")"#
        ),
        ..HANDS_OUT
    },
    // The list itself is what `each` returns.
    Idiom {
        query: asked!(r#"(#eq? @ask "each")"#),
        assumes: Some("that the block changes none of them"),
        unless: &[Unless::Used],
        ..HANDS_OUT
    },
    Idiom {
        query: r#"(call receiver: (constant) @class method: (identifier) @by arguments: (argument_list . (string (string_content)) @constant .) (#eq? @class "Regexp") (#any-of? @by "new" "compile")) @whole"#,
        makers: &["new", "initialize", "compile"],
        advice: "make the pattern a constant",
        unless: &[Unless::Varies],
        ..ASKED
    },
];
