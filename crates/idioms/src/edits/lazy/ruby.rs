//! An instance variable of a class of Ruby.

use tree_sitter::Node;

use super::{Lazy, Piece, is_empty_container, own};
use crate::source::Source;

const EMPTY: [&str; 5] = ["[]", "{}", "Hash.new", "Array.new", "Set.new"];

/// What shows in the same file that instance variables are asked for by name.
const NAMES_MATTER: [&str; 4] = ["instance_variable", "Marshal", ".freeze", "Ractor"];

const CONDITION: &str = "nothing sets it to nil, no subclass, module or other file uses the variable, and nothing freezes, dumps or \
    compares its objects";

pub(super) fn edit(source: &Source<'_>, class: Node<'_>, field: &str) -> Option<Lazy> {
    let name = field.strip_prefix('@')?;
    if NAMES_MATTER.iter().any(|word| source.text.contains(word)) {
        return None;
    }
    let body = class.child_by_field_name("body")?;
    let mut made = Vec::new();
    let mut pieces = Vec::new();
    let mut is_known = true;
    own(class, &mut |node| {
        if node.kind() == "singleton_method" {
            // A variable of the class has the same spelling.
            is_known &= !source.of(node).contains(field);
        }
        if node.kind() != "instance_variable" || source.of(node) != field {
            return;
        }
        let Some(parent) = node.parent() else { return };
        let is_left = parent.child_by_field_name("left") == Some(node);
        match parent.kind() {
            "assignment" if is_left => {
                let value = parent.child_by_field_name("right");
                is_known &= value.is_none_or(|value| !matches!(source.of(value), "nil" | "false"));
                if let Some(value) = value.filter(|value| {
                    is_empty_container(source, *value, &EMPTY) && is_in_initialize(source, parent)
                }) {
                    made.push(value);
                }
            }
            "operator_assignment" if is_left => {
                let operator = parent.child_by_field_name("operator");
                // `@list += more` reads it, too.
                is_known &= operator.is_some_and(|operator| source.of(operator) == "||=");
            }
            // Given a value among others, asked whether it is there, or written into a text.
            _ if is_asked_for(source, node) => is_known = false,
            "left_assignment_list" | "rest_assignment" | "splat_parameter" | "for" => is_known = false,
            _ => pieces.push(node),
        }
    });
    let &[value] = &made[..] else {
        return None;
    };
    if !is_known {
        return None;
    }
    let container = source.of(value);
    let mut pieces: Vec<Piece> = pieces
        .into_iter()
        .map(|node| Piece {
            at: node.byte_range(),
            with: in_place(source, node, field, container),
        })
        .collect();
    pieces.push(Piece {
        at: value.byte_range(),
        with: "nil".to_owned(),
    });
    pieces.extend(readers(source, body, name, container)?);
    Some(Lazy {
        pieces,
        method: None,
        condition: CONDITION,
    })
}

/// Whether an expression stands in `defined?`, which sees that the variable is there.
fn is_asked_for(source: &Source<'_>, node: Node<'_>) -> bool {
    let parents = std::iter::successors(node.parent(), Node::parent).take(3);
    parents
        .filter(|parent| parent.kind() == "unary")
        .any(|parent| source.of(parent).starts_with("defined?"))
}

/// A variable that is read, with what makes the container.
fn in_place(source: &Source<'_>, node: Node<'_>, field: &str, container: &str) -> String {
    let parent = node.parent();
    // What stands for itself, such as the last value of a method, needs no parentheses.
    let is_whole =
        parent.is_some_and(|parent| matches!(parent.kind(), "body_statement" | "parenthesized_statements"));
    let written = source.of(node);
    debug_assert_eq!(written, field, "the variable itself");
    if is_whole {
        format!("{field} ||= {container}")
    } else {
        format!("({field} ||= {container})")
    }
}

/// Whether a statement stands in `initialize` itself, where it runs once for each object.
fn is_in_initialize(source: &Source<'_>, assignment: Node<'_>) -> bool {
    let block = assignment.parent();
    let method = block.and_then(|block| block.parent());
    method
        .filter(|method| method.kind() == "method")
        .and_then(|method| method.child_by_field_name("name"))
        .is_some_and(|name| source.of(name) == "initialize")
}

/// Readers of the variable become methods; nothing where one is written in another way.
fn readers(source: &Source<'_>, body: Node<'_>, name: &str, container: &str) -> Option<Vec<Piece>> {
    let mut pieces = Vec::new();
    let mut is_known = true;
    own(body, &mut |node| {
        if node.kind() != "call" {
            return;
        }
        let method = node.child_by_field_name("method").map(|method| source.of(method));
        let arguments = node.child_by_field_name("arguments");
        let (Some(method @ ("attr_reader" | "attr_accessor" | "attr")), Some(arguments)) =
            (method, arguments)
        else {
            return;
        };
        let mut cursor = arguments.walk();
        let names: Vec<&str> = arguments
            .named_children(&mut cursor)
            .map(|argument| source.of(argument))
            .collect();
        let symbol = format!(":{name}");
        if !names.contains(&symbol.as_str()) {
            return;
        }
        // `private attr_reader :list` and the like stand elsewhere than in the body.
        if node.parent() != Some(body) || names.iter().any(|name| !name.starts_with(':')) {
            is_known = false;
            return;
        }
        let indent = " ".repeat(node.start_position().column);
        let others: Vec<&str> = names.into_iter().filter(|name| *name != symbol).collect();
        let mut lines = Vec::new();
        if !others.is_empty() {
            lines.push(format!("{method} {}", others.join(", ")));
        }
        if method == "attr_accessor" {
            lines.push(format!("attr_writer {symbol}"));
        }
        if !lines.is_empty() {
            lines.push(String::new());
        }
        lines.push(format!("def {name}"));
        lines.push(format!("  @{name} ||= {container}"));
        lines.push("end".to_owned());
        let mut with = String::new();
        for (at, line) in lines.iter().enumerate() {
            if at > 0 {
                with.push('\n');
                if !line.is_empty() {
                    with.push_str(&indent);
                }
            }
            with.push_str(line);
        }
        let next = node.next_named_sibling();
        if next.is_some_and(|next| next.start_position().row == node.end_position().row + 1) {
            with.push('\n');
        }
        pieces.push(Piece {
            at: node.byte_range(),
            with,
        });
    });
    is_known.then_some(pieces)
}
