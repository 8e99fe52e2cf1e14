//! Lists and hashes of Ruby that are written out, of literals alone, and are only asked something where they stand: what
//! each makes when its line runs, and whether what it hands out may tell it from a constant.

use deadweight_heap::Kind;
use tree_sitter::Node;

use crate::meaning::{any, called, is_assigned};
use crate::source::Source;
use crate::walk::each;

/// What makes up a literal whose value is always the same. A list within a list is left out: who gets it may change it.
const PARTS: &[&str] = &[
    "pair",
    "string",
    "string_content",
    "escape_sequence",
    "bare_string",
    "bare_symbol",
    "character",
    "integer",
    "float",
    "rational",
    "complex",
    "simple_symbol",
    "delimited_symbol",
    "hash_key_symbol",
    "true",
    "false",
    "nil",
    "comment",
];

/// Texts.
const TEXTS: &[&str] = &["string", "bare_string", "character"];

/// Calls that change a text, beside those with `!` behind their names.
const CHANGES: &[&str] = &[
    "<<",
    "concat",
    "replace",
    "insert",
    "prepend",
    "clear",
    "force_encoding",
    "setbyte",
    "append_as_bytes",
    "[]=",
];

/// Calls that answer a question about a text, or make another one of it.
const READS: &[&str] = &[
    "size",
    "length",
    "bytesize",
    "to_sym",
    "to_i",
    "to_f",
    "hash",
    "upcase",
    "downcase",
    "capitalize",
    "swapcase",
    "start_with?",
    "end_with?",
    "include?",
    "match?",
    "empty?",
    "ord",
    "chars",
    "bytes",
    "split",
    "sub",
    "gsub",
    "tr",
    "ljust",
    "rjust",
    "center",
    "index",
    "count",
    "inspect",
    "eql?",
];

/// What becomes of a text that a literal hands out.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fate {
    /// It is read where it stands.
    Read,
    /// It goes on to where it may be changed.
    HandedOn,
    /// It is changed.
    Changed,
}

/// A literal as it is asked.
pub(crate) struct Literal {
    /// What it makes that nothing else on its lines makes by itself.
    pub kinds: Vec<Kind>,
    /// Whether it hands out texts that may be changed: those of a constant are the same each time.
    pub hands_on: bool,
}

impl Literal {
    /// Of the literal that `whole` asks; `None` where it is no constant, or nothing is known to be made for it alone.
    pub fn of(source: &Source<'_>, literal: Node<'_>, whole: Node<'_>, is_read: bool) -> Option<Self> {
        let is_plain = is_constant(literal);
        let has_texts = hands_texts(source, literal);
        let fate = if is_read || !has_texts {
            Fate::Read
        } else {
            fate(source, whole)
        };
        if !is_plain || fate == Fate::Changed {
            return None;
        }
        let made = if literal.kind() == "hash" {
            Kind::Table
        } else {
            Kind::Array
        };
        let texts = has_texts.then_some(Kind::String);
        let kinds: Vec<Kind> = std::iter::once(made)
            .chain(texts)
            .filter(|&kind| !is_made_beside(source, whole, literal, kind))
            .collect();
        (!kinds.is_empty()).then_some(Self {
            kinds,
            hands_on: fate == Fate::HandedOn,
        })
    }
}

/// Whether a literal is of literals alone, and has any.
pub(crate) fn is_constant(literal: Node<'_>) -> bool {
    literal.named_child_count() > 0
        && !any(literal, &|node| {
            let is_part = match node.kind() {
                // `{a:}` asks a variable of that name.
                "pair" => node.child_by_field_name("value").is_some(),
                "unary" => node
                    .child_by_field_name("operand")
                    .is_some_and(|operand| matches!(operand.kind(), "integer" | "float")),
                kind => PARTS.contains(&kind),
            };
            node.is_named() && node != literal && !is_part
        })
}

/// Whether a literal makes texts that it hands out. Keys of hashes are frozen, as are texts where the file says so.
fn hands_texts(source: &Source<'_>, literal: Node<'_>) -> bool {
    !source.has_frozen_strings()
        && any(literal, &|node| {
            let parent = node.parent();
            let is_key = parent.is_some_and(|pair| pair.child_by_field_name("key") == Some(node));
            node.is_named() && TEXTS.contains(&node.kind()) && !is_key
        })
}

