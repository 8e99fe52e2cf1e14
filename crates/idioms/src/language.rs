//! The languages that are read.

use std::path::Path;

use tree_sitter::Language as Grammar;

use crate::idiom::Idiom;
use crate::{crystal, java, javascript, python, ruby};

/// A language.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Language {
    /// Ruby.
    Ruby,
    /// Crystal, as far as Ruby's grammar reads it.
    Crystal,
    /// JavaScript, JSX included.
    JavaScript,
    /// TypeScript.
    TypeScript,
    /// TypeScript with JSX.
    Tsx,
    /// Python.
    Python,
    /// Java.
    Java,
}

impl Language {
    /// How many there are.
    pub(crate) const COUNT: usize = Self::Java as usize + 1;

    /// The language of a file, by its name.
    #[must_use]
    pub fn of(path: &Path) -> Option<Self> {
        Some(match path.extension()?.to_str()? {
            "rb" | "rake" | "ru" => Self::Ruby,
            "cr" => Self::Crystal,
            "js" | "cjs" | "mjs" | "jsx" => Self::JavaScript,
            "ts" | "cts" | "mts" => Self::TypeScript,
            "tsx" => Self::Tsx,
            "py" => Self::Python,
            "java" => Self::Java,
            _ => return None,
        })
    }

    pub(crate) fn grammar(self) -> Grammar {
        match self {
            Self::Ruby | Self::Crystal => tree_sitter_ruby::LANGUAGE.into(),
            // One grammar reads all three, of which each takes more than a megabyte: only casts in angle brackets (`<T>x`)
            // are none to it.
            Self::JavaScript | Self::TypeScript | Self::Tsx => tree_sitter_typescript::LANGUAGE_TSX.into(),
            Self::Python => tree_sitter_python::LANGUAGE.into(),
            Self::Java => tree_sitter_java::LANGUAGE.into(),
        }
    }

    /// In the order in which they are tried.
    pub(crate) fn idioms(self) -> impl Iterator<Item = &'static Idiom> {
        let all: &'static [&'static [Idiom]] = match self {
            Self::Ruby => ruby::IDIOMS,
            Self::Crystal => crystal::IDIOMS,
            Self::JavaScript | Self::TypeScript | Self::Tsx => &[javascript::IDIOMS],
            Self::Python => &[python::IDIOMS],
            Self::Java => &[java::IDIOMS],
        };
        all.iter().copied().flatten()
    }

    /// Whether engines move the code of one function into another, and records name only functions.
    pub(crate) fn is_inlined(self) -> bool {
        matches!(self, Self::JavaScript | Self::TypeScript | Self::Tsx)
    }

    /// What a comment to the end of its line begins with.
    pub(crate) fn comment(self) -> &'static str {
        match self {
            Self::Ruby | Self::Crystal | Self::Python => "#",
            Self::JavaScript | Self::TypeScript | Self::Tsx | Self::Java => "//",
        }
    }

    /// Whether a method takes a block beside what it is handed.
    pub(crate) fn has_blocks(self) -> bool {
        matches!(self, Self::Ruby | Self::Crystal)
    }

    /// Kinds of nodes that are functions.
    pub(crate) fn functions(self) -> &'static [&'static str] {
        match self {
            Self::Ruby | Self::Crystal => &["method", "singleton_method"],
            Self::JavaScript | Self::TypeScript | Self::Tsx => &[
                "function_declaration",
                "function_expression",
                "generator_function",
                "generator_function_declaration",
                "arrow_function",
                "method_definition",
            ],
            Self::Python => &["function_definition"],
            Self::Java => &["method_declaration", "constructor_declaration"],
        }
    }

    /// The name that a call node calls, as a query with `@name` in `@call`.
    pub(crate) fn calls(self) -> &'static str {
        match self {
            Self::Ruby | Self::Crystal => "(call method: (_) @name) @call",
            Self::JavaScript | Self::TypeScript | Self::Tsx => {
                "(call_expression function: [(identifier) @name (member_expression property: (_) @name)]) @call"
            }
            Self::Python => "(call function: [(identifier) @name (attribute attribute: (_) @name)]) @call",
            Self::Java => "(method_invocation name: (_) @name) @call",
        }
    }
}
