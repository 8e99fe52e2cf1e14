//! One object for all equal texts of a field: each value is looked up where the class assigns it, or where a literal has it.

use tree_sitter::Node;

use super::SourceEdit;
use super::class::{assigned, class};
use super::hunks::{Piece, hunks};
use super::literal::{Fields, literal};
use crate::Language;
use crate::source::Source;
use crate::walk::each;

/// What holds wherever a table is kept for good.
const BOUNDED: &str = "there is a bound to how many values there are: the table keeps each for good";

/// What the function is called that looks texts up in a table.
const SHARE: &str = "shareText";

/// At a field of a class.
pub(super) fn edit(source: &Source<'_>, of: &str, field: &str) -> Option<SourceEdit> {
    let class = class(source, of)?;
    if source.language == Language::Ruby && is_changed(source, class, field) {
        return None;
    }
    let values = assigned(source, class, field)?;
    let places = values.into_iter().map(|value| Place {
        whole: value,
        value: Some(value),
    });
    at(source, places.collect())
}

/// At a field of the records that one literal makes.
pub(super) fn of_literal(source: &Source<'_>, fields: Fields<'_>, field: &str) -> Option<SourceEdit> {
    let (_, entries) = literal(source, fields)?;
    let entry = entries.iter().find(|entry| entry.key == field)?;
    let place = Place {
        whole: entry.value.unwrap_or(entry.whole),
        value: entry.value,
    };
    at(source, vec![place])
}

/// Where a value is looked up.
struct Place<'s> {
    /// What is replaced.
    whole: Node<'s>,
    /// The value; nothing where it is the variable of the field's name.
    value: Option<Node<'s>>,
}

fn at(source: &Source<'_>, places: Vec<Place<'_>>) -> Option<SourceEdit> {
    let is_variable = |place: &Place<'_>| place.value.is_none_or(|value| !is_constant(value));
    let places: Vec<Place<'_>> = places.into_iter().filter(is_variable).collect();
    if places.is_empty() {
        return None;
    }
    let values = || places.iter().filter_map(|place| place.value);
    // What is surely no text only has the texts within.
    if values().any(|value| is_no_text(source, value)) {
        return None;
    }
    // What looks values up already needs no second look.
    if values().any(|value| is_looked_up(source.of(value))) {
        return None;
    }
    let table = Table::of(source)?;
    let looked_up = |place: &Place<'_>| {
        if let Some(value) = place.value {
            return table.looked_up(source, value);
        }
        let name = source.of(place.whole).trim_end_matches(':');
        format!("{name}: {}{name}{}", table.before, table.behind)
    };
    let pieces = places
        .iter()
        .map(|place| Piece {
            at: place.whole.byte_range(),
            with: looked_up(place),
        })
        .collect();
    let conditions = [table.condition];
    Some(SourceEdit {
        hunks: hunks(source, pieces, table.lines, &conditions)?,
        conditions: conditions.map(str::to_owned).to_vec(),
        claims: None,
    })
}

/// Expressions that make an object, a list, a table or a function, by the names that grammars give them.
const NO_TEXTS: [&str; 21] = [
    "new_expression",
    "object_creation_expression",
    "array_creation_expression",
    "array_initializer",
    "array",
    "object",
    "hash",
    "regex",
    "arrow_function",
    "function_expression",
    "class",
    "lambda",
    "lambda_expression",
    "list",
    "tuple",
    "set",
    "dictionary",
    "list_comprehension",
    "set_comprehension",
    "dictionary_comprehension",
    "generator_expression",
];

fn is_no_text(source: &Source<'_>, value: Node<'_>) -> bool {
    let is_string = source.language == Language::Java && source.of(value).starts_with("new String(");
    NO_TEXTS.contains(&value.kind()) && !is_string
}

/// Methods of Ruby's String that change it in place, beside those that end with `!`.
const CHANGES: [&str; 11] = [
    "<<",
    "append_as_bytes",
    "clear",
    "concat",
    "force_encoding",
    "initialize_copy",
    "insert",
    "prepend",
    "replace",
    "set_encoding_by_bom",
    "setbyte",
];

/// Whether a class changes the text in an instance variable in place: a frozen one would raise.
fn is_changed(source: &Source<'_>, class: Node<'_>, field: &str) -> bool {
    let is_field = |node: Option<Node<'_>>| node.is_some_and(|node| source.of(node) == field);
    let mut found = false;
    each(class, &mut |node| {
        let part = |name| node.child_by_field_name(name);
        found |= match node.kind() {
            "call" if is_field(part("receiver")) => part("method").is_some_and(|method| {
                let name = source.of(method);
                name.ends_with('!') || CHANGES.contains(&name)
            }),
            "binary" => is_field(part("left")) && part("operator").is_some_and(|it| source.of(it) == "<<"),
            "assignment" | "operator_assignment" => part("left").is_some_and(|left| {
                left.kind() == "element_reference" && is_field(left.child_by_field_name("object"))
            }),
            _ => false,
        };
        !found
    });
    found
}

/// How a language keeps one object for equal texts.
struct Table {
    /// Lines that go into the file before the one that begins there.
    lines: Vec<(usize, Vec<String>)>,
    /// What stands before and behind a value, the latter with what it needs to be one operand.
    before: String,
    behind: &'static str,
    /// Whether a value that is no operand needs parentheses.
    is_operator: bool,
    condition: &'static str,
}