/// What becomes of the text that an expression returns.
fn fate(source: &Source<'_>, whole: Node<'_>) -> Fate {
    let Some(parent) = whole.parent() else {
        return Fate::HandedOn;
    };
    let is = |field: &str| parent.child_by_field_name(field) == Some(whole);
    if let Some(block) = block(whole) {
        let is_changed = parameters(block).any(|name| is_changed(source, source.of(name), block));
        return if is_changed { Fate::Changed } else { Fate::HandedOn };
    }
    match parent.kind() {
        "interpolation" => Fate::Read,
        "call" if is("receiver") => match called(source, parent) {
            Some(name) if changes(name) => Fate::Changed,
            Some(name) if READS.contains(&name) => Fate::Read,
            _ => Fate::HandedOn,
        },
        "element_reference" if is("object") && is_assigned(parent) => Fate::Changed,
        "element_reference" if is("object") && is_one(source, whole) => Fate::Read,
        "binary" => {
            match parent
                .child_by_field_name("operator")
                .map(|operator| operator.kind())
            {
                Some("<<") if is("left") => Fate::Changed,
                Some(
                    "==" | "!=" | "=~" | "!~" | "<=>" | "===" | "+" | "*" | "%" | "<" | ">" | "<=" | ">=",
                ) if is_one(source, whole) => Fate::Read,
                _ => Fate::HandedOn,
            }
        }
        "assignment" if is("right") => {
            let name = parent.child_by_field_name("left");
            let around = source.function(whole).unwrap_or(source.tree.root_node());
            if name.is_some_and(|name| is_changed(source, source.of(name), around)) {
                Fate::Changed
            } else {
                Fate::HandedOn
            }
        }
        _ => Fate::HandedOn,
    }
}

