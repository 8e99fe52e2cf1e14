//! Whether a call of a log stands under a check of its level, so that nothing is put together while the level is off.

use tree_sitter::Node;

use crate::source::Source;
use crate::walk::each;

/// Words of what a level is asked by: `LEVEL > 3`, `log.isDebugEnabled()`, `process.env.DEBUG`, `verbose`.
const ASKS: &[&str] = &[
    "level", "debug", "verbose", "trace", "silly", "silent", "quiet", "enabled", "loggable", "logging",
];

/// Statements behind which nothing of their block runs.
const LEAVES: &[&str] = &[
    "return_statement",
    "throw_statement",
    "continue_statement",
    "break_statement",
];

/// Whether a call on `log` runs only where a check of the level lets it: an `if`, `?:`, `&&` or `||` around it, `?.` in
/// it, or a way out of its block before it. Checks around a function count for what stands in it.
pub(crate) fn is_guarded(source: &Source<'_>, whole: Node<'_>, log: Node<'_>) -> bool {
    let asks = |condition: Option<Node<'_>>| condition.is_some_and(|asked| asks(source, asked, log));
    if is_optional(whole) || whole.child_by_field_name("function").is_some_and(is_optional) {
        return true;
    }
    let mut at = whole;
    while let Some(parent) = at.parent() {
        let is = |field: &str| parent.child_by_field_name(field) == Some(at);
        let is_checked = match parent.kind() {
            "if_statement" | "ternary_expression" => {
                !is("condition") && asks(parent.child_by_field_name("condition"))
            }
            "binary_expression" => {
                let operator = parent.child_by_field_name("operator");
                let decides = operator.is_some_and(|operator| matches!(operator.kind(), "&&" | "||"));
                decides && is("right") && asks(parent.child_by_field_name("left"))
            }
            "statement_block" | "program" | "switch_case" => {
                let before = std::iter::successors(at.prev_named_sibling(), Node::prev_named_sibling);
                before
                    .filter(|before| before.kind() == "if_statement")
                    .any(|way_out| leaves(way_out) && asks(way_out.child_by_field_name("condition")))
            }
            _ => false,
        };
        if is_checked {
            return true;
        }
        at = parent;
    }
    false
}

/// Whether nothing is called, and nothing handed over, where there is nothing to call: `log?.debug(…)`, `log.debug?.(…)`.
fn is_optional(node: Node<'_>) -> bool {
    let mut cursor = node.walk();
    node.children(&mut cursor)
        .any(|child| matches!(child.kind(), "optional_chain" | "?."))
}

/// Whether an `if` leaves the block that it stands in.
fn leaves(way_out: Node<'_>) -> bool {
    let Some(then) = way_out.child_by_field_name("consequence") else {
        return false;
    };
    let last = match then.kind() {
        "statement_block" => u32::try_from(then.named_child_count())
            .ok()
            .and_then(|count| then.named_child(count.checked_sub(1)?)),
        _ => Some(then),
    };
    last.is_some_and(|last| LEAVES.contains(&last.kind()))
}

/// Whether a condition asks for a level, or whether there is a log at all; a name of the file stands for its value.
fn asks(source: &Source<'_>, condition: Node<'_>, log: Node<'_>) -> bool {
    let mut found = false;
    each(condition, &mut |node| {
        if node.is_named() && source.of(node) == source.of(log) {
            found = true;
        }
        if matches!(
            node.kind(),
            "identifier" | "property_identifier" | "private_property_identifier"
        ) {
            let name = source.of(node);
            found |= has_word(name) || source.constant(name).is_some_and(has_word);
        }
        !found
    });
    found
}

fn has_word(text: &str) -> bool {
    let text = text.to_lowercase();
    ASKS.iter().any(|word| text.contains(word))
}

#[cfg(test)]
mod tests {
    use crate::{Language, antipatterns_in};

    fn is_found(text: &str) -> bool {
        !antipatterns_in(text, Language::JavaScript, "f")
            .unwrap()
            .is_empty()
    }

    #[test]
    fn a_check_of_the_level_is_none() {
        for text in [
            "if (LEVEL > 3) log.debug(`a ${b}`);",
            "if (log.isDebugEnabled()) { g(); log.debug(`a ${b}`); }",
            "if (x && process.env.DEBUG) { for (const b of c) log.debug(`a ${b}`); }",
            "if (!verbose) { g(); } else log.debug(`a ${b}`);",
            "if (logger) logger.debug(`a ${b}`);",
            "this.verbose && this.log.trace(`a ${b}`);",
            "level < 3 || log.debug(`a ${b}`);",
            "x = DEBUG ? log.debug(`a ${b}`) : 0;",
            "log?.debug(`a ${b}`);",
            "this.log?.debug(`a ${b}`);",
            "log.debug?.(`a ${b}`);",
            "function f(b) { if (!log.enabled) return; g(); { log.debug(`a ${b}`); } }",
            "function f(b) { if (LEVEL < 3) { g(); return null; } log.debug(`a ${b}`); }",
            "for (const b of c) { if (quiet) continue; log.debug(`a ${b}`); }",
            "if (DEBUG) all.forEach((b) => log.debug(`a ${b}`));",
            "const on = log.isLevelEnabled('debug'); function f(b) { if (on) log.debug(`a ${b}`); }",
        ] {
            assert!(!is_found(text), "{text}");
        }
    }

    #[test]
    fn what_checks_something_else_does_not() {
        for text in [
            "log.debug(`a ${b}`);",
            "if (b.total > 3) log.debug(`a ${b}`);",
            "b && log.debug(`a ${b}`);",
            "x = (log.debug(`a ${b}`), LEVEL) > 3;",
            "function f(b) { if (!b) return; log.debug(`a ${b}`); }",
            "function f(b) { if (LEVEL > 3) g(); log.debug(`a ${b}`); }",
            "function f(b) { log.debug(`a ${b}`); if (LEVEL < 3) return; g(); }",
            "function g() { if (LEVEL < 3) return; h(); } function f(b) { log.debug(`a ${b}`); }",
            "if (log.debug(`a ${b}`)) LEVEL = 3;",
        ] {
            assert!(is_found(text), "{text}");
        }
    }
}
