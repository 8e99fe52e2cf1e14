//! A class for the records that one literal makes.
//!
//! Python gets a class with `__slots__` whose instances still answer `row["field"]`, Ruby a `Struct`.

use tree_sitter::Node;

use super::class::is_class;
use super::hunks::{Piece, above, hunks};
use super::intern::unused;
use super::literal::{Entry, Fields, literal};
use super::statement::{indent, line_of};
use super::{Claim, SourceEdit};
use crate::Language;
use crate::source::Source;

/// What the class is called.
const NAME: &str = "Record";

/// What a record of Python can do then.
const READ_IN_PYTHON: &str =
    "the program does nothing with these records but read and set their fields, as in `row[\"id\"]`";

/// What a record of Ruby can do then.
const READ_IN_RUBY: &str =
    "the program does nothing with these records but read and set their fields, as in `row[:id]`";

pub(super) fn edit(source: &Source<'_>, fields: Fields<'_>) -> Option<SourceEdit> {
    let (literal, entries) = literal(source, fields)?;
    let name = unused(source, NAME)?;
    let (condition, class, pieces) = match source.language {
        Language::Python => (
            READ_IN_PYTHON,
            of_python(source, literal, &entries, &name)?,
            called(source, literal, &entries, &format!("{name}("), |entry| {
                format!("{}=", entry.key)
            })?,
        ),
        Language::Ruby => (
            READ_IN_RUBY,
            of_ruby(source, literal, &entries, &name)?,
            called(source, literal, &entries, &format!("{name}.new("), |_| {
                String::new()
            })?,
        ),
        _ => return None,
    };
    let conditions = [condition];
    let (at, lines) = class;
    let mut shown = above(source, at, &conditions)?;
    shown.extend(lines);
    Some(SourceEdit {
        hunks: hunks(source, pieces, vec![(at, shown)], &[])?,
        conditions: conditions.map(str::to_owned).to_vec(),
        claims: Some(Claim::Name(name)),
    })
}

/// The literal as a call: its brackets and its keys are replaced, all else stays as it is.
fn called(
    source: &Source<'_>,
    literal: Node<'_>,
    entries: &[Entry<'_, '_>],
    call: &str,
    key: impl Fn(&Entry<'_, '_>) -> String,
) -> Option<Vec<Piece>> {
    let all = literal.byte_range();
    let is_in_brackets = source.of(literal).starts_with('{') && source.of(literal).ends_with('}');
    if !is_in_brackets {
        return None;
    }
    let mut pieces = vec![Piece {
        at: all.start..all.start + 1,
        with: call.to_owned(),
    }];
    for entry in entries {
        let (end, value) = match entry.value {
            Some(value) => (value.start_byte(), String::new()),
            None => (entry.whole.end_byte(), entry.key.to_owned()),
        };
        pieces.push(Piece {
            at: entry.whole.start_byte()..end,
            with: key(entry) + &value,
        });
    }
    // `Record.new( 1, 2 )` and a comma before the bracket are right, and nobody writes them.
    let inner = &source.text[all.start + 1..all.end - 1];
    let first = entries.first()?.whole.start_byte();
    let mut last = all.end - 1;
    if !inner.contains('\n') {
        pieces[0].at.end = first;
        last = entries.last()?.whole.end_byte();
    }
    pieces.push(Piece {
        at: last..all.end,
        with: ")".to_owned(),
    });
    Some(pieces)
}

/// Where the class goes, and its lines.
type Placed = (usize, Vec<String>);

fn of_python(
    source: &Source<'_>,
    literal: Node<'_>,
    entries: &[Entry<'_, '_>],
    name: &str,
) -> Option<Placed> {
    let keys: Vec<&str> = entries.iter().map(|entry| entry.key).collect();
    // Names with two underscores are the class's own affair.
    if !keys
        .iter()
        .all(|key| is_name(key) && !key.starts_with("__") && !PYTHON_KEYWORDS.contains(key) && *key != "self")
    {
        return None;
    }
    let at = before(source, literal, |parent| parent.kind() == "module")?;
    let quoted: Vec<String> = keys.iter().map(|key| format!("\"{key}\"")).collect();
    let comma = if keys.len() == 1 { "," } else { "" };
    let mut lines = vec![
        format!("class {name}:"),
        format!("    __slots__ = ({}{comma})", quoted.join(", ")),
        String::new(),
        format!("    def __init__(self, {}):", keys.join(", ")),
    ];
    lines.extend(keys.iter().map(|key| format!("        self.{key} = {key}")));
    lines.extend(
        [
            "",
            "    def __getitem__(self, key):",
            "        return getattr(self, key)",
            "",
            "    def __setitem__(self, key, value):",
            "        setattr(self, key, value)",
            "",
            "",
        ]
        .map(str::to_owned),
    );
    Some((at, lines))
}

fn of_ruby(source: &Source<'_>, literal: Node<'_>, entries: &[Entry<'_, '_>], name: &str) -> Option<Placed> {
    let keys: Vec<&str> = entries.iter().map(|entry| entry.key).collect();
    if !keys.iter().all(|key| is_name(key) && !RUBY_NAMES.contains(key)) {
        return None;
    }
    let at = before(source, literal, |parent| {
        parent.kind() == "program"
            || (parent.kind() == "body_statement" && parent.parent().is_some_and(is_class))
    })?;
    let indent = indent(source, at);
    let members: Vec<String> = keys.iter().map(|key| format!(":{key}")).collect();
    Some((
        at,
        vec![
            format!("{indent}{name} = Struct.new({})", members.join(", ")),
            String::new(),
        ],
    ))
}

/// The line before which something is put that the literal needs: that of the statement around it whose parent is the
/// one sought, with the comments above it.
fn before(source: &Source<'_>, literal: Node<'_>, is_sought: impl Fn(Node<'_>) -> bool) -> Option<usize> {
    let mut at = literal;
    while !is_sought(at.parent()?) {
        at = at.parent()?;
    }
    line_of(source, at)
}

/// Whether a key can be the name of a field as it stands.
fn is_name(key: &str) -> bool {
    let mut chars = key.chars();
    chars.next().is_some_and(|c| c.is_ascii_lowercase() || c == '_')
        && chars.all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// Names that no variable of Python can have.
const PYTHON_KEYWORDS: [&str; 32] = [
    "and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del", "elif", "else",
    "except", "finally", "for", "from", "global", "if", "import", "in", "is", "lambda", "nonlocal", "not",
    "or", "pass", "raise", "return", "try", "while", "with", "yield",
];

/// Methods that every object of Ruby needs as they are.
const RUBY_NAMES: [&str; 12] = [
    "__id__",
    "__send__",
    "class",
    "dup",
    "clone",
    "freeze",
    "hash",
    "initialize",
    "inspect",
    "method",
    "object_id",
    "send",
];
