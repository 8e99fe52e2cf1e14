//! Accessors of a class of JavaScript or TypeScript.

use tree_sitter::Node;

use super::{Lazy, Method, Piece, child_around, is_empty_container, line_of, own, unused};
use crate::Language;
use crate::source::Source;

const EMPTY: [&str; 6] = ["[]", "{}", "new Map()", "new Set()", "new Array()", "new Map"];

const CONDITION: &str = "nothing sets it to null or undefined, and nothing lists the fields of its objects, as `JSON.stringify`, `Object.keys` and `{...it}` do";

pub(super) fn edit(source: &Source<'_>, class: Node<'_>, field: &str) -> Option<Lazy> {
    // Private names are said elsewhere, and numbers and texts are no names.
    let is_name = field.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '$');
    if !is_name || field.is_empty() {
        return None;
    }
    let body = class.child_by_field_name("body")?;
    let mut made: Vec<Made<'_>> = Vec::new();
    let mut is_known = true;
    let is_typed = source.language != Language::JavaScript;
    own(class, &mut |node| match node.kind() {
        "field_definition" | "public_field_definition" => {
            let name = node
                .child_by_field_name("property")
                .or_else(|| node.child_by_field_name("name"));
            if name.is_some_and(|name| source.of(name) == field) {
                let value = node.child_by_field_name("value");
                match value.filter(|value| is_empty_container(source, *value, &EMPTY)) {
                    Some(value) => made.push(Made::Field {
                        definition: node,
                        value,
                    }),
                    None => is_known = false,
                }
            }
        }
        "method_definition" => {
            let name = node.child_by_field_name("name");
            is_known &= name.is_none_or(|name| source.of(name) != field);
        }
        "assignment_expression" => {
            let left = node.child_by_field_name("left");
            let right = node.child_by_field_name("right");
            let of_field = left.is_some_and(|left| source.of(left) == format!("this.{field}"));
            let is_nothing = right.is_some_and(|right| matches!(source.of(right), "null" | "undefined"));
            is_known &= !(of_field && is_nothing);
            if let (Some(left), Some(right)) = (left, right)
                && of_field
                && is_empty_container(source, right, &EMPTY)
                && is_in_constructor(source, node)
            {
                made.push(Made::Assigned { left, right });
            }
        }
        // A parameter that is a field, and a field that goes.
        "unary_expression" => is_known &= source.of(node) != format!("delete this.{field}"),
        _ => {}
    });
    let [made] = &made[..] else {
        return None;
    };
    // The type of what is assigned is said elsewhere.
    if !is_known || (is_typed && matches!(made, Made::Assigned { .. })) {
        return None;
    }
    let kept = unused(source, &format!("_{}", field.trim_start_matches('_')))?;
    let (pieces, method) = match *made {
        Made::Assigned { left, right } => {
            let method = child_around(body, left)?;
            let pieces = vec![
                Piece {
                    at: left.byte_range(),
                    with: format!("this.{kept}"),
                },
                Piece {
                    at: right.byte_range(),
                    with: "undefined".to_owned(),
                },
            ];
            let lines = accessors(field, &kept, "", "", source.of(right));
            (pieces, (line_of(source, method)?, lines))
        }
        Made::Field { definition, value } => of_definition(source, definition, value, field, &kept)?,
    };
    Some(Lazy {
        pieces,
        method: Some(method),
        condition: CONDITION,
    })
}

/// Where a field gets its container.
enum Made<'n> {
    /// `this.field = []` in the constructor.
    Assigned { left: Node<'n>, right: Node<'n> },
    /// `field = []` in the class.
    Field { definition: Node<'n>, value: Node<'n> },
}

/// The field keeps its place under another name, and its type where it has one.
fn of_definition(
    source: &Source<'_>,
    definition: Node<'_>,
    value: Node<'_>,
    field: &str,
    kept: &str,
) -> Option<(Vec<Piece>, Method)> {
    let name = definition
        .child_by_field_name("property")
        .or_else(|| definition.child_by_field_name("name"))?;
    // Words before the name: who may see it is said of the accessors then; all others matter.
    let words = source
        .text
        .get(definition.start_byte()..name.start_byte())?
        .trim();
    let seen = match words {
        "" => "",
        "private" | "protected" | "public" => words,
        _ => return None,
    };
    let ty = definition.child_by_field_name("type");
    let typed = source.language != Language::JavaScript;
    // Without a type that is written down the compiler takes that of the value, `never[]`.
    let (declared, of) = match ty {
        Some(ty) => {
            let of = source.of(ty).trim_start_matches(':').trim();
            (
                format!("private {kept}: {of} | undefined = undefined"),
                format!(": {of}"),
            )
        }
        None if typed => return None,
        None => (format!("{kept} = undefined"), String::new()),
    };
    let pieces = vec![Piece {
        at: definition.start_byte()..value.end_byte(),
        with: declared,
    }];
    let seen = if seen.is_empty() {
        String::new()
    } else {
        format!("{seen} ")
    };
    // Behind the fields stands what the class does.
    let mut last = definition;
    while let Some(next) = last.next_named_sibling() {
        if next.kind() == "method_definition" {
            break;
        }
        last = next;
    }
    let lines = accessors(field, kept, &seen, &of, source.of(value));
    let at = match last.next_named_sibling() {
        Some(method) => line_of(source, method)?,
        None => return None,
    };
    Some((pieces, (at, lines)))
}

fn accessors(field: &str, kept: &str, seen: &str, of: &str, value: &str) -> Vec<String> {
    [
        format!("{seen}get {field}(){of} {{"),
        format!("  return this.{kept} ??= {value};"),
        "}".to_owned(),
        String::new(),
        format!("{seen}set {field}(value{of}) {{"),
        format!("  this.{kept} = value;"),
        "}".to_owned(),
        String::new(),
    ]
    .to_vec()
}

/// Whether a statement stands in the constructor itself, where it runs once for each object.
fn is_in_constructor(source: &Source<'_>, assignment: Node<'_>) -> bool {
    let statement = assignment
        .parent()
        .filter(|node| node.kind() == "expression_statement");
    let block = statement.and_then(|statement| statement.parent());
    let method = block.and_then(|block| block.parent());
    method
        .filter(|method| method.kind() == "method_definition" && method.child_by_field_name("body") == block)
        .and_then(|method| method.child_by_field_name("name"))
        .is_some_and(|name| source.of(name) == "constructor")
}
