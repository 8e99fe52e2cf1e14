//! Where statements stand: their lines, and what is around them.

use tree_sitter::Node;

use crate::source::Source;

/// The blanks that the line which begins at `start` begins with.
pub(super) fn indent<'t>(source: &Source<'t>, start: usize) -> &'t str {
    let line = source.text.get(start..).unwrap_or_default();
    let end = line.find(|c: char| c != ' ' && c != '\t').unwrap_or(0);
    &line[..end]
}

/// Where the line of a node begins, if nothing else stands before it there; with the comments and decorators above it.
pub(super) fn line_of(source: &Source<'_>, node: Node<'_>) -> Option<usize> {
    let mut at = node;
    while let Some(before) = at
        .prev_sibling()
        .filter(|before| matches!(before.kind(), "comment" | "line_comment" | "block_comment"))
    {
        let is_above = before.end_position().row + 1 >= at.start_position().row;
        let begins_line = source
            .text
            .get(source.line_start(before.start_position().row)..before.start_byte())
            .is_some_and(|text| text.trim().is_empty());
        if !is_above || !begins_line {
            break;
        }
        at = before;
    }
    let start = source.line_start(at.start_position().row);
    let before = source.text.get(start..at.start_byte())?;
    before.trim().is_empty().then_some(start)
}

/// The child of `around` that a node is in.
pub(super) fn child_around<'n>(around: Node<'n>, inner: Node<'n>) -> Option<Node<'n>> {
    let mut at = inner;
    while at.parent()? != around {
        at = at.parent()?;
    }
    Some(at)
}
