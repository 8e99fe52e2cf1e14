//! A private field of a class of Java.

use tree_sitter::Node;

use super::{Lazy, Piece, line_of, unused};
use crate::source::Source;
use crate::walk::each;

/// Classes whose containers without arguments are empty.
const CONTAINERS: [&str; 9] = [
    "ArrayList",
    "ArrayDeque",
    "HashMap",
    "HashSet",
    "LinkedHashMap",
    "LinkedHashSet",
    "LinkedList",
    "TreeMap",
    "TreeSet",
];

const CONDITION: &str = "no two threads use one of its objects at the same time, and nothing but its own code reads the field, as \
    serializers do";

pub(super) fn edit(source: &Source<'_>, class: Node<'_>, field: &str) -> Option<Lazy> {
    let body = class.child_by_field_name("body")?;
    let declaration = declaration(source, body, field)?;
    let declarator = only_declarator(declaration)?;
    let mut cursor = declaration.walk();
    let modifiers = declaration
        .named_children(&mut cursor)
        .find(|child| child.kind() == "modifiers")?;
    let words: Vec<&str> = source.of(modifiers).split_whitespace().collect();
    if !words.contains(&"private") || words.iter().any(|word| !matches!(*word, "private" | "final")) {
        return None;
    }
    let ty = source.of(declaration.child_by_field_name("type")?);
    let mut value = declarator.child_by_field_name("value");
    let mut pieces = Vec::new();
    let mut uses = Vec::new();
    let mut is_known = true;
    let mut declared = 0;
    each(body, &mut |node| {
        let is_name = node.kind() == "identifier" && source.of(node) == field;
        if !is_name {
            return true;
        }
        match usage(source, node) {
            Usage::Declared => declared += 1,
            Usage::Read(whole) => uses.push(whole),
            Usage::Made { statement, made } if value.is_none() => {
                value = Some(made);
                pieces.push(Piece {
                    at: statement.byte_range(),
                    with: String::new(),
                });
            }
            Usage::Other => {}
            Usage::Made { .. } | Usage::Unknown => is_known = false,
        }
        true
    });
    let value = value.filter(|value| is_empty_container(source, *value))?;
    // A class within may have a field of the same name.
    if !is_known || declared != 1 {
        return None;
    }
    let method = unused(source, &format!("{field}Made"))?;
    pieces.extend(uses.into_iter().map(|node| Piece {
        at: node.byte_range(),
        with: format!("{method}()"),
    }));
    pieces.push(Piece {
        at: declaration.byte_range(),
        with: format!("private {ty} {field};"),
    });
    let first = first_method(declaration)?;
    let lines = [
        format!("private {ty} {method}() {{"),
        format!("    if ({field} == null) {{"),
        format!("        {field} = {};", source.of(value)),
        "    }".to_owned(),
        format!("    return {field};"),
        "}".to_owned(),
        String::new(),
    ];
    Some(Lazy {
        pieces,
        method: Some((line_of(source, first)?, lines.to_vec())),
        condition: CONDITION,
    })
}

/// The one declaration of a field among the members of a class.
fn declaration<'n>(source: &Source<'_>, body: Node<'n>, field: &str) -> Option<Node<'n>> {
    let mut cursor = body.walk();
    let mut found = body.named_children(&mut cursor).filter(|member| {
        member.kind() == "field_declaration"
            && only_declarator(*member)
                .and_then(|declarator| declarator.child_by_field_name("name"))
                .is_some_and(|name| source.of(name) == field)
    });
    let one = found.next();
    one.filter(|_| found.next().is_none())
}

fn only_declarator(declaration: Node<'_>) -> Option<Node<'_>> {
    let mut cursor = declaration.walk();
    let mut declarators = declaration
        .named_children(&mut cursor)
        .filter(|child| child.kind() == "variable_declarator");
    let one = declarators.next();
    one.filter(|_| declarators.next().is_none())
}

/// What a name in a class is there for.
enum Usage<'n> {
    /// The field's own declaration.
    Declared,
    /// The field is read: the expression that stands for it.
    Read(Node<'n>),
    /// A constructor gives it its first value.
    Made { statement: Node<'n>, made: Node<'n> },
    /// Something else of the same name: a method, a field of another object.
    Other,
    /// A variable of the same name, or a field that is given a value elsewhere.
    Unknown,
}

fn usage<'n>(source: &Source<'_>, name: Node<'n>) -> Usage<'n> {
    let Some(parent) = name.parent() else {
        return Usage::Unknown;
    };
    let is = |field: &str| parent.child_by_field_name(field) == Some(name);
    match parent.kind() {
        "variable_declarator" if is("name") => {
            let of_class = parent
                .parent()
                .is_some_and(|declaration| declaration.kind() == "field_declaration");
            if of_class { Usage::Declared } else { Usage::Unknown }
        }
        "formal_parameter"
        | "catch_formal_parameter"
        | "resource"
        | "inferred_parameters"
        | "spread_parameter"
        | "type_pattern"
        | "record_pattern_component" => Usage::Unknown,
        "enhanced_for_statement" if is("name") => Usage::Unknown,
        "lambda_expression" if is("parameters") => Usage::Unknown,
        "method_declaration" | "method_reference" | "labeled_statement" => Usage::Other,
        "method_invocation" if is("name") => Usage::Other,
        "element_value_pair" if is("key") => Usage::Other,
        "field_access" if is("field") => {
            let of = parent.child_by_field_name("object");
            if of.is_some_and(|of| source.of(of) == "this") {
                as_expression(parent)
            } else {
                // `other.list`: of another object, of this class or not.
                Usage::Unknown
            }
        }
        _ => as_expression(name),
    }
}

/// The field as an expression, with what is done with it.
fn as_expression(whole: Node<'_>) -> Usage<'_> {
    let Some(parent) = whole.parent() else {
        return Usage::Unknown;
    };
    match parent.kind() {
        "assignment_expression" if parent.child_by_field_name("left") == Some(whole) => {
            let statement = parent
                .parent()
                .filter(|node| node.kind() == "expression_statement");
            let block = statement.and_then(|statement| statement.parent());
            let is_first = block.is_some_and(|block| block.kind() == "constructor_body");
            match (statement, parent.child_by_field_name("right")) {
                (Some(statement), Some(made)) if is_first => Usage::Made { statement, made },
                _ => Usage::Unknown,
            }
        }
        "update_expression" => Usage::Unknown,
        _ => Usage::Read(whole),
    }
}

/// `new ArrayList<>()`, without a body and arguments.
fn is_empty_container(source: &Source<'_>, value: Node<'_>) -> bool {
    let arguments = value.child_by_field_name("arguments");
    let ty = value.child_by_field_name("type").map(|ty| source.of(ty));
    let bare = ty.and_then(|ty| ty.split('<').next());
    let bare = bare.and_then(|bare| bare.rsplit('.').next());
    value.kind() == "object_creation_expression"
        && arguments.is_some_and(|arguments| arguments.named_child_count() == 0)
        && arguments.map(|arguments| arguments.end_byte()) == Some(value.end_byte())
        && bare.is_some_and(|bare| CONTAINERS.contains(&bare.trim()))
}

/// The first constructor or method behind the fields.
fn first_method(declaration: Node<'_>) -> Option<Node<'_>> {
    let mut at = declaration.next_named_sibling();
    while let Some(member) = at {
        if matches!(member.kind(), "method_declaration" | "constructor_declaration") {
            return Some(member);
        }
        at = member.next_named_sibling();
    }
    None
}