/// The block that an expression hands what it has to, or what stands in its place: `&:name`.
fn block(whole: Node<'_>) -> Option<Node<'_>> {
    let arguments = whole.child_by_field_name("arguments");
    whole.child_by_field_name("block").or_else(|| {
        let arguments = arguments?;
        let mut cursor = arguments.walk();
        arguments
            .named_children(&mut cursor)
            .find(|handed| handed.kind() == "block_argument")
    })
}

/// The names of what a block is handed.
fn parameters(block: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    let parameters = block.child_by_field_name("parameters");
    let count = parameters.map_or(0, |parameters| parameters.named_child_count()) as u32;
    (0..count).filter_map(move |at| parameters?.named_child(at))
}

/// Whether an expression returns one of the literal's own, and no list of several.
fn is_one(source: &Source<'_>, whole: Node<'_>) -> bool {
    match whole.kind() {
        "element_reference" => whole.named_child_count() == 2,
        _ => called(source, whole).is_some_and(|name| match name {
            "fetch" | "at" | "dig" => true,
            "first" | "last" | "sample" => whole.child_by_field_name("arguments").is_none(),
            _ => false,
        }),
    }
}

fn changes(method: &str) -> bool {
    method.ends_with('!') || CHANGES.contains(&method)
}

/// Whether what has that name is changed in a function.
fn is_changed(source: &Source<'_>, name: &str, around: Node<'_>) -> bool {
    any(around, &|node| {
        let of_name = |field: &str| {
            node.child_by_field_name(field)
                .is_some_and(|named| source.of(named) == name)
        };
        match node.kind() {
            "call" => of_name("receiver") && called(source, node).is_some_and(changes),
            "element_reference" => of_name("object") && is_assigned(node),
            "binary" => {
                let operator = node.child_by_field_name("operator");
                of_name("left") && operator.is_some_and(|operator| operator.kind() == "<<")
            }
            _ => false,
        }
    })
}

/// Whether something else on the lines of an expression makes objects of that kind by itself, so that a record has both in
/// one row. Another literal that is asked where it stands is as wasteful, and is left out.
fn is_made_beside(source: &Source<'_>, whole: Node<'_>, literal: Node<'_>, kind: Kind) -> bool {
    let lines = whole.start_position().row..=whole.end_position().row;
    let mut found = false;
    each(source.tree.root_node(), &mut |node| {
        let is_near = node.start_position().row <= *lines.end() && node.end_position().row >= *lines.start();
        let is_other = node != literal && !is_asked(node);
        if is_near && is_other && lines.contains(&node.start_position().row) {
            found |= makes(source, node, kind);
        }
        is_near && is_other && !found
    });
    found
}

/// Whether a node is a constant list or hash that is asked something.
fn is_asked(node: Node<'_>) -> bool {
    let is_asked = node.parent().is_some_and(|parent| {
        ["receiver", "object"]
            .iter()
            .any(|field| parent.child_by_field_name(field) == Some(node))
    });
    is_asked && matches!(node.kind(), "array" | "string_array" | "symbol_array" | "hash") && is_constant(node)
}

/// Whether a node makes an object of that kind by itself, with no call.
fn makes(source: &Source<'_>, node: Node<'_>, kind: Kind) -> bool {
    match (kind, node.kind()) {
        (Kind::String, "string" | "character") => {
            let is_put_together = any(node, &|part| part.kind() == "interpolation");
            is_put_together || !source.has_frozen_strings() && !is_shared(source, node)
        }
        (Kind::String, "bare_string" | "chained_string" | "heredoc_beginning" | "subshell")
        | (
            Kind::Array,
            "array" | "string_array" | "symbol_array" | "splat_argument" | "right_assignment_list",
        )
        | (Kind::Table, "hash" | "hash_splat_argument") => true,
        // Of numbers it makes nothing that is recorded; what is to be seen to be none is a text or a list.
        (Kind::String | Kind::Array, "binary") => {
            let is_sum = node
                .child_by_field_name("operator")
                .is_some_and(|operator| operator.kind() == "+");
            let sides = ["left", "right"].map(|side| node.child_by_field_name(side));
            is_sum && !sides.into_iter().flatten().any(|side| is_number(source, side))
        }
        (Kind::String | Kind::Array, "operator_assignment") => {
            let is_sum = node
                .child_by_field_name("operator")
                .is_some_and(|operator| operator.kind() == "+=");
            let added = node.child_by_field_name("right");
            is_sum && !added.is_some_and(|added| is_number(source, added))
        }
        _ => false,
    }
}

/// Whether a text is one that the program has in any case: a key, what `case` compares with, what is frozen.
fn is_shared(source: &Source<'_>, text: Node<'_>) -> bool {
    text.parent().is_some_and(|parent| match parent.kind() {
        "pair" => parent.child_by_field_name("key") == Some(text),
        "element_reference" => parent.child_by_field_name("object") != Some(text) && !is_assigned(parent),
        "pattern" => true,
        "call" => {
            parent.child_by_field_name("receiver") == Some(text)
                && called(source, parent).is_some_and(|name| matches!(name, "freeze" | "-@"))
        }
        _ => false,
    })
}

/// Whether an expression is to be seen to be a number.
fn is_number(source: &Source<'_>, expression: Node<'_>) -> bool {
    match expression.kind() {
        "integer" | "float" => true,
        "call" => called(source, expression).is_some_and(|name| {
            matches!(
                name,
                "size" | "length" | "count" | "to_i" | "to_f" | "bytesize" | "ord" | "sum" | "hash"
            )
        }),
        "binary" => ["left", "right"].iter().any(|side| {
            expression
                .child_by_field_name(side)
                .is_some_and(|side| is_number(source, side))
        }),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use deadweight_heap::Kind;
    use deadweight_heap::churn::{Antipattern, AntipatternKind};

    use crate::{Language, antipatterns_in};

    fn found(text: &str) -> Option<Antipattern> {
        let found = antipatterns_in(text, Language::Ruby, "f").unwrap().into_iter();
        let mut constants = found.filter(|found| found.kind == AntipatternKind::Constant);
        let first = constants.next();
        assert!(constants.next().is_none(), "{text}");
        first
    }

    fn kinds(text: &str) -> Vec<Kind> {
        found(text).unwrap_or_else(|| panic!("{text}")).kinds
    }

    #[test]
    fn literals_that_are_asked_are_constants() {
        let texts = [Kind::Array, Kind::String];
        for (text, made) in [
            ("x = %w[sale refund][i % 2].size", &texts[..]),
            ("x = [\"a\", \"b\"][i].size", &texts),
            ("x = [\"a\",\n  \"b\"].fetch(i).size", &texts),
            ("x = %w[a b].include?(y)", &texts),
            ("x = %w[a b].index(y)", &texts),
            ("x = \"is #{h[:k]}\" if %w[a b].first == y", &[Kind::Array]),
            ("x = %i[a b][i]", &[Kind::Array]),
            ("x = [1, -2.5, nil, true, :a][i]", &[Kind::Array]),
            ("x = {a: 1, \"b\" => 2}[k]", &[Kind::Table]),
            ("x = {a: \"b\"}.fetch(k).size", &[Kind::Table, Kind::String]),
            ("x = {1 => 2}.key?(k)", &[Kind::Table]),
            ("# frozen_string_literal: true\nx = %w[a b][i]", &[Kind::Array]),
        ] {
            assert_eq!(kinds(text), made, "{text}");
            assert_eq!(found(text).unwrap().assumes, None, "{text}");
        }
    }

    #[test]
    fn what_varies_or_is_given_a_value_is_none() {
        for text in [
            "x = [\"a\", y][i]",
            "x = [\"a\", @y].include?(z)",
            "x = %W[a #{y}][i]",
            "x = [\"#{y}\"][i]",
            "x = [[1], [2]][i]",
            "x = {a: y}[k]",
            "x = {a:}[k]",
            "x = {a: [1]}[k]",
            "x = [*y, 1].include?(z)",
            "x = [Y, 1][i]",
            "[1, 2][i] = 3",
            "x = [].include?(y)",
            "x = y[i]",
        ] {
            assert_eq!(found(text), None, "{text}");
        }
    }

    /// Texts of a constant are the same each time: where they are changed, each call needs its own.
    #[test]
    fn texts_that_are_changed_are_left_alone() {
        for text in [
            "%w[a b][i] << y",
            "%w[a b][i].upcase!",
            "%w[a b][i][0] = y",
            "def f(i)\n  x = %w[a b][i]\n  x << \"c\"\nend",
            "%w[a b].each { |x| x << y }",
            "z = %w[a b].map { |x| x.concat(y) }.size",
        ] {
            assert_eq!(found(text), None, "{text}");
        }
        // What is no text cannot be changed.
        assert!(found("z << %i[a b][i]").unwrap().assumes.is_none());
    }

    #[test]
    fn texts_that_are_handed_on_may_be_changed() {
        for text in [
            "x = %w[a b][i]",
            "f(%w[a b].fetch(i))",
            "%w[a b][i]",
            "f(k: {a: \"b\"}[k])",
            "x = %w[a b].map { |x| x }.size",
            "x = %w[a b].values_at(0)[0]",
        ] {
            let assumes = found(text).unwrap().assumes.unwrap_or_default();
            assert!(assumes.contains("nobody changes the texts"), "{text}: {assumes}");
        }
        for text in [
            "x = \"is #{%w[a b][i]}\"",
            "x = %w[a b][i] == y",
            "x = %w[a b][i].to_sym",
        ] {
            assert_eq!(found(text).unwrap().assumes, None, "{text}");
        }
    }

    /// What no rule of constants speaks for is made by its line all the same.
    #[test]
    fn lists_that_are_written_out_are_known() {
        let lists = |text: &str| {
            let found = antipatterns_in(text, Language::Ruby, "f").unwrap().into_iter();
            found
                .filter(|found| found.kind == AntipatternKind::Literal)
                .count()
        };
        for text in ["x = %w[a b]", "f([1, 2])", "%w[a b][i] << y"] {
            assert_eq!(lists(text), 1, "{text}");
        }
        for text in ["x = [a, b]", "x = []", "x = %w[a b][i]", "x = [1, 2].include?(y)"] {
            assert_eq!(lists(text), 0, "{text}");
        }
    }

    /// A record has what a line makes by itself in one row of each type.
    #[test]
    fn what_its_line_makes_besides_is_no_constant() {
        for (text, made) in [
            ("f(%w[a b][i].size, \"n#{i}\")", &[Kind::Array][..]),
            ("f(%w[a b][i].size, [i])", &[Kind::String]),
            ("f(k: %w[a b][i].size, n: {a: i})", &[Kind::Array, Kind::String]),
            ("n += %w[a b][i].size", &[Kind::Array, Kind::String]),
            ("n = %w[a b][i].size + 1", &[Kind::Array, Kind::String]),
            ("n += %w[a b][i].to_sym", &[]),
            ("x = %w[a b][i] + y", &[]),
            (
                "n = %w[a b].include?(x) ? h[\"a\"] : 0",
                &[Kind::Array, Kind::String],
            ),
        ] {
            assert_eq!(
                found(text).map(|found| found.kinds).unwrap_or_default(),
                made,
                "{text}"
            );
        }
        let both = "x = %w[a b].include?(y) || [\"c\"].include?(y)";
        let found = antipatterns_in(both, Language::Ruby, "f").unwrap();
        assert!(
            found.len() == 2 && found.iter().all(|one| one.kinds.len() == 2),
            "{found:?}"
        );
    }
}
