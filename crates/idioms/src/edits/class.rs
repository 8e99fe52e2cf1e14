//! Classes by their names, and what is assigned to their fields.

use tree_sitter::Node;

use crate::Language;
use crate::source::Source;
use crate::walk::each;

/// The class statement of that name; nothing where the file has none or several.
pub(super) fn class<'s>(source: &'s Source<'_>, name: &str) -> Option<Node<'s>> {
    let bare = name.rsplit(['.', ':', '$', '#']).next()?;
    let kinds: &[&str] = match source.language {
        Language::Ruby | Language::Crystal => &["class"],
        Language::JavaScript | Language::TypeScript | Language::Tsx => &["class_declaration", "class"],
        Language::Python => &["class_definition"],
        Language::Java => &["class_declaration", "enum_declaration", "record_declaration"],
    };
    let mut found = Vec::new();
    each(source.tree.root_node(), &mut |node| {
        let is_named = |node: Node<'s>| {
            let name = node.child_by_field_name("name").map(|name| source.of(name));
            name.and_then(|name| name.rsplit("::").next()) == Some(bare)
        };
        if kinds.contains(&node.kind()) && is_named(node) {
            found.push(node);
        }
        true
    });
    match found[..] {
        [one] if !one.has_error() => Some(one),
        _ => None,
    }
}

/// All that is assigned to a field in the class's own code; nothing where something is assigned in a way that is not known,
/// such as to several names at once.
pub(super) fn assigned<'s>(source: &Source<'_>, class: Node<'s>, field: &str) -> Option<Vec<Node<'s>>> {
    let mut values = Vec::new();
    let mut is_known = true;
    let body = class.child_by_field_name("body")?;
    each(body, &mut |node| {
        if node != body && is_class(node) {
            return false;
        }
        let left = node.child_by_field_name("left").or_else(|| {
            // A field of a class with its first value.
            let is_field = matches!(node.kind(), "public_field_definition" | "field_definition");
            is_field.then(|| node.child_by_field_name("name")).flatten()
        });
        let Some(left) = left else {
            // What is deleted, handed out as a target of a loop or taken apart is read too.
            return true;
        };
        let right = node
            .child_by_field_name("right")
            .or_else(|| node.child_by_field_name("value"));
        if is_field(source, left, field) {
            match (node.kind(), right) {
                (
                    "assignment" | "assignment_expression" | "public_field_definition" | "field_definition",
                    Some(right),
                ) => {
                    values.push(right);
                }
                ("operator_assignment" | "augmented_assignment_expression", Some(right)) => {
                    let operator = node
                        .child_by_field_name("operator")
                        .map(|operator| source.of(operator));
                    is_known &= matches!(operator, Some("||=" | "??="));
                    values.push(right);
                }
                // A declaration of its type alone.
                (_, None) => {}
                _ => is_known = false,
            }
        } else if mentions(source, left, field)
            && node.kind() != "binary"
            && !node.kind().starts_with("binary_")
        {
            is_known &= !matches!(
                left.kind(),
                "left_assignment_list"
                    | "pattern_list"
                    | "tuple_pattern"
                    | "array_pattern"
                    | "object_pattern"
            );
        }
        true
    });
    (is_known && !values.is_empty()).then_some(values)
}

pub(super) fn is_class(node: Node<'_>) -> bool {
    matches!(
        node.kind(),
        "class"
            | "class_definition"
            | "class_declaration"
            | "singleton_class"
            | "module"
            | "interface_declaration"
    ) && node.is_named()
}

/// Whether an expression is the field of the object at hand.
fn is_field(source: &Source<'_>, left: Node<'_>, field: &str) -> bool {
    let of_object = |object: &str, object_kind: &[&str], name: &str| {
        let at = left.child_by_field_name(object);
        let named = left.child_by_field_name(name);
        at.is_some_and(|at| object_kind.contains(&source.of(at)))
            && named.is_some_and(|named| source.of(named) == field)
    };
    match left.kind() {
        "instance_variable" => source.of(left) == field,
        "member_expression" => of_object("object", &["this"], "property"),
        "property_identifier" => {
            let parent = left.parent().map(|parent| parent.kind());
            matches!(parent, Some("public_field_definition" | "field_definition")) && source.of(left) == field
        }
        "attribute" => of_object("object", &["self"], "attribute"),
        "field_access" => of_object("object", &["this"], "field"),
        _ => false,
    }
}

fn mentions(source: &Source<'_>, left: Node<'_>, field: &str) -> bool {
    let mut is_there = false;
    each(left, &mut |node| {
        is_there |= is_field(source, node, field);
        !is_there
    });
    is_there
}
