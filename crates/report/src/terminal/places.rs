//! A table of places: how many bytes, what share, two more figures, and what stands there.

use super::Canvas;
use crate::cut::{Cut, columns, cut, left, right};
use crate::palette::paint;

/// What stands at a place gets at least this many columns.
const WHAT: usize = 8;

/// Places get at most this many columns.
const PLACES: usize = 44;

/// Blanks between two columns.
const GAP: usize = 2;

/// What a table says and how it is headed.
pub(super) struct Places {
    /// Over the places: what the table is of.
    pub heading: &'static str,
    /// Where a place that is too long loses a piece.
    pub cut: Cut,
    /// Over the figures.
    pub titles: [&'static str; 4],
    /// Over what stands there.
    pub what: &'static str,
    pub rows: Vec<Row>,
}

/// A row.
pub(super) struct Row {
    pub place: String,
    /// The first is what the table is sorted by.
    pub figures: [String; 4],
    pub what: String,
}

impl Places {
    /// The lines of the table; none without a row.
    pub(super) fn lines(&self, canvas: &Canvas<'_>) -> Vec<String> {
        if self.rows.is_empty() {
            return Vec::new();
        }
        let widths: [usize; 4] = std::array::from_fn(|at| {
            let figures = self.rows.iter().map(|row| columns(&row.figures[at]));
            figures.fold(columns(self.titles[at]), usize::max)
        });
        let figures = widths.iter().sum::<usize>() + (widths.len() + 1) * GAP;
        let widest = self.rows.iter().map(|row| columns(&row.place));
        let places = widest
            .fold(columns(self.heading), usize::max)
            .min(PLACES)
            .min(canvas.width.saturating_sub(figures + WHAT));
        let room = canvas.width.saturating_sub(places + figures);
        let palette = &canvas.palette;
        let titles = self.titles.iter().zip(widths);
        let titles: Vec<String> = titles.map(|(title, width)| right(title, width)).collect();
        let heading = left(&cut(self.heading, places, Cut::End), places);
        let heading = format!(
            "{}{}",
            paint(palette.strong, heading),
            paint(palette.faint, format!("  {}  {}", titles.join("  "), self.what))
        );
        let rows = self.rows.iter().map(|row| {
            let [first, others @ ..] = &row.figures;
            let mut line = format!(
                "{}  {}",
                left(&cut(&row.place, places, self.cut), places),
                paint(palette.strong, right(first, widths[0]))
            );
            for (figure, width) in others.iter().zip(&widths[1..]) {
                line.push_str("  ");
                line.push_str(&right(figure, *width));
            }
            format!("{line}  {}", paint(palette.faint, cut(&row.what, room, Cut::End)))
        });
        std::iter::once(heading).chain(rows).collect()
    }
}
