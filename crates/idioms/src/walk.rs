//! A walk over a syntax tree.

use tree_sitter::Node;

/// Shows `see` a node and all below it, in the order of the text. What is below a node for which `see` returns false is
/// left out.
pub(crate) fn each<'n>(from: Node<'n>, see: &mut dyn FnMut(Node<'n>) -> bool) {
    // A cursor does not leave the node that it starts at.
    let mut cursor = from.walk();
    loop {
        if see(cursor.node()) && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return;
            }
        }
    }
}
