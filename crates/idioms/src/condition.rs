//! Where alone a rewrite means the same, as comments of the source that it stands in.

use tree_sitter::Node;

use crate::idiom::Idiom;
use crate::source::Source;

/// What has to hold for a rewrite to mean the same; it goes on from "only if".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OnlyIf {
    /// Wherever the idiom stands.
    Always(&'static str),
    /// Where `@block` takes one parameter, or is a method by its name: hashes hand their blocks a key and a value.
    OneParameter(&'static str),
    /// Where what the expression returns may be asked for: it is the last of a method or of a block.
    Last(&'static str),
}

/// Columns of a comment, its indentation included: what reports show beside it leaves no more of 80.
const COLUMNS: usize = 62;

/// Comments are indented as the source is, but no further than that.
const DEEPEST_INDENT: usize = 16;

/// The conditions of an idiom that are to be met where it stands.
pub(crate) fn conditions(
    source: &Source<'_>,
    idiom: &Idiom,
    whole: Node<'_>,
    captures: &[(&str, Node<'_>)],
) -> Vec<&'static str> {
    let block = captures.iter().find(|(name, _)| *name == "block");
    let said = idiom.only_if.iter().filter_map(|condition| match *condition {
        OnlyIf::Always(said) => Some(said),
        OnlyIf::OneParameter(said) => block
            .is_none_or(|&(_, block)| parameters(block) < 2)
            .then_some(said),
        OnlyIf::Last(said) => is_last(source, whole).then_some(said),
    });
    said.collect()
}

/// How many parameters a block has.
fn parameters(block: Node<'_>) -> usize {
    let parameters = block.child_by_field_name("parameters");
    parameters.map_or(0, |parameters| parameters.named_child_count())
}

/// Whether an expression is the last of its body, whose value a method or a block then returns.
fn is_last(source: &Source<'_>, whole: Node<'_>) -> bool {
    let mut at = whole;
    while let Some(parent) = at.parent() {
        let next = at.next_named_sibling();
        let is_followed = next.is_some_and(|next| next.kind() != "comment");
        match parent.kind() {
            "body_statement" | "block_body" | "then" | "else" | "begin" if is_followed => return false,
            "body_statement" | "block_body" | "then" | "else" | "begin" | "case" | "when" | "if"
            | "unless" | "if_modifier" | "unless_modifier" => {}
            kind => return source.language.functions().contains(&kind) || kind.ends_with("block"),
        }
        at = parent;
    }
    false
}

/// Whether comments may stand in lines of their own before the one that begins at `start`: not within a text, and not
/// in the midst of a line that is continued.
pub(crate) fn may_be_commented(source: &Source<'_>, start: usize) -> bool {
    if source.text[..start].trim_end_matches('\n').ends_with('\\') {
        return false;
    }
    let mut at = source.tree.root_node().descendant_for_byte_range(start, start);
    while let Some(node) = at {
        let kind = node.kind();
        let is_text = kind.contains("string") || kind.contains("heredoc") || kind.contains("jsx");
        if is_text && node.start_byte() < start {
            return false;
        }
        at = node.parent();
    }
    true
}

/// The conditions as comments, none longer than a terminal shows.
pub(crate) fn comments(mark: &str, indent: usize, conditions: &[&str]) -> Vec<String> {
    let start = format!("{}{mark}", " ".repeat(indent.min(DEEPEST_INDENT)));
    let mut lines = Vec::new();
    for condition in conditions {
        let mut line = start.clone();
        for word in ["Only", "if"].into_iter().chain(condition.split(' ')) {
            if line.chars().count() + 1 + word.chars().count() > COLUMNS {
                lines.push(std::mem::replace(&mut line, format!("{start}  ")));
            }
            line.push(' ');
            line.push_str(word);
        }
        line.push('.');
        lines.push(line);
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_fit() {
        let said = "no two elements are equal and yet different, as 1 and 1.0 are: which one comes is left to chance";
        for indent in [0, 8, 90] {
            let lines = comments("#", indent, &[said, "it is no Hash"]);
            assert!(
                lines.iter().all(|line| line.chars().count() <= COLUMNS),
                "{lines:#?}"
            );
            let words: Vec<&str> = lines
                .iter()
                .flat_map(|line| line.split_whitespace())
                .filter(|word| *word != "#")
                .collect();
            assert_eq!(words.join(" "), format!("Only if {said}. Only if it is no Hash."));
        }
    }
}
