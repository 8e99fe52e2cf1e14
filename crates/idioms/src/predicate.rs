//! What a query asks of the text of what it captures, beside its shape.

use std::sync::OnceLock;

use regex::Regex;
use tree_sitter::Node;

use crate::source::Source;

/// `(#eq? @by "lines")` and the like.
#[derive(Debug)]
pub(crate) struct Predicate {
    capture: &'static str,
    asks: Asks,
}

#[derive(Debug)]
enum Asks {
    OneOf(Vec<&'static str>),
    Matches(Pattern),
    MatchesNot(Pattern),
}

/// A pattern that is compiled when a text is first compared with it.
#[derive(Debug)]
struct Pattern {
    written: String,
    compiled: OnceLock<Option<Regex>>,
}

impl Pattern {
    /// A constant, of which a test compiles each.
    fn matches(&self, text: &str) -> Option<bool> {
        let compile = || Regex::new(&self.written).ok();
        Some(self.compiled.get_or_init(compile).as_ref()?.is_match(text))
    }
}

impl Predicate {
    /// Whether all that is captured under its name is so.
    pub fn holds(&self, source: &Source<'_>, captures: &[(&'static str, Node<'_>)]) -> bool {
        let of_name = captures.iter().filter(|(name, _)| *name == self.capture);
        let mut texts = of_name.map(|(_, node)| source.of(*node));
        match &self.asks {
            Asks::OneOf(words) => texts.all(|text| words.contains(&text)),
            Asks::Matches(pattern) => texts.all(|text| pattern.matches(text) == Some(true)),
            Asks::MatchesNot(pattern) => texts.all(|text| pattern.matches(text) == Some(false)),
        }
    }

    /// Whether a text has one of its words; `near` is what of the text stands near the lines that make something, where
    /// the call stands that makes a collection.
    pub fn may_be_in(&self, text: &str, near: &str) -> bool {
        let Asks::OneOf(words) = &self.asks else {
            return true;
        };
        let place = if self.capture == "by" { near } else { text };
        let has = |word: &&str| memchr::memmem::find(place.as_bytes(), word.as_bytes()).is_some();
        words.iter().any(has)
    }
}

/// A query in two: what it asks of the tree, and what of texts.
pub(crate) fn split(query: &'static str) -> (String, Vec<Predicate>) {
    let (mut shape, mut predicates) = (String::new(), Vec::new());
    let mut rest = query;
    while let Some(at) = rest.find("(#") {
        shape.push_str(rest[..at].trim_end());
        let (predicate, after) = predicate(&rest[at + 2..]);
        predicates.extend(predicate);
        rest = after;
    }
    shape.push_str(rest);
    (shape, predicates)
}

/// The predicate that begins there, behind its `(#`, and what stands behind it.
fn predicate(text: &'static str) -> (Option<Predicate>, &'static str) {
    let (how, mut rest) = text.split_once(' ').unwrap_or((text, ""));
    let end = rest.find([' ', ')']).unwrap_or(rest.len());
    let capture = rest[..end].trim_start_matches('@');
    rest = rest[end..].trim_start();
    let mut words = Vec::new();
    while let Some(quoted) = rest.strip_prefix('"') {
        let mut escaped = false;
        let end = quoted.find(|one| {
            let ends = one == '"' && !escaped;
            escaped = one == '\\' && !escaped;
            ends
        });
        let end = end.unwrap_or(quoted.len());
        words.push(&quoted[..end]);
        rest = quoted.get(end + 1..).unwrap_or_default().trim_start();
    }
    rest = rest.strip_prefix(')').unwrap_or(rest);
    let pattern = || Pattern {
        written: words
            .first()
            .map_or_else(String::new, |word| word.replace(r"\\", r"\")),
        compiled: OnceLock::new(),
    };
    let asks = match how {
        "match?" => Some(Asks::Matches(pattern())),
        "not-match?" => Some(Asks::MatchesNot(pattern())),
        "eq?" | "any-of?" => Some(Asks::OneOf(words)),
        _ => None,
    };
    (asks.map(|asks| Predicate { capture, asks }), rest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Language;

    #[test]
    fn a_query_is_its_shape_and_its_predicates() {
        let (shape, predicates) = split(
            r#"(call receiver: (call method: (_) @by (#any-of? @by "map" "collect")) method: (_) @a (#match? @a "(?i)\\(\")$") (#not-match? @b "^a")) @whole"#,
        );
        assert_eq!(
            shape,
            "(call receiver: (call method: (_) @by) method: (_) @a) @whole"
        );
        let asked: Vec<String> = predicates
            .iter()
            .map(|predicate| match &predicate.asks {
                Asks::OneOf(words) => format!("{} {}", predicate.capture, words.join(" ")),
                Asks::Matches(pattern) => format!("{} ~ {}", predicate.capture, pattern.written),
                Asks::MatchesNot(pattern) => format!("{} !~ {}", predicate.capture, pattern.written),
            })
            .collect();
        assert_eq!(asked, ["by map collect", r#"a ~ (?i)\(\")$"#, "b !~ ^a"]);
    }

    #[test]
    fn every_predicate_is_known() {
        for language in [
            Language::Ruby,
            Language::Crystal,
            Language::JavaScript,
            Language::Python,
            Language::Java,
        ] {
            for idiom in language.idioms() {
                let (shape, predicates) = split(idiom.query);
                assert!(!shape.contains('#'), "{shape}");
                assert_eq!(
                    predicates.len(),
                    idiom.query.matches("(#").count(),
                    "{}",
                    idiom.query
                );
                for predicate in predicates {
                    if let Asks::Matches(pattern) | Asks::MatchesNot(pattern) = predicate.asks {
                        assert!(pattern.matches("").is_some(), "{}", pattern.written);
                    }
                }
            }
        }
    }
}