impl Table {
    fn of(source: &Source<'_>) -> Option<Self> {
        Some(match source.language {
            Language::Ruby => Self {
                lines: Vec::new(),
                before: "-".to_owned(),
                behind: "",
                is_operator: true,
                condition: "it is always a String that nobody changes in place: it is frozen then",
            },
            Language::Java => Self {
                lines: Vec::new(),
                before: String::new(),
                behind: ".intern()",
                is_operator: true,
                condition: "it is never null",
            },
            Language::Python => Self {
                lines: imported(source),
                before: "sys.intern(".to_owned(),
                behind: ")",
                is_operator: false,
                condition: "it is always a str: `sys.intern` raises TypeError for anything else",
            },
            Language::JavaScript | Language::TypeScript | Language::Tsx => {
                let function = unused(source, SHARE)?;
                let table = unused(source, "sharedTexts")?;
                Self {
                    lines: vec![(behind_imports(source), shared(source.language, &function, &table))],
                    before: format!("{function}("),
                    behind: ")",
                    is_operator: false,
                    condition: BOUNDED,
                }
            }
            Language::Crystal => return None,
        })
    }

    fn looked_up(&self, source: &Source<'_>, value: Node<'_>) -> String {
        let text = source.of(value);
        let is_operand = matches!(
            value.kind(),
            "identifier"
                | "call"
                | "element_reference"
                | "instance_variable"
                | "method_invocation"
                | "field_access"
                | "array_access"
                | "parenthesized_expression"
        );
        // A call without parentheses takes what follows for its arguments.
        let is_open = value
            .child_by_field_name("arguments")
            .is_some_and(|arguments| !source.of(arguments).starts_with('('));
        if self.is_operator && (!is_operand || is_open) {
            return format!("{}({text}){}", self.before, self.behind);
        }
        format!("{}{text}{}", self.before, self.behind)
    }
}

/// Whether a value is looked up where it is assigned, as these edits do it.
fn is_looked_up(value: &str) -> bool {
    value.contains("intern(") || value.starts_with('-') || value.starts_with(SHARE)
}

/// What is the same object each time, or no text.
fn is_constant(value: Node<'_>) -> bool {
    let is_text = matches!(value.kind(), "string" | "string_literal");
    let is_plain = value.named_child_count() == 0
        || (0..value.named_child_count() as u32)
            .filter_map(|at| value.named_child(at))
            .all(|child| {
                matches!(
                    child.kind(),
                    "string_fragment" | "string_content" | "string_start" | "string_end" | "escape_sequence"
                )
            });
    (is_text && is_plain)
        || matches!(
            value.kind(),
            "nil"
                | "null"
                | "none"
                | "undefined"
                | "null_literal"
                | "integer"
                | "number"
                | "simple_symbol"
                | "true"
                | "false"
        )
}

/// A line that imports `sys`, where the file does not yet.
fn imported(source: &Source<'_>) -> Vec<(usize, Vec<String>)> {
    let root = source.tree.root_node();
    let mut cursor = root.walk();
    let statements: Vec<Node<'_>> = root.named_children(&mut cursor).collect();
    let imports = |node: &&Node<'_>| {
        let mut cursor = node.walk();
        node.kind() == "import_statement"
            && node
                .named_children(&mut cursor)
                .any(|name| source.of(name) == "sys")
    };
    if statements.iter().any(|node| imports(&node)) {
        return Vec::new();
    }
    // Behind the file's own text and what must come first.
    let is_head = |node: &&Node<'_>| {
        let is_text = node.kind() == "expression_statement"
            && node.named_child(0).is_some_and(|child| child.kind() == "string");
        is_text || matches!(node.kind(), "comment" | "future_import_statement")
    };
    let first = statements.iter().find(|node| !is_head(node));
    let at = first.map_or(source.text.len(), |node| {
        source.line_start(node.start_position().row)
    });
    vec![(at, vec!["import sys".to_owned()])]
}

/// Where the first line begins that imports nothing and is no directive.
fn behind_imports(source: &Source<'_>) -> usize {
    let root = source.tree.root_node();
    let mut cursor = root.walk();
    let is_head = |node: &Node<'_>| match node.kind() {
        "import_statement" | "comment" | "hash_bang_line" => true,
        "expression_statement" => node.named_child(0).is_some_and(|child| child.kind() == "string"),
        "lexical_declaration" | "variable_declaration" => source.of(*node).contains("require("),
        _ => false,
    };
    let mut statements = root.named_children(&mut cursor);
    let first = statements.find(|node| !is_head(node));
    first.map_or(source.text.len(), |node| {
        source.line_start(node.start_position().row)
    })
}

/// The function that looks a text up, and its table.
fn shared(language: Language, function: &str, table: &str) -> Vec<String> {
    let is_typed = matches!(language, Language::TypeScript | Language::Tsx);
    let (of, parameter, cast) = if is_typed {
        ("<string, string>", "<T>(text: T): T", " as T & string")
    } else {
        ("", "(text)", "")
    };
    let lines = [
        format!("const {table} = new Map{of}();"),
        "// One object for all equal texts.".to_owned(),
        format!("function {function}{parameter} {{"),
        "  if (typeof text !== 'string') return text;".to_owned(),
        format!("  if (!{table}.has(text)) {table}.set(text, text);"),
        format!("  return {table}.get(text){cast};"),
        "}".to_owned(),
        String::new(),
    ];
    lines.to_vec()
}

/// A name that the file does not use.
pub(super) fn unused(source: &Source<'_>, name: &str) -> Option<String> {
    let names = std::iter::once(name.to_owned()).chain((2..100).map(|number| format!("{name}{number}")));
    names
        .into_iter()
        .find(|name| !source.text.contains(name.as_str()))
}
