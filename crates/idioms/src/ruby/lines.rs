//! Idioms of Ruby: lines of a text or a file that are made to be counted, or to be walked once.
//!
//! Every rewrite gives the same answer for every text; what it takes for granted beyond that is said. Three things make
//! that harder than `text.count("\n")`:
//! - a text that does not end with a line break has one line more than breaks;
//! - `count` raises where the text is not valid in its encoding, which `lines` does not: `b`, the same bytes without an
//!   encoding, is always valid;
//! - `$/` may be another separator: where the file sets it, only rewrites that ask it as well are offered.

use deadweight_heap::Kind;

use super::TEXTS;
use crate::compared::{Bounds, bounds};
use crate::condition::OnlyIf;
use crate::idiom::{Idiom, Left, THROWN_AWAY};
use crate::meaning::Unless;

/// The number of lines, with no line made. `{{newline}}` is `"\n"` as the file writes it without making a string.
const EXACT: &str =
    "({{text}}.b.count({{newline}}) + ({{text}}.empty? || {{text}}.end_with?({{newline}}) ? 0 : 1))";

const COUNT: &str = "count line breaks: no line is made; where every text is valid in its encoding and ends with a line \
     break, `count(\"\\n\")` alone is as good";

/// Where `EXACT` means the same, as far as the source does not tell: it raises else.
const OF_TEXT: &[OnlyIf] = &[OnlyIf::Always(
    "no text is in an encoding without ASCII, such as UTF-16",
)];

/// The same where the receiver may as well be a file.
const OF_RECEIVER: &[OnlyIf] = &[OnlyIf::Always(
    "this is a String, no file, and in no encoding without ASCII, such as UTF-16",
)];

/// What both take for granted of the program.
const SEPARATOR: &str = "that `$/` is \"\\n\"";

/// The number of lines of a file, read a block at a time: no line is made. What it names is its own. `eof?` fills the buffer
/// that the file has in any case, so that the block is all that differs.
const IN_BLOCKS: &str = "File.open({{path}}, 'rb') { |file; lines, open, block| lines, open, block = 0, false, String.new; \
     (file.read(16_384, block); lines += block.count({{newline}}); open = !block.end_with?({{newline}})) until \
     file.eof?; open ? lines + 1 : lines }";

/// One block for each file that is opened.
const A_BLOCK: Left = Left::Buffer(16_384, "File");

const BLOCKS: &str = "count line breaks a block at a time: no line is made";

/// What reading a file in blocks takes for granted.
const OF_FILE_BREAKS: &str = "that `$/` is \"\\n\", and that the path names a file";

const WALK: &str = "walk lines one at a time: no list is made; each line still is";

/// An expression, with or without parentheses around it.
macro_rules! bare_or_not {
    ($query:expr) => {
        concat!("[", $query, " (parenthesized_statements . ", $query, " .)]")
    };
}

/// A call of `lines` or the like, whatever it is handed but a block.
macro_rules! lines {
    ($receiver:literal, $by:literal) => {
        concat!(
            "(call receiver: ",
            $receiver,
            " method: (identifier) @by !block (#eq? @by \"",
            $by,
            "\")) @lines"
        )
    };
}

/// The same of a text, of a class of files, and each walk as a list.
macro_rules! of_text {
    ($by:literal) => {
        bare_or_not!(lines!("(_) @text", $by))
    };
}
macro_rules! of_class {
    ($by:literal) => {
        bare_or_not!(lines!("[(constant) (scope_resolution)] @class", $by))
    };
}
/// The same of a file by its path, and nothing else that it is handed.
macro_rules! of_path {
    ($by:literal) => {
        bare_or_not!(concat!(
            "(call receiver: (constant) @class method: (identifier) @by arguments: (argument_list . [(identifier) \
             (constant) (instance_variable) (global_variable) (string) (call) (element_reference)] @path .) !block (#eq? @class \"File\") \
             (#eq? @by \"",
            $by,
            "\")) @lines"
        ))
    };
}
macro_rules! listed {
    ($receiver:literal, $by:literal) => {
        bare_or_not!(concat!(
            "(call receiver: ",
            lines!($receiver, $by),
            " method: (identifier) @to !arguments !block (#any-of? @to \"to_a\" \"entries\"))"
        ))
    };
}

