//! A container that a class keeps in a field and makes when it is first asked for.
//!
//! Whoever reads the field gets the container, made now if it was not: what the program does stays the same. Objects whose
//! field nobody reads have none.

mod java;
mod javascript;
mod python;
mod ruby;

use tree_sitter::Node;

use super::class::{class, is_class};
use super::hunks::{Piece, above, hunks};
use super::intern::unused;
use super::statement::{child_around, indent, line_of};
use super::{Claim, SourceEdit};
use crate::Language;
use crate::source::Source;
use crate::walk::each;

/// What the saving needs, whatever the language.
const UNREAD: &str = "it is seldom read where it stays empty: reading makes it";

/// Where a new method goes, and its lines without their indentation.
type Method = (usize, Vec<String>);

/// The parts of an edit of a class.
struct Lazy {
    pieces: Vec<Piece>,
    method: Option<Method>,
    /// What has to hold for the program to do the same.
    condition: &'static str,
}

pub(super) fn edit(source: &Source<'_>, of: &str, field: &str) -> Option<SourceEdit> {
    let class = class(source, of)?;
    let lazy = match source.language {
        Language::Python => python::edit(source, class, field)?,
        Language::Ruby => ruby::edit(source, class, field)?,
        Language::Java => java::edit(source, class, field)?,
        Language::JavaScript | Language::TypeScript | Language::Tsx => {
            javascript::edit(source, class, field)?
        }
        Language::Crystal => return None,
    };
    let conditions = [lazy.condition, UNREAD];
    let mut lines = Vec::new();
    let mut above_pieces = &conditions[..];
    if let Some((at, method)) = lazy.method {
        let mut shown = above(source, at, &conditions)?;
        let indent = indent(source, at);
        shown.extend(method.into_iter().map(|line| {
            if line.is_empty() {
                line
            } else {
                format!("{indent}{line}")
            }
        }));
        lines.push((at, shown));
        above_pieces = &[];
    }
    Some(SourceEdit {
        hunks: hunks(source, lazy.pieces, lines, above_pieces)?,
        conditions: conditions.map(str::to_owned).to_vec(),
        claims: Some(Claim::OneField(class.start_position().row as u32 + 1)),
    })
}

/// What a class says, without the classes within it.
fn own<'n>(class: Node<'n>, see: &mut dyn FnMut(Node<'n>)) {
    each(class, &mut |node| {
        if node != class && is_class(node) {
            return false;
        }
        see(node);
        true
    });
}

/// Whether a value is a new container without anything in it, by what it is written as.
fn is_empty_container(source: &Source<'_>, value: Node<'_>, written: &[&str]) -> bool {
    written.contains(&source.of(value).trim_end_matches(';'))
}
