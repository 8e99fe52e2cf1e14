//! Idioms of Ruby: pieces of a text that are made to be counted, or for the first of them.

use deadweight_heap::Kind;

use super::TEXTS;
use crate::condition::OnlyIf;
use crate::idiom::{Idiom, Left, THROWN_AWAY};
use crate::meaning::Unless;

/// A text that a call cuts at one character of ASCII, written as a string.
macro_rules! cut {
    ($by:literal) => {
        concat!(
            "(call receiver: (_) @text method: (identifier) @by arguments: (argument_list . (string . \
             [(string_content) @with (escape_sequence) @escaped] .) @separator .) !block (#eq? @by \"",
            $by,
            "\") (#match? @with \"^[!-\\\\[\\\\]-~]$\") (#match? @escaped \"^\\\\\\\\[ntr0]$\"))"
        )
    };
}

/// A text in pieces without arguments.
macro_rules! pieces {
    ($by:literal) => {
        concat!(
            "(call receiver: (_) @text method: (identifier) @by !arguments !block (#eq? @by \"",
            $by,
            "\"))"
        )
    };
}

/// What is asked of them.
macro_rules! ask {
    ($list:expr, $ask:literal) => {
        concat!(
            "(call receiver: ",
            $list,
            " method: (identifier) @ask !arguments !block (#any-of? @ask ",
            $ask,
            ")) @whole"
        )
    };
}

/// The first of them by its number.
macro_rules! at {
    ($list:expr, $at:literal) => {
        concat!(
            "(element_reference object: ",
            $list,
            " . [(integer) (unary)] @at . (#eq? @at \"",
            $at,
            "\")) @whole"
        )
    };
}

const NUMBER: &str = "count separators: no piece is made";

/// The first of two pieces: the list, the piece, and all that is behind it.
const FIRST_PIECE: Idiom = Idiom {
    makers: &["split"],
    kinds: TEXTS,
    remains: Left::Pieces(2),
    template: "{{text}}.split({{mark}}, 2).first",
    advice: "stop after the first piece",
    only_if: &[OnlyIf::Always(
        "no text is made of separators alone: its first piece is \"\" then, and was nil",
    )],
    unless: &[Unless::Assigned],
    ..THROWN_AWAY
};

const CHARACTER: Idiom = Idiom {
    makers: &["chars"],
    kinds: TEXTS,
    remains: Left::First,
    advice: "ask the text for it: one string, and no list",
    unless: &[Unless::Assigned],
    ..THROWN_AWAY
};

/// Idioms of texts; the earlier of two that know an expression speaks.
pub(super) const IDIOMS: &[Idiom] = &[
    // `split` drops empty pieces at the end.
    Idiom {
        query: ask!(cut!("split"), "\"count\" \"size\" \"length\""),
        makers: &["split"],
        kinds: TEXTS,
        template: "({{text}}.empty? || {{text}}.end_with?({{mark}}) ? {{text}}.split({{mark}}).size : {{text}}.count({{mark}}) + 1)",
        advice: NUMBER,
        assumes: Some(
            "that few texts end with a separator: these are still cut in pieces, as `split` drops empty ones at the end",
        ),
        ..THROWN_AWAY
    },
    Idiom {
        query: ask!(cut!("scan"), "\"count\" \"size\" \"length\""),
        makers: &["scan"],
        kinds: TEXTS,
        template: "{{text}}.count({{mark}})",
        advice: "count the character: no piece is made",
        ..THROWN_AWAY
    },
    Idiom {
        query: ask!(
            "(call receiver: (_) @text method: (identifier) @by arguments: (argument_list . (_) .) !block (#eq? @by \"scan\"))",
            "\"count\" \"size\" \"length\""
        ),
        makers: &["scan"],
        kinds: &[Kind::Array],
        advice: "count in the block of `scan`: no list is made; each piece still is",
        ..THROWN_AWAY
    },
    Idiom {
        query: ask!(cut!("split"), "\"first\""),
        ..FIRST_PIECE
    },
    Idiom {
        query: at!(cut!("split"), "0"),
        ..FIRST_PIECE
    },
    Idiom {
        query: ask!(pieces!("chars"), "\"count\" \"size\" \"length\""),
        template: "{{text}}.size",
        remains: Left::Nothing,
        advice: "a text knows its length",
        ..CHARACTER
    },
    Idiom {
        query: ask!(pieces!("chars"), "\"first\""),
        template: "{{text}}[0]",
        ..CHARACTER
    },
    Idiom {
        query: at!(pieces!("chars"), "0"),
        template: "{{text}}[0]",
        ..CHARACTER
    },
    Idiom {
        query: ask!(pieces!("chars"), "\"last\""),
        template: "{{text}}[-1]",
        ..CHARACTER
    },
    Idiom {
        query: ask!(pieces!("bytes"), "\"count\" \"size\" \"length\""),
        makers: &["bytes"],
        kinds: &[Kind::Array],
        template: "{{text}}.bytesize",
        advice: "a text knows its length",
        ..THROWN_AWAY
    },
    Idiom {
        query: ask!(pieces!("bytes"), "\"first\""),
        makers: &["bytes"],
        kinds: &[Kind::Array],
        template: "{{text}}.getbyte(0)",
        advice: "ask the text for it: no list",
        ..THROWN_AWAY
    },
];