/// A question to that list.
macro_rules! ask {
    ($list:expr, $how:literal) => {
        concat!(
            "(call receiver: ",
            $list,
            " method: (identifier) @ask ",
            $how,
            ")"
        )
    };
}

/// How many elements it has.
macro_rules! number {
    ($list:expr) => {
        ask!(
            $list,
            r#"!arguments !block (#any-of? @ask "count" "size" "length")"#
        )
    };
}

/// Of `text.lines`.
const OF_LINES: Idiom = Idiom {
    makers: &["lines"],
    kinds: TEXTS,
    unless: &[Unless::Yields],
    ..THROWN_AWAY
};

/// Of `text.each_line.to_a` and `File.foreach(path).to_a`.
const OF_LISTED: Idiom = Idiom {
    makers: &["to_a", "entries"],
    kinds: TEXTS,
    unless: &[Unless::Yields],
    ..THROWN_AWAY
};

/// Of `File.readlines(path)`.
const OF_FILE: Idiom = Idiom {
    makers: &["readlines"],
    kinds: TEXTS,
    unless: &[Unless::Yields, Unless::NoFile],
    ..THROWN_AWAY
};

/// Idioms of lines; the earlier of two that know an expression speaks.
pub(super) const IDIOMS: &[Idiom] = &[
    Idiom {
        query: concat!(number!(of_text!("lines")), " @whole"),
        compared: Some(bounds!("{{text}}.each_line{{args}}")),
        ..OF_LINES
    },
    Idiom {
        query: concat!(number!(listed!("(_) @text", "each_line")), " @whole"),
        compared: Some(bounds!("{{text}}.each_line{{args}}")),
        unless: &[Unless::Yields, Unless::Stream],
        ..OF_LISTED
    },
    Idiom {
        query: concat!(number!(of_class!("readlines")), " @whole"),
        compared: Some(bounds!("{{class}}.foreach{{args}}")),
        ..OF_FILE
    },
    Idiom {
        query: concat!(
            number!(listed!("[(constant) (scope_resolution)] @class", "foreach")),
            " @whole"
        ),
        compared: Some(bounds!("{{class}}.foreach{{args}}")),
        unless: &[Unless::Yields, Unless::NoFile],
        ..OF_LISTED
    },
    Idiom {
        query: concat!(number!(of_text!("lines")), " @whole"),
        remains: Left::View,
        template: EXACT,
        advice: COUNT,
        only_if: OF_TEXT,
        assumes: Some(SEPARATOR),
        unless: &[Unless::Handed, Unless::SeparatorSet],
        ..OF_LINES
    },
    Idiom {
        query: concat!(number!(of_text!("lines")), " @whole"),
        kinds: &[Kind::Array],
        template: "{{text}}.each_line{{args}}.count",
        advice: WALK,
        ..OF_LINES
    },
    Idiom {
        query: concat!(number!(listed!("(_) @text", "each_line")), " @whole"),
        remains: Left::View,
        template: EXACT,
        advice: COUNT,
        only_if: OF_RECEIVER,
        assumes: Some(SEPARATOR),
        unless: &[Unless::Handed, Unless::SeparatorSet, Unless::Stream],
        ..OF_LISTED
    },
    Idiom {
        query: concat!(number!(listed!("(_) @text", "each_line")), " @whole"),
        kinds: &[Kind::Array],
        template: "{{text}}.each_line{{args}}.count",
        advice: WALK,
        ..OF_LISTED
    },
    // No list, but each line.
    Idiom {
        query: concat!(
            ask!(of_text!("each_line"), r#"!arguments !block (#eq? @ask "count")"#),
            " @whole"
        ),
        makers: &["count"],
        kinds: &[Kind::String],
        template: EXACT,
        advice: COUNT,
        only_if: OF_RECEIVER,
        assumes: Some(SEPARATOR),
        unless: &[Unless::Handed, Unless::SeparatorSet, Unless::Stream],
        ..THROWN_AWAY
    },
    // No list and no line of a file.
    Idiom {
        query: concat!(number!(of_path!("readlines")), " @whole"),
        remains: A_BLOCK,
        template: IN_BLOCKS,
        advice: BLOCKS,
        assumes: Some(OF_FILE_BREAKS),
        unless: &[Unless::Yields, Unless::SeparatorSet],
        ..OF_FILE
    },
    Idiom {
        query: concat!(
            ask!(of_path!("foreach"), r#"!arguments !block (#eq? @ask "count")"#),
            " @whole"
        ),
        makers: &["count"],
        kinds: &[Kind::String],
        remains: A_BLOCK,
        template: IN_BLOCKS,
        advice: BLOCKS,
        assumes: Some(OF_FILE_BREAKS),
        unless: &[Unless::Yields, Unless::SeparatorSet],
        ..THROWN_AWAY
    },
    Idiom {
        query: concat!(
            number!(bare_or_not!(concat!(
                "(call receiver: ",
                of_path!("foreach"),
                " method: (identifier) @to !arguments !block (#any-of? @to \"to_a\" \"entries\"))"
            ))),
            " @whole"
        ),
        remains: A_BLOCK,
        template: IN_BLOCKS,
        advice: BLOCKS,
        assumes: Some(OF_FILE_BREAKS),
        unless: &[Unless::Yields, Unless::SeparatorSet],
        ..OF_LISTED
    },
    Idiom {
        query: concat!(number!(of_class!("readlines")), " @whole"),
        kinds: &[Kind::Array],
        template: "{{class}}.foreach{{args}}.count",
        advice: WALK,
        ..OF_FILE
    },
    Idiom {
        query: concat!(
            number!(listed!("[(constant) (scope_resolution)] @class", "foreach")),
            " @whole"
        ),
        kinds: &[Kind::Array],
        template: "{{class}}.foreach{{args}}.count",
        advice: WALK,
        unless: &[Unless::Yields, Unless::NoFile],
        ..OF_LISTED
    },
    // Of an open file.
    Idiom {
        query: concat!(number!(of_text!("readlines")), " @whole"),
        kinds: &[Kind::Array],
        template: "{{text}}.each_line{{args}}.count",
        advice: WALK,
        unless: &[Unless::Yields, Unless::Class],
        ..OF_FILE
    },
    Idiom {
        query: concat!(
            ask!(
                of_text!("lines"),
                r#"arguments: (argument_list . (_) @bound .) !block (#any-of? @ask "first" "take")"#
            ),
            " @whole"
        ),
        remains: Left::Bound,
        template: "{{text}}.each_line{{args}}.{{ask}}({{bound}})",
        advice: "stop at the last that is asked for",
        ..OF_LINES
    },
    Idiom {
        query: concat!(
            ask!(of_text!("lines"), r#"!arguments !block (#eq? @ask "first")"#),
            " @whole"
        ),
        remains: Left::First,
        template: "{{text}}.each_line{{args}}.first",
        advice: "stop at the first",
        ..OF_LINES
    },
    Idiom {
        query: concat!(
            "(element_reference object: ",
            of_text!("lines"),
            r#" . (integer) @at . (#match? @at "^0$")) @whole"#
        ),
        remains: Left::First,
        template: "{{text}}.each_line{{args}}.first",
        advice: "stop at the first",
        unless: &[Unless::Yields, Unless::Assigned],
        ..OF_LINES
    },
    Idiom {
        query: concat!(
            ask!(of_text!("lines"), r#"!arguments !block (#eq? @ask "empty?")"#),
            " @whole"
        ),
        template: "{{text}}.empty?",
        advice: "ask the text itself",
        ..OF_LINES
    },
    Idiom {
        query: concat!(
            ask!(
                of_text!("lines"),
                r#"!arguments block: (_) @block (#eq? @ask "each")"#
            ),
            " @whole"
        ),
        kinds: &[Kind::Array],
        template: "{{text}}.each_line{{args}} {{block}}",
        advice: WALK,
        only_if: &[OnlyIf::Last("nobody uses what it returns")],
        unless: &[Unless::Yields, Unless::Used],
        ..OF_LINES
    },
    Idiom {
        query: concat!(
            ask!(
                of_text!("lines"),
                r#"!arguments block: (_) @block (#any-of? @ask "count" "sum")"#
            ),
            " @whole"
        ),
        kinds: &[Kind::Array],
        template: "{{text}}.each_line{{args}}.{{ask}} {{block}}",
        advice: WALK,
        ..OF_LINES
    },
];
