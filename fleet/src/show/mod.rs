//! Answers for a person at a terminal.

mod answers;
mod table;

pub use answers::{regressions, rollout, rows, top, trend, who};
pub use table::{Align, Table};

use deadweight_report::Look;
use deadweight_report::palette::Palette;

/// What every answer is drawn on.
#[derive(Clone, Copy, Debug)]
pub struct Screen {
    /// Columns of the terminal.
    pub width: usize,
    /// Styles.
    pub palette: Palette,
}

impl Screen {
    /// A screen of that look.
    #[must_use]
    pub fn new(look: Look) -> Self {
        Self {
            width: look.width.max(72),
            palette: Palette::new(look.colour),
        }
    }
}
