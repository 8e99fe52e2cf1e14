//! Which fields the records of a class have, said in the class.

use std::collections::BTreeSet;

use tree_sitter::Node;

use super::class::{class, is_class};
use super::hunks::{Piece, Replaced, above, hunks};
use super::{Claim, SourceEdit};
use crate::Language;
use crate::source::Source;
use crate::walk::each;

/// What fixed fields do not allow.
const CLOSED: &str = "nothing else adds attributes to its instances, replaces their methods, refers to them weakly or asks for \
    their `__dict__`";

/// What shows in the same file that instances are referred to weakly or asked for their attributes as a table.
const NEED_MORE: [&str; 4] = ["weakref", ".__dict__", "vars(", "setattr("];

/// Since when dataclasses take the option.
const SINCE: &str = "the program needs no Python before 3.10";

pub(super) fn edit(source: &Source<'_>, of: &str, seen: &[&str]) -> Option<SourceEdit> {
    // What `__slots__` is to Python other languages' classes have always.
    if source.language != Language::Python {
        return None;
    }
    let class = class(source, of)?;
    // A base without slots gives the room back, and one with slots has names of its own.
    if class
        .child_by_field_name("superclasses")
        .is_some_and(|bases| source.of(bases) != "()" && source.of(bases) != "(object)")
    {
        return None;
    }
    let body = class.child_by_field_name("body")?;
    let members = members(source, body);
    if members.contains("__slots__") || source.of(body).contains("cached_property") {
        return None;
    }
    // Whoever reads the file sees that its objects need more than their fields.
    if NEED_MORE.iter().any(|word| source.text.contains(word)) {
        return None;
    }
    let claims = Some(Claim::AllFields(class.start_position().row as u32 + 1));
    let conditions = [CLOSED];
    let owned = conditions.map(str::to_owned).to_vec();
    let decorated = class
        .parent()
        .filter(|parent| parent.kind() == "decorated_definition");
    if let Some(decorated) = decorated {
        let piece = of_dataclass(source, decorated)?;
        let conditions = [CLOSED, SINCE];
        return Some(SourceEdit {
            hunks: hunks(source, vec![piece], Vec::new(), &conditions)?,
            conditions: conditions.map(str::to_owned).to_vec(),
            claims,
        });
    }
    let assigned = assigned(source, body);
    // An attribute that no method assigns comes from elsewhere, and a value of the class cannot have a slot's name.
    if seen.iter().any(|name| !assigned.contains(*name)) || assigned.iter().any(|name| members.contains(name))
    {
        return None;
    }
    let first = body.named_child(0)?;
    let is_text = first.kind() == "expression_statement"
        && first.named_child(0).is_some_and(|child| child.kind() == "string");
    let before = if is_text {
        first.next_named_sibling()?
    } else {
        first
    };
    let start = source.line_start(before.start_position().row);
    // The statement stands on a line of its own.
    let indent = source.text.get(start..before.start_byte())?;
    if !indent.trim().is_empty() {
        return None;
    }
    let names: Vec<String> = assigned.iter().map(|name| format!("\"{name}\"")).collect();
    let comma = if names.len() == 1 { "," } else { "" };
    let mut after = above(source, start, &conditions)?;
    after.push(format!("{indent}__slots__ = ({}{comma})", names.join(", ")));
    after.push(String::new());
    Some(SourceEdit {
        hunks: vec![Replaced {
            line: before.start_position().row as u32 + 1,
            before: Vec::new(),
            after,
        }],
        conditions: owned,
        claims,
    })
}

/// Names that the class itself has.
fn members<'t>(source: &Source<'t>, body: Node<'_>) -> BTreeSet<&'t str> {
    let mut cursor = body.walk();
    let mut names = BTreeSet::new();
    for statement in body.named_children(&mut cursor) {
        let inner = match statement.kind() {
            "expression_statement" => statement.named_child(0),
            "decorated_definition" => statement.child_by_field_name("definition"),
            _ => Some(statement),
        };
        let Some(inner) = inner else { continue };
        let name = inner
            .child_by_field_name("name")
            .or_else(|| inner.child_by_field_name("left"));
        // `x: int` alone gives the class no value.
        let has_value = inner.kind() != "assignment" || inner.child_by_field_name("right").is_some();
        names.extend(name.filter(|_| has_value).map(|name| source.of(name)));
    }
    names
}

/// Attributes of `self` that the class's methods assign, sorted.
fn assigned<'t>(source: &Source<'t>, body: Node<'_>) -> BTreeSet<&'t str> {
    let mut names = BTreeSet::new();
    each(body, &mut |node| {
        if is_class(node) {
            return false;
        }
        let is_attribute = node.kind() == "attribute"
            && node
                .child_by_field_name("object")
                .is_some_and(|object| source.of(object) == "self");
        if is_attribute && is_target(node) {
            names.extend(node.child_by_field_name("attribute").map(|name| source.of(name)));
        }
        true
    });
    names
}

/// Whether something is assigned to an expression, alone or with others.
fn is_target(node: Node<'_>) -> bool {
    let mut at = node;
    while let Some(parent) = at.parent() {
        match parent.kind() {
            "pattern_list" | "tuple_pattern" | "list_pattern" => at = parent,
            _ => {
                return parent.child_by_field_name("left") == Some(at)
                    && parent.kind() != "comparison_operator";
            }
        }
    }
    false
}

/// `@dataclass` with `slots=True`; nothing for another decorator.
fn of_dataclass(source: &Source<'_>, decorated: Node<'_>) -> Option<Piece> {
    let mut cursor = decorated.walk();
    let decorators: Vec<Node<'_>> = decorated
        .named_children(&mut cursor)
        .filter(|child| child.kind() == "decorator")
        .collect();
    let [decorator] = decorators[..] else {
        return None;
    };
    let what = decorator.named_child(0)?;
    let is_dataclass = |node: Node<'_>| matches!(source.of(node), "dataclass" | "dataclasses.dataclass");
    let with = match what.kind() {
        "identifier" | "attribute" if is_dataclass(what) => format!("{}(slots=True)", source.of(what)),
        "call" => {
            let (function, arguments) = (
                what.child_by_field_name("function")?,
                what.child_by_field_name("arguments")?,
            );
            let inner = source
                .of(arguments)
                .strip_prefix('(')?
                .strip_suffix(')')?
                .trim_end_matches([',', ' ']);
            if !is_dataclass(function) || inner.contains("slots") {
                return None;
            }
            let comma = if inner.trim().is_empty() { "" } else { ", " };
            format!("{}({inner}{comma}slots=True)", source.of(function))
        }
        _ => return None,
    };
    Some(Piece {
        at: what.byte_range(),
        with,
    })
}
