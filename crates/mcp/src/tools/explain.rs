//! `explain`.

use deadweight_rules::rulebook;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Desk, Refused, Tool};
use crate::budget::Budget;
use crate::caller::Caller;

/// Explains a rule.
pub(super) struct Explain;

/// What it takes.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct In {
    /// The rule's code, such as D01; without one all codes are listed.
    #[serde(default)]
    rule: Option<String>,
    /// Only the advice for this language, such as Ruby; what the page says in general stays.
    #[serde(default)]
    language: Option<String>,
    /// The line of the page to begin at, from 0.
    #[serde(default)]
    from: usize,
    /// About how many tokens the answer may take: 300 to 50000; 2000 unless given.
    #[serde(default)]
    budget: Budget,
}

/// A rule's page, or the list of rules.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Out {
    /// The rules, by code: this one, or all.
    rules: Vec<Named>,
    /// The page's lines in Markdown; empty for the list.
    page: Vec<String>,
    /// The line at which the rest begins; null when the page is whole.
    next: Option<usize>,
}

/// A rule.
#[derive(Debug, Serialize, JsonSchema)]
struct Named {
    /// Its code.
    code: String,
    /// What it finds.
    title: String,
}

/// What the frame around a page takes, in bytes of JSON.
const FRAME: usize = 400;

/// The languages that pages speak of, by the words they use.
const LANGUAGES: [&str; 12] = [
    "JavaScript",
    "TypeScript",
    "Node.js",
    "Ruby",
    "Crystal",
    "Python",
    "Java",
    "C++",
    "C#",
    "C",
    "Rust",
    "Go",
];

impl Tool for Explain {
    const NAME: &'static str = "explain";
    const TITLE: &'static str = "Explain a rule";
    const DESCRIPTION: &'static str = "Shows the page of a rule: what it finds, why it costs, how the saving is computed, how to fix it in a \
        language, and when not to. Without a code it lists the rules.";
    const REST: &'static str = "`from` begins at a later line";
    type In = In;
    type Out = Out;

    fn budget(input: &In) -> Budget {
        input.budget
    }

    fn call(_desk: &Desk, input: In, _: &Caller) -> Result<Out, Refused> {
        let named = |page: &deadweight_weighing::Page| Named {
            code: page.code.to_string(),
            title: page.title.clone(),
        };
        let Some(code) = &input.rule else {
            return Ok(Out {
                rules: rulebook().pages().iter().map(named).collect(),
                page: Vec::new(),
                next: None,
            });
        };
        let page = rulebook().page(code).ok_or_else(|| {
            let known: Vec<String> = rulebook()
                .pages()
                .iter()
                .map(|page| page.code.to_string())
                .collect();
            Refused::NoRule(code.chars().take(20).collect(), known.join(", "))
        })?;
        let lines = match &input.language {
            Some(language) => in_language(&page.markdown, language),
            None => page.markdown.lines().map(str::to_owned).collect(),
        };
        let mut left = input.budget.bytes().saturating_sub(FRAME);
        let mut shown = Vec::new();
        for line in lines.iter().skip(input.from) {
            let bytes = crate::budget::size(line) + 1;
            if bytes > left {
                break;
            }
            left -= bytes;
            shown.push(line.clone());
        }
        let end = input.from.saturating_add(shown.len());
        Ok(Out {
            rules: vec![named(page)],
            next: (end < lines.len()).then_some(end),
            page: shown,
        })
    }
}

/// The page without advice that is for other languages alone: entries of lists that begin with the names of some.
fn in_language(page: &str, language: &str) -> Vec<String> {
    let mut kept = Vec::new();
    let mut keeps = true;
    for line in page.lines() {
        if let Some(entry) = line.strip_prefix("- ") {
            keeps = is_for(entry, language);
        } else if !line.starts_with("  ") {
            keeps = true;
        }
        if keeps {
            kept.push(line.to_owned());
        }
    }
    kept
}

/// Whether an entry is for everybody, or for this language among others.
fn is_for(entry: &str, language: &str) -> bool {
    let Some((head, _)) = entry.split_once(": ") else {
        return true;
    };
    let words = || {
        head.split([',', ' '])
            .filter(|word| !word.is_empty() && *word != "and")
    };
    let is_language = |word: &str| LANGUAGES.iter().any(|known| known.eq_ignore_ascii_case(word));
    if !words().any(is_language) {
        return true;
    }
    words().any(|word| word.eq_ignore_ascii_case(language)) || entry_names(entry, language)
}

/// Later sentences of an entry may be for another language, as in "Ruby: x. Java: y".
fn entry_names(entry: &str, language: &str) -> bool {
    entry
        .to_lowercase()
        .contains(&format!(" {}: ", language.to_lowercase()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_keeps_what_is_for_a_language_and_for_all() {
        let page =
            "# D01\n\n- JavaScript: a\n  more\n- Ruby, Crystal: b\n- note: c\n- Python: d. Ruby: e\nend";
        assert_eq!(
            in_language(page, "ruby"),
            [
                "# D01",
                "",
                "- Ruby, Crystal: b",
                "- note: c",
                "- Python: d. Ruby: e",
                "end"
            ]
        );
    }

    #[test]
    fn each_language_finds_less_than_the_whole_page_of_d01() {
        let page = &rulebook().page("D01").expect("a page").markdown;
        for language in ["Ruby", "JavaScript", "Java", "Python", "C++", "Rust"] {
            let kept = in_language(page, language).join("\n");
            assert!(kept.contains(&format!("{language}:")) || kept.contains(language));
            assert!(kept.len() < page.len() - 100, "{language}");
        }
    }
}
