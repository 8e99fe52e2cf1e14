//! The few styles the reports use. Without colour every style is empty and paints nothing.

use std::fmt;

use anstyle::{AnsiColor, Style};

/// Styles by what they say.
#[derive(Clone, Copy, Debug, Default)]
pub struct Palette {
    /// What is read first: headings, ranks, places.
    pub strong: Style,
    /// What may be passed over.
    pub faint: Style,
    /// What to do.
    pub action: Style,
    /// What to be careful about.
    pub caution: Style,
    /// Code in running text.
    pub code: Style,
    /// Bytes the program needs.
    pub content: Style,
    /// Bytes of the runtime itself.
    pub runtime: Style,
    /// Dead weight and savings.
    pub dead: Style,
}

impl Palette {
    /// The styles, with colour or without.
    #[must_use]
    pub fn new(colour: bool) -> Self {
        if !colour {
            return Self::default();
        }
        let of = |colour: AnsiColor| colour.on_default();
        Self {
            strong: Style::new().bold(),
            faint: Style::new().dimmed(),
            action: of(AnsiColor::Green),
            caution: of(AnsiColor::Yellow).bold(),
            code: of(AnsiColor::Cyan),
            content: of(AnsiColor::Cyan),
            runtime: of(AnsiColor::Blue),
            dead: of(AnsiColor::Red),
        }
    }
}

/// Text in a style, which ends with the text.
#[must_use]
pub fn paint(style: Style, text: impl fmt::Display) -> String {
    let text = text.to_string();
    if text.trim().is_empty() {
        return text;
    }
    format!("{style}{text}{style:#}")
}
