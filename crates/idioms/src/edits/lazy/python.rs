//! A property of a class of Python.

use tree_sitter::Node;

use super::{Lazy, Piece, child_around, is_empty_container, line_of, own, unused};
use crate::source::Source;

const EMPTY: [&str; 6] = ["[]", "{}", "list()", "dict()", "set()", "OrderedDict()"];

/// What shows in the same file that the names of an object's attributes matter.
const NAMES_MATTER: [&str; 8] = [
    ".__dict__",
    "vars(",
    "setattr(",
    "getattr(",
    "__slots__",
    "__getattr__",
    "__setattr__",
    "pickle",
];

const CONDITION: &str = "nothing sets it to None, nothing lists the attributes of its objects, as `vars` and `pickle` do, and no subclass has a class \
    attribute of the name";

pub(super) fn edit(source: &Source<'_>, class: Node<'_>, field: &str) -> Option<Lazy> {
    let is_decorated = class
        .parent()
        .is_some_and(|parent| parent.kind() == "decorated_definition");
    // Names with two underscores are spelled otherwise by the class.
    let is_mangled = field.starts_with("__");
    if is_decorated || is_mangled || NAMES_MATTER.iter().any(|word| source.text.contains(word)) {
        return None;
    }
    let body = class.child_by_field_name("body")?;
    let mut made = Vec::new();
    let mut is_known = true;
    own(class, &mut |node| {
        is_known &= node.kind() != "delete_statement";
        if node.kind() != "assignment" {
            return;
        }
        let left = node.child_by_field_name("left");
        let right = node.child_by_field_name("right");
        let (Some(left), Some(right)) = (left, right) else {
            return;
        };
        let is_field = source.of(left) == format!("self.{field}");
        if is_field && (node.child_by_field_name("type").is_some() || source.of(right) == "None") {
            is_known = false;
        } else if is_field && is_empty_container(source, right, &EMPTY) && is_in_init(source, node) {
            made.push((left, right));
        }
        // An attribute of the class itself would hide behind the property.
        is_known &= source.of(left) != field;
    });
    let &[(left, right)] = &made[..] else {
        return None;
    };
    if !is_known {
        return None;
    }
    let kept = unused(source, &format!("_made_{}", field.trim_start_matches('_')))?;
    let init = child_around(body, left)?;
    let at = line_of(source, init)?;
    let lines = [
        "@property".to_owned(),
        format!("def {field}(self):"),
        format!("    if self.{kept} is None:"),
        format!("        self.{kept} = {}", source.of(right)),
        format!("    return self.{kept}"),
        String::new(),
        format!("@{field}.setter"),
        format!("def {field}(self, value):"),
        format!("    self.{kept} = value"),
        String::new(),
    ];
    Some(Lazy {
        pieces: vec![
            Piece {
                at: left.byte_range(),
                with: format!("self.{kept}"),
            },
            Piece {
                at: right.byte_range(),
                with: "None".to_owned(),
            },
        ],
        method: Some((at, lines.to_vec())),
        condition: CONDITION,
    })
}

/// Whether a statement stands in `__init__` itself, where it runs once for each object.
fn is_in_init(source: &Source<'_>, assignment: Node<'_>) -> bool {
    let Some(function) = source.function(assignment) else {
        return false;
    };
    let name = function.child_by_field_name("name");
    let is_init = name.is_some_and(|name| source.of(name) == "__init__");
    let block = function.child_by_field_name("body");
    let statement = assignment.parent();
    is_init && statement.and_then(|statement| statement.parent()) == block
}
