//! A rule's page on a terminal.

mod support;

use deadweight_report::{Look, explain};
use deadweight_weighing::{Code, Page};

const SOURCE: &str = "\
//! # X01 · an example
//!
//! ## What it is
//! A page whose text is broken in other places than in the source, with `code in it` and a **strong** word, and long
//! enough for two lines.
//!
//! ## How to fix it
//! - Ruby: `-string`, or `# frozen_string_literal: true` at the head of the file, which is enough for literals.
//! - C++: a table.
//!
//! ```js
//! const seen = new Map();
//!   kept
//! ```
//!
//! ## When not to
//! When 2 * 3 is 7.
";

fn explained(colour: bool) -> String {
    let mut out = Vec::new();
    let look = Look { width: 72, colour };
    explain(&Page::of_source(Code("X01"), SOURCE), look, &mut out).expect("memory takes all");
    String::from_utf8(out).expect("text").replace('\x1b', "␛")
}

#[test]
fn plain() {
    insta::assert_snapshot!(explained(false));
}

#[test]
fn in_colour() {
    insta::assert_snapshot!(explained(true));
}

#[test]
fn every_rule_has_a_page_to_show() {
    let rules = support::rulebook();
    assert!(!rules.pages().is_empty());
    for page in rules.pages() {
        let mut out = Vec::new();
        explain(
            page,
            Look {
                width: 80,
                colour: false,
            },
            &mut out,
        )
        .expect("memory takes all");
        let text = String::from_utf8(out).expect("text");
        assert!(text.starts_with(page.code.0), "{text}");
    }
}
