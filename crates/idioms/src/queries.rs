//! The queries of a language. To compile one takes longer than to read a file, so each shape is compiled once for all
//! idioms that have it, when the first file comes that has all the words that one of these asks for.

use std::sync::OnceLock;

use tree_sitter::{Node, Query, QueryCursor, StreamingIterator};

use crate::Language;
use crate::idiom::Idiom;
use crate::predicate::{Predicate, split};
use crate::source::{DEEPEST, Source};

/// Nodes with the names under which a query captures them.
pub(crate) type Captures<'n> = Vec<(&'static str, Node<'n>)>;

/// What is looked for in files of one language.
pub(crate) struct Queries {
    /// The name that each call calls.
    calls: Shape,
    /// In the order in which they are tried.
    idioms: Vec<Asked>,
    /// What of their queries is about the tree alone.
    shapes: Vec<Shape>,
}

/// An idiom as it is looked for.
pub(crate) struct Asked {
    pub idiom: &'static Idiom,
    /// The number of its shape.
    shape: usize,
    predicates: Vec<Predicate>,
}

impl Queries {
    pub fn of(language: Language) -> &'static Self {
        static ALL: [OnceLock<Queries>; Language::COUNT] = [const { OnceLock::new() }; Language::COUNT];
        ALL[language as usize].get_or_init(|| {
            let mut shapes: Vec<Shape> = Vec::new();
            let mut idioms = Vec::new();
            for idiom in language.idioms() {
                let (shape, predicates) = split(idiom.query);
                let known = shapes.iter().position(|known| known.query == shape);
                let at = known.unwrap_or(shapes.len());
                if known.is_none() {
                    shapes.push(Shape::new(language, shape));
                }
                idioms.push(Asked {
                    idiom,
                    shape: at,
                    predicates,
                });
            }
            Self {
                calls: Shape::new(language, language.calls().to_owned()),
                idioms,
                shapes,
            }
        })
    }

    /// The name that each call calls.
    pub fn calls(&self) -> Option<&Query> {
        self.calls.compiled()
    }

    /// The idioms that a text may have, in the order in which they are tried. `near` is what stands at the lines that
    /// matter.
    pub fn idioms<'q>(&'q self, text: &'q str, near: &'q str) -> impl Iterator<Item = &'q Asked> {
        self.idioms
            .iter()
            .filter(move |asked| asked.may_be_in(text, near))
    }

    /// All places of a shape in a tree.
    pub fn places<'n>(&'static self, asked: &Asked, source: &'n Source<'_>) -> Vec<Captures<'n>> {
        let Some(query) = self.shapes[asked.shape].compiled() else {
            return Vec::new();
        };
        let names = query.capture_names();
        let mut cursor = QueryCursor::new();
        cursor.set_max_start_depth(Some(DEEPEST));
        let mut matches = cursor.matches(query, source.tree.root_node(), source.text.as_bytes());
        let mut places = Vec::new();
        while let Some(one) = matches.next() {
            let captures = one.captures().iter();
            places.push(
                captures
                    .map(|capture| (names[capture.index as usize], capture.node))
                    .collect(),
            );
        }
        places
    }
}

impl Asked {
    /// Equal for idioms of one shape.
    pub fn shape(&self) -> usize {
        self.shape
    }

    /// Whether what is captured is called as the idiom asks.
    pub fn fits(&self, source: &Source<'_>, captures: &[(&'static str, Node<'_>)]) -> bool {
        self.predicates
            .iter()
            .all(|predicate| predicate.holds(source, captures))
    }

    fn may_be_in(&self, text: &str, near: &str) -> bool {
        self.predicates
            .iter()
            .all(|predicate| predicate.may_be_in(text, near))
    }
}

/// A query without its predicates, compiled when it is asked for.
struct Shape {
    language: Language,
    query: String,
    compiled: OnceLock<Option<Query>>,
}

impl Shape {
    fn new(language: Language, query: String) -> Self {
        Self {
            language,
            query,
            compiled: OnceLock::new(),
        }
    }

    fn compiled(&self) -> Option<&Query> {
        // Queries are constants, each of which a test compiles.
        let compile = || Query::new(&self.language.grammar(), &self.query).ok();
        self.compiled.get_or_init(compile).as_ref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn idioms_share_shapes() {
        let all = Queries::of(Language::Ruby);
        assert!(
            all.shapes.len() * 2 < all.idioms.len(),
            "{} of {}",
            all.shapes.len(),
            all.idioms.len()
        );
    }

    #[test]
    fn a_text_without_the_words_needs_no_query() {
        let all = Queries::of(Language::Ruby);
        let may = |text: &str| all.idioms(text, text).count();
        assert!(may("html.lines.count") > may("html"));
        assert!(may("html") < all.idioms.len() / 3, "{}", may("html"));
        // What makes the collection has to stand near a line that makes something.
        assert!(all.idioms("t.lines.count", "").count() < may("t.lines.count"));
    }
}
