//! A rule's page for the terminal.

use std::io::Write;

use anstyle::Style;
use deadweight_weighing::Page;

use crate::markdown::{Block, Inline, blocks, inlines};
use crate::palette::{Palette, paint};
use crate::wrap::{Span, wrap};
use crate::{Look, WriteError};

/// Longer lines are hard to read.
const WIDEST: usize = 100;

/// Writes a rule's page: headings bold, code set in.
///
/// # Errors
/// When the output takes no more.
pub fn explain(page: &Page, look: Look, out: &mut dyn Write) -> Result<(), WriteError> {
    let palette = Palette::new(look.colour);
    let width = look.width.clamp(40, WIDEST);
    let mut text = String::new();
    let mut before: Option<&Block<'_>> = None;
    let blocks = blocks(&page.markdown);
    for block in &blocks {
        if before.is_some_and(|before| apart(before, block)) {
            text.push('\n');
        }
        for line in lines(block, &palette, look.colour, width) {
            text.push_str(line.trim_end());
            text.push('\n');
        }
        before = Some(block);
    }
    out.write_all(text.as_bytes())?;
    Ok(())
}

/// Entries of one list, and a heading below the first and its text, stand together.
fn apart(above: &Block<'_>, below: &Block<'_>) -> bool {
    match (above, below) {
        (Block::Item(..), Block::Item(..)) => false,
        (Block::Heading(level, _), _) => *level == 1,
        _ => true,
    }
}

fn lines(block: &Block<'_>, palette: &Palette, colour: bool, width: usize) -> Vec<String> {
    match block {
        Block::Heading(_, text) => vec![paint(palette.strong, text)],
        Block::Paragraph(text) => wrap(&spans(text, palette, colour), width, "", ""),
        Block::Item(mark, text) => {
            let first = format!("  {mark} ");
            let rest = " ".repeat(first.len());
            wrap(&spans(text, palette, colour), width, &first, &rest)
        }
        Block::Code(code) => code
            .iter()
            .map(|line| format!("    {}", paint(palette.code, line)))
            .collect(),
    }
}

fn spans(text: &str, palette: &Palette, colour: bool) -> Vec<Span> {
    inlines(text)
        .into_iter()
        .map(|inline| match inline {
            Inline::Text(text) => (Style::new(), text.to_owned()),
            Inline::Strong(text) => (palette.strong, text.to_owned()),
            // Without colour the marks must stay, or code could not be distinguished from words.
            Inline::Code(text) if colour => (palette.code, text.to_owned()),
            Inline::Code(text) => (palette.code, format!("`{text}`")),
        })
        .map(|(style, text)| Span { style, text })
        .collect()
}
