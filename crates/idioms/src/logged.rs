//! What a log line makes, as far as a record can tell it that names functions and no lines.
//!
//! Such a record has what a function makes by itself in one sum: the text of a log line and all else that stands in the
//! function. What is called for the text alone has rows of its own; what the function makes by itself is the text's only
//! where it makes nothing else.

use std::collections::BTreeMap;

use tree_sitter::Node;

use crate::calls::Calls;
use crate::meaning::called;
use crate::source::Source;
use crate::walk::each;

/// What is certain not to make anything, nor to call what does. Members may be getters, and arithmetic makes numbers.
const MAKES_NOTHING: &[&str] = &[
    "statement_block",
    "expression_statement",
    "return_statement",
    "if_statement",
    "else_clause",
    "parenthesized_expression",
    "formal_parameters",
    "required_parameter",
    "optional_parameter",
    "identifier",
    "property_identifier",
    "private_property_identifier",
    "undefined",
    "true",
    "false",
    "null",
    "comment",
];

/// Types stand for nothing when the program runs.
const TYPES: &[&str] = &["type_annotation", "type_parameters"];

/// What a log line makes.
pub(crate) struct Logged<'t> {
    /// Names of what is called for its text, and nowhere else in the file.
    pub makers: Vec<&'t str>,
    /// Whether the function makes nothing else by itself.
    pub alone: bool,
}

impl<'t> Logged<'t> {
    pub fn of(source: &Source<'t>, whole: Node<'_>, calls: &Calls<'_>) -> Self {
        let mut makers: BTreeMap<&str, usize> = BTreeMap::new();
        let arguments = whole.child_by_field_name("arguments").unwrap_or(whole);
        each(arguments, &mut |node| {
            if node.kind() == "call_expression" {
                let name = called(source, node).unwrap_or_default();
                *makers.entry(name).or_default() += 1;
            }
            true
        });
        // An engine may have moved any function of the file into this one, with all that it calls.
        makers.retain(|name, count| calls.anywhere(name) == *count);
        Self {
            makers: makers.into_keys().collect(),
            alone: source
                .function(whole)
                .is_some_and(|function| is_alone(function, whole)),
        }
    }
}

/// Whether a function has nothing beside one expression that makes anything.
fn is_alone(function: Node<'_>, whole: Node<'_>) -> bool {
    let mut cursor = function.walk();
    // One that runs in steps has an object for itself.
    let is_plain = !function.kind().contains("generator")
        && !function
            .children(&mut cursor)
            .any(|child| matches!(child.kind(), "async" | "*"));
    let mut alone = is_plain;
    each(function, &mut |node| {
        if node == function {
            return true;
        }
        if node == whole || TYPES.contains(&node.kind()) {
            return false;
        }
        alone &= !node.is_named() || MAKES_NOTHING.contains(&node.kind());
        alone
    });
    alone
}

#[cfg(test)]
mod tests {
    use deadweight_heap::churn::{Antipattern, AntipatternKind};

    use crate::{Language, antipatterns_in};

    fn found(text: &str) -> Antipattern {
        let mut found = antipatterns_in(text, Language::TypeScript, "f").unwrap();
        found.retain(|found| found.kind == AntipatternKind::Log);
        assert_eq!(found.len(), 1, "{text}: {found:?}");
        found.remove(0)
    }

    #[test]
    fn what_is_called_for_the_text_alone_is_the_texts() {
        let line = "log.debug(`a ${describe(b)} ${b.tags.join()} ${b.tags.join('-')}`)";
        let makers = |rest: &str| found(&format!("function f(b) {{ {line}; return g(b); }} {rest}")).makers;
        assert_eq!(makers(""), ["describe", "join"]);
        assert_eq!(makers("function h(b) { return b.join(); }"), ["describe"]);
        assert_eq!(makers("describe([].join())"), [""; 0]);
    }

    #[test]
    fn a_function_may_do_nothing_but_log() {
        for text in [
            "function f(b) { log.debug(`a ${JSON.stringify(b)}`); }",
            "function f(b: Order, c?: number): void { if (b) { log.debug(`a ${b}`); } return c; }",
            "const f = (b) => log.debug(`a ${b}`);",
            "class A { f(b) { this.log.debug(`a ${b}`); return true; } }",
        ] {
            let found = found(text);
            assert!(found.alone && found.functions.len() == 1, "{text}: {found:?}");
        }
        assert_eq!(found("class A { f(b) { log.debug(`a ${b}`); } }").function, "f");
    }

    #[test]
    fn whatever_else_may_be_made_hides_the_text() {
        for text in [
            "log.debug(`a ${b}`);",
            "function f(b) { const n = new Intl.NumberFormat('de'); log.debug(`a ${b}`); return n; }",
            "function f(b) { log.debug(`a ${b}`); return b.total; }",
            "function f(b) { log.debug(`a ${b}`); return b + 1; }",
            "function f(b) { log.debug(`a ${b}`); return { b }; }",
            "function f(b) { g(b); log.debug(`a ${b}`); }",
            "function f({ b }) { log.debug(`a ${b}`); }",
            "function f(b = []) { log.debug(`a ${b}`); }",
            "async function f(b) { log.debug(`a ${b}`); }",
            "function* f(b) { log.debug(`a ${b}`); }",
        ] {
            assert!(!found(text).alone, "{text}");
        }
    }
}
