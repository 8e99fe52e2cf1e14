//! A source file with its tree.

use tree_sitter::{Node, Parser, Tree};

use crate::Language;

/// Expressions that nest deeper than this are not looked at: asking a node for its parents costs its depth.
pub(crate) const DEEPEST: u32 = 256;

/// So many lines before and behind one are taken to belong to the same chain of calls.
const AROUND: usize = 4;

/// A parsed file.
pub(crate) struct Source<'t> {
    pub language: Language,
    pub text: &'t str,
    pub tree: Tree,
    lines: Vec<usize>,
}

impl<'t> Source<'t> {
    /// Parses; `None` when the grammar does not load.
    pub fn parse(text: &'t str, language: Language) -> Option<Self> {
        let mut parser = Parser::new();
        parser.set_language(&language.grammar()).ok()?;
        let tree = parser.parse(text, None)?;
        let breaks = text.match_indices('\n').map(|(at, _)| at + 1);
        let lines = std::iter::once(0).chain(breaks).collect();
        Some(Self {
            language,
            text,
            tree,
            lines,
        })
    }

    /// The text of a node.
    pub fn of(&self, node: Node<'_>) -> &'t str {
        self.text.get(node.byte_range()).unwrap_or_default()
    }

    /// The text of these lines, by their numbers from 1, each with those around it: a chain of calls may stand on several.
    pub fn near(&self, lines: &[u32]) -> String {
        let mut near = String::new();
        let mut from = 0;
        for &line in lines {
            let line = line as usize;
            let begin = self.line_start(line.saturating_sub(1 + AROUND)).max(from);
            let end = self.line_start(line + AROUND).max(begin);
            near.push_str(self.text.get(begin..end).unwrap_or_default());
            from = end;
        }
        near
    }

    /// Where a line begins, by its number from 0.
    pub fn line_start(&self, row: usize) -> usize {
        self.lines.get(row).copied().unwrap_or(self.text.len())
    }

    /// Line and column of a node from 1, the column in UTF-16 units as engines count it.
    pub fn place(&self, node: Node<'_>) -> (u32, u32) {
        let row = node.start_position().row;
        let before = self.text.get(self.line_start(row)..node.start_byte());
        let units = before.map_or(0, |before| before.encode_utf16().count());
        (row as u32 + 1, units as u32 + 1)
    }

    /// A line break as Ruby writes it without making a string for each call.
    pub fn newline(&self) -> &'static str {
        if self.has_frozen_strings() {
            r#""\n""#
        } else {
            r#""\n".freeze"#
        }
    }

    /// A string of Ruby, as it is written without making one for each call.
    pub fn frozen(&self, string: &str) -> String {
        let freeze = if self.has_frozen_strings() { "" } else { ".freeze" };
        format!("{string}{freeze}")
    }

    /// Whether texts that are written out are frozen, and the same each time.
    pub fn has_frozen_strings(&self) -> bool {
        let mut comments = self.text.lines().take_while(|line| line.starts_with('#'));
        comments.any(|line| {
            let said = line
                .trim_start_matches('#')
                .trim()
                .replace('-', "_")
                .to_lowercase();
            said.trim_matches(['_', '*', ' ']).replace(' ', "") == "frozen_string_literal:true"
        })
    }

    /// The function around a node.
    pub fn function<'n>(&self, node: Node<'n>) -> Option<Node<'n>> {
        let mut at = node.parent();
        while let Some(node) = at {
            if self.language.functions().contains(&node.kind()) {
                return Some(node);
            }
            at = node.parent();
        }
        None
    }

    /// What a constant of that name stands for, as written.
    pub fn constant(&self, name: &str) -> Option<&'t str> {
        let mut cursor = self.tree.walk();
        let mut value = None;
        loop {
            let node = cursor.node();
            let named = node
                .child_by_field_name("left")
                .or_else(|| node.child_by_field_name("name"));
            let given = node
                .child_by_field_name("right")
                .or_else(|| node.child_by_field_name("value"));
            // What compares or adds has a left and a right side, too.
            if let (Some(named), Some(given)) = (named, given)
                && !node.kind().starts_with("binary")
                && self.of(named) == name
            {
                // Two values are no constant.
                if value.replace(self.of(given)).is_some() {
                    return None;
                }
            }
            if cursor.goto_first_child() {
                continue;
            }
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    return value;
                }
            }
        }
    }

    /// Where engines say that a function begins: at its parameters; the top of a file at its first character.
    pub fn begins(&self, function: Option<Node<'_>>) -> (u32, u32) {
        let Some(function) = function else {
            return (1, 1);
        };
        let parameters = function.child_by_field_name("parameters");
        let parameters = parameters.or_else(|| function.child_by_field_name("parameter"));
        self.place(parameters.unwrap_or(function))
    }
}
