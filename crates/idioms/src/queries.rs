//! The queries of a language. To compile one takes longer than to read a file, so each is compiled when the first file
//! comes that has all the words it asks for.

use std::sync::OnceLock;

use tree_sitter::Query;

use crate::Language;
use crate::idiom::Idiom;

/// What is looked for in files of one language.
pub(crate) struct Queries {
    /// The name that each call calls.
    calls: Lazy,
    /// In the order in which they are tried, each with the number of its query: some share one.
    idioms: Vec<(&'static Idiom, usize)>,
    lazy: Vec<Lazy>,
}

impl Queries {
    pub fn of(language: Language) -> &'static Self {
        static ALL: [OnceLock<Queries>; Language::COUNT] = [const { OnceLock::new() }; Language::COUNT];
        ALL[language as usize].get_or_init(|| {
            let mut queries: Vec<Lazy> = Vec::new();
            let mut idioms = Vec::new();
            for idiom in language.idioms() {
                let known = queries.iter().position(|lazy| lazy.query == idiom.query);
                let at = known.unwrap_or(queries.len());
                if known.is_none() {
                    queries.push(Lazy::new(language, idiom.query));
                }
                idioms.push((idiom, at));
            }
            Self {
                calls: Lazy::new(language, language.calls()),
                idioms,
                lazy: queries,
            }
        })
    }

    /// The name that each call calls.
    pub fn calls(&self) -> Option<&Query> {
        self.calls.compiled()
    }

    /// The idioms that a text may have, in the order in which they are tried.
    pub fn idioms<'q>(&'q self, text: &'q str) -> impl Iterator<Item = (&'static Idiom, &'q Query)> {
        let all = self.idioms.iter().map(|&(idiom, at)| (idiom, &self.lazy[at]));
        let may = all.filter(move |(_, query)| query.may_be_in(text));
        may.filter_map(|(idiom, query)| Some((idiom, query.compiled()?)))
    }
}

/// A query that is compiled when it is asked for.
struct Lazy {
    language: Language,
    query: &'static str,
    words: Vec<Vec<&'static str>>,
    compiled: OnceLock<Option<Query>>,
}

impl Lazy {
    fn new(language: Language, query: &'static str) -> Self {
        Self {
            language,
            query,
            words: words(query),
            compiled: OnceLock::new(),
        }
    }

    fn may_be_in(&self, text: &str) -> bool {
        let has = |word: &&str| memchr::memmem::find(text.as_bytes(), word.as_bytes()).is_some();
        self.words.iter().all(|any| any.iter().any(has))
    }

    fn compiled(&self) -> Option<&Query> {
        // Queries are constants, each of which a test compiles.
        let compile = || Query::new(&self.language.grammar(), self.query).ok();
        self.compiled.get_or_init(compile).as_ref()
    }
}

/// For each of a query's conditions that a node be one of some words, those words: a text without any of them has no
/// match.
fn words(query: &'static str) -> Vec<Vec<&'static str>> {
    let asked = query.split("(#").skip(1);
    asked
        .filter_map(|asked| {
            let (how, rest) = asked.split_once(' ')?;
            let (name, mut rest) = rest.split_once(' ')?;
            if !matches!(how, "eq?" | "any-of?") || !name.starts_with('@') {
                return None;
            }
            let mut words = Vec::new();
            while let Some(quoted) = rest.trim_start().strip_prefix('"') {
                let (word, after) = quoted.split_once('"')?;
                if word.contains('\\') {
                    return None;
                }
                words.push(word);
                rest = after;
            }
            // What is compared with another node says nothing by itself.
            (!words.is_empty() && rest.trim_start().starts_with(')')).then_some(words)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_those_of_conditions_that_must_hold() {
        let query = r#"(call method: (_) @a (#eq? @a "lines") (#any-of? @b "count" "size")
            (#not-eq? @a "x") (#eq? @a @b) (#match? @b "(?i)log") (#eq? @a "a\\b"))"#;
        assert_eq!(words(query), [vec!["lines"], vec!["count", "size"]]);
    }

    #[test]
    fn a_text_without_the_words_needs_no_query() {
        let all = Queries::of(Language::Ruby);
        let may = |text| all.lazy.iter().filter(|query| query.may_be_in(text)).count();
        assert!(may("html.lines.count") > may("html"));
        assert!(may("html") < all.lazy.len() / 3, "{}", may("html"));
    }
}
