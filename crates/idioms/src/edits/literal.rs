//! Literals of records by their fields: `{ id, city }` of JavaScript, `{"id": 1}` of Python, `{ id: 1 }` of Ruby.

use std::collections::BTreeSet;

use tree_sitter::Node;

use crate::Language;
use crate::source::Source;
use crate::walk::each;

/// Which fields a record has.
#[derive(Clone, Copy, Debug)]
pub struct Fields<'f> {
    /// Those that are known by name, in any order.
    pub named: &'f [&'f str],
    /// How many more there are.
    pub more: usize,
}

/// One entry of a literal.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry<'s, 't> {
    /// Its key, without quotes.
    pub(super) key: &'t str,
    /// All of it.
    pub(super) whole: Node<'s>,
    /// Its value; nothing where its key says which variable has it.
    pub(super) value: Option<Node<'s>>,
}

/// The one literal of the file that has these fields and no others, with its entries in their order; nothing where there is
/// none, or several.
pub(super) fn literal<'s, 't>(
    source: &'s Source<'t>,
    fields: Fields<'_>,
) -> Option<(Node<'s>, Vec<Entry<'s, 't>>)> {
    let kind = match source.language {
        Language::JavaScript | Language::TypeScript | Language::Tsx => "object",
        Language::Python => "dictionary",
        Language::Ruby => "hash",
        Language::Crystal | Language::Java => return None,
    };
    let mut found = Vec::new();
    each(source.tree.root_node(), &mut |node| {
        if node.kind() == kind
            && !node.has_error()
            && !is_written_out(source, node)
            && let Some(entries) = entries(source, node)
        {
            let keys: BTreeSet<&str> = entries.iter().map(|entry| entry.key).collect();
            let is_whole = keys.len() == entries.len() && keys.len() == fields.named.len() + fields.more;
            if is_whole && fields.named.iter().all(|name| keys.contains(name)) {
                found.push((node, entries));
            }
        }
        true
    });
    (found.len() == 1).then(|| found.remove(0))
}

/// Calls that make a text of a value: nothing holds the value itself afterwards.
const WRITES: [&str; 6] = ["stringify", "dumps", "to_json", "to_yaml", "generate", "inspect"];

/// Whether a literal, or one around it, is only there to be made a text of.
fn is_written_out(source: &Source<'_>, literal: Node<'_>) -> bool {
    let name = |call: Node<'_>| {
        let called = ["function", "method"]
            .into_iter()
            .find_map(|part| call.child_by_field_name(part))?;
        let called = called.child_by_field_name("property").unwrap_or(called);
        Some(source.of(called.child_by_field_name("attribute").unwrap_or(called)))
    };
    let mut inner = literal;
    while let Some(outer) = inner.parent() {
        match outer.kind() {
            "pair"
            | "object"
            | "dictionary"
            | "hash"
            | "array"
            | "list"
            | "arguments"
            | "argument_list"
            | "parenthesized_expression" => inner = outer,
            "call" | "call_expression" => return name(outer).is_some_and(|name| WRITES.contains(&name)),
            _ => return false,
        }
    }
    false
}

/// The entries of a literal; nothing where one of them is no plain key.
fn entries<'s, 't>(source: &Source<'t>, literal: Node<'s>) -> Option<Vec<Entry<'s, 't>>> {
    let mut cursor = literal.walk();
    let children: Vec<Node<'s>> = literal
        .named_children(&mut cursor)
        .filter(|child| child.kind() != "comment")
        .collect();
    children.into_iter().map(|child| entry(source, child)).collect()
}

fn entry<'s, 't>(source: &Source<'t>, child: Node<'s>) -> Option<Entry<'s, 't>> {
    if child.kind() == "shorthand_property_identifier" {
        return Some(Entry {
            key: source.of(child),
            whole: child,
            value: None,
        });
    }
    let key = child
        .child_by_field_name("key")
        .filter(|_| child.kind() == "pair")?;
    let key = match key.kind() {
        "property_identifier" | "hash_key_symbol" => source.of(key),
        "simple_symbol" => source.of(key).strip_prefix(':')?,
        "string" => content(source, key)?,
        _ => return None,
    };
    Some(Entry {
        key,
        whole: child,
        value: child.child_by_field_name("value"),
    })
}

/// What stands in a plain string.
fn content<'t>(source: &Source<'t>, string: Node<'_>) -> Option<&'t str> {
    let mut cursor = string.walk();
    let mut pieces = string
        .named_children(&mut cursor)
        .filter(|piece| !matches!(piece.kind(), "string_start" | "string_end"));
    let only = pieces.next()?;
    let is_plain =
        matches!(only.kind(), "string_content" | "string_fragment") && only.named_child_count() == 0;
    let is_prefixed = source
        .of(string)
        .starts_with(['b', 'B', 'f', 'F', 'r', 'R', 'u', 'U']);
    (pieces.next().is_none() && is_plain && !is_prefixed).then(|| source.of(only))
}
