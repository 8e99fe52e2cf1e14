//! The queries of a language: compiled once, when its first file is read, since that takes longer than reading files.

use std::sync::OnceLock;

use tree_sitter::Query;

use crate::Language;
use crate::idiom::Idiom;

/// What is looked for in files of one language.
pub(crate) struct Queries {
    /// The name that each call calls.
    pub calls: Option<Query>,
    /// In the order in which they are tried.
    pub idioms: Vec<(&'static Idiom, Query)>,
}

impl Queries {
    pub fn of(language: Language) -> &'static Self {
        static ALL: [OnceLock<Queries>; Language::COUNT] = [const { OnceLock::new() }; Language::COUNT];
        ALL[language as usize].get_or_init(|| {
            let grammar = language.grammar();
            // Queries are constants, each of which a test compiles.
            let compiled = |query| Query::new(&grammar, query).ok();
            let idioms = language.idioms().iter();
            Self {
                calls: compiled(language.calls()),
                idioms: idioms
                    .filter_map(|idiom| Some((idiom, compiled(idiom.query)?)))
                    .collect(),
            }
        })
    }
}
