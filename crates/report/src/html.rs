//! One HTML page that needs nothing else: no network, no other file.
//!
//! The page is made from `crates/report/html` and embedded; a test rebuilds it and compares. What is written here is
//! only its data: JSON in an element that no browser runs, with every character written out that could end it. The
//! page puts text from it into text nodes alone, and its policy names its own script and style by their hashes, so that
//! nothing else in it can ever run.

use std::collections::BTreeMap;
use std::io::Write;

use deadweight_compare::Proof;
use deadweight_weighing::{Finding, Page, Rulebook, Weighing};
use serde::Serialize;

use crate::markdown::{Block, Inline, blocks, inlines};
use crate::{Report, WriteError};

/// The page, as `npm run build` makes it.
const PAGE: &str = include_str!("../html/dist/report.html");

/// What stands in the page where its data goes.
const PLACE: &str = "@deadweight-data@";

/// The page with one weighing, and with what the rulebook says of its findings.
#[derive(Clone, Copy, Debug)]
pub struct Html<'r> {
    /// Where the pages of rules come from.
    pub rules: &'r Rulebook,
}

impl Report for Html<'_> {
    fn write(&self, weighing: &Weighing, out: &mut dyn Write) -> Result<(), WriteError> {
        self.write_all(std::slice::from_ref(weighing), out)
    }
}

impl Html<'_> {
    /// One page for several weighings, of which the reader chooses.
    ///
    /// # Errors
    /// When a weighing cannot be put into JSON, or the output takes no more.
    pub fn write_all(&self, weighings: &[Weighing], out: &mut dyn Write) -> Result<(), WriteError> {
        let findings = weighings
            .iter()
            .flat_map(findings)
            .map(|finding| finding.rule.as_str());
        page(
            &Data::new(self.rules, findings, Content::Weighings(weighings)),
            out,
        )
    }

    /// The page before and after a change.
    ///
    /// # Errors
    /// When the proof cannot be put into JSON, or the output takes no more.
    pub fn write_proof(&self, proof: &Proof, out: &mut dyn Write) -> Result<(), WriteError> {
        let fixes = proof.fixes.iter().map(|fix| fix.rule.as_str());
        page(&Data::new(self.rules, fixes, Content::Proof(proof)), out)
    }
}

/// What the page shows.
#[derive(Serialize)]
struct Data<'d> {
    /// Of this tool.
    version: &'static str,
    #[serde(flatten)]
    content: Content<'d>,
    /// The pages of the rules that found something.
    rules: BTreeMap<&'d str, RulePage>,
}

#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum Content<'d> {
    Weighings(&'d [Weighing]),
    Proof(&'d Proof),
}

impl<'d> Data<'d> {
    fn new(book: &Rulebook, codes: impl Iterator<Item = &'d str>, content: Content<'d>) -> Self {
        let mut rules = BTreeMap::new();
        for code in codes {
            if !rules.contains_key(code)
                && let Some(page) = book.page(code)
            {
                rules.insert(code, RulePage::new(page));
            }
        }
        Self {
            version: env!("CARGO_PKG_VERSION"),
            content,
            rules,
        }
    }
}

fn findings(weighing: &Weighing) -> impl Iterator<Item = &Finding> {
    let churned = weighing.churned.iter().flat_map(|churned| &churned.findings);
    weighing.findings.iter().chain(&weighing.options).chain(churned)
}

/// Writes the page around its data.
fn page(data: &Data<'_>, out: &mut dyn Write) -> Result<(), WriteError> {
    let json = serde_json::to_string(data).map_err(WriteError::Json)?;
    let (head, tail) = PAGE.split_once(PLACE).unwrap_or((PAGE, ""));
    out.write_all(head.as_bytes())?;
    out.write_all(inert(&json).as_bytes())?;
    out.write_all(tail.as_bytes())?;
    Ok(())
}

/// JSON that stays data inside of an HTML element: no tag, no comment and no entity can start in it. In JSON these
/// characters only stand within strings, where they may be written by their numbers.
fn inert(json: &str) -> String {
    let mut text = String::with_capacity(json.len() + json.len() / 16);
    for c in json.chars() {
        match c {
            '<' => text.push_str("\\u003c"),
            '>' => text.push_str("\\u003e"),
            '&' => text.push_str("\\u0026"),
            '\u{2028}' => text.push_str("\\u2028"),
            '\u{2029}' => text.push_str("\\u2029"),
            c => text.push(c),
        }
    }
    text
}

/// A rule's page in pieces, so that the browser needs no Markdown.
#[derive(Serialize)]
struct RulePage {
    title: String,
    blocks: Vec<Piece>,
}

#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Piece {
    Heading { level: usize, text: Vec<Words> },
    Paragraph { text: Vec<Words> },
    Item { mark: String, text: Vec<Words> },
    Code { lines: Vec<String> },
}

/// How a piece of running text is set, and the text.
type Words = (&'static str, String);

impl RulePage {
    fn new(page: &Page) -> Self {
        let blocks = blocks(&page.markdown).into_iter().map(|block| match block {
            Block::Heading(level, text) => Piece::Heading {
                level,
                text: words(text),
            },
            Block::Paragraph(text) => Piece::Paragraph { text: words(&text) },
            Block::Item(mark, text) => Piece::Item {
                mark: mark.to_owned(),
                text: words(&text),
            },
            Block::Code(lines) => Piece::Code {
                lines: lines.into_iter().map(str::to_owned).collect(),
            },
        });
        Self {
            title: page.title.clone(),
            blocks: blocks.collect(),
        }
    }
}

fn words(text: &str) -> Vec<Words> {
    let words = inlines(text).into_iter().map(|inline| match inline {
        Inline::Text(text) => ("text", text.to_owned()),
        Inline::Code(text) => ("code", text.to_owned()),
        Inline::Strong(text) => ("strong", text.to_owned()),
    });
    words.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_has_one_place_for_its_data_inside_of_its_element() {
        assert_eq!(PAGE.matches(PLACE).count(), 1);
        assert!(PAGE.contains(&format!(
            "<script type=\"application/json\" id=\"data\">{PLACE}</script>"
        )));
    }

    #[test]
    fn the_page_asks_for_nothing() {
        assert!(PAGE.contains("default-src 'none'"));
        for asks in ["<link", "<img", "<iframe", "src=\"", "@import", "url("] {
            assert!(!PAGE.contains(asks), "{asks}");
        }
    }

    #[test]
    fn data_stays_data() {
        let hostile = "</script><!--<script>&lt;\u{2028}\u{2029}\u{0}\"\\";
        let json = serde_json::to_string(hostile).expect("a string");
        let inert = inert(&json);
        assert!(
            !inert.contains(['<', '>', '&', '\u{2028}', '\u{2029}', '\u{0}']),
            "{inert}"
        );
        let back: String = serde_json::from_str(&inert).expect("still JSON");
        assert_eq!(back, hostile);
    }
}
